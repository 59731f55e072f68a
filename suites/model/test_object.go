package model

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A TestObject describes how to create an object of the run for an operation, how to identify it,
// and how to read it.
type TestObject struct {
	Subject                       // operation that creates, changes or removes it
	Maker     Subject             // CREATE operation
	IDs       map[string][]string // path in the answer to the CREATE, by identifier parameter
	Viewer    probes.Operation    // READ that shows one object; without a name, the listings of the maker show it
	ViewerIDs map[string][]string
	Lister    probes.Operation // READ that lists what lies in the parent of the object, where nothing shows one object
	ListerIDs map[string][]string
	Fields    []probes.Parameter // possible fields of input
	Declared  bool               // the fields are documented as those of input, not inferred from the maker
	Base      int                // step of the script that creates it
}

// testObjectCache caches the test object of each operation, because every check on updates needs
// it.
type testObjectCache struct {
	once     sync.Once
	known    map[string]foundTestObject
	TimedOut bool // a wait for a slow store timed out
	seenSlow bool // a wait for a slow store succeeded
}

type foundTestObject struct {
	TestObject
	why *ruling.Ruling // reason if there is no test object
}

// TestObject returns the test object of an operation that creates, changes or removes, or the
// reason why there is none.
func (f *Adapter) TestObject(operation string) (TestObject, *ruling.Ruling) {
	f.TestObjects.once.Do(func() {
		f.TestObjects.known = map[string]foundTestObject{}
		makers := f.Makers()
		for _, s := range EachListed(f) {
			if slices.Contains([]string{"CREATE", "UPDATE", "DELETE"}, s.Op.Category) && !slices.Contains(Reserved, s.Name) {
				obj, why := FindTestObject(s, makers)
				f.TestObjects.known[s.Name] = foundTestObject{obj, why}
			}
		}
	})
	got, known := f.TestObjects.known[operation]
	if !known {
		r := ruling.NotProven("an operation that makes, changes or removes", operation)
		return TestObject{}, &r
	}
	return got.TestObject, got.why
}

// FindTestObject finds the maker, the identifiers and the fields of a test object for the operation.
func FindTestObject(s Subject, makers []Subject) (TestObject, *ruling.Ruling) {
	missing := func(want, got string) (TestObject, *ruling.Ruling) {
		r := ruling.NotProven(want, got).Mend(TestObjectHint)
		return TestObject{}, &r
	}
	if ok, why := s.Callable(s.Op); !ok {
		r := ruling.NotProven("leave to call "+s.Name, why).Mend(KnownGood{State: NotPermitted, Why: why}.Unlock())
		return TestObject{}, &r
	}
	obj := TestObject{Subject: s}
	input := slices.IndexFunc(s.Op.Parameters, func(p probes.Parameter) bool { return p.Name == "input" })
	if s.Op.Category == "UPDATE" && input < 0 {
		r := ruling.NotProven("a documented parameter input", "none").Because("AQL-4.5-01")
		return TestObject{}, &r
	}
	var barred *ruling.Ruling // why a CREATE of the kind has not worked
	for _, m := range makers {
		if !s.HasRole(MakerRole, m.Name, s.Name) {
			continue
		}
		if m.Ruling != nil && !s.distinct[m.Name] {
			barred = cmp.Or(barred, m.Ruling)
			continue
		}
		m.Ruling = nil // what a READ shows by its identifier needs no mark
		ids, ok := m.identifierPaths(s.Op)
		if ok && s.Op.Category != "CREATE" || m.Name == s.Name {
			obj.Maker, obj.IDs = m, ids
			break
		}
	}
	if obj.Maker.Adapter == nil && barred != nil {
		return TestObject{}, barred
	}
	if obj.Maker.Adapter == nil {
		return missing("an object of our own that "+s.Name+" can be tried on", "no CREATE whose answer identifies one")
	}
	if k, known := obj.Maker.kind(); known && k.Listed() {
		obj.Lister, obj.ListerIDs = obj.Maker.findLister(k)
	} else {
		obj.Viewer, obj.ViewerIDs = obj.Maker.findViewer()
	}
	if obj.Viewer.Name == "" && obj.Lister.Name == "" && len(obj.Maker.Views("")) == 0 {
		return missing("a READ operation that shows or lists what "+obj.Maker.Name+" makes", "none")
	}
	record := probes.Parameter{}
	if input >= 0 && s.Op.Category == "UPDATE" {
		record = s.Op.Parameters[input]
	}
	obj.Fields, obj.Declared = s.FieldsOf(record, obj.Maker.Op)
	return obj, nil
}

// findViewer returns the READ that shows what the maker created. It prefers a plain verb, because
// validate_note and preview_note take the same identifier.
func (s Subject) findViewer() (viewer probes.Operation, ids map[string][]string) {
	for _, o := range s.Operations {
		if o.Category != "READ" || s.KnownGood[o.Name].State != Proven || !s.HasRole(ViewerRole, o.Name, s.Name) {
			continue
		}
		plain := s.IsPlainRead(o.Name)
		if way, ok := s.identifierPaths(o); ok && (viewer.Name == "" || plain) {
			viewer, ids = o, way
			if plain {
				break
			}
		}
	}
	return viewer, ids
}

// identifierPaths returns the path to each required identifier of an operation in the data of the
// maker's answer.
func (s Subject) identifierPaths(o probes.Operation) (map[string][]string, bool) {
	paths := map[string][]string{}
	for _, p := range o.Parameters {
		if !p.Required || !s.TakesIdentifier(o, p) {
			continue
		}
		path, ok := s.IdentifierPath(s.KnownGoodRequest().Reply, s.Op, o, p)
		if !ok {
			return nil, false
		}
		paths[p.Name] = path
	}
	return paths, len(paths) > 0
}

// Create returns the request that creates a test object in a step, with the fields that the maker
// takes. rest are the other fields.
func (obj TestObject) Create(step string, fields map[string]any) (p probes.Probe, rest map[string]any) {
	number := probes.StepNumber(step)
	if script, first := strings.CutSuffix(step, ": created"); first && !strings.Contains(script, ": ") {
		number = probes.ScriptNumber(step) // that of the mark of the script
	}
	number += obj.apart()
	p, rest = obj.Maker.freshCall(number), map[string]any{}
	takes := obj.taken(obj.Maker.Op)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		i := slices.IndexFunc(takes, func(q probes.Parameter) bool { return q.Name == name })
		if i >= 0 && obj.Misfit(takes[i], probes.ValueOf(fields[name])) == "" {
			p = obj.with(obj.Maker.Op, p, name, keepEntry(p.Params()[name], obj.keepNeeded(takes[i], p.Params()[name], obj.unshared(takes[i], fields[name], number))))
		} else {
			rest[name] = fields[name]
		}
	}
	return p.Anew(step), rest
}

// Apply returns the request that applies the operation to the object of the script.
func (obj TestObject) Apply(step string) probes.Probe {
	return obj.RequestFor(obj.Op, obj.IDs).Anew(step)
}

// RequestFor returns a call of an operation on the object of the script.
func (obj TestObject) RequestFor(o probes.Operation, ids map[string][]string) probes.Probe {
	params := map[string]any{}
	for _, p := range o.Parameters {
		path, own := ids[p.Name]
		switch {
		case own:
			params[p.Name] = probes.From(obj.Base, path...)
		case !p.Required || p.Name == "input":
		case obj.KnownGood[o.Name].Usable():
			params[p.Name] = obj.KnownGood[o.Name].Probe.Params()[p.Name]
		default:
			if values := obj.Gen.Values(o, p); len(values) > 0 {
				params[p.Name] = values[0].Go()
			}
		}
	}
	return obj.Request(o, params)
}

// Read returns the request that reads the test object.
func (obj TestObject) Read(step string) probes.Probe {
	if obj.Viewer.Name != "" {
		return obj.RequestFor(obj.Viewer, obj.ViewerIDs).Anew(step)
	}
	if obj.Lister.Name != "" {
		return obj.RequestFor(obj.Lister, obj.ListerIDs).Anew(step)
	}
	return obj.Maker.Views(obj.ShownMark(step))[0].Anew(step)
}

// ScriptMark is the mark of the test object of a script. All steps of the script have the same mark.
func (obj TestObject) ScriptMark(step string) string {
	return obj.numberMark(probes.ScriptNumber(step) + obj.apart())
}

// ObjectIn returns the test object in the answer to a read.
func (obj TestObject) ObjectIn(o probes.Observation) probes.Value {
	if obj.Viewer.Name == "" {
		for _, item := range ItemsWith(o.Data(), obj.Maker.Marked(obj.numberMark(o.Probe.Number/1000*1000))) {
			return obj.Named(item)
		}
		return probes.Value{}
	}
	return obj.FindIn(o.Data())
}

// FindIn returns the object in data that has the most fields of the test object.
func (obj TestObject) FindIn(data probes.Value) probes.Value {
	best, most := probes.Value{}, 0
	for _, place := range obj.places(data) {
		if place.fields > most {
			best, most = place.object, place.fields
		}
	}
	return best
}

// A place is where an object stands in data. It has so many fields of the test object.
type place struct {
	path   []string
	object probes.Value
	fields int
}

// places lists the objects in data, outer ones first.
func (obj TestObject) places(data probes.Value) []place {
	var all []place
	var walk func(v probes.Value, path []string)
	walk = func(v probes.Value, path []string) {
		object, n := obj.Named(v), 0
		for _, name := range object.Names() {
			if _, id := obj.IDs[name]; id || slices.ContainsFunc(obj.Fields, func(p probes.Parameter) bool { return p.Name == name }) {
				n++
			}
		}
		all = append(all, place{slices.Clone(path), object, n})
		if len(path) == 3 {
			return
		}
		for _, m := range v.Members() {
			walk(m.Value, append(path, m.Name))
		}
		for i, item := range v.Items()[:min(3, len(v.Items()))] {
			walk(item, append(path, strconv.Itoa(i)))
		}
	}
	walk(data, nil)
	return all
}

// SettleTime is how long a store may take to show a change. The requirements on updates allow five
// seconds. A store that shows the change at once causes no wait.
var SettleTime = 5 * time.Second

// ReadUntil reads the test object until seen holds, with growing pauses. After one timeout the run
// does not wait again unless the store is known to be slow, because an expectation that never holds
// would slow down every check.
func (obj TestObject) ReadUntil(ask AskFunc, step string, seen func(probes.Value) bool) probes.Observation {
	n := 0
	o := ask(obj.Read(probes.Nth(step, n)))
	pause := SettleTime / 50
	giveUp := obj.TestObjects.TimedOut && !obj.TestObjects.seenSlow
	for waited := time.Duration(0); waited < SettleTime && !giveUp && !o.Lost() && !seen(obj.ObjectIn(o)); waited += pause {
		pause = min(2*pause, SettleTime-waited)
		obj.Sleep(pause)
		n++
		o = ask(obj.Read(probes.Nth(step, n)))
		obj.TestObjects.seenSlow = obj.TestObjects.seenSlow || seen(obj.ObjectIn(o))
	}
	if SettleTime > 0 && !o.Lost() && !seen(obj.ObjectIn(o)) {
		obj.TestObjects.TimedOut = true
	}
	return o
}
