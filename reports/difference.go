package reports

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Change is something that an adapter says of itself otherwise than before.
type Change struct {
	Where    string `json:"where"` // operation, operation.parameter or type
	What     string `json:"what"`
	Breaking bool   `json:"breaking"` // a client that was right before is not right any more
	Why      string `json:"why,omitempty"`
}

// A Turn is a verdict on one requirement and subject that is another than before; a
// verdict that there was not is empty.
type Turn struct {
	Requirement string  `json:"requirement"`
	Subject     string  `json:"subject"`
	Old         Verdict `json:"old,omitempty"`
	New         Verdict `json:"new,omitempty"`
	Kind        string  `json:"kind"` // regression, fixed or other
	Got         string  `json:"got,omitempty"`
}

// The kinds of a turn.
const (
	Regression = "regression" // broken now, and not before
	Fixed      = "fixed"      // broken before, and seen to hold or excused now
	otherTurn  = "other"
)

// A Difference is what is otherwise between two runs.
type Difference struct {
	Before   []string `json:"before"`            // what makes the two hard to compare, said first
	Compared bool     `json:"introspection"`     // what the adapter says of itself was compared
	Changes  []Change `json:"changes"`           // breaking ones first
	Turns    []Turn   `json:"verdicts"`          // regressions first
	OldLevel int      `json:"oldLevel"`          // reached
	NewLevel int      `json:"newLevel"`          //
	Missing  string   `json:"missing,omitempty"` // why introspection was not compared
}

// Compare holds the verdicts of two reports against each other, subject by subject. The
// error says that they have nothing in common.
func Compare(old, now *Report) (*Difference, error) {
	d := &Difference{Before: []string{}, Changes: []Change{}, Turns: []Turn{}, OldLevel: old.ConformanceLevel, NewLevel: now.ConformanceLevel}
	for _, f := range []struct{ what, a, b string }{
		{"adapter", strings.TrimSpace(old.Run.Implementation + " " + old.Run.Version), strings.TrimSpace(now.Run.Implementation + " " + now.Run.Version)},
		{"specification", old.Run.SpecVersion, now.Run.SpecVersion},
		{"catalogue", old.Run.Digests.Catalogue, now.Run.Digests.Catalogue},
		{"basis", old.Run.Basis, now.Run.Basis},
		{"hints", old.Run.Digests.Hints, now.Run.Digests.Hints},
		{"selection", strings.Join(old.Run.Narrowed, ", "), strings.Join(now.Run.Narrowed, ", ")},
	} {
		if f.a != f.b {
			d.Before = append(d.Before, fmt.Sprintf("another %s: %s, then %s", f.what, cmp.Or(f.a, "none"), cmp.Or(f.b, "none")))
		}
	}
	a, b := old.places(), now.places()
	common := 0
	for p, f := range a {
		g, both := b[p]
		if both {
			common++
		}
		if f.Verdict != g.Verdict {
			d.Turns = append(d.Turns, turned(p, f, g))
		}
	}
	for p, g := range b {
		if _, both := a[p]; !both {
			d.Turns = append(d.Turns, turned(p, Finding{}, g))
		}
	}
	if common == 0 {
		return nil, fmt.Errorf("the two have no requirement in common on any subject")
	}
	slices.SortFunc(d.Turns, func(x, y Turn) int {
		return cmp.Or(cmp.Compare(turnRank(x), turnRank(y)), compareID(x.Requirement, y.Requirement), cmp.Compare(x.Subject, y.Subject))
	})
	return d, nil
}

// places are the findings by what they are about, the worst of each.
func (r *Report) places() map[place]Finding {
	all := map[place]Finding{}
	for _, f := range r.Findings {
		for _, subject := range subjects(f) {
			p := place{f.Requirement, subject}
			if g, seen := all[p]; !seen || weight(f.Verdict) < weight(g.Verdict) {
				all[p] = f
			}
		}
	}
	return all
}

// Failing lists what failed, as requirement and subject, in the order of the catalogue.
func (r *Report) Failing() []string {
	var failed []place
	for p, f := range r.places() {
		if f.Verdict == Fail {
			failed = append(failed, p)
		}
	}
	slices.SortFunc(failed, func(x, y place) int {
		return cmp.Or(compareID(x.requirement, y.requirement), cmp.Compare(x.subject, y.subject))
	})
	lines := []string{}
	for _, p := range failed {
		lines = append(lines, Inert(p.requirement+" on "+p.subject))
	}
	return lines
}

func turned(p place, old, now Finding) Turn {
	broken := func(v Verdict) bool { return v == Fail || v == Warn }
	t := Turn{Requirement: p.requirement, Subject: p.subject, Old: old.Verdict, New: now.Verdict, Kind: otherTurn}
	switch {
	case broken(now.Verdict) && (!broken(old.Verdict) || now.Verdict == Fail):
		t.Kind, t.Got = Regression, now.Got
	case broken(old.Verdict) && (now.Verdict == Pass || now.Verdict == NotApplicable || now.Verdict == Warn):
		t.Kind = Fixed
	}
	return t
}

func turnRank(t Turn) int { return slices.Index([]string{Regression, Fixed, otherTurn}, t.Kind) }

// Told adds the changes of introspection, breaking ones first.
func (d *Difference) Told(changes []Change) {
	d.Compared = true
	d.Changes = append(d.Changes, changes...)
	slices.SortStableFunc(d.Changes, func(a, b Change) int {
		switch {
		case a.Breaking == b.Breaking:
			return cmp.Compare(a.Where, b.Where)
		case a.Breaking:
			return -1
		}
		return 1
	})
}

// Has reports whether there is a breaking change or a regression, by that word.
func (d *Difference) Has(word string) bool {
	switch word {
	case "breaking":
		return slices.ContainsFunc(d.Changes, func(c Change) bool { return c.Breaking })
	case "regression":
		return slices.ContainsFunc(d.Turns, func(t Turn) bool { return t.Kind == Regression })
	}
	return false
}

// DifferenceFormats are the names that Write knows.
func DifferenceFormats() []string { return []string{"text", "json", "markdown"} }

// Write writes the difference in one of the formats; names of the adapter are inert.
func (d *Difference) Write(format string, w io.Writer) error {
	switch format {
	case "json":
		return writeIndented(w, d)
	case "markdown":
		_, err := io.WriteString(w, d.sections("## ", "- ", code))
		return err
	}
	_, err := io.WriteString(w, d.sections("", "  ", Inert))
	return err
}

// sections are a heading and a line for each difference, with the words of an adapter
// written by quote.
func (d *Difference) sections(heading, item string, quote func(string) string) string {
	var b strings.Builder
	section := func(title string, lines []string) {
		if len(lines) > 0 {
			fmt.Fprintf(&b, "%s%s\n\n%s%s\n\n", heading, title, item, strings.Join(lines, "\n"+item))
		}
	}
	var before, breaking, bearable, regressions, fixed, others []string
	for _, line := range d.Before {
		before = append(before, quote(line))
	}
	if d.Missing != "" {
		before = append(before, quote("introspection was not compared: "+d.Missing))
	}
	for _, c := range d.Changes {
		if c.Breaking {
			breaking = append(breaking, quote(c.Where)+": "+quote(c.What)+" ("+c.Why+")")
		} else {
			bearable = append(bearable, quote(c.Where)+": "+quote(c.What))
		}
	}
	for _, t := range d.Turns {
		line := fmt.Sprintf("%s on %s: %s, was %s", t.Requirement, quote(t.Subject), cmp.Or(t.New, "nothing"), cmp.Or(t.Old, "nothing"))
		switch t.Kind {
		case Regression:
			regressions = append(regressions, line+"; got "+quote(t.Got))
		case Fixed:
			fixed = append(fixed, line)
		default:
			others = append(others, line)
		}
	}
	section("HARD TO COMPARE", before)
	section("BREAKING CHANGES", breaking)
	section("OTHER CHANGES", bearable)
	section("REGRESSIONS", regressions)
	section("FIXED", fixed)
	section("OTHER VERDICTS", others)
	if b.Len() == 0 {
		b.WriteString("No difference.\n\n")
	}
	fmt.Fprintf(&b, "Level reached: %d, was %d.\n", d.NewLevel, d.OldLevel)
	return b.String()
}
