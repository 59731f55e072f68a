package check

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// ResultsOf returns the results of a batch that was processed; absent of any other
// answer. An adapter that hides them in data is understood all the same.
func ResultsOf(o probes.Observation) probes.Value {
	if !o.Succeeded() {
		return probes.Value{}
	}
	if all := o.Envelope().At("results"); all.Is(probes.Array) {
		return all
	}
	if all := o.Data().At("results"); all.Is(probes.Array) {
		return all
	}
	return probes.Value{}
}

// EntriesIn counts the entries of the batch that a probe sends.
func EntriesIn(p probes.Probe) int {
	entries, _ := p.Args()["operations"].([]any)
	return len(entries)
}

// A row of updates is one object that a batch changes several times; the last change
// has to stand.
func UpdatesInRow(f *model.Adapter) (model.TestObject, probes.Parameter, bool) {
	for _, s := range EachSpecimen(f) {
		if obj, why := f.TestObject(s.Name); s.Ruling == nil && why == nil {
			if text, ok := obj.TextField(); ok {
				obj.Base = 1 // after the pair
				return obj, text, true
			}
		}
	}
	return model.TestObject{}, probes.Parameter{}, false
}

// Partial reports whether a listing says that there is more, or where it does not say
// looks so: a full page shows no object that is listed last.
func Partial(answer probes.Value) bool {
	if more := answer.HasMore(); more.Is(probes.Boolean) {
		return more.True()
	}
	n := answer.At("data").LongestList()
	return n >= 20 && n%10 == 0
}

// TakesBetween returns the observations of the takes from one to before another.
func TakesBetween(got []probes.Observation, from, to int) []probes.Observation {
	return slices.DeleteFunc(slices.Clone(got), func(o probes.Observation) bool { return o.Probe.Take < from || o.Probe.Take >= to })
}

// NoSign rules where nothing can be made whose fate shows an order.
func NoSign(s model.Subject) ruling.Ruling {
	for _, m := range append(model.EachMarked(s.Adapter), EachSpecimen(s.Adapter)...) {
		if m.Ruling != nil {
			return *m.Ruling
		}
	}
	return ruling.NotProven("an operation whose effects show the order of entries", "none").Mend(model.TestObjectHint)
}

// Shows reports whether one of the answers shows an object that holds exactly the mark.
func Shows(got []probes.Observation, mark string) bool {
	return slices.ContainsFunc(got, func(o probes.Observation) bool { return Lists(o.Data(), mark) })
}

// Lists reports whether the data of a listing show an object that holds exactly the mark.
func Lists(data probes.Value, mark string) bool {
	return slices.ContainsFunc(model.ListedItems(data), func(item probes.Value) bool { return slices.Contains(item.Scalars(), mark) })
}

// NotListed rules on listings that do not show an object: that proves something only
// where they would show all there is.
func NotListed(listings []probes.Observation) ruling.Ruling {
	for _, o := range listings {
		switch {
		case !o.Succeeded():
			return ruling.NotProven("a listing afterwards", o)
		case Partial(o.Envelope()):
			return ruling.NotProven("a listing that shows everything", "one page of it").By(o)
		}
	}
	return ruling.Conforms()
}
