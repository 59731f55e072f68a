package reports

// departures lists what keeps a gate shut, by name.
func (p *page) departures() {
	if p.Baseline == nil || len(p.Baseline.Departures) == 0 {
		return
	}
	p.section(Fail, "BASELINE", plural(len(p.Baseline.Departures), "departure")+" from "+clip(p.Baseline.File, 60))
	for _, d := range p.Baseline.Departures {
		p.line(span{d.Kind, styles[Fail]}, plain(clip("  "+d.Requirement+"  "+d.Subject, p.opt.Width-columns(d.Kind))))
		if !p.opt.Quiet {
			p.labelled(6, "", 0, wrap(d.Text, p.opt.Width-6))
		}
	}
}

// known prints the failures that are accepted, with who answers for them.
func (p *page) known() {
	all := p.accepted()
	if len(all) == 0 {
		return
	}
	p.section(Warn, "KNOWN", plural(len(all), "finding")+", accepted by "+p.Baseline.File)
	for _, f := range all {
		p.heading(f, !p.opt.Verbose)
		p.labelled(6, "known", 8, wrap(f.Known.said(), p.opt.Width-14))
		switch {
		case p.opt.Quiet:
		case p.opt.Verbose:
			p.body(f, true)
		default:
			p.line(plain("      " + clip(f.Got+"; want "+f.Want, p.opt.Width-6)))
		}
	}
}

// accepted are the failures that a baseline accepts, those that another explains as well.
func (p *page) accepted() []Finding {
	var all []Finding
	for _, f := range p.Findings {
		if f.Known != nil {
			all = append(all, f)
		}
	}
	return all
}
