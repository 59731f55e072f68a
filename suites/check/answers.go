package check

import (
	"bytes"
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

// Irrelevant is the ruling of an ambient check on a reply that it does not judge.
var Irrelevant = ruling.NotApplicable("")

// IsInterim reports whether the result only announces another one: newer MCP revisions may request
// input or return a task.
func IsInterim(result probes.Value) bool {
	return result.At("resultType").Text() == "input_required" || result.Has("task")
}

// OnFailure applies judge to every failure envelope of the run.
func OnFailure(judge func(o probes.Observation, envelope probes.Value) ruling.Ruling) func(*model.Adapter, probes.Observation) ruling.Ruling {
	return func(_ *model.Adapter, o probes.Observation) ruling.Ruling {
		if !o.Refused() {
			return Irrelevant
		}
		return judge(o, o.Envelope())
	}
}

// OnError applies judge to the error object of every failure envelope that has one.
func OnError(judge func(o probes.Observation, fault probes.Value) ruling.Ruling) func(*model.Adapter, probes.Observation) ruling.Ruling {
	return OnFailure(func(o probes.Observation, e probes.Value) ruling.Ruling {
		if !e.At("error").Is(probes.Object) {
			return Irrelevant // covered by AQL-5.1-04
		}
		return judge(o, e.At("error"))
	})
}

// CodePattern matches an error code in the required form.
var CodePattern = regexp.MustCompile(`\A[A-Z][A-Z0-9_]*\z`)

// EnvelopeMembers are the envelope members that the specification defines.
var EnvelopeMembers = map[string]bool{
	"success": true, "data": true, "error": true, "warnings": true, "confirmation": true, "results": true, "summary": true,
	"_meta": true, "halted_at": true, "pending_operations": true, "deprecated": true, "deprecationMessage": true, "deprecatedSince": true, "removalVersion": true,
}

// WordCount counts the words of a text. In scripts without spaces between words, two letters count
// as one word.
func WordCount(text string) int {
	letters := 0
	for _, r := range text {
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) {
			letters++
		}
	}
	if letters == 0 {
		return len(strings.Fields(text))
	}
	return len(strings.Fields(SeparateASCII(text))) + letters/2
}

// InvalidRequests are requests with one mistake each. Their error messages are evidence.
func InvalidRequests(s model.Subject) []probes.Probe {
	ps := []probes.Probe{
		UnknownOperation(s.Adapter, s.Introspect),
		s.Query(map[string]any{}),
		s.Query(map[string]any{"query": 5}),
		s.Listing().With("aqlx_"+s.Nonce, "1"),
		s.Query(map[string]any{"query": "aqlx_" + s.Nonce}),
	}
	if o, wrong, ok := MisroutedRead(s.Adapter); ok {
		ps = append(ps, s.KnownGood[o].Probe.To(wrong))
	}
	for _, t := range s.ProvenReads() {
		for _, p := range t.Op.Parameters {
			if len(s.EnumOf(p)) > 0 && !p.Required {
				ps = append(ps, t.ValidCall().With(p.Name, "aqlx_"+s.Nonce))
			}
		}
	}
	for _, t := range EachTyped(s.Adapter) {
		if t.Ruling == nil && t.Op.Category == "READ" && t.KnownGoodRequest().State == model.Proven {
			ps = append(ps, WrongTypeProbes(t)[1])
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

// Category returns the semantic category of an operation.
func Category(f *model.Adapter, operation string) string {
	o, _ := f.Operation(operation)
	return o.Category
}

// SeparateASCII puts spaces around ASCII words, for scripts without spaces between words.
func SeparateASCII(text string) string {
	return regexp.MustCompile(`[A-Za-z0-9_]+`).ReplaceAllString(text, " $0 ")
}

// MisroutedRead returns a READ operation with a known-good request and a tool that must not accept
// it.
func MisroutedRead(f *model.Adapter) (operation, wrong string, ok bool) {
	for _, s := range f.ProvenReads() {
		for _, w := range WrongTools(f, s.Op) {
			return s.Name, w, true
		}
	}
	return "", "", false
}

// RefusedAnywhere rules on a request that may be rejected at any layer.
func RefusedAnywhere(o probes.Observation, what string) ruling.Ruling {
	if o.Deferred() {
		return ruling.NotProven("a refusal of "+what+", whoever asks", o)
	}
	if o.Refused() || o.RefusedBelow() {
		return ruling.Conforms()
	}
	return ruling.Violates("a refusal of "+what, o)
}

// UnknownOperation is a call of an operation that does not exist.
func UnknownOperation(f *model.Adapter, tool string) probes.Probe {
	return probes.Call(f.Conn, tool, "aqlx_no_such_op_"+f.Nonce, map[string]any{})
}

// ResolvesTopLevel asks whether the adapter reads parameters next to operation. If it does not, the
// requirement does not apply. The two answers are the first observations of the script.
func ResolvesTopLevel(s model.Subject, ask model.AskFunc) bool { return s.ResolvesTopLevel(ask) }

// ResolvedTopLevel reads the two answers of ResolvesTopLevel in a judge.
func ResolvedTopLevel(got probes.Answers) bool {
	return got.Step("top-level operations").Data().At("operations").Is(probes.Array) && got.Step("top-level types").Data().At("types").Is(probes.Array)
}

// TopLevelNotRead is the ruling if the adapter does not read parameters next to operation.
var TopLevelNotRead = ruling.NotApplicable("does not hold: the adapter resolves top-level parameters")

// AgreesWhereStable reports whether x agrees with one wherever one agrees with other.
func AgreesWhereStable(one, other, x probes.Value) bool {
	if !sameWhereStable(one, other) {
		if !one.Is(probes.Object) || !other.Is(probes.Object) || !x.Is(probes.Object) {
			return one.Kind() == x.Kind() || one.Kind() != other.Kind()
		}
		return !slices.ContainsFunc(one.Names(), func(n string) bool {
			return other.Has(n) && !AgreesWhereStable(one.At(n), other.At(n), x.At(n))
		})
	}
	return sameWhereStable(one, x)
}

// sameWhereStable reports whether the values are equal without volatile members.
func sameWhereStable(one, other probes.Value) bool {
	return one.Is(other.Kind()) && bytes.Equal(one.Raw(), other.Raw()) || one.Canonical(model.Volatile) == other.Canonical(model.Volatile)
}

// StableData returns the canonical data of an answer without volatile members.
func StableData(o probes.Observation) string {
	return o.Data().Canonical(model.Volatile)
}

// SchemaViolation returns why the arguments of a call violate the schema, or "". readable is false
// if the schema is unusable.
func SchemaViolation(schema probes.Value, p probes.Probe) (complaint string, readable bool) {
	ctx, cancel := model.SchemaContext()
	defer cancel()
	departures, err := SchemaDepartures(ctx, schema, p)
	if err != nil || len(departures) == 0 {
		return "", err == nil
	}
	d := departures[0]
	return strings.TrimSpace(d.Keyword + " at " + d.Pointer + "/ wants " + d.Want), true
}

// SchemaDepartures returns the places where the arguments of a call violate the schema.
func SchemaDepartures(ctx context.Context, schema probes.Value, p probes.Probe) ([]schemas.Departure, error) {
	compiled, err := schemas.Compile(ctx, schema.Raw())
	if err != nil {
		return nil, err
	}
	return compiled.Check(ctx, p.Arguments())
}

// RateLimited reports whether the answer is still a rate limit error after all retries. Such a
// request counts as unanswered.
func RateLimited(o probes.Observation) bool {
	return !o.Succeeded() && strings.HasPrefix(o.Code(), "RATE_LIMIT_") || o.Status == 429
}

// HasConflictingEnvelopes reports whether an answer has two envelopes of which one says success and
// the other failure. It proves nothing.
func HasConflictingEnvelopes(o probes.Observation) bool {
	text, structured := o.Carrier().Text, o.Carrier().Structured
	return text.Has("success") && structured.Has("success") && text.At("success").True() != structured.At("success").True()
}

// Quoted returns a parameter name in quotes for want and got. Quoted names are ignored when
// findings are grouped.
func Quoted(name string) string { return `"` + name + `"` }

// RefusedByRule reports whether a request was refused for what is wrong with it. The code of a
// missing right counts: each script shows that the caller has the right, by a request without fault.
// An error that passed tells nothing: the request may have been carried out.
func RefusedByRule(o probes.Observation) bool {
	return o.Refused() && !o.Passed() && (!o.Deferred() || strings.HasPrefix(o.Code(), "PERMISSION_"))
}
