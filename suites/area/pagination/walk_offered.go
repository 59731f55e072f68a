package pagination

import (
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A client that names no size gets pages of the size that the adapter chooses. It names none behind a cursor either.

const (
	offered       = "cursor walk without a size: walk"
	offeredListed = "cursor walk without a size: listing"
)

// walkOffered walks through the pages without a size, where the first one is not all that was listed. A faulty walk is
// repeated, with a listing behind it.
func walkOffered(s model.Subject, ask model.AskFunc, listed pageWalk) {
	for i := range 2 {
		step := probes.Nth(offered, i)
		w := recorded(ask, step, func(ask model.AskFunc) { follow(s.ValidCall(), ask, 0, step) })
		if len(listed.items) == 0 || len(w.pages) < 2 {
			return
		}
		ask(greatest(s).Anew(probes.Nth(offeredListed, i)))
		if fault, _ := w.broken(listed); fault == "" {
			return
		}
	}
}

// judgeOffered rules on these walks. One without a fault proves nothing beside the walk in pages of a size.
func judgeOffered(got probes.Answers) ruling.Ruling {
	before := walkOf(got, "cursor walk: listing 2")
	faults := [2]string{}
	for i := range faults {
		walk, after := walkOf(got, probes.Nth(offered, i)), walkOf(got, probes.Nth(offeredListed, i))
		if len(before.items) == 0 || len(walk.pages) < 2 || len(after.pages) == 0 || !sameItems(before, after) {
			return ruling.Conforms()
		}
		faults[i], _ = walk.broken(before)
	}
	if faults[0] == "" || faults[1] == "" {
		return ruling.Conforms()
	}
	pages := walkOf(got, probes.Nth(offered, 1)).pages
	return ruling.Violates("every item once, and an end, also without "+check.CursorStyle.Size, faults[1]).By(pages...).By(before.last())
}
