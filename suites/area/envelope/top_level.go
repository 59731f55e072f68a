package envelope

import (
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Section 4.2.
var paramsValueWinsOverTopLevel = check.Check{
	Requirement: "AQL-4.2-02",
	Rule:        "If the same parameter is given in params and at top level, the value in params is used.",
	Why:         "params comes first: otherwise the same request means different things to different adapters.",
	On:          model.IntrospectSubject,
	Drive: func(s model.Subject, ask model.AskFunc) {
		if !check.ResolvesTopLevel(s, ask) {
			return
		}
		ask(s.TypesListing().Top("query", "operations").As("both places: types in params"))
		ask(s.Listing().Top("query", "types").As("both places: operations in params"))
		ask(s.Listing().Top("query", "aqlx_bogus").As("both places: unknown query at top level"))
		ask(s.Listing().Top("query", 7).As("both places: query of another type at top level"))
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		if !check.ResolvedTopLevel(got) {
			return check.TopLevelNotRead
		}
		var rs []ruling.Ruling
		for _, o := range got.Under("both places") {
			want, other := "operations", "types"
			if o.Probe.Step == "both places: types in params" {
				want, other = other, want
			}
			usable := o.Probe.Step == "both places: types in params" || o.Probe.Step == "both places: operations in params"
			switch {
			case o.Data().At(want).Is(probes.Array):
				rs = append(rs, ruling.Conforms())
			case o.Data().At(other).Is(probes.Array):
				rs = append(rs, ruling.Violates("the value in params to win", "the value at top level used").By(o))
			case !usable:
				rs = append(rs, ruling.Violates("the value in params to win over an unusable one at top level", o))
			default:
				rs = append(rs, ruling.Departs("the value in params to win", o).Noting("the duplicate was refused"))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "read params first and the top level only for names that params lacks",
}

// Section 4.2.
var topLevelIsFallbackPlace = check.Check{
	Requirement: "AQL-4.2-03",
	Rule:        "A parameter absent from params is taken from the top level.",
	Why:         "Clients and models often put a parameter beside operation, and some send an empty params with it.",
	On:          model.IntrospectSubject,
	Drive: func(s model.Subject, ask model.AskFunc) {
		if !check.ResolvesTopLevel(s, ask) {
			return
		}
		ask(s.Listing().Anew("fallback place: listing again")) // another requirement covers that listings change
		bare := probes.Call(s.Conn, s.Introspect, "introspect", map[string]any{})
		ask(bare.Top("query", "operations").As("fallback place: query at top level"))
		ask(bare.Top("query", 5).As("fallback place: query of another type at top level"))
		ask(s.Query(map[string]any{"query": 5}).As("fallback place: query of another type in params"))
		if in, atTop, ok := movedUp(s.Adapter); ok {
			ask(in.As("fallback place: read with params"))
			ask(atTop.As("fallback place: read with top level"))
			ask(in.Anew("fallback place: read with params again")) // some answers differ each time
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if !check.ResolvedTopLevel(got) {
			return check.TopLevelNotRead
		}
		rs := []ruling.Ruling{sameListing(got.Step("fallback place: listing again"), got.Step("fallback place: query at top level"))}
		atTop, in := got.Step("fallback place: query of another type at top level"), got.Step("fallback place: query of another type in params")
		if atTop.Succeeded() || atTop.Code() != in.Code() {
			rs = append(rs, ruling.Violates("the type check that a value in params gets: "+in.Brief(), atTop).By(in))
		}
		if atTop, asked := got.Find("fallback place: read with top level"); asked {
			r := sameAnswer(got.Step("fallback place: read with params"), atTop, got.Step("fallback place: read with params again"))
			if r.Verdict != ruling.Conforms().Verdict && atTop.Refused() {
				r = ruling.Departs("names other than query resolved at top level too", atTop)
			}
			rs = append(rs, r)
		}
		return ruling.Worst(rs...)
	},
	Fix: "take a parameter from the top level whenever params does not hold it",
}

// movedUp returns a READ request in its two placements.
func movedUp(f *model.Adapter) (in, atTop probes.Probe, ok bool) {
	for _, s := range f.ProvenReads() {
		params := s.KnownGood[s.Name].Probe.Params()
		if len(params) == 0 {
			continue
		}
		in = s.ValidCall()
		atTop = in.Drop("params")
		for name, value := range params {
			atTop = atTop.Top(name, value)
		}
		return in, atTop, true
	}
	return in, atTop, false
}

const asInParams = "the answer that the value in params gets"

func sameListing(want, got probes.Observation) ruling.Ruling {
	if want.Succeeded() && got.Succeeded() && check.SameContent(want, got) {
		return ruling.Conforms().By(got)
	}
	return ruling.Violates(asInParams, got).By(want)
}

// sameAnswer compares two answers by what stays the same in them: what differs
// between the first and the same request again tells nothing.
func sameAnswer(want, got, again probes.Observation) ruling.Ruling {
	if want.Succeeded() && got.Succeeded() && check.AgreesWhereStable(want.Data(), again.Data(), got.Data()) {
		return ruling.Conforms().By(got)
	}
	return ruling.Violates(asInParams, got).By(want)
}

// Section 4.2.
var bothParameterPlacesCanBeMixed = check.Check{
	Requirement: "AQL-4.2-04",
	Rule:        "Resolution works parameter by parameter, so one request may mix both places.",
	Why:         "A client may move one parameter into params and leave the others; a resolution of all or nothing loses the rest.",
	On:          model.IntrospectSubject,
	Drive: func(s model.Subject, ask model.AskFunc) {
		if !check.ResolvesTopLevel(s, ask) || len(s.Operations) == 0 {
			return
		}
		ask(s.Listing().Top("name", s.Operations[0].Name).As("name at top level"))
		ask(s.Lookup("operations", s.Operations[0].Name).As("name in params"))
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		o, asked := got.Find("name at top level")
		switch {
		case !check.ResolvedTopLevel(got):
			return check.TopLevelNotRead
		case !asked:
			return ruling.NotProven("a listed operation to look up", "none")
		case o.Data().At("operation", "name").Text() == s.Operations[0].Name, o.Succeeded() && check.SameContent(o, got.Step("name in params")):
			return ruling.Conforms().By(o)
		case o.Refused() || o.RefusedBelow():
			return ruling.Departs("both places usable in one request", o)
		}
		tool, _ := s.Adapter.Tool(s.Introspect)
		if !tool.Raw.At("inputSchema", "properties").Has("name") && tool.Raw.At("inputSchema", "additionalProperties").False() {
			return ruling.Departs("both places usable in one request", "name dropped, which the tool schema does not declare").By(o)
		}
		return ruling.Violates("the record of "+s.Operations[0].Name, "name at top level dropped").By(o)
	},
	Fix: "resolve each parameter by itself, not the request as a whole",
}
