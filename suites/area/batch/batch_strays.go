package batch

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A batch handler may look at the endpoint of creations alone, or on one tool alone. So one operation of each other
// category is sent to a tool that it does not belong to.

const strayEntry = "stray entry"

// strayTool is the tool that a batch with an entry of the operation is sent to: that of introspect, on which writes do the
// most harm, or else the first wrong one.
func strayTool(s model.Subject) (string, bool) {
	wrong := check.WrongTools(s.Adapter, s.Op)
	switch {
	case len(wrong) == 0:
		return "", false
	case slices.Contains(wrong, s.Introspect):
		return s.Introspect, true
	}
	return wrong[0], s.Op.Category == "READ"
}

// eachStray is the first READ, UPDATE and DELETE that can be tried so.
func eachStray(f *model.Adapter) (all []model.Subject) {
	if !check.OffersBatch(f) || !model.SeveralEndpointTools(f) {
		return nil
	}
	seen := map[string]bool{}
	for _, s := range model.EachListed(f) {
		_, wrong := strayTool(s)
		_, why := f.TestObject(s.Name)
		usable := why == nil
		if s.Op.Category == "READ" {
			usable = s.Name != "introspect" && s.KnownGoodRequest().State == model.Proven
		}
		if wrong && usable && !seen[s.Op.Category] && slices.Contains([]string{"READ", "UPDATE", "DELETE"}, s.Op.Category) {
			seen[s.Op.Category] = true
			all = append(all, s)
		}
	}
	return all
}

// Section 6.2.
var batchedEntriesStayOnTheirEndpoint = check.Check{
	Requirement: "AQL-6.2-06",
	Why:         "A handler that looks at the endpoint of creations alone lets a batch to a read-only tool change and remove.",
	On:          eachStray,
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		tool, _ := strayTool(s)
		own := s.ValidCall()
		if s.Op.Category != "READ" {
			sp, _ := s.TestObject(s.Name)
			own = sp.Apply(strayEntry)
			if field, value, ok := sp.ValidChange(sp.ScriptMark(strayEntry) + "-new"); s.Op.Category == "UPDATE" && ok {
				own = own.With("input", map[string]any{field.Name: value})
			}
			if !check.CreateWithFields(sp, ask, strayEntry, nil) {
				return
			}
		}
		if !check.BatchResults(ask(plainPair(s.Adapter).As(strayEntry + ": pair"))).Is(probes.Array) {
			return
		}
		ask(batchOf(s.Adapter, tool, own).Anew(strayEntry + ": batch"))
		ask(own.To(tool).Anew(strayEntry + ": misrouted alone"))
		ask(own.Anew(strayEntry + ": alone"))
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if pair, asked := got.Find(strayEntry + ": pair"); asked {
			if r, untaken := untaken(s, pair); untaken {
				return r
			}
		}
		name, _ := strayTool(s)
		tool, _ := s.Adapter.Tool(name)
		batch, sent := got.Find(strayEntry + ": batch")
		alone, _ := got.Find(strayEntry + ": alone")
		misrouted, _ := got.Find(strayEntry + ": misrouted alone")
		want := "a refusal of " + s.Name + " in a batch to " + name
		items := check.BatchResults(batch).Items()
		runs := len(items) == 1 && succeeds(items[0].At("result"))
		switch {
		case !sent || !batch.Succeeded() && !batch.Refused() && !batch.RefusedBelow() || batch.Deferred():
			return ruling.NotProven("an answer to a batch with an entry of another endpoint", got.Last()).Mend(model.TestObjectHint)
		case runs && (!misrouted.Refused() || strings.HasPrefix(misrouted.Code(), "NOT_FOUND_")):
			return ruling.NotProven(want+", and alone", misrouted).By(batch).Because("AQL-6.2-03")
		case runs && s.Op.Category != "READ" && tool.Raw.At("annotations", "readOnlyHint").True():
			return ruling.Violates(want+", which says that it only reads", "success").By(batch, misrouted)
		case runs:
			return ruling.Departs(want, "success").By(batch, misrouted)
		case !alone.Succeeded():
			return ruling.NotProven("success of the same call alone", alone).By(batch)
		}
		return ruling.Conforms().By(batch, alone)
	},
	Fix: "check the endpoint of every entry of a batch, on every tool",
}
