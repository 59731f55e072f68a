package model

import (
	"context"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/gate"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// Some objects take others in a state of their own alone: a student is enrolled before a course is taken, and a coach runs in the train of
// the trip. An object of the run that a creation names is changed, by fields of few values and by references to other objects of the run,
// until the creation succeeds. New ones are made so from then on.

// maxChanges bounds the changes of the objects that one creation names.
const maxChanges = 16

// A preparation is a change of an object of the run.
type preparation struct {
	maker string // CREATE operation of the object
	field string
	value probes.Value
	all   []probes.Value // of the field
	call  probes.Probe
	rank  int    // the likelier, the higher
	on    string // the creation that names the object, where each new object has to be changed so
}

// without is what a refusal tells but for the values of the field: that an object is closed, as it was a draft before, is no other reason.
func (c preparation) without(refusal probes.Observation) string {
	told := conflictText(refusal)
	for _, v := range c.all {
		told = strings.ReplaceAll(told, v.Text(), "")
	}
	return told
}

// shownIn reports whether an answer shows the value of a change in its field.
func (c preparation) shownIn(data probes.Value) bool {
	return Named(data, []string{c.field}).At(c.field).Equal(c.value) || slices.ContainsFunc(data.Members(), func(m probes.Member) bool { return c.shownIn(m.Value) })
}

// beyond reports whether a change that follows others of its field may have an effect beyond the store, as the state sent, and no refusal
// names it. A first change of a field is no other than that of any update.
func (c preparation) beyond(path []preparation) bool {
	later := slices.ContainsFunc(path, func(was preparation) bool { return was.maker == c.maker && was.field == c.field })
	return later && c.rank < 2 && gate.ReachesOut(c.value.Text())
}

// prepareParents changes what refused creations name.
func (f *Adapter) prepareParents(ctx context.Context, ask probes.Asker) {
	for _, o := range f.Operations {
		last := f.KnownGood[o.Name]
		code := last.Reply.Code()
		if o.Category == "CREATE" && last.State == NoneKnown && !last.Reply.Deferred() && (strings.HasPrefix(code, "CONFLICT_") || strings.HasPrefix(code, "VALIDATION_")) {
			f.KnownGood[o.Name] = f.prepared(ctx, ask, o, last)
		}
	}
}

// prepared tries the changes one after the other. One that alters what the refusal tells is kept, and its object with it. One that
// is refused may be taken in the next state: an order is paid before it is sent.
func (f *Adapter) prepared(ctx context.Context, ask probes.Asker, o probes.Operation, last KnownGood) KnownGood {
	tried, kept := map[string]bool{}, map[string]bool{}
	var ready, refused, path []preparation
	for n := range maxChanges {
		all := slices.DeleteFunc(f.preparations(o, last), func(c preparation) bool {
			return tried[c.call.Key()] || kept[c.maker+"."+c.field] || c.beyond(path)
		})
		if len(all) == 0 {
			break
		}
		best := slices.MaxFunc(all, func(x, y preparation) int { return x.rank - y.rank })
		tried[best.call.Key()] = true
		versioned := f.WithVersion(best.call.Anew(probes.Nth("state of a named object: attempt", n)), func(p probes.Probe) probes.Observation { return ask.Ask(ctx, p) })
		if changed := ask.Ask(ctx, versioned); changed.Outcome == probes.Unasked {
			return last
		} else if !changed.Succeeded() {
			refused = append(refused, best)
			continue
		}
		for _, c := range refused {
			if c.maker == best.maker && c.field == best.field {
				delete(tried, c.call.Key())
			}
		}
		if !best.shownIn(f.KnownGood[best.maker].Reply.Data()) { // as it was made
			stage := best
			stage.on = o.Name
			path = append(path, stage)
		}
		now := f.classify(ctx, ask, o, last.Probe, ask.Ask(ctx, last.Probe.Anew(probes.Nth("creation in a prepared object: attempt", n))))
		switch {
		case now.State == Proven:
			f.ready = slices.Concat(f.ready, ready, []preparation{best}, path)
			values := map[string][]probes.Value{}
			for _, p := range o.Parameters {
				values[p.Name] = []probes.Value{ValueIn(now.Probe, p.Name)}
			}
			f.learnHolder(o, values, nil, nil)
			return now
		case now.Reply.Refused() && !now.Reply.Deferred() && best.without(now.Reply) != best.without(last.Reply):
			ready, kept[best.maker+"."+best.field] = append(ready, best), true
			last = now
		}
	}
	return last
}

// preparations are the changes of the objects of the run that a refused creation names.
func (f *Adapter) preparations(o probes.Operation, last KnownGood) (all []preparation) {
	for _, u := range f.Operations {
		input := slices.IndexFunc(u.Parameters, func(p probes.Parameter) bool { return p.Name == "input" })
		if may, _ := f.Callable(u); u.Category != "UPDATE" || input < 0 || !may {
			continue
		}
		for maker, k := range f.provenKeys {
			made, _ := f.Operation(maker)
			if maker == o.Name || len(k.values) != 1 || !f.HasRole(MakerRole, maker, u.Name) || !slices.ContainsFunc(o.Parameters, func(p probes.Parameter) bool {
				return ValueIn(last.Probe, p.Name).Equal(k.values[0]) && k.kind.GoesBy(o.Name, p)
			}) {
				continue
			}
			fields, _ := f.FieldsOf(u.Parameters[input], made)
			for _, field := range fields {
				states := f.statesOf(u, field, last.Reply)
				for _, v := range states {
					params := k.kind.Asks(u, k.values)
					params["input"] = map[string]any{field.Name: v.Go()}
					all = append(all, preparation{maker: maker, field: field.Name, value: v, all: states, call: f.Request(u, params), rank: likelihood(last.Reply, field, v)})
				}
			}
		}
	}
	slices.SortStableFunc(all, func(x, y preparation) int { return strings.Compare(x.maker, y.maker) })
	return all
}

// statesOf are the values of a field by which an object may be made ready: those of an enumeration, both of a flag of which the refusal tells,
// and the key of an object of the run. No state is among them that only one object has, or that acts on others.
func (f *Adapter) statesOf(u probes.Operation, field probes.Parameter, reply probes.Observation) []probes.Value {
	all := slices.Clone(f.EnumOf(field))
	if field.Type == "boolean" && reply.Mentions(field.Name) {
		all = []probes.Value{probes.ValueOf(true), probes.ValueOf(false)}
	} else if own := f.ownKey(u, field, probes.Value{}); len(all) == 0 && !own.Is(probes.Absent) {
		all = []probes.Value{own}
	}
	return slices.DeleteFunc(all, func(v probes.Value) bool { return gate.Exclusive(v) || gate.Reaches(field, v) })
}

// ends are states that an object may not leave again. They are tried after the others.
var ends = strings.Fields("archived closed sealed retired cancelled canceled deleted removed rejected expired finished completed terminated done")

// likelihood ranks a change by what a refusal tells: the value, or the name of the field.
func likelihood(reply probes.Observation, field probes.Parameter, v probes.Value) (rank int) {
	if slices.Contains(ends, strings.ToLower(v.Text())) {
		rank--
	}
	if slices.Contains(vocab.Words(reply.Message()), strings.ToLower(v.Text())) {
		rank += 2
	}
	if reply.Mentions(field.Name) || slices.ContainsFunc(reply.Details().Names(), func(name string) bool { return vocab.Letters(name) == vocab.Letters(field.Name) }) {
		rank++
	}
	return rank
}

// makeReady makes a new object with the fields that prepared the first one. Where that succeeds, all are made so.
func (f *Adapter) makeReady(ctx context.Context, ask probes.Asker) {
	for _, c := range f.ready {
		o, _ := f.Operation(c.maker)
		s := Subject{Adapter: f, Name: o.Name, Op: o}
		if !o.HasParameter(c.field) || c.on != "" {
			continue
		}
		step := "objects in a ready state: " + c.maker + " " + c.field
		f.soleOf(ctx, ask, s, step+": values of one object alone")
		if ask.Ask(ctx, s.FreshCall(step).With(c.field, c.value.Go()).Anew(step)).Succeeded() {
			good := f.KnownGood[c.maker]
			good.Probe = good.Probe.With(c.field, c.value.Go())
			f.KnownGood[c.maker] = good
		}
	}
}

// change brings a new object into the state that a creation demands of what it names, where the object cannot be made so. A state that may
// have an effect beyond the store is set once in a run.
func (s Subject) change(id probes.Value, creation, step string, ask AskFunc) {
	for i, c := range s.ready {
		u, _ := s.Operation(c.call.Operation())
		if c.on != creation || c.maker != s.Name || s.Op.HasParameter(c.field) || gate.ReachesOut(c.value.Text()) {
			continue
		}
		params := s.provenKeys[s.Name].kind.Asks(u, []probes.Value{id})
		params["input"] = map[string]any{c.field: c.value.Go()}
		ask(s.WithVersion(s.Request(u, params).Anew(probes.Nth(step+": change", i)), ask))
	}
}
