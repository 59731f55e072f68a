package check

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// AnnouncesBatch reports whether the adapter says that it takes batches. Some adapters write the flag
// as their evidence files do.
func AnnouncesBatch(f *model.Adapter) bool {
	flags := f.Protocol.At("capabilities")
	return flags.At("batch").True() || flags.At("batch_operations").True()
}

// OffersBatch reports whether batches are worth trying: they are announced, or the schema of the tool
// has a place for them. Elsewhere a batch is a request without an operation.
func OffersBatch(f *model.Adapter) bool {
	tool, _ := f.Tool(f.Introspect)
	return AnnouncesBatch(f) || TakesOperations(tool)
}

// BatchResults returns the results of a processed batch, also from below data; absent for any other
// answer.
func BatchResults(o probes.Observation) probes.Value {
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

// EntryCount counts the batch entries in a probe.
func EntryCount(p probes.Probe) int {
	entries, _ := p.Args()["operations"].([]any)
	return len(entries)
}

// RepeatedUpdateObject returns a test object and text field that a batch can update several times.
// The last update must win.
func RepeatedUpdateObject(f *model.Adapter) (model.TestObject, probes.Parameter, bool) {
	for _, s := range EachTestObject(f) {
		if obj, why := f.TestObject(s.Name); s.Ruling == nil && why == nil {
			if text, ok := obj.TextField(); ok {
				obj.Base = 1 // after the pair
				return obj, text, true
			}
		}
	}
	return model.TestObject{}, probes.Parameter{}, false
}

// IsPartialListing reports whether a listing has more pages. Without a statement, a full page
// counts as partial.
func IsPartialListing(answer probes.Value) bool {
	if more := answer.HasMore(); more.Is(probes.Boolean) {
		return more.True()
	}
	n := answer.At("data").LongestList()
	return n >= 20 && n%10 == 0
}

// NoObservableEffect returns the ruling for an adapter without an object that can show the order of
// entries.
func NoObservableEffect(s model.Subject) ruling.Ruling {
	for _, m := range append(model.EachMarked(s.Adapter), EachTestObject(s.Adapter)...) {
		if m.Ruling != nil {
			return *m.Ruling
		}
	}
	return ruling.NotProven("an operation whose effects show the order of entries", "none").Mend(model.TestObjectHint)
}

// AnyListsMark reports whether one of the answers lists an object with exactly the mark.
func AnyListsMark(got probes.Answers, mark string) bool {
	return slices.ContainsFunc(got, func(o probes.Observation) bool { return ListsMark(o.Data(), mark) })
}

// ListsMark reports whether a listing has an object with exactly the mark.
func ListsMark(data probes.Value, mark string) bool {
	return slices.ContainsFunc(model.ListedItems(data), func(item probes.Value) bool { return slices.Contains(item.Scalars(), mark) })
}

// withOneMore names the steps in which a listing is asked for again when there is one object more.
const withOneMore = ": with one object more"

// ShowWhole asks for listings again after one more creation, where only the number of their items makes
// them look like full pages: one that grows is no page. Of a listing that others change, that number is
// chance.
func ShowWhole(s model.Subject, ask model.AskFunc, script string, listings []probes.Observation) {
	full := slices.DeleteFunc(slices.Clone(listings), func(o probes.Observation) bool { return !looksFull(o) })
	if len(full) == 0 || !ask(s.FreshCall(script+withOneMore+": creation").Anew(script+withOneMore+": creation")).Succeeded() {
		return
	}
	for i, o := range full {
		ask(o.Probe.Anew(probes.Nth(script+withOneMore, i)))
	}
}

// looksFull reports whether the number of its items alone makes a listing look like a full page.
func looksFull(o probes.Observation) bool {
	return o.Succeeded() && IsPartialListing(o.Envelope()) && !o.Envelope().HasMore().True()
}

// RequireCompleteListings rules on listings that lack an object. They prove that it is missing only
// if they are complete. grown are the same listings as ShowWhole asked for them.
func RequireCompleteListings(listings, grown []probes.Observation) ruling.Ruling {
	items := func(o probes.Observation) int { return o.Envelope().At("data").LongestList() }
	for _, o := range listings {
		grew := func(g probes.Observation) bool {
			return g.Succeeded() && g.Probe.Operation() == o.Probe.Operation() && items(g) > items(o)
		}
		switch {
		case !o.Succeeded():
			return ruling.NotProven("a listing afterwards", o)
		case looksFull(o) && !slices.ContainsFunc(grown, grew), o.Envelope().HasMore().True():
			return ruling.NotProven("a listing that shows everything", "one page of it").By(o)
		}
	}
	return ruling.Conforms()
}

// Grown returns the listings that ShowWhole asked for.
func Grown(got probes.Answers, script string) probes.Answers { return got.Under(script + withOneMore) }

// TakesOperations reports whether a tool's schema knows an array called operations.
func TakesOperations(tool probes.Tool) bool {
	root := tool.Raw.At("inputSchema")
	for _, schema := range slices.Concat([]probes.Value{root}, root.At("oneOf").Items(), root.At("anyOf").Items()) {
		place := schema.At("properties", "operations")
		if place.Is(probes.Object) && (place.At("type").Text() == "array" || place.Has("items")) {
			return true
		}
	}
	return false
}
