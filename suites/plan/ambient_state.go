package plan

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A monitorState has the results of an ambient check: the most severe ruling per operation. It does
// not depend on the order of the replies.
type monitorState struct {
	c        *Case
	worst    map[string]ambientRuling // by operation
	passing  map[struck]ambientRuling // on errors that may pass
	cured    map[string]bool          // errors that passed
	relevant []*probes.Kept           // only if the check has JudgeCoverage
}

// A struck operation met an error that may pass. An error that passes strikes any operation, so what it
// shows is said of the adapter: else the verdicts would depend on the order of the requests.
type struck struct{ err, operation string }

// An ambientRuling is a ruling with its reply, which is the evidence if the ruling has none. There
// is one for each check and operation, so equal passes share one ruling.
type ambientRuling struct {
	*ruling.Ruling
	reply *probes.Kept // nil if there is no reply
	key   string       // of the probe; empty if there is no reply
}

var conforming = ruling.Conforms()

func newAmbientRuling(r ruling.Ruling, s *probes.Kept, key string) ambientRuling {
	if r.Verdict == reports.Pass && r.Want+r.Got+r.Note+r.Fix+r.Root == "" && r.Evidence == nil {
		return ambientRuling{&conforming, s, key}
	}
	own := r
	return ambientRuling{&own, s, key}
}

func (i ambientRuling) withEvidence() ruling.Ruling {
	r := *i.Ruling
	if len(r.Evidence) == 0 && i.reply != nil {
		r.Evidence = []probes.Observation{i.reply.Observation()}
	}
	return r
}

func newMonitorState(c *Case) *monitorState {
	return &monitorState{c: c, worst: map[string]ambientRuling{}, passing: map[struck]ambientRuling{}, cured: map[string]bool{}}
}

// A watchedReply is a reply with what every ambient check asks about it. Each answer is computed once.
type watchedReply struct {
	probes.Observation
	kept    *probes.Kept
	key     string // of its probe
	lost    bool
	mayPass func() string

	// What the reply is to one adapter.
	adapter *model.Adapter
	isCall  bool   // the request calls an AQL tool
	isOwn   bool   // the request went over a connection of the adapter, and not beside MCP
	name    string // by which its rulings are kept
}

func newWatchedReply(s *probes.Kept, o probes.Observation, key string) *watchedReply {
	return &watchedReply{Observation: o, kept: s, key: key, lost: o.Lost(), mayPass: sync.OnceValue(o.MayPass)}
}

// relate computes what the reply is to an adapter. Most runs have one adapter, so one result is kept.
func (r *watchedReply) relate(f *model.Adapter) {
	if r.adapter == f {
		return
	}
	r.adapter, r.isCall, r.isOwn = f, f.IsAQLCall(r.Observation), f.OwnsConnection(r.Probe.Conn) && !r.Probe.Beside()
	r.name = r.Probe.Operation()
	if r.Probe.Method != "" {
		r.name = "adapter"
	} else if r.name == "" {
		r.name = "request without operation"
	} else if _, listed := f.Operation(r.name); !listed {
		r.name = "unlisted operation"
	}
	if underLoad(r.Probe.Number) {
		r.name += loadSuffix
	}
}

// observe applies the check to one reply if it is relevant: by default an answered call of an AQL
// tool.
func (w *monitorState) observe(o *watchedReply) {
	ambient, f := w.c.Check.Ambient, w.c.Subject.Adapter
	o.relate(f)
	if !o.isCall && !(ambient.AllRequests && o.isOwn) || o.lost && w.c.Check.Handles&check.Unanswered == 0 {
		return
	}
	if o.Cured != "" {
		w.cured[o.Cured] = true
		if ambient.Cured != nil {
			w.add("adapter", newAmbientRuling(ambient.Cured(o.Cured), o.kept, o.key))
		}
	}
	r := ambient.Watch(f, o.Observation)
	if r.Verdict == reports.NotApplicable {
		return
	}
	if ambient.Coverage != nil {
		w.relevant = append(w.relevant, o.kept)
	}
	i := newAmbientRuling(r, o.kept, o.key)
	if err := o.mayPass(); err != "" {
		keepWorst(w.passing, struck{err, o.name}, i)
		return
	}
	w.add(o.name, i)
}

// add keeps the more severe ruling, and of two equal ones that on the plainer request.
func (w *monitorState) add(name string, i ambientRuling) { keepWorst(w.worst, name, i) }

func keepWorst[K comparable](worst map[K]ambientRuling, name K, i ambientRuling) {
	if i.Verdict == reports.NotApplicable {
		return
	}
	was, known := worst[name]
	if !known || cmp.Or(ruling.Rank(*i.Ruling)-ruling.Rank(*was.Ruling), i.compareKeys(was)) < 0 {
		worst[name] = i
	}
}

// place adds the rulings on errors that may pass: to their operations where they did not. Of those that
// passed, an accusation is of the adapter, if no other answer gives cause for it.
func (w *monitorState) place() {
	var passed []ambientRuling
	for to, i := range w.passing {
		if w.cured[to.err] {
			passed = append(passed, i)
		} else {
			w.add(to.operation, i)
		}
	}
	worst := slices.Collect(maps.Values(w.worst))
	for _, i := range passed {
		if accuses(*i.Ruling) && !slices.ContainsFunc(worst, func(other ambientRuling) bool { return ruling.Rank(*other.Ruling) <= ruling.Rank(*i.Ruling) }) {
			w.add("adapter", i)
		}
	}
}

// compareKeys orders replies by probe key, the shortest first: a request without an invented parameter
// shows more plainly what is wrong with its reply. A ruling without a reply comes last.
func (i ambientRuling) compareKeys(was ambientRuling) int {
	switch {
	case i.reply == nil && was.reply == nil:
		return 0
	case i.reply == nil:
		return 1
	case was.reply == nil:
		return -1
	}
	return cmp.Or(cmp.Compare(len(i.key), len(was.key)), strings.Compare(i.key, was.key))
}

// merge adds the results of another state.
func (w *monitorState) merge(other *monitorState) {
	for name, i := range other.worst {
		w.add(name, i)
	}
	for to, i := range other.passing {
		keepWorst(w.passing, to, i)
	}
	maps.Copy(w.cured, other.cured)
	w.relevant = append(w.relevant, other.relevant...)
}

// judgeCoverage rules on whether the relevant replies suffice to pass, in whatever order they came.
func (w *monitorState) judgeCoverage() ruling.Ruling {
	return w.c.Check.Ambient.Coverage(w.relevant)
}

// ambientFindings returns the findings of an ambient check, one for each operation. If the monitor
// gave up before the last reply, only what is broken was seen.
func (p *Plan) ambientFindings(w *monitorState, record probes.Record, cut bool) []reports.Finding {
	c, f := w.c, w.c.Subject.Adapter
	w.place()
	if cut {
		maps.DeleteFunc(w.worst, func(_ string, i ambientRuling) bool { return i.Verdict != reports.Fail && i.Verdict != reports.Warn })
		w.add("adapter", newAmbientRuling(ruling.NotProven("a judgement of every reply", "an interrupted run"), nil, ""))
	}
	if c.Check.Ambient.Unsolicited != nil {
		w.add("adapter", newAmbientRuling(c.Check.Ambient.Unsolicited(f, f.OwnFrames(record.Strays)), nil, ""))
	}
	if c.Check.Ambient.Notifications != nil {
		w.add("adapter", newAmbientRuling(c.Check.Ambient.Notifications(f, f.OwnFrames(record.News)), nil, ""))
	}
	if len(w.worst) == 0 {
		return []reports.Finding{p.Finding(c.Check, *c.Subject, p.noReplyRuling(c))}
	}
	enough := sync.OnceValue(w.judgeCoverage)
	var found []reports.Finding
	for _, name := range slices.Sorted(maps.Keys(w.worst)) {
		plain, loaded := strings.CutSuffix(name, loadSuffix)
		if base, known := w.worst[plain]; loaded && (p.soaked == nil || !broken(w.worst[name]) || known && broken(base)) {
			continue
		}
		s := model.Subject{Adapter: f, Name: plain}
		if reason, out := p.selection.skipsOperation(plain); out {
			found = append(found, skippedFinding(c.Check, s, reason))
			continue
		}
		r := w.worst[name].withEvidence()
		if c.Check.Ambient.Coverage != nil && r.Verdict == reports.Pass {
			r = ruling.Worst(enough(), r)
		}
		finding := p.Finding(c.Check, s, r)
		if loaded && len(r.Evidence) > 0 {
			finding.Note = strings.TrimSuffix(p.underLoadNote(r.Evidence[0].Sent.At)+"; "+finding.Note, "; ")
			finding.Again, finding.Replay, finding.Raw = p.soakCommand(), "", ""
		}
		found = append(found, finding)
	}
	return found
}

// loadSuffix keeps apart what was seen under load. It is judged where the same holds without.
const loadSuffix = " " + reports.UnderLoad

func broken(i ambientRuling) bool { return i.Verdict == reports.Fail || i.Verdict == reports.Warn }
