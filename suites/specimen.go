package suites

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/aql-conform/aql-conform/probes"
)

// A specimen is an object of our own that an operation can be tried on: how it is
// made, what identifies it, and which READ shows it again.
type specimen struct {
	Subject                       // the operation that makes, changes or removes it
	maker     Subject             // the CREATE that makes it
	ids       map[string][]string // identifier parameter and the way to its value below the maker's data
	viewer    probes.Operation    // the READ that shows one; without a name the maker's listings do
	viewerIDs map[string][]string //
	fields    []probes.Parameter  // what input may hold
	declared  bool                // fields stand in introspection as those of input, and are not inferred from the maker
	base      int                 // the step of the script that makes it
}

// specimens caches what was found out about each operation of a face, because
// every row on updates asks for it again.
type specimens struct {
	once  sync.Once
	known map[string]foundSpecimen
	vain  bool // a wait for a slow store was in vain
	slow  bool // a wait was worth it
}

type foundSpecimen struct {
	specimen
	why *Ruling // why there is none
}

// specimen returns the specimen of an operation that makes, changes or removes, or why
// there is none.
func (f *Face) specimen(operation string) (specimen, *Ruling) {
	f.specimens.once.Do(func() {
		f.specimens.known = map[string]foundSpecimen{}
		makers := eachMarked(f)
		for _, s := range eachListed(f) {
			if slices.Contains([]string{"CREATE", "UPDATE", "DELETE"}, s.Op.Category) && !slices.Contains(reserved, s.Name) {
				sp, why := find(s, makers)
				f.specimens.known[s.Name] = foundSpecimen{sp, why}
			}
		}
	})
	got, known := f.specimens.known[operation]
	if !known {
		r := NotProven("an operation that makes, changes or removes", operation)
		return specimen{}, &r
	}
	return got.specimen, got.why
}

// resourceHint is what unlocks rows that need an object of our own.
const resourceHint = "resource" + inHints + "the operations on one kind of object, and the fields that play a part"

func find(s Subject, makers []Subject) (specimen, *Ruling) {
	missing := func(want, got string) (specimen, *Ruling) {
		r := NotProven(want, got).Mend(resourceHint)
		return specimen{}, &r
	}
	if ok, why := s.Callable(s.Op); !ok {
		r := NotProven("leave to call "+s.Name, why).Mend(Baseline{State: Barred, Why: why}.unlock())
		return specimen{}, &r
	}
	sp := specimen{Subject: s}
	input := slices.IndexFunc(s.Op.Parameters, func(p probes.Parameter) bool { return p.Name == "input" })
	if s.Op.Category == "UPDATE" && input < 0 {
		r := NotProven("a documented parameter input", "none").Because("AQL-4.5-01")
		return specimen{}, &r
	}
	for _, m := range makers {
		if m.settled != nil || !s.plays(theMaker, m.Name, s.Name) {
			continue
		}
		ids, ok := m.identifies(s.Op)
		if ok && s.Op.Category != "CREATE" || m.Name == s.Name {
			sp.maker, sp.ids = m, ids
			break
		}
	}
	if sp.maker.Face == nil {
		return missing("an object of our own that "+s.Name+" can be tried on", "no CREATE whose answer identifies one")
	}
	sp.viewer, sp.viewerIDs = sp.maker.viewer()
	record := probes.Parameter{}
	if input >= 0 && s.Op.Category == "UPDATE" {
		record = s.Op.Parameters[input]
	}
	sp.fields, sp.declared = s.fieldsOf(record, sp.maker.Op)
	return sp, nil
}

// viewer returns the READ that shows what the maker made, best one whose name says
// no more than that: validate_note and preview_note take the same identifier.
func (s Subject) viewer() (viewer probes.Operation, ids map[string][]string) {
	for _, o := range s.Operations {
		if o.Category != "READ" || s.Baselines[o.Name].State != Proven || !s.plays(theViewer, o.Name, s.Name) {
			continue
		}
		plain := plainView(o.Name)
		if way, ok := s.identifies(o); ok && (viewer.Name == "" || plain) {
			viewer, ids = o, way
			if plain {
				break
			}
		}
	}
	return viewer, ids
}

// plainView reports whether the name of a READ says no more than that it shows something.
func plainView(operation string) bool {
	return slices.Contains([]string{"get", "read", "show", "fetch", "view", "retrieve"}, Verb(operation))
}

// identifies returns the way to each required identifier of an operation below
// the data that the maker answered.
func (s Subject) identifies(o probes.Operation) (map[string][]string, bool) {
	paths := map[string][]string{}
	for _, p := range o.Parameters {
		if !p.Required || !s.refers(o, p) {
			continue
		}
		path, ok := s.identifierPath(s.Baseline().Reply.Data(), s.Op, o, p)
		if !ok {
			return nil, false
		}
		paths[p.Name] = path
	}
	return paths, len(paths) > 0
}

// create is the request that makes a specimen of its own for a take, with fields
// as given where the maker takes them; rest are those it does not take.
func (sp specimen) create(take int, fields map[string]any) (p probes.Probe, rest map[string]any) {
	p, rest = sp.maker.anew(take), map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		i := slices.IndexFunc(sp.maker.Op.Parameters, func(q probes.Parameter) bool { return q.Name == name })
		if i >= 0 && sp.Misfit(sp.maker.Op.Parameters[i], probes.ValueOf(fields[name])) == "" {
			p = p.With(name, fields[name])
		} else {
			rest[name] = fields[name]
		}
	}
	return p.Anew(take), rest
}

// on is the request that applies the operation to what the script made.
func (sp specimen) on(take int) probes.Probe {
	return sp.request(sp.Op, sp.ids).Anew(take)
}

func (sp specimen) request(o probes.Operation, ids map[string][]string) probes.Probe {
	params := map[string]any{}
	for _, p := range o.Parameters {
		path, own := ids[p.Name]
		switch {
		case own:
			params[p.Name] = probes.From(sp.base, path...)
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

// look is the request that shows the specimen again.
func (sp specimen) look(take int) probes.Probe {
	if sp.viewer.Name != "" {
		return sp.request(sp.viewer, sp.viewerIDs).Anew(take)
	}
	return sp.maker.views(sp.stamp(take))[0].Anew(take)
}

// stamp is the text that the specimen of a take carries; the takes of one script
// share their thousands.
func (sp specimen) stamp(take int) string {
	return sp.Gen.Marker(fmt.Sprintf("-%d", take/specimenStage*specimenStage))
}

// specimenStage is the number of takes that one script may use.
const specimenStage = 1000

// shown finds the specimen in the answer to a look.
func (sp specimen) shown(o probes.Observation) probes.Value {
	if sp.viewer.Name == "" {
		for _, item := range itemsWith(o.Data(), sp.stamp(o.Probe.Take)) {
			return item
		}
		return probes.Value{}
	}
	return sp.within(o.Data())
}

// within finds the object in data: the one that holds most of its fields.
func (sp specimen) within(data probes.Value) probes.Value {
	best, most := probes.Value{}, 0
	var walk func(v probes.Value, depth int)
	walk = func(v probes.Value, depth int) {
		n := 0
		for _, name := range v.Names() {
			if _, id := sp.ids[name]; id || slices.ContainsFunc(sp.fields, func(p probes.Parameter) bool { return p.Name == name }) {
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
