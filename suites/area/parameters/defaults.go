package parameters

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// eachDefaulted is every optional parameter whose record meets a condition, on
// operations where leaving it out can be observed: reads and creations.
func eachDefaulted(holds func(model.Subject) bool) func(*model.Adapter) []model.Subject {
	return func(f *model.Adapter) []model.Subject {
		all := check.RequireUsable(check.EachVariableParameter(func(s model.Subject) bool { return !s.Par.Required && holds(s) }))(f)
		for i, s := range all {
			if s.Ruling == nil && (s.Op.Category != "READ" && s.Op.Category != "CREATE" || s.KnownGoodRequest().State != model.Proven) {
				all[i] = s.WithRuling(ruling.NotProven("an answer in which the default shows", "none asked of "+s.Name+", which may change something"))
			}
		}
		return all
	}
}

// omissions is how often an apparent difference has to repeat itself, because
// somebody else may be writing too.
const omissions = 3

// The steps that are compared: the request without the parameter and with its default.
const (
	omitted      = "documented default: omitted"
	omittedAgain = "documented default: left out again"
	given        = "documented default: given"
	stated       = "documented default: creation with it"
)

// Operations document, section 5.4.
var documentedDefaultsTakeEffect = check.Check{
	Requirement: "OPS-5.4-09",
	Handles:     check.Movement,
	Rule:        "Documented defaults take effect when an optional parameter is left out.",
	Why:         "A client that omits a parameter relies on the documented default.",
	On: eachDefaulted(func(s model.Subject) bool {
		return s.Par.Raw.Has("default") && !s.Par.Raw.At("default").Is(probes.Null)
	}),
	Drive: func(s model.Subject, ask model.AskFunc) {
		if s.Op.Category == "CREATE" {
			if made := driveEcho(s, ask); made.Succeeded() {
				ask(s.FreshCall(stated).With(s.Par.Name, s.Par.Raw.At("default").Go()).As(stated))
				if v, ok := nothingOf(s); ok {
					ask(s.FreshCall(nothing).With(s.Par.Name, v.Go()).As(nothing))
				}
			}
			return
		}
		without, with := s.ValidCall(), s.ValidCall().With(s.Par.Name, s.Par.Raw.At("default").Go())
		first, second := ask(without.Anew(probes.Nth(omitted, 0))), ask(with.Anew(probes.Nth(given, 0)))
		if !second.Succeeded() {
			return
		}
		if agree(first.Data(), second.Data(), s.Par.Name) {
			if other, ok := otherValue(s); ok {
				if o := ask(s.ValidCall().With(s.Par.Name, other.Go()).Anew("documented default: other value")); !agree(first.Data(), o.Data(), s.Par.Name) {
					ask(without.Anew(omittedAgain)) // somebody else may have written between them
				}
			}
			return
		}
		for n := 1; n < omissions; n++ {
			ask(without.Anew(probes.Nth(omitted, n)))
			ask(with.Anew(probes.Nth(given, n)))
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		value := s.Par.Raw.At("default")
		if v := value.Text(); slices.Contains(check.SymbolicDefaults, strings.ToLower(v)) || slices.Contains([]string{"me", "current"}, v) {
			return ruling.NotProven("a default whose value is known", value)
		}
		if s.Op.Category == "CREATE" {
			made, sent := got.Find(stated)
			if v, _ := check.ReadBack(s, got); v.Is(probes.Absent) && sent && check.ShowsMade(s, got[0].Probe, got[0].Data()) && check.EqualInLetters(check.MadeValue(s, made, s.Par.Name), value) {
				return ruling.Departs(check.Quoted(s.Par.Name)+" "+value.String()+", the documented default, in the new object", "none, and one where it is given").By(got[0], made)
			}
			return ruling.Worst(check.JudgeDefault(s, got), replacesNothing(s, got))
		}
		return judgeOmission(s, got)
	},
	Fix: "apply the documented default when the parameter is left out, or document the default that is applied",
}

// driveEcho makes an object without the parameter and, where the answer does not
// show it, looks the object up.
func driveEcho(s model.Subject, ask model.AskFunc) probes.Observation {
	step, creation := omitted, s.FreshCall(omitted)
	if _, needed := creation.Params()[s.Par.Name]; needed { // an object of other creations has the mark
		step += ": " + s.Par.Name
		creation = s.FreshCall(step).Without(s.Par.Name)
	}
	made := ask(creation)
	if check.MadeValue(s, made, s.Par.Name).Is(probes.Absent) {
		for i, v := range s.Views(s.Mark(step)) {
			ask(v.Anew(probes.Nth("documented default: listing", i)))
		}
	}
	return made
}

func judgeOmission(s model.Subject, got probes.Answers) ruling.Ruling {
	name := s.Par.Name
	most, limited := s.Par.Raw.At("default").Float()
	items, _, paged := check.Collection(got.Step(probes.Nth(omitted, 0)).Data())
	first, second := got.Step(probes.Nth(omitted, 0)), got.Step(probes.Nth(given, 0))
	other, changed := got.Find("documented default: other value")
	switch {
	case !first.Succeeded():
		return ruling.NotProven("the request without "+name+" to succeed", first)
	case paged && limited && slices.Contains(model.PageSizes, name) && float64(len(items)) > most:
		return ruling.Violates("at most the documented number of items without "+name, len(items)).By(first)
	case !second.Succeeded():
		return ruling.NotProven("the default of "+name+" accepted", second).Because("INT-3.4-05")
	case changed && other.Succeeded() && !agree(first.Data(), other.Data(), name) && check.StableData(first) != check.StableData(got.Step(omittedAgain)):
		return ruling.Moved("answers that repeat themselves", "answers that change").By(got.Step(omittedAgain), first)
	case changed && other.Succeeded() && !agree(first.Data(), other.Data(), name):
		return ruling.Conforms().By(other, first)
	case changed:
		return ruling.NotProven("an answer that depends on "+name, "the same with another value").By(other)
	case !got.Has(probes.Nth(omitted, 1)):
		return ruling.NotProven("another value of "+name, "none").By(second)
	}
	for n := range omissions {
		without, with := got.Step(probes.Nth(omitted, n)), got.Step(probes.Nth(given, n))
		if check.StableData(without) != check.StableData(first) || agree(without.Data(), with.Data(), name) || !with.Succeeded() {
			return ruling.Moved("answers that repeat themselves", "answers that change").By(second, first)
		}
	}
	return ruling.Violates("the answer that "+name+" "+s.Par.Raw.At("default").String()+" gets", "another one without it").By(second, first)
}

// agree reports whether the data of an answer without a parameter and of one with it are the same. The
// latter may repeat what was sent.
func agree(without, with probes.Value, name string) bool {
	switch {
	case without.Is(probes.Object) && with.Is(probes.Object):
		lost := func(m probes.Member) bool { return !model.Volatile(m.Name) && !with.Has(m.Name) }
		differs := func(m probes.Member) bool {
			echo := m.Name == name && !without.Has(name)
			return !model.Volatile(m.Name) && !echo && !agree(without.At(m.Name), m.Value, name)
		}
		return !slices.ContainsFunc(without.Members(), lost) && !slices.ContainsFunc(with.Members(), differs)
	case without.Is(probes.Array) && with.Is(probes.Array):
		return slices.EqualFunc(without.Items(), with.Items(), func(x, y probes.Value) bool { return agree(x, y, name) })
	}
	return without.Canonical(model.Volatile) == with.Canonical(model.Volatile)
}

// otherValue is a value of the parameter other than its default that an answer is
// likely to depend on.
func otherValue(s model.Subject) (probes.Value, bool) {
	value := s.Par.Raw.At("default")
	candidates := []probes.Value{probes.ValueOf(!value.True())}
	if field := check.SomeField(s, s.KnownGoodRequest().Reply); s.Par.Name == "fields" && field != "" {
		candidates = append(candidates, probes.ValueOf([]any{field}))
	}
	if n, ok := value.Float(); ok {
		candidates = append(candidates, probes.ValueOf(1), probes.ValueOf(n+1), probes.ValueOf(n-1))
	}
	for _, v := range append(candidates, s.Gen.Values(s.Op, s.Par)...) {
		if !v.Equal(value) && s.Misfit(s.Par, v) == "" {
			return v, true
		}
	}
	return probes.Value{}, false
}
