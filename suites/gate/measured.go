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
	by   [looksMost][]probes.Observation
	last int // of what was seen before
	next int // of what was seen after
}

func (r *Rules) measure(nonce string, record probes.Record) []Incident {
	a := r.Adapter
	found, writes := r.looked(record)
	all := []Incident{}
	of := origins{}
	for _, n := range slices.Sorted(maps.Keys(found)) {
		l := found[n]
		i := slices.IndexFunc(writes, func(o probes.Observation) bool { return o.Sent.Seq > l.last && o.Sent.Seq < l.next })
		if i < 0 {
			continue
		}
		call := writes[i]
		before := [2][]listed{listings(a, l.by[0]), listings(a, l.by[1])}
		gone := func(row probes.Value) bool {
			return slices.ContainsFunc(l.by[lookAgain], func(o probes.Observation) bool {
				return strings.HasPrefix(o.Code(), "NOT_FOUND") && r.named(o.Probe, row)
			})
		}
		quiet := [][]listed{listings(a, l.by[lookAfter])}
		for phase := lookQuiet; phase < looksMost && len(l.by[phase]) > 0; phase++ {
			quiet = append(quiet, listings(a, l.by[phase]))
		}
		incident := Incident{Operation: call.Probe.Operation(), Evidence: []probes.Observation{call}}
		if rows := harm(r, nonce, call.Probe, of, before, quiet[0], gone); len(rows) > 0 {
			incident.What = rows[0].what
			if restless(r, nonce, of, before[:], len(rows)) || restless(r, nonce, of, quiet, len(rows)) {
				incident.What, incident.Restless, incident.Alone = "", true, r.alone(nonce, of, rows, before[:], quiet)
			}
		}
		for _, seen := range [][]probes.Observation{l.by[1], l.by[lookAfter]} {
			for _, o := range seen {
				if strings.HasSuffix(incident.What, " "+o.Probe.Operation()) || strings.Contains(incident.What, " "+o.Probe.Operation()+" ") {
					incident.Evidence = append(incident.Evidence, o)
				}
			}
		}
		all = append(all, incident)
	}
	return all
}

// alone says what changed of the first row that changed around the request and at no other time.
func (r *Rules) alone(nonce string, of origins, rows []harmed, before, quiet [][]listed) string {
	moved := map[string]bool{}
	for _, looks := range [][][]listed{before, quiet} {
		for i := 1; i < len(looks); i++ {
			maps.Copy(moved, stirred(r, nonce, of, looks[i-1], looks[i]))
		}
	}
	for _, h := range rows {
		if !moved[h.row] {
			return h.what
		}
	}
	return ""
}

// looked finds in a record the looks of each measurement, and what wrote.
func (r *Rules) looked(record probes.Record) (found map[int]*looks, writes []probes.Observation) {
	found = map[int]*looks{}
	for o := range record.All() {
		if face, _, _ := strings.Cut(o.Probe.Conn, "/"); face != r.Conn {
			continue
		}
		if op, listed := r.Operation(o.Probe.Operation()); listed && op.Category != "READ" {
			writes = append(writes, o)
		}
		if o.Probe.Number > measureNumber {
			continue
		}
		n, phase := (measureNumber-o.Probe.Number)/measureSpan, (measureNumber-o.Probe.Number)%measureSpan
		if found[n] == nil {
			found[n] = &looks{}
		}
		l := found[n]
		switch l.by[phase] = append(l.by[phase], o); {
		case phase < lookAfter:
			l.last = max(l.last, o.Received.Seq)
		case phase == lookAfter && (l.next == 0 || o.Sent.Seq < l.next):
			l.next = o.Sent.Seq
		}
	}
	return found, writes
}

// listings puts the pages of each listing together.
func listings(a *probes.Adapter, pages []probes.Observation) []listed {
	slices.SortFunc(pages, func(x, y probes.Observation) int { return x.Sent.Seq - y.Sent.Seq })
	var all []listed
	for _, o := range pages {
		name := o.Probe.Operation()
		i := slices.IndexFunc(all, func(l listed) bool { return l.op.Name == name })
		if i < 0 {
			op, _ := a.Operation(name)
			i, all = len(all), append(all, listed{op: op})
		}
		all[i].add(all[i].op, o)
	}
	return all
}
