package reports

import "time"

// A Gathering collects the findings of a run as they come. A run has tens of thousands, most of
// which differ in their subject alone, so it keeps once what they have in common. A report merges
// those of one kind and shows the exchanges of the first: that one alone keeps its evidence.
// Failures all keep theirs: of which kind they are shows only when all are known.
type Gathering struct {
	all      []gathered
	common   map[common]*Finding
	evidence map[int][]Exchange // of the findings that keep theirs
	lender   map[kind]int       // the first so far, as a report orders them
}

// A gathered finding is what it has for itself, and what it shares.
type gathered struct {
	shared  *Finding
	subject string
	elapsed time.Duration
}

// common is what findings may share.
type common struct {
	requirement                                                                       string
	verdict                                                                           Verdict
	want, got, fix, add, note, again, replay, raw, root, reason, departure, elsewhere string
}

// Add takes findings over.
func (g *Gathering) Add(findings ...Finding) {
	if g.lender == nil {
		g.lender, g.common, g.evidence = map[kind]int{}, map[common]*Finding{}, map[int][]Exchange{}
	}
	for i := range findings {
		f, last := &findings[i], len(g.all)
		g.all = append(g.all, gathered{g.share(f), f.Subject, f.Elapsed})
		if f.Evidence != nil {
			g.evidence[last] = f.Evidence
		}
		if f.Verdict == Fail {
			continue
		}
		k := kindOf(*f)
		first, seen := g.lender[k]
		if !seen {
			g.lender[k] = last
			continue
		}
		was, is := g.at(first), g.at(last)
		if compareFindings(&is, &was) < 0 {
			g.lender[k], last = last, first
		}
		delete(g.evidence, last)
	}
}

// share returns the finding without what is its own: the one of an earlier finding, where they are
// equal in the rest.
func (g *Gathering) share(f *Finding) *Finding {
	rest := *f
	rest.Subject, rest.Elapsed, rest.Evidence = "", 0, nil
	if f.Verdict == Fail || f.Instances != nil || f.Known != nil || f.Runs != 0 || f.Broken != 0 {
		return &rest
	}
	c := common{f.Requirement, f.Verdict, f.Want, f.Got, f.Fix, f.Add, f.Note, f.Again, f.Replay, f.Raw, f.RootCause, f.Reason, f.Departure, ""}
	if f.Elsewhere {
		c.elsewhere = "elsewhere"
	}
	if g.common[c] == nil {
		g.common[c] = &rest
	}
	return g.common[c]
}

// at returns a finding as it was added, without the evidence that it does not keep.
func (g *Gathering) at(i int) Finding {
	f := *g.all[i].shared
	f.Subject, f.Elapsed, f.Evidence = g.all[i].subject, g.all[i].elapsed, g.evidence[i]
	return f
}

// All returns the findings in the order in which they were added.
func (g *Gathering) All() []Finding {
	all := make([]Finding, len(g.all))
	for i := range all {
		all[i] = g.at(i)
	}
	return all
}

// Failures returns those that fail.
func (g *Gathering) Failures() []Finding {
	var all []Finding
	for i := range g.all {
		if g.all[i].shared.Verdict == Fail {
			all = append(all, g.at(i))
		}
	}
	return all
}
