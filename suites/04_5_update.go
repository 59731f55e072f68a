package suites

import (
	"maps"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// eachUpdate is every UPDATE operation but the reserved ones.
func eachUpdate(f *Face) []Subject {
	return only(eachListed, func(s Subject) bool { return s.Op.Category == "UPDATE" && !slices.Contains(reserved, s.Name) })(f)
}

// eachSpecimen is every UPDATE operation, those that cannot be tried on an object
// of ours settled.
func eachSpecimen(f *Face) []Subject {
	all := eachUpdate(f)
	for i, s := range all {
		if _, why := f.specimen(s.Name); why != nil {
			all[i] = s.settle(*why)
		}
	}
	return all
}

// inputOf returns the documented parameter input of an operation.
func inputOf(o probes.Operation) (probes.Parameter, bool) {
	i := slices.IndexFunc(o.Parameters, func(p probes.Parameter) bool { return p.Name == "input" })
	if i < 0 {
		return probes.Parameter{}, false
	}
	return o.Parameters[i], true
}

// Section 4.5. One place for what changes, so that a model need not learn for each
// operation which parameters locate and which replace.
var _ = register(Check{
	Requirement: "AQL-4.5-01",
	On:          only(eachDetailed, func(s Subject) bool { return s.Op.Category == "UPDATE" && !slices.Contains(reserved, s.Name) }),
	Ask:         details,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		input, documented := inputOf(s.Op)
		if !documented {
			others := slices.ContainsFunc(s.Op.Parameters, func(p probes.Parameter) bool { return !probes.IsReference(s.Op, p) })
			switch {
			case !s.Op.Details.At("parameters").Is(probes.Array):
				return NotProven("documented parameters", s.Op.Details.At("parameters")).Because("AQL-4.3-03")
			case !others:
				return Departs("a parameter input", "identifiers alone").By(got[0])
			}
			return Violates("a parameter input", strings.Join(documentedNames(s), ", ")).By(got[0])
		}
		if kinds, ok := s.Kinds(input.Type); ok && !slices.Contains(kinds, "object") || !ok && primitiveWord(input.Type) {
			return Violates("input of an object type", probes.ValueOf(input.Type)).By(got[0])
		}
		if !input.Required {
			return Departs("input with required: true", input.Raw.At("required")).By(got[0])
		}
		return Conforms()
	},
	Fix: "document the changes as one required parameter input of an object type",
})

// primitiveWord reports whether a type that is not understood as a whole can be no
// object: none of its words names a type.
func primitiveWord(expr string) bool {
	e, err := probes.ParseType(expr)
	return err == nil && len(e.Leaves()) == 0 && e.Form == probes.Primitive && e.Name != "any" && e.Name != "object"
}

// beside are the parameters that may stand next to input: they locate, guard or
// shape, and change nothing themselves.
var beside = strings.Fields("input if_match etag version revision expected_version dry_run fields confirmation_token confirm force reason comment idempotency_key")

// besideInput rules on the documentation: an updateable field may not stand beside
// input, but whether a parameter is one can only be guessed by its name.
func besideInput(s Subject) Ruling {
	for _, p := range s.Op.Parameters {
		if p.Type != "boolean" && !p.Required && !slices.Contains(beside, p.Name) && !probes.IsReference(s.Op, p) {
			return Departs("updateable fields inside input", "the parameter "+p.Name+" beside it")
		}
	}
	return Conforms()
}

// flatTake is the take of the script for fields beside input.
const flatTake = 43 * specimenStage

// Section 4.5. A field that can be changed from two places is one a validation
// can be walked around by.
var _ = register(Check{
	Requirement: "AQL-4.5-02",
	On: only(eachDetailed, func(s Subject) bool {
		_, ok := inputOf(s.Op)
		return ok && s.Op.Category == "UPDATE" && !slices.Contains(reserved, s.Name)
	}),
	Lane: probes.Serial,
	Drive: func(s Subject, ask Asking) {
		ask(s.Lookup("operations", s.Name))
		sp, why := s.specimen(s.Name)
		text, ok := sp.flatText(why)
		sp.base = 1
		if !ok || !sp.begin(ask, flatTake, map[string]any{text.Name: sp.stamp(flatTake)}) {
			return
		}
		ask(sp.on(flatTake+20).With(text.Name, sp.stamp(flatTake)+"-flat").With("input", map[string]any{}))
		// An empty input may be refused for being empty; one that says what is stored
		// already leaves nothing else to refuse.
		inside := map[string]any{text.Name: sp.stamp(flatTake)}
		if spare, ok := sp.spare(); ok {
			inside = map[string]any{spare.Name: sp.Gen.Marker("-spare")}
		}
		ask(sp.on(flatTake+21).With(text.Name, sp.stamp(flatTake)+"-flat").With("input", inside))
		ask(sp.look(flatTake + 22))
		sp.change(ask, flatTake+40, map[string]any{text.Name: sp.stamp(flatTake) + "-new"}, func(v probes.Value) bool {
			return v.At(text.Name).Text() == sp.stamp(flatTake)+"-new"
		})
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		return Worst(besideInput(s).By(got[0]), flatRuling(s, got))
	},
	Fix: "take updateable fields from input alone",
})

// flatText is the text field that is tried beside input.
func (sp specimen) flatText(why *Ruling) (probes.Parameter, bool) {
	if why != nil {
		return probes.Parameter{}, false
	}
	text, ok := sp.text()
	return text, ok && !sp.Op.HasParameter(text.Name)
}

// flatRuling rules on what was done with a field beside input.
func flatRuling(s Subject, got []probes.Observation) Ruling {
	sp, why := s.specimen(s.Name)
	if why != nil {
		return *why
	}
	text, ok := sp.flatText(why)
	if !ok {
		return NotProven("a field that plays the part of text", "none").Mend(resourceHint)
	}
	flat, seen := lastLook(sp, got, flatTake+22, flatTake+40)
	control, changed := lastLook(sp, got, flatTake+41, flatTake+60)
	switch tried, _ := at(got, flatTake+20); {
	case !seen:
		return NotProven("an object of our own shown by a READ", got[len(got)-1]).Mend(resourceHint)
	case sp.shown(flat).At(text.Name).Text() == sp.stamp(flatTake)+"-flat":
		return Violates(text.Name+" taken from input alone", "its value beside input applied").By(flat, tried)
	case !changed || sp.shown(control).At(text.Name).Text() != sp.stamp(flatTake)+"-new":
		return NotProven(text.Name+" to be updateable inside input", sp.shown(control).At(text.Name)).Because("AQL-4.5.1-01")
	}
	return Conforms().By(flat, control)
}

// insideTake is the take of the script for the place of identifiers.
const insideTake = 44 * specimenStage

// Section 4.5. What locates the resource is no part of the change.
var _ = register(Check{
	Requirement: "AQL-4.5-03",
	On:          eachSpecimen,
	Lane:        probes.Serial,
	Drive: func(s Subject, ask Asking) {
		sp, _ := s.specimen(s.Name)
		text, ok := sp.text()
		if !ok || !sp.begin(ask, insideTake, map[string]any{text.Name: sp.stamp(insideTake)}) {
			return
		}
		input := map[string]any{text.Name: sp.stamp(insideTake) + "-new"}
		renamed := func(v probes.Value) bool { return v.At(text.Name).Text() == sp.stamp(insideTake)+"-new" }
		if sp.change(ask, insideTake+20, input, renamed).Succeeded() {
			return
		}
		inside, both := sp.inside(input)
		if !ask(inside.Anew(insideTake + 40)).Succeeded() {
			ask(both.Anew(insideTake + 41))
		}
		ask(sp.look(insideTake + 42))
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		sp, _ := s.specimen(s.Name)
		text, ok := sp.text()
		if !ok {
			return NotProven("a field that plays the part of text", "none").Mend(resourceHint)
		}
		plain, asked := at(got, insideTake+20)
		if !asked {
			return NotProven("an object of our own shown by a READ", got[len(got)-1]).Mend(resourceHint)
		}
		renamed := sp.stamp(insideTake) + "-new"
		last, _ := lastLook(sp, got, insideTake+21, insideTake+60)
		applied := sp.shown(last).At(text.Name).Text() == renamed
		switch {
		case plain.Succeeded() && applied:
			return Conforms().By(last, plain)
		case plain.Succeeded():
			return NotProven("a change that shows", sp.shown(last).At(text.Name)).By(plain).Because("AQL-4.5.1-01")
		case applied:
			return Violates("the resource located by its identifier beside input", "located only by an identifier inside input").By(plain, last)
		}
		return NotProven("an update that succeeds", plain)
	},
	Fix: "read identifiers from params, not from input",
})

// inside returns a change with the identifiers in input: there alone, and there as
// well as in their place.
func (sp specimen) inside(input map[string]any) (alone, both probes.Probe) {
	within := maps.Clone(input)
	both = sp.on(0)
	alone = both
	for _, name := range slices.Sorted(maps.Keys(sp.ids)) {
		within[name] = both.Params()[name]
		alone = alone.Without(name)
	}
	return alone.With("input", within), both.With("input", within)
}
