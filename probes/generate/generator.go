// Package generate makes parameter values from what introspection says of a
// parameter, and tells whether a value is allowed. It knows records, types and
// the nonce of the run, and refuses to know what an adapter answers: whether a
// value was rightly refused is for a judge.
package generate

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// A Generator makes parameter values from introspection alone: harvested
// identifiers, published examples, defaults, enum members, and values built from
// type and constraints. Everything it invents carries the run's nonce.
type Generator struct {
	Adapter *probes.Adapter
	Nonce   string // 8 characters of the run
	Harvest func(op probes.Operation, p probes.Parameter) []probes.Value
	Hints   func(op, param string) []probes.Value
	Match   Match // how patterns are searched; nil reads RE2 alone
}

// matcher is the generator's own, or one that reads RE2 alone.
func (g *Generator) matcher() Match {
	if g.Match != nil {
		return g.Match
	}
	return func(pattern, text string) (ok, understood bool) {
		re, err := regexp.Compile(pattern)
		return err == nil && re.MatchString(text), err == nil
	}
}

// maxCandidates bounds how many values of one source are tried: an enum is as long
// as the adapter likes.
const maxCandidates = 200

// Values returns the values to try for a parameter, best first; each fits the
// parameter's own record. Empty means that nothing fitting could be made.
func (g *Generator) Values(op probes.Operation, p probes.Parameter) []probes.Value {
	var all []probes.Value
	known := map[string]bool{}
	add := func(vs ...probes.Value) {
		for _, v := range vs[:min(len(vs), maxCandidates)] {
			if key := v.Canonical(nil); !known[key] && !v.Is(probes.Absent) && Misfit(g.Adapter, p, v) == "" {
				known[key] = true
				all = append(all, v)
			}
		}
	}
	if g.Hints != nil {
		add(g.Hints(op.Name, p.Name)...)
	}
	if version, required := op.Precondition(); required && version.Name == p.Name {
		add(unreadVersion(p)...)
	}
	reference := probes.IsReference(op, p)
	if reference {
		if g.Harvest != nil {
			add(g.Harvest(op, p)...)
		}
		return all
	}
	if op.Category == "CREATE" { // what we create carries our own mark wherever it can
		if p.Type == "string" && !p.Raw.Has("enum") {
			add(g.synthesize(op, p)...)
		}
		add(g.markedObjects(op, p)...)
	}
	if op.Category != "DELETE" {
		for _, example := range op.Details.At("examples").Items() {
			add(example.At("request", "params", p.Name))
		}
	}
	add(p.Raw.At("default"))
	add(g.Adapter.EnumOf(p)...)
	add(g.synthesize(op, p)...)
	return all
}

// Marker returns a string no other run uses; it tells our own objects from those
// of others.
func (g *Generator) Marker(suffix string) string { return "aqlc-" + g.Nonce + suffix }

// AbsentIdentifier returns a value in the documented form of an identifier that
// nothing should have; a READ has to confirm that before it is relied on.
// like is an existing identifier, when one is known.
func (g *Generator) AbsentIdentifier(p probes.Parameter, like probes.Value) probes.Value {
	kinds, _ := g.Adapter.Kinds(p.Type)
	switch {
	case like.Is(probes.Number), like.Is(probes.Absent) && slices.ContainsFunc(kinds, func(k string) bool { return k == "integer" || k == "number" }):
		return probes.ValueOf(987654321)
	case p.Raw.At("format").Text() == "uuid", looksLikeUUID(like.Text()):
		return probes.ValueOf("00000000-0000-4000-8000-" + hexOf(g.Nonce))
	case p.Raw.Has("pattern"):
		if s, ok := MatchFor(p.Raw.At("pattern").Text(), max(lengthOf(p.Raw, "minLength", 0), 12), lengthOf(p.Raw, "maxLength", 64)); ok {
			return probes.ValueOf(s)
		}
		return probes.Value{}
	}
	return probes.ValueOf(g.Marker("-absent"))
}

func looksLikeUUID(s string) bool {
	return len(s) == 36 && strings.Count(s, "-") == 4
}

// hexOf folds a nonce into twelve hexadecimal digits.
func hexOf(nonce string) string {
	return fmt.Sprintf("%012x", []byte(nonce))[:12]
}
