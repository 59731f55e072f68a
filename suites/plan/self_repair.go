package plan

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// Self-repair measures how far an agent gets that made one mistake and knows only its own request,
// its intention, and the code, message and details of the error. The agent is deterministic. It
// sends nothing: its next call must be one that the run has sent.

// Mistakes are the kinds of mistake that are counted.
var Mistakes = []string{"missing", "unknown", "mistyped", "out of enum", "wrong endpoint", "misspelt operation"}

// maxTurns is how often the agent tries.
const maxTurns = 4

// A refusalCase is one recorded rejection of a request with a single mistake.
type refusalCase struct {
	kind     string
	refused  probes.Observation
	intended probes.Probe // the known-good request
	param    string       // name of the wrong parameter
}

// key identifies a mistake. All unknown names for an operation count as one.
func (m refusalCase) key() string {
	name := m.kind + " " + m.intended.Operation()
	if m.kind != "unknown" {
		name += " " + m.param
	}
	return name
}

// A repairAgent repairs calls in one endpoint mode from the recorded answers.
type repairAgent struct {
	*model.Adapter
	answers  map[digest]*probes.Kept // by tool and arguments
	variants []variant               // READ operations that succeeded, by key
}

// A variant is a call that succeeded, for each parameter that it gives a value.
type variant struct {
	key  digest // of the call without the parameter
	kept *probes.Kept
}

// A digest stands for a text: a run sends a hundred thousand different calls.
type digest [16]byte

func digestOf(text string) digest {
	sum := sha256.Sum256([]byte(text))
	return digest(sum[:len(digest{})])
}

func callText(p probes.Probe) string { return p.Tool + " " + string(p.Arguments()) }

func callKey(p probes.Probe) digest { return digestOf(callText(p)) }

// variantKey is shared by the calls that differ in the value of one parameter alone.
func variantKey(p probes.Probe, name string) digest {
	return digestOf(name + " " + callText(p.Without(name)))
}

// newRepairAgent returns an agent that knows the answers, and the different ones in their order.
func newRepairAgent(f *model.Adapter, recorded []*probes.Kept) (h repairAgent, asked []*probes.Kept) {
	h = repairAgent{f, map[digest]*probes.Kept{}, nil}
	for _, o := range recorded {
		key := callKey(o.Observation().Probe)
		if _, known := h.answers[key]; !known {
			h.answers[key] = o
			asked = append(asked, o)
		}
	}
	for _, kept := range asked {
		o := kept.Observation()
		op, listed := f.Operation(o.Probe.Operation())
		if !o.Succeeded() || listed && op.Category != "READ" && op.Name != "introspect" { // the agent repairs requests that read
			continue
		}
		for name := range o.Probe.Params() {
			h.variants = append(h.variants, variant{variantKey(o.Probe, name), kept})
		}
	}
	slices.SortStableFunc(h.variants, func(a, b variant) int { return bytes.Compare(a.key[:], b.key[:]) })
	return h, asked
}

// SelfRepair reports how many mistakes an agent repairs from the errors alone, and in how many
// turns. It is advice on error messages, not a verdict (AX, Self-repair; operations document,
// section 8.4). It says so when ctx ends first.
func (p *Plan) SelfRepair(ctx context.Context) string {
	seen, repairs, turns := map[string]int{}, map[string]int{}, 0
	counted := map[string]bool{}
	for _, f := range p.Adapters {
		h, asked := newRepairAgent(f, p.recorded(f))
		for _, o := range asked {
			if ctx.Err() != nil {
				return "self-repair (advisory): not finished in the time for remarks"
			}
			m, ok := h.recognize(o.Observation())
			if !ok || counted[f.Label+m.key()] {
				continue
			}
			n, repaired, known := h.repair(m)
			if !known {
				continue // the run did not send the next call
			}
			counted[f.Label+m.key()] = true
			seen[m.kind]++
			if repaired {
				repairs[m.kind]++
				turns += n
			}
		}
	}
	return repairSummary(seen, repairs, turns)
}

func repairSummary(seen, repaired map[string]int, turns int) string {
	var all, repairedTotal int
	var parts []string
	for _, kind := range Mistakes {
		if seen[kind] > 0 {
			parts = append(parts, fmt.Sprintf("%s %d/%d", kind, repaired[kind], seen[kind]))
		}
		all, repairedTotal = all+seen[kind], repairedTotal+repaired[kind]
	}
	if all == 0 {
		return "self-repair (advisory): no induced mistake could be followed"
	}
	mean := 0.0
	if repairedTotal > 0 {
		mean = float64(turns) / float64(repairedTotal)
	}
	return fmt.Sprintf("self-repair (advisory): %d of %d induced mistakes repaired from code, message and details alone, in %.1f turns on average (%s)",
		repairedTotal, all, mean, strings.Join(parts, ", "))
}

// recorded returns the observations of one endpoint mode, and the known-good requests.
func (p *Plan) recorded(f *model.Adapter) []*probes.Kept {
	var all []*probes.Kept
	for _, name := range check.SortedKeys(f.KnownGood) {
		all = append(all, probes.Keep(f.KnownGood[name].Reply))
	}
	for _, c := range p.Cases {
		for _, kept := range c.observations {
			o := kept.Observation()
			if o.Probe.Conn == f.Conn && o.Probe.Method == "" && o.Probe.Raw() == nil && o.Probe.Frame == nil && o.Probe.Operation() != "" {
				all = append(all, kept)
			}
		}
	}
	return all
}

// recognize returns the case of a rejected READ request with one mistake.
func (h repairAgent) recognize(o probes.Observation) (refusalCase, bool) {
	m := refusalCase{refused: o}
	if o.Succeeded() || o.Lost() {
		return m, false
	}
	meant, ok := h.proven(o.Probe.Operation())
	if _, listed := h.Operation(o.Probe.Operation()); !ok && listed || o.Deferred() {
		return m, false
	}
	if !ok {
		name := nearest(o.Probe.Operation(), h.readNames(), 2)
		if name == "" {
			return m, false
		}
		m.kind = "misspelt operation"
		m.intended, ok = h.proven(name)
		return m, ok
	}
	m.intended = meant
	if o.Probe.Tool != meant.Tool {
		m.kind = "wrong endpoint"
		return m, callKey(o.Probe.To(meant.Tool)) == callKey(meant)
	}
	return h.recognizeParameter(m)
}

// recognizeParameter identifies the mistake in the params of a request.
func (h repairAgent) recognizeParameter(m refusalCase) (refusalCase, bool) {
	if params := m.refused.Probe.Args()["params"]; params != nil && m.refused.Probe.Params() == nil {
		return m, false // params is not an object
	}
	sent, meant := m.refused.Probe.Params(), m.intended.Params()
	op, _ := h.Operation(m.intended.Operation())
	var different []string
	for _, name := range append(check.SortedKeys(sent), check.SortedKeys(meant)...) {
		if !model.ValueIn(m.refused.Probe, name).Equal(model.ValueIn(m.intended, name)) && !slices.Contains(different, name) {
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

// proven returns the known-good request of a READ operation.
func (h repairAgent) proven(operation string) (probes.Probe, bool) {
	if operation == "introspect" {
		return h.Listing(), true
	}
	b := h.KnownGood[operation]
	return b.Probe, b.State == model.Proven && check.Category(h.Adapter, operation) == "READ"
}

func (h repairAgent) readNames() []string {
	var names []string
	for _, o := range h.Operations {
		if o.Category == "READ" {
			names = append(names, o.Name)
		}
	}
	return names
}

// nearest returns the closest word within a distance, or "".
func nearest(typed string, words []string, within int) string {
	best, distance := "", within+1
	for _, w := range words {
		if !vocab.Near(typed, w, within) {
			continue
		}
		if d := vocab.Distance(typed, w); d < distance {
			best, distance = w, d
		}
	}
	return best
}
