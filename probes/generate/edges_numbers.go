package generate

import "math/big"

var numberOperators = []operator{
	{"minimum", true, edgesOf(func(s span, _ position, _ drawing) []edge { return s.bound(s.low, s.lowOpen, "minimum", 1) })},
	{"below-minimum", false, edgesOf(func(s span, _ position, _ drawing) []edge { return s.beyond(s.low, s.lowOpen, "minimum", -1) })},
	{"maximum", true, edgesOf(func(s span, _ position, _ drawing) []edge { return s.bound(s.high, s.highOpen, "maximum", -1) })},
	{"above-maximum", false, edgesOf(func(s span, _ position, _ drawing) []edge { return s.beyond(s.high, s.highOpen, "maximum", 1) })},
	{"not-a-multiple", false, edgesOf(func(s span, _ position, d drawing) []edge {
		v, err := s.draw(d, 0)
		if err != nil || s.step == nil || !s.step.IsInt() || s.step.Cmp(one) == 0 {
			return nil
		}
		return single(number(new(big.Rat).Add(decimal(v), one)), "with a number that is no multiple of %s", number(s.step))
	})},
	{"fraction", false, edgesOf(func(s span, _ position, d drawing) []edge {
		v, err := s.draw(d, 0)
		if err != nil || !s.integer {
			return nil
		}
		return single(number(new(big.Rat).Add(decimal(v), big.NewRat(1, 2))), "with a fraction where an integer is documented")
	})},
}

// unit is the distance to the next number: one for integers, a small fraction for
// others.
func (s span) unit() *big.Rat {
	if s.integer {
		return one
	}
	return hundredth
}

// bound is the number at a bound, or next to one that is itself outside. inside is
// the sign of the way into the span.
func (s span) bound(limit *big.Rat, outside bool, word string, inside int64) []edge {
	switch {
	case limit == nil:
		return nil
	case outside:
		n := new(big.Rat).Mul(s.unit(), big.NewRat(inside, 1))
		return single(number(n.Add(n, limit)), "next to its documented exclusive %s of %s", word, number(limit))
	}
	return single(number(limit), "at its documented %s of %s", word, number(limit))
}

// beyond is the number next to a bound on the other side of it, or an exclusive
// bound itself.
func (s span) beyond(limit *big.Rat, outside bool, word string, away int64) []edge {
	switch {
	case limit == nil:
		return nil
	case outside && (!s.integer || limit.IsInt()):
		return single(number(limit), "at its documented exclusive %s of %s", word, number(limit))
	}
	n := new(big.Rat).Mul(s.unit(), big.NewRat(away, 1))
	n.Add(n, limit)
	if s.integer && !n.IsInt() { // the bound of an integer is no integer: take the next one beyond
		whole := span{step: one}
		if away < 0 {
			n.SetInt(whole.floor(limit))
		} else {
			n.SetInt(whole.ceil(limit))
		}
	}
	return single(number(n), "beyond its documented %s of %s", word, number(limit))
}
