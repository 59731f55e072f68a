package model

import (
	"context"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/gate"
)

// Some objects lie in another one, and no name tells in which kind: a sensor lies in a station. For a made-up
// station the adapter answers that there is none. Objects of the run are tried then, before those of others.

// mostHolders is how many objects of the run are tried in a creation.
const mostHolders = 3

// A holder is the parameter of a creation that names what the new object lies in, and the operation that makes that.
type holder struct{ maker, parameter string }

// tryHolders puts keys of objects of the run behind the value of the parameter that holds a creation back, and chooses the first, once for
// each parameter.
func (f *Adapter) tryHolders(o probes.Operation, now KnownGood, values map[string][]probes.Value, chosen map[string]int, tried map[string]bool) bool {
	for _, p := range f.held(o, now, values) {
		all := values[p.Name] // none, where an optional parameter took the mark of the run
		at := min(chosen[p.Name]+1, len(all))
		own := slices.DeleteFunc(f.holdersFor(o, p, now), func(v probes.Value) bool { return slices.ContainsFunc(all[:at], v.Equal) })
		if len(own) > 0 && !tried[p.Name] {
			for other := range tried {
				if now.State != NotPermitted { // the gate says which value it is about
					putBack(other, values, chosen)
				}
			}
			tried[p.Name] = true
			before := all[max(at-1, 0):at] // once more where no key is taken: the refusal may have been about another parameter
			values[p.Name], chosen[p.Name] = slices.Concat(all[:at], own[:min(len(own), mostHolders)], before, all[at:]), at
			return true
		}
	}
	return false
}

// namedLike reports whether a value is the key of an object of the run, and a parameter of a creation has the name of
// that key, which no other kind goes by.
func (f *Adapter) namedLike(o probes.Operation, p probes.Parameter, v probes.Value) bool {
	k, made := f.provenKeys[f.namesake(o, p)]
	return made && len(k.values) == 1 && k.values[0].Equal(v)
}

// numbersOne reports whether a parameter of a creation takes the number by which objects of one kind go, by its name.
func (f *Adapter) numbersOne(o probes.Operation, p probes.Parameter) bool {
	return (p.Type == "integer" || p.Type == "number") && f.namesake(o, p) != ""
}

// namesake is the operation that makes the one kind of objects whose key has the name of a parameter of a creation.
func (f *Adapter) namesake(o probes.Operation, p probes.Parameter) string {
	if f.Rules == nil {
		return ""
	}
	kind, made := f.Rules.Kind(o.Name)
	if of, ok := f.Rules.Namesake(kind, p.Name); made && ok {
		return of.Make.Name
	}
	return ""
}

// changesPartner goes back to the object of the run where the gate permits no other one, and chooses another value of what
// else the creation names: the refused ship may be too deep for the port alone.
func (f *Adapter) changesPartner(o probes.Operation, why string, values map[string][]probes.Value, chosen map[string]int, tried map[string]bool) bool {
	kept := ""
	for _, p := range o.Parameters {
		if at := chosen[p.Name]; at > 0 && gate.NamesOthers(why, p.Name) {
			values[p.Name], chosen[p.Name], kept = values[p.Name][:at], at-1, p.Name
		}
	}
	return slices.ContainsFunc(o.Parameters, func(p probes.Parameter) bool {
		all := values[p.Name]
		for kept != "" && p.Name != kept && (tried[p.Name] || probes.IsReference(o, p)) && chosen[p.Name]+1 < len(all) {
			chosen[p.Name]++
			if at := chosen[p.Name]; !slices.ContainsFunc(all[:at], all[at].Equal) {
				return true
			}
		}
		return false
	})
}

// putBack chooses what a parameter had before keys of objects of the run were tried in it: the refusal was about another one.
func putBack(name string, values map[string][]probes.Value, chosen map[string]int) {
	all, at := values[name], chosen[name]
	for i := at + 1; i < len(all); i++ {
		if slices.ContainsFunc(all[:at], all[i].Equal) {
			chosen[name] = i
			return
		}
	}
}

// leavesOut notes an optional parameter that names something, as a refusal says. It had taken the mark of the run. If no key
// of an object of the run was accepted there either, the creation goes without the parameter from now on.
func (f *Adapter) leavesOut(o probes.Operation, now KnownGood, values map[string][]probes.Value, chosen map[string]int) bool {
	for _, p := range f.held(o, now, values) {
		switch id := o.Name + "." + p.Name; {
		case p.Required || f.parents[id]:
		case chosen[p.Name]+1 < len(values[p.Name]):
			chosen[p.Name]++
			return true
		default:
			delete(values, p.Name)
			f.parents[id], f.unfit[id] = true, true
			return true
		}
	}
	return false
}

// held are the text parameters of a creation of which a refusal may say that they name nothing, or of which the gate
// says that they name an object of others, as a documented example does.
func (f *Adapter) held(o probes.Operation, now KnownGood, values map[string][]probes.Value) []probes.Parameter {
	var named []probes.Parameter
	switch code := now.Reply.Code(); {
	case o.Category != "CREATE":
	case now.State == NotPermitted:
		named = slices.DeleteFunc(slices.Clone(o.Parameters), func(p probes.Parameter) bool {
			return len(values[p.Name]) == 0 || !gate.NamesOthers(now.Why, p.Name)
		})
	case strings.HasPrefix(code, "NOT_FOUND_") && code != "NOT_FOUND_OPERATION":
		named = f.blamed(o, now.Reply, values)
	}
	return slices.DeleteFunc(named, func(p probes.Parameter) bool {
		return p.Type != "string" && !f.numbersOne(o, p) || len(f.EnumOf(p)) > 0 || f.ClientChosen(o, p) || len(f.Samples(o.Name, p.Name)) > 0
	})
}

// waitsForHolder reports whether a creation is tried once more when all others have been: what it lies in may be
// made by one of them, also by one that waits itself.
func (f *Adapter) waitsForHolder(o probes.Operation, now KnownGood, values map[string][]probes.Value) bool {
	names := map[string]bool{}
	for _, p := range f.held(o, now, values) {
		if len(f.holdersFor(o, p, now)) == 0 {
			names[p.Name] = true
		}
	}
	others := slices.ContainsFunc(f.Operations, func(other probes.Operation) bool {
		known, tried := f.KnownGood[other.Name]
		waits := f.waits[other.Name] != nil && known.State != Proven
		may, _ := f.Callable(other)
		return other.Category == "CREATE" && other.Name != o.Name && (!tried || waits) && may && !slices.Contains(Reserved, other.Name)
	})
	if f.waits[o.Name] != nil || len(names) == 0 || !others {
		return false
	}
	f.waits[o.Name] = names
	return true
}

// holdersFor are the keys of objects of the run that may be tried in a parameter. Where the adapter was not asked, a key that the adapter
// gave may name an object of others of another kind: one that holds the mark of the run does not, nor one that goes by the name of the
// parameter where no other kind does.
func (f *Adapter) holdersFor(o probes.Operation, p probes.Parameter, now KnownGood) []probes.Value {
	return slices.DeleteFunc(f.ownKeys(o, p), func(v probes.Value) bool {
		return now.State == NotPermitted && !strings.Contains(v.Text(), f.Gen.Nonce) && !f.namedLike(o, p, v)
	})
}

// ownKeys are the keys of the first objects of the run that fit a parameter of a creation.
func (f *Adapter) ownKeys(o probes.Operation, p probes.Parameter) (keys []probes.Value) {
	for _, maker := range slices.Sorted(maps.Keys(f.provenKeys)) {
		if k := f.provenKeys[maker]; maker != o.Name && len(k.values) == 1 && (k.values[0].Is(probes.String) || f.namedLike(o, p, k.values[0])) && f.Misfit(p, k.values[0]) == "" {
			keys = append(keys, k.values[0])
		}
	}
	return keys
}

// learnHolder notes the parameter of a successful creation in which the key of an object of the run was tried, and of one
// that names such an object, alone or in a list.
func (f *Adapter) learnHolder(o probes.Operation, values map[string][]probes.Value, chosen map[string]int, tried map[string]bool) {
	for _, p := range o.Parameters {
		for _, maker := range slices.Sorted(maps.Keys(f.provenKeys)) {
			k, at := f.provenKeys[maker], chosen[p.Name]
			if maker == o.Name || len(k.values) != 1 || len(values[p.Name]) <= at {
				continue
			}
			v := values[p.Name][at]
			switch alone := v.Equal(k.values[0]); {
			case alone && (tried[p.Name] || f.waits[o.Name][p.Name]):
				if named := (holder{maker, p.Name}); f.namesake(o, p) == maker { // it may name several
					f.refers[o.Name] = append(f.refers[o.Name], named)
				} else {
					f.holders[o.Name] = named
				}
				f.parents[o.Name+"."+p.Name], f.unfit[o.Name+"."+p.Name] = true, true
			case f.Rules == nil, f.ClientChosen(o, p): // keys of two kinds may have one name, and one text
			case alone && (f.Rules.Refers(o, p, maker) || k.kind.GoesBy(o.Name, p)), v.Equal(probes.ValueOf([]any{k.values[0].Go()})) && k.kind.GoesBy(o.Name, elementOf(p)):
				f.refers[o.Name] = append(f.refers[o.Name], holder{maker, p.Name})
			}
		}
	}
}

// holderOf is the place of objects whose holder was found by trial.
func (f *Adapter) holderOf(operation string) (in parentOf, ok bool) {
	h, known := f.holders[operation]
	if !known {
		return in, false
	}
	return f.placeIn(h)
}

// placeIn is the place that a parameter of a creation names.
func (f *Adapter) placeIn(h holder) (in parentOf, ok bool) {
	made, listed := f.Operation(h.maker)
	k := f.provenKeys[h.maker].kind
	if !listed {
		return in, false
	}
	s := Subject{Adapter: f, Name: h.maker, Op: made}
	path, found := f.keyPath(s, k)
	return parentOf{s, map[string][]string{h.parameter: path}}, found
}

// findOneEach finds the creations of which one parent takes no second object: it is a conflict there, and none in a
// parent of its own. An object that a creation names counts as a parent too: a copy is lent to one reader at a time.
func (f *Adapter) findOneEach(ctx context.Context, ask probes.Asker) {
	for i, s := range f.Makers() {
		step := probes.Nth("objects in a parent of their own: operation", i)
		named := f.refers[s.Name]
		if h := f.holders[s.Name]; h.maker != "" {
			named = []holder{h}
		}
		if s.Ruling != nil && !s.unmarked() || len(named) == 0 {
			continue
		}
		send := func(p probes.Probe) probes.Observation { return ask.Ask(ctx, p) }
		first, was := send(s.FreshCall(step).Anew(step)), f.holders[s.Name]
		for _, f.holders[s.Name] = range named {
			f.oneEach[s.Name] = true
			if again := f.apart(first, send); again.Probe.Key() != first.Probe.Key() && again.Succeeded() {
				break
			}
			delete(f.oneEach, s.Name)
		}
		if !f.oneEach[s.Name] {
			f.holders[s.Name] = was
		}
	}
}

// apart sends a creation that met a conflict once more in a parent of its own, where one parent takes no second
// object. It returns the first answer where that is not so.
func (f *Adapter) apart(refused probes.Observation, ask AskFunc) probes.Observation {
	operation := refused.Probe.Operation()
	if !f.oneEach[operation] || !strings.HasPrefix(refused.Code(), "CONFLICT_") {
		return refused
	}
	maker, paths := f.PlaceOf(operation)
	for name := range paths { // a script may have chosen another one
		if !ValueIn(refused.Probe, name).Equal(ValueIn(f.KnownGood[operation].Probe, name)) {
			return refused
		}
	}
	again := Below(maker, paths, refused, ask)
	for _, h := range f.refers[operation] { // another message may tell that something else which it names is full
		other := strings.HasPrefix(again.Code(), "CONFLICT_") && (full(again) || again.Message() != refused.Message())
		if in, ok := f.placeIn(h); ok && other && paths[h.parameter] == nil {
			again = Below(in.maker, in.paths, again, ask)
		}
	}
	return again
}

// Below sends a creation once more in what a maker makes. paths lead to the identifier of that.
func Below(maker Subject, paths map[string][]string, refused probes.Observation, ask AskFunc) probes.Observation {
	p := refused.Probe
	step := ownParentStep(p)
	if len(paths) == 0 {
		return refused
	}
	parent := ask(maker.FreshCall(step).Anew(step))
	for name, path := range paths {
		id := parent.Told(path...)
		if !parent.Succeeded() || id.Is(probes.Absent) {
			return refused
		}
		maker.change(id, p.Operation(), step, ask)
		if ValueIn(p, name).Is(probes.Array) {
			id = probes.ValueOf([]any{id.Go()})
		}
		p = p.With(name, id.Go())
	}
	return ask(p)
}

// ownParentStep names the request that makes a parent for what a request makes.
func ownParentStep(p probes.Probe) string {
	return fmt.Sprintf("parent of its own: request %xh", crc32.ChecksumIEEE([]byte(p.Key())))
}
