package reports

import "slices"

// A Gathering collects the findings of a run as they come. A report merges those of one
// kind and shows the exchanges of the first: that one alone keeps its evidence, because
// a run has tens of thousands. Failures all keep theirs: of which kind they are shows
// only when all are known.
type Gathering struct {
	All    []Finding
	lender map[kind]int // the first so far, as a report orders them
}

// Room makes room for so many findings at once: to grow by and by takes twice as much.
func (g *Gathering) Room(findings int) { g.All = slices.Grow(g.All, findings) }

// Add takes findings over.
func (g *Gathering) Add(findings ...Finding) {
	if g.lender == nil {
		g.lender = map[kind]int{}
	}
	for _, f := range findings {
		last := len(g.All)
		g.All = append(g.All, f)
		if f.Verdict == Fail {
			continue
		}
		k := kindOf(f)
		first, seen := g.lender[k]
		switch {
		case !seen:
			g.lender[k] = last
		case compareFindings(&g.All[last], &g.All[first]) < 0:
			g.lender[k] = last
			g.All[first].Evidence = nil
		default:
			g.All[last].Evidence = nil
		}
	}
}
