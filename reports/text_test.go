package reports_test

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/aql-conform/aql-conform/reports"
)

var colours = regexp.MustCompile("\x1b\\[[0-9;]*m")

func text(t *testing.T, r *reports.Report, opt reports.TextOptions) string {
	t.Helper()
	var buf bytes.Buffer
	if err := r.WriteText(&buf, opt); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

// hostile is text by which an adapter could rewrite the reader's screen.
const hostile = "\x1b[2J\x1b]0;owned\x07\r\n\t\x00\x7f\u009b31m\u202e\u2066\u200b\ufeff\u2028\U000e0041\xff\xc3\x28 ok"

// everywhere puts s into every place that an adapter can reach.
func everywhere(s string, verdict reports.Verdict) *reports.Report {
	r := run()
	r.Implementation, r.Version, r.Revision, r.Profile, r.Adapter = s, s, s, s, s
	r.Modes, r.Remarks, r.Detail = []string{s, s}, []string{s}, []string{s}
	all := rows()
	report := reports.Conclude(r, all, []reports.Finding{{
		Requirement: all[3].ID, Verdict: verdict, Subject: s, Instances: []string{s, s + "2"},
		Want: s, Got: s, Fix: s, Note: s, Again: s, Replay: s, Raw: s,
		Evidence: []reports.Exchange{{Conn: s, Sent: []byte(s), Reply: []byte(s), Outcome: s}, {Outcome: s}},
	}})
	steps := []string{"create", "read"}
	report.Run.Reach = &reports.Reach{
		Operations: 2, NotReached: []string{s}, NotAllowed: []string{s + "2"}, Kinds: 1, NotLived: []reports.Unlived{{Kind: s, Documented: steps, Missing: steps}},
	}
	return report
}

func TestAdapterTextIsInert(t *testing.T) {
	for _, verdict := range []reports.Verdict{reports.Fail, reports.Warn, reports.Pass, reports.NotProven, reports.Skipped, reports.NotApplicable} {
		r := everywhere(hostile, verdict)
		r.Run.Conclusion = ""
		for _, opt := range []reports.TextOptions{{}, {Verbose: true}, {Quiet: true}, {Color: true, Verbose: true}} {
			out := text(t, r, opt)
			if !utf8.ValidString(out) {
				t.Errorf("%s %+v: broken UTF-8", verdict, opt)
			}
			if opt.Color {
				out = colours.ReplaceAllString(out, "")
			}
			for _, c := range out {
				if c != '\n' && !unicode.IsPrint(c) {
					t.Errorf("%s %+v: %U reached the page", verdict, opt, c)
				}
			}
		}
	}
	if out := text(t, everywhere(hostile, reports.Fail), reports.TextOptions{}); !strings.Contains(out, `got     \u001b[2J\u001b]0;owned\u0007\r\n\t\u0000\u007f\u009b31m\u202e`) {
		t.Errorf("the escapes are not shown:\n%s", out)
	}
}

// Whatever an adapter writes, each format can be written, read back and shown.
func FuzzReportsAreInert(f *testing.F) {
	for _, s := range []string{"", hostile, "]]>", "\\u001b", "' --run x", strings.Repeat("幅", 90)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r := everywhere(s, reports.Fail)
		document(t, r)
		junit(t, r)
		for _, c := range text(t, r, reports.TextOptions{Verbose: true}) {
			if c != '\n' && !unicode.IsPrint(c) {
				t.Errorf("%U reached the page", c)
			}
		}
		points(t, r)
		annotations(t, r)
		outsideCode(t, markdown(t, r))
		if got, want := tags(page(t, everywhere("a "+s, reports.Fail))), tags(page(t, everywhere("a b", reports.Fail))); !slices.Equal(got, want) {
			t.Errorf("elements %q, want %q", got, want)
		}
		for _, format := range reports.Formats() {
			var b strings.Builder
			if err := reports.Write(format, &b, r); err != nil {
				t.Fatal(err)
			}
			for _, c := range b.String() {
				if c != '\n' && !unicode.IsPrint(c) {
					t.Errorf("%s: %U in the report", format, c)
				}
			}
		}
	})
}

func TestConclusionIsInert(t *testing.T) {
	r := run()
	r.Conclusion, r.Detail = "not an adapter: "+hostile, []string{hostile}
	for _, c := range text(t, reports.Conclude(r, rows(), nil), reports.TextOptions{}) {
		if c != '\n' && !unicode.IsPrint(c) {
			t.Errorf("%U reached the page", c)
		}
	}
}

// No line runs over, whatever the adapter writes. The command to repeat a
// finding may, and the digest: what is cut cannot be pasted.
func TestLinesFitTheWidth(t *testing.T) {
	for _, s := range []string{"word", strings.Repeat("long words here ", 40), strings.Repeat("x", 500), strings.Repeat("\x1b", 200),
		strings.Repeat("幅広", 100), strings.Repeat("e\u0301", 200), hostile} {
		for _, verdict := range []reports.Verdict{reports.Fail, reports.Warn, reports.NotProven} {
			for _, width := range []int{60, 80, 133} {
				for _, verbose := range []bool{false, true} {
					r := everywhere(s, verdict)
					for i := range r.Findings {
						r.Findings[i].Again, r.Findings[i].Replay, r.Findings[i].Raw = "", "", ""
					}
					for line := range strings.Lines(text(t, r, reports.TextOptions{Width: width, Verbose: verbose})) {
						if n := wide(strings.TrimSuffix(line, "\n")); n > width && !strings.HasPrefix(line, "digest") {
							t.Errorf("%d columns of %d: %q", n, width, line)
						}
					}
				}
			}
		}
	}
}

// The table of the endpoints fits too, however many there are.
func TestRoutingFitsTheWidth(t *testing.T) {
	for _, endpoints := range []int{1, 5, 6, 40} {
		route := reports.Route{Operation: "get_a_thing_with_a_long_name", Cells: make([]reports.Cell, endpoints)}
		table := &reports.Routing{Rows: []reports.Route{route}}
		for i := range endpoints {
			table.Endpoints = append(table.Endpoints, fmt.Sprintf("e%d", i+1))
			table.Rows[0].Cells[i] = reports.Refused
		}
		for _, width := range []int{60, 80, 200} {
			r := run()
			r.Routing = table
			page := text(t, reports.Conclude(r, rows(), nil), reports.TextOptions{Width: width, Verbose: true})
			_, part, found := strings.Cut(page, "ROUTING  ")
			part, _, _ = strings.Cut(part, "\n\nremark")
			for line := range strings.Lines(part) {
				if n := wide(strings.TrimSuffix(line, "\n")); n > width && !strings.HasPrefix(line, "digest") {
					t.Errorf("%d endpoints: %d columns of %d: %q", endpoints, n, width, line)
				}
			}
			if !found || !strings.Contains(part, "get_a_thing") {
				t.Errorf("%d endpoints at %d: no operation in\n%s", endpoints, width, part)
			}
		}
	}
}

// wide counts columns for the text of TestLinesFitTheWidth.
func wide(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case unicode.Is(unicode.Mn, r):
		case unicode.Is(unicode.Han, r):
			n += 2
		default:
			n++
		}
	}
	return n
}

// A megabyte in each place must neither fill the screen nor take the afternoon.
func TestLongTextIsBounded(t *testing.T) {
	for _, s := range []string{strings.Repeat("x", 1<<20), strings.Repeat("y ", 1<<19), strings.Repeat("\x1b", 1<<18)} {
		r := everywhere(s, reports.Fail)
		for i := range r.Findings {
			r.Findings[i].Again, r.Findings[i].Replay, r.Findings[i].Raw = "", "", ""
		}
		if n := strings.Count(text(t, r, reports.TextOptions{Verbose: true}), "\n"); n > 300 {
			t.Errorf("%d lines", n)
		}
	}
}

func TestCommandCanBePasted(t *testing.T) {
	r := reports.Conclude(reports.Run{Level: 1}, rows()[:4], []reports.Finding{{
		Requirement: "AQL-4.6-01", Verdict: reports.Fail, Subject: "adapter", Want: "w", Got: "g",
		Again: `aql-conform --cmd 'go run ./somewhere/far/away --mode all --and "more" options' --run AQL-4.6-01 --subject "a b" --seed 41`,
	}})
	// A quoted argument stays whole even where it is longer than the line.
	want := `      again   aql-conform --cmd \
              'go run ./somewhere/far/away --mode all --and "more" options' \
              --run AQL-4.6-01 --subject "a b" --seed 41
`
	if got := text(t, r, reports.TextOptions{}); !strings.Contains(got, want) {
		t.Errorf("got:\n%s", got)
	}
}

func TestVerdictComesFirst(t *testing.T) {
	proven := []reports.Finding{on(core1, reports.Pass), on(must1, reports.Pass), on(core2, reports.Pass)}
	all := []reports.Requirement{core1, must1, core2, should}
	for want, r := range map[string]*reports.Report{
		"CONFORMANT  to MCP-AQL v1 level 2; level 1 was asked for":                                      reports.Conclude(reports.Run{Level: 1, SpecVersion: "v1"}, all, proven),
		"CONFORMANT  to MCP-AQL v1 level 1":                                                             reports.Conclude(reports.Run{Level: 1, SpecVersion: "v1"}, all, proven[:2]),
		"CONFORMANT  to MCP-AQL v1 level 2; there are warnings, and --strict was given":                 reports.Conclude(reports.Run{Level: 2, SpecVersion: "v1", Strict: true}, all, append(proven[:3:3], on(should, reports.Warn))),
		"NOT CONFORMANT  to MCP-AQL v1 level 1; level reached: none":                                    reports.Conclude(reports.Run{Level: 1, SpecVersion: "v1"}, all, []reports.Finding{on(core1, reports.Fail)}),
		"NOT PROVEN  to MCP-AQL v1 level 2: nothing failed, but core requirements could not be checked": reports.Conclude(reports.Run{Level: 2, SpecVersion: "v1"}, all, proven[:2]),
		"NOT PROVEN  nothing failed, but a MUST is not proven, and --require-proof was given":           reports.Conclude(reports.Run{Level: 1, RequireProof: true}, all, proven[:1]),
		"NOT JUDGED  no such program":                                                                   reports.Conclude(reports.Run{Conclusion: "no such program"}, all, nil),
		"INTERRUPTED  the run was cut short":                                                            reports.Conclude(reports.Run{Interrupted: true}, all, proven),
		`CHECKER FAULT  this report cannot be relied on: a finding names "Z-1"`:                         reports.Conclude(reports.Run{}, all, []reports.Finding{{Requirement: "Z-1", Verdict: reports.Pass}}),
	} {
		if lines := strings.SplitN(text(t, r, reports.TextOptions{Width: 160}), "\n", 4); !strings.HasPrefix(lines[2], want) {
			t.Errorf("third line %q, want %q", lines[2], want)
		}
	}
}

// A dead root is one headline, and what it explains is no second one.
func TestRootCauses(t *testing.T) {
	fail := func(id, root string) reports.Finding {
		return reports.Finding{Requirement: id, Verdict: reports.Fail, Subject: "adapter", Got: "g " + id, RootCause: root}
	}
	catalogue := []reports.Requirement{core1, must1, soft1, core2}
	for name, tc := range map[string]struct {
		findings []reports.Finding
		heads    string
	}{
		"no roots":                    {[]reports.Finding{fail("A-1", ""), fail("A-2", "")}, "A-1 A-2"},
		"one root":                    {[]reports.Finding{fail("A-1", "A-3"), fail("A-2", "A-3"), fail("A-3", "")}, "A-3"},
		"a chain":                     {[]reports.Finding{fail("A-1", ""), fail("A-2", "A-1"), fail("A-3", "A-2")}, "A-1"},
		"a circle hides nothing":      {[]reports.Finding{fail("A-1", "A-2"), fail("A-2", "A-1")}, "A-1 A-2"},
		"a root that did not fail":    {[]reports.Finding{fail("A-1", "A-2"), on(must1, reports.Pass)}, "A-1"},
		"its own root":                {[]reports.Finding{fail("A-1", "A-1")}, "A-1"},
		"a root outside the level":    {[]reports.Finding{fail("A-1", "B-1"), fail("B-1", "")}, "B-1"},
		"roots before other failures": {[]reports.Finding{fail("A-1", ""), fail("A-2", "A-3"), fail("A-3", "")}, "A-3 A-1"},
	} {
		r := reports.Conclude(reports.Run{Level: 1}, catalogue, tc.findings)
		var heads []string
		out := text(t, r, reports.TextOptions{Quiet: true})
		for _, m := range regexp.MustCompile(`(?m)^FAIL  (\S+)`).FindAllStringSubmatch(out, -1) {
			heads = append(heads, m[1])
		}
		if got := strings.Join(heads, " "); got != tc.heads {
			t.Errorf("%s: headlines %q, want %q", name, got, tc.heads)
		}
		if strings.Contains(out, "ALSO FAILED") {
			t.Errorf("%s: a failure that gives exit code %d is called beside the level", name, r.ExitCode)
		}
	}
}

func TestLongListsAreShortened(t *testing.T) {
	var all []reports.Requirement
	for i := range 300 {
		all = append(all, reports.Requirement{ID: fmt.Sprintf("A-%d", i), Title: "a row", Severity: "fail", Level: 1, State: "checked"})
	}
	r := reports.Conclude(reports.Run{Level: 1}, all, nil)
	short, long := text(t, r, reports.TextOptions{}), text(t, r, reports.TextOptions{Verbose: true})
	if !strings.Contains(short, "A-0 and 299 more") {
		t.Errorf("the rest is not counted:\n%s", short)
	}
	if n := strings.Count(long, "  a row"); n != 300 {
		t.Errorf("verbose lists %d of 300", n)
	}
}

// One screen holds the report of any adapter, and it ends with the verdict.
func TestReportFitsOneScreen(t *testing.T) {
	for name, s := range map[string]string{"short": "x", "long": strings.Repeat("long words here ", 100), "one word": strings.Repeat("x", 1<<11), "hostile": strings.Repeat(hostile, 10)} {
		for _, n := range []int{0, 1, 3, 14, 60} {
			for _, width := range []int{60, 200} {
				for _, gated := range []bool{false, true} {
					r := crowded(s, n, gated)
					out := text(t, r, reports.TextOptions{Width: width})
					lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
					if len(lines) > 60 {
						t.Errorf("%s: %d lines for %d findings of each kind at %d columns, gated: %v", name, len(lines), n, width, gated)
					}
					if last := lines[len(lines)-1]; !strings.HasSuffix(last, fmt.Sprintf("  exit code %d", r.ExitCode)) {
						t.Errorf("%s: the last line is %q", name, last)
					}
					if n > 1 && !strings.Contains(out, "      want    ") {
						t.Errorf("%s: no finding is shown whole of %d at %d columns", name, n, width)
					}
				}
			}
		}
	}
}

// crowded has some findings of each kind, each with s in every place.
func crowded(s string, n int, gated bool) *reports.Report {
	r := everywhere(s, reports.Fail).Run
	r.Conclusion = ""
	var rows []reports.Requirement
	var findings []reports.Finding
	for i := range n {
		for j, v := range []reports.Verdict{reports.Fail, reports.Fail, reports.Warn, reports.NotProven} {
			row := reports.Requirement{ID: fmt.Sprintf("A-%d.%d", i, j), Title: s, Section: "1", Keyword: "MUST", Severity: "fail", Level: 1 + j%2, State: "checked"}
			rows, findings = append(rows, row), append(findings, reports.Finding{
				Requirement: row.ID, Verdict: v, Subject: s, Instances: []string{s, s + "2", s + "3"},
				Want: s, Got: s, Fix: fmt.Sprint(i, s), Note: s, Again: s, Replay: s, Raw: s,
				Evidence: []reports.Exchange{{Conn: s, Sent: []byte(s), Reply: []byte(s), Outcome: s}, {Outcome: s}},
			})
		}
		r.Remarks = append(r.Remarks, fmt.Sprint(i, s))
	}
	report := reports.Conclude(r, rows, findings)
	if gated { // half of the failures are accepted, and as many entries meet none
		var known []reports.Known
		for i, f := range report.Findings {
			known = append(known, reports.Known{Line: i, Requirement: f.Requirement, Operation: "*", Reason: f.Reason, Owner: s, Note: s})
			if i%2 == 0 {
				known[i].Reason = "0123456789abcdef"
			}
		}
		report.Accept(reports.Baseline{File: s, Entries: known})
	}
	return report
}

// The next step is a command that shows the finding again. What generated input found needs its replay.
func TestNextStepReproduces(t *testing.T) {
	for again, want := range map[string]string{
		"":                                  "fix A-1 first; add -v to see all details",
		"aql-conform --cmd x --run A-1,A-2": "fix A-1 first; add --run A-1,A-2 -v to see all details",
		"aql-conform replay 'v1:x' --cmd x": "fix A-1 first; to see it again: aql-conform replay 'v1:x' --cmd x",
		"aql-conform replay 'v1:" + strings.Repeat("x", 1000) + "'": "fix A-1 first; its command is in the JSON report, under again",
	} {
		r := reports.Conclude(reports.Run{Level: 1}, []reports.Requirement{core1, must1}, []reports.Finding{{Requirement: "A-1", Verdict: reports.Fail, Subject: "adapter", Again: again}})
		if out := strings.Join(strings.Fields(text(t, r, reports.TextOptions{})), " "); !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}
