package plan

import (
	"cmp"
	"maps"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/gate"
	"github.com/aql-conform/aql-conform/suites/model"
)

// Reach says which operations were called with success and which kinds of objects were made,
// read, listed, changed and removed. It depends on the plan and the record alone, so that a
// transcript has the reach of its run. Of several endpoint modes the worst counts.
func (p *Plan) Reach(record probes.Record) *reports.Reach {
	t := reachTally{permitted: map[string]bool{}, missed: map[string]bool{}, kinds: map[string]*reports.Unlived{}, reads: map[string]bool{}}
	for _, f := range p.Adapters {
		calls := callsOf(f, record)
		t.addOperations(f, calls)
		for _, l := range f.Lives() {
			t.addKind(l, playLife(f, l, calls))
		}
	}
	return t.reach()
}

// A reachTally collects the reach of the endpoint modes.
type reachTally struct {
	permitted map[string]bool             // by documented operation: it may be called in some mode
	missed    map[string]bool             // by operation: it was not reached in a mode in which it may be called
	kinds     map[string]*reports.Unlived // by name; one without missing steps was lived
	reads     map[string]bool             // by READ operation: it was reached in some mode
}

// addOperations adds the operations of one endpoint mode. Introspection is not among them: it is
// how operations are found, and a run that calls none of them reaches none. An operation that is
// too large is documented and never called.
func (t reachTally) addOperations(f *model.Adapter, calls callsByOperation) {
	for _, s := range model.EachDomain(f) {
		reached := slices.ContainsFunc(calls[s.Name], func(k *probes.Kept) bool { return proves(f, k.Observation()) })
		lacks := !reached && !f.Rules.Lifted(s.Op) && lacksObject(f, s.Op, calls) // a flag that was given is no advice
		permitted := f.Rules.Permitted(s.Op) && !lacks
		t.permitted[s.Name] = t.permitted[s.Name] || permitted
		t.missed[s.Name] = t.missed[s.Name] || permitted && !reached
		if s.Op.Category == "READ" {
			t.reads[s.Name] = t.reads[s.Name] || reached
		}
	}
	for _, large := range f.TooLarge {
		if large.Operation {
			t.permitted[large.Name], t.missed[large.Name] = true, true
		}
	}
}

// lacksObject reports whether an operation needs an object that only operations make which may not
// be called, such as the read of an execution. A READ lacks none where another READ of the kind has
// shown one.
func lacksObject(f *model.Adapter, op probes.Operation, calls callsByOperation) bool {
	if !slices.ContainsFunc(op.Parameters, func(p probes.Parameter) bool { return p.Required && f.TakesIdentifier(op, p) }) {
		return false
	}
	makers := 0
	for _, o := range f.Operations {
		if o.Name == op.Name || !f.Rules.SameKind(o, op) {
			continue
		}
		switch makes := o.Category == "CREATE" || o.Category == "EXECUTE"; {
		case makes && f.Rules.Permitted(o):
			return false
		case makes:
			makers++
		case op.Category == "READ" && o.Category == "READ" && slices.ContainsFunc(calls[o.Name], func(k *probes.Kept) bool { return len(gate.Rows(k.Observation().Data())) > 0 }):
			return false
		}
	}
	return makers > 0
}

// addKind adds the life of a kind in one endpoint mode.
func (t reachTally) addKind(l *model.Life, missing []string) {
	k := t.kinds[l.Name]
	if k == nil {
		k = &reports.Unlived{Kind: l.Name}
		t.kinds[l.Name] = k
	}
	k.Documented = model.InLifeOrder(k.Documented, l.Steps())
	k.Missing = model.InLifeOrder(k.Missing, missing)
}

func (t reachTally) reach() *reports.Reach {
	r := &reports.Reach{Kinds: len(t.kinds), Unread: len(t.reads) > 0 && !slices.Contains(slices.Collect(maps.Values(t.reads)), true)}
	for name, permitted := range t.permitted {
		switch {
		case !permitted:
			r.NotAllowed = append(r.NotAllowed, name)
			continue
		case t.missed[name]:
			r.NotReached = append(r.NotReached, name)
		}
		r.Operations++
	}
	for _, k := range t.kinds {
		if len(k.Missing) > 0 {
			r.NotLived = append(r.NotLived, *k)
		}
	}
	r.Sort()
	return r
}

// callsByOperation has the calls of each operation on its own tool, in the order in which they
// were sent.
type callsByOperation map[string][]*probes.Kept

// callsOf returns the plain calls of one endpoint mode. What is sent in another form, as an entry
// of a batch for one, proves nothing about a plain call.
func callsOf(f *model.Adapter, record probes.Record) callsByOperation {
	calls := callsByOperation{}
	for _, k := range record.Observations {
		o := k.Observation()
		if o.Probe.Method != "" || o.Probe.Frame != nil || o.Probe.Raw() != nil || k.Seq() == 0 || !f.OwnsConnection(o.Probe.Conn) {
			continue
		}
		if op, listed := f.Operation(o.Probe.Operation()); listed && o.Probe.Tool == op.Tool {
			calls[op.Name] = append(calls[op.Name], k)
		}
	}
	for _, list := range calls {
		slices.SortStableFunc(list, func(a, b *probes.Kept) int { return cmp.Compare(a.Seq(), b.Seq()) })
	}
	return calls
}

// proves reports whether a call succeeded and is valid by what the adapter documents. A rehearsal
// carries nothing out, so that it proves nothing.
func proves(f *model.Adapter, o probes.Observation) bool {
	if !o.Succeeded() {
		return false
	}
	for name := range o.Probe.Args() {
		if name != "operation" && name != "params" {
			return false
		}
	}
	if probes.ValueOf(o.Probe.Params()).At("dry_run").True() {
		return false
	}
	flaws, _ := f.Flaws(o.Probe)
	return len(flaws) == 0
}
