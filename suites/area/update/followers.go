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

// An adapter may work out a field from others, as a gross price from a net price and a
// kind of goods. No client sets such a field. A creation shows what follows from a value,
// and an update to that value has to show the same.

const followers = "fields that follow from others"

// A lead is a field of few values that others follow from, as a description says.
type lead struct {
	probes.Parameter
	followers []string
}

const (
	mostLeads     = 2 // of a kind
	mostLed       = 3 // values of each
	mostFollowers = 3 // fields of each
	mostPartners  = 12
)

// leads are the fields of few values that both the creation and the update take, with the
// fields that follow from them.
func leads(obj model.TestObject) (all []lead) {
	for _, p := range obj.Fields {
		if len(values(obj, p)) > 0 && obj.IDs[p.Name] == nil && !obj.Refers(p) && obj.Maker.Op.HasParameter(p.Name) && len(all) < mostLeads {
			if names := followersOf(obj, p); len(names) > 0 {
				all = append(all, lead{p, names})
			}
		}
	}
	return all
}

// values are those that the creations of the run do not give a field, and that promise no
// effect on others.
func values(obj model.TestObject, p probes.Parameter) []probes.Value {
	all := obj.EnumOf(p)
	if p.Type == "boolean" {
		all = []probes.Value{probes.ValueOf(true), probes.ValueOf(false)}
	}
	creation, _ := obj.Create(followers+": created", nil)
	usual, given := creation.Params()[p.Name]
	rest := slices.DeleteFunc(slices.Clone(all), func(v probes.Value) bool {
		return given && v.Equal(probes.ValueOf(usual)) || model.ReachesOut(p, v)
	})
	return rest[:min(len(rest), mostLed)]
}

// initially matches what is said of a field that shows what was so at first.
var initially = regexp.MustCompile(`(?i)initial|\bfirst|origin|creat|\bonce\b|never|fix|anfang|erst|ursprüng|angelegt|inicial|primer|cread|iniziale|primo|premi|créat|始|最初`)

// followersOf are the numbers and flags of a documented type that no request sets and that
// follow from a field: their description names the field or one of its values, or that of
// the field names them.
func followersOf(obj model.TestObject, p probes.Parameter) (names []string) {
	settable := func(name string) bool {
		return obj.Maker.Op.HasParameter(name) || slices.ContainsFunc(obj.Fields, func(q probes.Parameter) bool { return q.Name == name })
	}
	told := func(text, word string) bool { return len(word) > 3 && check.WholeWord(word).MatchString(text) }
	for _, t := range obj.Types {
		fields := t.Details.At("fields").Items()
		if !slices.ContainsFunc(fields, func(f probes.Value) bool { return f.At("name").Text() == p.Name }) {
			continue
		}
		for _, f := range fields {
			name, text := f.At("name").Text(), f.At("description").Text()
			counted := slices.Contains([]string{"integer", "number", "boolean"}, f.At("type").Text()) && !initially.MatchString(name+" "+text)
			follows := told(text, p.Name) || told(p.Raw.At("description").Text(), name) ||
				slices.ContainsFunc(obj.EnumOf(p), func(v probes.Value) bool { return told(text, v.Text()) })
			if counted && follows && !settable(name) && !slices.Contains(names, name) && len(names) < mostFollowers {
				names = append(names, name)
			}
		}
	}
	return names
}

// control names the script of a second object with the usual value. It has to show the
// same followers again.
func (l lead) control() string { return followers + ": " + l.Name + ", usual" }

func (l lead) step(v probes.Value) string { return followers + ": " + l.Name + " " + v.String() }

// change sends an update of the field alone, or with a value of another field of few values
// where that is refused. It returns what was accepted.
func (l lead) change(obj model.TestObject, ask model.AskFunc, v probes.Value) (set map[string]any) {
	set = map[string]any{l.Name: v.Go()}
	o := check.UpdateAndRead(obj, ask, l.step(v)+": update", set, nil)
	if o.Succeeded() || !strings.HasPrefix(o.Code(), "VALIDATION_") && !strings.HasPrefix(o.Code(), "CONFLICT_") {
		return set
	}
	for _, q := range obj.Fields {
		partners := obj.EnumOf(q)
		for _, w := range partners[:min(len(partners), mostPartners)] {
			if set = map[string]any{l.Name: v.Go(), q.Name: w.Go()}; q.Name != l.Name && check.UpdateAndRead(obj, ask, l.step(v)+": update: with "+q.Name+" "+w.String(), set, nil).Succeeded() {
				return set
			}
		}
	}
	return nil
}

// Section 4.5.1.
var whatFollowsFromAFieldFollowsAnUpdate = check.Check{
	Requirement: "AQL-4.5.1-01",
	Why:         "A handler works out a total for some of the fields that it follows from, and keeps the old one for the others.",
	On:          updatesOf(func(obj model.TestObject) bool { return len(leads(obj)) > 0 }),
	Lane:        probes.Serial,
	Fix:         "work out what follows from a field after each change of it",
	Drive: func(s model.Subject, ask model.AskFunc) {
		obj, _ := s.TestObject(s.Name)
		var got probes.Answers
		counted := ask.Into(&got)
		for _, l := range leads(obj) {
			if obj.Base = len(got); !check.CreateWithFields(obj, counted, l.control(), nil) {
				continue
			}
			for _, v := range values(obj, l.Parameter) {
				if obj.Base = len(got); !check.CreateWithFields(obj, counted, l.step(v), nil) {
					continue
				}
				if set := l.change(obj, counted, v); set != nil {
					obj.Base = len(got)
					check.CreateWithFields(obj, counted, l.step(v)+", created so", set)
				}
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		obj, _ := s.TestObject(s.Name)
		var rs []ruling.Ruling
		for _, l := range leads(obj) {
			for _, v := range values(obj, l.Parameter) {
				rs = append(rs, l.followed(obj, got, v)...)
			}
		}
		if len(rs) == 0 {
			return ruling.NotApplicable("no field that no client sets follows from " + leads(obj)[0].Name)
		}
		return ruling.Worst(rs...)
	},
}

// followed rules on what followed from one value; none where the value is refused, or
// where nothing follows from it.
func (l lead) followed(obj model.TestObject, got probes.Answers, v probes.Value) (rs []ruling.Ruling) {
	created, updated := got.Step(l.step(v)+": created"), got.Step(l.step(v)+": update")
	control, seen := check.LastRead(obj, got, l.control())
	if !seen {
		return []ruling.Ruling{ruling.NotProven("an object of our own, shown by a READ", got.Last())}
	}
	if !created.Succeeded() || !updated.Succeeded() {
		return nil
	}
	before, first := check.LastRead(obj, got, l.step(v)+": first read")
	after, second := check.LastRead(obj, got, l.step(v)+": update")
	made, third := check.LastRead(obj, got, l.step(v)+", created so: first read")
	if !first || !second || !third {
		return []ruling.Ruling{ruling.NotProven("objects of our own, shown by a READ", got.Last())}
	}
	for _, name := range l.followers {
		was, is, want := obj.ObjectIn(before).At(name), obj.ObjectIn(after).At(name), obj.ObjectIn(made).At(name)
		switch {
		case !was.Equal(obj.ObjectIn(control).At(name)): // something else changes it
		case was.Is(probes.Absent) || want.Is(probes.Absent) || want.Equal(was): // it does not follow
		case !obj.ObjectIn(after).At(l.Name).Equal(v):
			rs = append(rs, ruling.NotProven(l.Name+" "+v.String()+" after the update", obj.ObjectIn(after).At(l.Name)).By(after))
		case is.Equal(want):
			rs = append(rs, ruling.Conforms().By(after, made))
		case is.Equal(was):
			rs = append(rs, ruling.Departs(name+" "+want.String()+", as a creation with "+l.Name+" "+v.String()+" shows", is).By(after, made, before))
		default:
			rs = append(rs, ruling.NotProven(name+" "+want.String()+" or "+was.String(), is).By(after, made, before))
		}
	}
	return rs
}
