package reports_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/reports"
)

func markdown(t *testing.T, r *reports.Report) string {
	t.Helper()
	var b strings.Builder
	if err := r.WriteMarkdown(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// outsideCode is what GitHub may take for markup: Markdown without its blocks and
// spans of code and without what is escaped.
func outsideCode(t *testing.T, doc string) string {
	t.Helper()
	var open []string
	fence := ""
	for line := range strings.Lines(doc) {
		line = strings.TrimSuffix(line, "\n")
		ticks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case fence == "" && len(ticks) >= 3:
			fence = ticks
		case fence == "":
			open = append(open, spans(line))
		case len(ticks) >= len(fence) && ticks == line:
			fence = ""
		}
	}
	if fence != "" {
		t.Errorf("a block of code stays open to the end")
	}
	return strings.Join(open, "\n")
}

// spans takes the code spans and what is escaped out of a line.
func spans(line string) string {
	var b strings.Builder
	for line != "" {
		ticks := len(line) - len(strings.TrimLeft(line, "`"))
		switch {
		case line[0] == '\\' && len(line) > 1:
			line = line[2:]
		case ticks > 0:
			end := regexp.MustCompile(fmt.Sprintf("[^`]`{%d}(?:[^`]|$)", ticks)).FindStringIndex(line[ticks:])
			if end == nil {
				return b.String() + line
			}
			line = line[ticks+end[0]+1+ticks:]
		default:
			b.WriteByte(line[0])
			line = line[1:]
		}
	}
	return b.String()
}

func TestMarkdownIsInert(t *testing.T) {
	for _, s := range []string{
		"<img src=x onerror=alert(1)>", "</details><script>1</script>", "@octocat", "#1", "a|b", `a\|b`, "``` x", "`x", "x`", "`", "```````",
		"[a](javascript:x)", "![a](https://evil.test/x.png)", "https://evil.test", "www.evil.test", "*a*", "__a__", "~~a~~", `\`, "&lt;b&gt;", "$x$", "",
	} {
		for _, verdict := range []reports.Verdict{reports.Fail, reports.Warn, reports.NotProven} {
			r := everywhere("ab "+s+" yz", verdict)
			r.Run.Routing.Endpoints[0], r.Run.Routing.Rows[0].Operation = s, s
			open := outsideCode(t, markdown(t, r))
			own := regexp.MustCompile(`</?(?:details|summary|code|sub)>|\*\*(?:[\w.-]+)\*\*|&#\d+;|&(?:lt|gt|amp);`).ReplaceAllString(open, "")
			for line := range strings.Lines(own) {
				if strings.HasPrefix(line, "|") {
					if n := strings.Count(line, "|"); n != 3 && n != 4 {
						t.Errorf("%q %s: %d cells in %q", s, verdict, n-1, line)
					}
					line = strings.ReplaceAll(line, "|", "")
				}
				if strings.HasPrefix(line, "#") {
					line = strings.TrimLeft(line, "#")
				}
				if at := strings.IndexAny(line, "<>@#`*_[]|~$!\\&"); at >= 0 || strings.Contains(line, "://") || strings.Contains(line, "www.") {
					t.Errorf("%q %s: markup in %q", s, verdict, line)
				}
			}
		}
	}
}

func TestMarkdownBeginsNoList(t *testing.T) {
	for said, want := range map[string]string{"1. x": `1\. x`, "2) x": `2\) x`, "- x": `\- x`, "+ x": `\+ x`, "7 of 8": "7 of 8"} {
		r := run()
		r.Remarks = []string{said}
		if doc := markdown(t, reports.Conclude(r, rows(), nil)); !strings.Contains(doc, "\n- "+want+"\n") {
			t.Errorf("%q is not written as %q", said, want)
		}
	}
}

// A comment holds 65,536 bytes, and the last line must say what is not in it.
func TestMarkdownFitsAComment(t *testing.T) {
	var many []reports.Finding
	for i := range 3000 {
		many = append(many, reports.Finding{Requirement: "AQL-4.6-01", Verdict: reports.Fail, Subject: fmt.Sprintf("op_%d", i),
			Want: "a refusal", Got: fmt.Sprintf("kind %c%c", 'a'+i%26, 'a'+i/26%26)})
	}
	doc := markdown(t, reports.Conclude(run(), rows(), many))
	if len(doc) > 65_536 || !strings.Contains(doc, "left out") || !strings.Contains(doc, "exit code 1") {
		t.Errorf("%d bytes, ending %q", len(doc), doc[len(doc)-300:])
	}
}
