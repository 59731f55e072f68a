// Package model describes the adapter under test: its introspection data, one known-good request
// per operation, and the test objects of the run. Checks read it and build requests from it.
//
// # Word tables
//
// What an adapter means is learned from its structure, its answers and from trial. These tables
// of words are left. Those of the first list only forbid or propose: an adapter in another
// language loses no verdict where evidence is to be had, and a word never proves anything.
//
// Tables that make the gate more careful (suites/gate, suites/vocab):
//   - effects of verbs in seven languages (vocab): the name or the description of an operation
//     can make it more dangerous than its category says, never less;
//   - deeds, outward: things and parameters by which a creation acts on others (gate/rules.go,
//     gate/creates.go);
//   - graveWords, widening, scopes: words by which a call reaches more than one object
//     (gate/rules.go, gate/alters.go, gate/kinds.go);
//   - kinships, relations, exclusive: parameters that name or replace an object of others
//     (gate/creates.go);
//   - marksWhenTrue, marksWhenFalse, levelMembers, places: the members in which an adapter marks
//     an operation as dangerous (gate/marks.go);
//   - burials: the words for a removed object, beside the change that the removal made
//     (gate/ending.go).
//
// Tables that propose what a trial then confirms or refutes:
//   - identifying, kinds.go's endings of keys: the order in which members are tried as
//     identifiers (gate/survey.go, gate/kinds.go);
//   - plainReads: the order in which reads of one object are tried (gate/kinds.go);
//   - cursorParameters, "page", "offset", "skip", and the members for cursors and for more
//     pages (gate/pages.go, probes/page.go): how a listing is walked to its end;
//   - PageSizes: the parameter by which a page is made larger (hints.go);
//   - sampleWords: texts for fields that must differ (object_kind.go); they are sent, not read.
//
// Tables of the specification's own names (reserved operations, members of the envelope, states
// of executions, danger levels) stand beside the checks that cite their section.
package model
