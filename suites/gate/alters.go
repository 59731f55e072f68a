package gate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// alters says why a change or a removal must not be sent; "" when it may. It has to name
// one object by its complete identifier, and that is ours, or is read as absent at this
// moment.
func (g *Gate) alters(ctx context.Context, rules *Rules, r *request, c *asked, lifted bool) string {
	views, names, single := rules.acts(c.op)
	k := Kind{Views: views, Key: names}
	key, named := k.KeyIn(c.params)
	if named && single {
		c.object = g.find(r.probe.Conn, k, key)
	}
	if lifted {
		if named && single && c.object == nil { // what an update writes over our mark is noted, so that the object is found again
			c.object = g.claim(ctx, r.probe.Conn, k, key)
		}
		return ""
	}
	flag := permitting(strings.ToLower(c.op.Category), c.op.Name)
	switch {
	case !single:
		return refusal("it is not shown to act on one object by a complete identifier", flag)
	case c.strange:
		return refusal("the request can be read in more than one way", flag)
	case !named:
		return refusal("the test leaves the identifier out on purpose, or sends one that is no text and no number", flag)
	}
	if why := g.elsewhere(ctx, rules, r.probe.Conn, c, names, key); why != "" {
		return refusal(why, flag)
	}
	if why := g.outside(ctx, rules, r.probe.Conn, c.op, k, key); why != "" {
		return refusal(why, flag)
	}
	if why := g.joins(ctx, rules, r.probe.Conn, c, k); why != "" {
		return refusal(why, flag)
	}
	if why := g.widens(rules, c); why != "" {
		return refusal(why, flag)
	}
	if c.object == nil {
		c.object = g.claim(ctx, r.probe.Conn, k, key)
	}
	if c.object == nil && !g.free(ctx, r.probe.Conn, k, key) {
		return refusal("the object "+clip(texts(key))+" is not proven to be ours", flag)
	}
	if why := g.bare(c); why != "" {
		return refusal(why, flag)
	}
	return ""
}

// elsewhere says why an identifier in another place than in params stands in the way: an
// adapter that looks for it there would act on another object.
func (g *Gate) elsewhere(ctx context.Context, rules *Rules, conn string, c *asked, names []string, key []probes.Value) string {
	for i, name := range names {
		for _, place := range identifiersIn(c.beside, c.params, name) {
			if !place.Equal(key[i]) && !g.owns(ctx, conn, place, c.op.Name, name) && !g.fresh(place) && !g.unused(ctx, rules, conn, place, c.op.Name, name) {
				return fmt.Sprintf("another identifier stands beside it: %s %s", name, clip(place.String()))
			}
		}
	}
	return ""
}

// identifiersIn returns the values of a name in a call outside of its params, and below
// the members of these.
func identifiersIn(beside, params probes.Value, name string) []probes.Value {
	var found []probes.Value
	var walk func(v probes.Value, depth int)
	walk = func(v probes.Value, depth int) {
		for _, m := range v.Members() {
			if alike(m.Name, name) && depth > 0 {
				found = append(found, m.Value)
			}
			if depth < maxDepth {
				walk(m.Value, depth+1)
			}
		}
		for _, item := range v.Items() {
			if depth < maxDepth {
				walk(item, depth+1)
			}
		}
	}
	walk(params, 0)
	for _, m := range beside.Members() {
		if alike(m.Name, name) {
			found = append(found, m.Value)
		}
	}
	return found
}

// widening are words in the names of parameters that make an operation act on more than
// the object that is named.
var widening = strings.Fields("all cascade cascading force recursive recursively bulk every everything children descendants filter where query scope selector ids")

// protocolNames are parameters that the specification itself gives a meaning.
var protocolNames = strings.Fields("input fields dryrun confirmation confirmationtoken confirm ifmatch etag version")

// widens says why a parameter beside the identifier must not be sent: it may make the
// operation act on more, or nobody documents what it does.
func (g *Gate) widens(rules *Rules, c *asked) string {
	for _, m := range c.params.Members() {
		name := strings.Join(vocab.Words(m.Name), "")
		if g.invented(m.Name) || slices.Contains(protocolNames, name) {
			continue
		}
		documented := slices.ContainsFunc(c.op.Parameters, func(p probes.Parameter) bool {
			return alike(p.Name, m.Name) || vocab.Near(vocab.Letters(p.Name), name, 2) && len(name) > 3
		})
		wide := slices.ContainsFunc(vocab.Words(m.Name), func(w string) bool { return slices.Contains(widening, w) })
		optional := !parameter(c.op, m.Name).Required
		switch {
		case wide && !m.Value.False():
			return "the parameter " + clip(m.Name) + " may make it act on more than one object"
		case !documented && !harmlessName(m.Name) && !(c.op.Category == "UPDATE" && rules.fieldOf(c.op, m.Name)):
			return "nobody documents what the parameter " + clip(m.Name) + " does"
		case c.op.Category == "DELETE" && optional && m.Value.True():
			return "the parameter " + clip(m.Name) + " may make it act on more than one object"
		}
	}
	return ""
}

// builtIn are names that belong to every object of a language, so that no adapter has
// given them a meaning of its own.
var builtIn = strings.Fields("constructor toString hasOwnProperty valueOf __proto__ __class__ __str__ __dir__ prototype")

// harmlessName reports whether a parameter of this name has no meaning to any adapter.
func harmlessName(name string) bool {
	return slices.Contains(builtIn, name) || strings.HasPrefix(name, "_")
}

// fieldOf reports whether a name is a field of the objects that an operation changes: a
// parameter that one is made with, or a field of the input that is documented.
func (r *Rules) fieldOf(o probes.Operation, name string) bool {
	if slices.ContainsFunc(r.makers(o), func(m probes.Operation) bool { return m.HasParameter(name) }) {
		return true
	}
	t, _ := r.Type(parameter(o, "input").Type)
	return slices.ContainsFunc(t.Details.At("fields").Items(), func(f probes.Value) bool { return f.At("name").Text() == name })
}

// joins says why a change would reach another object than the one it names: a value beside
// the identifier names something that is not ours, or acts on others.
func (g *Gate) joins(ctx context.Context, rules *Rules, conn string, c *asked, k Kind) string {
	for i, m := range slices.Concat(c.params.Members(), c.params.At("input").Members()) {
		key := slices.ContainsFunc(k.Key, func(name string) bool { return alike(name, m.Name) })
		protocol := slices.Contains(protocolNames, strings.Join(vocab.Words(m.Name), "")) || probes.TakesToken(m.Name)
		of := c.op
		if i >= len(c.params.Members()) {
			of = rules.fieldOwner(c.op, m.Name)
		}
		if p := parameter(c.op, m.Name); !key && !protocol {
			for _, h := range rules.held(rules.fieldRecord(c.op, p), m.Value) {
				if why := g.foreign(ctx, rules, Kind{Make: of}, nil, h.of, h.value, conn); why != "" && !g.ownsAsMade(ctx, rules, conn, c.op, h.of.Name, h.value) {
					return why
				}
				if (Reaches(h.of, h.value) || rules.displacing(c.op, h.of, h.value)) && !g.nobodys(h.value) {
					return "the field " + clip(h.of.Name) + " may have an effect on others"
				}
			}
		}
	}
	return ""
}

// ownsAsMade reports whether what a field of a change names is of the run, as the creation of the kind takes it: a number is the key of
// several kinds, and the parameter of the creation tells of which.
func (g *Gate) ownsAsMade(ctx context.Context, rules *Rules, conn string, o probes.Operation, name string, v probes.Value) bool {
	return slices.ContainsFunc(rules.makers(o), func(m probes.Operation) bool {
		k, known := rules.Kind(m.Name)
		return known && scalar(v) && m.HasParameter(name) && g.ownsNamesake(ctx, rules, conn, k, g.survey(ctx, k), parameter(m, name), v)
	})
}

// fieldOwner is the operation of which a field of input is read. A name in the input of an update is what a
// creation of the kind takes as the name of a new object, and no reference.
func (r *Rules) fieldOwner(o probes.Operation, name string) probes.Operation {
	for _, m := range r.makers(o) {
		if name == "name" && m.HasParameter(name) {
			return m
		}
	}
	return o
}

// fieldRecord is what is documented of a field of the input: as a parameter of the
// creation where the change itself says nothing.
func (r *Rules) fieldRecord(o probes.Operation, p probes.Parameter) probes.Parameter {
	if p.Type != "" {
		return p
	}
	for _, m := range r.makers(o) {
		if q := parameter(m, p.Name); q.Type != "" {
			return q
		}
	}
	fields := r.Fields(parameter(o, "input"))
	if i := slices.IndexFunc(fields, func(f probes.Parameter) bool { return f.Name == p.Name }); i >= 0 {
		return fields[i]
	}
	return p
}
