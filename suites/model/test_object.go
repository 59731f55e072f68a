package model

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A TestObject is an object of our own that an operation can be tried on: how it is
// made, what identifies it, and which READ shows it again.
type TestObject struct {
	Subject                       // the operation that makes, changes or removes it
	Maker     Subject             // the CREATE that makes it
	Ids       map[string][]string // identifier parameter and the way to its value below the maker's data
	Viewer    probes.Operation    // the READ that shows one; without a name the maker's listings do
	ViewerIDs map[string][]string //
	Fields    []probes.Parameter  // what input may hold
	Declared  bool                // fields stand in introspection as those of input, and are not inferred from the maker
	Base      int                 // the step of the script that makes it
}

// testObjects caches what was found out about each operation of a face, because
// every row on updates asks for it again.
type testObjects struct {
	once  sync.Once
	known map[string]foundTestObject
	Vain  bool // a wait for a slow store was in vain
	slow  bool // a wait was worth it
}

type foundTestObject struct {
	TestObject
	why *ruling.Ruling // why there is none
}

// TestObject returns the specimen of an operation that makes, changes or removes, or why
// there is none.
func (f *Adapter) TestObject(operation string) (TestObject, *ruling.Ruling) {
	f.Specimens.once.Do(func() {
		f.Specimens.known = map[string]foundTestObject{}
		makers := EachMarked(f)
		for _, s := range EachListed(f) {
			if slices.Contains([]string{"CREATE", "UPDATE", "DELETE"}, s.Op.Category) && !slices.Contains(Reserved, s.Name) {
				sp, why := FindTestObject(s, makers)
				f.Specimens.known[s.Name] = foundTestObject{sp, why}
			}
		}
	})
	got, known := f.Specimens.known[operation]
	if !known {
		r := ruling.NotProven("an operation that makes, changes or removes", operation)
		return TestObject{}, &r
	}
	return got.TestObject, got.why
}

// TestObjectHint is what unlocks rows that need an object of our own.
const TestObjectHint = "resource" + InHints + "the operations on one kind of object, and the fields that play a part"

func FindTestObject(s Subject, makers []Subject) (TestObject, *ruling.Ruling) {
	missing := func(want, got string) (TestObject, *ruling.Ruling) {
		r := ruling.NotProven(want, got).Mend(TestObjectHint)
		return TestObject{}, &r
	}
	if ok, why := s.Callable(s.Op); !ok {
		r := ruling.NotProven("leave to call "+s.Name, why).Mend(KnownGood{State: Barred, Why: why}.Unlock())
		return TestObject{}, &r
	}
	sp := TestObject{Subject: s}
	input := slices.IndexFunc(s.Op.Parameters, func(p probes.Parameter) bool { return p.Name == "input" })
	if s.Op.Category == "UPDATE" && input < 0 {
		r := ruling.NotProven("a documented parameter input", "none").Because("AQL-4.5-01")
		return TestObject{}, &r
	}
	for _, m := range makers {
		if m.Settled != nil || !s.Plays(TheMaker, m.Name, s.Name) {
			continue
		}
		ids, ok := m.identifies(s.Op)
		if ok && s.Op.Category != "CREATE" || m.Name == s.Name {
			sp.Maker, sp.Ids = m, ids
			break
		}
	}
	if sp.Maker.Adapter == nil {
		return missing("an object of our own that "+s.Name+" can be tried on", "no CREATE whose answer identifies one")
	}
	sp.Viewer, sp.ViewerIDs = sp.Maker.viewer()
	record := probes.Parameter{}
	if input >= 0 && s.Op.Category == "UPDATE" {
		record = s.Op.Parameters[input]
	}
	sp.Fields, sp.Declared = s.FieldsOf(record, sp.Maker.Op)
	return sp, nil
}

// viewer returns the READ that shows what the maker made, best one whose name says
// no more than that: validate_note and preview_note take the same identifier.
func (s Subject) viewer() (viewer probes.Operation, ids map[string][]string) {
	for _, o := range s.Operations {
		if o.Category != "READ" || s.Baselines[o.Name].State != Proven || !s.Plays(TheViewer, o.Name, s.Name) {
			continue
		}
		plain := PlainView(o.Name)
		if way, ok := s.identifies(o); ok && (viewer.Name == "" || plain) {
			viewer, ids = o, way
			if plain {
				break
			}
		}
	}
	return viewer, ids
}

// PlainView reports whether the name of a READ says no more than that it shows something.
func PlainView(operation string) bool {
	return slices.Contains([]string{"get", "read", "show", "fetch", "view", "retrieve"}, Verb(operation))
}

// identifies returns the way to each required identifier of an operation below
// the data that the maker answered.
func (s Subject) identifies(o probes.Operation) (map[string][]string, bool) {
	paths := map[string][]string{}
	for _, p := range o.Parameters {
		if !p.Required || !s.Refers(o, p) {
			continue
		}
		path, ok := s.IdentifierPath(s.KnownGood().Reply.Data(), s.Op, o, p)
		if !ok {
			return nil, false
		}
		paths[p.Name] = path
	}
	return paths, len(paths) > 0
}

// Create is the request that makes a specimen of its own for a take, with fields
// as given where the maker takes them; rest are those it does not take.
func (sp TestObject) Create(take int, fields map[string]any) (p probes.Probe, rest map[string]any) {
	p, rest = sp.Maker.Anew(take), map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		i := slices.IndexFunc(sp.Maker.Op.Parameters, func(q probes.Parameter) bool { return q.Name == name })
		if i >= 0 && sp.Misfit(sp.Maker.Op.Parameters[i], probes.ValueOf(fields[name])) == "" {
			p = p.With(name, fields[name])
		} else {
			rest[name] = fields[name]
		}
	}
	return p.Anew(take), rest
}

// On is the request that applies the operation to what the script made.
func (sp TestObject) On(take int) probes.Probe {
	return sp.RequestOn(sp.Op, sp.Ids).Anew(take)
}

func (sp TestObject) RequestOn(o probes.Operation, ids map[string][]string) probes.Probe {
	params := map[string]any{}
	for _, p := range o.Parameters {
		path, own := ids[p.Name]
		switch {
		case own:
			params[p.Name] = probes.From(sp.Base, path...)
		case !p.Required || p.Name == "input":
		case sp.Baselines[o.Name].Usable():
			params[p.Name] = sp.Baselines[o.Name].Probe.Params()[p.Name]
		default:
			if values := sp.Gen.Values(o, p); len(values) > 0 {
				params[p.Name] = values[0].Go()
			}
		}
	}
	return sp.Request(o, params)
}

// Look is the request that shows the specimen again.
func (sp TestObject) Look(take int) probes.Probe {
	if sp.Viewer.Name != "" {
		return sp.RequestOn(sp.Viewer, sp.ViewerIDs).Anew(take)
	}
	return sp.Maker.Views(sp.Stamp(take))[0].Anew(take)
}

// Stamp is the text that the specimen of a take carries; the takes of one script
// share their thousands.
func (sp TestObject) Stamp(take int) string {
	return sp.Gen.Marker(fmt.Sprintf("-%d", take/SpecimenStage*SpecimenStage))
}

// SpecimenStage is the number of takes that one script may use.
const SpecimenStage = 1000

// Shown finds the specimen in the answer to a look.
func (sp TestObject) Shown(o probes.Observation) probes.Value {
	if sp.Viewer.Name == "" {
		for _, item := range ItemsWith(o.Data(), sp.Stamp(o.Probe.Take)) {
			return item
		}
		return probes.Value{}
	}
	return sp.Within(o.Data())
}

// Within finds the object in data: the one that holds most of its fields.
func (sp TestObject) Within(data probes.Value) probes.Value {
	best, most := probes.Value{}, 0
	var walk func(v probes.Value, depth int)
	walk = func(v probes.Value, depth int) {
		n := 0
		for _, name := range v.Names() {
			if _, id := sp.Ids[name]; id || slices.ContainsFunc(sp.Fields, func(p probes.Parameter) bool { return p.Name == name }) {
				n++
			}
		}
		if n > most {
			best, most = v, n
		}
		for _, m := range v.Members() {
			if depth < 3 {
				walk(m.Value, depth+1)
			}
		}
		for i, item := range v.Items() {
			if depth < 3 && i < 3 {
				walk(item, depth+1)
			}
		}
	}
	walk(data, 0)
	return best
}

// Settling is how long a store may take to show what it was told (the rows on
// updates allow five seconds). Nobody waits for a store that shows it at once.
var Settling = 5 * time.Second

// LookFor asks for the specimen until seen holds, with growing pauses. After one
// wait in vain the run does not wait again, unless it has seen that the store is
// slow: an expectation that is never met must not make it impatient.
func (sp TestObject) LookFor(ask Asking, take int, seen func(probes.Value) bool) probes.Observation {
	o := ask(sp.Look(take))
	pause := Settling / 50
	hopeless := sp.Specimens.Vain && !sp.Specimens.slow
	for waited := time.Duration(0); waited < Settling && !hopeless && !o.Lost() && !seen(sp.Shown(o)); waited += pause {
		pause = min(2*pause, Settling-waited)
		sp.Rest(pause)
		take++
		o = ask(sp.Look(take))
		sp.Specimens.slow = sp.Specimens.slow || seen(sp.Shown(o))
	}
	if Settling > 0 && !o.Lost() && !seen(sp.Shown(o)) {
		sp.Specimens.Vain = true
	}
	return o
}
