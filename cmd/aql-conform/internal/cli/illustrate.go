package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
)

// Bounds of what explain shows of a message. A reply up to shortReply lines is shown whole; of a longer one
// the lines in which the two examples differ, with those around them.
const (
	shortReply = 24
	mostLines  = 60
	nearby     = 2
	longText   = 160 // characters of a value that is written out
	alikeItems = 4   // equal lines in a row that are written out
	deepest    = 16  // levels that are written out; some examples have thousands
	mostPairs  = 1 << 22
)

// A message is one request or reply in lines.
type message struct {
	lines []string
	shown []bool // nil: all
}

// illustrate prints two exchanges, a request and a reply each, with what is different in them.
func illustrate(w io.Writer, conforming *reports.Exchange, breaking reports.Exchange) {
	bad := [2]message{written(question(breaking)), written(answer(breaking))}
	if conforming != nil {
		good := [2]message{written(question(*conforming)), written(answer(*conforming))}
		for i := range good {
			focus(&good[i], &bad[i])
		}
		print(w, "conforming", good)
	}
	print(w, "breaking", bad)
}

func print(w io.Writer, label string, exchange [2]message) {
	fmt.Fprintln(w)
	for i, arrow := range []string{"→ ", "← "} {
		for _, l := range exchange[i].text() {
			fmt.Fprintf(w, "%-*s%s%s\n", explainIndent, label, arrow, l)
			label, arrow = "", "  "
		}
	}
}

// answer is the reply of an exchange, without what MCP has around it where that says nothing.
func answer(x reports.Exchange) string {
	if x.Said != nil {
		return string(x.Said)
	}
	return string(x.Reply)
}

// written lays a message out. What is no JSON is broken where a line ends.
func written(text string) message {
	text = strings.TrimSpace(text)
	tool, body := "", text
	if i := strings.IndexByte(text, '{'); i > 0 && !strings.ContainsAny(text[:i], "\n\"") {
		tool, body = text[:i], text[i:]
	}
	v, err := probes.ParseValue([]byte(body))
	if err != nil {
		return message{lines: broken(reports.Inert(squeezed(text)))}
	}
	var lines []string
	for _, l := range laid(v, 0, len(tool)) {
		lines = append(lines, reports.Inert(l))
	}
	lines[0] = tool + lines[0]
	return message{lines: folded(lines)}
}

// laid has a line for what fits on one, else a line for each member. indent and label are the columns that
// stand left of its first line.
func laid(v probes.Value, indent, label int) []string {
	one := v.String()
	within, items := v.Members(), v.Items()
	if indent > 2*deepest || indent+label+len([]rune(one)) < explainWidth-explainIndent-2 || len(within) == 0 && len(items) == 0 {
		return []string{squeezed(one)}
	}
	open, end := "{", "}"
	var below [][]string
	for _, m := range within {
		name := probes.ValueOf(m.Name).String() + ": "
		lines := laid(m.Value, indent+2, len([]rune(name)))
		lines[0] = name + lines[0]
		below = append(below, lines)
	}
	if v.Is(probes.Array) {
		open, end = "[", "]"
		for _, item := range items {
			below = append(below, laid(item, indent+2, 0))
		}
	}
	lines := []string{open}
	for i, b := range below {
		if i < len(below)-1 {
			b[len(b)-1] += ","
		}
		for _, l := range b {
			lines = append(lines, "  "+l)
		}
	}
	return append(lines, end)
}

// squeezed shortens a text that repeats itself for long, as those do that test a limit.
func squeezed(text string) string {
	runes := []rune(text)
	if len(runes) <= 4*longText {
		return text
	}
	shown, from := string(runes[:longText]), strings.Index(text, `"arguments":`)
	if from >= 0 { // what stands before them is the same in each request
		shown = "… " + string([]rune(text[from:])[:min(longText, len([]rune(text[from:])))])
	}
	return shown + " … and so on … " + string(runes[len(runes)-longText/4:])
}

// broken breaks a text into lines, between words where it can.
func broken(text string) (lines []string) {
	const room, late = explainWidth - explainIndent - 2, 24
	below := strings.Repeat(" ", min(depth(text), room/2)) // else a line would take nothing of the text
	runes := []rune(text)
	for len(runes) > room {
		end := room
		for i := room; i > room-late; i-- {
			if runes[i-1] == ' ' {
				end = i
				break
			}
		}
		lines, runes = append(lines, string(runes[:end])), []rune(below+string(runes[end:]))
	}
	return append(lines, string(runes))
}

// folded counts lines that are the same many times in a row.
func folded(lines []string) (out []string) {
	for i := 0; i < len(lines); {
		n := 1
		for i+n < len(lines) && lines[i+n] == lines[i] {
			n++
		}
		out = append(out, lines[i:i+min(n, alikeItems)]...)
		if n > alikeItems {
			out[len(out)-1] = fmt.Sprintf("%*s… (%d lines like this)", depth(lines[i]), "", n)
		}
		i += n
	}
	return out
}

func depth(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// focus hides of two long messages what both have, but for what is near a difference or around it.
func focus(x, y *message) {
	if len(x.lines) <= shortReply && len(y.lines) <= shortReply || len(x.lines)*len(y.lines) > mostPairs {
		return
	}
	x.shown, y.shown = lacking(x.lines, y.lines), lacking(y.lines, x.lines)
	for _, m := range []*message{x, y} {
		if !slices.Contains(m.shown, true) { // the difference is in the other one, or elsewhere
			m.shown[0], m.shown[len(m.shown)-1] = true, true
		}
		m.surround()
	}
}

// lacking marks the lines of one text that are not in the other in the same order.
func lacking(lines, other []string) []bool {
	longest := make([][]int32, len(lines)+1) // of the common lines from here on
	for i := range longest {
		longest[i] = make([]int32, len(other)+1)
	}
	for i := len(lines) - 1; i >= 0; i-- {
		for j := len(other) - 1; j >= 0; j-- {
			if lines[i] == other[j] {
				longest[i][j] = longest[i+1][j+1] + 1
			} else {
				longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			}
		}
	}
	own := make([]bool, len(lines))
	for i, j := 0, 0; i < len(lines); {
		switch {
		case j < len(other) && lines[i] == other[j]:
			i, j = i+1, j+1
		case j < len(other) && longest[i+1][j] < longest[i][j+1]:
			j++
		default:
			own[i] = true
			i++
		}
	}
	return own
}

// surround shows what is near a line that is shown, and what it lies in.
func (m *message) surround() {
	own := slices.Clone(m.shown)
	for i, differs := range own {
		if !differs {
			continue
		}
		for j := max(0, i-nearby); j <= min(len(own)-1, i+nearby); j++ {
			m.shown[j] = true
		}
		for j, d := i, depth(m.lines[i]); j >= 0; j-- {
			if depth(m.lines[j]) < d {
				m.shown[j], d = true, depth(m.lines[j])
			}
		}
	}
}

// text is what is shown of a message.
func (m message) text() (out []string) {
	hidden := 0
	for i, l := range m.lines {
		if m.shown != nil && !m.shown[i] {
			hidden++
			continue
		}
		if hidden > 0 {
			out = append(out, fmt.Sprintf("%*s… %d lines that both examples have", depth(l), "", hidden))
			hidden = 0
		}
		out = append(out, broken(l)...)
	}
	if hidden > 0 {
		out = append(out, fmt.Sprintf("… %d lines that both examples have", hidden))
	}
	if len(out) > mostLines {
		out = append(out[:mostLines-1:mostLines-1], fmt.Sprintf("… and %d more lines", len(out)-mostLines+1))
	}
	return out
}
