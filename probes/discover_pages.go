package probes

import (
	"context"
	"slices"
)

// maxListings bounds the pages of a listing that are read: their number is the adapter's.
const maxListings = 100

// nextNumbers are members that give the number at which the next page begins.
var nextNumbers = []string{"next_offset", "nextOffset", "next_page", "nextPage"}

// A wayOn is how introspect is asked for the next page of a listing: a documented
// parameter, and what it is given after a page.
type wayOn struct {
	parameter string
	value     func(page Value, pages, entries int) any
}

// readListing asks for the listing, and for the pages behind the first where an answer says
// that there are more. Introspection document, section 8.3.
func (a *Adapter) readListing(ctx context.Context, ask Asker) {
	a.Listed = ask.Ask(ctx, a.Listing())
	a.Listings = []Observation{a.Listed}
	seen := map[string]bool{}
	if news, _ := unseen(a.Listed, seen); !news || !goesOn(a.Listed.Data()) {
		return
	}
	ways := waysOn(ReadParameters(record(ask.Ask(ctx, a.Lookup("operations", "introspect")).Data())))
	for last := a.Listed; goesOn(last.Data()) && len(a.Listings) < maxListings; last = a.Listings[len(a.Listings)-1] {
		found := false
		for i := 0; !found && i < len(ways); i++ {
			value := ways[i].value(last.Data(), len(a.Listings), len(seen))
			if value == nil {
				continue
			}
			page := ask.Ask(ctx, a.Listing().With(ways[i].parameter, value))
			if news, old := unseen(page, seen); news && !old {
				a.Listings, ways, found = append(a.Listings, page), ways[i:i+1], true
			}
		}
		if !found {
			a.Unended = true
			return
		}
	}
	a.Unended = goesOn(a.Listings[len(a.Listings)-1].Data())
}

// goesOn reports whether a page of a listing says that there is another one.
func goesOn(data Value) bool {
	if more := data.HasMore(); more.Is(Boolean) {
		return more.True()
	}
	next := data.NextCursor()
	return next.Is(String) && next.Text() != "" || data.MemberNamed(nextNumbers...).Is(Number)
}

// unseen adds the names on a page to those seen, and reports whether there were names that
// were not seen before, and names that were.
func unseen(page Observation, seen map[string]bool) (news, old bool) {
	if !page.Succeeded() {
		return false, false
	}
	var names []string
	for _, e := range listed(page.Data()) {
		names = append(names, e.name)
	}
	old = slices.ContainsFunc(names, func(n string) bool { return seen[n] })
	news = slices.ContainsFunc(names, func(n string) bool { return !seen[n] })
	if news && !old {
		for _, n := range names {
			seen[n] = true
		}
	}
	return news, old
}

// waysOn returns what may lead to the next page, by the types of introspect's parameters. The
// page that comes tells which does: the names of the parameters prove nothing.
func waysOn(parameters []Parameter) []wayOn {
	var texts, numbers []wayOn
	for _, p := range parameters {
		switch {
		case p.Name == "query" || p.Name == "name":
		case p.Type == "string":
			texts = append(texts, wayOn{p.Name, func(page Value, _, _ int) any {
				if next := page.NextCursor(); next.Is(String) {
					return next.Text()
				}
				return nil
			}})
		case p.Type == "integer" || p.Type == "number":
			numbers = append(numbers,
				wayOn{p.Name, func(page Value, _, _ int) any {
					if next := page.MemberNamed(nextNumbers...); next.Is(Number) {
						number, _ := next.Float()
						return number
					}
					return nil
				}},
				wayOn{p.Name, func(_ Value, pages, _ int) any { return pages }}, // counted from 0
				wayOn{p.Name, func(_ Value, pages, _ int) any { return pages + 1 }},
				wayOn{p.Name, func(_ Value, _, entries int) any { return entries }})
		}
	}
	return append(texts, numbers...)
}
