package gate

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// Reserved are the protocol operations that have checks of their own.
var Reserved = strings.Fields("execute_agent record_execution_step complete_execution abort_execution confirm_operation verify_challenge")

// Rules say which operations of an adapter may be called, by what introspection, the
// operator and the author say. They send nothing.
type Rules struct {
	*probes.Adapter
	May   Permissions
	Hints fixtures.Hints

	known     map[string]standing           // by operation
	kinds     map[string]Kind               // by the operation that makes one
	complete  bool                          // all operations were judged
	memo      sync.Map                      // what was found out of names and records, which do not change
	listed    map[string][]probes.Operation // by the operation that makes a kind: reads that a trial has shown to list it
	recurs    map[string]int                // in how many categories a possible noun occurs
	leads     map[string]int                // in how many it stands first
	acted     map[string]map[string]bool    // which plain verbs stand behind a first word
	canonical map[string]string             // by an operation: the canonical equivalent that its description names
	adopted   map[string]string             // by a creation whose noun is not that of what it makes: the removal of that

	categories map[string][]string // by the name of an operation

	measuring  sync.Mutex
	measured   []Incident // of the first observations of the record
	measuredOf int        // number of these observations
}

// A standing is what the rules say of one operation.
type standing struct {
	why    string // why it is not called; empty when it is
	lifted bool   // the operator or the author named it
}

// NewRules reads what an adapter says about itself.
func NewRules(a *probes.Adapter, may Permissions, hints fixtures.Hints) *Rules {
	r := &Rules{Adapter: a, May: may, Hints: hints, known: map[string]standing{}, kinds: map[string]Kind{}, listed: map[string][]probes.Operation{}}
	r.categories = categoriesOf(a.Operations)
	r.nameCanonically()
	r.countNouns()
	r.adoptMakers()
	for _, category := range []string{"READ", "UPDATE", "DELETE", "EXECUTE", "", "CREATE"} { // creation asks about the others
		for _, o := range a.Operations {
			if _, seen := r.known[o.Name]; !seen && (o.Category == category || category == "" && kindOf(o.Category) == "") {
				r.known[o.Name] = r.judge(o)
			}
		}
	}
	r.complete = true
	r.markIdentifiers()
	return r
}

// kindOf is the word of a permission for a category; "" for none of the five.
func kindOf(category string) string {
	if slices.Contains(strings.Fields("CREATE READ UPDATE DELETE EXECUTE"), category) {
		return strings.ToLower(category)
	}
	return ""
}

// Callable reports whether an operation may be called with requests that are meant to
// work, and if not, why, with the flag that would permit it.
func (r *Rules) Callable(o probes.Operation) (ok bool, why string) {
	s, known := r.known[o.Name]
	if !known {
		s = r.judge(o)
	}
	return s.why == "", s.why
}

// Lifted reports whether the operator or the author lifted the rules for an operation.
func (r *Rules) Lifted(o probes.Operation) bool {
	return r.allows(o.Name) || r.May.names(kindOf(o.Category), o.Name)
}

// Denies reports whether the author denies an operation.
func (r *Rules) Denies(operation string) bool {
	return operation != "" && r.Hints.Permissions.Operations[operation] == "deny"
}

// Permits reports whether the operator or the author names an operation that is not listed.
func (r *Rules) Permits(name string) bool { return r.allows(name) || r.May.Names(name) }

func (r *Rules) allows(operation string) bool {
	return r.Hints.Permissions.Operations[operation] == "allow"
}

func (r *Rules) judge(o probes.Operation) standing {
	kind := kindOf(o.Category)
	switch {
	case o.Name == "introspect":
		return standing{}
	case slices.Contains(Reserved, o.Name):
		return standing{why: "a reserved protocol operation"}
	case r.Denies(o.Name):
		return standing{why: "denied in the hints file"}
	case r.Lifted(o):
		return r.permitted(o, kind)
	case kind == "":
		return standing{why: fmt.Sprintf("its semantic_category %q is none of the five", clip(o.Category))}
	case !r.May.opens(kind):
		return standing{why: refusal("permission to "+strings.Join(r.May.missing(kind), " and to "), "--allow "+strings.Join(r.May.missing(kind), ","))}
	}
	why, flag := r.suspicion(o), permitting(kind, o.Name)
	if why == "" {
		switch kind {
		case "create":
			why, flag = r.unremovable(o)
		case "update", "delete":
			why = r.bulk(o)
		}
	}
	if why == "" {
		return standing{}
	}
	return standing{why: refusal(why, flag)}
}

// tolerated is the most dangerous effect that a name may promise, by category.
var tolerated = map[string]vocab.Effect{"READ": vocab.Reads, "CREATE": vocab.Creates, "UPDATE": vocab.Changes, "DELETE": vocab.Removes, "EXECUTE": vocab.Reaches}

// toldTolerated is the same for descriptions: they tell of what happens beside, and a
// creation may say that it changes a count.
var toldTolerated = map[string]vocab.Effect{"READ": vocab.Reads, "CREATE": vocab.Changes, "UPDATE": vocab.Removes, "DELETE": vocab.Removes, "EXECUTE": vocab.Reaches}

// does says what an operation with an effect does.
var does = map[vocab.Effect]string{
	vocab.Creates: "creates something", vocab.Changes: "changes something", vocab.Removes: "removes something",
	vocab.Reaches: "acts outside of the data of the adapter",
}

// graveWords are in no name of an operation that is called without permission, whatever
// its category.
var graveWords = strings.Fields("purge drop truncate reset wipe force bypass override clear permanently bulk all everything")

// suspicion is what suspect finds, found out once.
func (r *Rules) suspicion(o probes.Operation) string {
	if why, known := r.memo.Load("suspicion " + o.Name); known {
		return why.(string)
	}
	why := r.suspect(o)
	r.memo.Store("suspicion "+o.Name, why)
	return why
}

// categoriesOf returns the categories under which each name is listed.
func categoriesOf(operations []probes.Operation) map[string][]string {
	of := map[string][]string{}
	for _, o := range operations {
		if !slices.Contains(of[o.Name], o.Category) {
			of[o.Name] = append(of[o.Name], o.Category)
		}
	}
	return of
}

// suspect says what in the marks, the name or the description of an operation speaks
// of an effect beyond its category; "" when nothing does.
func (r *Rules) suspect(o probes.Operation) string {
	if mark := markOf(o); mark != "" {
		return "marked by the adapter as " + mark
	}
	if len(r.categories[o.Name]) > 1 {
		return "listed under more than one semantic category"
	}
	words := vocab.Words(o.Name)
	verb, plain := r.meansDelete(o)
	for _, w := range words {
		if !(plain && w == verb) && (o.Category == "UPDATE" || o.Category == "DELETE" || o.Category == "EXECUTE") && slices.Contains(graveWords, w) {
			return "its name says that it is dangerous (" + w + ")"
		}
	}
	if o.Category == "UPDATE" && slices.ContainsFunc(words, func(w string) bool { return slices.Contains([]string{"merge", "swap", "exchange", "combine"}, w) }) {
		return "its name says that it acts on a second object"
	}
	if last := len(words) - 1; o.Category == "CREATE" && last > 0 && !works(words) && slices.ContainsFunc([]string{words[0], words[last]}, func(w string) bool { return slices.Contains(deeds, vocab.Singular(w)) }) {
		return "its name says that it " + does[vocab.Reaches]
	}
	effect, most := r.nameEffect(o), tolerated[o.Category]
	if plain {
		effect = vocab.Removes
	} else if r.meansCreate(o) {
		effect = vocab.Creates
	}
	switch {
	case effect > most && o.Category == "READ":
		return "a READ operation whose name promises an effect: it " + does[effect]
	case effect > most:
		return "its name says that it " + does[effect]
	}
	for _, text := range descriptions(o) {
		if plain {
			text = canonically(text, verb)
		}
		text = r.asNamed(o, effect, text)
		if effect := vocab.TextEffect(text); effect > toldTolerated[o.Category] {
			return "its description says that it " + does[effect]
		}
	}
	return ""
}

// unremovable says why what an operation makes could not be removed again, "" when it could, and which flag
// permits it.
func (r *Rules) unremovable(o probes.Operation) (why, flag string) {
	flag = permitting("create", o.Name)
	if r.keeps(o) {
		return "its removal is denied in the hints file", flag
	}
	k, ok := r.kind(o)
	if !ok {
		if d, why := r.barredRemoval(o); why != "" {
			return fmt.Sprintf("only %s removes what %s makes, and it is not called: %s", d, o.Name, why), permitting("delete", d)
		}
		return "it creates something that could not be removed again", flag
	}
	if r.takesOver(o, k) {
		return "its name says that it acts on one that exists", flag
	}
	if state := r.outOfState(o, k.Remove); state != "" {
		return k.Remove.Name + " removes nothing in the state " + clip(state) + ", in which it is made, as their descriptions say", flag
	}
	r.kinds[o.Name] = k
	return "", flag
}

// keeps reports whether what an operation makes could not be removed again, because the
// author denies each operation that would.
func (r *Rules) keeps(made probes.Operation) bool {
	denied := false
	for _, d := range r.Operations {
		if d.Category == "DELETE" && r.related(made, d) {
			if !r.Denies(d.Name) {
				return false
			}
			denied = true
		}
	}
	return denied
}

// bulk says why an operation is not known to act on one object; "" when it is.
func (r *Rules) bulk(o probes.Operation) string {
	if _, _, ok := r.acts(o); !ok {
		return "it is not shown to act on one object by a complete identifier"
	}
	return ""
}

// Kind returns the kind of object that an operation makes.
func (r *Rules) Kind(maker string) (Kind, bool) {
	k, ok := r.kinds[maker]
	if o, listed := r.Operation(maker); !ok && listed && o.Category == "CREATE" {
		k, ok = r.kind(o) // its rules were lifted, or it may not be called
		if !ok && r.Lifted(o) {
			k.Views, k.Key = r.views(o) // what it makes is ours to change, though nothing removes it
			ok = len(k.Views) > 0
		}
	}
	return k, ok
}

// Reachable reports whether an operation acts on objects of a kind that the run may make.
func (r *Rules) Reachable(o probes.Operation) bool {
	return r.Lifted(o) || slices.ContainsFunc(r.makers(o), r.usable)
}

// sampled reports whether the author gives a value for a parameter.
func (r *Rules) sampled(operation, parameter string, v probes.Value) bool {
	for _, of := range []string{operation, "*"} {
		for _, raw := range r.Hints.Samples[of][parameter] {
			if given, err := probes.ParseValue(raw); err == nil && given.Equal(v) {
				return true
			}
		}
	}
	return false
}
