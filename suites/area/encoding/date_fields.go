package encoding

import (
	"maps"
	"slices"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Dates stand in objects, too: in the input of an update, and in an object that a creation takes.

const dateField = "date in an object"

// isDate reports whether a record has the format of a day or a moment.
func isDate(p probes.Parameter) bool {
	return slices.Contains([]string{"date", "date-time"}, p.Raw.At("format").Text())
}

// A datePlace is a date field of an object that an operation takes.
type datePlace struct{ object, field probes.Parameter }

// datePlaces are the date fields of the objects that an UPDATE or a CREATE requires.
func datePlaces(s model.Subject) (all []datePlace) {
	for _, p := range s.Op.Parameters {
		fields, _ := s.FieldsOf(p, probes.Operation{})
		for _, f := range fields {
			if p.Required && isDate(f) && !f.Raw.At("readOnly").True() {
				all = append(all, datePlace{p, f})
			}
		}
	}
	return all
}

// otherFormsOf are texts that are no dates for a field. Its type has requirements of its own.
func otherFormsOf(p probes.Parameter) []any {
	return slices.DeleteFunc(slices.Clone(noDates[p.Raw.At("format").Text()]), func(v any) bool { return !probes.ValueOf(v).Is(probes.String) })
}

// Section 4.7.2.
var otherDateFormsAreRefusedInObjects = check.Check{
	Requirement: "AQL-4.7.2-05",
	Why:         "An adapter that parses its parameters may take the members of an object as they are.",
	On: func(f *model.Adapter) []model.Subject {
		return model.Only(model.EachUsable, func(s model.Subject) bool {
			_, why := s.TestObject(s.Name)
			return s.Ruling == nil && len(datePlaces(s)) > 0 && (s.Op.Category == "CREATE" || s.Op.Category == "UPDATE" && why == nil)
		})(f)
	},
	Lane: probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		obj, _ := s.TestObject(s.Name)
		if s.Op.Category == "UPDATE" && !check.CreateWithFields(obj, ask, dateField, nil) {
			return
		}
		for i, place := range datePlaces(s) {
			forms := append([]any{isoDate(place.field)}, otherFormsOf(place.field)...)
			for j, v := range forms {
				step := probes.Nth(probes.Nth(dateField+": field", i)+": form", j)
				if s.Op.Category == "UPDATE" {
					ask(obj.Apply(step).With(place.object.Name, map[string]any{place.field.Name: v}))
					continue
				}
				call := s.FreshCall(step).Anew(step)
				object, _ := model.Native(call.Params()[place.object.Name]).(map[string]any)
				if object = maps.Clone(object); object == nil {
					return
				}
				if object[place.field.Name] = v; j > 0 { // the valid request is the control
					ask(call.With(place.object.Name, object))
				} else {
					ask(call)
				}
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		var rs []ruling.Ruling
		for i, place := range datePlaces(s) {
			step := probes.Nth(dateField+": field", i)
			control := got.Step(probes.Nth(step+": form", 0))
			for j, v := range otherFormsOf(place.field) {
				switch o, sent := got.Find(probes.Nth(step+": form", j+1)); {
				case !sent:
				case !control.Succeeded() || o.Deferred():
					rs = append(rs, ruling.NotProven("a request with a date that succeeds", control).By(o))
				case o.Succeeded():
					rs = append(rs, ruling.Departs("a refusal of "+probes.ValueOf(v).String()+" for "+place.object.Name+"."+place.field.Name, o).By(control))
				default:
					rs = append(rs, ruling.Conforms().By(o, control))
				}
			}
		}
		if len(rs) == 0 {
			return ruling.NotProven("a request with a date that succeeds", got.Last())
		}
		return ruling.Worst(rs...)
	},
	Fix: "parse dates as ISO 8601 and refuse everything else, inside objects too",
}

// isoDate is a date of the field in its documented form.
func isoDate(p probes.Parameter) any {
	day := time.Date(2031, 3, 5, 10, 30, 0, 0, time.UTC)
	if p.Raw.At("format").Text() == "date" {
		return day.Format(time.DateOnly)
	}
	return day.Format(time.RFC3339)
}
