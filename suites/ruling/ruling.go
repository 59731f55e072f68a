// Package ruling has the judgement of one requirement on one subject. It carries no severity.
package ruling

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
)

// A Ruling is a judgement without severity.
type Ruling struct {
	Verdict  reports.Verdict // Fail stands for "violated" until the row's severity is applied
	Want     string
	Got      string
	Note     string
	Fix      string
	Root     string
	Evidence []probes.Observation
	Moved    bool // NOT-PROVEN because something changed meanwhile, so that other answers may show it
}

// Conforms rules that the adapter did what the requirement says.
func Conforms() Ruling { return Ruling{Verdict: reports.Pass} }

// Violates rules that it did not. want and got are noun phrases in lower case;
// got may be the observation that shows it.
func Violates(want string, got any) Ruling { return rule(reports.Fail, want, got) }

// Departs rules that it did something the row disputes or merely regrets: a
// warning, whatever the severity of the row.
func Departs(want string, got any) Ruling { return rule(reports.Warn, want, got) }

// NotProven rules that the answers do not show it; want says what was missing.
func NotProven(want string, got any) Ruling { return rule(reports.NotProven, want, got) }

// Moved is NotProven where answers cannot be compared, because others changed something meanwhile. A
// check that handles this is asked again.
func Moved(want string, got any) Ruling {
	r := rule(reports.NotProven, want, got)
	r.Moved = true
	return r
}

// NotApplicable rules that the specification excuses this adapter.
func NotApplicable(why string) Ruling { return Ruling{Verdict: reports.NotApplicable, Note: why} }

func rule(v reports.Verdict, want string, got any) Ruling {
	r := Ruling{Verdict: v, Want: want}
	switch g := got.(type) {
	case probes.Observation:
		r.Got, r.Evidence = g.Brief(), []probes.Observation{g}
	case probes.Value:
		r.Got = Clip(g.String())
	default:
		r.Got = Clip(fmt.Sprint(g))
	}
	return r
}

// Clip keeps adapter text in want and got lines to a readable length; the
// evidence has it whole.
func Clip(s string) string {
	const most = 160
	count := 0
	for i := range s {
		if count == most {
			return string([]rune(s[:i])) + fmt.Sprintf("… (%d characters)", utf8.RuneCountInString(s))
		}
		count++
	}
	return s
}

// Noting adds a remark: the reading applied, or a label.
func (r Ruling) Noting(note string) Ruling { r.Note = note; return r }

// Mend says what would mend or, for NOT-PROVEN, prove it.
func (r Ruling) Mend(fix string) Ruling { r.Fix = fix; return r }

// Because names the requirement whose failure explains this ruling.
func (r Ruling) Because(id string) Ruling { r.Root = id; return r }

// By adds the observations the ruling rests on. A request that the script did not come to is none.
func (r Ruling) By(evidence ...probes.Observation) Ruling {
	came := slices.DeleteFunc(slices.Clone(evidence), func(o probes.Observation) bool { return o.Outcome == "" })
	r.Evidence = append(slices.Clone(r.Evidence), came...)
	return r
}

// severityOrder ranks verdicts from the most to the least telling.
var severityOrder = []reports.Verdict{reports.Fail, reports.Warn, reports.NotProven, reports.Pass, reports.Skipped, reports.NotApplicable}

// Worst returns the most telling of the rulings: a violation before a departure
// before what could not be proven; it conforms only when all do. Rulings that do
// not apply count only when there is no other.
func Worst(rulings ...Ruling) Ruling {
	if len(rulings) == 0 {
		return NotProven("something to judge", "nothing")
	}
	return slices.MinFunc(rulings, func(x, y Ruling) int { return Rank(x) - Rank(y) })
}

// Rank orders rulings, the most telling first.
func Rank(r Ruling) int { return slices.Index(severityOrder, r.Verdict) }
