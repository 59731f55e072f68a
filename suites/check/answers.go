package check

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/schemas"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Elsewhere marks replies that an ambient check has nothing to say about.
var Elsewhere = ruling.NotApplicable("")

// Interim reports whether the result only announces another: newer MCP revisions
// ask back or hand out a task.
func Interim(result probes.Value) bool {
	return result.At("resultType").Text() == "input_required" || result.Has("task")
}

// Failures judges every failure envelope of the run.
func Failures(judge func(o probes.Observation, envelope probes.Value) ruling.Ruling) func(*model.Adapter, probes.Observation) ruling.Ruling {
	return func(_ *model.Adapter, o probes.Observation) ruling.Ruling {
		if !o.Refused() {
			return Elsewhere
		}
		return judge(o, o.Envelope())
	}
}

// Faulty judges the error object of every failure envelope that has one.
func Faulty(judge func(o probes.Observation, fault probes.Value) ruling.Ruling) func(*model.Adapter, probes.Observation) ruling.Ruling {
	return Failures(func(o probes.Observation, e probes.Value) ruling.Ruling {
		if !e.At("error").Is(probes.Object) {
			return Elsewhere // AQL-5.1-04
		}
		return judge(o, e.At("error"))
	})
}

var CodeShape = regexp.MustCompile(`\A[A-Z][A-Z0-9_]*\z`)

// EnvelopeMembers are the members the specification family gives an envelope.
var EnvelopeMembers = map[string]bool{
	"success": true, "data": true, "error": true, "warnings": true, "confirmation": true, "results": true, "summary": true,
	"halted_at": true, "pending_operations": true, "deprecated": true, "deprecationMessage": true, "deprecatedSince": true, "removalVersion": true,
}

// WordCount counts the words of a text; of scripts that put no spaces between words
// each two letters count as one, and so does what stands between them.
func WordCount(text string) int {
	dense := 0
	for _, r := range text {
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) {
			dense++
		}
	}
	if dense == 0 {
		return len(strings.Fields(text))
	}
	return len(strings.Fields(AsciiApart(text))) + dense/2
}

// Provoked are requests with one plain mistake each; what the refusals say is what
// a model has to work with.
func Provoked(s model.Subject) []probes.Probe {
	ps := []probes.Probe{
		UnknownOperation(s.Adapter, s.Introspect),
		s.Query(map[string]any{}),
		s.Query(map[string]any{"query": 5}),
		s.Listing().With("aqlx_"+s.Nonce, "1"),
		s.Query(map[string]any{"query": "aqlx_" + s.Nonce}),
	}
	if o, wrong, ok := SomeMisrouting(s.Adapter); ok {
		ps = append(ps, s.KnownGood[o].Probe.To(wrong))
	}
	for _, t := range model.EachProven(s.Adapter) {
		if t.Ruling != nil || t.Op.Category != "READ" {
			continue
		}
		for _, p := range t.Op.Parameters {
			if len(s.EnumOf(p)) > 0 && !p.Required {
				ps = append(ps, t.ValidCall().With(p.Name, "aqlx_"+s.Nonce))
			}
		}
	}
	for _, t := range EachTyped(s.Adapter) {
		if t.Ruling == nil && t.Op.Category == "READ" && t.KnownGoodRequest().State == model.Proven {
			ps = append(ps, Mistype(t)[1])
		}
	}
	for name, v := range s.Absent {
		for _, b := range s.KnownGood {
			if b.State == model.Proven && b.Probe.Params()[name] != nil && Category(s.Adapter, b.Probe.Operation()) == "READ" {
				ps = append(ps, b.Probe.With(name, v.Go()))
			}
		}
	}
	slices.SortStableFunc(ps, func(x, y probes.Probe) int { return strings.Compare(x.Key(), y.Key()) })
	return ps
}

func Category(f *model.Adapter, operation string) string {
	o, _ := f.Operation(operation)
	return o.Category
}

// AsciiApart sets ASCII words apart from letters of other scripts, which put no
// spaces between words.
func AsciiApart(text string) string {
	return regexp.MustCompile(`[A-Za-z0-9_]+`).ReplaceAllString(text, " $0 ")
}

// SomeMisrouting returns a READ operation with a proven request and a tool that is
// not its own.
func SomeMisrouting(f *model.Adapter) (operation, wrong string, ok bool) {
	for _, s := range model.EachProven(f) {
		if s.Ruling != nil || s.Op.Category != "READ" {
			continue
		}
		for _, w := range WrongTools(f, s.Op) {
			return s.Name, w, true
		}
	}
	return "", "", false
}

// RefusedAnywhere rules on a request that may be refused at any layer.
func RefusedAnywhere(o probes.Observation, what string) ruling.Ruling {
	if o.Deferred() {
		return ruling.NotProven("a refusal of "+what+", whoever asks", o)
	}
	if o.Refused() || o.RefusedBelow() {
		return ruling.Conforms()
	}
	return ruling.Violates("a refusal of "+what, o)
}

func UnknownOperation(f *model.Adapter, tool string) probes.Probe {
	return probes.Call(f.Conn, tool, "aqlx_no_such_op_"+f.Nonce, map[string]any{})
}

// Resolving asks whether the adapter reads parameters next to operation before a
// script goes on; ok is false when it does not, so that the row does not apply.
// The answers stay the first two observations of the script.
func Resolving(s model.Subject, ask model.AskFunc) bool { return s.ResolvesTopLevel(ask) }

// Resolved reads the same two answers in a judge.
func Resolved(got []probes.Observation) bool {
	return len(got) >= 2 && got[0].Data().At("operations").Is(probes.Array) && got[1].Data().At("types").Is(probes.Array)
}

var Unresolved = ruling.NotApplicable("does not hold: the adapter resolves top-level parameters")

// Steady reports whether x agrees with one in all places in which one agrees with
// other.
func Steady(one, other, x probes.Value) bool {
	if one.Canonical(model.Volatile) != other.Canonical(model.Volatile) {
		if !one.Is(probes.Object) || !other.Is(probes.Object) || !x.Is(probes.Object) {
			return one.Kind() == x.Kind()
		}
		return !slices.ContainsFunc(one.Names(), func(n string) bool {
			return other.Has(n) && !Steady(one.At(n), other.At(n), x.At(n))
		})
	}
	return one.Canonical(model.Volatile) == x.Canonical(model.Volatile)
}

// Masked writes the data of an answer without what changes by itself.
func Masked(o probes.Observation) string {
	return o.Data().Canonical(model.Volatile)
}

// AgainstSchema returns why the schema refuses the arguments of a call, or "";
// readable is false when the schema itself cannot be used.
func AgainstSchema(schema probes.Value, p probes.Probe) (complaint string, readable bool) {
	ctx, cancel := model.SchemaContext()
	defer cancel()
	departures, err := DeparturesOf(ctx, schema, p)
	if err != nil || len(departures) == 0 {
		return "", err == nil
	}
	d := departures[0]
	return strings.TrimSpace(d.Keyword + " at " + d.Pointer + "/ wants " + d.Want), true
}

func DeparturesOf(ctx context.Context, schema probes.Value, p probes.Probe) ([]schemas.Departure, error) {
	compiled, err := schemas.Compile(ctx, schema.Raw())
	if err != nil {
		return nil, err
	}
	return compiled.Check(ctx, p.Arguments())
}

// Limited reports whether an adapter asked for patience, more often than a run can
// afford: it has not answered then.
func Limited(o probes.Observation) bool {
	return strings.HasPrefix(o.Code(), "RATE_LIMIT_") || o.Status == 429
}

// Torn reports whether an answer carries two envelopes of which one says success
// and the other failure: it proves nothing either way.
func Torn(o probes.Observation) bool {
	text, structured := o.Carrier().Text, o.Carrier().Structured
	return text.Has("success") && structured.Has("success") && text.At("success").True() != structured.At("success").True()
}

// Cited is the name of a parameter in what was wanted or got. In quotes it is no part of
// what tells one breach from another: that is the same for many parameters.
func Cited(name string) string { return `"` + name + `"` }
