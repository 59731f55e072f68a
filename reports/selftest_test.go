package reports_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/reports"
)

// proven is a selftest in which all came out as it should.
func proven() *reports.Selftest {
	return &reports.Selftest{
		Tool: "aql-conform 0.1.0", SpecVersion: "1.0.0-draft", Catalogue: strings.Repeat("c", 64), Checker: strings.Repeat("b", 64),
		Checked: 2, Mild: 1,
		Healthy: []reports.Control{{Adapter: "usual features", Transport: "stdio", Accused: []string{}}},
		Proofs: []reports.Proof{
			right("AQL-4.6-01", "unknown-params-dropped", "stdio"),
			right("AQL-6.2-04", "execute-then-mismatch", "http", "AQL-6.2-06"),
		},
		NotRun: []reports.NotRun{{Requirement: "AQL-4.6-01", Fault: "last-of-ten", Why: "a defect for random input to find"}},
	}
}

func right(id, fault, transport string, also ...string) reports.Proof {
	return reports.Proof{
		Requirement: id, Fault: fault, Transport: transport, Beside: "area", Want: append([]string{id}, also...),
		Caught: true, Missing: []string{}, Others: []string{},
	}
}

// refuted is one in which everything that can be wrong is.
func refuted() *reports.Selftest {
	s := proven()
	s.Again = 5
	s.Healthy = append(s.Healthy, reports.Control{Adapter: "all features", Transport: "stdio", Accused: []string{"AQL-5.1-01"}})
	missed, partly := right("AQL-5.3-01", "no-code", "stdio"), right("AQL-6.2-07", "read-in-batch", "stdio", "AQL-6.2-08")
	missed.Caught, missed.Missing = false, []string{"AQL-5.3-01"}
	partly.Caught, partly.Missing, partly.Others = false, []string{"AQL-6.2-08"}, []string{"AQL-6.2-01"}
	accused, dead := right("AQL-7.2-01", "silent", "stdio"), right("AQL-7.3-02", "dead", "stdio")
	accused.Others = []string{"AQL-7.2-02", "AQL-7.2-03"}
	dead.Caught, dead.Missing, dead.Trouble = false, []string{"AQL-7.3-02"}, "AQL-7.3-02.dead: connect: \x1b[31mno\nanswer | <b>"
	s.Proofs = append(s.Proofs, missed, partly, accused, dead)
	s.Gaps = []reports.Gap{{Requirement: "AQL-9.9-01", Why: "no fault breaks it"}}
	return s
}

func writtenSelftest(t *testing.T, s *reports.Selftest) string {
	t.Helper()
	var b bytes.Buffer
	if err := s.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestSelftestVerdict(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(*reports.Selftest)
		want string
	}{
		"whole":          {func(*reports.Selftest) {}, "PROVEN  2 of 2 faults"},
		"a part":         {func(s *reports.Selftest) { s.Selected = []string{"unknown"} }, "PROVEN IN PART  2 of 2 faults"},
		"interrupted":    {func(s *reports.Selftest) { s.Interrupted = true }, "INTERRUPTED  2 of 2 faults"},
		"nothing":        {func(s *reports.Selftest) { s.Proofs = nil }, "NOT PROVEN  0 of 0 faults caught, each by the requirement it breaks and by no other looked at: 0%"},
		"no control":     {func(s *reports.Selftest) { s.Healthy = nil }, "NOT PROVEN  2 of 2"},
		"a gap":          {func(s *reports.Selftest) { s.Gaps = refuted().Gaps }, "NOT PROVEN  2 of 2"},
		"a false alarm":  {func(s *reports.Selftest) { s.Healthy = refuted().Healthy }, "NOT PROVEN  2 of 2"},
		"a missed fault": {func(s *reports.Selftest) { s.Proofs = refuted().Proofs[:3] }, "NOT PROVEN  2 of 3 faults caught, each by the requirement it breaks and by no other looked at: 66%"},
		"almost all": {func(s *reports.Selftest) {
			for i := range 997 {
				s.Proofs = append(s.Proofs, right("AQL-4.6-01", fmt.Sprint("fault-", i), "stdio"))
			}
			s.Proofs = append(s.Proofs, refuted().Proofs[2])
		}, "NOT PROVEN  999 of 1000 faults caught, each by the requirement it breaks and by no other looked at: 99%"},
	} {
		s := proven()
		c.edit(s)
		var text bytes.Buffer
		if err := s.WriteText(&text); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(strings.Fields(text.String()), " "); !strings.HasPrefix(got, strings.Join(strings.Fields(c.want), " ")) {
			t.Errorf("%s: want %q, got\n%.300s", name, c.want, text.String())
		}
		if want := strings.HasPrefix(c.want, "PROVEN"); s.Perfect() != want && name != "interrupted" {
			t.Errorf("%s: perfect %v", name, s.Perfect())
		}
	}
}

// Where and when it was made is not in the digest; all that was proven is.
func TestSelftestDigest(t *testing.T) {
	s := proven()
	s.Tool, s.Checker, s.Again = "another", "another", 1
	if s.Digest() != proven().Digest() {
		t.Error("another build of the same checks has another digest")
	}
	for name, edit := range map[string]func(*reports.Selftest){
		"catalogue": func(s *reports.Selftest) { s.Catalogue = "" },
		"a row":     func(s *reports.Selftest) { s.Proofs = s.Proofs[1:] },
		"how":       func(s *reports.Selftest) { s.Proofs[0].Beside = "all" },
		"not run":   func(s *reports.Selftest) { s.NotRun = nil },
		"control":   func(s *reports.Selftest) { s.Healthy = nil },
		"selected":  func(s *reports.Selftest) { s.Selected = []string{"*"} },
	} {
		s := proven()
		if edit(s); s.Digest() == proven().Digest() {
			t.Errorf("%s is not in the digest", name)
		}
	}
}

// What is edited in a file is named.
func TestReadSelftest(t *testing.T) {
	for _, s := range []*reports.Selftest{proven(), refuted()} {
		got, err := reports.ReadSelftest([]byte(writtenSelftest(t, s)))
		if err != nil || got.Digest() != s.Digest() || got.Checker != s.Checker {
			t.Errorf("%v, %v", got, err)
		}
	}
	whole := writtenSelftest(t, refuted())
	for edit, want := range map[[2]string]string{
		{`"caught": false`, `"caught": true`}:                          "digest: the file says",
		{`"digest": "`, `"digest": "0`}:                                "digest: the file says",
		{`"requirement": "AQL-5.3-01"`, `"requirement": "AQL-5.3-02"`}: "digest: the file says",
		{`"perfect": false`, `"perfect": true`}:                        "perfect or counts",
		{`"percent": 33`, `"percent": 100`}:                            "counts: they do not follow",
		{`"whole": true`, `"whole": false`}:                            "whole, perfect",
		{`"selftestVersion": "1.0"`, `"selftestVersion": "2.0"`}:       "selftestVersion: want 1.0",
		{`"catalogue"`, `"katalogue"`}:                                 "unknown field",
		{`"selftestVersion": "1.0",`, `"selftestVersion": "1.0",,`}:    "no selftest",
		{`"neverAccuse": 1,`, `"neverAccuse": 0, "neverAccuse": 1,`}:   "do not follow",
		{"\n}\n", "\n}\n{}"}:                                           "after",
		{`"healthy": [`, `"healthy": [null,`}:                          "digest",
	} {
		text := strings.Replace(whole, edit[0], edit[1], 1)
		if text == whole {
			t.Errorf("%q is not there", edit[0])
		}
		if _, err := reports.ReadSelftest([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: want %q, got %v", edit[1], want, err)
		}
	}
}

// What is wrong reads the same on every terminal.
func TestSelftestIsInert(t *testing.T) {
	for name, write := range map[string]func(io.Writer) error{"text": refuted().WriteText, "json": refuted().WriteJSON, "markdown": refuted().WriteMarkdown} {
		var out bytes.Buffer
		if err := write(&out); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(out.String(), "\x1b") || name == "markdown" && strings.Contains(out.String(), "<b>") {
			t.Errorf("%s: %q", name, out.String())
		}
	}
}
