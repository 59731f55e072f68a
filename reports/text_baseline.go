package reports

import "slices"

// few departures have room for their reasons.
const few = 3

// departures lists what keeps a gate shut, by name.
func (p *page) departures() part {
	if p.Baseline == nil {
		return part{}
	}
	var rows [][]string
	for _, d := range p.Baseline.Departures {
		rows = append(rows, p.collect(func() {
			p.line(span{d.Kind, styles[Fail]}, plain(clip("  "+d.Requirement+"  "+d.Subject, p.opt.Width-columns(d.Kind))))
			if p.opt.Verbose || !p.opt.Quiet && len(p.Baseline.Departures) < few {
				p.labelled(6, "", 0, p.few(d.Text, p.opt.Width-6, 2))
			}
		}))
	}
	return p.bounded(newPart(Fail, "BASELINE", plural(len(rows), "difference")+" from "+p.Baseline.File, rows, 6))
}

// known lists the failures that are accepted, with who answers for them.
func (p *page) known() part {
	var rows [][]string
	for _, f := range p.accepted() {
		rows = append(rows, p.collect(func() {
			if p.opt.Verbose {
				p.whole(f, true)
			} else {
				p.heading(f, true)
			}
			p.labelled(6, "known", 8, p.few(f.Known.said(), p.opt.Width-14, 1))
		}))
	}
	if rows == nil {
		return part{}
	}
	return p.bounded(newPart(Warn, "KNOWN", plural(len(rows), "finding")+", accepted by "+p.Baseline.File, rows, 3))
}

// accepted are the failures that a baseline accepts, those that another explains as well.
func (r *Report) accepted() []Finding {
	return slices.DeleteFunc(slices.Clone(r.Findings), func(f Finding) bool { return f.Known == nil })
}

// bounded shows all rows of a part where the page has no end.
func (p *page) bounded(t part) part {
	if p.opt.Verbose || p.opt.Quiet {
		t.shown = len(t.rows)
	}
	return t
}
