package classification

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// Bounds of the optional parameters that get a value, together and one by one.
const mostKept, mostAlone = 12, 6

// The steps of a creation with all options, and of those with one of them that the first did not show.
const (
	allOptions = "options of a new object"
	oneOption  = "one option of a new object"
)

// optionsKept are optional parameters of a creation, each with a value of its own, that a read of the object shows by its documented
// type. What a description makes depend on something may be left out with right.
func optionsKept(obj model.TestObject) (all []probes.Member) {
	shown := returnedNames(obj)
	base := obj.Maker.ValidCall().Params()
	for _, p := range obj.Fields {
		_, given := base[p.Name]
		if given || p.Required || len(all) == mostKept || !shown(p.Name) || obj.Refers(p) || probes.IsSecret(obj.Maker.Op, p) || conditional(p) || p.Raw.At("readOnly").True() || p.Raw.At("writeOnly").True() {
			continue
		}
		for _, v := range obj.Gen.Values(obj.Maker.Op, p) {
			if !hollow(v) && !v.Equal(p.Raw.At("default")) && obj.Misfit(p, v) == "" {
				all = append(all, probes.Member{Name: p.Name, Value: v})
				break
			}
		}
	}
	return all
}

// depending are words with which a description says when a value counts.
var depending = strings.Fields("if only unless when where while for wenn nur falls bei solange si solo sólo cuando seulement quand lorsque se quando als alleen wanneer apenas")

// conditional reports whether the description of a parameter may say that it does not always count.
func conditional(p probes.Parameter) bool {
	return slices.ContainsFunc(vocab.Words(p.Raw.At("description").Text()), func(w string) bool { return slices.Contains(depending, strings.ToLower(w)) })
}

// hollow reports whether a value may be shown as none.
func hollow(v probes.Value) bool {
	n, number := v.Float()
	return v.Is(probes.Null) || v.Is(probes.Absent) || v.False() || number && n == 0 || v.Is(probes.String) && v.Text() == "" ||
		v.Is(probes.Array) && len(v.Items()) == 0 || v.Is(probes.Object) && len(v.Members()) == 0
}

// returnedNames tells which members the documented type of what the read of an object answers has, at the top or one below it.
func returnedNames(obj model.TestObject) func(name string) bool {
	fields := func(name string) []probes.Parameter { return obj.Adapter.Adapter.Fields(probes.Parameter{Type: name}) }
	top := fields(obj.Viewer.Details.At("returns", "name").Text())
	all := slices.Clone(top)
	for _, f := range top {
		all = append(all, fields(f.Type)...)
	}
	return func(name string) bool {
		i := slices.IndexFunc(all, func(f probes.Parameter) bool { return vocab.Letters(f.Name) == vocab.Letters(name) })
		return i >= 0 && !conditional(all[i])
	}
}

// lostOptions are the options that a creation gave and the last read of its object does not show.
func lostOptions(obj model.TestObject, got probes.Answers, step string, options []probes.Member) (lost []probes.Member, read probes.Observation, known bool) {
	read = got.Step(step + ": first read")
	if later, waited := check.LastRead(obj, got, step+": later read"); waited {
		read = later
	}
	object := obj.ObjectIn(read)
	if !got.Step(step+": created").Succeeded() || !read.Succeeded() || !object.Is(probes.Object) {
		return nil, read, false
	}
	for _, m := range options {
		if !hasOption(obj, object, m.Name) {
			lost = append(lost, m)
		}
	}
	return lost, read, true
}

// hasOption reports whether an object has a value of an option that it may have been given: one that is neither empty nor the documented default.
func hasOption(obj model.TestObject, object probes.Value, name string) bool {
	v, usual := object.At(name), false
	for _, p := range obj.Fields {
		usual = usual || p.Name == name && p.Raw.Has("default") && v.Equal(p.Raw.At("default"))
	}
	empty := v.Is(probes.Absent) || v.Is(probes.Null) || v.Is(probes.String) && v.Text() == "" || v.Is(probes.Array) && len(v.Items()) == 0
	return !empty && !usual
}

// doubtful are the options that objects of their own are made with: those that were lost, or all where none is made with all of them.
func doubtful(obj model.TestObject, got probes.Answers, options []probes.Member) []probes.Member {
	lost, _, known := lostOptions(obj, got, allOptions, options)
	if !known {
		lost = options
	}
	return lost[:min(len(lost), mostAlone)]
}

func given(options ...probes.Member) map[string]any {
	fields := map[string]any{}
	for _, m := range options {
		fields[m.Name] = m.Value.Go()
	}
	return fields
}

// Introspection document, section 8.1.2.
var creationKeepsItsOptions = check.Check{
	Requirement: "INT-8.1.2-07",
	Why:         "A creation that takes a value and drops it answers success, and the caller finds out when the value is needed.",
	On: model.Only(model.EachMade, func(s model.Subject) bool {
		obj, why := s.TestObject(s.Name)
		return s.Ruling == nil && why == nil && obj.Viewer.Name != "" && len(optionsKept(obj)) > 0
	}),
	Drive: func(s model.Subject, ask model.AskFunc) {
		obj, _ := s.TestObject(s.Name)
		options := optionsKept(obj)
		var got probes.Answers
		keep := ask.Into(&got)
		check.CreateWithFields(obj, keep, allOptions, given(options...))
		for i, m := range doubtful(obj, got, options) {
			obj.Base = len(got)
			step := probes.Nth(oneOption, i)
			if check.CreateWithFields(obj, keep, step, given(m)) {
				obj.ReadUntil(keep, step+": later read", func(v probes.Value) bool { return hasOption(obj, v, m.Name) })
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		obj, _ := s.TestObject(s.Name)
		options := optionsKept(obj)
		lost := doubtful(obj, got, options)
		rs := []ruling.Ruling{ruling.NotApplicable("does not hold: an optional parameter that a read shows")}
		if got.Has(allOptions+": first read") && len(lost) < len(options) {
			rs = append(rs, ruling.Conforms().By(got.Step(allOptions+": first read")))
		}
		for i, m := range lost {
			step := probes.Nth(oneOption, i)
			switch gone, read, known := lostOptions(obj, got, step, []probes.Member{m}); {
			case !known:
			case len(gone) == 0:
				rs = append(rs, ruling.Conforms().By(read))
			default:
				var shown any = "none"
				if v := obj.ObjectIn(read).At(m.Name); !v.Is(probes.Absent) {
					shown = v
				}
				rs = append(rs, ruling.Violates(check.Quoted(m.Name)+" "+m.Value.String()+" in the object that was made with it", shown).By(got.Step(step+": created"), read))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "store every documented parameter of a creation, or take it out of introspection",
}
