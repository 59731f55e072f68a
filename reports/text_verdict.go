package reports

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// verdictBlock answers first what the reader came for.
func (p *page) verdictBlock() {
	run := p.Run
	p.line(span{strings.TrimSpace(run.Tool), bold}, plain(fmt.Sprintf("  MCP-AQL %s", run.SpecVersion)))
	p.line()
	v, word, rest := p.outcome()
	lines := wrap(word+" "+rest, p.opt.Width-1) // two spaces part the word from the rest
	style := append(slices.Clone(styles[v]), bold...)
	p.line(span{word, style}, plain(" "+strings.TrimPrefix(lines[0], word)))
	p.labelled(4, "", 0, p.few(strings.Join(lines[1:], " "), p.opt.Width-4, 4))
	details := run.Detail
	if n := len(details); n > maxDetails && !p.opt.Verbose {
		details = append(slices.Clone(details[:maxDetails-1]), fmt.Sprintf("and %d more lines; -v shows all", n-maxDetails+1))
	}
	for _, d := range details {
		shown := []string{clip(d, p.opt.Width-6)}
		if strings.HasPrefix(d, "next: ") || p.opt.Verbose { // ours, and of use only when whole
			shown = wrap(d, p.opt.Width-6)
		}
		p.labelled(4, "|", 2, shown)
	}
	p.line()
	p.about("adapter", run.Adapter)
	p.about("server", p.server())
	if run.Conclusion != "" {
		return
	}
	for _, l := range p.Levels {
		p.level(l)
	}
	if claim := p.claimLine(); claim != "" {
		p.about("claim", claim)
	}
	if p.Run.Reach != nil {
		p.about("reach", p.Run.Reach.String())
	}
	p.about("passed", p.again())
}

// maxDetails is how many lines explain a conclusion unless all is asked for.
const maxDetails = 12

// about writes one fact of the verdict block.
func (p *page) about(label, text string) {
	p.labelled(2, label, 10, p.few(text, p.opt.Width-12, 2))
}

// outcome is the verdict in a word or two, and in a sentence.
func (p *page) outcome() (v Verdict, word, rest string) {
	switch p.ExitCode {
	case 6:
		return Fail, "CHECKER FAULT", "this report cannot be relied on: " + strings.Join(p.faults, "; ")
	case 130:
		if n := p.Run.StoppedAtMiB; n > 0 {
			return NotProven, fmt.Sprintf("STOPPED AT %d MiB", n), "the run held more memory, so the results are incomplete: " + p.moreMemory()
		}
		return NotProven, "INTERRUPTED", "the run was cut short, so the results are incomplete"
	case 4:
		return Fail, "NOT JUDGED", p.Run.Conclusion
	}
	v, word, rest = p.stand()
	if n := p.Run.Cured; n > 0 {
		rest += "; flaky: " + plural(n, "request") + " met a transient error"
	}
	if p.Baseline == nil {
		return v, word, rest
	}
	if len(p.Baseline.Departures) > 0 {
		v = Fail
	}
	return v, word, rest + p.Baseline.said()
}

// moreMemory is the flag for a run that was stopped for its memory.
func (r *Report) moreMemory() string { return fmt.Sprintf("use --max-memory %d", 4*r.Run.StoppedAtMiB) }

// stand is what the run says of the adapter, whatever a gate makes of that.
func (p *page) stand() (v Verdict, word, rest string) {
	claim := fmt.Sprintf("to MCP-AQL %s level %d", p.Run.SpecVersion, p.Run.Level)
	switch asked := p.standing(p.Run.Level); {
	case asked == Nonconformant:
		return Fail, "NOT CONFORMANT", fmt.Sprintf("%s; level reached: %s", claim, p.reached())
	case p.broken() > 0:
		return Fail, "BROKEN FEATURE", fmt.Sprintf("%s outside the levels failed; level reached for MCP-AQL %s: %s",
			plural(p.broken(), "requirement"), p.Run.SpecVersion, p.reached())
	case asked != Conformant && p.passedPart() != "":
		return Pass, "PASSED", p.passedPart() + " (a part of a run grants no level)"
	case asked != Conformant && p.mended() && p.ExitCode != 5 && p.stillWarned():
		return Warn, "WARNED", "nothing failed of what was judged again, but a warning stands; a complete run is needed to judge the level"
	case asked != Conformant && p.mended() && p.ExitCode != 5:
		return Pass, "MENDED", p.howMended() + "; a complete run is needed to judge the level"
	case asked == Conformant && p.Run.RequireProof && len(p.openMusts(p.Run.Level)) > 0:
		return NotProven, "NOT PROVEN", "nothing failed, but a MUST is not proven, and --require-proof was given"
	case asked != Conformant:
		why := "nothing failed, but core requirements could not be checked" + p.unexercised()
		if len(p.Run.Narrowed) > 0 {
			why = "nothing failed in the selected part, but only a complete run grants a level"
		}
		if open := p.stillOpen(); len(open) > 0 {
			why = "nothing failed of what was judged again, but not proven: " + shorten(open, 5)
		}
		return NotProven, "NOT PROVEN", fmt.Sprintf("%s: %s; level reached: %s", claim, why, p.reached())
	}
	rest = fmt.Sprintf("to MCP-AQL %s level %d", p.Run.SpecVersion, p.ConformanceLevel)
	if p.ConformanceLevel > p.Run.Level {
		rest += fmt.Sprintf("; level %d was asked for", p.Run.Level)
	}
	if p.Run.Strict && p.departed() {
		return Warn, "CONFORMANT", rest + "; there are warnings, and --strict was given"
	}
	return Pass, "CONFORMANT", rest
}

func (p *page) reached() string {
	if p.ConformanceLevel == 0 {
		return "none"
	}
	return fmt.Sprint(p.ConformanceLevel)
}

// server says who answered, and how it speaks.
func (p *page) server() string {
	run := p.Run
	facts := []string{strings.TrimSpace(run.Implementation + " " + run.Version)}
	if run.Revision != "" {
		facts = append(facts, "MCP "+run.Revision)
	}
	if run.Profile != "" {
		facts = append(facts, run.Profile+" profile")
	}
	switch len(run.Modes) {
	case 0:
	case 1:
		facts = append(facts, "mode "+run.Modes[0])
	default:
		facts = append(facts, "modes "+strings.Join(run.Modes, ", "))
	}
	return strings.Join(slices.DeleteFunc(facts, func(s string) bool { return s == "" }), ", ")
}

// level prints a level, and both totals where all is asked for; the basis that decided is marked.
func (p *page) level(l Level) {
	normative := " (normative text alone)"
	if p.Run.Basis == "normative" {
		normative = " (normative text alone, which decides here)"
	}
	if l.Number == p.Run.Level && len(p.Run.Narrowed) == 0 {
		p.about("proven", l.Must.bar())
	}
	text := fmt.Sprintf("%s: %s", l.said(), l.Must)
	if l.Untested > 0 {
		text += "; " + plural(l.Untested, "requirement") + " not checked by this version"
	}
	p.about(fmt.Sprintf("level %d", l.Number), text)
	if p.opt.Verbose || p.Run.Basis == "normative" {
		p.about("", l.Normative.String()+normative)
	}
}

// said is the standing, with its reason where no requirement of the level failed.
func (l Level) said() string {
	if l.Number > 1 && l.Standing == Nonconformant && l.Must.Failed == 0 {
		return string(l.Standing) + " because level 1 is"
	}
	return string(l.Standing)
}

// bar draws the share of MUSTs that are proven, 20 columns wide. Only a whole share fills it.
func (m Must) bar() string {
	all := m.Passed + m.Failed + m.NotProven
	if all == 0 {
		return ""
	}
	n := 20 * m.Passed / all
	return fmt.Sprintf("[%s%s] %d %% of the MUSTs", strings.Repeat("#", n), strings.Repeat(".", 20-n), 100*m.Passed/all)
}

// String is "6 of 10 MUSTs proven, 2 failed, 2 not proven, 1 not applicable".
func (m Must) String() string {
	return fmt.Sprintf("%d of %s proven", m.Passed, plural(m.Passed+m.Failed+m.NotProven, "MUST")) +
		tally(", ", []tallied{{m.Failed, "failed"}, {m.NotProven, "not proven"}, {m.NotApplicable, "not applicable"}})
}

type tallied struct {
	n    int
	word string
}

// tally lists what there is at least one of, the first after lead.
func tally(lead string, list []tallied) string {
	s := ""
	for _, t := range list {
		if t.n > 0 {
			s += fmt.Sprintf("%s%d %s", lead, t.n, t.word)
			lead = ", "
		}
	}
	return s
}

// passedPart names the few requirements that were asked for, where all of them passed. What failed before
// is mended or not, subject by subject.
func (p *page) passedPart() string {
	if len(p.Run.Rechecked) > 0 {
		return ""
	}
	for _, f := range p.Findings {
		if v := p.verdicts[f.Requirement]; v == Fail || v == Warn || v == NotProven {
			return ""
		}
	}
	return p.again()
}

// again names what passed of a few requirements that were asked for: who mends an
// adapter runs one finding again and wants to read that it is gone.
func (p *page) again() string {
	const few = 12
	if len(p.Run.Narrowed) == 0 || p.Summary.Pass > few {
		return ""
	}
	var ids []string
	for _, f := range p.Findings {
		if p.verdicts[f.Requirement] == Pass {
			ids = append(ids, f.Requirement)
		}
	}
	return strings.Join(Distinct(nil, ids), ", ")
}

// unlock names what would prove most of the open MUSTs, how many that settles, and how many other
// ways there are.
func (p *page) unlock() (way string, settles, others int) {
	ways, _ := p.open()
	ways = slices.DeleteFunc(ways, func(s settling) bool { return s.fix == "" || p.musts(s.findings) == 0 })
	if len(ways) == 0 {
		return "", 0, 0
	}
	return ways[0].advice(), p.musts(ways[0].findings), len(ways) - 1
}

// footer is what is needed to repeat the run and to compare it.
func (p *page) footer() {
	p.line()
	for _, remark := range p.remarks(true) {
		p.labelled(0, "remark", 8, wrap(remark, p.opt.Width-8))
	}
	if gaps := p.gaps(); gaps != "" {
		p.labelled(0, "gaps", 8, wrap(gaps, p.opt.Width-8))
	}
	p.counted()
	p.closing()
}

// counted is what the run found, what it cost, and what it is compared by.
func (p *page) counted() {
	s := p.Summary
	if p.Run.Conclusion == "" { // else nothing was judged
		p.labelled(0, "counts", 8, wrap(plural(len(p.verdicts), "requirement")+":"+tally(" ", []tallied{
			{s.Pass, "pass"}, {s.Fail, "fail"}, {s.Warn, "warn"}, {s.NotProven, "not proven"},
			{s.Skipped, "skipped"}, {s.NotApplicable, "not applicable"}}), p.opt.Width-8))
	}
	p.labelled(0, "run", 8, wrap(fmt.Sprintf("seed %d, %s in %s, exit code %d", p.Run.Seed,
		plural(p.Run.Asked, "request"), p.Run.Elapsed.Round(10*time.Millisecond), p.ExitCode), p.opt.Width-8))
	p.labelled(0, "digest", 8, []string{p.Digest})
}

// remarks are the operator's facts, what else shapes the verdict, and what was measured beside it.
func (r *Report) remarks(measured bool) []string {
	out := slices.Clone(r.Run.Remarks)
	if measured {
		out = append(out, r.Run.Measured...)
	}
	if r.Run.Basis == "normative" {
		out = append(out, "--basis normative: informative text does not count for the levels")
	}
	if r.Run.Interrupted && r.Run.StoppedAtMiB == 0 { // else the headline says it
		out = append(out, "interrupted: the run was cut short")
	}
	if r.Run.Stopped {
		out = append(out, "stopped at the first failure: later checks did not run, and no level is granted")
	}
	for _, f := range r.faults {
		out = append(out, "error in the checker: "+f)
	}
	return out
}
