package generated

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A load consists of short scripts that all should succeed, or be refused for an unknown parameter: the
// lives of own objects, known-good reads, and refusals. Many run at once, and each is judged by itself.

// FirstLoadNumber is the number of the first call of a load. LoadStride calls belong to each script.
const (
	FirstLoadNumber = 800_000_000
	LoadStride      = 32
	LastLoadNumber  = 900_000_000 // ElementID begins behind it
)

// A Load makes the scripts of a load. Script n of two loads of one adapter and seed is the same.
type Load struct {
	seed     uint64
	lives    []life
	reads    []model.Step
	refusals []model.Step
}

// A life is a kind of object with a field that updates set; updater is empty where nothing is set.
type life struct {
	kind    *model.ObjectKind
	updater model.TestObject
	field   probes.Parameter
}

// Bounds of one load.
const (
	maxLoadFields = 3 // of each update operation
	updatesInLife = 4 // each followed by two reads
	readsInScript = 6
	maxLoadAnswer = 64 << 10 // bytes; a larger answer is a load of its own
	maxLoadWait   = time.Second
)

// NewLoad returns the load of an adapter whose kinds of object are explored.
func NewLoad(f *model.Adapter, seed uint64) *Load {
	l := &Load{seed: seed}
	r := rand.New(rand.NewPCG(seed, 1))
	for _, kind := range f.ObjectKinds {
		var own []life
		for _, up := range kind.Updaters {
			fields := slices.DeleteFunc(settable(*kind, up, r), func(p probes.Parameter) bool { return !changing(*kind, p, r) })
			for _, p := range fields[:min(len(fields), maxLoadFields)] {
				own = append(own, life{kind, up, p})
			}
		}
		if own == nil && kind.Viewer.Name != "" {
			own = []life{{kind: kind}}
		}
		l.lives = append(l.lives, own...)
	}
	for _, o := range f.Operations {
		step, ok := knownGoodStep(f, o)
		if reply := f.KnownGood[o.Name].Reply; !ok || o.Category != "READ" || reply.Received.Size > maxLoadAnswer || reply.Elapsed > maxLoadWait {
			continue
		}
		l.reads = append(l.reads, step)
		l.refusals = append(l.refusals, withParameter(step, "aqlx_extra_"+f.Nonce, "1"))
	}
	return l
}

// changing reports whether a field takes enough scalar values to tell updates apart, and is not the
// one that carries the mark.
func changing(kind model.ObjectKind, p probes.Parameter, r *rand.Rand) bool {
	v, _ := kind.FieldValue(r, p)
	_, text := v.(string)
	_, number := v.(int64)
	return (text || number) && len(kind.EnumOf(p)) == 0 && !model.HoldsMark(kind.CreateStep(nil).Params[p.Name])
}

// Empty reports whether there is nothing to send.
func (l *Load) Empty() bool { return len(l.lives)+len(l.reads) == 0 }

// Writes reports whether the load changes objects.
func (l *Load) Writes() bool { return len(l.lives) > 0 }

// Kinds is how many different scripts there are, but for their values.
func (l *Load) Kinds() int {
	return 4 * max(len(l.lives), (len(l.reads)+readsInScript-1)/readsInScript, 1)
}

// Number is the number of the first call of script n.
func Number(n int) int { return FirstLoadNumber + n*LoadStride }

// MaxScripts is how many scripts have numbers.
const MaxScripts = (LastLoadNumber - FirstLoadNumber) / LoadStride

// Script returns script n: two of four are lives.
func (l *Load) Script(n int) model.Script {
	turn := n / 4
	switch {
	case len(l.lives) > 0 && (n%4 < 2 || len(l.reads) == 0):
		return l.live(l.lives[(2*turn+n%2)%len(l.lives)], n)
	case n%4 == 2:
		return model.Script{Operator: "load/refusals", Description: "an undocumented parameter", Steps: some(l.refusals, 2, turn)}
	}
	return model.Script{Operator: "load/reads", Description: "known-good reads", Steps: some(l.reads, readsInScript, turn)}
}

// some returns the next so many steps, in a circle.
func some(steps []model.Step, most, turn int) []model.Step {
	var all []model.Step
	for i := range min(most, len(steps)) {
		all = append(all, steps[(turn*most+i)%len(steps)])
	}
	return all
}

// live creates an object, changes one field several times, and removes it.
func (l *Load) live(of life, n int) model.Script {
	r := rand.New(rand.NewPCG(l.seed, uint64(n)))
	kind, fields, last := of.kind, map[string]any{}, any(nil)
	fresh := func() any {
		v, _ := kind.FieldValue(r, of.field)
		for range 8 {
			if v != last {
				break
			}
			v, _ = kind.FieldValue(r, of.field)
		}
		last = v
		return v
	}
	if of.updater.Name != "" && kind.Accepted[kind.Maker.Name+"."+of.field.Name] {
		fields[of.field.Name] = fresh()
	}
	read := kind.ReadStep(0)
	steps := []model.Step{kind.CreateStep(fields), read}
	for range updatesInLife {
		if of.updater.Name != "" {
			steps = append(steps, of.updater.UpdateStep(0, map[string]any{of.field.Name: fresh()}))
		}
		steps = append(steps, read, read)
	}
	if len(kind.Removers) > 0 {
		steps = append(steps, kind.Removers[0].DeleteStep(0), read)
	}
	return model.Script{Operator: "load/life", Description: "objects that are made, changed and removed at the same time", Steps: steps}
}
