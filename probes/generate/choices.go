package generate

import (
	"errors"

	"github.com/aql-conform/aql-conform/probes"
)

// A choice allows what any of its arms allows.
type choice struct{ arms []shape }

// united is the choice of the arms, or the only arm; opaque when none is understood.
func united(arms []shape) shape {
	known := 0
	for _, arm := range arms {
		if _, unknown := arm.(opaque); !unknown {
			known++
		}
	}
	switch {
	case len(arms) == 0:
		return opaque{"a union without members"}
	case len(arms) == 1 || known == 0:
		return arms[0]
	}
	return choice{arms}
}

// draw goes through the arms in turn, so that the first values show each of them.
func (c choice) draw(d drawing, size int) (probes.Value, error) {
	var first error
	for i := range c.arms {
		v, err := c.arms[(size+i)%len(c.arms)].draw(d, size/len(c.arms))
		if err == nil {
			return v, nil
		}
		if first == nil {
			first = err
		}
	}
	return probes.Value{}, first
}

// A listed shape allows the values it lists and no other.
type listed struct{ values []probes.Value }

func (l listed) draw(_ drawing, size int) (probes.Value, error) {
	if len(l.values) == 0 {
		return probes.Value{}, errors.New("an enum without values")
	}
	return l.values[size%len(l.values)], nil
}

// truth allows true and false.
type truth struct{}

func (truth) draw(_ drawing, size int) (probes.Value, error) {
	return probes.ValueOf(size%2 == 0), nil
}

// null allows null alone.
type null struct{}

func (null) draw(drawing, int) (probes.Value, error) { return probes.ValueOf(nil), nil }
