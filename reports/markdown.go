package reports

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"
)

// commentCap is how many bytes of Markdown are written: a comment on a pull request
// holds 65,536, and the last lines need room.
const commentCap = 60_000

// WriteMarkdown writes the report as GitHub shows it in a step summary or a comment:
// the verdict, a line for each root cause, the evidence folded. What came from the
// adapter stands in code, where it can neither mark up, nor link, nor call anybody.
// What is too much for a comment is counted and left out.
func (r *Report) WriteMarkdown(w io.Writer) error {
	m := &markdown{page: r.page(TextOptions{Width: 80})}
	m.verdict()
	m.departures()
	deciding, beside := m.roots()
	m.failed("Failed", plural(len(deciding), "finding"), deciding)
	m.failed("Failed beside the level asked for", plural(len(beside), "finding"), beside)
	m.known()
	m.notProven()
	m.warnings()
	m.routing()
	m.footer()
	_, err := w.Write(m.out.Bytes())
	return err
}

type markdown struct {
	*page
	out     bytes.Buffer
	leftOut int // blocks that were too much
}

// block writes lines and an empty line, or counts them as left out.
func (m *markdown) block(lines ...string) { m.write(strings.Join(lines, "\n") + "\n\n") }

// list writes an item for each line.
func (m *markdown) list(lines []string) {
	for i, l := range lines {
		end := "\n"
		if i == len(lines)-1 {
			end = "\n\n"
		}
		m.write("- " + l + end)
	}
}

func (m *markdown) write(text string) {
	if m.out.Len()+len(text) > commentCap {
		m.leftOut++
		return
	}
	m.out.WriteString(text)
}

func (m *markdown) verdict() {
	_, word, rest := m.outcome()
	if !strings.HasPrefix(rest, "to ") {
		word += ":"
	}
	m.block("## " + word + " " + prose(clip(rest, 300)))
	if len(m.Run.Detail) > 0 {
		m.block(fenced("", m.Run.Detail)...)
	}
	lines := []string{"| | |", "|---|---|"}
	fact := func(label, text string) { lines = append(lines, "| "+label+" | "+text+" |") }
	fact("adapter", tag(m.Run.Adapter))
	if server := m.server(); server != "" {
		fact("server", tag(server))
	}
	if m.Run.Conclusion == "" {
		for _, l := range m.Levels {
			fact(fmt.Sprintf("level %d", l.Number), fmt.Sprintf("**%s**: %s", l.Standing, l.Must))
			fact("", l.Normative.String()+" (normative text alone)")
			if l.Untested > 0 {
				fact("", plural(l.Untested, "requirement")+" not checked by this version")
			}
		}
		if claim := m.claimLine(); claim != "" {
			fact("claim", prose(claim))
		}
		if m.Run.Reach != nil {
			fact("reach", m.Run.Reach.String())
		}
	}
	m.block(lines...)
}

// failed writes a line for each root cause, then what there is to see of it.
func (m *markdown) failed(title, more string, fails []Finding) {
	if len(fails) == 0 {
		return
	}
	m.block("### " + title + ": " + more)
	var lines []string
	for _, f := range fails {
		line := fmt.Sprintf("**%s** %s, on %s: want %s, got %s", f.Requirement, prose(m.byID[f.Requirement].Title),
			code(f.Subject), code(f.Want), code(f.Got))
		if n := len(f.Instances) - 1; n > 0 {
			line += fmt.Sprintf("; and on %d more", n)
		}
		if n := len(m.under[f.Requirement]); n > 0 {
			line += "; explains " + plural(n, "other finding")
		}
		lines = append(lines, line)
	}
	m.list(lines)
	for _, f := range fails {
		m.fold(fmt.Sprintf("%s on %s", f.Requirement, tag(f.Subject)), m.told(f))
	}
}

// fold hides lines behind a summary, which is HTML.
func (m *markdown) fold(summary string, lines []string) {
	m.block("<details><summary>"+summary+"</summary>", "", strings.Join(lines, "\n"), "", "</details>")
}

// told is a finding with its evidence.
func (m *markdown) told(f Finding) []string {
	const enough = 2000 // columns of one frame
	lines := []string{prose(rule(m.byID[f.Requirement])), ""}
	item := func(label, text string) {
		if text != "" {
			lines = append(lines, "- "+label+" "+text)
		}
	}
	item("want", code(f.Want))
	item("got", code(f.Got))
	if len(f.Instances) > 1 {
		item("on", code(shorten(f.Instances, 20)))
	}
	for _, u := range m.under[f.Requirement] {
		item("explains", fmt.Sprintf("%s (%s) on %s", u.Requirement, u.Verdict, code(u.Subject)))
	}
	item("fix", prose(clip(f.Fix, 1000)))
	item("note", prose(clip(f.Note, 1000)))
	lines = append(lines, "")
	for _, e := range f.Evidence {
		reply := silence(e)
		if e.Reply != nil {
			said, size := m.brief(e.Said, e.Reply, e.ReplySize)
			reply = cmp.Or(cut(said, size, enough), "empty")
		}
		asked, size := m.brief(e.Asked, e.Sent, e.SentSize)
		lines = append(lines, fenced("", []string{"sent:  " + cut(asked, size, enough), "reply: " + reply})...)
	}
	for _, command := range []string{f.Again, f.Replay} {
		if command != "" {
			lines = append(lines, fenced("sh", []string{command})...)
		}
	}
	return lines
}

// notProven lists what would prove what stayed open.
func (m *markdown) notProven() {
	ways, rows := m.open()
	if rows == 0 || m.Run.Conclusion != "" {
		return
	}
	m.block("### Not proven: "+plural(rows, "requirement"), "", "What would prove them:")
	for _, way := range ways {
		fix := triedInVain
		if way.fix != "" {
			fix = prose(clip(way.fix, 300))
		}
		m.list([]string{fix})
		var lines []string
		if way.add != "" {
			lines = fenced("yaml", strings.Split(way.add, "\n"))
		}
		for _, f := range way.findings {
			lines = append(lines, fmt.Sprintf("- %s %s, on %s: %s", f.Requirement, prose(m.byID[f.Requirement].Title), code(f.Subject), code(f.Got)))
		}
		m.fold(plural(len(way.findings), "finding"), lines)
	}
}

func (m *markdown) warnings() {
	var lines []string
	for _, f := range m.own {
		if f.Verdict == Warn {
			lines = append(lines, fmt.Sprintf("- %s %s, on %s: want %s, got %s", f.Requirement,
				prose(m.byID[f.Requirement].Title), code(f.Subject), code(f.Want), code(f.Got)))
		}
	}
	if len(lines) > 0 {
		m.block("### Warned: " + plural(m.Summary.Warn, "requirement"))
		m.fold(plural(len(lines), "finding"), lines)
	}
}

// routing is a table of operations by endpoints; operations that fared alike share a row.
func (m *markdown) routing() {
	t := m.Run.Routing
	if t == nil || len(t.Rows) == 0 {
		return
	}
	head, line := "| operations |", "|---|"
	for _, tool := range t.Endpoints {
		head += " " + tag(tool) + " |"
		line += "---|"
	}
	lines := []string{head, line}
	for _, alike := range t.kinds() {
		row := "| " + tag(shorten(operations(alike), 8)) + " |"
		for _, c := range alike[0].Cells {
			if c == Executed {
				row += " **" + string(c) + "** |"
			} else {
				row += " " + strings.ReplaceAll(string(c), "*", `\*`) + " |"
			}
		}
		lines = append(lines, row)
	}
	m.block("### Routing")
	m.block(lines...)
}

// footer is what is needed to repeat and to compare; it is never left out.
func (m *markdown) footer() {
	var remarks []string
	for _, remark := range m.remarks(true) {
		remarks = append(remarks, prose(clip(remark, 500)))
	}
	m.list(remarks)
	if m.leftOut > 0 {
		fmt.Fprintf(&m.out, "%s left out: more than a comment holds. The JSON report has all.\n\n", plural(m.leftOut, "block"))
	}
	fmt.Fprintf(&m.out, "<sub>%s, seed %d, %s in %s, exit code %d, digest %s</sub>\n", prose(m.Run.Tool), m.Run.Seed,
		plural(m.Run.Asked, "request"), m.Run.Elapsed.Round(10*time.Millisecond), m.ExitCode, code(m.Digest))
}
