package reports

// A Gathering collects the findings of a run as they come. A report merges all that
// pass for one requirement and shows the exchanges of one of them: that one alone keeps
// its evidence, because a run has tens of thousands.
type Gathering struct {
	All    []Finding
	lender map[string]int // by requirement: the first of those that pass, as a report orders them
}

// Add takes findings over.
func (g *Gathering) Add(findings ...Finding) {
	if g.lender == nil {
		g.lender = map[string]int{}
	}
	for _, f := range findings {
		last := len(g.All)
		g.All = append(g.All, f)
		if f.Verdict != Pass {
			continue
		}
		first, seen := g.lender[f.Requirement]
		switch {
		case !seen:
			g.lender[f.Requirement] = last
		case compareFindings(f, g.All[first]) < 0:
			g.lender[f.Requirement] = last
			g.All[first].Evidence = nil
		default:
			g.All[last].Evidence = nil
		}
	}
}
