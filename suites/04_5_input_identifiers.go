package suites

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// identifiers are the identifier parameters that may not stand inside input: only
// names that can hardly be anything else.
func (sp specimen) identifiers() []string {
	var names []string
	for _, p := range sp.Op.Parameters {
		if _, own := sp.ids[p.Name]; own && p.Required && (p.Name == "id" || strings.HasSuffix(p.Name, "_id")) {
			names = append(names, p.Name)
		}
	}
	return names
}

// located reports whether a request has to say which resource is meant: a singleton
// needs no identifier.
func (s Subject) located() bool {
	return slices.ContainsFunc(s.Op.Parameters, func(p probes.Parameter) bool { return p.Required && probes.IsReference(s.Op, p) })
}

// Section 4.5.3. An identifier inside input asks to rename what it locates; no
// adapter means that.
var _ = register(Check{
	Requirement: "AQL-4.5.3-08",
	On: func(f *Face) []Subject {
		return only(eachSpecimen, func(s Subject) bool {
			sp, why := f.specimen(s.Name)
			return why != nil && s.located() || why == nil && len(sp.identifiers()) > 0
		})(f)
	},
	Lane: probes.Serial,
	Drive: func(s Subject, ask Asking) {
		t := inputTrialOf(s)
		if !t.begin(ask) {
			return
		}
		for i, input := range t.renamings() {
			p := t.sp.on(refuseTake + 400 + i)
			if i == 2 {
				p = p.Without(t.sp.identifiers()[0])
			}
			ask(p.With("input", input))
		}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		t := inputTrialOf(s)
		control, rest := t.outcome(got, refuseTake+400)
		if control != nil {
			return *control
		}
		name := t.sp.identifiers()[0]
		declared := t.sp.declared && slices.ContainsFunc(t.sp.fields, func(p probes.Parameter) bool { return p.Name == name })
		var rs []Ruling
		for _, o := range rest {
			want := "a refusal of " + name + " inside input"
			switch {
			case o.Succeeded() && declared:
				rs = append(rs, Departs(want, o).Noting("the input type lists "+name))
			case o.Succeeded():
				rs = append(rs, Violates(want, o))
			case strings.HasPrefix(o.Code(), "VALIDATION_"):
				rs = append(rs, Conforms().By(o))
			default:
				rs = append(rs, NotProven("error VALIDATION_*", o))
			}
		}
		return Worst(rs...)
	},
	Fix: "refuse identifiers inside input",
})

// renamings are inputs that hold the identifier: another value, the same, and the
// same with none in its place.
func (t inputTrial) renamings() []map[string]any {
	name := t.sp.identifiers()[0]
	same := t.sp.on(0).Params()[name]
	other := any("aqlx_other")
	if i := slices.IndexFunc(t.sp.Op.Parameters, func(p probes.Parameter) bool { return p.Name == name }); i >= 0 {
		if absent := t.sp.Gen.AbsentIdentifier(t.sp.Op.Parameters[i], probes.Value{}); !absent.Is(probes.Absent) {
			other = absent.Go()
		}
	}
	var all []map[string]any
	for _, v := range []any{other, same, same} {
		input := map[string]any{name: v}
		if text, ok := t.sp.text(); ok {
			input[text.Name] = t.sp.stamp(refuseTake) + "-ok"
		}
		all = append(all, input)
	}
	return all
}

// Section 4.5.3. A caller that is refused believes that nothing happened.
var _ = register(Check{
	Requirement: "AQL-4.5.3-09",
	On:          eachSpecimen,
	Lane:        probes.Serial,
	Drive: func(s Subject, ask Asking) {
		sp, _ := s.specimen(s.Name)
		text, ok := sp.text()
		if !ok || !sp.begin(ask, partlyTake, map[string]any{text.Name: sp.stamp(partlyTake)}) {
			return
		}
		for i, bad := range sp.partlyWrong() {
			bad[text.Name] = sp.stamp(partlyTake) + "-partly"
			ask(sp.on(partlyTake+20+i).With("input", bad))
		}
		ask(sp.look(partlyTake + 30))
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		sp, _ := s.specimen(s.Name)
		text, ok := sp.text()
		if !ok {
			return NotProven("a field that plays the part of text", "none").Mend(resourceHint)
		}
		look, seen := lastLook(sp, got, partlyTake+30, partlyTake+31)
		if !seen || !sp.shown(look).Has(text.Name) {
			return NotProven("an object of our own shown by a READ", got[len(got)-1]).Mend(resourceHint)
		}
		var refused []probes.Observation
		for _, o := range got {
			switch {
			case o.Probe.Take < partlyTake+20 || o.Probe.Take >= partlyTake+30:
			case o.Succeeded():
				return NotProven("a refusal", o).Because(map[bool]string{true: "AQL-4.5.3-06", false: "AQL-4.5.3-04"}[o.Probe.Take == partlyTake+20])
			case o.Refused() && !o.Deferred():
				refused = append(refused, o)
			}
		}
		switch {
		case len(refused) == 0:
			return NotProven("a refusal", "none")
		case sp.shown(look).At(text.Name).Text() == sp.stamp(partlyTake)+"-partly":
			return Violates(text.Name+" as it was", "refused, but "+text.Name+" changed").By(append([]probes.Observation{look}, refused...)...)
		}
		return Conforms().By(look, refused[0])
	},
	Fix: "validate the whole input before changing anything",
})

// partlyWrong are inputs with one fault: an unknown field, and a mistyped one.
func (sp specimen) partlyWrong() []map[string]any {
	all := []map[string]any{{"aqlx_unknown_" + sp.Nonce: 1}}
	text, _ := sp.text()
	for _, w := range sp.mistypedFields() {
		if w.field.Name != text.Name && sp.declared {
			return append(all, map[string]any{w.field.Name: w.value})
		}
	}
	return all
}
