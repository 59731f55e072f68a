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

// easterns are ten past nine in the morning of a day soon, and of one that has been, five and a half hours east of UTC. A
// field may take days of one side alone. An adapter that rounds to quarters of an hour shows none of the moments of misread.
func easterns(s model.Subject) []time.Time {
	at := func(days int) time.Time {
		day := s.Today.UTC().AddDate(0, 0, days)
		return time.Date(day.Year(), day.Month(), day.Day(), 9, 10, 0, 0, time.FixedZone("", 5*3600+1800))
	}
	return []time.Time{at(30), at(-30)}
}

// misread are the offsets for which that of easterns may be taken: none, one without its minutes, and one to the west.
var misread = []time.Duration{0, 5 * time.Hour, -5*time.Hour - 30*time.Minute}

// misreads reports whether a moment is what a time with an offset is when the offset is taken for another one.
func misreads(shown, sent time.Time) bool {
	clock := time.Date(sent.Year(), sent.Month(), sent.Day(), sent.Hour(), sent.Minute(), sent.Second(), 0, time.UTC)
	return shown.Format(time.DateTime) == sent.Format(time.DateTime) ||
		slices.ContainsFunc(misread, func(offset time.Duration) bool { return shown.Equal(clock.Add(-offset)) })
}

// datedFields are what an operation can set to a date of a format, some of them: the parameters of a creation, the
// fields of an update.
func datedFields(s model.Subject, format string, most int) []probes.Parameter {
	fields := s.Op.Parameters
	if obj, why := s.TestObject(s.Name); s.Op.Category == "UPDATE" && why == nil {
		fields = obj.Fields
	}
	dated := slices.DeleteFunc(slices.Clone(fields), func(p probes.Parameter) bool { return p.Raw.At("format").Text() != format })
	return dated[:min(len(dated), most)]
}

// A tally asks for a script that makes several objects. Each is known by the place of its creation among the requests.
type tally struct {
	ask  model.AskFunc
	n    int                // requests so far
	last probes.Observation // the answer to the last one
}

func (t *tally) one(p probes.Probe) probes.Observation {
	t.n, t.last = t.n+1, t.ask(p)
	return t.last
}

// giveDate makes an object whose field has a date, by the creation or by an update, and reads it. It reports whether
// the date was taken, and how the read shows it.
func giveDate(s model.Subject, t *tally, step, field, date string) (taken bool, shown probes.Value) {
	obj, _ := s.TestObject(s.Name)
	obj.Base = t.n
	if s.Op.Category == "CREATE" {
		taken = check.CreateWithFields(obj, t.one, step, map[string]any{field: date})
	} else if check.CreateWithFields(obj, t.one, step, nil) {
		taken = t.one(obj.Apply(step+": update").With("input", map[string]any{field: date})).Succeeded()
		t.one(obj.Read(step + ": read"))
	}
	return taken, obj.ObjectIn(t.last).At(field)
}

// givenDate returns what became of a date: the answer to the request that set it, the read after it, and the field there.
func givenDate(s model.Subject, got probes.Answers, step, field string) (set, look probes.Observation, shown probes.Value) {
	obj, _ := s.TestObject(s.Name)
	set, look = got.Step(step+": created"), got.Step(step+": first read")
	if s.Op.Category == "UPDATE" {
		set, look = got.Step(step+": update"), got.Step(step+": read")
	}
	return set, look, obj.ObjectIn(look).At(field)
}

// mostMoments bounds how many fields of one operation are tried.
const mostMoments = 6

func momentStep(field, day int) string { return probes.Nth(momentKept, 2*field+day) }

// Section 4.7.2.
var momentsWithOffsetsAreKept = check.Check{
	Requirement: "AQL-4.7.2-04",
	Why:         "An offset that is dropped moves the moment by hours, and the answer looks right.",
	On: model.Only(model.EachListed, func(s model.Subject) bool {
		obj, why := s.TestObject(s.Name)
		return slices.Contains([]string{"CREATE", "UPDATE"}, s.Op.Category) && why == nil && obj.Viewer.Name != "" && len(datedFields(s, "date-time", mostMoments)) > 0
	}),
	Lane: probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		t := &tally{ask: ask}
		for i, p := range datedFields(s, "date-time", mostMoments) {
			for j, at := range easterns(s) {
				if taken, _ := giveDate(s, t, momentStep(i, j), p.Name, at.Format(time.RFC3339)); taken {
					break
				}
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		var rs []ruling.Ruling
		for i, p := range datedFields(s, "date-time", mostMoments) {
			for j, sent := range easterns(s) {
				set, look, shown := givenDate(s, got, momentStep(i, j), p.Name)
				switch is, err := time.Parse(time.RFC3339Nano, shown.Text()); {
				case !set.Succeeded() || err != nil:
				case is.Equal(sent):
					rs = append(rs, ruling.Conforms().By(look, set))
				case misreads(is, sent):
					rs = append(rs, ruling.Violates("the moment "+sent.UTC().Format(time.RFC3339)+" for "+p.Name, shown).By(look, set))
				}
			}
		}
		if len(rs) == 0 {
			return ruling.NotApplicable("a READ shows a moment as it was set")
		}
		return ruling.Worst(rs...)
	},
	Fix: "convert a time to UTC by its offset before it is stored",
}
