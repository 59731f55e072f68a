package query

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

var (
	// selectWords are what other adapters call fields.
	selectWords = strings.Fields("select selection columns projection field_mask fieldMask include_fields return_fields only_fields")

	ofMembers = regexp.MustCompile(`(?i)\b(fields?|columns?|attributes?|propert(y|ies)|members?)\b`)
	ofAnswers = regexp.MustCompile(`(?i)return|answer|respon|result|show|select|include|display`)
	ofReplies = regexp.MustCompile(`(?i)\bto return\b|\breturned\b|\b(in|of) the (response|answer|reply|result)\b`)
)

// selectionsIn returns the parameters of an operation that choose what it answers.
// Forms have fields and tables have columns, so a description has to say so, or the
// type that fields is known by.
func selectionsIn(s model.Subject) []string {
	return slices.DeleteFunc(check.DocumentedAmong(s, append([]string{"fields"}, selectWords...)), func(name string) bool {
		switch {
		case s.Op.Category != "READ": // what is made or changed has fields of its own
			return name != "fields" || !check.DescriptionMatches(s, name, ofMembers) || !check.DescriptionMatches(s, name, ofReplies)
		case name == "fields":
			return !check.DescriptionMatches(s, name, ofAnswers)
		}
		return !check.DescriptionMatches(s, name, ofMembers) || !check.DescriptionMatches(s, name, ofAnswers) || !check.HasKind(s, name, "string", "array")
	})
}

// Operations document, section 4.2.
var fieldSelectionUsesFieldsParameter = check.Check{
	Requirement: "OPS-4.2-06",
	Rule:        "Field selection takes one parameter called fields holding a preset name or an array of paths.",
	Why:         "Field selection is common, so it has one name in all adapters.",
	On:          model.Only(model.EachDomain, func(s model.Subject) bool { return len(selectionsIn(s)) > 0 }),
	Ask:         model.Details,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		const want = "fields of type string, string[] or both, on READ operations"
		used := selectionsIn(s)
		p, _ := check.Parameter(s, used[0])
		kinds, understood := s.Kinds(p.Type)
		switch {
		case used[0] != "fields":
			return ruling.Violates(want, "the parameter "+used[0])
		case s.Op.Category == "":
			return ruling.NotProven("a documented semantic_category", "none").Because("AQL-6.1-01")
		case s.Op.Category != "READ":
			return ruling.Violates(want, "fields on the operation "+s.Name+" of category "+s.Op.Category)
		case !understood:
			return ruling.NotProven("a type of fields that is understood", probes.ValueOf(p.Type))
		case slices.ContainsFunc(kinds, func(k string) bool { return !slices.Contains([]string{"string", "array", "null"}, k) }):
			return ruling.Violates(want, "fields of type "+p.Type)
		}
		return ruling.Conforms()
	},
	Fix: "take the selection in one parameter called fields",
}

// wordy is every READ operation that is known to answer objects of three members or
// more: of less there is nothing to select. What follows relationships is cut down
// by its own parameter include.
func wordy(f *model.Adapter) []model.Subject {
	return model.Only(model.EachDomain, func(s model.Subject) bool {
		v, _ := check.SelectableRecord(s.Adapter, s.KnownGoodRequest().Reply)
		follows := s.Op.Details.At("relationship_capabilities", "supported").True()
		return s.Op.Category == "READ" && s.KnownGoodRequest().State == model.Proven && len(v.Names()) >= 3 && !follows && !slices.Contains(model.Reserved, s.Name)
	})(f)
}

// emptyHanded is a READ operation without fields whose known answer is an empty list: what it answers was not seen.
func emptyHanded(f *model.Adapter) string {
	for _, s := range model.EachDomain(f) {
		b := s.KnownGoodRequest()
		items, _, list := check.Collection(b.Reply.Data())
		if s.Op.Category == "READ" && b.State == model.Proven && list && len(items) == 0 && !s.Op.HasParameter("fields") && !slices.Contains(model.Reserved, s.Name) {
			return s.Name
		}
	}
	return ""
}

// Section 10.1.
var allDataReturningReadsOfferFields = check.Check{
	Requirement: "OPS-4.4.1-11",
	Rule:        "The set of READ operations that return data offers fields.",
	Why:         "A model that has learned to select on one operation tries it on the next.",
	On: func(f *model.Adapter) []model.Subject {
		if !check.TargetsLevelTwo(f) && !f.Protocol.At("capabilities", "field_selection").True() {
			return nil
		}
		return model.IntrospectSubject(f)
	},
	Ask: func(s model.Subject) []probes.Probe {
		var ps []probes.Probe
		for _, t := range wordy(s.Adapter) {
			ps = append(ps, model.Details(t)...)
		}
		return ps
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		var without []string
		for _, t := range wordy(s.Adapter) {
			if !t.Op.HasParameter("fields") {
				without = append(without, t.Name)
			}
		}
		owner := "AQL-10.1-10"
		if s.Protocol.At("capabilities", "field_selection").True() {
			owner = "INT-4.1.1-12"
		}
		switch {
		case len(got) == 0:
			return ruling.NotProven("a READ operation that answers objects", "none that succeeded")
		case len(selectors(s.Adapter)) == 0:
			return ruling.NotProven("a READ operation that documents fields", "none").Because(owner)
		case len(without) > 0:
			return ruling.Violates("fields on every READ operation that answers objects", "none on "+strings.Join(without, ", ")).By(got...)
		case emptyHanded(s.Adapter) != "":
			return ruling.NotProven("an object in the answer of "+emptyHanded(s.Adapter)+", which offers no fields", "an empty list")
		}
		return ruling.Conforms()
	},
	Fix: "offer fields on every READ operation",
}

// Introspection document, section 8.3.
var fieldsOnIntrospectTakesEffect = check.Check{
	Requirement: "INT-8.3-06",
	Rule:        "Introspection answers may honour field selection.",
	Why:         "The listing is the longest answer that a model reads; what it documents as selection has to shorten it.",
	On: func(f *model.Adapter) []model.Subject {
		return model.Only(model.IntrospectSubject, func(s model.Subject) bool { return s.Ruling == nil && s.Op.HasParameter("fields") })(f)
	},
	Ask: func(s model.Subject) []probes.Probe {
		return []probes.Probe{s.DocumentedListing(), s.Query(map[string]any{"query": "operations", "fields": []any{"name"}}).As("listing with fields")}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		shortened := got.Step("listing with fields")
		whole, part := got[0].Data().At("operations").Items(), shortened.Data().At("operations").Items()
		switch {
		case len(whole) == 0:
			return ruling.NotProven("a listing of operations", got[0]).Because("AQL-7.3-01")
		case !check.HasKind(s, "fields", "array"): // presets have names that nobody can guess
			return ruling.NotProven("fields that take the names of members", "another type")
		case !shortened.Succeeded():
			return ruling.Violates("a listing with the fields asked for", shortened).By(got[0])
		case len(part) == 0 || !part[0].Has("name") || len(part[0].Names()) >= len(whole[0].Names()):
			return ruling.Violates("entries cut down to name", shortened.Data().At("operations")).By(shortened, got[0])
		case got[0].Data().At("_protocol").Has("version") && !shortened.Data().At("_protocol").Has("version"):
			return ruling.Violates("_protocol.version kept", shortened.Data().At("_protocol")).By(shortened)
		}
		return ruling.Conforms().By(shortened)
	},
	Fix: "apply fields to the entries of a listing, or do not document it",
}
