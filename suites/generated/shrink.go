package generated

import (
	"context"
	"maps"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
)

// maxShrinkRuns is how many smaller scripts may be tried.
const maxShrinkRuns = 120

// Repeats is how often the smallest script is repeated before it is reported.
const Repeats = 3

// Shrunk is the smallest script that shows the same breach.
type Shrunk struct {
	Script   model.Script
	Got      []probes.Observation
	Breach   Breach
	Repeated int // number of repeats that showed the breach
}

// Shrink reduces a script as long as it shows the same breach and the time is not up. Then it
// repeats the smallest one. nextNumber reserves numbers.
func Shrink(ctx context.Context, f *model.Adapter, ask probes.Asker, sc model.Script, reason string, timeUp func() bool, nextNumber func(steps int) int) (Shrunk, bool) {
	shows := func(sc model.Script) (Shrunk, bool) {
		got := f.Run(ctx, ask, sc, nextNumber(len(sc.Steps)))
		found := Breaches(f, sc, got)
		i := slices.IndexFunc(found, func(b Breach) bool { return b.Reason() == reason })
		if i < 0 {
			return Shrunk{}, false
		}
		return Shrunk{Script: sc, Got: got, Breach: found[i]}, true
	}
	best, ok := shows(sc)
	if !ok {
		return Shrunk{Script: sc}, false
	}
	best.Script.Steps = best.Script.Steps[:best.Breach.Step+1] // later steps did not matter
	left := maxShrinkRuns
	for improved := true; improved && left > 0; {
		improved = false
		cuts := smallerScripts(best.Script)
		for i := 0; i < len(cuts) && left > 0 && ctx.Err() == nil && !timeUp(); i++ {
			if cuts[i].Size() >= best.Script.Size() {
				continue
			}
			left--
			if next, ok := shows(cuts[i]); ok {
				best, improved = next, true
				cuts = smallerScripts(best.Script)
				i-- // the next candidate has the same index now; failed ones are tried again at the end
			}
		}
	}
	for range Repeats {
		if last, ok := shows(best.Script); ok {
			best.Got, best.Breach = last.Got, last.Breach
			best.Repeated++
		}
	}
	return best, true
}

// smallerScripts returns all scripts with one reduction: fewer calls, fewer values, or a smaller
// value.
func smallerScripts(sc model.Script) []model.Script {
	var all []model.Script
	for part := len(sc.Steps) / 2; part > 0; part /= 2 {
		for from := 0; from+part <= len(sc.Steps); from += part {
			if cut, ok := withoutSteps(sc, from, part); ok {
				all = append(all, cut)
			}
		}
	}
	for i, step := range sc.Steps {
		for _, params := range smallerObjects(step.Params) {
			step.Params = params
			all = append(all, withStep(sc, i, step))
		}
		for _, beside := range smallerObjects(sc.Steps[i].TopLevel) {
			step := sc.Steps[i]
			step.TopLevel = beside
			all = append(all, withStep(sc, i, step))
		}
	}
	return all
}

// withoutSteps returns the script without a range of steps. It keeps steps whose object a later
// step uses.
func withoutSteps(sc model.Script, from, number int) (model.Script, bool) {
	var steps []model.Step
	now := make([]int, len(sc.Steps)) // new index of each kept step
	for i, step := range sc.Steps {
		used := slices.ContainsFunc(sc.Steps[i+1:], func(later model.Step) bool { return later.MadeBy == i })
		if i >= from && i < from+number && !used {
			continue
		}
		if step.MadeBy > model.NoObject {
			step.MadeBy = now[step.MadeBy]
		}
		now[i] = len(steps)
		steps = append(steps, step)
	}
	gone := len(steps) < len(sc.Steps)
	sc.Steps = steps
	return sc, gone && len(steps) > 0
}

func withStep(sc model.Script, i int, step model.Step) model.Script {
	sc.Steps = slices.Clone(sc.Steps)
	sc.Steps[i] = step
	return sc
}

// smallerObjects returns objects with half the members, without one member, and with one smaller
// member.
func smallerObjects(m map[string]any) []map[string]any {
	var all []map[string]any
	names := slices.Sorted(maps.Keys(m))
	if half := len(names) / 2; half > 1 {
		for _, out := range [][]string{names[:half], names[half:]} {
			less := maps.Clone(m)
			maps.DeleteFunc(less, func(name string, _ any) bool { return slices.Contains(out, name) })
			all = append(all, less)
		}
	}
	for _, name := range names {
		less := maps.Clone(m)
		delete(less, name)
		all = append(all, less)
	}
	for _, name := range names {
		for _, v := range smallerValues(m[name]) {
			less := maps.Clone(m)
			less[name] = v
			all = append(all, less)
		}
	}
	return all
}

// smallerValues returns smaller values, the largest reduction first.
func smallerValues(v any) []any {
	var all []any
	switch t := v.(type) {
	case map[string]any:
		for _, less := range smallerObjects(t) {
			all = append(all, less)
		}
	case []any:
		if len(t) > 1 {
			all = append(all, slices.Clone(t[:len(t)/2]), slices.Clone(t[len(t)/2:]))
		}
		for i, inner := range t {
			for _, less := range smallerValues(inner) {
				s := slices.Clone(t)
				s[i] = less
				all = append(all, s)
			}
		}
	case string:
		if runes := []rune(t); len(runes) > 1 && t != model.MarkToken && t != model.KeyToken {
			all = append(all, string(runes[:len(runes)/2]), string(runes[:len(runes)-1]))
		}
	case int64:
		if t > 1 || t < -1 {
			all = append(all, t/2)
		}
	}
	return all
}
