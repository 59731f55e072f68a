package generate

import (
	"errors"
	"math/big"

	"github.com/aql-conform/aql-conform/probes"
)

// A span allows the numbers between two bounds, on a grid when step is set. A nil
// bound is not documented.
type span struct {
	low, high         *big.Rat
	lowOpen, highOpen bool     // the bound itself is outside
	step              *big.Rat // distance of the grid, which passes through zero
	integer           bool
}

var (
	one       = big.NewRat(1, 1)
	hundredth = big.NewRat(1, 100)
	// safe is the largest integer that every JSON reader keeps (section 4.7.3).
	safe = new(big.Rat).SetInt64(1<<53 - 1)
)

func readSpan(integer bool, record probes.Value) shape {
	s := span{integer: integer}
	for _, member := range []string{"minimum", "maximum", "multipleOf"} {
		if says(record, member) && decimal(record.At(member)) == nil {
			return opaque{"a " + member + " that is no number of a usual size"}
		}
	}
	s.low, s.high = decimal(record.At("minimum")), decimal(record.At("maximum"))
	if !s.exclude(record.At("exclusiveMinimum"), &s.low, &s.lowOpen, 1) || !s.exclude(record.At("exclusiveMaximum"), &s.high, &s.highOpen, -1) {
		return opaque{"an exclusive bound that is no number"}
	}
	if s.low != nil && s.high != nil && s.low.Cmp(s.high) > 0 {
		return opaque{"bounds that leave no number"}
	}
	if s.step = decimal(record.At("multipleOf")); s.step != nil && s.step.Sign() <= 0 {
		return opaque{"a multipleOf that is not above zero"}
	}
	if integer && s.step == nil {
		s.step = one
	} else if integer {
		s.step = new(big.Rat).SetInt(s.step.Num()) // the integers among the multiples of a/b are those of a
	}
	return s
}

// exclude takes an exclusive bound, as a number of its own or as the flag of older
// schemas, when it is the tighter one. toward is the sign of the inside.
func (s *span) exclude(bound probes.Value, limit **big.Rat, open *bool, toward int) bool {
	switch n := decimal(bound); {
	case bound.Is(probes.Absent), bound.Is(probes.Null), bound.False():
	case bound.True():
		*open = true
	case n == nil:
		return false
	case *limit == nil || n.Cmp(*limit)*toward >= 0:
		*limit, *open = n, true
	}
	return true
}

// decimal reads a number exactly; nil when it is none or unreasonably large.
func decimal(v probes.Value) *big.Rat {
	if _, ok := v.Float(); !ok || len(v.Raw()) > 30 {
		return nil
	}
	n, ok := new(big.Rat).SetString(string(v.Raw()))
	if !ok || new(big.Rat).Abs(n).Cmp(safe) > 0 {
		return nil
	}
	return n
}

// number writes an exact decimal as JSON.
func number(n *big.Rat) probes.Value {
	text := n.Num().String()
	if !n.IsInt() {
		digits, _ := n.FloatPrec()
		text = n.FloatString(digits)
	}
	v, _ := probes.ParseValue([]byte(text))
	return v
}

// start is a small number within reach of the bounds: large numbers tend to mean
// large work.
func (s span) start() *big.Rat {
	n := one
	if s.low != nil && s.low.Cmp(n) > 0 {
		n = s.low
	}
	if s.high != nil && s.high.Cmp(n) < 0 {
		n = s.high
	}
	return n
}

func (s span) draw(d drawing, size int) (probes.Value, error) {
	reach := new(big.Rat).SetInt64(int64(10 * min(size, 100)))
	low, high := new(big.Rat).Sub(s.start(), reach), new(big.Rat).Add(s.start(), reach)
	if s.low == nil {
		low = s.start()
	} else if s.low.Cmp(low) > 0 {
		low = s.low
	}
	if s.high != nil && s.high.Cmp(high) < 0 {
		high = s.high
	}
	if s.step != nil {
		return s.drawOnGrid(d, low, high)
	}
	if low.Cmp(high) > 0 {
		return probes.Value{}, errors.New("no number lies between the bounds")
	}
	share := int64(d.rng.IntN(101))
	if size == 0 {
		share = 0
	}
	for _, k := range []int64{share, 50, 51} {
		n := new(big.Rat).Sub(high, low)
		n.Add(low, n.Mul(n, big.NewRat(k, 100)))
		if s.holds(n) {
			return number(n), nil
		}
	}
	if n := s.inside(); n != nil {
		return number(n), nil
	}
	return probes.Value{}, errors.New("no number lies between the bounds")
}

// inside returns a number next to an open bound.
func (s span) inside() *big.Rat {
	for _, n := range []*big.Rat{hundredth, new(big.Rat).Neg(hundredth)} {
		if n = new(big.Rat).Add(s.start(), n); s.holds(n) {
			return n
		}
	}
	if s.low != nil && s.high != nil {
		n := new(big.Rat).Add(s.low, s.high)
		if n.Mul(n, big.NewRat(1, 2)); s.holds(n) {
			return n
		}
	}
	return nil
}

// holds reports whether a number is between the bounds.
func (s span) holds(n *big.Rat) bool {
	if s.low != nil && (n.Cmp(s.low) < 0 || s.lowOpen && n.Cmp(s.low) == 0) {
		return false
	}
	return s.high == nil || n.Cmp(s.high) < 0 || !s.highOpen && n.Cmp(s.high) == 0
}

// drawOnGrid prefers the grid within low and high and takes the nearest of the
// whole span when none of it lies there.
func (s span) drawOnGrid(d drawing, low, high *big.Rat) (probes.Value, error) {
	first, last := s.ceil(low), s.floor(high)
	if room := new(big.Int).Sub(last, first); room.Sign() > 0 && room.IsInt64() {
		first.Add(first, big.NewInt(d.rng.Int64N(room.Int64()+1)))
	}
	for _, k := range []*big.Int{first, last, s.ceil(s.start()), s.floor(s.start())} {
		for _, shift := range []int64{0, 1, -1} {
			n := new(big.Rat).SetInt(new(big.Int).Add(k, big.NewInt(shift)))
			if n.Mul(n, s.step); s.holds(n) {
				return number(n), nil
			}
		}
	}
	return probes.Value{}, errors.New("no multiple lies between the bounds")
}

// ceil and floor are the grid positions next to a number.
func (s span) ceil(n *big.Rat) *big.Int {
	k := s.floor(n)
	if back := new(big.Rat).SetInt(k); back.Mul(back, s.step).Cmp(n) < 0 {
		k.Add(k, big.NewInt(1))
	}
	return k
}

func (s span) floor(n *big.Rat) *big.Int {
	q := new(big.Rat).Quo(n, s.step)
	return new(big.Int).Div(q.Num(), q.Denom()) // Euclid: rounds down, the denominator is positive
}
