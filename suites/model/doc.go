// Package model describes the adapter under test: its introspection data, one known-good request
// per operation, and the test objects of the run. Checks read it and build requests from it.
//
// # Word tables
//
// What an adapter means is learned from its structure, its answers and from trial. These tables
// of words are left. Those of the first list can only forbid a request. Those of the second list
// propose what a trial then confirms or refutes.
//
// Tables that make the gate more careful (suites/gate, suites/vocab):
//   - effects of verbs in seven languages (vocab): the name or the description of an operation
//     can make it more dangerous than its category says, never less. A verb that ends
//     or drops what stands, or opens a record, is no such promise where a DELETE says that it
//     is similar to delete, or a CREATE that it is similar to create (gate/equivalent.go);
//   - outset, beside: what a created object starts as; lists, each: what an object is taken off. They are English. A
//     description that says so promises no effect outside of the data (vocab/passive.go);
//   - conditions, being, alternatives, relatives, subjectless: a refusal under a condition and no more, in seven languages,
//     promises no effect outside of the data (vocab/text.go);
//   - deeds, outward: things and parameters by which a creation acts on others (gate/rules.go,
//     gate/marks.go);
//   - graveWords, widening, scopes: words by which a call reaches more than one object
//     (gate/rules.go, gate/alters.go, gate/kinds.go);
//   - kinships, relations: parameters that name an object of others (gate/identifiers.go);
//   - exclusive, displaces: states that one object takes from another (gate/marks.go);
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
//   - opened, emptily, setting: words with which the description of a creation begins. They open a
//     CREATE alone, and only where what it makes can be removed (gate/openings.go);
//   - qualifying, staying: adjectives that are verbs as well, and the verbs behind their plural
//     (vocab/grammar.go);
//   - secretName: texts of a creation that are keys of a cipher and name nothing (probes/adapter.go);
//   - "name" inside of input: the name of the object, where a creation takes it as well
//     (gate/alters.go);
//   - PageSizes: the parameter by which a page is made larger (hints.go);
//   - ends: states that are tried last, because an object may not leave them (ready_parents.go);
//   - IsPlainRead, AbsentKey, Affinity, ClientChosen: names of reads and of identifiers, by which
//     earlier values are ordered for a parameter (test_object.go, values.go, keys.go);
//   - toldHead: the beginning of a description that names the kind of a reference; the references
//     that are listed have to bear it out (gate/told.go);
//   - client_mutation_id: a text that is answered as it was sent (probes/adapter.go);
//   - sampleWords, commonForms: texts for fields that must differ, and of usual forms
//     (object_kind.go, area/parameters); they are sent, not read.
//
// Tables of checks. Rules on names, descriptions and messages have to read words, and some rules
// find their subject by words:
//   - canonical verbs and what goes by them (area/classification, check/query.go);
//   - words by which a description promises, denies or explains (check/descriptions.go,
//     check/confirmable.go, check/updates.go, check/values.go, area/descriptions,
//     area/classification/classification.go);
//   - trims, removes: words by which a description says that blanks around a text go. A text with blanks is not tried then
//     (generated/corner_cases.go);
//   - nullWord, transfer, addressed: words for null, and for files that are fetched by an address (area/encoding);
//   - outdated, leaving: notices that a parameter goes away (area/descriptions/deprecation.go);
//   - bookkeeping: things that come to be because somebody reads (area/classification/state.go);
//   - pendingApproval: the state of an agent that waits (check/agent.go);
//   - placeholders, openTask, toAuthor: what stands where a description was meant to be (check/placeholders.go);
//   - words by which a text is the form of an amount (area/encoding/string_numbers.go);
//   - words by which a warning speaks of a value or a parameter (area/descriptions/deprecation_warnings.go);
//   - words for a limit of steps, and numbers as words (area/loop/limit_documented.go);
//   - names of secrets, tokens and codes (check/tokens.go, check/challenge_scenario.go);
//   - names of the parameters and members of pages and totals (check/paging.go,
//     check/paging_walk.go).
//
// Tables of the specification's own names (reserved operations, members of the envelope, states
// of executions, danger levels) stand beside the checks that cite their section.
package model
