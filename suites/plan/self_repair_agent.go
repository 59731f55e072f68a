package plan

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
)

// repair lets the agent try until a call succeeds. known is false if the run did not send its next
// call.
func (h repairAgent) repair(m refusalCase) (turns int, repaired, known bool) {
	last := m.refused
	for turns = 1; turns <= maxTurns; turns++ {
		next, more, ok := h.nextCall(m, last)
		if !ok {
			return turns, false, true
		}
		turns += more
		kept, asked := h.answers[callKey(next)]
		var answer probes.Observation
		if asked {
			answer = kept.Observation()
		}
		switch {
		case !asked:
			return turns, false, false
		case answer.Succeeded():
			return turns, true, true
		case callKey(next) == callKey(last.Probe):
			return turns, false, true
		}
		last = answer
	}
	return turns, false, true
}

var quotedWord = regexp.MustCompile("[\"'`]([^\"'`]{1,80})[\"'`]")

// quotedIn returns the quoted words of a text.
func quotedIn(text string) []string {
	var words []string
	for _, m := range quotedWord.FindAllStringSubmatch(text, -1) {
		words = append(words, m[1])
	}
	return words
}

var oneOf = regexp.MustCompile(`(?i)\bone of:?\s+([^.;]+)`)

// listedIn returns the values that a text lists without quotes, as in "must be one of open, closed".
func listedIn(text string) []string {
	var words []string
	for _, m := range oneOf.FindAllStringSubmatch(text, -1) {
		for w := range strings.FieldsFuncSeq(m[1], func(r rune) bool { return r == ',' || r == '|' || r == ' ' }) {
			if w != "and" && w != "or" {
				words = append(words, strings.Trim(w, "[]()\"'`"))
			}
		}
	}
	return words
}

// nextCall builds the agent's next call from an error. more counts an additional lookup in the
// listing.
func (h repairAgent) nextCall(m refusalCase, last probes.Observation) (p probes.Probe, more int, ok bool) {
	message, details, code := last.Message(), last.Details(), last.Code()
	if last.Outcome == probes.RPCError {
		message, details = last.RPCError().At("message").Text(), last.RPCError().At("data")
	}
	p = last.Probe
	switch {
	case strings.HasPrefix(code, "NOT_FOUND_OPERATION") || m.kind == "misspelt operation":
		return h.correctOperation(m, message, details)
	case code == "VALIDATION_ENDPOINT_MISMATCH" || m.kind == "wrong endpoint":
		tool := h.namedTool(message, details, p.Tool)
		return p.To(tool), 0, tool != ""
	case code == "VALIDATION_UNKNOWN_PARAM" || m.kind == "unknown":
		for _, name := range append(details.At("unknown_params").Scalars(), quotedIn(message)...) {
			if _, sent := p.Params()[name]; sent {
				return h.dropEmptyParams(p.Without(name)), 0, true
			}
		}
		return p, 0, false
	}
	name := namedParameter(append([]string{details.At("param_name").Text(), details.At("parameter").Text(), details.At("field").Text()}, quotedIn(message)...), m)
	switch {
	case name == "":
		return p, 0, false
	case model.ValueIn(p, name).Is(probes.Absent):
		return p.With(name, model.ValueIn(m.intended, name).Go()), 0, !model.ValueIn(m.intended, name).Is(probes.Absent)
	}
	return h.correctValue(m, name, message, details)
}

// namedParameter returns the first of the words that is a parameter of the sent or the intended
// request.
func namedParameter(words []string, m refusalCase) string {
	for _, w := range words {
		_, sent := m.refused.Probe.Params()[w]
		_, meant := m.intended.Params()[w]
		if sent || meant {
			return w
		}
	}
	return ""
}

// dropEmptyParams drops an empty params object, because the known-good request may have none.
func (h repairAgent) dropEmptyParams(p probes.Probe) probes.Probe {
	if _, asked := h.answers[callKey(p)]; !asked && len(p.Params()) == 0 {
		return p.Drop("params")
	}
	return p
}

// correctValue replaces the bad value by an allowed one, or by the intended one if the error names
// its type.
func (h repairAgent) correctValue(m refusalCase, name, message string, details probes.Value) (probes.Probe, int, bool) {
	p := m.refused.Probe
	for _, member := range []string{"allowed", "allowed_values", "valid_values", "enum", "expected", "options"} {
		if items := details.At(member).Items(); len(items) > 0 {
			return p.With(name, items[0].Go()), 0, true
		}
	}
	if words := append(quotedIn(message), listedIn(message)...); m.kind == "out of enum" {
		for _, w := range words {
			if w != name && w != model.ValueIn(p, name).Text() && w != m.intended.Operation() {
				return p.With(name, w), 0, true
			}
		}
		return p, 0, false
	}
	expected := details.At("expected_type").Text() + " " + details.At("expected").Text() + " " + message
	if v := model.ValueIn(m.intended, name); !v.Is(probes.Absent) {
		return p.With(name, v.Go()), 0, strings.Contains(expected, string(v.Kind())) || v.Whole() && strings.Contains(expected, "integer")
	}
	for _, sent := range h.variantsOf(p, name) { // the intended value: one of that type that the run has sent
		v := model.ValueIn(sent, name)
		if strings.Contains(expected, string(v.Kind())) || v.Whole() && strings.Contains(expected, "integer") {
			return sent, 0, true
		}
	}
	if check.KindWords.MatchString(expected) {
		return p.With(name, "aqlx_never_sent"), 0, true // the agent would know a value, but the run sent none of that type
	}
	return p, 0, false
}

// variantsOf are the calls that succeeded and differ from one in the value of one parameter alone, in
// the order of their texts.
func (h repairAgent) variantsOf(p probes.Probe, name string) []probes.Probe {
	var all []probes.Probe
	key := variantKey(p, name)
	i, _ := slices.BinarySearchFunc(h.variants, key, func(v variant, key digest) int { return bytes.Compare(v.key[:], key[:]) })
	for ; i < len(h.variants) && h.variants[i].key == key; i++ {
		all = append(all, h.variants[i].kept.Observation().Probe)
	}
	slices.SortFunc(all, func(a, b probes.Probe) int { return strings.Compare(callText(a), callText(b)) })
	return all
}

// correctOperation returns the call of the offered operation that is closest to the sent one, or of
// a listed one if the error mentions introspect.
func (h repairAgent) correctOperation(m refusalCase, message string, details probes.Value) (probes.Probe, int, bool) {
	sent := m.refused.Probe.Operation()
	var offered []string
	for _, member := range []string{"suggestion", "suggestions", "did_you_mean", "available", "operations"} {
		offered = append(offered, details.At(member).Scalars()...)
	}
	offered = slices.DeleteFunc(append(offered, quotedIn(message)...), func(n string) bool { return n == sent })
	more := 0
	name := nearest(sent, offered, 3)
	if name == "" && (strings.Contains(message, "introspect") || strings.Contains(details.String(), "introspect")) {
		name, more = nearest(sent, h.readNames(), 3), 1
	}
	p, ok := h.proven(name)
	return p, more, ok
}

// namedTool returns the other tool that an error names.
func (h repairAgent) namedTool(message string, details probes.Value, called string) string {
	pointers := []string{}
	for _, member := range []string{"expected_tool", "mcpTool", "tool", "expected_endpoint", "endpoint"} {
		pointers = append(pointers, details.At(member).Text())
	}
	for _, word := range append(pointers, quotedIn(message)...) {
		for _, t := range h.AQL {
			if t != called && probes.StandsFor(word, t) {
				return t
			}
		}
	}
	for _, t := range h.AQL {
		if t != called && t != h.Unified && check.WholeWord(t).MatchString(message) {
			return t
		}
	}
	return ""
}
