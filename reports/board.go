package reports

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"regexp"
	"slices"
	"strings"
)

// A Board is a registry as a site of files: pages, badges and feeds that need nothing from elsewhere.
type Board struct {
	Registry *Registry
	Rows     []Requirement
	Judge    string // digest of the program that judges in a browser; "" where the board has none
}

// The folders of a board.
const (
	boardAdapters = "adapter/"
	boardRows     = "requirement/"
	boardBadges   = "badge/"
	boardFeeds    = "feed/"
	BoardRuns     = "run/" // what a verdict is recomputed from, by BoardRun
)

// BoardName is the file of a board by which it is known as one.
const BoardName = "board.json"

// BoardRun is the folder of a submission on the board.
func BoardRun(s Submission) string { return BoardRuns + slug(s.Path) + "/" }

var illegible = regexp.MustCompile(`[^a-z0-9]+`)

// slug is the name of a file for any text: what can be read of it, and a digest, which nobody can
// make the same for the text of another.
func slug(text string) string {
	legible := strings.Trim(illegible.ReplaceAllString(strings.ToLower(text[:min(len(text), 48)]), "-"), "-")
	sum := sha256.Sum256([]byte(text))
	return strings.TrimPrefix(fmt.Sprintf("%s-%x", legible, sum[:8]), "-")
}

//go:embed html/board.html
var boardHTML string

//go:embed html/board.css
var boardCSS string

//go:embed html/board.js
var boardJS string

//go:embed html/worker.js
var workerJS string

// boardPolicy allows what lies beside the pages, and nothing else.
const boardPolicy = "default-src 'none'; style-src 'self'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'"

// A boardPage is what every page has.
type boardPage struct {
	Title, Root, Counted, Tool, Judge, Feed string
	Body                                    string // the template of what it shows
	Policy                                  template.HTML
	Shares                                  []sheetMark
	Totals                                  []total
	Adapters                                []boardAdapter
	Bad                                     []boardClaim
	Changes                                 []boardChange
	Areas                                   []sheetArea
	Adapter                                 boardAdapter
	Row                                     Requirement
	Claims                                  []boardClaim
	Strays, Specs                           []string
	Columns, Lines                          int
	IDs                                     string // of the cells of a picture, in their order
}

// Files are all files of the board but those of the submissions, by path.
func (b *Board) Files() (map[string][]byte, error) {
	all := map[string][]byte{
		"sheet.css": []byte(sheetCSS), "board.css": []byte(boardCSS), "sheet.js": []byte(sheetJS), "board.js": []byte(boardJS), "worker.js": []byte(workerJS),
	}
	var failed error
	put := func(name string, content []byte, err error) {
		if _, taken := all[name]; taken && err == nil {
			err = fmt.Errorf("two files of the board have the name %s", name)
		}
		all[name], failed = content, cmp.Or(failed, err)
	}
	adapters := b.adapters()
	index := b.page("MCP-AQL conformance", "", "index")
	index.Adapters, index.Bad, index.Changes, index.Totals = adapters, bad(adapters), changes(adapters), totalsOf(adapters, func(a boardAdapter) string { return a.Verdict })
	index.Feed, index.Areas = boardFeeds+"all.xml", b.areas(nil)
	for _, a := range adapters {
		index.Specs = Distinct(index.Specs, []string{a.Spec})
	}
	for _, name := range b.Registry.Strays {
		index.Strays = append(index.Strays, Inert(name))
	}
	form := pageTemplate(boardHTML)
	add := func(name string, p *boardPage) {
		var out bytes.Buffer
		err := form.Execute(&out, p)
		put(name, out.Bytes(), err)
	}
	add("index.html", index)
	put(boardFeeds+"all.xml", b.feed("MCP-AQL conformance", "", index.Changes, adapters), nil)
	for _, a := range adapters {
		p := b.page(a.Name, "../", "adapter")
		p.Adapter, p.Changes, p.Claims, p.Feed = a, a.Changes, a.Claims, "../"+boardFeeds+a.Slug+".xml"
		p.Areas = b.areas(a.current)
		add(boardAdapters+a.Slug+".html", p)
		put(boardBadges+a.Slug+".svg", a.badge(), nil)
		put(boardFeeds+a.Slug+".xml", b.feed(a.Name, a.Slug, a.Changes, []boardAdapter{a}), nil)
	}
	for _, row := range b.sorted() {
		p := b.page(row.ID+": "+Inert(row.Title), "../", "requirement")
		p.Row, p.Claims = row, onRow(adapters, row)
		add(boardRows+row.ID+".html", p)
	}
	var table bytes.Buffer
	err := b.Registry.writeJSON(&table)
	put("registry.json", table.Bytes(), err)
	mark, err := json.MarshalIndent(map[string]string{"boardVersion": "1.0", "tool": b.Registry.Tool, "judge": b.Judge}, "", "  ")
	put(BoardName, append(mark, '\n'), err)
	return all, failed
}

func (b *Board) page(title, root, body string) *boardPage {
	ids := make([]string, 0, len(b.Rows))
	for _, row := range b.sorted() {
		ids = append(ids, row.ID)
	}
	return &boardPage{
		Title: title, Root: root, Body: body, Counted: b.Registry.Counted(), Tool: Inert(b.Registry.Tool), Judge: b.Judge, Shares: boardMarks(),
		Policy:  template.HTML(`<meta http-equiv="Content-Security-Policy" content="` + boardPolicy + `">`),
		Columns: pictureColumns, Lines: (len(ids) + pictureColumns - 1) / pictureColumns, IDs: strings.Join(ids, " "),
	}
}

// boardMarks are the legend of the cells.
func boardMarks() []sheetMark {
	var out []sheetMark
	for _, s := range standings {
		out = append(out, sheetMark{Mark: s.mark, Word: s.verdict, Class: s.class})
	}
	return out
}

// sorted are the requirements as every picture has them: by area, then by id.
func (b *Board) sorted() []Requirement {
	rows := slices.Clone(b.Rows)
	slices.SortFunc(rows, func(a, c Requirement) int { return cmp.Or(cmp.Compare(a.Area, c.Area), compareID(a.ID, c.ID)) })
	return rows
}

// areas is the map of the requirements; without a submission the cells have no verdict.
func (b *Board) areas(s *Submission) []sheetArea {
	var out []sheetArea
	for _, row := range b.sorted() {
		if len(out) == 0 || out[len(out)-1].Name != row.Area {
			out = append(out, sheetArea{Name: row.Area})
		}
		cell := sheetCell{ID: row.ID, Title: Inert(row.Title), Area: row.Area, Class: "none", Mark: "·"}
		if s != nil {
			st := standings[s.Report.stands(row)]
			cell.Verdict, cell.Class, cell.Mark = st.verdict, st.class, st.mark
		}
		out[len(out)-1].Cells = append(out[len(out)-1].Cells, cell)
	}
	return out
}

func (p *boardPage) Things() string { return "adapters" }
func (p *boardPage) Count() int     { return len(p.Adapters) }

// Width and Height are the size of a picture, in its own units.
func (p *boardPage) Width() int  { return 10 * p.Columns }
func (p *boardPage) Height() int { return 10 * p.Lines }

// IsNow reports whether a claim is the one whose cells are shown.
func (p *boardPage) IsNow(c boardClaim) bool {
	return p.Adapter.Now != nil && p.Adapter.Now.Anchor == c.Anchor
}

// Checked is what the part of a page needs in which a claim is recomputed.
func (p *boardPage) Checked(c boardClaim) any {
	return struct {
		Root  string
		Claim boardClaim
	}{p.Root, c}
}

// ChangesFrom are the changes with the addresses that they have from a page of that folder.
func (p *boardPage) ChangesFrom(folder string) []boardChange {
	out := slices.Clone(p.Changes)
	for i := range out {
		out[i].Link = folder + out[i].Slug + ".html"
	}
	return out
}
