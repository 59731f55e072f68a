package suites

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
)

// A Selection narrows a run to some requirements and subjects. Empty means all.
type Selection struct {
	Run     []string // ids, areas or globs of ids
	Skip    []string // the same, left out
	Subject string   // glob over subjects
	Leave   []fixtures.Skip
	Shard   int // the part of the plan that is judged, from 1; 0 for the whole
	Shards  int // how many parts there are
}

// elsewhere reports whether another shard has what goes by that name. The partition
// depends on nothing else, so that all shards agree.
func (s Selection) elsewhere(name string) bool {
	if s.Shard == 0 {
		return false
	}
	h := fnv.New64a()
	io.WriteString(h, name)
	return h.Sum64()%uint64(s.Shards) != uint64(s.Shard-1)
}

// A Plan is every case of a run, in catalogue order.
type Plan struct {
	Faces   []*Face
	Cases   []*Case
	Skipped []Omission // checked requirements the operator left out
	Left    []Leftover // what the run made and could not remove; known after Ask
	Effort  Effort     // generated input; none unless set before Ask

	again     string
	selection Selection
	omitted   []reports.Finding // subjects the author left out
	trials    []*staging
	reduced   []reduction
}

// A Case is one check applied to one subject.
type Case struct {
	Check   *Check
	Subject Subject

	got    []probes.Observation
	done   chan struct{}
	finish sync.Once
	judged bool
}

// end marks the case as asked; it may be called more than once.
func (c *Case) end() { c.finish.Do(func() { close(c.done) }) }

// NewPlan lists the cases for the faces. again is the part of the command line
// that names the target, for the line that repeats a finding. An error names a
// pattern that matches nothing.
func NewPlan(faces []*Face, sel Selection, again string) (*Plan, error) {
	if err := cmp.Or(sel.valid(), sel.validLeave(faces)); err != nil {
		return nil, err
	}
	p := &Plan{Faces: faces, again: again, selection: sel}
	for _, c := range ordered() {
		row := mustLookup(c.Requirement)
		if reason, out := sel.omission(row); out {
			if !slices.ContainsFunc(p.Skipped, func(o Omission) bool { return o.ID == row.ID }) {
				p.Skipped = append(p.Skipped, Omission{row, reason})
			}
			continue
		}
		if c.Watch == nil && sel.elsewhere(row.ID) { // what every reply shows is judged by all
			p.omitted = append(p.omitted, reports.Finding{
				Requirement: row.ID, Verdict: reports.Skipped, Subject: "adapter", Note: "left to another shard", Elsewhere: true,
			})
			continue
		}
		for _, f := range faces {
			p.add(c, f, sel.Subject)
		}
	}
	if sel.Subject != "" && len(p.Cases)+len(p.omitted) == 0 {
		return nil, fmt.Errorf("--subject %q matches no subject of the selected requirements", sel.Subject)
	}
	return p, nil
}

func (p *Plan) add(c *Check, f *Face, subject string) {
	subjects := []Subject{{Face: f, Name: "adapter"}}
	if c.Watch == nil {
		subjects = c.On(f)
	}
	if len(subjects) == 0 {
		subjects = []Subject{nothing(c, f)}
	}
	for _, s := range subjects {
		if ok, _ := path.Match(subject, s.Name); !(subject == "" || ok || c.Watch != nil) {
			continue
		}
		if reason, out := p.selection.leaves(s.Op.Name); out {
			p.omitted = append(p.omitted, omitted(c, s, reason))
		} else {
			p.Cases = append(p.Cases, &Case{Check: c, Subject: s, done: make(chan struct{})})
		}
	}
}

// nothing settles a check that found no subject: the specification excuses the
// adapter only when introspection was understood and the row names its condition
// or is about operations of which there are none.
func nothing(c *Check, f *Face) Subject {
	s := Subject{Face: f, Name: "adapter"}
	row := mustLookup(c.Requirement)
	switch {
	case f.Introspect == "":
		return s.settle(NotProven("a tool that answers introspect", "none").Because("AQL-7.2-01"))
	case len(f.Operations) == 0: // what lists nothing is excused from nothing
		return s.settle(NotProven("a listing of operations", "none that could be read").Because("AQL-7.3-01"))
	case row.When != nil:
		return s.settle(NotApplicable("does not hold: " + *row.When))
	}
	return s.settle(NotApplicable("the adapter offers nothing this row is about"))
}

// ordered returns the checks in catalogue order.
func ordered() []*Check {
	list := slices.Clone(checks)
	slices.SortStableFunc(list, func(x, y *Check) int {
		return cmp.Compare(catalogueIndex[x.Requirement], catalogueIndex[y.Requirement])
	})
	return list
}

func (s Selection) chooses(r Requirement) bool {
	_, left := s.left(r)
	return !left && (len(s.Run) == 0 || matchesAny(s.Run, r)) && !matchesAny(s.Skip, r)
}

func matchesAny(patterns []string, r Requirement) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		if p == r.Area {
			return true
		}
		ok, _ := path.Match(strings.ToUpper(p), r.ID)
		return ok || slices.Contains(r.Also, strings.ToUpper(p))
	})
}

// valid refuses patterns that select nothing: a run that matched nothing must
// not pass.
func (s Selection) valid() error {
	for flag, patterns := range map[string][]string{"--run": s.Run, "--skip": s.Skip} {
		for _, p := range patterns {
			if _, err := path.Match(p, ""); err != nil {
				return fmt.Errorf("%s %q: %w", flag, p, err)
			}
			if !slices.ContainsFunc(Catalogue, func(r Requirement) bool { return matchesAny([]string{p}, r) }) {
				return fmt.Errorf("%s %q matches no requirement%s", flag, p, DidYouMean(p, names()))
			}
		}
	}
	if !slices.ContainsFunc(checks, func(c *Check) bool { return s.chooses(mustLookup(c.Requirement)) }) {
		return fmt.Errorf("the selection leaves no checked requirement")
	}
	return nil
}

func names() []string {
	all := Areas()
	for _, r := range Catalogue {
		all = append(all, r.ID)
	}
	return all
}

// DidYouMean returns ", did you mean X?" for the closest of the words, or "" when
// none is close.
func DidYouMean(typed string, words []string) string {
	best, distance := "", min(4, len(typed)/2+1)
	for _, w := range words {
		if d := editDistance(strings.ToLower(typed), strings.ToLower(w)); d < distance {
			best, distance = w, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(", did you mean %q?", best)
}

// editDistance is the number of letters to insert, drop or replace.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		above := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			above, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, above+cost)
		}
	}
	return row[len(b)]
}

// ask sends what the case needs and keeps the observations.
func (c *Case) ask(ctx context.Context, asker probes.Asker) {
	defer c.end()
	defer func() { c.got = slices.Clip(slices.Clone(c.got)) }() // held to the end of the run
	if c.Subject.settled != nil {
		return
	}
	one := func(p probes.Probe) probes.Observation {
		resolved, ok := p.Resolve(c.got)
		if !ok {
			return probes.Observation{Probe: p, Outcome: probes.Unasked, Exit: "an earlier answer lacks a value it needs"}
		}
		return asker.Ask(ctx, resolved)
	}
	shown := func(o probes.Observation) probes.Observation { return o }
	if e, live := asker.(*probes.Engine); live {
		shown = e.Shown
	}
	asking := func(p probes.Probe) probes.Observation {
		o := one(p)
		c.got = append(c.got, shown(o))
		return o
	}
	switch {
	case c.Check.Race != nil:
		c.Check.Race(c.Subject, asking, func(ps []probes.Probe) []probes.Observation {
			answers := allAtOnce(ps, one)
			for _, o := range answers {
				c.got = append(c.got, shown(o))
			}
			return answers
		})
	case c.Check.Drive != nil:
		c.Check.Drive(c.Subject, asking)
	case c.Check.Ask != nil:
		for _, p := range c.Check.Ask(c.Subject) {
			asking(p)
		}
	}
}

// allAtOnce asks all of the probes before the first is answered.
func allAtOnce(ps []probes.Probe, ask Asking) []probes.Observation {
	answers := make([]probes.Observation, len(ps))
	begin := make(chan struct{})
	var group sync.WaitGroup
	for i, p := range ps {
		group.Go(func() {
			<-begin
			answers[i] = ask(p)
		})
	}
	close(begin)
	group.Wait()
	return answers
}

// pinned keeps what the answers say in memory.
func pinned(got []probes.Observation) []any {
	pins := make([]any, len(got))
	for i, o := range got {
		pins[i] = o.Pin()
	}
	return pins
}

// judge reads the observations. A question without an answer leaves the case
// unproven: that the adapter hangs, dies or babbles is one finding of its own, not
// one of every requirement that was being asked about.
func (c *Case) judge(record probes.Record) Ruling {
	if c.Subject.settled != nil {
		return *c.Subject.settled
	}
	defer runtime.KeepAlive(pinned(c.got))
	for _, o := range c.got {
		if o.Outcome == probes.Unasked && o.Probe.Beside() && o.Probe.CommandName() == "" {
			return NotProven("time for something to expire", o.Exit).Mend("--max-wait with a longer time")
		}
		if o.Outcome == probes.Unasked {
			return NotProven("an answer to "+clip(o.Probe.String()), o.Exit)
		}
		if o.Probe.CommandName() == liftsBlock && o.Lost() {
			continue // there may have been no block to lift
		}
		if name := o.Probe.CommandName(); name != "" && o.Lost() && !c.Check.Losses {
			return NotProven("a good end of the command "+name, o.Exit).Mend(name + inHints + "a command that succeeds")
		}
		if o.Lost() && !c.Check.Losses {
			return NotProven("an answer to "+clip(o.Probe.String()), o).Because("AQL-3.2-03")
		}
	}
	if i := slices.IndexFunc(c.got, limited); i >= 0 && !c.Check.Limits && c.Check.Requirement != "MCP-SEC-02" {
		return NotProven("an answer to "+clip(c.got[i].Probe.String()), c.got[i]).Mend("--rate-limit with what the adapter takes in a second")
	}
	if i := slices.IndexFunc(c.got, torn); i >= 0 {
		return NotProven("one envelope", "two that contradict each other").By(c.got[i]).Because("AQL-5.1-01")
	}
	if c.Check.Whole != nil {
		return c.Check.Whole(c.Subject, c.got, record)
	}
	r := c.Check.Judge(c.Subject, c.got)
	if len(r.evidence) == 0 {
		r.evidence = c.got[:min(len(c.got), 2)]
	}
	return r
}

// limited reports whether an adapter asked for patience, more often than a run can
// afford: it has not answered then.
func limited(o probes.Observation) bool {
	return strings.HasPrefix(o.Code(), "RATE_LIMIT_") || o.Status == 429
}

// torn reports whether an answer carries two envelopes of which one says success
// and the other failure: it proves nothing either way.
func torn(o probes.Observation) bool {
	text, structured := o.Carrier().Text, o.Carrier().Structured
	return text.Has("success") && structured.Has("success") && text.At("success").True() != structured.At("success").True()
}

func (p *Plan) finding(c *Check, s Subject, r Ruling) reports.Finding {
	row := mustLookup(c.Requirement)
	f := reports.Finding{
		Requirement: row.ID, Verdict: severity(row, r.verdict), Subject: s.Face.Label + s.Name,
		Want: r.want, Got: r.got, Note: r.note, Fix: cmp.Or(r.fix, c.Fix), RootCause: r.root,
	}
	if f.Verdict == reports.Fail || f.Verdict == reports.Warn {
		f.Again = p.repeat(c, s, r)
		if slices.Equal(p.needs(c, r), []string{row.ID}) {
			once := Replay{Requirement: row.ID, Seed: p.Effort.Seed}
			if c.Watch == nil && s.Op.Name != "" {
				once.Subject = s.Name
			}
			f.Replay = p.replay(once)
		}
	} else {
		f.Add = strings.Join(s.addition(r.fix), "\n")
		f.Fix = r.fix // what would prove it; a check's own advice is for the accused
	}
	if len(r.evidence) > 0 && f.Replay != "" {
		f.Raw = string(r.evidence[0].Sent.Data)
	}
	// The deciding exchange comes first in a ruling and last in a report, after the
	// control it is compared with.
	for _, o := range slices.Backward(r.evidence) {
		f.Evidence = append(f.Evidence, exchange(o))
		f.Elapsed += o.Elapsed
	}
	return f
}

// replay is the command line that sends what r holds to the target.
func (p *Plan) replay(r Replay) string {
	target := p.again
	if i := strings.LastIndex(target, " --seed "); i >= 0 {
		target = target[:i] // the replay has it
	}
	return fmt.Sprintf("aql-conform replay '%s' %s", r, target)
}

func exchange(o probes.Observation) reports.Exchange {
	e := reports.Exchange{
		Conn: o.Probe.Conn, Sent: o.Sent.Data, Reply: o.Received.Data, Outcome: strings.TrimSpace(string(o.Outcome) + " " + o.Code()),
		Elapsed: o.Elapsed.Round(time.Microsecond),
	}
	if o.Probe.Method == "" && o.Probe.Raw == nil {
		e.Asked = append([]byte(o.Probe.Tool+" "), o.Probe.Arguments()...)
	}
	switch {
	case o.Envelope().Is(probes.Object):
		e.Said = o.Envelope().Raw()
	case o.RPCError().Is(probes.Object):
		e.Said = o.RPCError().Raw()
	}
	for _, frame := range []int{o.Sent.Seq, o.Received.Seq} {
		if frame > 0 {
			e.Frames = append(e.Frames, frame)
		}
	}
	return e
}
