package reports

import (
	"fmt"
	"html/template"
	"slices"
	"strings"
	"time"
)

// pictureColumns is how many cells a line of a picture has.
const pictureColumns = 76

// A boardAdapter is a series as the pages show it. All text in it is inert.
type boardAdapter struct {
	Slug, Key, Spec, Name, Verdict, Class string
	Now                                   *boardClaim // what speaks for the adapter; nil where nothing was verified
	Claims                                []boardClaim
	Changes                               []boardChange
	Paths                                 []boardPath // the picture of its cells
	Letters                               string      // the same for the script that tells what is under the pointer

	current *Submission
}

// A boardClaim is a submission as the pages show it. One that was not verified has its path and its
// problem alone.
type boardClaim struct {
	registryRow
	Class       string
	Run         string // folder of what it is recomputed from
	Fields      []boardField
	Notes       []string
	Sealed      bool
	Slug        string // of its adapter
	Cell        sheetCell
	Key, Badged string
	Packed      string // the name of its transcript
}

// A boardField is a text that the browser of a reader compares with what it recomputes.
type boardField struct{ Name, Label, Text string }

// A boardChange is a level that was gained or lost.
type boardChange struct {
	Slug, Name, Version, How, Class, Date, Anchor, Link string
	Level                                               int
	at                                                  time.Time
}

// A boardPath draws all cells of a picture that have one class.
type boardPath struct {
	Class string
	D     string
}

func (b *Board) adapters() []boardAdapter {
	var out []boardAdapter
	for _, s := range b.Registry.Series() {
		a := boardAdapter{Slug: slug(s.Key), Key: Inert(s.Key), Spec: Inert(strings.Split(s.Key, "/")[0]), Name: clip(s.Key, 100), Verdict: notVerified, Class: "fail", current: s.Current()}
		for _, one := range slices.Backward(s.Submissions) { // the newest first
			a.Claims = append(a.Claims, claimOf(one, a))
		}
		if a.current != nil {
			now := claimOf(*a.current, a)
			a.Now, a.Verdict, a.Class = &now, now.Verdict, now.Class
			a.Name = now.Name
			a.Paths, a.Letters = picture(a.current.Report, b.sorted())
		}
		for _, c := range s.Changes() {
			class := map[string]string{Gained: "pass", Lost: "fail", Unproved: "open"}[c.How]
			a.Changes = append(a.Changes, boardChange{
				Slug: a.Slug, Name: a.Name, Version: clip(c.Version, 40), How: c.How, Class: class, Date: c.Date.Format(time.DateOnly), Anchor: slug(c.Path), Level: c.Level, at: c.Date,
			})
		}
		slices.Reverse(a.Changes)
		out = append(out, a)
	}
	return out
}

// fieldLabels are the fields of a claim that a page shows, beside its name, version and verdict.
var fieldLabels = []boardField{
	{Name: "date", Label: "date of the run"}, {Name: "build", Label: "build"}, {Name: "platform", Label: "platform"}, {Name: "spec", Label: "specification"},
	{Name: "level1", Label: "level 1"}, {Name: "level2", Label: "level 2"}, {Name: "claim", Label: "may be claimed"}, {Name: "narrowed", Label: "narrowed by"}, {Name: "digest", Label: "digest of verdicts"},
}

func claimOf(s Submission, a boardAdapter) boardClaim {
	c := boardClaim{registryRow: s.row(), Class: "fail", Slug: a.Slug, Key: a.Key}
	c.Anchor = slug(s.Path)
	if !s.verified() {
		return c
	}
	stated := s.Report.Stated()
	c.Run, c.Sealed, c.Packed = BoardRun(s), s.Sealed, s.Transcript
	c.Name, c.Version = stated.Fields["name"], stated.Fields["version"]
	for _, f := range fieldLabels {
		if f.Text = stated.Fields[f.Name]; f.Text != "" {
			c.Fields = append(c.Fields, f)
		}
	}
	c.Badged = fmt.Sprintf("%s %s, %s, %s, %s", c.Name, c.Version, stated.Fields["date"], stated.Fields["build"], stated.Fields["platform"])
	if c.Note != "" {
		c.Notes = strings.Split(c.Note, "; ")
	}
	switch {
	case s.Report.ConformanceLevel > 0:
		c.Class = "pass"
	case s.Report.Levels[0].Standing == Unproven:
		c.Class = "open"
	}
	return c
}

// picture draws the cells of a report, all of one class in one path, and names their verdicts by
// their places among the standings.
func picture(r *Report, rows []Requirement) ([]boardPath, string) {
	paths, letters := map[string]*strings.Builder{}, make([]byte, 0, len(rows))
	var order []string
	for i, row := range rows {
		at := r.stands(row)
		class := standings[at].class
		if paths[class] == nil {
			paths[class] = &strings.Builder{}
			order = append(order, class)
		}
		fmt.Fprintf(paths[class], "M%d %dh9v9h-9z", 10*(i%pictureColumns), 10*(i/pictureColumns))
		letters = append(letters, byte('a'+at))
	}
	slices.Sort(order)
	var out []boardPath
	for _, class := range order {
		out = append(out, boardPath{class, paths[class].String()})
	}
	return out, string(letters)
}

// bad are the submissions that could not be verified.
func bad(adapters []boardAdapter) []boardClaim {
	var out []boardClaim
	for _, a := range adapters {
		for _, c := range a.Claims {
			if c.Problem != "" {
				out = append(out, c)
			}
		}
	}
	return out
}

// changes are those of all adapters, the newest first.
func changes(adapters []boardAdapter) []boardChange {
	var out []boardChange
	for _, a := range adapters {
		out = append(out, a.Changes...)
	}
	slices.SortStableFunc(out, func(a, b boardChange) int { return b.at.Compare(a.at) })
	return out
}

// onRow are the verdicts of all adapters on one requirement.
func onRow(adapters []boardAdapter, row Requirement) []boardClaim {
	var out []boardClaim
	for _, a := range adapters {
		if a.current == nil {
			continue
		}
		c := *a.Now
		st := standings[a.current.Report.stands(row)]
		c.Cell = sheetCell{ID: row.ID, Verdict: st.verdict, Class: st.class, Mark: st.mark}
		out = append(out, c)
	}
	return out
}

// badge is an image of the verdict, in the words that a shields.io endpoint has.
func (a boardAdapter) badge() []byte {
	label, message, color := "MCP-AQL", "not verified", "#b3261e"
	if a.current != nil {
		said := a.current.Report.badge()
		label, message = said.Label, said.Message
		color = map[string]string{"brightgreen": "#0b6e3a", "yellow": "#8a5a00", "red": "#b3261e"}[said.Color]
		if color == "" {
			color = "#5b6570"
		}
	}
	const letter, pad = 7, 10
	left, right := columns(label)*letter+pad, columns(message)*letter+pad
	label, message = template.HTMLEscapeString(label), template.HTMLEscapeString(message)
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="20" role="img" aria-label="%[4]s: %[5]s"><title>%[4]s: %[5]s</title><rect width="%[2]d" height="20" fill="#3a434d"/><rect x="%[2]d" width="%[3]d" height="20" fill="%[6]s"/><g fill="#fff" text-anchor="middle" font-family="Verdana,sans-serif" font-size="11"><text x="%[7]d" y="14">%[4]s</text><text x="%[8]d" y="14">%[5]s</text></g></svg>
`, left+right, left, right, label, message, color, left/2, left+right/2)
}
