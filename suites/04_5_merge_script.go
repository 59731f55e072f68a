package suites

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// How an update is merged is seen on one object of ours per operation: it is made
// once and changed step by step, each change followed by a look. A step changes
// one thing only, and is compared with the look before it, so that one defect of
// merging does not show in the rows of the others.

// The takes of the two scripts.
const (
	mergeTake  = 41 * specimenStage
	workedTake = 42 * specimenStage
)

// A mergeStep is one change and what a look after it must show.
type mergeStep struct {
	name  string
	input map[string]any
	seen  func(before, after probes.Value) bool
}

// steps are the changes that can be tried on a specimen.
func (sp specimen) steps() []mergeStep {
	var all []mergeStep
	add := func(name, field string, value any, seen func(before, after probes.Value) bool) {
		all = append(all, mergeStep{name, map[string]any{field: value}, seen})
	}
	text, hasText := sp.text()
	spare, hasSpare := sp.spare()
	object, hasObject := sp.object()
	list, hasList := sp.list()
	in := func(path ...string) func(v probes.Value) probes.Value {
		return func(v probes.Value) probes.Value { return v.At(append([]string{object.Name}, path...)...) }
	}
	if hasText {
		renamed := sp.stamp(mergeTake) + "-new"
		add("scalar", text.Name, renamed, func(_, v probes.Value) bool { return v.At(text.Name).Text() == renamed })
	}
	if hasObject {
		add("nested", object.Name, map[string]any{"priority": "high"}, func(_, v probes.Value) bool { return in("priority")(v).Text() == "high" })
		add("deep", object.Name, map[string]any{"a": map[string]any{"b": map[string]any{"x": 9}}}, func(_, v probes.Value) bool { return equalsJSON(in("a", "b", "x")(v), 9) })
		add("nested array", object.Name, map[string]any{"tags": []any{"x"}}, func(_, v probes.Value) bool { return equalsJSON(in("tags")(v), []any{"x"}) })
		add("elements", object.Name, map[string]any{"items": []any{map[string]any{"id": 1, "a": 9}}}, func(_, v probes.Value) bool { return in("items", "0", "b")(v).Is(probes.Absent) })
		add("nested null", object.Name, map[string]any{"gone": nil}, func(_, v probes.Value) bool { return in("gone")(v).Is(probes.Absent) })
	}
	if hasList {
		add("array", list.Name, []any{"x"}, func(_, v probes.Value) bool { return equalsJSON(v.At(list.Name), []any{"x"}) })
		add("empty array", list.Name, []any{}, func(_, v probes.Value) bool { return len(v.At(list.Name).Items()) == 0 })
	}
	if hasSpare {
		add("null", spare.Name, nil, func(_, v probes.Value) bool { return v.At(spare.Name).Is(probes.Absent) })
		add("null again", spare.Name, nil, nil)
	}
	if hasObject {
		add("empty object", object.Name, map[string]any{}, nil)
		add("other type", object.Name, map[string]any{"author": map[string]any{"z": 1}}, nil)
	}
	return all
}

// equalsJSON reports whether a value is equal as JSON to a literal.
func equalsJSON(v probes.Value, literal any) bool {
	return v.Equal(probes.ValueOf(literal))
}

// initial is what a specimen holds before the first step.
func (sp specimen) initial() map[string]any {
	fields := map[string]any{}
	if p, ok := sp.text(); ok {
		fields[p.Name] = sp.stamp(mergeTake)
	}
	if p, ok := sp.spare(); ok {
		fields[p.Name] = sp.Gen.Marker("-spare")
	}
	if p, ok := sp.object(); ok {
		fields[p.Name] = map[string]any{
			"priority": "low", "author": "alice", "keep": "y", "gone": "x", "tags": []any{"a", "b", "c"},
			"a": map[string]any{"b": map[string]any{"x": 1, "y": 2}}, "items": []any{map[string]any{"id": 1, "a": 1, "b": 2}},
		}
	}
	if p, ok := sp.list(); ok {
		fields[p.Name] = []any{"a", "b", "c"}
	}
	return fields
}

// begin makes a specimen and sets what its maker does not take; it reports
// whether there is one now.
func (sp specimen) begin(ask Asking, take int, fields map[string]any) bool {
	creation, rest := sp.create(take, fields)
	if !ask(creation).Succeeded() {
		return false
	}
	if len(rest) > 0 {
		ask(sp.on(take+1).With("input", rest))
	}
	ask(sp.look(take + 2))
	return true
}

// change asks for one change and looks until it shows.
func (sp specimen) change(ask Asking, take int, input map[string]any, seen func(probes.Value) bool) probes.Observation {
	o := ask(sp.on(take).With("input", input))
	if o.Succeeded() {
		if seen == nil {
			seen = func(probes.Value) bool { return true }
		}
		sp.lookFor(ask, take+1, seen)
	}
	return o
}

// A mergeScene is what one step showed.
type mergeScene struct {
	reply         probes.Observation // the answer to the change
	look          probes.Observation // the last look after it
	before, after probes.Value
	played        bool
}

// playMerge asks for the whole script.
func (sp specimen) playMerge(ask Asking) {
	if !sp.begin(ask, mergeTake, sp.initial()) {
		return
	}
	for i, st := range sp.steps() {
		seen := func(probes.Value) bool { return true }
		if st.seen != nil {
			seen = func(v probes.Value) bool { return st.seen(v, v) }
		}
		sp.change(ask, mergeTake+20*(i+1), st.input, seen)
	}
}

// lastLook returns the last look that was taken between two takes.
func lastLook(sp specimen, got []probes.Observation, from, to int) (o probes.Observation, ok bool) {
	looks := sp.look(from)
	for _, x := range got {
		if x.Probe.Take >= from && x.Probe.Take < to && x.Probe.Operation() == looks.Operation() && x.Succeeded() {
			o, ok = x, true
		}
	}
	return o, ok
}

// scenes reads what the script showed, by the name of the step.
func (sp specimen) scenes(got []probes.Observation) map[string]mergeScene {
	all := map[string]mergeScene{}
	first, ok := lastLook(sp, got, mergeTake, mergeTake+20)
	if !ok {
		return all
	}
	before := sp.shown(first)
	for i, st := range sp.steps() {
		at := mergeTake + 20*(i+1)
		k := slices.IndexFunc(got, func(o probes.Observation) bool { return o.Probe.Take == at })
		if k < 0 {
			continue
		}
		sc := mergeScene{reply: got[k], before: before, after: before, played: true}
		if o, ok := lastLook(sp, got, at+1, at+20); ok {
			sc.look, sc.after = o, sp.shown(o)
		}
		all[st.name], before = sc, sc.after
	}
	return all
}

// merging is a check on steps of the merge script. The row is not judged where no
// field can play the part.
func merging(id, fix string, needs string, judge func(sp specimen, sc map[string]mergeScene) Ruling) Check {
	return Check{
		Requirement: id,
		On:          eachSpecimen,
		Lane:        probes.Serial,
		Fix:         fix,
		Drive: func(s Subject, ask Asking) {
			sp, _ := s.specimen(s.Name)
			sp.playMerge(ask)
		},
		Judge: func(s Subject, got []probes.Observation) Ruling {
			sp, _ := s.specimen(s.Name)
			if !got[0].Succeeded() {
				return NotProven("an object of our own", got[0]).Mend(resourceHint)
			}
			sc := sp.scenes(got)
			if len(sc) == 0 {
				return NotProven("our object shown by a READ", got[len(got)-1]).By(got[0])
			}
			if !sc[needs].played {
				return NotProven("a field that plays the part of "+partOf[needs], "none").Mend(resourceHint)
			}
			r := judge(sp, sc)
			if len(r.evidence) == 0 {
				r = r.By(sc[needs].look, sc[needs].reply)
			}
			return r
		},
	}
}

// partOf names the part a step needs.
var partOf = map[string]string{
	"scalar": "text", "nested": "object (free-form)", "deep": "object (free-form)", "nested array": "object (free-form)",
	"elements": "object (free-form)", "nested null": "object (free-form)", "array": "list (of strings)", "empty array": "list (of strings)",
	"null": "spare (optional text)", "null again": "spare (optional text)", "empty object": "object (free-form)", "other type": "object (free-form)",
}

// done rules unless the change of a step succeeded and its start was as the
// specimen was made.
func (sc mergeScene) done(started bool) (Ruling, bool) {
	switch {
	case !sc.reply.Succeeded():
		return NotProven("an update that succeeds", sc.reply).Because("AQL-4.5-03"), false
	case announcedPending(sc.reply):
		return NotProven("a change that is complete", "one that was announced as pending").By(sc.reply), false
	case sc.look.Outcome != probes.Success:
		return NotProven("our object shown after the change", "none").By(sc.reply), false
	case !started:
		return NotProven("the object as it was made", clip(sc.before.String())).By(sc.look), false
	}
	return Ruling{}, true
}

// announcedPending reports whether an answer says that the work is done later (ODD-08).
func announcedPending(o probes.Observation) bool {
	for _, status := range []probes.Value{o.Data().At("status"), o.Data().At("state"), o.Data().At("execution", "status")} {
		switch strings.ToLower(status.Text()) {
		case "pending", "queued", "running", "accepted", "scheduled", "processing", "in_progress", "deleting", "updating":
			return true
		}
	}
	return o.Data().Has("execution_id")
}
