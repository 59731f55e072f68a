package suites

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// ofParts matches a bound that holds for each part of an answer and not for the
// whole, which a page is not.
var ofParts = regexp.MustCompile(`(?i)\b(per|for each|in each|of each)\s+[a-oq-z]`)

// sizes are the parameters of an operation that say how many items a page holds at
// most.
func sizes(s Subject) []string {
	return slices.DeleteFunc(s.named(strings.Fields("first limit page_size max_results per_page max_items take")), func(name string) bool {
		pages := slices.ContainsFunc([]style{cursorStyle, offsetStyle, pageStyle}, func(st style) bool { return st.size == name && s.offers(st) })
		return !s.counts(name) || !pages && (!s.says(name, ofItems) || s.says(name, ofParts))
	})
}

// Operations document, section 4.4.3. The size is chosen for the room there is in a
// context; a page that overflows it pushes something else out.
var _ = register(Check{
	Requirement: "OPS-4.4.3-15",
	On:          only(eachProven, func(s Subject) bool { return s.Op.Category == "READ" && len(sizes(s)) > 0 }),
	Ask: func(s Subject) []probes.Probe {
		ps := []probes.Probe{s.ValidCall()}
		for _, name := range sizes(s) {
			if n, ok := s.smallest(name); ok {
				ps = append(ps, s.ValidCall().With(name, n))
			}
		}
		return ps
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		all, why := several(got[0])
		if why != nil {
			return *why
		}
		var rs []Ruling
		for _, name := range sizes(s) {
			n, _ := s.smallest(name)
			i := slices.IndexFunc(got[1:], func(o probes.Observation) bool { return valueIn(o.Probe, name).Is(probes.Number) })
			if i < 0 || n >= len(all) {
				rs = append(rs, NotProven("more items than the least page holds", len(all)).By(got[0]))
				continue
			}
			items, _, ok := collection(got[1+i].Data())
			switch {
			case !got[1+i].Succeeded() || !ok:
				rs = append(rs, NotProven("a page of the size asked for", got[1+i]).By(got[0]))
			case len(items) > n:
				rs = append(rs, Violates("at most the items asked for by "+name, len(items)).By(got[1+i], got[0]))
			default:
				rs = append(rs, Conforms().By(got[1+i]))
			}
		}
		return Worst(rs...)
	},
	Fix: "cut every page to the size that was asked for",
})

// unissued is a cursor of the form of one that was issued: the same letters and
// digits turned into others, and more of them where a short one might be issued too.
func unissued(issued string) string {
	turn := func(r rune) rune {
		switch {
		case '0' <= r && r <= '9':
			return '0' + (r-'0'+7)%10
		case 'a' <= r && r <= 'z':
			return 'a' + (r-'a'+11)%26
		case 'A' <= r && r <= 'Z':
			return 'A' + (r-'A'+11)%26
		}
		return r
	}
	other := strings.Map(turn, issued)
	if len(issued) < 8 {
		return strings.Repeat(other, 12/len(issued)+1)
	}
	return other
}

// Pagination, on cursors. Who loses the place and is put back to the beginning reads
// it all again and never learns of it.
var _ = register(Check{
	Requirement: "CMP-CURSOR-01",
	On:          paged(cursorStyle),
	Drive: func(s Subject, ask Asking) {
		first := ask(s.opening(cursorStyle))
		cursor := positionOf(first).cursor.Text()
		if !first.Succeeded() || cursor == "" || !ask(s.opening(cursorStyle).With("after", cursor)).Succeeded() {
			return
		}
		ask(s.opening(cursorStyle).With("after", unissued(cursor)))
	},
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		strange := got[len(got)-1]
		switch {
		case len(got) < 3:
			return NotProven("a cursor that the adapter issues and takes", strange).By(got...)
		case strange.Succeeded():
			return Violates("a refusal of a cursor that was never issued", strange).By(got[1])
		case strange.Deferred() || !strange.Refused() && !strange.RefusedBelow():
			return NotProven("a refusal by the adapter", strange)
		}
		return Conforms().By(strange, got[1])
	},
	Fix: "refuse a cursor that cannot be read, or carries no sign of your own",
})
