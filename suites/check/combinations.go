package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// The record of one parameter says nothing of combinations: a value that is refused beside one value
// of another parameter may be fine beside the next.
const (
	inExample     = "enum: documented example of value"
	inCombination = "enum: combination of value"
)

// mostCombinations bounds the trials of one refused value. Each of a writing operation that succeeds
// leaves an object.
func mostCombinations(s model.Subject) int {
	if s.Op.Category == "READ" {
		return 24
	}
	return 3
}

// combinations returns the requests of one value with other values of the other parameters, one
// changed at a time. Parameters take turns, so that the bound cuts the long lists.
func combinations(s model.Subject, i int, v probes.Value) (ps []probes.Probe) {
	valid := s.ValidCall()
	for turn, more := 0, true; more; turn++ {
		more = false
		for _, p := range s.Op.Parameters {
			values := s.EnumOf(p)
			if kinds, _ := s.Kinds(p.Type); slices.Contains(kinds, "boolean") {
				values = []probes.Value{probes.ValueOf(false), probes.ValueOf(true)}
			}
			if p.Name == s.Par.Name || turn >= len(values) {
				continue
			}
			more = true
			if len(ps) < mostCombinations(s) && !values[turn].Equal(model.ValueIn(valid, p.Name)) {
				step := probes.Nth(probes.Nth(inCombination, i)+": trial", len(ps))
				ps = append(ps, s.FreshCall(step).With(s.Par.Name, v.Go()).With(p.Name, values[turn].Go()).As(step))
			}
		}
	}
	return ps
}

// exampleWith returns a documented example of a READ that has the value.
func exampleWith(s model.Subject, v probes.Value) (probes.Probe, bool) {
	if s.Op.Category != "READ" {
		return probes.Probe{}, false
	}
	all := ExecutableExamples(s)
	i := slices.IndexFunc(all, func(p probes.Probe) bool { return model.ValueIn(p, s.Par.Name).Equal(v) })
	if i < 0 {
		return probes.Probe{}, false
	}
	return all[i], true
}

// TryCombinations asks for what may show another cause of the refusal of v, the i-th listed value.
func TryCombinations(s model.Subject, i int, v probes.Value, ask model.AskFunc) {
	if p, ok := exampleWith(s, v); ok && ask(p.As(probes.Nth(inExample, i))).Succeeded() {
		return
	}
	for _, p := range combinations(s, i, v) {
		if ask(p).Succeeded() {
			return
		}
	}
}

// JudgeCombination rules on the refusal of a listed value where another parameter may be the cause of
// it; false where nothing points to one. A documented example shows how the value is used.
func JudgeCombination(s model.Subject, got probes.Answers, o probes.Observation) (ruling.Ruling, bool) {
	i := o.Probe.Index()
	if shown := got.Step(probes.Nth(inExample, i)); shown.Succeeded() {
		return ruling.Conforms().By(shown), true
	}
	want := fmt.Sprintf("a request that shows whether %s of %s is refused alone", BriefValue(model.ValueIn(o.Probe, s.Par.Name)), Quoted(s.Par.Name))
	for _, beside := range got.Under(probes.Nth(inCombination, i)) {
		if beside.Succeeded() {
			return ruling.NotProven(want, o).By(beside).Noting("the value is accepted beside another value of a second parameter; document an example of each value"), true
		}
	}
	if named := NamesAnother(s, o); named != "" {
		return ruling.NotProven(want, o).Noting("the refusal names " + named + " as well; document an example of each value"), true
	}
	return ruling.Ruling{}, false
}

// NamesAnother returns a second parameter that a refusal names in its details, in quotes, or by the
// value that was sent. A value that the subject lists may stand there because the list is repeated.
func NamesAnother(s model.Subject, o probes.Observation) string {
	for _, p := range s.Op.Parameters {
		v := model.ValueIn(o.Probe, p.Name)
		if p.Name == s.Par.Name || v.Is(probes.Absent) {
			continue
		}
		told := slices.Contains(o.Details().Scalars(), p.Name) || strings.Contains(o.Message(), "'"+p.Name+"'") || strings.Contains(o.Message(), `"`+p.Name+`"`)
		byValue := v.Is(probes.String) && v.Text() != "" && !Contains(s.EnumOf(s.Par), v) && WholeWord(v.Text()).MatchString(o.Message())
		if told || byValue {
			return p.Name
		}
	}
	return ""
}
