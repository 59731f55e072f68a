package classification

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// What a READ does to an object of our own shows in the next read of it, since nobody else writes
// to it. A second object is left alone meanwhile: what time does to objects it does to that one as well.

const ownRounds = 2 // a difference has to show in each

func ownRound(round int) string { return probes.Nth("reads of our own object: round", round) }

// The stages of a round. Each ends with a read of the object. The rest is longer in the second round:
// what time does shows in another stage then.
var ownStages = []string{"another read", "a rest", "what is listed", "reads with its options", "a read that is refused", "other READ operations"}

// The stages of which the other object knows nothing more.
const (
	restStage = 1
	listStage = 2 // a listing may reach the other object as well
)

// supplies is an object with values in the fields that a client may set, as far as the creation takes them.
func supplies(sp model.TestObject, script string) probes.Probe {
	fields := map[string]any{}
	if spare, ok := sp.SpareField(); ok {
		fields[spare.Name] = sp.Gen.Marker("-spare")
	}
	if list, ok := sp.ListField(); ok {
		fields[list.Name] = sp.Elements(script, "aqlx")
	}
	if free, ok := sp.ObjectField(); ok {
		fields[free.Name] = map[string]any{"aqlx": "kept"}
	}
	p, _ := sp.Create(script+": created", fields)
	return p
}

// ownKinds are the CREATE operations whose objects a READ shows.
var ownKinds = model.Only(eachOf("CREATE"), func(s model.Subject) bool {
	sp, why := s.TestObject(s.Name)
	return why == nil && sp.Viewer.Name != ""
})

// kindsOf are ownKinds of the adapter, found once.
func kindsOf(s model.Subject) []model.Subject {
	return s.Remember("kinds of own objects", func() any { return ownKinds(s.Adapter) }).([]model.Subject)
}

// otherLists is the least number of READ operations that are called beside those that list the kind.
const otherLists = 6

// shortListing is how many operations may be listed for a rest; to list more costs too much.
const shortListing = 60

// listings are the READ operations that list the kind of an object, and some of the others. Each kind
// has its share of the others, so that all of them are called between two reads of some object.
func listings(s model.Subject) []model.Subject {
	kind, _ := s.Rules.Kind(s.Name)
	var own, others []model.Subject
	for _, t := range s.ProvenListings() {
		if slices.ContainsFunc(kind.Lists, func(l probes.Operation) bool { return l.Name == t.Name }) {
			own = append(own, t)
		} else {
			others = append(others, t)
		}
	}
	kinds := kindsOf(s)
	share := max(otherLists, (len(others)+len(kinds)-1)/len(kinds))
	if share >= len(others) {
		return s.ProvenListings()
	}
	first := share * slices.IndexFunc(kinds, func(k model.Subject) bool { return k.Name == s.Name })
	for i := range share {
		own = append(own, others[(first+i)%len(others)])
	}
	return own
}

// between are the requests of a stage.
func between(s model.Subject, sp model.TestObject, lists []model.Subject, round, stage int) []probes.Probe {
	switch stage {
	case restStage:
		rest := s.Listing()
		if len(s.Operations) > shortListing {
			rest = check.SimpleLookup(s)
		}
		return slices.Repeat([]probes.Probe{rest}, len(lists)*(1+3*round))
	case listStage:
		var ps []probes.Probe
		for _, t := range lists {
			ps = append(ps, t.ValidCall())
		}
		return ps
	case 3:
		return optionalReads(s, sp)
	case 4:
		return []probes.Probe{sp.Read("").With(check.UnknownName(s), 1)}
	case 5:
		return otherReads(s, sp)
	}
	return nil
}

// playOwn plays one round. The object left alone is made first and read last.
func playOwn(s model.Subject, sp model.TestObject, ask model.AskFunc, base, round int) (sent int) {
	script := ownRound(round)
	asking := func(p probes.Probe) probes.Observation {
		sent++
		return ask(p)
	}
	alone := sp
	alone.Base, sp.Base = base, base+1
	if !asking(supplies(alone, script+", the other")).Succeeded() || !asking(supplies(sp, script)).Succeeded() {
		return sent
	}
	asking(sp.Read(script + ": first read"))
	lists := listings(s)
	for i := range ownStages {
		stage := probes.Nth(script+": stage", i)
		for j, p := range between(s, sp, lists, round, i) {
			asking(p.Anew(probes.Nth(stage+": request", j)))
		}
		asking(sp.Read(stage + ": read"))
	}
	asking(alone.Read(script + ": read of the other"))
	return sent
}

// A touch is a field of our own object that changed in a stage.
type touch struct {
	stage int
	field string // empty: the object is gone
}

// touched finds the first change of a round. calm is false if the object left alone changed, too.
func touched(s model.Subject, sp model.TestObject, got probes.Answers, script string) (t touch, found, calm bool, look probes.Observation) {
	set := supplied(s.Adapter, sp.Viewer)
	for _, p := range sp.Maker.Op.Parameters {
		set[p.Name] = true
	}
	for _, name := range probes.VersionTags { // by section 9.3.2 they change with the object and with nothing else
		set[name] = true
	}
	was := sp.ObjectIn(got.Step(script + ": first read"))
	differs := func(is probes.Value) (string, bool) { // a field that a client set, or the version
		for _, m := range was.Members() {
			if set[m.Name] && !m.Value.Equal(is.At(m.Name)) {
				return m.Name, true
			}
		}
		return "", false
	}
	other := got.Step(script + ": read of the other")
	calm = other.Succeeded()
	sent := got.Step(script + ", the other: created").Probe
	for _, m := range was.Members() {
		is := sp.ObjectIn(other).At(m.Name)
		// Each has its own name. A key of a documented pattern holds no nonce.
		named := strings.Contains(m.Value.String(), s.Nonce) && strings.Contains(is.String(), s.Nonce) ||
			!is.Is(probes.Absent) && is.Equal(model.ValueIn(sent, m.Name))
		calm = calm && (!set[m.Name] || named || slices.Contains(probes.VersionTags, m.Name) || m.Value.Equal(is))
	}
	for i := range ownStages {
		o := got.Step(probes.Nth(script+": stage", i) + ": read")
		switch is := sp.ObjectIn(o); {
		case nowhere(o):
			return touch{i, ""}, true, calm, o
		case !o.Succeeded() || is.Is(probes.Absent):
		default:
			if name, other := differs(is); other {
				return touch{i, name}, true, calm, o
			}
		}
	}
	return touch{}, false, calm, other
}

// Section 8.1.
var readLeavesOwnObjectUntouched = check.Check{
	Requirement: "AQL-8.1-02",
	Why:         "A look at an object, or at a list of which it is part, must leave it to the next reader as it was.",
	On:          ownKinds,
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		sp, _ := s.TestObject(s.Name)
		for base, round := 0, 0; round < ownRounds; round++ {
			base += playOwn(s, sp, ask, base, round)
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		sp, _ := s.TestObject(s.Name)
		const want = "our own object as it was before the reads"
		first, found, calm, look := touched(s, sp, got, ownRound(0))
		second, again, still, last := touched(s, sp, got, ownRound(1))
		begun := got.Step(ownRound(0) + ": first read")
		what := "gone after " + ownStages[first.stage]
		if first.field != "" {
			what = first.field + " changed by " + ownStages[first.stage]
		}
		switch {
		case sp.ObjectIn(begun).Is(probes.Absent):
			return ruling.NotApplicable("no object of our own that a READ shows")
		case !found:
			return ruling.Conforms().By(look, begun)
		case first.stage == 0 && first.field == "": // a READ that shows its object once
			return ruling.NotProven("a READ that shows our object as often as it is asked", what).By(look, begun).Because("AQL-8.1-03")
		case first.stage == restStage, !again || first != second, first.stage != listStage && (!calm || !still):
			return ruling.NotProven("a difference that comes with reads each time or never", what+", once or by itself").By(look, begun)
		}
		return ruling.Violates(want, what).By(look, begun, last)
	},
	Fix: "let READ operations change nothing that clients store",
}
