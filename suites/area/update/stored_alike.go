package update

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// An adapter may store a text without the blanks around it, or a list without what is in it twice. Where a creation does so, an
// update has to do the same: what finds an object by the field knows one form alone.

const storedAlike = "stored by a creation and by an update"

// An alike is a field of a kind of objects, with a value that an adapter may store in another form, and one that it has no reason to.
type alike struct {
	field        string
	value, plain func(mark string) any
}

// The objects of one field: one that is created with the value, and one that is updated to it. If these differ, the controls are made:
// what a READ shows may depend on the mark, as a digest does, and a creation may add something to each value.
const (
	likeFirst = iota
	likeUpdated
	likeSecond
	likePlain
	likePlainUpdated
	likeObjects
)

func alikeStep(i, object int) string { return probes.Nth(storedAlike, likeObjects*i+object) }

// alikes are the fields of an object that both its creation and the update take.
func alikes(obj model.TestObject) (all []alike) {
	taken := func(name string) bool { return obj.Maker.Op.HasParameter(name) && obj.IDs[name] == nil }
	plain := func(mark string) any { return mark }
	for _, p := range obj.TextFields() {
		if taken(p.Name) && len(all) == 0 { // one text stands for the others
			all = append(all, alike{p.Name, func(mark string) any { return mark + " Zq  x " }, plain})
		}
	}
	for _, list := range obj.TypedLists() {
		if len(list.Path) == 1 && taken(list.Path[0]) {
			twice := slices.Concat(list.Is, list.Was, list.Is)
			all = append(all, alike{list.Path[0], func(string) any { return twice }, func(string) any { return list.Was }})
		}
	}
	if list, ok := obj.ListField(); ok && taken(list.Name) {
		all = append(all, alike{list.Name, func(mark string) any { return obj.Elements(mark, "Zq", "aq", "zq", "aq") },
			func(mark string) any { return obj.Elements(mark, "zq") }})
	}
	return slices.DeleteFunc(all, func(a alike) bool {
		return slices.ContainsFunc(obj.Fields, func(p probes.Parameter) bool {
			return p.Name == a.field && (obj.Misfit(p, probes.ValueOf(a.value(obj.ScriptMark(alikeStep(0, likeFirst))))) != "" || obj.Refers(p))
		})
	})
}

// form is a stored value without the mark of its object, whose elements have no order.
func form(v probes.Value, mark string) string {
	own := regexp.MustCompile("(?i)" + regexp.QuoteMeta(mark))
	all := []string{v.String()}
	if v.Is(probes.Array) {
		all = nil
		for _, item := range v.Items() {
			all = append(all, item.String())
		}
		slices.Sort(all)
	}
	return own.ReplaceAllString(strings.Join(all, ", "), "#")
}

// Section 4.5.1.
var updateStoresAsACreationDoes = check.Check{
	Requirement: "AQL-4.5.1-01",
	Why:         "An address that is kept in small letters by a creation alone is not found after an update.",
	On:          updatesOf(func(obj model.TestObject) bool { return len(alikes(obj)) > 0 }),
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		obj, _ := s.TestObject(s.Name)
		var got probes.Answers
		counted := ask.Into(&got)
		for i, a := range alikes(obj) {
			create := func(object int, value func(string) any) bool {
				obj.Base = len(got)
				made := alikeStep(i, object)
				return check.CreateWithFields(obj, counted, made, map[string]any{a.field: value(obj.ScriptMark(made))})
			}
			update := func(object int, value func(string) any) {
				obj.Base = len(got)
				if set := alikeStep(i, object); check.CreateWithFields(obj, counted, set, nil) {
					check.UpdateAndRead(obj, counted, set+": update", map[string]any{a.field: value(obj.ScriptMark(set))}, nil)
				}
			}
			if !create(likeFirst, a.value) {
				continue
			}
			if update(likeUpdated, a.value); a.shown(obj, got, i, likeFirst) != a.shown(obj, got, i, likeUpdated) && create(likeSecond, a.value) && create(likePlain, a.plain) {
				update(likePlainUpdated, a.plain)
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		obj, _ := s.TestObject(s.Name)
		var rs []ruling.Ruling
		for i, a := range alikes(obj) {
			shown := func(object int) string { return a.shown(obj, got, i, object) }
			created, updated := a.look(obj, got, i, likeFirst), a.look(obj, got, i, likeUpdated)
			was, is := shown(likeFirst), shown(likeUpdated)
			switch {
			case was == "" || is == "":
			case was == is:
				rs = append(rs, ruling.Conforms().By(updated, created))
			case was == shown(likeSecond) && shown(likePlain) != "" && shown(likePlain) == shown(likePlainUpdated):
				rs = append(rs, ruling.Departs(a.field+" as a creation stores such a value, "+was, is).By(updated, created))
			}
		}
		if len(rs) == 0 {
			return ruling.NotApplicable("no value is shown in a form that can be compared, after a creation and after an update")
		}
		return ruling.Worst(rs...)
	},
	Fix: "bring a value into its form wherever it is stored",
}

// look is the last read of an object of the script.
func (a alike) look(obj model.TestObject, got probes.Answers, i, object int) probes.Observation {
	step := alikeStep(i, object)
	if update := got.Step(step + ": update"); update.Succeeded() {
		step += ": update: read"
	} else {
		step += ": first read"
	}
	o, _ := check.LastRead(obj, got, step)
	return o
}

// shown is the form in which an object of the script shows the field; "" where it does not, or where an update did not change it. The
// plain value may be what the object has from its creation.
func (a alike) shown(obj model.TestObject, got probes.Answers, i, object int) string {
	step := alikeStep(i, object)
	v := obj.ObjectIn(a.look(obj, got, i, object)).At(a.field)
	if object == likeUpdated || object == likePlainUpdated {
		before, _ := check.LastRead(obj, got, step+": first read")
		if !got.Step(step+": update").Succeeded() || v.Equal(obj.ObjectIn(before).At(a.field)) && object == likeUpdated {
			return ""
		}
	}
	if v.Is(probes.Absent) {
		return ""
	}
	return form(v, obj.ScriptMark(step))
}
