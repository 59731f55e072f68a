package batch

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A variant is a call, and calls like it that stand behind it in a batch if the adapter tells alone what it makes of
// them: one with its parameters beside operation, which not every adapter reads, and one with a value that the
// documentation excludes, which a lenient adapter may convert. It is the last entry, because a failing entry may stop
// the others.
type variant struct {
	valid  []probes.Probe
	flawed probes.Probe
}

// mostVariants is the number of variants tried: one way through a batch serves all operations.
const mostVariants = 6

// variants are those of introspect and of the first reads that have parameters.
func variants(s model.Subject) (all []variant) {
	of := func(t model.Subject, good probes.Probe) {
		flat := good.Drop("params")
		for name, value := range good.Params() {
			if name != "operation" && name != "operations" { // beside operation these are no parameters
				flat = flat.Top(name, value)
			}
		}
		for _, p := range flawedCalls(t, good) {
			all = append(all, variant{[]probes.Probe{good, flat}, p})
		}
	}
	of(s, s.Listing())
	for _, t := range s.ProvenReads() {
		of(t, t.ValidCall())
	}
	return all[:min(len(all), mostVariants)]
}

// flawedCalls are the call with one value of another type and with one number out of bounds.
func flawedCalls(t model.Subject, good probes.Probe) []probes.Probe {
	var mistyped, beyond []probes.Probe
	for _, t.Par = range t.Op.Parameters {
		if values := check.WrongTypeValues(t); len(values) > 0 {
			mistyped = append(mistyped, good.With(t.Par.Name, values[0]))
		}
		if high, ok := check.NumericBound(t, "maximum"); ok {
			beyond = append(beyond, good.With(t.Par.Name, high+1))
		} else if low, ok := check.NumericBound(t, "minimum"); ok {
			beyond = append(beyond, good.With(t.Par.Name, low-1))
		}
	}
	return append(mistyped[:min(len(mistyped), 1)], beyond[:min(len(beyond), 1)]...)
}

// variantCall is the step of a call of a variant alone; the first is the one that is valid.
func variantCall(i, j int) string { return probes.Nth(probes.Nth("variant alone", i)+": call", j) }

// variantBatch is the step of the batch of a variant.
func variantBatch(i int) string { return probes.Nth("variants in a batch", i) }

// calls are all calls of a variant.
func (v variant) calls() []probes.Probe { return append(slices.Clone(v.valid), v.flawed) }

// told reports whether the answer to a call alone says what its entry has to be answered.
func (v variant) told(j int, o probes.Observation) bool {
	if j < len(v.valid) {
		return o.Succeeded()
	}
	return strings.HasPrefix(o.Code(), "VALIDATION_")
}

// askVariants sends the calls alone, and those that tell something in a batch behind the one that is valid.
func askVariants(s model.Subject, ask model.AskFunc) {
	for i, v := range variants(s) {
		var entries []probes.Probe
		for j, p := range v.calls() {
			if v.told(j, ask(p.As(variantCall(i, j)))) {
				ask(p.Anew(variantCall(i, j) + ": again"))
				entries = append(entries, p)
			}
		}
		if len(entries) > 1 {
			ask(batchOf(s.Adapter, v.flawed.Tool, entries...).As(variantBatch(i)))
			ask(batchOf(s.Adapter, v.flawed.Tool, entries...).Anew(variantBatch(i) + ": again"))
		}
	}
}

// variantRulings rule on the batches of the variants.
func variantRulings(s model.Subject, got probes.Answers) (rs []ruling.Ruling) {
	for i, v := range variants(s) {
		batch, sent := got.Find(variantBatch(i))
		if !sent || !check.BatchResults(batch).Is(probes.Array) { // a batch of so many may be too long
			continue
		}
		position := 0
		for j := range v.calls() {
			if alone := got.Step(variantCall(i, j)); v.told(j, alone) {
				again := got.Step(variantBatch(i) + ": again")
				rs = append(rs, likeTwice(got[0], batch, again, position, alone, got.Step(variantCall(i, j)+": again")))
				position++
			}
		}
	}
	return rs
}
