package generate

import (
	"math/big"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aql-conform/aql-conform/probes"
)

// bounded judges a number by its bounds and its grid, exactly.
func (f *fitter) bounded(record, v probes.Value) answer {
	if !v.Is(probes.Number) {
		return yes()
	}
	n := rational(v)
	if n == nil {
		return open("a number that not every reader keeps")
	}
	if low, high := rational(record.At("minimum")), rational(record.At("maximum")); low != nil && high != nil && low.Cmp(high) > 0 {
		return open("bounds that leave no number")
	}
	answers := []answer{yes()}
	for _, b := range []struct {
		name string
		side int // the sign of what lies outside
		bars bool
	}{{"minimum", -1, record.At("exclusiveMinimum").True()}, {"maximum", 1, record.At("exclusiveMaximum").True()},
		{"exclusiveMinimum", -1, true}, {"exclusiveMaximum", 1, true}} {
		bound, there := given(record, b.name)
		if !there || bound.Is(probes.Boolean) && b.name[0] == 'e' {
			continue
		}
		limit := rational(bound)
		switch {
		case limit == nil:
			answers = append(answers, open("a "+b.name+" that is no usual number"))
		case n.Cmp(limit) == b.side, n.Cmp(limit) == 0 && b.bars:
			answers = append(answers, no("beyond the "+b.name+" "+bound.String()))
		}
	}
	return all(append(answers, onGrid(record, n))...)
}

// onGrid judges a number by its grid.
func onGrid(record probes.Value, n *big.Rat) answer {
	grid, there := given(record, "multipleOf")
	step := rational(grid)
	switch {
	case !there:
		return yes()
	case step == nil || step.Sign() <= 0:
		return open("a multipleOf that is no positive number")
	case new(big.Rat).Quo(n, step).IsInt():
		return yes()
	case !step.IsInt():
		return open("no multiple of a fraction, unless it is rounded")
	}
	return no("no multiple of " + grid.String())
}

// rational reads a number within the integers that every reader keeps (section
// 4.7.3); nil for any other value.
func rational(v probes.Value) *big.Rat {
	if f, ok := v.Float(); !ok || f > 1<<53-1 || f < 1-1<<53 || len(v.Raw()) > 30 {
		return nil
	}
	n, _ := new(big.Rat).SetString(string(v.Raw()))
	return n
}

// size reads a limit that counts something.
func size(record probes.Value, name string) (n int, there, ok bool) {
	limit, there := given(record, name)
	if !there {
		return 0, false, true
	}
	f, isNumber := limit.Float()
	if !isNumber || f < 0 || f > 1<<31 || f != float64(int(f)) {
		return 0, true, false
	}
	return int(f), true, true
}

// counted judges a text by its length and an array by the number of its elements.
func (f *fitter) counted(record, v probes.Value) answer {
	least, most, fewest, longest := "minLength", "maxLength", 0, 0
	switch {
	case v.Is(probes.String):
		fewest, longest = units(v.Text())
	case v.Is(probes.Array):
		least, most, fewest, longest = "minItems", "maxItems", len(v.Items()), len(v.Items())
	default:
		return yes()
	}
	low, hasLow, lowOK := size(record, least)
	high, hasHigh, highOK := size(record, most)
	switch {
	case !lowOK || !highOK:
		return open("a length that counts nothing")
	case hasLow && hasHigh && low > high:
		return open("lengths that leave nothing")
	case hasLow && longest < low:
		return no("shorter than " + least)
	case hasHigh && fewest > high:
		return no("longer than " + most)
	case hasLow && fewest < low, hasHigh && longest > high:
		return open("a length that depends on what is counted")
	}
	return yes()
}

// units returns the least and the greatest length of a text among the ways to
// count it: characters as readers see them, code points, 16-bit units, bytes. The
// specification names none of them.
func units(text string) (fewest, most int) {
	for _, r := range text {
		joins := unicode.In(r, unicode.M, unicode.Cf, unicode.Sk) && r > unicode.MaxASCII || r >= 0x1100 && r < 0x1200 || r >= 0x1F1E6 && r <= 0x1F1FF
		if !joins {
			fewest++
		}
	}
	return fewest, max(len(text), utf8.RuneCountInString(text))
}

// endsLine reports whether a pattern matches a text without the line break at its end. No text names a dialect, and
// in many of them that is enough.
func (f *fitter) endsLine(pattern, text string) bool {
	line, ended := strings.CutSuffix(text, "\n")
	found, _ := f.match(pattern, line)
	return ended && found
}

// written judges a text by pattern and format.
func (f *fitter) written(record, v probes.Value) answer {
	if !v.Is(probes.String) {
		return yes()
	}
	answers := []answer{yes()}
	if pattern, there := given(record, "pattern"); there {
		found, understood := f.match(pattern.Text(), v.Text())
		switch {
		case !pattern.Is(probes.String) || !understood || foreignTo(pattern.Text()):
			answers = append(answers, open("a pattern that is not understood"))
		case !found && f.endsLine(pattern.Text(), v.Text()):
			answers = append(answers, open("a line break at the end, before which $ matches in some dialects"))
		case !found:
			answers = append(answers, no("not matching the pattern"))
		}
	}
	if format, there := given(record, "format"); there {
		answers = append(answers, ofFormat(format.Text(), v.Text()))
	}
	return all(answers...)
}
