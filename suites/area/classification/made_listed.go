package classification

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

const madeListed = "a new object in the listings"

// Section 8.1.
var creationIsListed = check.Check{
	Requirement: "AQL-8.1-01",
	Why:         "A client finds by a listing what others have made. What no listing shows is made again.",
	On: model.Only(eachOf("CREATE"), func(s model.Subject) bool {
		sp, why := s.TestObject(s.Name)
		return why == nil && sp.Viewer.Name != "" && len(plainViews(sp, madeListed)) > 0
	}),
	Lane: probes.Sparse,
	Drive: func(s model.Subject, ask model.AskFunc) {
		sp, _ := s.TestObject(s.Name)
		if !check.CreateWithFields(sp, ask, madeListed, nil) {
			return
		}
		pause := model.SettleTime / 50
		for n, waited := 0, pause; ; n, waited = n+1, waited+pause {
			shown := false
			for i, v := range plainViews(sp, madeListed) {
				o := ask(v.Anew(probes.Nth(probes.Nth(madeListed+": listing", i)+": look", n)))
				shown = shown || len(model.ItemsWith(o.Data(), sp.ShownMark(madeListed))) > 0
			}
			if shown || waited >= model.SettleTime {
				break
			}
			s.Sleep(pause)
			pause *= 2
		}
		ask(sp.Read(madeListed + ": last read"))
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		sp, _ := s.TestObject(s.Name)
		mark := sp.ShownMark(madeListed)
		first, last := got.Step(madeListed+": first read"), got.Step(madeListed+": last read")
		if !showsMark(sp, first, madeListed) || !showsMark(sp, last, madeListed) {
			return ruling.NotProven("an object of our own that a READ shows twice", got.Last())
		}
		r := ruling.NotApplicable("no listing shows at once all objects of its kind")
		for _, o := range got.Under(madeListed + ": listing") {
			items := model.ListedItems(o.Data())
			if rows := model.RowsIn(o.Data()); len(rows) == len(items) {
				items = rows // without what wraps them
			}
			switch {
			case len(model.ItemsWith(o.Data(), mark)) > 0, listsKey(sp, items, got[0]):
				return ruling.Conforms().By(o, got[0])
			case !ofSome(s, o) && entire(o, len(items)) && !chosen(items, sp.ObjectIn(first)):
				r = ruling.Departs("the new object in the listing of its kind", "a listing of all others").By(o, last, got[0])
			}
		}
		return r
	},
	Fix: "list what was created, or say in the description of the listing what it leaves out",
}

// listsKey reports whether a row has each part of the identifier of what was made: it may leave out the text of the run.
func listsKey(sp model.TestObject, rows []probes.Value, made probes.Observation) bool {
	return len(sp.IDs) > 0 && slices.ContainsFunc(rows, func(row probes.Value) bool {
		for _, path := range sp.IDs {
			id := made.Told(path...)
			if id.Is(probes.Absent) || !slices.ContainsFunc(row.Members(), func(m probes.Member) bool { return m.Value.Equal(id) }) {
				return false
			}
		}
		return true
	})
}

// ofSome reports whether a listing requires what its objects lie in, or are chosen by.
func ofSome(s model.Subject, o probes.Observation) bool {
	op, _ := s.Operation(o.Probe.Operation())
	return slices.ContainsFunc(op.Parameters, func(p probes.Parameter) bool { return p.Required })
}

// entire reports whether an answer shows all that a listing has.
func entire(o probes.Observation, n int) bool {
	if total, ok := o.Data().MemberNamed(check.ItemTotals...).Float(); ok {
		return n > 1 && int(total) == n
	}
	return n > 1 && check.PositionOf(o).More.False()
}

// chosen reports whether all listed objects share a value that the new one does not have: a listing may be
// of those alone.
func chosen(items []probes.Value, object probes.Value) bool {
	return slices.ContainsFunc(items[0].Names(), func(name string) bool {
		column := check.Column(items, name)
		return len(column) == len(items) && check.CountDistinct(column) == 1 && !column[0].Equal(object.At(name))
	})
}
