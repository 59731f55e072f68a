package classification

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// A search goes over several kinds of objects, and may forget that one of them hides what was removed. An index may also lag
// behind the store, so that a removed object in a search is a warning.

const removedInSearch = "removed object in a search"

// mostSearches bounds the searches that are tried.
const mostSearches = 2

// records are words in the names of operations that search what was, and not what is.
var records = strings.Fields("log logs audit history trash deleted removed archive archived version versions revision revisions event events activity recent")

// keys are names of members that identify an item itself, as letters.
var keys = strings.Fields("id uuid key slug entryid eventid logid recordid auditid revisionid versionid")

// hits reports whether a search shows an object: an item with its mark and its identifier. An entry of a log has an identifier of its
// own as well, and is another object.
func hits(sp model.TestObject, o probes.Observation, got probes.Answers) bool {
	read := got.Step(removedInSearch + ": first read")
	ids := probes.ValueOf(read.Probe.Params()).Scalars()
	return slices.ContainsFunc(model.ItemsWith(o.Data(), sp.ScriptMark(removedInSearch)), func(item probes.Value) bool {
		own, others := false, false
		for _, m := range item.Members() {
			same := slices.Contains(ids, m.Value.Text()) || slices.Contains(ids, m.Value.String())
			own, others = own || same, others || !same && slices.Contains(keys, strings.ToLower(vocab.Letters(m.Name)))
		}
		return own && !others
	})
}

// searchesFor are the READ operations that take one text and nothing else, asked for the mark of an object.
func searchesFor(sp model.TestObject, script string) (all []probes.Probe) {
	for _, r := range sp.ProvenReads() {
		var text []probes.Parameter
		for _, p := range r.Op.Parameters {
			if p.Required {
				text = append(text, p)
			}
		}
		past := slices.ContainsFunc(vocab.Words(r.Name), func(w string) bool { return slices.Contains(records, strings.ToLower(w)) })
		if past || len(text) != 1 || text[0].Type != "string" || probes.IsReference(r.Op, text[0]) || text[0].Identifies || len(sp.EnumOf(text[0])) > 0 {
			continue
		}
		if mark := sp.ScriptMark(script); sp.Misfit(text[0], probes.ValueOf(mark)) == "" && len(all) < mostSearches {
			all = append(all, r.ValidCall().With(text[0].Name, mark))
		}
	}
	return all
}

// Section 8.1.
var searchesLeaveOutWhatIsRemoved = check.Check{
	Requirement: "AQL-8.1-06",
	Why:         "A model that finds an object by a search goes on to use it.",
	On: model.Only(eachOf("DELETE"), func(s model.Subject) bool {
		sp, why := s.TestObject(s.Name)
		return why == nil && s.Ruling == nil && len(searchesFor(sp, removedInSearch)) > 0
	}),
	Lane: probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		sp, _ := s.TestObject(s.Name)
		if !check.CreateWithFields(sp, ask, removedInSearch, nil) {
			return
		}
		searches, found := searchesFor(sp, removedInSearch), map[int]bool{}
		shows := func(o probes.Observation) bool {
			return len(model.ItemsWith(o.Data(), sp.ScriptMark(removedInSearch))) > 0
		}
		for i, p := range searches {
			found[i] = shows(ask(p.Anew(probes.Nth(removedInSearch+": before", i))))
		}
		if !ask(sp.Apply(removedInSearch + ": removal")).Succeeded() {
			return
		}
		for i, p := range searches {
			if step := probes.Nth(removedInSearch+": after", i); found[i] && shows(ask(p.Anew(step))) {
				s.Sleep(model.SettleTime)
				ask(p.Anew(step + ": later"))
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		sp, _ := s.TestObject(s.Name)
		removal, asked := got.Find(removedInSearch + ": removal")
		shows := func(o probes.Observation) bool { return hits(sp, o, got) }
		var rs []ruling.Ruling
		for i := range mostSearches {
			before, after := got.Step(probes.Nth(removedInSearch+": before", i)), got.Step(probes.Nth(removedInSearch+": after", i))
			later, waited := got.Find(probes.Nth(removedInSearch+": after", i) + ": later")
			switch {
			case !asked || !removal.Succeeded() || check.AnnouncedPending(s.Adapter, removal) || !shows(before) || !after.Succeeded():
			case shows(after) && !(waited && later.Succeeded()):
				rs = append(rs, ruling.NotProven("an answer to the search a while after the removal", later).By(after, removal, before))
			case shows(after) && shows(later):
				rs = append(rs, ruling.Departs("no removed object in what "+later.Probe.Operation()+" finds", "the object").By(later, removal, before))
			default:
				rs = append(rs, ruling.Conforms().By(after, removal, before))
			}
		}
		if len(rs) == 0 {
			return ruling.NotApplicable("no search finds our own object")
		}
		return ruling.Worst(rs...)
	},
	Fix: "hide what is removed from every search",
}
