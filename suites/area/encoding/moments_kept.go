package encoding

import (
	"slices"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

const momentKept = "moment with an offset"

// eastern is nine in the morning of a day soon, five and a half hours east of UTC.
func eastern(s model.Subject) time.Time {
	day := s.Today.UTC().AddDate(0, 0, 30)
	return time.Date(day.Year(), day.Month(), day.Day(), 9, 0, 0, 0, time.FixedZone("", 5*3600+1800))
}

// momentFields are what an operation can set to a moment: the parameters of a creation, the fields of an update.
func momentFields(s model.Subject) []probes.Parameter {
	fields := s.Op.Parameters
	if obj, why := s.TestObject(s.Name); s.Op.Category == "UPDATE" && why == nil {
		fields = obj.Fields
	}
	moments := slices.DeleteFunc(slices.Clone(fields), func(p probes.Parameter) bool { return p.Raw.At("format").Text() != "date-time" })
	return moments[:min(len(moments), mostMoments)]
}

// mostMoments bounds how many fields of one operation are tried.
const mostMoments = 6

// Section 4.7.2.
var momentsWithOffsetsAreKept = check.Check{
	Requirement: "AQL-4.7.2-04",
	Why:         "An offset that is dropped moves the moment by hours, and the answer looks right.",
	On: model.Only(model.EachListed, func(s model.Subject) bool {
		obj, why := s.TestObject(s.Name)
		return slices.Contains([]string{"CREATE", "UPDATE"}, s.Op.Category) && why == nil && obj.Viewer.Name != "" && len(momentFields(s)) > 0
	}),
	Lane: probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		obj, _ := s.TestObject(s.Name)
		for i, p := range momentFields(s) {
			step, text := probes.Nth(momentKept, i), eastern(s).Format(time.RFC3339)
			if s.Op.Category == "CREATE" {
				check.CreateWithFields(obj, ask, step, map[string]any{p.Name: text})
			} else if check.CreateWithFields(obj, ask, step, nil) {
				ask(obj.Apply(step+": update").With("input", map[string]any{p.Name: text}))
				ask(obj.Read(step + ": read"))
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		obj, _ := s.TestObject(s.Name)
		var rs []ruling.Ruling
		for i, p := range momentFields(s) {
			step := probes.Nth(momentKept, i)
			set, look := got.Step(step+": created"), got.Step(step+": first read")
			if s.Op.Category == "UPDATE" {
				set, look = got.Step(step+": update"), got.Step(step+": read")
			}
			is, err := time.Parse(time.RFC3339Nano, obj.ObjectIn(look).At(p.Name).Text())
			sent := eastern(s)
			switch {
			case !set.Succeeded() || err != nil:
			case is.Equal(sent):
				rs = append(rs, ruling.Conforms().By(look, set))
			case is.Format(time.DateTime) == sent.Format(time.DateTime):
				rs = append(rs, ruling.Violates("the moment "+sent.UTC().Format(time.RFC3339)+" for "+p.Name, obj.ObjectIn(look).At(p.Name)).By(look, set))
			}
		}
		if len(rs) == 0 {
			return ruling.NotApplicable("a READ shows a moment as it was set")
		}
		return ruling.Worst(rs...)
	},
	Fix: "convert a time to UTC by its offset before it is stored",
}
