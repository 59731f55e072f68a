package model

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/gate"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// nextCandidate advances to the next value of the parameter that the rejection blames, or of any
// parameter that has one left.
func (f *Adapter) nextCandidate(o probes.Operation, reply probes.Observation, values map[string][]probes.Value, chosen map[string]int) bool {
	if !reply.Refused() && !f.showsNobody(o, reply) || reply.Deferred() {
		return false
	}
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	slices.SortFunc(names, func(x, y string) int {
		return cmp.Or(blame(reply, y)-blame(reply, x), strings.Compare(x, y))
	})
	for _, name := range names {
		if chosen[name]+1 < len(values[name]) {
			chosen[name]++
			return true
		}
	}
	return false
}

// mostFree bounds the values of one parameter that are tried because the gate refuses those before.
// None of those was sent.
const mostFree = 16

// nextFree advances to another value of the parameter whose value the gate refused because an object
// of others has it, or because it may name somebody. The mark of the run and values of the documented
// domain follow those that are known.
func (f *Adapter) nextFree(o probes.Operation, why string, values map[string][]probes.Value, chosen map[string]int) bool {
	for _, p := range o.Parameters {
		known := values[p.Name]
		mark := probes.ValueOf(f.Gen.Marker(""))
		if len(known) > 0 && gate.NamesOthers(why, p.Name) && !f.findsBy(o, p) && f.Misfit(p, mark) == "" && !slices.ContainsFunc(known, mark.Equal) {
			chosen[p.Name]++
			values[p.Name] = slices.Insert(slices.Clone(known), chosen[p.Name], mark)
			return true
		}
		drawn := gate.NamesOthers(why, p.Name) && f.ClientChosen(o, p) // of few values, one is that of somebody
		if len(known) == 0 || !drawn && !gate.AnotherValue(why, p.Name) {
			continue
		}
		if chosen[p.Name]+1 == len(known) && len(known) < mostFree {
			if d, err := f.Gen.Domain(p); err == nil {
				drawn, _ := d.Values(rand.New(rand.NewPCG(1, 1)), mostFree)
				drawn = append([]probes.Value{probes.ValueOf(f.Gen.Marker(""))}, drawn...)
				values[p.Name] = append(known, slices.DeleteFunc(drawn, func(v probes.Value) bool {
					return f.Misfit(p, v) != "" || slices.ContainsFunc(known, v.Equal)
				})...)
			}
		}
		if chosen[p.Name]+1 < min(len(values[p.Name]), mostFree) {
			chosen[p.Name]++
			return true
		}
	}
	return false
}

// findsBy reports whether a parameter of a creation names something that exists. The slug of a new page names the page
// itself where no operation finds anything by a slug.
func (f *Adapter) findsBy(o probes.Operation, p probes.Parameter) bool {
	if !probes.IsReference(o, p) || len(vocab.Words(p.Name)) > 1 {
		return probes.IsReference(o, p)
	}
	return slices.ContainsFunc(f.Operations, func(other probes.Operation) bool {
		return other.Category != "CREATE" && slices.ContainsFunc(other.Parameters, func(q probes.Parameter) bool { return q.Required && vocab.Letters(q.Name) == vocab.Letters(p.Name) })
	})
}

func blame(reply probes.Observation, name string) int {
	switch {
	case reply.Details().At("param_name").Text() == name:
		return 2
	case reply.Mentions(name):
		return 1
	}
	return 0
}

// collectScalars keeps the scalars of a successful answer for later requests.
func (f *Adapter) collectScalars(o probes.Operation, reply probes.Observation) {
	before := len(f.Scalars)
	defer func() {
		for i, l := range f.Scalars[before:] {
			for _, name := range l.names() {
				f.scalarsFor[name] = append(f.scalarsFor[name], before+i)
			}
		}
	}()
	var walk func(v probes.Value, key, noun string, depth int)
	walk = func(v probes.Value, key, noun string, depth int) {
		if len(f.Scalars)-before > maxScalars || depth > 5 {
			return
		}
		switch v.Kind() {
		case probes.String, probes.Number:
			f.Scalars = append(f.Scalars, Scalar{o.Name, noun, key, depth, v, o.Category == "CREATE"})
		case probes.Object:
			for _, m := range v.Members() {
				walk(m.Value, m.Name, noun, depth+1)
			}
		case probes.Array:
			for i, item := range v.Items() {
				if i < 3 {
					walk(item, key, noun, depth+1)
				}
			}
		}
	}
	walk(reply.Data(), "", f.Noun(o.Name), 0)
	if identity, err := probes.ParseValue([]byte(reply.Identity)); err == nil {
		walk(identity, "", f.Noun(o.Name), 0)
	}
}

// earlierValues returns values for a parameter from earlier answers. The best match comes first,
// and objects of the run come before others. In a creation they do so whatever the match is: what is made in an
// object of others may not be sent.
func (f *Adapter) earlierValues(o probes.Operation, p probes.Parameter) []probes.Value {
	type scored struct {
		Scalar
		score int
	}
	var found []scored
	for _, i := range f.scalarsFor[vocab.Letters(p.Name)] {
		l := f.Scalars[i]
		if s := f.Affinity(o, p, l); s >= 4 {
			found = append(found, scored{l, s})
		}
	}
	slices.SortStableFunc(found, func(x, y scored) int {
		if o.Category == "CREATE" && x.Own != y.Own {
			if x.Own {
				return -1
			}
			return 1
		}
		return y.score - x.score
	})
	var values []probes.Value
	for _, s := range found {
		values = append(values, s.Value)
	}
	return values[:min(len(values), 4)]
}

// names returns the letters of the parameters that the value may fit. Affinity is 0 for all others.
func (l Scalar) names() []string {
	key, noun := vocab.Letters(l.key), vocab.Letters(l.noun)
	if noun == "" {
		return []string{key}
	}
	all := []string{key, noun + key, noun + "id", noun}
	if rest, ok := strings.CutPrefix(key, noun); ok {
		all = append(all, rest)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Affinity scores how well an earlier value fits a parameter, by its name, the nouns of the
// operations and its depth. Names of parameters and of members may have different styles.
func (f *Adapter) Affinity(o probes.Operation, p probes.Parameter, l Scalar) int {
	name, key, noun := vocab.Letters(p.Name), vocab.Letters(l.key), vocab.Letters(l.noun)
	generic := slices.Contains([]string{"id", "name", "key", "slug", "uuid"}, name)
	same := f.Noun(o.Name) == l.noun
	score := 0
	switch {
	case name == key && !generic, p.Shown != "" && p.Shown == l.key && same:
		score = 6
	case noun == "":
	case name == noun+key, (name == noun+"id" || name == noun) && slices.Contains([]string{"id", "uuid", "key"}, key):
		score = 5
	case generic && same && (key == name || key == noun+name):
		score = 5
	}
	if score > 0 && l.Own {
		score++
	}
	if l.depth > 4 {
		score--
	}
	return score
}

// ValueIn returns a parameter of a probe as it is sent.
func ValueIn(p probes.Probe, name string) probes.Value {
	if params := p.Params(); params != nil {
		if v, given := params[name]; given {
			return probes.ValueOf(v)
		}
		return probes.Value{}
	}
	v, _ := probes.ParseValue(p.Arguments())
	return v.At("params", name)
}

// AbsentKey qualifies generic parameter names with the noun of the operation: note_id means the
// same for every operation, id does not.
func (f *Adapter) AbsentKey(o probes.Operation, p probes.Parameter) string {
	if slices.Contains([]string{"id", "name", "key", "slug", "uuid", "handle"}, p.Name) {
		return f.Noun(o.Name) + "." + p.Name
	}
	return p.Name
}

// knownGoodChange builds the request of an operation that changes or removes. It uses an absent
// identifier, so that it cannot do damage, and valid values for all other required parameters.
func (f *Adapter) knownGoodChange(ctx context.Context, ask probes.Asker, o probes.Operation) KnownGood {
	if ok, why := f.Callable(o); !ok {
		return KnownGood{State: NotPermitted, Why: why}
	}
	if o.Category == "UPDATE" && f.Rules.Lifted(o) && f.namesNothing(o) {
		return f.knownGood(ctx, ask, o) // no object can be absent, and the operator permits it by name
	}
	params, absent := map[string]any{}, false
	for _, p := range o.Parameters {
		if !p.Required {
			continue
		}
		if v, ok := f.Absent[f.AbsentKey(o, p)]; ok && probes.IsReference(o, p) {
			params[p.Name], absent = v.Go(), true
			continue
		}
		v := f.ChangeValue(o, p)
		if v.Is(probes.Absent) {
			b := KnownGood{State: NoneKnown, Why: "no value for the parameter " + p.Name}
			if !probes.IsReference(o, p) {
				b.NeedsSamples = o.Name
			}
			return b
		}
		params[p.Name] = v.Go()
	}
	if !absent && o.Category != "EXECUTE" {
		return KnownGood{State: NoneKnown, Why: "no identifier that a READ has reported as not found"}
	}
	probe := f.Request(o, params)
	b := f.classify(ctx, ask, o, probe, ask.Ask(ctx, probe))
	if strings.HasPrefix(b.Reply.Code(), "NOT_FOUND_RESOURCE") || strings.HasPrefix(b.Reply.Code(), "NOT_FOUND") && b.Reply.Code() != "NOT_FOUND_OPERATION" {
		b.State, b.Why, b.NeedsSamples = ProvenAbsent, "", ""
	}
	return b
}

// ChangeValue returns a value for a parameter that is not an identifier. The input of an UPDATE
// gets one free-text field if its type documents one. Section 4.5.
func (f *Adapter) ChangeValue(o probes.Operation, p probes.Parameter) probes.Value {
	if p.Name == "input" && o.Category == "UPDATE" {
		t, _ := f.Type(p.Type)
		for _, field := range t.Details.At("fields").Items() {
			plain := field.At("type").Text() == "string" && !field.Has("enum") && !field.Has("pattern") && !field.Has("format")
			if plain && field.At("name").Text() != "" {
				return probes.ValueOf(map[string]any{field.At("name").Text(): f.Gen.Marker("-u")})
			}
		}
	}
	if values := f.Gen.Values(o, p); len(values) > 0 {
		return values[0]
	}
	return probes.Value{}
}

// Usable reports whether the request is known to be valid.
func (b KnownGood) Usable() bool { return b.State == Proven || b.State == ProvenAbsent }

// Unlock returns the flag or hint that would make the request possible, or "".
func (b KnownGood) Unlock() string {
	if flag := gate.Unlock(b.Why); flag != "" && b.State == NotPermitted {
		return flag
	}
	if b.NeedsSamples != "" {
		return AddHint("samples."+b.NeedsSamples, "values that are valid together")
	}
	return ""
}

// String describes the state as evidence of a finding.
func (b KnownGood) String() string {
	if b.Why == "" {
		return string(b.State)
	}
	return fmt.Sprintf("%s: %s", b.State, gate.Reason(b.Why))
}
