package suites

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
)

// A watching is what an ambient check has made of the replies it was shown: of
// thousands, the most telling ruling of each operation. It comes to the same in whatever
// order they are shown.
type watching struct {
	c     *Case
	worst map[string]impression // by operation
	seen  []sight               // only where the check asks for enough of them
}

// A sight is a reply under its probe key.
type sight struct {
	key string
	of  *probes.Observation // nil for what is no reply
}

// An impression is a ruling and the reply that gave it, which stands as evidence where
// the ruling names none. There are as many as checks times operations: most are of the
// one ruling that has nothing to say, and share it.
type impression struct {
	*Ruling
	sight
}

var fine = Conforms()

func impressed(r Ruling, s sight) impression {
	if r.verdict == reports.Pass && r.want+r.got+r.note+r.fix+r.root == "" && r.evidence == nil {
		return impression{&fine, s}
	}
	own := r
	return impression{&own, s}
}

func (i impression) ruling() Ruling {
	r := *i.Ruling
	if len(r.evidence) == 0 && i.of != nil {
		r.evidence = []probes.Observation{*i.of}
	}
	return r
}

func newWatching(c *Case) *watching { return &watching{c: c, worst: map[string]impression{}} }

// see shows the check one reply, if it is one of the AQL tools of its face.
func (w *watching) see(s sight) {
	o := *s.of
	check, f := w.c.Check, w.c.Subject.Face
	if !f.asked(o) && !(check.Every && f.owns(o.Probe.Conn) && !o.Probe.Beside()) || o.Lost() && !check.Losses {
		return
	}
	r := check.Watch(f, o)
	if r.verdict == reports.NotApplicable {
		return
	}
	if check.Enough != nil {
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
func (w *watching) add(name string, i impression) {
	if i.verdict == reports.NotApplicable {
		return
	}
	was, known := w.worst[name]
	if !known || cmp.Or(rank(*i.Ruling)-rank(*was.Ruling), strings.Compare(i.key, was.key)) < 0 {
		w.worst[name] = i
	}
}

// join adds what was made of other replies.
func (w *watching) join(other *watching) {
	for name, i := range other.worst {
		w.add(name, i)
	}
	w.seen = append(w.seen, other.seen...)
}

// enough rules on whether all that the check has seen is enough to pass.
func (w *watching) enough() Ruling {
	slices.SortFunc(w.seen, func(a, b sight) int { return strings.Compare(a.key, b.key) })
	var replies []*probes.Observation
	for _, s := range w.seen {
		replies = append(replies, s.of)
	}
	return w.c.Check.Enough(replies)
}

// watched returns the findings of an ambient check, one for each operation.
func (p *Plan) watched(w *watching, record probes.Record) []reports.Finding {
	c, f := w.c, w.c.Subject.Face
	last := sight{key: "\xff"} // a reply tells more than what came beside them
	if c.Check.Strays != nil {
		w.add("adapter", impressed(c.Check.Strays(f, f.of(record.Strays)), last))
	}
	if c.Check.News != nil {
		w.add("adapter", impressed(c.Check.News(f, f.of(record.News)), last))
	}
	if len(w.worst) == 0 {
		return []reports.Finding{p.finding(c.Check, c.Subject, p.unseen(c))}
	}
	enough := sync.OnceValue(w.enough)
	var found []reports.Finding
	for _, name := range slices.Sorted(maps.Keys(w.worst)) {
		s := Subject{Face: f, Name: name}
		if reason, out := p.selection.leaves(name); out {
			found = append(found, omitted(c.Check, s, reason))
			continue
		}
		r := w.worst[name].ruling()
		if c.Check.Enough != nil && r.verdict == reports.Pass {
			r = Worst(enough(), r)
		}
		found = append(found, p.finding(c.Check, s, r))
	}
	return found
}
