package generate

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// typeOperators put a value of one kind where another is documented. Those that a
// lenient reader turns into the right kind come as operators of their own.
var typeOperators = []operator{
	{"boolean", true, edgesOf(func(truth, position, drawing) []edge {
		return []edge{{probes.ValueOf(true), "with true"}, {probes.ValueOf(false), "with false"}}
	})},
	confusion("number-as-text", "as a text in quotes", func(v probes.Value) probes.Value {
		if !v.Is(probes.Number) {
			return probes.Value{}
		}
		return probes.ValueOf(v.String())
	}),
	confusion("boolean-as-text", "as a text in quotes", func(v probes.Value) probes.Value {
		if !v.Is(probes.Boolean) {
			return probes.Value{}
		}
		return probes.ValueOf(v.String())
	}),
	confusion("boolean-as-number", "as 1 or 0", func(v probes.Value) probes.Value {
		switch {
		case v.True():
			return probes.ValueOf(1)
		case v.False():
			return probes.ValueOf(0)
		}
		return probes.Value{}
	}),
	confusion("structure-as-text", "as JSON within a text", func(v probes.Value) probes.Value {
		if !v.Is(probes.Array) && !v.Is(probes.Object) {
			return probes.Value{}
		}
		return probes.ValueOf(v.String())
	}),
	confusion("element-alone", "as an element without its array", func(v probes.Value) probes.Value { return v.At("0") }),
	confusion("array-around", "inside an array", func(v probes.Value) probes.Value { return arrayOf(v) }),
	confusion("object-around", "inside an object", func(v probes.Value) probes.Value {
		return objectOf([]probes.Member{{Name: "value", Value: v}})
	}),
	instead("number-instead", "with a number where another type is documented", probes.ValueOf(5)),
	instead("boolean-instead", "with a boolean where another type is documented", probes.ValueOf(true)),
	instead("text-instead", "with a text where another type is documented", probes.ValueOf("aqlc")),
	instead("array-instead", "with an array where another type is documented", arrayOf(probes.ValueOf("aqlc"))),
	instead("object-instead", "with an object where another type is documented", objectOf([]probes.Member{{Name: "aqlc", Value: probes.ValueOf(1)}})),
	{"null-documented", true, edgesOf(func(null, position, drawing) []edge {
		return single(probes.ValueOf(nil), "null, as its documentation allows")
	})},
	instead("null", "null where none is documented", probes.ValueOf(nil)),
}

// confusion is an operator that sends a valid value in another guise; no value
// when the guise is not for its kind.
func confusion(name, words string, disguise func(probes.Value) probes.Value) operator {
	return operator{name, false, func(at position, d drawing) []edge {
		shapes := []shape{at.shape}
		if c, union := at.shape.(choice); union {
			shapes = c.arms
		} else if at.arm {
			return nil
		}
		var all []edge
		for _, s := range shapes {
			if v, err := s.draw(d, 0); err == nil {
				all = append(all, single(disguise(v), "%s", words)...)
			}
		}
		return all
	}}
}

// instead is an operator that sends the same value wherever its kind is not
// documented.
func instead(name, words string, v probes.Value) operator {
	return operator{name, false, func(at position, _ drawing) []edge {
		if kinds := kindsOf(at.shape); at.arm || slices.Contains(kinds, "unknown") || slices.Contains(kinds, string(v.Kind())) {
			return nil
		}
		return single(v, "%s", words)
	}}
}
