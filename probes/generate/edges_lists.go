package generate

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/aql-conform/aql-conform/probes"
)

var listOperators = []operator{
	{"listed", true, edgesOf(func(l listed, _ position, _ drawing) []edge {
		var all []edge
		for i, v := range l.values {
			if i < maxListed-1 || i == len(l.values)-1 { // what was added last is what a handler forgot
				all = append(all, edge{v, "with its listed value " + v.String()})
			}
		}
		return all
	})},
	{"unlisted", false, edgesOf(func(l listed, _ position, _ drawing) []edge {
		return single(l.alien(), "with a value that is not listed")
	})},
	{"recased", false, edgesOf(func(l listed, _ position, _ drawing) []edge {
		return l.near(swapCase, "in another letter case")
	})},
	{"padded", false, edgesOf(func(l listed, _ position, _ drawing) []edge {
		return l.near(func(s string) string { return s + " " }, "with a blank behind it")
	})},
	{"fewest", true, edgesOf(func(l list, _ position, d drawing) []edge {
		if l.low == 0 {
			return nil
		}
		return l.measured(d, l.low, "with exactly its documented minimum of %d elements", l.low)
	})},
	{"too-few", false, edgesOf(func(l list, _ position, d drawing) []edge {
		if l.low == 0 {
			return nil
		}
		return l.measured(d, l.low-1, "with one element fewer than its documented minimum of %d", l.low)
	})},
	{"most", true, edgesOf(func(l list, _ position, d drawing) []edge {
		if l.high == nil || *l.high == 0 {
			return nil
		}
		return l.measured(d, *l.high, "with exactly its documented maximum of %d elements", *l.high)
	})},
	{"too-many", false, edgesOf(func(l list, _ position, d drawing) []edge {
		if l.high == nil {
			return nil
		}
		return l.measured(d, *l.high+1, "with one element more than its documented maximum of %d", *l.high)
	})},
	{"duplicate", false, edgesOf(func(l list, _ position, d drawing) []edge {
		v, err := l.ofLength(d, max(l.low-1, 1), 0)
		if err != nil || !l.unique || l.high != nil && len(v.Items()) >= *l.high {
			return nil
		}
		return single(arrayOf(append([]probes.Value{v.Items()[0]}, v.Items()...)...), "with an element twice")
	})},
	{"empty-array", true, edgesOf(func(l list, _ position, _ drawing) []edge {
		if !l.zero {
			return nil
		}
		return single(arrayOf(), "empty, as its documentation allows")
	})},
	{"field-missing", false, edgesOf(record.incomplete)},
	{"empty-object", true, func(at position, _ drawing) []edge {
		r, fields := at.shape.(record)
		if _, values := at.shape.(table); !values && !fields || fields && len(r.fields) > 0 && at.root == "input" {
			return nil // an update of nothing may be refused
		}
		return single(objectOf(nil), "empty, as its documentation allows")
	}},
}

// alien is a value that is not listed: of the kind of the listed ones.
func (l listed) alien() probes.Value {
	text, most := false, 0.0
	for _, v := range l.values {
		n, _ := v.Float()
		text, most = text || v.Is(probes.String), max(most, n)
	}
	switch {
	case text:
		return probes.ValueOf("aqlx_unlisted")
	case most > 0 && most < 1<<40:
		return probes.ValueOf(int64(most) + 1)
	}
	return probes.Value{}
}

// near is a listed text with a slight change. Among the listed ones it is dropped.
func (l listed) near(change func(string) string, words string) []edge {
	for _, v := range l.values {
		if s := v.Text(); s != "" && change(s) != s {
			return single(probes.ValueOf(change(s)), "with its listed value %s %s", v, words)
		}
	}
	return nil
}

func swapCase(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, s)
}

func (l list) measured(d drawing, n int, words string, limit int) []edge {
	v, err := l.ofLength(d, n, 0)
	if err != nil {
		return nil
	}
	return single(v, words, limit)
}

// incomplete is the object without one of its required fields, for each. The
// fields of an update are left out at will, whatever their type says (section
// 4.5.1).
func (r record) incomplete(at position, d drawing) []edge {
	if at.root == "input" {
		return nil
	}
	var all []edge
	for i, f := range r.fields {
		if !f.required {
			continue
		}
		rest := record{append(append([]field{}, r.fields[:i]...), r.fields[i+1:]...)}
		if v, err := rest.draw(d, 0); err == nil {
			all = append(all, edge{v, fmt.Sprintf("without its required field %s", f.name)})
		}
	}
	return all
}
