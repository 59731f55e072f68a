package classification

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// The scripts: an object like the others of the run, alone in what it lies in, and one with values that few others have, where the
// others fill a page.
const (
	filteredRemoval = "removal and filters"
	rarerRemoval    = "removal and rarer filters"
)

// mostFilters bounds the filters of one kind that are tried.
const mostFilters = 4

// A narrowed is a listing with one condition that an object of the run meets, beside the same listing without it.
type narrowed struct {
	plain, filtered probes.Probe
	by              string // the parameter
}

// narrowedOf returns the listings of what an operation removes, each with an optional parameter that has the value and
// the name of a parameter of the creation in a script, or those of a state in which new objects are.
func narrowedOf(s model.Subject, script string) (all []narrowed) {
	sp, why := s.TestObject(s.Name)
	if why != nil || sp.Viewer.Name == "" {
		return nil
	}
	fields := fieldsOf(sp, script)
	creation, _ := sp.Create(script+": created", fields)
	made := sp.ObjectIn(sp.Maker.KnownGoodRequest().Reply)
	for _, plain := range sp.Maker.Views(sp.ScriptMark(script)) {
		list, _ := s.Operation(plain.Operation())
		for _, p := range list.Parameters {
			v := model.ValueIn(creation, p.Name)
			if state := made.At(p.Name); v.Is(probes.Absent) && slices.ContainsFunc(sp.EnumOf(p), state.Equal) {
				v = state // an object begins in it
			}
			if script == rarerRemoval && fields[p.Name] == nil {
				continue // the other script tries it
			}
			if _, given := plain.Params()[p.Name]; !given && !p.Required && (v.Is(probes.String) || v.Is(probes.Number)) && len(all) < mostFilters {
				all = append(all, narrowed{plain, plain.With(p.Name, v.Go()), p.Name})
			}
		}
	}
	return all
}

// fieldsOf are the fields of the object of a script. The rarer one has the last of the documented values of one
// condition, where others have another value.
func fieldsOf(sp model.TestObject, script string) map[string]any {
	if script != rarerRemoval {
		return nil
	}
	for _, plain := range sp.Maker.Views("") {
		list, _ := sp.Operation(plain.Operation())
		for _, p := range sp.Maker.Op.Parameters {
			values := sp.EnumOf(p)
			if last := len(values) - 1; last > 0 && list.HasParameter(p.Name) && !values[last].Equal(model.ValueIn(sp.Maker.ValidCall(), p.Name)) && !values[last].Equal(p.Raw.At("default")) {
				return map[string]any{p.Name: values[last].Go()}
			}
		}
	}
	return nil
}

// Section 8.1.
var (
	filtersLeaveOutWhatIsRemoved      = afterRemovalOf(filteredRemoval)
	rarerFiltersLeaveOutWhatIsRemoved = afterRemovalOf(rarerRemoval)
)

func afterRemovalOf(script string) check.Check {
	return check.Check{
		Requirement: "AQL-8.1-06",
		Why:         "An adapter may answer a filter from an index of its own. An object that stays in the index is found, and a READ of it fails.",
		On: func(f *model.Adapter) []model.Subject {
			return model.Only(eachOf("DELETE"), func(s model.Subject) bool {
				sp, why := s.TestObject(s.Name)
				return s.Ruling == nil && why == nil && len(narrowedOf(s, script)) > 0 && (script == filteredRemoval || len(fieldsOf(sp, script)) > 0 && fills(sp))
			})(f)
		},
		Lane:  probes.Sparse,
		Drive: func(s model.Subject, ask model.AskFunc) { removeAndFilter(s, ask, script) },
		Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
			rs := afterFiltered(s, got, script)
			if len(rs) == 0 {
				return ruling.NotApplicable("no filter that the object met, on a listing that does not show the object after its removal")
			}
			return ruling.Worst(rs...)
		},
		Fix: "remove an object from each index too",
	}
}

// fills reports whether the objects of the run may fill the largest page of a listing.
func fills(sp model.TestObject) bool {
	const live = 200
	return slices.ContainsFunc(sp.Maker.Views(""), func(list probes.Probe) bool {
		size := slices.ContainsFunc(slices.Collect(maps.Values(list.Params())), func(v any) bool {
			n, number := probes.ValueOf(v).Float()
			return number && n >= live
		})
		return !size
	})
}

// createAlone creates the object in a new place of its own, which the listings are then about. It reports false where that
// is not possible: what else the object refers to may have to do with the place.
func createAlone(sp *model.TestObject, ask model.AskFunc, script string, lists []narrowed) bool {
	maker, paths := sp.PlaceOf(sp.Maker.Name)
	if !slices.ContainsFunc(lists, func(l narrowed) bool { return paths[l.by] != nil }) {
		return false
	}
	place, fields := ask(maker.FreshCall(script+": place").Anew(script+": place")), map[string]any{}
	for name, path := range paths {
		if id := place.Told(path...); place.Succeeded() && !id.Is(probes.Absent) {
			fields[name] = id.Go()
		}
	}
	for i, l := range lists {
		if id := fields[l.by]; id != nil {
			lists[i].filtered = l.plain.With(l.by, id)
		}
	}
	creation, _ := sp.Create(script+": created", fields)
	if sp.Base = 1; ask(creation).Succeeded() {
		return true
	}
	sp.Base = 2
	return false
}

// removeAndFilter removes an object and looks for it with each filter.
func removeAndFilter(s model.Subject, ask model.AskFunc, script string) {
	sp, _ := s.TestObject(s.Name)
	lists := narrowedOf(s, script)
	if script != filteredRemoval || !createAlone(&sp, ask, script, lists) {
		lists = narrowedOf(s, script)
		creation, _ := sp.Create(script+": created", fieldsOf(sp, script))
		if !ask(creation.Anew(script + ": created beside others")).Succeeded() {
			return
		}
	}
	shows := func(o probes.Observation) bool { return !rowOf(sp, script, o).Is(probes.Absent) }
	for i, l := range lists {
		ask(l.plain.Anew(probes.Nth(script+": plain before", i)))
		ask(l.filtered.Anew(probes.Nth(script+": filtered before", i)))
	}
	if !ask(sp.Apply(script + ": removal")).Succeeded() {
		return
	}
	for i, l := range lists {
		if shows(ask(l.plain.Anew(probes.Nth(script+": plain", i)))) {
			continue
		}
		step := probes.Nth(script+": filtered", i)
		o := ask(l.filtered.Anew(step))
		for n, waited := 0, time.Duration(0); shows(o) && waited < model.SettleTime; n++ { // an index may lag behind
			pause := min(model.SettleTime>>max(6-n, 0), model.SettleTime-waited)
			sp.Sleep(pause)
			waited += pause
			o = ask(l.filtered.Anew(probes.Nth(step+": again", n)))
		}
		if shows(o) {
			ask(sp.Read(probes.Nth(script+": read", i)))
			return // one says enough, and each takes the time of an index
		}
	}
}

// afterFiltered rules on the filters of a script. A listing of many pages may not show the object even before; a READ
// tells then that it is gone.
func afterFiltered(s model.Subject, got probes.Answers, script string) (rs []ruling.Ruling) {
	sp, _ := s.TestObject(s.Name)
	for i := range narrowedOf(s, script) {
		at := func(step string) probes.Observation { return got.Step(probes.Nth(script+": "+step, i)) }
		was, plain := rowOf(sp, script, at("filtered before")), at("plain")
		after := at("filtered")
		if again := got.Under(probes.Nth(script+": filtered", i)); len(again) > 0 {
			after = again[len(again)-1]
		}
		pending := check.AnnouncedPending(s.Adapter, got.Step(script+": removal"))
		switch is := rowOf(sp, script, after); {
		case was.Is(probes.Absent), !plain.Succeeded(), !rowOf(sp, script, plain).Is(probes.Absent), !after.Succeeded():
		case is.Is(probes.Absent):
			rs = append(rs, ruling.Conforms().By(after, at("filtered before")))
		case is.Canonical(model.Volatile) != was.Canonical(model.Volatile):
			rs = append(rs, ruling.Departs("nothing of what was removed", "an object that was marked").By(after, plain).Noting("a soft delete"))
		case pending, !strings.HasPrefix(at("read").Code(), "NOT_FOUND"):
			rs = append(rs, ruling.NotProven("a removal that a READ shows", at("read")).By(after))
		default:
			rs = append(rs, ruling.Violates("nothing of what was removed, as without the filter", is).By(after, plain, got.Step(script+": removal"), at("filtered before")))
		}
	}
	return rs
}

// rowOf returns the row of a listing that has the text of the script; absent where none or several have it.
func rowOf(sp model.TestObject, script string, o probes.Observation) probes.Value {
	if rows := model.ItemsWith(o.Data(), sp.Maker.Marked(sp.ScriptMark(script))); o.Succeeded() && len(rows) == 1 {
		return rows[0]
	}
	return probes.Value{}
}
