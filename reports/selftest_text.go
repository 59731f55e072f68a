package reports

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
)

// verdict is the headline: a word, and what was caught of how much.
func (s *Selftest) verdict() (word, rest string) {
	c := s.counts()
	rest = fmt.Sprintf("%d of %s caught, each by the requirement it breaks and by no other looked at: %d%%", c.Right, plural(c.Faults, "fault"), c.Percent)
	switch {
	case s.Interrupted:
		return "INTERRUPTED", rest + " of what was tried"
	case !s.Perfect():
		return "NOT PROVEN", rest
	case !s.Whole():
		return "PROVEN IN PART", rest + " of what was selected"
	}
	return "PROVEN", rest
}

// facts say what was looked at, how, and what was not.
func (s *Selftest) facts() []fact {
	over, beside, broken := map[string]int{}, map[string]int{}, map[string]bool{}
	for _, p := range s.Proofs {
		over[p.Transport]++
		beside[p.Beside]++
		broken[p.Requirement] = true
	}
	accused := 0
	for _, h := range s.Healthy {
		if len(h.Accused) > 0 || h.Trouble != "" {
			accused++
		}
	}
	selected := "all requirements"
	if len(s.Selected) > 0 {
		selected = "what --run selects: " + strings.Join(s.Selected, ", ")
	}
	facts := []fact{
		{"checker", s.Tool + ", MCP-AQL " + s.SpecVersion},
		{"selected", selected},
		{"healthy", fmt.Sprintf("%s judged by these, %d accused", plural(len(s.Healthy), "adapter"), accused)},
		{"faults", fmt.Sprintf("of %s, in this process: %d over stdio, %d over HTTP", plural(len(broken), "requirement"), over["stdio"], over["http"])},
		{"looked at", fmt.Sprintf("%s with the requirements of the area alone, %d with all", plural(beside["area"], "fault"), beside["all"])},
		{"checked", fmt.Sprintf("%s; %d more are looked at and never accuse", plural(s.Checked, "requirement"), s.Mild)},
	}
	if s.Again > 0 {
		facts = append(facts, fact{"again", fmt.Sprintf("%s tried twice, the second time alone and with more patience", plural(s.Again, "adapter"))})
	}
	why, n := []string{}, map[string]int{}
	for _, x := range s.NotRun {
		if n[x.Why]++; n[x.Why] == 1 {
			why = append(why, x.Why)
		}
	}
	for _, w := range why {
		facts = append(facts, fact{"not run", fmt.Sprintf("%s: %s", plural(n[w], "fault"), w)})
	}
	return append(facts, fact{"catalogue", s.Catalogue}, fact{"build", s.Checker}, fact{"digest", s.Digest()})
}

// A wrong is something that did not come out as it should.
type wrong struct{ word, what, want, got string }

func (s *Selftest) wrongs() []wrong {
	var all []wrong
	for _, h := range s.Healthy {
		if len(h.Accused) > 0 || h.Trouble != "" {
			all = append(all, wrong{"ACCUSED", "healthy adapter: " + h.Adapter + " over " + h.Transport, "nothing accuses it", got(h.Accused, h.Trouble)})
		}
	}
	for _, p := range s.Proofs {
		if p.Right() {
			continue
		}
		word := "MISSED"
		if p.Caught {
			word = "ACCUSED"
		}
		accusing := p.Others
		for _, id := range p.Want {
			if !slices.Contains(p.Missing, id) {
				accusing = append([]string{id}, accusing...)
			}
		}
		all = append(all, wrong{word, p.Requirement + "  " + p.Fault, "accused by " + strings.Join(p.Want, ", ") + " alone", got(accusing, p.Trouble)})
	}
	for _, g := range s.Gaps {
		all = append(all, wrong{"GAP", g.Requirement, "faults that show whether its checks can accuse", g.Why})
	}
	return all
}

// got says who accused.
func got(accusing []string, trouble string) string {
	switch {
	case trouble != "":
		return trouble
	case len(accusing) == 0:
		return "accused by nothing"
	}
	return "accused by " + strings.Join(accusing, ", ")
}

// WriteText writes what came of it, and of the table what is wrong, 80 columns wide.
func (s *Selftest) WriteText(w io.Writer) error {
	var out bytes.Buffer
	line := func(lead, text string, width int) {
		for i, l := range flow(text, 80-width) {
			if i > 0 {
				lead = ""
			}
			fmt.Fprintf(&out, "%-*s%s\n", width, lead, l)
		}
	}
	word, rest := s.verdict()
	line(word, rest, len(word)+2)
	fmt.Fprintln(&out)
	for _, f := range s.facts() {
		line(f.Label, f.Text, 11)
	}
	for _, x := range s.wrongs() {
		fmt.Fprintln(&out)
		line(x.word, x.what, 9)
		line("         want", x.want, 15)
		line("         got", x.got, 15)
	}
	_, err := w.Write(out.Bytes())
	return err
}

// WriteMarkdown writes the whole table.
func (s *Selftest) WriteMarkdown(w io.Writer) error {
	var out bytes.Buffer
	word, rest := s.verdict()
	fmt.Fprintf(&out, "## %s: %s\n\n| | |\n|---|---|\n", word, rest)
	for _, f := range s.facts() {
		fmt.Fprintf(&out, "| %s | %s |\n", f.Label, tag(f.Text))
	}
	if wrongs := s.wrongs(); len(wrongs) > 0 {
		fmt.Fprint(&out, "\n### Wrong\n\n| | | want | got |\n|---|---|---|---|\n")
		for _, x := range wrongs {
			fmt.Fprintf(&out, "| **%s** | %s | %s | %s |\n", x.word, tag(x.what), tag(x.want), tag(x.got))
		}
	}
	fmt.Fprint(&out, "\n### Requirement and fault\n\n| requirement | fault | caught | by others | over | beside it |\n|---|---|---|---|---|---|\n")
	for _, p := range s.Proofs {
		caught, others := "yes", "none"
		if !p.Caught {
			caught = "**no**"
		}
		if len(p.Others) > 0 {
			others = tag(strings.Join(p.Others, ", "))
		}
		fmt.Fprintf(&out, "| %s | %s | %s | %s | %s | %s |\n", tag(p.Requirement), tag(p.Fault), caught, others, tag(p.Transport), tag(p.Beside))
	}
	_, err := w.Write(out.Bytes())
	return err
}
