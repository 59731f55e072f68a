package generate

import (
	"errors"
	"fmt"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// A list allows arrays. A nil high is not documented.
type list struct {
	items  shape
	low    int
	zero   bool // minItems is documented as 0
	high   *int
	unique bool
}

// maxItems bounds the arrays that are made; longer ones are the concern of the
// payload limits (section 4.7.5).
const maxItems = 200

// list reads an array: its elements from the type expression, from items, or from
// both. Constraints of a scalar beside a list without items may be meant for the
// elements, so then nothing is known of them.
func (r *reader) list(e probes.TypeExpr, record probes.Value, depth int) shape {
	l := list{items: opaque{"elements of which nothing is documented"}, unique: record.At("uniqueItems").True()}
	items := record.At("items")
	switch {
	case says(record, "items"):
		if expr := items.At("type"); !items.Is(probes.Object) || !expr.Is(probes.String) {
			return opaque{"items without a type"}
		}
		l.items = r.expression(items.At("type").Text(), items, depth+1)
		if len(e.Parts) > 0 && !sameType(e.Parts[0], items) {
			return opaque{"elements that the type and items describe differently"}
		}
	case len(e.Parts) > 0:
		for _, member := range strings.Fields("minLength maxLength pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf fields properties") {
			if says(record, member) {
				return opaque{"a " + member + " that may be meant for the elements"}
			}
		}
		l.items = r.read(e.Parts[0], probes.Value{}, depth+1)
	}
	var ok bool
	if l.low, l.high, ok = counts(record, "minItems", "maxItems"); !ok {
		return opaque{"limits that count nothing"}
	}
	l.zero = says(record, "minItems") && l.low == 0
	for _, g := range e.Generics {
		l.unique = l.unique || g == "set"
	}
	return l
}

// sameType reports whether items repeats the element type of the expression.
func sameType(element probes.TypeExpr, items probes.Value) bool {
	e, err := probes.ParseType(items.At("type").Text())
	return err == nil && fmt.Sprint(e) == fmt.Sprint(element)
}

// counts reads two limits that count something. ok is false when they are no
// counts or leave nothing between them; high is nil when there is none.
func counts(record probes.Value, least, most string) (low int, high *int, ok bool) {
	count := func(member string) (n int, there, ok bool) {
		if !says(record, member) {
			return 0, false, true
		}
		v := record.At(member)
		f, number := v.Float()
		return int(f), true, number && v.Whole() && f >= 0 && f < 1<<31
	}
	low, _, ok = count(least)
	n, there, fine := count(most)
	if there {
		high = &n
	}
	return low, high, ok && fine && (high == nil || low <= n)
}

func (l list) draw(d drawing, size int) (probes.Value, error) {
	n := l.low
	if most := l.most(); most > n && size > 0 {
		n += d.rng.IntN(min(most-n, size, 6) + 1)
	} else if size == 0 && n == 0 && most > 0 {
		n = 1 // one element shows more than none
	}
	v, err := l.ofLength(d, n, size)
	if err != nil && l.low == 0 {
		return arrayOf(), nil
	}
	return v, err
}

// most is the greatest length that is made.
func (l list) most() int {
	if l.high != nil {
		return min(*l.high, maxItems)
	}
	return max(l.low, maxItems)
}

// ofLength makes an array of n elements, different ones where they have to be.
func (l list) ofLength(d drawing, n, size int) (probes.Value, error) {
	if n > maxItems {
		return probes.Value{}, fmt.Errorf("an array of %d elements is longer than is made here", n)
	}
	var elements []probes.Value
	seen := map[string]bool{}
	for try := 0; len(elements) < n; try++ {
		if try > 4*n+20 {
			return probes.Value{}, errors.New("too few different elements")
		}
		v, err := l.items.draw(d, size+try)
		if err != nil {
			return probes.Value{}, err
		}
		if key := v.Canonical(nil); !l.unique || !seen[key] {
			seen[key] = true
			elements = append(elements, v)
		}
	}
	return arrayOf(elements...), nil
}

// arrayOf puts values into an array.
func arrayOf(elements ...probes.Value) probes.Value {
	var b strings.Builder
	b.WriteByte('[')
	for i, v := range elements {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(v.Raw())
	}
	b.WriteByte(']')
	v, _ := probes.ParseValue([]byte(b.String()))
	return v
}
