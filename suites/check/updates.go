package check

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
)

// The merge script creates one test object per UPDATE operation and updates it step by step, with a
// read after each step. A step changes one thing and is compared with the read before it, so that
// one merge defect does not affect the other requirements.

// A mergeStep is one update and its expected effect.
type mergeStep struct {
	name  string
	Input map[string]any
	Seen  func(before, after probes.Value) bool
}

// MergeSteps returns the updates that can be tried on a test object.
func MergeSteps(obj model.TestObject) []mergeStep {
	var all []mergeStep
	add := func(name, field string, value any, seen func(before, after probes.Value) bool) {
		all = append(all, mergeStep{name, map[string]any{field: value}, seen})
	}
	text, hasText := obj.TextField()
	spare, hasSpare := obj.SpareField()
	object, hasObject := obj.ObjectField()
	list, hasList := obj.ListField()
	in := func(path ...string) func(v probes.Value) probes.Value {
		return func(v probes.Value) probes.Value { return v.At(append([]string{object.Name}, path...)...) }
	}
	if hasText {
		renamed := obj.ScriptMark("merge") + "-new"
		add("scalar", text.Name, renamed, func(_, v probes.Value) bool { return v.At(text.Name).Text() == renamed })
	}
	if hasObject {
		add("nested", object.Name, map[string]any{"priority": "high"}, func(_, v probes.Value) bool { return in("priority")(v).Text() == "high" })
		add("deep", object.Name, map[string]any{"a": map[string]any{"b": map[string]any{"x": 9}}}, func(_, v probes.Value) bool { return EqualsJSON(in("a", "b", "x")(v), 9) })
		add("nested array", object.Name, map[string]any{"tags": []any{"x"}}, func(_, v probes.Value) bool { return EqualsJSON(in("tags")(v), []any{"x"}) })
		add("elements", object.Name, map[string]any{"items": []any{map[string]any{"id": model.ElementID, "a": 9}}}, func(_, v probes.Value) bool { return in("items", "0", "b")(v).Is(probes.Absent) })
		add("nested null", object.Name, map[string]any{"gone": nil}, func(_, v probes.Value) bool { return in("gone")(v).Is(probes.Absent) })
		add("deep null", object.Name, map[string]any{"a": map[string]any{"c": nil}}, func(_, v probes.Value) bool { return in("a", "c")(v).Is(probes.Absent) })
	}
	removable, hasRemovable := RemovableField(obj)
	removal := func(p probes.Parameter) {
		if hasRemovable && removable.Name == p.Name {
			add("null", p.Name, nil, func(_, v probes.Value) bool { return v.At(p.Name).Is(probes.Absent) })
			add("null again", p.Name, nil, nil)
		}
	}
	if hasList {
		one := obj.Elements("merge", "x")
		add("array", list.Name, one, func(_, v probes.Value) bool { return EqualsJSON(v.At(list.Name), one) })
	}
	if hasList && !obj.KnownByList() {
		removal(list)
		add("empty array", list.Name, []any{}, func(_, v probes.Value) bool { return len(v.At(list.Name).Items()) == 0 })
	}
	if hasSpare {
		removal(spare)
	}
	if played := []string{spare.Name, list.Name, object.Name}; !slices.Contains(played, removable.Name) && hasRemovable {
		removal(removable)
	}
	if hasObject {
		add("empty object", object.Name, map[string]any{}, nil)
		add("other type", object.Name, map[string]any{"author": map[string]any{"z": 1}}, nil)
		add("scalar over object", object.Name, map[string]any{"a": "scalar"}, nil)
		removal(object)
	}
	if hasObject && removable.Name != object.Name {
		add("nested null beside a change", object.Name, map[string]any{"spent": nil, "priority": "higher"}, func(_, v probes.Value) bool { return in("spent")(v).Is(probes.Absent) })
	}
	if value, other := InitialFields(obj)[removable.Name], FieldBeside(obj); hasRemovable && value != nil && other.Name != "" {
		add("field again", removable.Name, value, func(_, v probes.Value) bool { return !v.At(removable.Name).Is(probes.Absent) })
		all = append(all, mergeStep{"null beside a change", map[string]any{removable.Name: nil, other.Name: other.Value.Go()}, func(_, v probes.Value) bool { return v.At(removable.Name).Is(probes.Absent) }})
	}
	return all
}

// FieldBeside is a field that an update changes beside the removal of another one, and its value: the text, or one of documented values.
func FieldBeside(obj model.TestObject) probes.Member {
	removable, _ := RemovableField(obj)
	if text, ok := obj.TextField(); ok && text.Name != removable.Name {
		return probes.Member{Name: text.Name, Value: probes.ValueOf(obj.ScriptMark("merge") + "-newer")}
	}
	if p, _, other, ok := obj.Alternatives(); ok && p.Name != removable.Name {
		return probes.Member{Name: p.Name, Value: other}
	}
	return probes.Member{}
}

// RemovableField returns the optional field that null is to remove: a free text, or else the list,
// the object or another one. One whose record allows null comes first.
func RemovableField(obj model.TestObject) (probes.Parameter, bool) {
	other := func() (probes.Parameter, bool) {
		p, _, ok := obj.OptionalField()
		return p, ok
	}
	list, _ := obj.ListField()
	var all []probes.Parameter
	for _, field := range []func() (probes.Parameter, bool){obj.SpareField, obj.ListField, obj.ObjectField, other} {
		if p, ok := field(); ok && p.Name == list.Name && obj.KnownByList() {
			continue
		} else if ok && obj.TakesNull(p) {
			return p, true
		} else if ok {
			all = append(all, p)
		}
	}
	if len(all) == 0 {
		return probes.Parameter{}, false
	}
	return all[0], true
}

// EqualsJSON reports whether a value equals a literal as JSON.
func EqualsJSON(v probes.Value, literal any) bool {
	return v.Equal(probes.ValueOf(literal))
}

// InitialFields are the fields of a test object before the first step.
func InitialFields(obj model.TestObject) map[string]any {
	fields := map[string]any{}
	if p, ok := obj.TextField(); ok {
		fields[p.Name] = obj.ScriptMark("merge")
	}
	if p, ok := obj.SpareField(); ok {
		fields[p.Name] = obj.Gen.Marker("-spare")
	}
	if p, ok := obj.ObjectField(); ok {
		fields[p.Name] = map[string]any{
			"priority": "low", "author": "alice", "keep": "y", "gone": "x", "spent": "x", "tags": []any{"a", "b", "c"},
			"a": map[string]any{"b": map[string]any{"x": 1, "y": 2}, "c": 3}, "items": []any{map[string]any{"id": model.ElementID, "a": 1, "b": 2}},
		}
	}
	if p, ok := obj.ListField(); ok {
		fields[p.Name] = obj.Elements("merge", "a", "b", "c")
	}
	if p, v, ok := obj.OptionalField(); ok {
		fields[p.Name] = v.Go()
	}
	return fields
}

// CreateWithFields creates a test object and sets the fields that its maker does not take. It
// reports whether the creation succeeded.
func CreateWithFields(obj model.TestObject, ask model.AskFunc, script string, fields map[string]any) bool {
	creation, rest := obj.Create(script+": created", fields)
	if !ask(creation).Succeeded() {
		return false
	}
	if len(rest) > 0 {
		ask(obj.Apply(script+": fields set").With("input", rest))
	}
	ask(obj.Read(script + ": first read"))
	return true
}

// UpdateAndRead sends one update and reads the object until the effect shows.
func UpdateAndRead(obj model.TestObject, ask model.AskFunc, step string, input map[string]any, seen func(probes.Value) bool) probes.Observation {
	o := ask(obj.Apply(step).With("input", input))
	if o.Succeeded() {
		if seen == nil {
			seen = func(probes.Value) bool { return true }
		}
		obj.ReadUntil(ask, step+": read", seen)
	}
	return o
}

// A MergeStepResult is the observed effect of one step.
type MergeStepResult struct {
	Reply         probes.Observation // answer to the update
	Read          probes.Observation // last read after it
	Was           probes.Observation // last read before it
	Before, After probes.Value
	Sent          bool
}

// Evidence returns the read after the update, the update and the read before it.
func (r MergeStepResult) Evidence() []probes.Observation {
	return []probes.Observation{r.Read, r.Reply, r.Was}
}

// LastRead returns the last successful read of the test object under a step.
func LastRead(obj model.TestObject, got probes.Answers, step string) (o probes.Observation, ok bool) {
	operation := obj.Read(step).Operation()
	for _, x := range got.Under(step) {
		if x.Probe.Operation() == operation && x.Succeeded() {
			o, ok = x, true
		}
	}
	return o, ok
}

// MergeStepResults reads the results of the merge script, by name of the step.
func MergeStepResults(obj model.TestObject, got probes.Answers) map[string]MergeStepResult {
	all := map[string]MergeStepResult{}
	first, ok := LastRead(obj, got, "merge: first read")
	if !ok {
		return all
	}
	before := obj.ObjectIn(first)
	for i, st := range MergeSteps(obj) {
		change := probes.Nth("merge: change", i)
		reply, sent := got.Find(change)
		if !sent {
			continue
		}
		sc := MergeStepResult{Reply: reply, Was: first, Before: before, After: before, Sent: true}
		if o, ok := LastRead(obj, got, change+": read"); ok {
			sc.Read, sc.After, first = o, obj.ObjectIn(o), o
		}
		all[st.name], before = sc, sc.After
	}
	return all
}

// TextFieldName is the name of the text field of a test object.
func TextFieldName(obj model.TestObject) string { p, _ := obj.TextField(); return p.Name }

// StoresValue reports whether a stored value equals the given one. Additional members of a stored
// object do not count.
func StoresValue(stored, given probes.Value) bool {
	if !given.Is(probes.Object) {
		return stored.Equal(given)
	}
	return stored.Is(probes.Object) && !slices.ContainsFunc(given.Members(), func(m probes.Member) bool { return !StoresValue(stored.At(m.Name), m.Value) })
}

// EachUpdate returns every UPDATE operation except the reserved ones.
func EachUpdate(f *model.Adapter) []model.Subject {
	return model.Only(model.EachListed, func(s model.Subject) bool {
		return s.Op.Category == "UPDATE" && !slices.Contains(model.Reserved, s.Name)
	})(f)
}

// EachTestObject is EachUpdate; operations without a test object are not proven.
func EachTestObject(f *model.Adapter) []model.Subject {
	all := EachUpdate(f)
	for i, s := range all {
		if _, why := f.TestObject(s.Name); why != nil {
			all[i] = s.WithRuling(*why)
		}
	}
	return all
}

// InputOf returns the documented parameter input of an operation.
func InputOf(o probes.Operation) (probes.Parameter, bool) {
	i := slices.IndexFunc(o.Parameters, func(p probes.Parameter) bool { return p.Name == "input" })
	if i < 0 {
		return probes.Parameter{}, false
	}
	return o.Parameters[i], true
}

// replaceWords matches a description of an operation that may overwrite or create.
var replaceWords = regexp.MustCompile(`(?i)(^|[^a-z])(put|upserts?|set|overwrit\w*|replac\w*|(or )?creates? (it )?(if|when)|or creates?)($|[^a-z])`)

// DocumentsReplacing reports whether the name or description of an operation says that it
// overwrites an object, or creates a missing one.
func DocumentsReplacing(s model.Subject) bool {
	return replaceWords.MatchString(s.Name + " " + Description(s))
}

// The gate compares listings before and after the first request of each writing operation. A change
// that shows once may come from another client; a change that shows for two own objects is a
// defect.

// WriteOwnObject sends a valid write: a creation, or a change or removal of an object that was
// created for it. The first time (0) and the second (1) write different values.
func WriteOwnObject(s model.Subject, ask model.AskFunc, time int) {
	at := slices.IndexFunc(s.Operations, func(o probes.Operation) bool { return o.Name == s.Op.Name })
	step := probes.Nth(probes.Nth("own object: operation", at)+": write", time)
	if ok, _ := s.Callable(s.Op); !ok || !s.KnownGoodRequest().Usable() {
		return
	}
	if s.Op.Category == "CREATE" {
		ask(s.FreshCall(step).Anew(step))
		return
	}
	if maker, paths, made := MakerOf(s.Adapter, s.Op); made {
		o := ask(maker.FreshCall(step).Anew(step))
		good, _ := model.WithMark(model.WithoutMark(model.Native(s.ValidCall().Params()), s.Gen.Marker("")), s.Gen.Marker(fmt.Sprintf("-%d", probes.StepNumber(step)))).(map[string]any)
		for name, path := range paths {
			good[name] = o.Data().At(path...).Go()
		}
		if o.Succeeded() {
			ask(s.Request(s.Op, good).Anew(step + ": change"))
		}
	}
}
