package generate

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/aql-conform/aql-conform/probes"
)

// A Match reports whether a pattern is found anywhere in a text; understood is
// false when the pattern is of a dialect nobody here reads, or when searching took
// too long. It must bound its own time.
type Match func(pattern, text string) (ok, understood bool)

// A Domain is what one parameter allows, as far as its record and the registry of
// types say so. It hands out no value that Fits does not confirm.
type Domain struct {
	Parameter probes.Parameter
	root      shape
	published []probes.Value // default and examples of the record
	from      *Generator
}

// A shape is the part of a domain that one type expression and one record span.
type shape interface {
	// draw returns a value of the shape, the larger the size the larger as a rule,
	// or says why there is none.
	draw(d drawing, size int) (probes.Value, error)
}

// A drawing is what making one value may use.
type drawing struct {
	rng   *rand.Rand
	match Match
	mark  string // what free texts begin with where there is room; may be empty
}

// An opaque shape stands for what is not understood: nothing can be drawn from it
// and nothing may be concluded about it.
type opaque struct{ why string }

func (o opaque) draw(drawing, int) (probes.Value, error) { return probes.Value{}, errors.New(o.why) }

// Domain reads what a parameter allows. The error says why nothing is understood.
func (g *Generator) Domain(p probes.Parameter) (Domain, error) {
	r := reader{adapter: g.Adapter, left: maxShapes}
	d := Domain{Parameter: p, root: r.expression(p.Type, p.Raw, 0), from: g}
	if o, unknown := d.root.(opaque); unknown {
		return d, fmt.Errorf("%s: %s", p.Name, o.why)
	}
	for _, v := range append([]probes.Value{p.Raw.At("default"), p.Raw.At("example")}, p.Raw.At("examples").Items()...) {
		if !v.Is(probes.Absent) && !v.Is(probes.Null) {
			d.published = append(d.published, v)
		}
	}
	return d, nil
}

// Values returns up to n different values of the domain, small ones first, the
// same for the same state of rng. The error says why none could be made.
func (d Domain) Values(rng *rand.Rand, n int) ([]probes.Value, error) {
	var all []probes.Value
	seen := map[string]bool{}
	add := func(v probes.Value) {
		if key := v.Canonical(nil); !seen[key] && len(all) < n && d.confirms(v) {
			seen[key] = true
			all = append(all, v)
		}
	}
	for _, v := range d.published {
		add(v)
	}
	reason := errors.New("no value drawn is confirmed by the record")
	for size := 0; size < 3*n+8 && len(all) < n; size++ {
		v, err := d.root.draw(d.drawing(rng), size/2)
		if err != nil {
			reason = err
			if size > 8 && len(all) == 0 {
				break
			}
			continue
		}
		add(v)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: %w", d.Parameter.Name, reason)
	}
	return all, nil
}

func (d Domain) drawing(rng *rand.Rand) drawing {
	mark := ""
	if d.from.Nonce != "" {
		mark = d.from.Marker("")
	}
	return drawing{rng: rng, match: d.from.matcher(), mark: mark}
}

// confirms asks the validator, which shares no code with the shapes.
func (d Domain) confirms(v probes.Value) bool {
	ok, understood, _ := d.from.Fits(d.Parameter, v)
	return ok && understood
}
