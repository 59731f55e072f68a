package update

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// identifiers are the identifier parameters that may not stand inside input: those that the adapter
// assigns, and names that can hardly be anything else. A key that clients choose may be a field, too; it is
// none where the fields are documented and it is not among them.
func identifiers(sp model.TestObject) []string {
	var names []string
	for _, p := range sp.Op.Parameters {
		field := slices.ContainsFunc(sp.Fields, func(q probes.Parameter) bool { return q.Name == p.Name })
		if _, own := sp.IDs[p.Name]; own && p.Required && (assigned(sp, p.Name) || p.Name == "id" || strings.HasSuffix(p.Name, "_id") || sp.Declared && !field) {
			names = append(names, p.Name)
		}
	}
	return names
}

// assigned reports whether the adapter gives the identifier.
func assigned(sp model.TestObject, name string) bool { return !sp.Maker.Op.HasParameter(name) }

// identifierInside is the step of the updates with an identifier inside input.
const identifierInside = "refused input: identifier inside input"

// Section 4.5.3.
var identifierInsideInputIsRefused = check.Check{
	Requirement: "AQL-4.5.3-08",
	Rule:        "An UPDATE request carrying an identifier parameter inside input is refused.",
	Why:         "An identifier inside input asks to rename what it locates; no adapter means that.",
	On: func(f *model.Adapter) []model.Subject {
		return model.Only(check.EachTestObject, func(s model.Subject) bool {
			sp, why := f.TestObject(s.Name)
			return why != nil && check.NeedsIdentifier(s) || why == nil && len(identifiers(sp)) > 0
		})(f)
	},
	Lane:    probes.Serial,
	Handles: check.Blocked, // some forms need a permission; the others show the rule
	Drive: func(s model.Subject, ask model.AskFunc) {
		t := inputTrialOf(s)
		if !t.begin(ask) {
			return
		}
		for i, r := range t.renamings() {
			p := t.sp.Apply(probes.Nth(identifierInside, i))
			if r.instead {
				p = p.Without(r.name)
			}
			ask(p.With("input", r.input))
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		t := inputTrialOf(s)
		renamings := t.renamings()
		of := func(o probes.Observation) renaming { return renamings[min(o.Probe.Index(), len(renamings)-1)] }
		sent := slices.DeleteFunc(slices.Clone(got), func(o probes.Observation) bool {
			return o.Outcome == probes.Unasked && o.Probe.Under(identifierInside) && of(o).spare()
		})
		if i := slices.IndexFunc(sent, func(o probes.Observation) bool { return o.Outcome == probes.Unasked }); i >= 0 {
			return model.Unsent(sent[i])
		}
		control, rest := t.outcome(sent, identifierInside)
		if control != nil {
			return *control
		}
		var rs []ruling.Ruling
		for _, o := range rest {
			name := of(o).name
			declared := t.sp.Declared && slices.ContainsFunc(t.sp.Fields, func(p probes.Parameter) bool { return p.Name == name })
			want := "a refusal of " + name + " inside input"
			switch {
			case o.Succeeded() && declared:
				rs = append(rs, ruling.Departs(want, o).Noting("the input type lists "+name))
			case o.Succeeded():
				rs = append(rs, ruling.Violates(want, o))
			case strings.HasPrefix(o.Code(), "VALIDATION_"):
				rs = append(rs, ruling.Conforms().By(o))
			default:
				rs = append(rs, ruling.NotProven("error VALIDATION_*", o))
			}
		}
		r := ruling.Worst(rs...)
		if len(sent) < len(got) {
			r = r.Noting("forms that need a permission were not tried")
		}
		return r
	},
	Fix: "refuse identifiers inside input",
}

// A renaming is an input that holds a part of the identifier. instead says that the part stands nowhere else.
type renaming struct {
	name    string
	input   map[string]any
	instead bool
}

// spare reports whether the gate sends the form only by permission, so that the others have to do.
func (r renaming) spare() bool { return r.instead || r.input[r.name] == nil }

// renamings hold another value of the first part, the same one of each, null, and the same one with none in its place. An object
// whose key clients choose is not renamed: the other value may be that of an object of others.
func (t inputTrial) renamings() (all []renaming) {
	names, own := identifiers(t.sp), t.sp.RequestFor(t.sp.Op, t.sp.IDs).Params()
	add := func(name string, v any, instead bool) {
		input := map[string]any{name: v}
		if field, value, ok := t.sp.ValidChange(t.sp.ScriptMark("refused input") + "-ok"); ok {
			input[field.Name] = value
		}
		all = append(all, renaming{name, input, instead})
	}
	if assigned(t.sp, names[0]) {
		other := any("aqlx_other")
		if i := slices.IndexFunc(t.sp.Op.Parameters, func(p probes.Parameter) bool { return p.Name == names[0] }); i >= 0 {
			p := t.sp.Op.Parameters[i]
			if absent := t.sp.Gen.AbsentIdentifier(p, probes.Value{}); !absent.Is(probes.Absent) {
				other = absent.Go()
			} else if known, ok := t.sp.Absent[t.sp.AbsentKey(t.sp.Op, p)]; ok {
				other = known.Go()
			}
		}
		add(names[0], other, false)
	}
	for _, name := range names {
		add(name, own[name], false)
	}
	add(names[0], nil, false) // a check that looks for a value would take it
	add(names[0], own[names[0]], true)
	return all
}

// Section 4.5.3.
var refusedUpdateChangesNothing = check.Check{
	Requirement: "AQL-4.5.3-09",
	Rule:        "A refused UPDATE leaves the resource untouched even when part of input was valid.",
	Why:         "After an error, the caller assumes that nothing was changed.",
	On:          check.EachTestObject,
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		sp, _ := s.TestObject(s.Name)
		field, value, ok := sp.ValidChange(sp.ScriptMark(partly) + "-partly")
		fields := map[string]any{}
		if text, free := sp.TextField(); free {
			fields[text.Name] = sp.ScriptMark(partly)
		}
		if !ok || !check.CreateWithFields(sp, ask, partly, fields) {
			return
		}
		for _, wrong := range partlyWrong(sp) {
			ask(sp.Apply(wrong.step).With("input", inOrder(map[string]any{field.Name: value}, wrong.input)))
		}
		ask(sp.Read(partly + ": read after the updates"))
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		sp, _ := s.TestObject(s.Name)
		field, value, ok := sp.ValidChange(sp.ScriptMark(partly) + "-partly")
		if !ok {
			return ruling.NotProven("a field that plays the part of text", "none").Mend(sp.FieldHint("text"))
		}
		look, seen := check.LastRead(sp, got, partly+": read after the updates")
		before := got.Step(partly + ": first read")
		was, wanted := sp.ObjectIn(before).At(field.Name), probes.ValueOf(value)
		if text, free := sp.TextField(); !seen || len(sp.ObjectIn(look).Members()) == 0 || free && !sp.ObjectIn(look).Has(text.Name) {
			return ruling.NotProven("an object of our own shown by a READ", got.Last()).Mend(model.TestObjectHint)
		}
		var refused []probes.Observation
		for _, o := range got.Under(partly + ": update") {
			switch {
			case o.Succeeded():
				return ruling.NotProven("a refusal", o).Because(map[bool]string{true: "AQL-4.5.3-06", false: "AQL-4.5.3-04"}[o.Probe.Step == partlyUnknown])
			case o.Refused() && !o.Deferred():
				refused = append(refused, o)
			}
		}
		switch {
		case len(refused) == 0:
			return ruling.NotProven("a refusal", "none")
		case storedRefused(sp, look, refused) != "":
			name := storedRefused(sp, look, refused)
			return ruling.Violates(name+" as it was", "refused, but stored").By(append([]probes.Observation{look}, refused...)...)
		case was.Is(probes.Absent) || check.StoresValue(was, wanted): // it may not be shown, or be so by default
			return ruling.NotProven("an object whose "+field.Name+" is shown before the updates with another value", was).By(before)
		case check.StoresValue(sp.ObjectIn(look).At(field.Name), wanted):
			return ruling.Violates(field.Name+" as it was", "refused, but "+field.Name+" changed").By(append([]probes.Observation{look, before}, refused...)...)
		}
		return ruling.Conforms().By(look, refused[0])
	},
	Fix: "validate the whole input before changing anything",
}

// partly is the script of updates with an input that is valid in part. partlyUnknown is
// its update with an unknown field.
const (
	partly        = "partly wrong input"
	partlyUnknown = partly + ": update: unknown field"
)

// A partlyWrongInput is an input with one fault.
type partlyWrongInput struct {
	step  string
	input map[string]any
}

// storedRefused names a field that holds the value for which an update was refused.
func storedRefused(sp model.TestObject, look probes.Observation, refused []probes.Observation) string {
	for _, o := range refused {
		for _, m := range probes.ValueOf(o.Probe.Params()["input"]).Members() {
			if field, _, _ := sp.ValidChange(""); m.Name != field.Name && m.Value.Equal(sp.ObjectIn(look).At(m.Name)) {
				return m.Name
			}
		}
	}
	return ""
}

// partlyWrong are an input with an unknown field, one with a mistyped field and one with a field out
// of its bounds.
func partlyWrong(sp model.TestObject) []partlyWrongInput {
	all := []partlyWrongInput{{partlyUnknown, map[string]any{"aqlx_unknown_" + sp.Nonce: 1}}}
	field, _, _ := sp.ValidChange("")
	for step, wrong := range map[string][]wrongField{"mistyped field": mistypedFields(sp), "field out of bounds": outOfBounds(sp)} {
		at := slices.IndexFunc(wrong, func(w wrongField) bool { return w.field.Name != field.Name })
		if at >= 0 && sp.Declared {
			all = append(all, partlyWrongInput{partly + ": update: " + step, wrong[at].input()})
		}
	}
	slices.SortFunc(all, func(x, y partlyWrongInput) int { return strings.Compare(x.step, y.step) })
	return all
}

// inOrder is an object with the members of one before those of another. What goes wrong in the order in which members arrive
// shows only if the valid ones are the first.
func inOrder(first, then map[string]any) json.RawMessage {
	head, tail := probes.ValueOf(first).Raw(), probes.ValueOf(then).Raw()
	return slices.Concat(head[:len(head)-1], []byte(","), tail[1:])
}
