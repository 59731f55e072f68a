package levels

import (
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Section 10.3.
var extensionsDoNotDisableCoreRules = check.Check{
	Requirement: "AQL-10.3-03",
	Rule:        "No extension changes core behaviour.",
	Why:         "An extension must not disable validation or routing.",
	On: func(f *model.Adapter) []model.Subject {
		return model.Only(model.EachProven, func(s model.Subject) bool {
			return s.Ruling == nil && s.Op.Category == "READ" && s.Op.HasParameter("fields")
		})(f)
	},
	Ask: func(s model.Subject) []probes.Probe {
		unknown := s.ValidCall().With(check.UnknownName(s), 1)
		field := check.SomeField(s, s.KnownGoodRequest().Reply)
		extended := s.ValidCall().With("fields", []any{"success"})
		ps := []probes.Probe{
			unknown,
			unknown.With("fields", []any{field}).As("extension: unknown parameter with fields"),
			s.ValidCall().As("extension: request without it"),
			extended.As("extension: fields"),
		}
		for i, v := range selections(s, field) {
			ps = append(ps, s.ValidCall().With("fields", v).As(probes.Nth("extension: documented fields", i)))
		}
		if s.Op.HasParameter("dry_run") {
			ps = append(ps, unknown.With("dry_run", true).As("extension: unknown parameter with dry_run"))
		}
		if wrong := check.WrongTools(s.Adapter, s.Op); model.SeveralEndpointTools(s.Adapter) && len(wrong) > 0 {
			ps = append(ps, s.ValidCall().To(wrong[0]).As("extension: wrong endpoint"), extended.To(wrong[0]).As("extension: wrong endpoint with fields"))
		}
		return ps
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		rs := []ruling.Ruling{ruling.Conforms().By(got.Step("extension: fields"))}
		misrouted := got.Step("extension: wrong endpoint")
		for _, o := range got {
			_, extended := o.Probe.Params()["fields"]
			_, dry := o.Probe.Params()["dry_run"]
			_, unknown := o.Probe.Params()[check.UnknownName(s)]
			switch {
			case !extended && !dry:
			case unknown && got[0].Succeeded():
				rs = append(rs, ruling.NotProven("a refusal of the unknown parameter without the extension", got[0]).Because("AQL-4.6-01"))
			case unknown && o.Succeeded():
				rs = append(rs, ruling.Violates("the unknown parameter refused as without the extension", o).By(got[0]))
			case o.Probe.Step == "extension: wrong endpoint with fields" && misrouted.Refused() && o.Succeeded():
				rs = append(rs, ruling.Violates("the wrong endpoint refused as without the extension", o).By(misrouted))
			case o.Probe.Step != "extension: fields" && !o.Probe.Under("extension: documented fields"):
			case !o.Succeeded() && !o.Refused() && !refusedBySchema(s, o):
				rs = append(rs, ruling.Violates("an envelope as without the extension", o).By(got.Step("extension: request without it")))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "let fields and its like act on data alone",
}

// refusedBySchema reports whether a layer below the operation refused a request. A schema may list the names that fields takes.
func refusedBySchema(s model.Subject, o probes.Observation) bool {
	tool, _ := s.Adapter.Tool(o.Probe.Tool)
	complaint, _ := check.SchemaViolation(tool.Raw.At("inputSchema"), o.Probe)
	return o.RefusedBelow() && (complaint != "" || o.Outcome == probes.RPCError)
}

// Section 10.3.
var rehearsalsDoNotDisableCoreRules = check.Check{
	Requirement: "AQL-10.3-03",
	Why:         "A request with dry_run is routed and validated as one without. A rehearsal that takes what is refused later is no rehearsal.",
	On: model.Only(model.EachUsable, func(s model.Subject) bool {
		if s.Ruling != nil || !check.HasKind(s, "dry_run", "boolean") || s.Op.Category != "UPDATE" && s.Op.Category != "DELETE" {
			return false
		}
		_, _, ok := check.MakerOf(s.Adapter, s.Op)
		return ok
	}),
	Lane: probes.Serial,
	Ask: func(s model.Subject) []probes.Probe {
		maker, path, _ := check.MakerOf(s.Adapter, s.Op)
		const created = "rehearsal of a refused call: created"
		own := s.ValidCall()
		for name := range path {
			own = own.With(name, probes.From(0, path[name]...))
		}
		unknown := own.With(check.UnknownName(s), 1)
		ps := []probes.Probe{maker.FreshCall(created).As(created), unknown.As("refused: unknown parameter"), unknown.With("dry_run", true).As("rehearsed: unknown parameter")}
		if wrong := check.WrongTools(s.Adapter, s.Op); model.SeveralEndpointTools(s.Adapter) && len(wrong) > 0 {
			ps = append(ps, own.To(wrong[0]).As("refused: wrong endpoint"), own.To(wrong[0]).With("dry_run", true).As("rehearsed: wrong endpoint"))
		}
		return ps
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		var rs []ruling.Ruling
		for _, what := range []string{"unknown parameter", "wrong endpoint"} {
			control, o := got.Step("refused: "+what), got.Step("rehearsed: "+what)
			switch {
			case o.Outcome == "":
			case control.Succeeded() || !control.Refused() && !control.RefusedBelow() || control.Deferred():
				rs = append(rs, ruling.NotProven("a refusal without dry_run", control))
			case o.Succeeded():
				rs = append(rs, ruling.Violates("a refusal as without dry_run", o).By(control))
			case o.Code() != control.Code() || o.Outcome != control.Outcome:
				rs = append(rs, ruling.NotProven("the refusal that is given without dry_run", o).By(control))
			default:
				rs = append(rs, ruling.Conforms().By(o, control))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "let dry_run keep the effect back, and nothing else",
}
