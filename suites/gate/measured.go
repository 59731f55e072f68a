package gate

import (
	"maps"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// An Incident is a measured request, with the change that it made to objects of others.
type Incident struct {
	Operation string
	What      string               // empty where nothing changed
	Restless  bool                 // others change objects as well where nothing is written
	Alone     string               // what changed then of a row that did not change otherwise
	Evidence  []probes.Observation // the request, and the listings before and after it that differ
}

// Measured reads the measurements of one endpoint mode out of a record, in order. All operations of
// a run ask for those of the same record, so the last result is kept.
func (r *Rules) Measured(nonce string, record probes.Record) []Incident {
	r.measuring.Lock()
	defer r.measuring.Unlock()
	if r.measured == nil || r.measuredOf != len(record.Observations) {
		r.measured, r.measuredOf = r.measure(nonce, record), len(record.Observations)
	}
	return r.measured
}

// looks are the listings around one request, by phase.
type looks struct {
	by   [looksMost][]*probes.Kept
	last int // of what was seen before
	next int // of what was seen after
}

// seen returns the listings of a phase, in the order in which they were asked for.
func (l *looks) seen(phase int) []probes.Observation {
	all := make([]probes.Observation, len(l.by[phase]))
	for i, kept := range l.by[phase] {
		all[i] = kept.Observation()
	}
	slices.SortFunc(all, func(x, y probes.Observation) int { return x.Sent.Seq - y.Sent.Seq })
	return all
}

// between returns the write that was sent between the looks before and after it; nil without one.
// Of several it is the first in the order of the record. The writes are in the order of their requests.
func (l *looks) between(writes []*probes.Kept) (call *probes.Kept) {
	i, _ := slices.BinarySearchFunc(writes, l.last+1, func(k *probes.Kept, seq int) int { return k.Seq() - seq })
	for ; i < len(writes) && writes[i].Seq() < l.next; i++ {
		if call == nil || writes[i].Key() < call.Key() {
			call = writes[i]
		}
	}
	return call
}

func (r *Rules) measure(nonce string, record probes.Record) []Incident {
	found, writes := r.looked(record)
	all := []Incident{}
	of := newOrigins()
	seen := map[string]listed{}
	for _, n := range slices.Sorted(maps.Keys(found)) {
		l := found[n]
		kept := l.between(writes)
		if kept == nil {
			continue
		}
		call := kept.Observation()
		op, _ := r.Operation(call.Probe.Operation())
		before := [2][]listed{nil, r.listings(op, l.seen(1))}
		before[0] = earlier(call.Probe.Conn, r.listings(op, l.seen(0)), before[1], seen)
		gone := func(list probes.Operation, row probes.Value) bool {
			return slices.ContainsFunc(l.by[lookAgain], func(k *probes.Kept) bool {
				o := k.Observation()
				return strings.HasPrefix(o.Code(), "NOT_FOUND") && r.named(o.Probe, row) && r.viewsListed(o.Probe.Operation(), list)
			})
		}
		quiet := [][]listed{r.listings(op, l.seen(lookAfter))}
		for phase := lookQuiet; phase < looksMost && len(l.by[phase]) > 0; phase++ {
			quiet = append(quiet, r.listings(op, l.seen(phase)))
		}
		for _, l := range quiet[len(quiet)-1] {
			seen[call.Probe.Conn+" "+l.op.Name] = l
		}
		incident := Incident{Operation: call.Probe.Operation(), Evidence: []probes.Observation{call}}
		if rows := harm(r, nonce, call.Probe, of, before, quiet[0], gone); len(rows) > 0 {
			incident.What = rows[0].what
			if restless(r, nonce, of, before[:], len(rows)) || restless(r, nonce, of, quiet, len(rows)) {
				incident.What, incident.Restless, incident.Alone = "", true, r.alone(nonce, of, rows, before[:], quiet)
			}
		}
		for _, phase := range []int{1, lookAfter} {
			for _, o := range l.seen(phase) {
				if strings.HasSuffix(incident.What, " "+o.Probe.Operation()) || strings.Contains(incident.What, " "+o.Probe.Operation()+" ") {
					incident.Evidence = append(incident.Evidence, o)
				}
			}
		}
		all = append(all, incident)
	}
	return all
}

// viewsListed reports whether a read shows single objects of a kind that a listing lists.
func (r *Rules) viewsListed(view string, list probes.Operation) bool {
	for _, k := range r.kinds {
		if len(k.Views) > 0 && k.Views[0].Name == view && k.listedBy(list) {
			return true
		}
	}
	return false
}

// earlier completes the first look by those of the measurements before: what was seen with no write since then was not
// asked for again.
func earlier(conn string, first, second []listed, seen map[string]listed) (all []listed) {
	for _, l := range second {
		i := slices.IndexFunc(first, func(f listed) bool { return f.op.Name == l.op.Name })
		before, known := seen[conn+" "+l.op.Name]
		switch {
		case i >= 0:
			all = append(all, first[i])
		case known:
			all = append(all, before)
		default: // the record was cut
			all = append(all, listed{op: l.op})
		}
	}
	return all
}

// alone says what changed of the first row that changed around the request and at no other time, and that was
// there before anything was measured.
func (r *Rules) alone(nonce string, of origins, rows []harmed, before, quiet [][]listed) string {
	moved := map[string]bool{}
	for _, looks := range [][][]listed{before, quiet} {
		for i := 1; i < len(looks); i++ {
			maps.Copy(moved, stirred(r, nonce, of, looks[i-1], looks[i]))
		}
	}
	for _, h := range rows {
		if !moved[h.row] && !of.late[h.row] {
			return h.what
		}
	}
	return ""
}

// looked finds in a record the looks of each measurement, and what wrote, in the order of the requests.
func (r *Rules) looked(record probes.Record) (found map[int]*looks, writes []*probes.Kept) {
	found = map[int]*looks{}
	for _, kept := range record.Observations {
		o := kept.Observation()
		if face, _, _ := strings.Cut(o.Probe.Conn, "/"); face != r.Conn {
			continue
		}
		if op, listed := r.Operation(o.Probe.Operation()); listed && op.Category != "READ" {
			writes = append(writes, kept)
		}
		if o.Probe.Number > measureNumber {
			continue
		}
		n, phase := (measureNumber-o.Probe.Number)/measureSpan, (measureNumber-o.Probe.Number)%measureSpan
		if found[n] == nil {
			found[n] = &looks{}
		}
		l := found[n]
		switch l.by[phase] = append(l.by[phase], kept); {
		case phase < lookAfter:
			l.last = max(l.last, o.Received.Seq)
		case phase == lookAfter && (l.next == 0 || o.Sent.Seq < l.next):
			l.next = o.Sent.Seq
		}
	}
	slices.SortStableFunc(writes, func(a, b *probes.Kept) int { return a.Seq() - b.Seq() })
	return found, writes
}

// listings puts the pages of each listing of a look together. The listings of a look are read side by
// side, so their order is that of the tripwire: those of the operation's own kind first.
func (r *Rules) listings(op probes.Operation, pages []probes.Observation) []listed {
	var all []listed
	for _, o := range pages {
		name := o.Probe.Operation()
		i := slices.IndexFunc(all, func(l listed) bool { return l.op.Name == name })
		if i < 0 {
			shown, _ := r.Operation(name)
			i, all = len(all), append(all, listed{op: shown})
		}
		all[i].add(all[i].op, o)
	}
	own := r.lists(op)
	place := func(l listed) int {
		named := func(o probes.Operation) bool { return o.Name == l.op.Name }
		if i := slices.IndexFunc(own, named); i >= 0 {
			return i
		}
		return len(own) + slices.IndexFunc(r.Operations, named)
	}
	slices.SortStableFunc(all, func(x, y listed) int { return place(x) - place(y) })
	return all
}
