package check

import (
	"math"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// A page that begins at the wrong item does not show that its number is one. The answers may tell: beside the number that was sent
// they count the pages, and there are as many as the items fill in pages of each size.

// toldPage reports whether answers with the numbers 1, 2 and so on tell of a parameter that it is the number of a page. plain is the
// listing without it, and larger an answer in pages of one item more. All count the same items: a filter leaves some out.
func toldPage(from string, n int, plain probes.Observation, answers []probes.Observation, larger probes.Observation) bool {
	return eachObject(answers[0].Data(), nil, func(path []string, first probes.Value) bool {
		in := func(o probes.Observation) probes.Value { return o.Data().At(path...) }
		for i, o := range answers {
			if sent, ok := echoed(in(o), from).Float(); !ok || sent != float64(i+1) {
				return false
			}
		}
		for _, pages := range first.Members() {
			for _, total := range first.Members() {
				name, same := pages.Name, in(plain).At(total.Name).Equal(total.Value) && in(larger).At(total.Name).Equal(total.Value)
				for _, o := range answers {
					same = same && in(o).At(total.Name).Equal(total.Value) && in(o).At(name).Equal(pages.Value)
				}
				if same && name != total.Name && fills(total.Value, pages.Value, n) && fills(total.Value, in(larger).At(name), n+1) && !in(larger).At(name).Equal(pages.Value) {
					return true
				}
			}
		}
		return false
	})
}

// fills reports whether so many items fill so many pages of a size.
func fills(total, pages probes.Value, size int) bool {
	items, ok := total.Float()
	count, number := pages.Float()
	return ok && number && items > float64(size) && math.Ceil(items/float64(size)) == count
}

// apart reports whether no item stands on two pages.
func apart(pages ...[]probes.Value) bool {
	_, _, told := ItemKeys(slices.Concat(pages...))
	return told
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
