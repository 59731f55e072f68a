package plan

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A monitorState is what an ambient check has made of the replies it was shown: of
// thousands, the most telling ruling of each operation. It comes to the same in whatever
// order they are shown.
type monitorState struct {
	c     *Case
	worst map[string]ambientRuling // by operation
	seen  []reply                  // only where the check asks for enough of them
}

// A reply is a reply under its probe key.
type reply struct {
	key string
	of  *probes.Observation // nil for what is no reply
}

// An ambientRuling is a ruling and the reply that gave it, which stands as evidence where
// the ruling names none. There are as many as checks times operations: most are of the
// one ruling that has nothing to say, and share it.
type ambientRuling struct {
	*ruling.Ruling
	reply
}

var fine = ruling.Conforms()

func impressed(r ruling.Ruling, s reply) ambientRuling {
	if r.Verdict == reports.Pass && r.Want+r.Got+r.Note+r.Fix+r.Root == "" && r.Evidence == nil {
		return ambientRuling{&fine, s}
	}
	own := r
	return ambientRuling{&own, s}
}

func (i ambientRuling) ruling() ruling.Ruling {
	r := *i.Ruling
	if len(r.Evidence) == 0 && i.of != nil {
		r.Evidence = []probes.Observation{*i.of}
	}
	return r
}

func newMonitorState(c *Case) *monitorState {
	return &monitorState{c: c, worst: map[string]ambientRuling{}}
}

// see shows the check one reply, if it is one of the AQL tools of its face.
func (w *monitorState) see(s reply) {
	o := *s.of
	check, f := w.c.Check, w.c.Subject.Adapter
	if !f.IsAQLCall(o) && !(check.WatchAllRequests && f.OwnsConnection(o.Probe.Conn) && !o.Probe.Beside()) || o.Lost() && !check.HandlesUnanswered {
		return
	}
	r := check.Watch(f, o)
	if r.Verdict == reports.NotApplicable {
		return
	}
	if check.JudgeCoverage != nil {
		w.seen = append(w.seen, s)
	}
	name := o.Probe.Operation()
	if o.Probe.Method != "" {
		name = "adapter"
	} else if name == "" {
		name = "request without operation"
	} else if _, listed := f.Operation(name); !listed {
		name = "unlisted operation"
	}
	w.add(name, impressed(r, s))
}

// add keeps the impression that tells more, and of two that tell the same the first by
// probe key.
func (w *monitorState) add(name string, i ambientRuling) {
	if i.Verdict == reports.NotApplicable {
		return
	}
	was, known := w.worst[name]
	if !known || cmp.Or(ruling.Rank(*i.Ruling)-ruling.Rank(*was.Ruling), strings.Compare(i.key, was.key)) < 0 {
		w.worst[name] = i
	}
}

// join adds what was made of other replies.
func (w *monitorState) join(other *monitorState) {
	for name, i := range other.worst {
		w.add(name, i)
	}
	w.seen = append(w.seen, other.seen...)
}

// enough rules on whether all that the check has seen is enough to pass.
func (w *monitorState) enough() ruling.Ruling {
	slices.SortFunc(w.seen, func(a, b reply) int { return strings.Compare(a.key, b.key) })
	var replies []*probes.Observation
	for _, s := range w.seen {
		replies = append(replies, s.of)
	}
	return w.c.Check.JudgeCoverage(replies)
}

// watched returns the findings of an ambient check, one for each operation.
func (p *Plan) watched(w *monitorState, record probes.Record) []reports.Finding {
	c, f := w.c, w.c.Subject.Adapter
	last := reply{key: "\xff"} // a reply tells more than what came beside them
	if c.Check.JudgeUnsolicited != nil {
		w.add("adapter", impressed(c.Check.JudgeUnsolicited(f, f.OwnFrames(record.Strays)), last))
	}
	if c.Check.JudgeNotifications != nil {
		w.add("adapter", impressed(c.Check.JudgeNotifications(f, f.OwnFrames(record.News)), last))
	}
	if len(w.worst) == 0 {
		return []reports.Finding{p.Finding(c.Check, c.Subject, p.unseen(c))}
	}
	enough := sync.OnceValue(w.enough)
	var found []reports.Finding
	for _, name := range slices.Sorted(maps.Keys(w.worst)) {
		s := model.Subject{Adapter: f, Name: name}
		if reason, out := p.selection.leaves(name); out {
			found = append(found, omitted(c.Check, s, reason))
			continue
		}
		r := w.worst[name].ruling()
		if c.Check.JudgeCoverage != nil && r.Verdict == reports.Pass {
			r = ruling.Worst(enough(), r)
		}
		found = append(found, p.Finding(c.Check, s, r))
	}
	return found
}
