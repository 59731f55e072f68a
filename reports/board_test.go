package reports_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/reports"
)

// board is the site of a registry.
func board(t *testing.T, g *reports.Registry) map[string]string {
	t.Helper()
	files, err := (&reports.Board{Registry: g, Rows: rows(), Judge: "0123abcd"}).Files()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for name, content := range files {
		out[name] = string(content)
	}
	return out
}

// of returns the page of the adapter whose name begins so.
func of(t *testing.T, files map[string]string, prefix string) string {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if strings.HasPrefix(name, prefix) {
			return files[name]
		}
	}
	t.Fatalf("no file begins with %s", prefix)
	return ""
}

// levels is a run of widgets on a day that came to that.
func levels(day int, edit func(*reports.Run), fs ...reports.Finding) reports.Submission {
	r := run()
	r.Started, r.Version = time.Date(2026, 11, day, 8, 0, 0, 0, time.UTC), "1."+string(rune('0'+day))
	r.Platform, r.Digests.Checker = "linux/amd64", strings.Repeat("c0ffee00", 8)
	if edit != nil {
		edit(&r)
	}
	return reports.Submission{Path: "1.0.0-draft/widgets/" + r.Version, Report: reports.Conclude(r, rows(), fs), Transcript: "run.ndjson.gz", Grade: "self-declared"}
}

// allPass passes every requirement, but for those that are named.
func allPass(but ...string) []reports.Finding {
	var all []reports.Finding
	for _, row := range rows() {
		verdict := reports.Pass
		if slices.Contains(but, row.ID) {
			verdict = reports.Fail
		}
		if row.State == "checked" {
			all = append(all, reports.Finding{Requirement: row.ID, Verdict: verdict, Subject: "adapter", Want: "this", Got: "that"})
		}
	}
	return all
}

func narrow(r *reports.Run) { r.Narrowed = []string{"--skip AQL-7.3-03"} }

func TestBoardHasItsPages(t *testing.T) {
	files := board(t, registry())
	for _, row := range rows() {
		if files["requirement/"+row.ID+".html"] == "" {
			t.Errorf("no page of %s", row.ID)
		}
	}
	for _, name := range []string{"index.html", "board.json", "registry.json", "feed/all.xml", "sheet.css", "board.css", "sheet.js", "board.js", "worker.js"} {
		if files[name] == "" {
			t.Errorf("no file %s", name)
		}
	}
	links, ids := regexp.MustCompile(`(?:href|src)="([^"]*)"`), regexp.MustCompile(`id="([^"]+)"`)
	for name, content := range files {
		switch {
		case strings.HasSuffix(name, ".xml"), strings.HasSuffix(name, ".svg"):
			for d := xml.NewDecoder(strings.NewReader(content)); ; {
				if _, err := d.Token(); err == io.EOF {
					break
				} else if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			}
		case strings.HasSuffix(name, ".json") && !json.Valid([]byte(content)):
			t.Errorf("%s is no JSON", name)
		case strings.HasSuffix(name, ".html"):
			for _, link := range links.FindAllStringSubmatch(content, -1) {
				to, fragment, _ := strings.Cut(link[1], "#")
				at := strings.TrimPrefix(to, "../")
				switch {
				case to == "data:," || strings.HasPrefix(at, "run/"):
				case to == "" && !slices.ContainsFunc(ids.FindAllStringSubmatch(content, -1), func(id []string) bool { return id[1] == fragment }):
					t.Errorf("%s links to #%s, which is nowhere", name, fragment)
				case to != "" && files[at] == "":
					t.Errorf("%s links to %s, which is no file", name, link[1])
				case strings.HasPrefix(to, "../") == (name == "index.html") && to != "" && strings.Contains(name, "/") != strings.HasPrefix(to, "../") && !strings.HasPrefix(to, "#"):
					t.Errorf("%s links to %s, out of the board", name, link[1])
				}
			}
		}
	}
}

func TestBoardIsTheSameForTheSame(t *testing.T) {
	if !maps.Equal(board(t, registry()), board(t, registry())) {
		t.Error("the same registry gives other bytes")
	}
}

// Whatever an adapter calls itself, no tag and no address of it gets into a page.
func TestBoardOfHostileNames(t *testing.T) {
	for _, name := range []string{hostile, `"><script>owned=1</script>`, "</title><svg onload=owned=1>", "javascript:owned=1", "{{.}}", "../../index", strings.Repeat("a", 4000)} {
		one := levels(1, func(r *reports.Run) {
			r.Implementation, r.Version, r.Platform, r.Narrowed, r.Digests.Checker = name, name, name, []string{name}, name
		}, allPass()...)
		one.Path, one.Signature, one.Grade, one.Uncounted = "x/"+name+"/1@"+name, name, name, []string{name}
		bad := reports.Submission{Path: "y/" + name + "/1", Problem: name}
		tags := regexp.MustCompile(`</?[a-zA-Z!][^\s>]*`)
		known := board(t, &reports.Registry{Tool: "aql-conform", Submissions: []reports.Submission{levels(1, narrow, allPass()...), {Path: "y/a/1", Problem: "b"}}, Strays: []string{"a"}})
		allowed := map[string]bool{}
		for _, content := range known {
			for _, tag := range tags.FindAllString(content, -1) {
				allowed[tag] = true
			}
		}
		for file, content := range board(t, &reports.Registry{Tool: "aql-conform", Submissions: []reports.Submission{one, bad}, Strays: []string{name}}) {
			if strings.Contains(file, "..") || len(file) > 120 || strings.ContainsAny(file, "<>\"'\\ ") {
				t.Errorf("a file is named %q", file)
			}
			for _, tag := range tags.FindAllString(content, -1) {
				if !allowed[tag] && !strings.HasSuffix(file, ".json") && !strings.HasSuffix(file, ".js") {
					t.Errorf("%s of %.40q has %q", file, name, tag)
				}
			}
		}
	}
}

// What was not verified, or narrowed, is nowhere shown as conformant: not in a page, a badge or a feed.
func TestBoardShowsNothingUnprovenAsConformant(t *testing.T) {
	whole := levels(1, nil, allPass()...)
	if whole.Report.ConformanceLevel == 0 {
		t.Fatal("the run that stands does not")
	}
	unverified := whole
	unverified.Problem = "report.conformanceLevel: sealed 2, the transcript gives 0"
	for name, s := range map[string]reports.Submission{"not verified": unverified, "narrowed": levels(1, narrow, allPass()...)} {
		for file, content := range board(t, &reports.Registry{Tool: "aql-conform", Submissions: []reports.Submission{s}}) {
			if strings.HasSuffix(file, ".js") || strings.HasSuffix(file, ".css") {
				continue
			}
			if strings.Contains(content, "conformant") && !strings.Contains(content, "nonconformant") || strings.Contains(content, "gained<") || strings.HasSuffix(file, ".svg") && strings.Contains(content, ">level") {
				t.Errorf("%s: %s says %q", name, file, regexp.MustCompile(`.{0,60}(conformant|gained<|>level [12]<).{0,60}`).FindString(content))
			}
		}
	}
	if page := of(t, board(t, &reports.Registry{Tool: "aql-conform", Submissions: []reports.Submission{whole}}), "adapter/"); !strings.Contains(page, "conformant, level 2") {
		t.Error("the one that stands is not shown so")
	}
}

// The history is the levels that whole runs gained and lost, in the order of their dates.
func TestHistoryOfLevels(t *testing.T) {
	unverified := levels(8, nil, allPass()...)
	unverified.Problem = "forged"
	g := &reports.Registry{Submissions: []reports.Submission{
		levels(5, nil, allPass("AQL-4.6-01")...), levels(1, nil, allPass()...), levels(2, narrow, allPass()...), levels(3, nil), levels(4, nil, allPass()...),
		levels(6, func(r *reports.Run) { r.Basis = "normative" }, allPass()...), levels(7, nil, allPass("AQL-10.1-08")...), unverified,
	}}
	var got []string
	for _, s := range g.Series() {
		for _, c := range s.Changes() {
			got = append(got, c.Version+" "+string(rune('0'+c.Level))+" "+c.How)
		}
	}
	want := []string{"1.1 1 gained", "1.1 2 gained", "1.3 1 no longer shown", "1.3 2 no longer shown", "1.4 1 gained", "1.4 2 gained", "1.5 1 lost", "1.5 2 lost", "1.7 1 gained"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	var out bytes.Buffer
	if err := reports.WriteRegistry("json", &out, g); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), `"change": "`); n != len(want) {
		t.Errorf("the JSON has %d changes, want %d", n, len(want))
	}
}
