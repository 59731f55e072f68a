package classification

import (
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

const filteredRemoval = "removal and filters"

// mostFilters bounds the filters of one kind that are tried.
const mostFilters = 4

// A narrowed is a listing with one condition that an object of the run meets, beside the same listing without it.
type narrowed struct{ plain, filtered probes.Probe }

// narrowedOf returns the listings of what an operation removes, each with an optional parameter that has the value and
// the name of a parameter of the creation.
func narrowedOf(s model.Subject) (all []narrowed) {
	sp, why := s.TestObject(s.Name)
	if why != nil || sp.Viewer.Name == "" {
		return nil
	}
	creation, _ := sp.Create(filteredRemoval+": created", nil)
	for _, plain := range sp.Maker.Views(sp.ScriptMark(filteredRemoval)) {
		list, _ := s.Operation(plain.Operation())
		for _, p := range list.Parameters {
			v := model.ValueIn(creation, p.Name)
			if _, given := plain.Params()[p.Name]; !given && !p.Required && (v.Is(probes.String) || v.Is(probes.Number)) && len(all) < mostFilters {
				all = append(all, narrowed{plain, plain.With(p.Name, v.Go())})
			}
		}
	}
	return all
}

// Section 8.1.
var filtersLeaveOutWhatIsRemoved = check.Check{
	Requirement: "AQL-8.1-06",
	Why:         "An adapter may answer a filter from an index of its own. An object that stays in the index is found, and a READ of it fails.",
	On: func(f *model.Adapter) []model.Subject {
		return model.Only(eachOf("DELETE"), func(s model.Subject) bool { return s.Ruling == nil && len(narrowedOf(s)) > 0 })(f)
	},
	Lane: probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		sp, _ := s.TestObject(s.Name)
		if !check.CreateWithFields(sp, ask, filteredRemoval, nil) {
			return
		}
		shows := func(o probes.Observation) bool { return !rowOf(sp, o).Is(probes.Absent) }
		lists := narrowedOf(s)
		for i, l := range lists {
			ask(l.plain.Anew(probes.Nth(filteredRemoval+": plain before", i)))
			ask(l.filtered.Anew(probes.Nth(filteredRemoval+": filtered before", i)))
		}
		if !ask(sp.Apply(filteredRemoval + ": removal")).Succeeded() {
			return
		}
		for i, l := range lists {
			if shows(ask(l.plain.Anew(probes.Nth(filteredRemoval+": plain", i)))) {
				continue
			}
			step := probes.Nth(filteredRemoval+": filtered", i)
			o := ask(l.filtered.Anew(step))
			for n, waited := 0, time.Duration(0); shows(o) && waited < model.SettleTime; n++ { // an index may lag behind
				pause := min(model.SettleTime>>max(6-n, 0), model.SettleTime-waited)
				sp.Sleep(pause)
				waited += pause
				o = ask(l.filtered.Anew(probes.Nth(step+": again", n)))
			}
			if shows(o) {
				ask(sp.Read(probes.Nth(filteredRemoval+": read", i)))
				return // one says enough, and each takes the time of an index
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		sp, _ := s.TestObject(s.Name)
		var rs []ruling.Ruling
		for i := range narrowedOf(s) {
			at := func(step string) probes.Observation { return got.Step(probes.Nth(filteredRemoval+": "+step, i)) }
			was, before := rowOf(sp, at("filtered before")), rowOf(sp, at("plain before"))
			after := at("filtered")
			if again := got.Under(probes.Nth(filteredRemoval+": filtered", i)); len(again) > 0 {
				after = again[len(again)-1]
			}
			pending := check.AnnouncedPending(s.Adapter, got.Step(filteredRemoval+": removal"))
			switch is := rowOf(sp, after); {
			case was.Is(probes.Absent), before.Is(probes.Absent), !at("plain").Succeeded(), !rowOf(sp, at("plain")).Is(probes.Absent), !after.Succeeded():
			case is.Is(probes.Absent):
				rs = append(rs, ruling.Conforms().By(after, at("filtered before")))
			case is.Canonical(model.Volatile) != was.Canonical(model.Volatile):
				rs = append(rs, ruling.Departs("nothing of what was removed", "an object that was marked").By(after, at("plain")).Noting("a soft delete"))
			case pending, !strings.HasPrefix(at("read").Code(), "NOT_FOUND"):
				rs = append(rs, ruling.NotProven("a removal that a READ shows", at("read")).By(after))
			default:
				rs = append(rs, ruling.Violates("nothing of what was removed, as without the filter", is).By(after, at("plain"), got.Step(filteredRemoval+": removal"), at("filtered before")))
			}
		}
		if len(rs) == 0 {
			return ruling.NotApplicable("no filter that the object met, on a listing that does not show the object after its removal")
		}
		return ruling.Worst(rs...)
	},
	Fix: "remove an object from each index too",
}

// rowOf returns the row of a listing that has the text of the script; absent where none or several have it.
func rowOf(sp model.TestObject, o probes.Observation) probes.Value {
	if rows := model.ItemsWith(o.Data(), sp.Maker.Marked(sp.ScriptMark(filteredRemoval))); o.Succeeded() && len(rows) == 1 {
		return rows[0]
	}
	return probes.Value{}
}
