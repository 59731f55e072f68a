package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// Self-repair: how far an agent gets that made one mistake and knows nothing but
// its own request, what it meant, and the code, message and details of the refusal.
// The agent here is a program without imagination, so the score is the same in
// every run. It asks nothing: its next call counts when this run has asked it.

// Mishaps are the mistakes, as they are counted.
var Mishaps = []string{"missing", "unknown", "mistyped", "out of enum", "wrong endpoint", "misspelt operation"}

// maxTurns is how often the agent tries before it gives up.
const maxTurns = 4

// A refusalCase is one recorded refusal of a request that differs from a proven one by
// a single mistake.
type refusalCase struct {
	kind    string
	refused probes.Observation
	meant   probes.Probe // the proven request
	param   string       // the parameter concerned
}

// name tells mistakes apart: one unknown name, wrong endpoint or misspelling of an
// operation stands for all of them.
func (m refusalCase) name() string {
	name := m.kind + " " + m.meant.Operation()
	if m.kind != "unknown" {
		name += " " + m.param
	}
	return name
}

// A healer repairs calls on one face, from what was recorded.
type healer struct {
	*model.Adapter
	answers map[string]*probes.Observation // by tool and arguments
}

func call(p probes.Probe) string { return p.Tool + " " + string(p.Arguments()) }

// SelfRepair says how many induced mistakes an agent repairs from the refusals
// alone, and in how many turns. It is advice on error messages, never a verdict
// (AX, Self-repair; operations document, section 8.4).
func (p *Plan) SelfRepair() string {
	seen, healed, turns := map[string]int{}, map[string]int{}, 0
	counted := map[string]bool{}
	for _, f := range p.Faces {
		h := healer{f, map[string]*probes.Observation{}}
		var asked []*probes.Observation
		for _, o := range p.recorded(f) {
			if _, known := h.answers[call(o.Probe)]; !known {
				h.answers[call(o.Probe)] = o
				asked = append(asked, o)
			}
		}
		for _, o := range asked {
			m, ok := h.refusalCase(*o)
			if !ok || counted[f.Label+m.name()] {
				continue
			}
			n, repaired, known := h.repair(m)
			if !known {
				continue // a next call that nobody made: nothing is shown
			}
			counted[f.Label+m.name()] = true
			seen[m.kind]++
			if repaired {
				healed[m.kind]++
				turns += n
			}
		}
	}
	return healing(seen, healed, turns)
}

func healing(seen, healed map[string]int, turns int) string {
	var all, well int
	var parts []string
	for _, kind := range Mishaps {
		if seen[kind] > 0 {
			parts = append(parts, fmt.Sprintf("%s %d/%d", kind, healed[kind], seen[kind]))
		}
		all, well = all+seen[kind], well+healed[kind]
	}
	if all == 0 {
		return "self-repair (advisory): no induced mistake could be followed"
	}
	mean := 0.0
	if well > 0 {
		mean = float64(turns) / float64(well)
	}
	return fmt.Sprintf("self-repair (advisory): %d of %d induced mistakes repaired from code, message and details alone, in %.1f turns on average (%s)",
		well, all, mean, strings.Join(parts, ", "))
}

// recorded returns what the cases of a face observed, and the proven requests.
func (p *Plan) recorded(f *model.Adapter) []*probes.Observation {
	var all []*probes.Observation
	for _, name := range check.SortedKeys(f.KnownGood) {
		all = append(all, f.KnownGood[name].Reply.Held())
	}
	for _, c := range p.Cases {
		for _, o := range c.kept {
			if o.Probe.Conn == f.Conn && o.Probe.Method == "" && o.Probe.Raw() == nil && o.Probe.Frame == nil && o.Probe.Operation() != "" {
				all = append(all, o)
			}
		}
	}
	return all
}

// refusalCase recognises a refusal of a READ request with one mistake.
func (h healer) refusalCase(o probes.Observation) (refusalCase, bool) {
	m := refusalCase{refused: o}
	if o.Succeeded() || o.Lost() || o.Deferred() {
		return m, false
	}
	meant, ok := h.proven(o.Probe.Operation())
	if !ok {
		name := nearest(o.Probe.Operation(), h.readNames(), 2)
		if _, listed := h.Operation(o.Probe.Operation()); name == "" || listed {
			return m, false
		}
		m.kind = "misspelt operation"
		m.meant, ok = h.proven(name)
		return m, ok
	}
	m.meant = meant
	if o.Probe.Tool != meant.Tool {
		m.kind = "wrong endpoint"
		return m, call(o.Probe.To(meant.Tool)) == call(meant)
	}
	return h.valueMishap(m)
}

// valueMishap recognises the mistake in the params of a request.
func (h healer) valueMishap(m refusalCase) (refusalCase, bool) {
	if params := m.refused.Probe.Args()["params"]; params != nil && m.refused.Probe.Params() == nil {
		return m, false // params that are no object: nothing was mistaken inside them
	}
	sent, meant := m.refused.Probe.Params(), m.meant.Params()
	op, _ := h.Operation(m.meant.Operation())
	var different []string
	for _, name := range append(check.SortedKeys(sent), check.SortedKeys(meant)...) {
		if !model.ValueIn(m.refused.Probe, name).Equal(model.ValueIn(m.meant, name)) && !slices.Contains(different, name) {
			different = append(different, name)
		}
	}
	if len(different) != 1 || len(m.refused.Probe.Args()) > 2 {
		return m, false
	}
	m.param = different[0]
	s := model.Subject{Adapter: h.Adapter, Op: op}
	par, documented := check.Parameter(s, m.param)
	s.Par = par
	v := model.ValueIn(m.refused.Probe, m.param)
	kinds, understood := h.Kinds(par.Type)
	switch {
	case v.Is(probes.Absent):
		m.kind = "missing"
	case !documented:
		m.kind = "unknown"
	case understood && !check.MatchesKind(kinds, v):
		m.kind = "mistyped"
	case check.HasEnum(s) && !check.Contains(h.EnumOf(par), v):
		m.kind = "out of enum"
	}
	return m, m.kind != ""
}

// proven returns the request of a READ operation that is known to succeed.
func (h healer) proven(operation string) (probes.Probe, bool) {
	if operation == "introspect" {
		return h.Listing(), true
	}
	b := h.KnownGood[operation]
	return b.Probe, b.State == model.Proven && check.Category(h.Adapter, operation) == "READ"
}

func (h healer) readNames() []string {
	var names []string
	for _, o := range h.Operations {
		if o.Category == "READ" {
			names = append(names, o.Name)
		}
	}
	return names
}

// nearest returns the word closest to another within a distance, or "".
func nearest(typed string, words []string, within int) string {
	best, distance := "", within+1
	for _, w := range words {
		if d := vocab.Distance(typed, w); d < distance {
			best, distance = w, d
		}
	}
	return best
}
