package generated

import (
	"math/rand/v2"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
)

// The negative phase sends requests that the documentation excludes: an additional, misspelled or
// missing name, combined with each optional parameter, because validation is often missing on one
// path.

var negativeOperators = []operator{
	{"malformed call", "a name that is not documented, misspelt or missing", malformedCalls},
	{"refused change", "an update with one valid and one invalid field", invalidUpdates},
}

// malformedCalls sends each kind of wrong name in the plain call and with each optional parameter.
// A misspelled name is sent once only.
func malformedCalls(f *model.Adapter, _ *rand.Rand, _ int) []model.Script {
	var all []model.Script
	for _, o := range f.Operations {
		plain, ok := knownGoodStep(f, o)
		if !ok {
			continue
		}
		for i, call := range append([]model.Step{plain}, withEachOptional(f, o, plain)...) {
			for _, c := range f.Gen.Requests(o, call.Params, generate.Unasked, i == 0) {
				if c.Valid {
					continue
				}
				bad := call
				bad.Params, _ = model.Native(c.Params).(map[string]any)
				all = append(all, model.Script{Steps: []model.Step{bad}, Description: o.Name + " " + c.Sentence})
			}
		}
	}
	return all
}

// withEachOptional returns the plain call with each optional parameter set to a valid value.
func withEachOptional(f *model.Adapter, o probes.Operation, plain model.Step) []model.Step {
	var all []model.Step
	for _, p := range o.Parameters {
		if _, given := plain.Params[p.Name]; given || p.Required || check.WaitPattern.MatchString(p.Name) || p.Raw.At("sensitive").True() {
			continue
		}
		if values := f.Gen.Values(o, p); len(values) > 0 && !probes.IsReference(o, p) {
			for _, v := range values[:min(len(values), 2)] {
				all = append(all, withParameter(plain, p.Name, model.Native(v)))
			}
		}
	}
	return all
}

// invalidUpdates updates a valid and an invalid field together, and reads whether the valid one was
// changed.
func invalidUpdates(f *model.Adapter, r *rand.Rand, _ int) []model.Script {
	var all []model.Script
	for _, kind := range f.ObjectKinds {
		for _, up := range kind.Updaters {
			for _, good := range settable(*kind, up, r) {
				valid := func() map[string]any {
					v, _ := kind.FieldValue(r, good)
					return map[string]any{good.Name: v}
				}
				var turns [][]model.Step
				for _, bad := range up.Fields {
					worst, ok := clearlyInvalid(f, bad)
					if !ok || bad.Name == good.Name || !up.Declared {
						continue
					}
					input := valid()
					input[bad.Name] = model.Native(worst.value)
					turns = append(turns, []model.Step{up.UpdateStep(0, input), kind.ReadStep(0)})
				}
				extra, within := "aqlx_extra_"+f.Nonce, valid()
				within[extra] = "1"
				turns = append(turns, []model.Step{withParameter(up.UpdateStep(0, valid()), extra, "1"), kind.ReadStep(0)}, []model.Step{up.UpdateStep(0, within), kind.ReadStep(0)})
				all = append(all, model.ScriptsOnSameObjects([]model.Step{kind.CreateStep(kind.AllFields(r))}, turns)...)
			}
		}
		for _, rm := range kind.Removers {
			for _, drop := range append([]model.Step{rm.DeleteStep(0)}, withEachOptional(f, rm.Op, rm.DeleteStep(0))...) {
				all = append(all, model.Script{Steps: []model.Step{kind.CreateStep(nil), withParameter(drop, "aqlx_extra_"+f.Nonce, "1"), kind.ReadStep(0)}})
			}
		}
		all = append(all, invalidCreations(kind, r)...)
	}
	return all
}

// invalidCreations creates objects with one clearly invalid value and looks for them in the
// listing: once for all invalid values of a parameter, unless the listing has to be queried by
// mark.
func invalidCreations(kind *model.ObjectKind, r *rand.Rand) []model.Script {
	views := kind.Maker.Views(model.MarkToken)
	if len(views) == 0 {
		return nil
	}
	params, _ := model.Native(views[0].Params()).(map[string]any)
	list := model.Step{Operation: views[0].Operation(), Params: params, MadeBy: 0}
	var all []model.Script
	for _, p := range kind.Maker.Op.Parameters {
		create := kind.CreateStep(nil)
		if model.HoldsMark(create.Params[p.Name]) {
			continue
		}
		var refused []model.Step
		for _, c := range edgeCases(kind.TestObject.Subject.Adapter, p, true) {
			if why, _ := kind.ValueFlaws(p, c.value); len(why) > 0 && !why[0].MayBeCoerced {
				refused = append(refused, withParameter(create, p.Name, model.Native(c.value)))
			}
		}
		if model.HoldsMark(list.Params) {
			for _, one := range refused {
				all = append(all, model.Script{Steps: []model.Step{one, list}})
			}
		} else if len(refused) > 0 {
			list.MadeBy = model.NoObject
			all = append(all, model.Script{Steps: append(refused, list)})
		}
	}
	return all
}

// clearlyInvalid returns a value that no lenient adapter converts to a valid one.
func clearlyInvalid(f *model.Adapter, p probes.Parameter) (edgeCase, bool) {
	cases := edgeCases(f, p, true)
	i := slices.IndexFunc(cases, func(c edgeCase) bool {
		why, _ := f.ValueFlaws(p, c.value)
		return len(why) > 0 && !why[0].MayBeCoerced && why[0].Requirement != ""
	})
	if i < 0 {
		return edgeCase{}, false
	}
	return cases[i], true
}
