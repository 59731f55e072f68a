package suites

import (
	"runtime"
	"sync"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
)

// A watching is what an ambient check has made of the replies it was shown: of
// thousands, the most telling ruling of each operation.
type watching struct {
	c     *Case
	names []string
	worst map[string]impression
	seen  []*probes.Observation // only where the check asks for enough of them
}

// An impression is a ruling and the reply that gave it, which stands as evidence where
// the ruling names none. There are as many as checks times operations: most are of the
// one ruling that has nothing to say, and share it.
type impression struct {
	*Ruling
	of *probes.Observation // nil for none
}

var fine = Conforms()

func impressed(r Ruling, of *probes.Observation) impression {
	if r.verdict == reports.Pass && r.want+r.got+r.note+r.fix+r.root == "" && r.evidence == nil {
		return impression{&fine, of}
	}
	own := r
	return impression{&own, of}
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
func (w *watching) see(held *probes.Observation) {
	o := *held
	check, f := w.c.Check, w.c.Subject.Face
	if !f.asked(o) && !(check.Every && f.owns(o.Probe.Conn) && !o.Probe.Beside()) || o.Lost() && !check.Losses {
		return
	}
	r := check.Watch(f, o)
	if r.verdict == reports.NotApplicable {
		return
	}
	if check.Enough != nil {
		w.seen = append(w.seen, held)
	}
	name := o.Probe.Operation()
	if o.Probe.Method != "" {
		name = "adapter"
	} else if name == "" {
		name = "request without operation"
	} else if _, listed := f.Operation(name); !listed {
		name = "unlisted operation"
	}
	w.add(name, impressed(r, held))
}

func (w *watching) add(name string, i impression) {
	was, known := w.worst[name]
	switch {
	case i.verdict == reports.NotApplicable, known && rank(*was.Ruling) <= rank(*i.Ruling):
		return
	case !known:
		w.names = append(w.names, name)
	}
	w.worst[name] = i
}

// join adds what was made of later replies.
func (w *watching) join(later *watching) {
	for _, name := range later.names {
		w.add(name, later.worst[name])
	}
	w.seen = append(w.seen, later.seen...)
}

// watchAll applies the ambient checks, and returns what makes the findings of each.
// Each reply is taken apart once and shown to all of them; stretches of the record are
// looked at side by side. A panic of a check is passed on.
func (p *Plan) watchAll(record probes.Record) map[*Case]func() []reports.Finding {
	found := map[*Case]func() []reports.Finding{}
	var watchers []*Case
	for _, c := range p.Cases {
		if c.Check.Watch != nil {
			watchers = append(watchers, c)
		} else if c.Check.ambient() {
			found[c] = func() []reports.Finding { return p.judge(c, record) }
		}
	}
	all := record.Observations
	stretches := make([][]*watching, min(runtime.GOMAXPROCS(0), max(len(all), 1)))
	trouble := make(chan any, len(stretches))
	var group sync.WaitGroup
	for i := range stretches {
		for _, c := range watchers {
			stretches[i] = append(stretches[i], newWatching(c))
		}
		group.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					trouble <- r
				}
			}()
			from, to := len(all)*i/len(stretches), len(all)*(i+1)/len(stretches)
			for n := from; n < to; n++ {
				pin := all[n].Pin()
				for _, w := range stretches[i] {
					w.see(all[n])
				}
				runtime.KeepAlive(pin)
			}
		})
	}
	group.Wait()
	select {
	case r := <-trouble:
		panic(r)
	default:
	}
	for n, c := range watchers {
		w := stretches[0][n]
		for _, later := range stretches[1:] {
			w.join(later[n])
		}
		found[c] = func() []reports.Finding { return p.watched(w, record) }
	}
	return found
}

// watched returns the findings of an ambient check, one for each operation.
func (p *Plan) watched(w *watching, record probes.Record) []reports.Finding {
	c, f := w.c, w.c.Subject.Face
	if c.Check.Strays != nil {
		w.add("adapter", impressed(c.Check.Strays(f, f.of(record.Strays)), nil))
	}
	if c.Check.News != nil {
		w.add("adapter", impressed(c.Check.News(f, f.of(record.News)), nil))
	}
	if len(w.names) == 0 {
		return []reports.Finding{p.finding(c.Check, c.Subject, p.unseen(c))}
	}
	var found []reports.Finding
	for _, name := range w.names {
		s := Subject{Face: f, Name: name}
		if reason, out := p.selection.leaves(name); out {
			found = append(found, omitted(c.Check, s, reason))
			continue
		}
		r := w.worst[name].ruling()
		if c.Check.Enough != nil && r.verdict == reports.Pass {
			r = Worst(c.Check.Enough(w.seen), r)
		}
		found = append(found, p.finding(c.Check, s, r))
	}
	return found
}
