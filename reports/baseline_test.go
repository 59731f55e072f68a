package reports_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aql-conform/aql-conform/reports"
)

// entry accepts the failure of f as it is.
func entry(line int, f reports.Finding) reports.Known {
	return reports.Known{Line: line, Requirement: f.Requirement, Operation: f.Subject, Reason: reports.Reason(f)}
}

// unknownParam is the one failure of core that most cases know.
var unknownParam = reports.Finding{Requirement: "AQL-4.6-01", Verdict: reports.Fail, Subject: "get_note", Want: "error X", Got: "success"}

// passing are the other core rows, so that nothing but the failure decides.
func passing(more ...reports.Finding) []reports.Finding {
	var fs []reports.Finding
	for _, id := range []string{"AQL-4.1-01", "AQL-5.1-01", "AQL-6.2-03"} {
		fs = append(fs, reports.Finding{Requirement: id, Verdict: reports.Pass, Subject: "adapter"})
	}
	return append(fs, more...)
}

func with(f reports.Finding, edit func(*reports.Finding)) reports.Finding {
	edit(&f)
	return f
}

func TestBaselineIsHeldAgainstTheRun(t *testing.T) {
	verdict := func(v reports.Verdict) reports.Finding {
		return with(unknownParam, func(f *reports.Finding) { f.Verdict = v })
	}
	known := entry(3, unknownParam)
	dated := func(day string) reports.Known { k := known; k.Expires = day; return k }
	glob := func(g string) reports.Known { k := known; k.Operation = g; return k }
	for name, c := range map[string]struct {
		findings    []reports.Finding
		entries     []reports.Known
		narrow      bool
		departures  []string // kind and subject
		known, code int
	}{
		"no failure, no entry":            {findings: passing(verdict(reports.Pass))},
		"a new failure":                   {findings: passing(unknownParam), departures: []string{"new failure get_note"}, code: 1},
		"a known failure":                 {findings: passing(unknownParam), entries: []reports.Known{known}, known: 1},
		"known by a glob":                 {findings: passing(unknownParam), entries: []reports.Known{glob("get_*")}, known: 1},
		"a glob that is about others":     {findings: passing(unknownParam), entries: []reports.Known{glob("list_*")}, departures: []string{"new failure get_note", "matches nothing list_*"}, code: 1},
		"the last day counts":             {findings: passing(unknownParam), entries: []reports.Known{dated("2026-03-01")}, known: 1},
		"the day after it does not":       {findings: passing(unknownParam), entries: []reports.Known{dated("2026-02-28")}, departures: []string{"expired get_note"}, code: 1},
		"fixed, yet listed":               {findings: passing(verdict(reports.Pass)), entries: []reports.Known{known}, departures: []string{"fixed, yet listed get_note"}, code: 1},
		"not applicable any more":         {findings: passing(verdict(reports.NotApplicable)), entries: []reports.Known{known}, departures: []string{"fixed, yet listed get_note"}, code: 1},
		"not proven is not fixed":         {findings: passing(verdict(reports.NotProven)), entries: []reports.Known{known}, code: 5},
		"skipped is not fixed":            {findings: passing(verdict(reports.Skipped)), entries: []reports.Known{known}, code: 5},
		"left to another shard":           {findings: passing(with(verdict(reports.Skipped), func(f *reports.Finding) { f.Subject, f.Elsewhere = "adapter", true })), entries: []reports.Known{known}, code: 5},
		"a narrowed run says nothing":     {findings: passing(with(unknownParam, func(f *reports.Finding) { f.Subject, f.Verdict = "list_notes", reports.Pass })), entries: []reports.Known{known}, narrow: true},
		"fixed in a narrowed run":         {findings: passing(verdict(reports.Pass)), entries: []reports.Known{known}, narrow: true, departures: []string{"fixed, yet listed get_note"}, code: 1},
		"a glob in a narrowed run":        {findings: passing(verdict(reports.Pass)), entries: []reports.Known{globbed(known)}, narrow: true},
		"a glob in a whole run":           {findings: passing(verdict(reports.Pass)), entries: []reports.Known{globbed(known)}, departures: []string{"fixed, yet listed get_*"}, code: 1},
		"nothing of that name":            {findings: passing(with(unknownParam, func(f *reports.Finding) { f.Subject, f.Verdict = "list_notes", reports.Pass })), entries: []reports.Known{known}, departures: []string{"matches nothing get_note"}, code: 1},
		"open on others only":             {findings: passing(with(unknownParam, func(f *reports.Finding) { f.Subject, f.Verdict = "list_notes", reports.Pass }), with(unknownParam, func(f *reports.Finding) { f.Subject, f.Verdict = "run_note", reports.NotProven })), entries: []reports.Known{known}, departures: []string{"matches nothing get_note"}, code: 1},
		"another reason":                  {findings: passing(with(unknownParam, func(f *reports.Finding) { f.Got = "failure Y" })), entries: []reports.Known{known}, departures: []string{"changed reason get_note"}, code: 1},
		"another status":                  {findings: passing(with(unknownParam, func(f *reports.Finding) { f.Got = "HTTP 500" })), entries: []reports.Known{entry(3, with(unknownParam, func(f *reports.Finding) { f.Got = "HTTP 404" }))}, departures: []string{"changed reason get_note"}, code: 1},
		"a second reason beside it":       {findings: passing(unknownParam, with(unknownParam, func(f *reports.Finding) { f.Got = "failure Y" })), entries: []reports.Known{known}, known: 1, departures: []string{"new failure get_note"}, code: 1},
		"a level that was not asked for":  {findings: passing(verdict(reports.Pass), reports.Finding{Requirement: "AQL-10.1-08", Verdict: reports.Fail, Subject: "adapter"})},
		"a broken feature":                {findings: passing(verdict(reports.Pass), reports.Finding{Requirement: "AQL-8.7-01", Verdict: reports.Fail, Subject: "adapter"}), departures: []string{"new failure adapter"}, code: 1},
		"known in its other face as well": {findings: passing(with(unknownParam, func(f *reports.Finding) { f.Subject = "semantic: get_note" })), entries: []reports.Known{known}, known: 1},
		"a name that only looks so":       {findings: passing(with(unknownParam, func(f *reports.Finding) { f.Subject = "odd: get_note" })), entries: []reports.Known{known}, departures: []string{"new failure odd: get_note", "matches nothing get_note"}, code: 1},
		"a core that was not tried":       {findings: []reports.Finding{unknownParam}, entries: []reports.Known{known}, known: 1, code: 5},
	} {
		t.Run(name, func(t *testing.T) {
			before := reports.Conclude(run(), rows(), c.findings)
			r := reports.Conclude(run(), rows(), c.findings)
			r.Accept(reports.Baseline{File: "known.yaml", Entries: c.entries, Narrowed: c.narrow})
			var got []string
			for _, d := range r.Baseline.Departures {
				got = append(got, d.Kind+" "+d.Subject)
			}
			if d := cmp.Diff(c.departures, got); d != "" || r.Baseline.Known != c.known || r.ExitCode != c.code {
				t.Errorf("known %d, exit code %d; want %d, %d; departures (-want +got)\n%s", r.Baseline.Known, r.ExitCode, c.known, c.code, d)
			}
			if d := cmp.Diff(before.Levels, r.Levels); d != "" || before.ConformanceLevel != r.ConformanceLevel || before.Digest != r.Digest {
				t.Errorf("a baseline changed the verdict (-without +with)\n%s", d)
			}
		})
	}
}

func TestBaselineOfACutRunAccusesNoEntry(t *testing.T) {
	cut := run()
	cut.Interrupted = true
	r := reports.Conclude(cut, rows(), passing())
	r.Accept(reports.Baseline{File: "known.yaml", Entries: []reports.Known{entry(3, unknownParam)}})
	if r.ExitCode != 130 || len(r.Baseline.Departures) > 0 {
		t.Errorf("exit code %d, departures %v", r.ExitCode, r.Baseline.Departures)
	}
}

func TestHeadlineGrantsNoLevel(t *testing.T) {
	r := reports.Conclude(run(), rows(), passing(unknownParam))
	r.Accept(reports.Baseline{File: "known.yaml", Entries: []reports.Known{entry(3, unknownParam)}})
	var text bytes.Buffer
	if err := r.WriteText(&text, reports.TextOptions{Width: 200}); err != nil {
		t.Fatal(err)
	}
	want := "NOT CONFORMANT  to MCP-AQL v1.0.0-draft level 1; level reached: none; all failures known (1, baseline known.yaml)"
	if !strings.Contains(text.String(), want) || r.ExitCode != 0 {
		t.Errorf("exit code %d, no line %q in\n%s", r.ExitCode, want, text.String())
	}
}

// A report with a baseline can be read back and judged from itself alone.
func TestBaselineIsPartOfTheReport(t *testing.T) {
	r := accepted()
	var raw bytes.Buffer
	if err := r.WriteJSON(&raw); err != nil {
		t.Fatal(err)
	}
	part, err := reports.ReadJSON(&raw)
	if err != nil {
		t.Fatal(err)
	}
	if err := part.Sound(rows()); err != nil {
		t.Error(err)
	}
	again := reports.Conclude(part.Run, rows(), part.Findings)
	again.Accept(*part.Baseline)
	if d := cmp.Diff(r.Baseline.Departures, again.Baseline.Departures); d != "" {
		t.Errorf("departures (-written +read)\n%s", d)
	}
}

func TestReasonIsTheSameFromRunToRun(t *testing.T) {
	at := func(subject, want, got string) string {
		return reports.Reason(reports.Finding{Requirement: "AQL-4.6-01", Subject: subject, Want: want, Got: got})
	}
	for _, c := range []struct{ one, other [3]string }{
		{[3]string{"get_note", "a note", `the note "n-7"`}, [3]string{"get_note", "a note", `the note "n-8"`}},
		{[3]string{"get_note", "a note", `the text "cut off …`}, [3]string{"get_note", "a note", `the text "cut elsewh…`}},
		{[3]string{"get_note", "a note", "note_17 after 12ms"}, [3]string{"get_note", "a note", "note_4 after 3.5s"}},
		{[3]string{"get_note", "aqlx_abcdefgh to be refused", "success"}, [3]string{"get_note", "aqlx_k3f9zzzz to be refused", "success"}},
		{[3]string{"get_note", "a note", "3 of 5 notes"}, [3]string{"get_note", "a note", "4 of 7 notes"}},
		{[3]string{"get_note", "get_note to answer", "none"}, [3]string{"list_notes", "list_notes to answer", "none"}},
		{[3]string{"get_note", "a time", "2026-01-02T03:04:05Z, not UTC"}, [3]string{"get_note", "a time", "2027-11-12T13:14:15Z, not UTC"}},
	} {
		if one, other := at(c.one[0], c.one[1], c.one[2]), at(c.other[0], c.other[1], c.other[2]); one != other {
			t.Errorf("%q has reason %s, %q has %s", c.one, one, c.other, other)
		}
	}
	for _, c := range [][2]string{{"HTTP 404", "HTTP 500"}, {"JSON-RPC error -32601", "JSON-RPC error -32602"}, {"success", "failure X"}, {"code A", "code B"}} {
		if at("get_note", "x", c[0]) == at("get_note", "x", c[1]) {
			t.Errorf("%q and %q have one reason", c[0], c[1])
		}
	}
}

func globbed(k reports.Known) reports.Known {
	k.Operation = "get_*"
	return k
}
