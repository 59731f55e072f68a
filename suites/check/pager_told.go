package check

import (
	"math"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// A page that begins at the wrong item does not show that its number is one. The answers may tell: beside the number that was sent
// they count the pages, and there are as many as the items fill in pages of each size.

// toldPage reports whether answers with the numbers 1, 2 and so on tell of a parameter that it is the number of a page. larger is an
// answer in pages of one item more.
func toldPage(from string, n int, answers []probes.Observation, larger probes.Observation) bool {
	return eachObject(answers[0].Data(), nil, func(path []string, first probes.Value) bool {
		for i, o := range answers {
			if sent, ok := echoed(o.Data().At(path...), from).Float(); !ok || sent != float64(i+1) {
				return false
			}
		}
		more := larger.Data().At(path...)
		for _, m := range first.Members() {
			if counts(first, m.Name, n) && counts(more, m.Name, n+1) && !more.At(m.Name).Equal(m.Value) {
				return true
			}
		}
		return false
	})
}

// echoed is the member of an object that has the name of a parameter.
func echoed(v probes.Value, name string) probes.Value {
	for _, m := range v.Members() {
		if vocab.Letters(m.Name) == vocab.Letters(name) {
			return m.Value
		}
	}
	return probes.Value{}
}

// counts reports whether a member is the number of pages of a size that another member of the object fills.
func counts(in probes.Value, name string, size int) bool {
	pages, number := in.At(name).Float()
	for _, m := range in.Members() {
		total, ok := m.Value.Float()
		if number && ok && m.Name != name && total > float64(size) && math.Ceil(total/float64(size)) == pages {
			return true
		}
	}
	return false
}

// eachObject reports whether one of the objects in an answer, outside of lists, is the one that is looked for.
func eachObject(v probes.Value, path []string, found func(path []string, v probes.Value) bool) bool {
	if !v.Is(probes.Object) {
		return false
	}
	for _, m := range v.Members() {
		if eachObject(m.Value, append(slices.Clone(path), m.Name), found) {
			return true
		}
	}
	return found(path, v)
}
