package reports

import "fmt"

// departures lists what keeps a gate shut, by name.
func (m *markdown) departures() {
	if m.Baseline == nil || len(m.Baseline.Departures) == 0 {
		return
	}
	m.block("### Baseline: " + plural(len(m.Baseline.Departures), "difference") + " from " + code(m.Baseline.File))
	var lines []string
	for _, d := range m.Baseline.Departures {
		lines = append(lines, fmt.Sprintf("**%s** %s on %s: %s", d.Kind, d.Requirement, code(d.Subject), code(d.Text)))
	}
	m.list(lines)
}

// known lists the failures that are accepted, with who answers for them.
func (m *markdown) known() {
	all := m.accepted()
	if len(all) == 0 {
		return
	}
	m.block("### Known: " + plural(len(all), "finding") + ", accepted by " + code(m.Baseline.File))
	var lines []string
	for _, f := range all {
		line := fmt.Sprintf("**%s** %s, on %s: %s", f.Requirement, prose(m.byID[f.Requirement].Title), code(f.Subject), code(f.Known.said()))
		if n := len(f.Instances) - 1; n > 0 {
			line += fmt.Sprintf("; and on %d more", n)
		}
		lines = append(lines, line)
	}
	m.list(lines)
	for _, f := range all {
		m.fold(fmt.Sprintf("%s on %s", f.Requirement, tag(f.Subject)), m.told(f))
	}
}
