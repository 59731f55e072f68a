package query

import (
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
)

// Values with an order of their own are no mistake: a priority goes from low to urgent.
func TestOrdersOfTheirOwn(t *testing.T) {
	column := func(text string) (all []probes.Value) {
		for _, word := range strings.Fields(text) {
			all = append(all, probes.ValueOf(word))
		}
		return all
	}
	ranks := column("low normal high urgent")
	for name, c := range map[string]struct {
		x, y         string
		rank, blocks bool
	}{
		"in the documented order":       {"low normal high", "low normal high", true, false},
		"in the opposite one":           {"urgent high low", "urgent high low", true, false},
		"once in each":                  {"low normal high", "high normal low", false, false},
		"in no order":                   {"low high normal", "low high normal", false, false},
		"in blocks that are documented": {"low low high high", "low low high high", true, true},
		"in blocks of another order":    {"new new old old", "new new old old", false, true},
		"in blocks of two orders":       {"new new old old", "old old new new", false, false},
		"in broken blocks":              {"new old new old old new", "new old new old old new", false, false},
		"dates":                         {"2026-05-05 2026-05-05 2026-01-01 2026-01-01", "2026-05-05 2026-05-05 2026-01-01 2026-01-01", false, false},
	} {
		x, y := column(c.x), column(c.y)
		if rank := inRank(ranks, x, y); rank != c.rank {
			t.Errorf("%s: in rank %v", name, rank)
		}
		if blocks := inBlocks(x, y); blocks != c.blocks {
			t.Errorf("%s: in blocks %v", name, blocks)
		}
	}
}
