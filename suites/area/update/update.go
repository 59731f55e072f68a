package update

import (
	"maps"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Section 4.5.
var updateOperationsTakeInputObject = check.Check{
	Requirement: "AQL-4.5-01",
	Rule:        "Each operation of category UPDATE takes its changes through an object-valued parameter called input.",
	Why:         "One place for what changes, so that a model need not learn for each operation which parameters locate and which replace.",
	On: model.Only(model.EachDetailed, func(s model.Subject) bool {
		return s.Op.Category == "UPDATE" && !slices.Contains(model.Reserved, s.Name)
	}),
	Ask: model.Details,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		input, documented := check.InputOf(s.Op)
		if !documented {
			others := slices.ContainsFunc(s.Op.Parameters, func(p probes.Parameter) bool { return !probes.IsReference(s.Op, p) })
			switch {
			case !s.Op.Details.At("parameters").Is(probes.Array):
				return ruling.NotProven("documented parameters", s.Op.Details.At("parameters")).Because("AQL-4.3-03")
			case !others:
				return ruling.Departs("a parameter input", "identifiers alone").By(got[0])
			}
			return ruling.Violates("a parameter input", strings.Join(check.DocumentedNames(s), ", ")).By(got[0])
		}
		if kinds, ok := s.Kinds(input.Type); ok && !slices.Contains(kinds, "object") || !ok && primitiveWord(input.Type) {
			return ruling.Violates("input of an object type", probes.ValueOf(input.Type)).By(got[0])
		}
		if !input.Required {
			return ruling.Departs("input with required: true", input.Raw.At("required")).By(got[0])
		}
		return ruling.Conforms()
	},
	Fix: "document the changes as one required parameter input of an object type",
}

// primitiveWord reports whether a type that is not understood as a whole can be no
// object: none of its words names a type.
func primitiveWord(expr string) bool {
	e, err := probes.ParseType(expr)
	return err == nil && len(e.Leaves()) == 0 && e.Form == probes.Primitive && e.Name != "any" && e.Name != "object"
}

// beside are the parameters that may stand next to input: they locate, guard or
// shape, and change nothing themselves.
var beside = strings.Fields("input if_match etag version revision expected_version dry_run fields confirmation_token confirm force reason comment idempotency_key")

// Section 4.5.
var updateableFieldsAreRefusedOutsideInput = check.Check{
	Requirement: "AQL-4.5-02",
	Rule:        "No updateable field of an UPDATE operation is accepted outside input.",
	Why:         "If a field can be changed in two places, one of them may bypass validation.",
	On: model.Only(model.EachDetailed, func(s model.Subject) bool {
		_, ok := check.InputOf(s.Op)
		return ok && s.Op.Category == "UPDATE" && !slices.Contains(model.Reserved, s.Name)
	}),
	Lane: probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		ask(s.Lookup("operations", s.Name))
		sp, why := s.TestObject(s.Name)
		text, ok := flatText(sp, why)
		sp.Base = 1
		if !ok || !check.CreateWithFields(sp, ask, "flat fields", map[string]any{text.Name: sp.ScriptMark("flat fields")}) {
			return
		}
		check.UpdateAndRead(sp, ask, "flat fields: update inside input", map[string]any{text.Name: sp.ScriptMark("flat fields") + "-new"}, func(v probes.Value) bool {
			return v.At(text.Name).Text() == sp.ScriptMark("flat fields")+"-new"
		})
		ask(sp.Apply("flat fields: update with an empty input").With(text.Name, sp.ScriptMark("flat fields")+"-flat").With("input", map[string]any{}))
		ask(sp.Read("flat fields: read after the empty input")) // the next update may overwrite the text
		// An empty input may be refused for being empty; one that says what is stored
		// already leaves nothing else to refuse.
		inside := map[string]any{text.Name: sp.ScriptMark("flat fields") + "-new"}
		if spare, ok := sp.SpareField(); ok {
			inside = map[string]any{spare.Name: sp.Gen.Marker("-spare")}
		}
		ask(sp.Apply("flat fields: update with a valid input").With(text.Name, sp.ScriptMark("flat fields")+"-flat").With("input", inside))
		ask(sp.Read("flat fields: read after the updates"))
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		return ruling.Worst(besideInput(s).By(got[0]), flatRuling(s, got))
	},
	Fix: "take updateable fields from input alone",
}

// flatText is the text field that is tried beside input.
func flatText(sp model.TestObject, why *ruling.Ruling) (probes.Parameter, bool) {
	if why != nil {
		return probes.Parameter{}, false
	}
	text, ok := sp.TextField()
	return text, ok && !sp.Op.HasParameter(text.Name)
}

// flatRuling rules on what was done with a field beside input.
func flatRuling(s model.Subject, got probes.Answers) ruling.Ruling {
	sp, why := s.TestObject(s.Name)
	if why != nil {
		return *why
	}
	text, ok := flatText(sp, why)
	if !ok {
		return ruling.NotProven("a field that plays the part of text", "none").Mend(sp.FieldHint("text"))
	}
	flat, seen := check.LastRead(sp, got, "flat fields: read after the updates")
	if o, read := check.LastRead(sp, got, "flat fields: read after the empty input"); read && sp.ObjectIn(o).At(text.Name).Text() == sp.ScriptMark("flat fields")+"-flat" {
		flat, seen = o, true
	}
	control, changed := check.LastRead(sp, got, "flat fields: update inside input: read")
	switch tried := got.Step("flat fields: update with an empty input"); {
	case !seen:
		return ruling.NotProven("an object of our own shown by a READ", got.Last()).Mend(model.TestObjectHint)
	case sp.ObjectIn(flat).At(text.Name).Text() == sp.ScriptMark("flat fields")+"-flat":
		return ruling.Violates(text.Name+" taken from input alone", "its value beside input applied").By(flat, tried)
	case !changed || sp.ObjectIn(control).At(text.Name).Text() != sp.ScriptMark("flat fields")+"-new":
		return ruling.NotProven(text.Name+" to be updateable inside input", sp.ObjectIn(control).At(text.Name)).Because("AQL-4.5.1-01")
	}
	return ruling.Conforms().By(flat, control)
}

// Section 4.5.
var identifiersStayBesideInput = check.Check{
	Requirement: "AQL-4.5-03",
	Rule:        "Parameters that locate the resource are taken from the params level of an UPDATE request.",
	Why:         "The identifier locates the resource and is not part of the change.",
	On:          check.EachTestObject,
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		sp, _ := s.TestObject(s.Name)
		text, ok := sp.TextField()
		if !ok || !check.CreateWithFields(sp, ask, "place of identifiers", map[string]any{text.Name: sp.ScriptMark("place of identifiers")}) {
			return
		}
		input := map[string]any{text.Name: sp.ScriptMark("place of identifiers") + "-new"}
		renamed := func(v probes.Value) bool {
			return v.At(text.Name).Text() == sp.ScriptMark("place of identifiers")+"-new"
		}
		if check.UpdateAndRead(sp, ask, "place of identifiers: update", input, renamed).Succeeded() {
			return
		}
		inside, both := inside(sp, input)
		if !ask(inside.Anew("place of identifiers: identifiers inside input")).Succeeded() {
			ask(both.Anew("place of identifiers: identifiers in both places"))
		}
		ask(sp.Read("place of identifiers: read after the updates"))
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		sp, _ := s.TestObject(s.Name)
		text, ok := sp.TextField()
		if !ok {
			return ruling.NotProven("a field that plays the part of text", "none").Mend(sp.FieldHint("text"))
		}
		plain, asked := got.Find("place of identifiers: update")
		if !asked {
			return ruling.NotProven("an object of our own shown by a READ", got.Last()).Mend(model.TestObjectHint)
		}
		renamed := sp.ScriptMark("place of identifiers") + "-new"
		last, _ := check.LastRead(sp, got, "place of identifiers: update: read")
		if !plain.Succeeded() {
			last, _ = check.LastRead(sp, got, "place of identifiers: read after the updates")
		}
		applied := sp.ObjectIn(last).At(text.Name).Text() == renamed
		elsewhere := got.Step("place of identifiers: identifiers inside input").Succeeded() || got.Step("place of identifiers: identifiers in both places").Succeeded()
		switch {
		case plain.Succeeded() && applied:
			return ruling.Conforms().By(last, plain)
		case plain.Succeeded():
			return ruling.NotProven("a change that shows", sp.ObjectIn(last).At(text.Name)).By(plain).Because("AQL-4.5.1-01")
		case applied && elsewhere: // else the refused update was carried out
			return ruling.Violates("the resource located by its identifier beside input", "located only by an identifier inside input").By(plain, last)
		}
		return ruling.NotProven("an update that succeeds", plain)
	},
	Fix: "read identifiers from params, not from input",
}

// inside returns a change with the identifiers in input: there alone, and there as
// well as in their place.
func inside(sp model.TestObject, input map[string]any) (alone, both probes.Probe) {
	within := maps.Clone(input)
	both = sp.RequestFor(sp.Op, sp.IDs)
	alone = both
	for _, name := range slices.Sorted(maps.Keys(sp.IDs)) {
		within[name] = both.Params()[name]
		alone = alone.Without(name)
	}
	return alone.With("input", within), both.With("input", within)
}
