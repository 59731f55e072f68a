// Package suites plans what to ask an adapter and judges its answers, one
// requirement at a time. It knows the catalogue, the schemas, the shape of
// answers and of reports, and refuses to know wires, files and processes: a
// judge sees nothing but what was observed.
package suites

import (
	"fmt"
	"path"
	"runtime"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
)

// A Check proves or refutes one requirement. It has one of three shapes: active
// (Ask lists the questions, Judge reads the answers), scripted (Drive asks one
// question after the other, or Race several at once, and Judge reads what was said), or ambient (Watch judges
// each reply of the whole run, or Whole the run at once). All functions are pure: they send nothing
// themselves and see nothing but observations. A check has no severity; the
// catalogue row has it.
type Check struct {
	Requirement string
	On          func(f *Face) []Subject // what the check is about; no subject settles it without a verdict
	Lane        probes.Lane
	Ask         func(s Subject) []probes.Probe
	Drive       func(s Subject, ask Asking)
	Race        func(s Subject, ask Asking, together Together) // as Drive, where some questions have to be in flight at once
	Judge       func(s Subject, got []probes.Observation) Ruling
	Watch       func(f *Face, o probes.Observation) Ruling
	Strays      func(f *Face, strays []probes.Frame) Ruling                         // with Watch: judges messages that answered nothing
	News        func(f *Face, news []probes.Frame) Ruling                           // with Watch: judges what the adapter said unasked
	Every       bool                                                                // with Watch: judges the answers to all requests, not to calls of AQL tools alone
	Unseen      string                                                              // with Watch: why the rule does not apply when no reply was of its sort; empty where that proves nothing
	Enough      func(seen []*probes.Observation) Ruling                             // with Watch: judges whether what it ruled on in the whole run is enough to pass
	Whole       func(s Subject, got []probes.Observation, all probes.Record) Ruling // instead of Judge: sees beside its own answers all that was said in the run
	Losses      bool                                                                // judges unanswered questions itself; elsewhere they leave a case unproven
	Held        bool                                                                // judges questions that were kept back itself; elsewhere they leave a case unproven
	Limits      bool                                                                // judges answers that ask for patience itself; elsewhere they leave a case unproven
	Fix         string                                                              // what the author should mend, in the imperative

	where string // file and line of the check
}

// ambient reports whether the check cannot be judged before all is asked.
func (c *Check) ambient() bool { return c.Watch != nil || c.Whole != nil }

// Asking sends one probe of a script and returns what became of it.
type Asking func(probes.Probe) probes.Observation

// Together sends the probes of one step of a script without waiting for answers, and
// returns what became of each, in the order given. In which order they were sent, and
// answered, is in the frames.
type Together func([]probes.Probe) []probes.Observation

// A Ruling is a judgement without severity.
type Ruling struct {
	verdict  reports.Verdict // Fail stands for "violated" until the row's severity is applied
	want     string
	got      string
	note     string
	fix      string
	root     string
	evidence []probes.Observation
}

// Conforms rules that the adapter did what the requirement says.
func Conforms() Ruling { return Ruling{verdict: reports.Pass} }

// Violates rules that it did not. want and got are noun phrases in lower case;
// got may be the observation that shows it.
func Violates(want string, got any) Ruling { return rule(reports.Fail, want, got) }

// Departs rules that it did something the row disputes or merely regrets: a
// warning, whatever the severity of the row.
func Departs(want string, got any) Ruling { return rule(reports.Warn, want, got) }

// NotProven rules that the answers do not show it; want says what was missing.
func NotProven(want string, got any) Ruling { return rule(reports.NotProven, want, got) }

// NotApplicable rules that the specification excuses this adapter.
func NotApplicable(why string) Ruling { return Ruling{verdict: reports.NotApplicable, note: why} }

func rule(v reports.Verdict, want string, got any) Ruling {
	r := Ruling{verdict: v, want: want}
	switch g := got.(type) {
	case probes.Observation:
		r.got, r.evidence = g.Brief(), []probes.Observation{g}
	case probes.Value:
		r.got = clip(g.String())
	default:
		r.got = clip(fmt.Sprint(g))
	}
	return r
}

// clip keeps adapter text in want and got lines to a readable length; the
// evidence has it whole.
func clip(s string) string {
	const most = 160
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	return string(runes[:most]) + fmt.Sprintf("… (%d characters)", len(runes))
}

// Noting adds a remark: the reading applied, or a label.
func (r Ruling) Noting(note string) Ruling { r.note = note; return r }

// Mend says what would mend or, for NOT-PROVEN, prove it.
func (r Ruling) Mend(fix string) Ruling { r.fix = fix; return r }

// Because names the requirement whose failure explains this ruling.
func (r Ruling) Because(id string) Ruling { r.root = id; return r }

// By adds the observations the ruling rests on.
func (r Ruling) By(evidence ...probes.Observation) Ruling {
	r.evidence = append(slices.Clone(r.evidence), evidence...)
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
	return slices.MinFunc(rulings, func(x, y Ruling) int { return rank(x) - rank(y) })
}

// rank orders rulings, the most telling first.
func rank(r Ruling) int { return slices.Index(severityOrder, r.verdict) }

// severity turns a violation into what the row allows.
func severity(row Requirement, v reports.Verdict) reports.Verdict {
	switch {
	case row.Severity == "info" && (v == reports.Fail || v == reports.Warn):
		return reports.Pass // an info row never accuses the adapter
	case row.Severity == "warn" && v == reports.Fail:
		return reports.Warn
	}
	return v
}

var checks []*Check

// register adds a check; the row it names has to exist.
func register(c Check) bool {
	mustLookup(c.Requirement)
	_, file, line, _ := runtime.Caller(1)
	c.where = fmt.Sprintf("%s:%d", path.Base(file), line)
	checks = append(checks, &c)
	return true
}
