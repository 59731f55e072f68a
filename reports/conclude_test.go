package reports_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/reports"
)

// Three rows are enough for the logic of the levels: a core row of each level
// and a MUST of level 1 beside the core.
var (
	core1   = reports.Requirement{ID: "A-1", Area: "a", Authority: "normative", Keyword: "MUST", Severity: "fail", Level: 1, Core: true, State: "checked"}
	must1   = reports.Requirement{ID: "A-2", Area: "a", Authority: "normative", Keyword: "MUST", Severity: "fail", Level: 1, State: "checked"}
	core2   = reports.Requirement{ID: "B-1", Area: "b", Authority: "normative", Keyword: "MUST", Severity: "fail", Level: 2, Core: true, State: "checked"}
	feature = reports.Requirement{ID: "C-1", Area: "c", Authority: "normative", Keyword: "MUST", Severity: "fail", State: "checked"}
	should  = reports.Requirement{ID: "C-2", Area: "c", Authority: "informative", Keyword: "SHOULD", Severity: "warn", State: "checked"}
	soft1   = reports.Requirement{ID: "A-3", Area: "a", Authority: "informative", Keyword: "MUST", Severity: "fail", Level: 1, State: "checked"}
	later1  = reports.Requirement{ID: "A-4", Area: "a", Authority: "normative", Keyword: "MUST", Severity: "fail", Level: 1, State: "untested"}
)

func on(row reports.Requirement, v reports.Verdict) reports.Finding {
	return reports.Finding{Requirement: row.ID, Verdict: v, Subject: "adapter", Got: "as " + string(v)}
}

func TestConcludeLevels(t *testing.T) {
	type R = reports.Requirement
	type F = reports.Finding
	all := []R{core1, must1, core2, feature, should}
	good := []F{on(core1, reports.Pass), on(must1, reports.Pass), on(core2, reports.Pass), on(feature, reports.Pass), on(should, reports.Pass)}
	with := func(f F) []F {
		return append(slices.DeleteFunc(slices.Clone(good), func(g F) bool { return g.Requirement == f.Requirement }), f)
	}
	ask := func(level int) reports.Run { return reports.Run{Level: level} }
	const c, u, n = reports.Conformant, reports.Unproven, reports.Nonconformant
	for name, tc := range map[string]struct {
		run      reports.Run
		rows     []R
		findings []F
		l1, l2   reports.Standing
		reached  int
		exit     int
	}{
		"all proven, level 1 asked":                   {ask(1), all, good, c, c, 2, 0},
		"all proven, level 2 asked":                   {ask(2), all, good, c, c, 2, 0},
		"no level asked means level 1":                {ask(0), all, good, c, c, 2, 0},
		"empty run":                                   {ask(1), all, nil, u, u, 0, 5},
		"empty run and empty catalogue":               {ask(1), nil, nil, u, u, 0, 5},
		"a catalogue without core":                    {ask(1), []R{must1}, []F{on(must1, reports.Pass)}, u, u, 0, 5},
		"a catalogue without level 2":                 {ask(2), []R{core1}, []F{on(core1, reports.Pass)}, c, u, 1, 5},
		"everything not applicable":                   {ask(1), []R{core1}, []F{on(core1, reports.NotApplicable)}, u, u, 0, 5},
		"core fails":                                  {ask(1), all, with(on(core1, reports.Fail)), n, n, 0, 1},
		"a MUST beside the core fails":                {ask(1), all, with(on(must1, reports.Fail)), n, n, 0, 1},
		"core not proven":                             {ask(1), all, with(on(core1, reports.NotProven)), u, u, 0, 5},
		"core skipped hides nothing":                  {ask(1), all, with(on(core1, reports.Skipped)), u, u, 0, 5},
		"core that drew a warning was seen":           {ask(1), all, with(on(core1, reports.Warn)), c, c, 2, 0},
		"core untested cannot be proven":              {ask(1), []R{core1, {ID: "A-9", Severity: "fail", Level: 1, Core: true, State: "untested"}}, []F{on(core1, reports.Pass)}, u, u, 0, 5},
		"level 2 fails, level 1 asked":                {ask(1), all, with(on(core2, reports.Fail)), c, n, 1, 0},
		"level 2 fails, level 2 asked":                {ask(2), all, with(on(core2, reports.Fail)), c, n, 1, 1},
		"level 2 not proven, level 2 asked":           {ask(2), all, with(on(core2, reports.NotProven)), c, u, 1, 5},
		"level 2 excused":                             {ask(2), all, with(on(core2, reports.NotApplicable)), c, c, 2, 0},
		"level 2 presupposes level 1":                 {ask(2), all, with(on(must1, reports.Fail)), n, n, 0, 1},
		"level 3 does not exist":                      {ask(3), all, good, c, c, 2, 5},
		"a feature fails":                             {ask(2), all, with(on(feature, reports.Fail)), c, c, 2, 1},
		"a feature fails, strict":                     {reports.Run{Level: 1, Strict: true}, all, with(on(feature, reports.Fail)), c, c, 2, 1},
		"a warning":                                   {ask(1), all, with(on(should, reports.Warn)), c, c, 2, 0},
		"a warning, strict":                           {reports.Run{Level: 1, Strict: true}, all, with(on(should, reports.Warn)), c, c, 2, 2},
		"strict and clean":                            {reports.Run{Level: 1, Strict: true}, all, good, c, c, 2, 0},
		"strict leaves higher levels alone":           {reports.Run{Level: 1, Strict: true}, all, with(on(core2, reports.Fail)), c, n, 1, 0},
		"a FAIL on a SHOULD weighs as a WARN":         {ask(1), all, with(on(should, reports.Fail)), c, c, 2, 0},
		"a MUST not proven":                           {ask(1), all, with(on(must1, reports.NotProven)), c, c, 2, 0},
		"a MUST not proven, proof required":           {reports.Run{Level: 1, RequireProof: true}, all, with(on(must1, reports.NotProven)), c, c, 2, 5},
		"a MUST skipped, proof required":              {reports.Run{Level: 1, RequireProof: true}, all, with(on(must1, reports.Skipped)), c, c, 2, 5},
		"a MUST untested, proof required":             {reports.Run{Level: 1, RequireProof: true}, append([]R{later1}, all...), good, c, c, 2, 5},
		"level 2 open, proof of level 1 required":     {reports.Run{Level: 1, RequireProof: true}, all, with(on(core2, reports.NotProven)), c, u, 1, 0},
		"unproven before strict":                      {reports.Run{Level: 1, Strict: true}, all, []F{on(core1, reports.NotProven), on(must1, reports.Pass), on(should, reports.Warn)}, u, u, 0, 5},
		"failed before unproven":                      {ask(1), all, []F{on(must1, reports.Fail)}, n, n, 0, 1},
		"informative MUST fails":                      {ask(1), append([]R{soft1}, all...), append([]F{on(soft1, reports.Fail)}, good...), n, n, 0, 1},
		"informative MUST fails, basis normative":     {reports.Run{Level: 1, Basis: "normative"}, append([]R{soft1}, all...), append([]F{on(soft1, reports.Fail)}, good...), c, c, 2, 0},
		"informative WARN, strict on normative alone": {reports.Run{Level: 1, Basis: "normative", Strict: true}, all, with(on(should, reports.Warn)), c, c, 2, 0},
		"not judged":                                  {reports.Run{Level: 1, Conclusion: "not an MCP-AQL adapter"}, all, nil, u, u, 0, 4},
		"not judged outweighs a FAIL":                 {reports.Run{Level: 1, Conclusion: "died"}, all, []F{on(core1, reports.Fail)}, n, n, 0, 4},
		"not judged reaches nothing":                  {reports.Run{Level: 1, Conclusion: "died"}, all, good, u, u, 0, 4},
		"interrupted":                                 {reports.Run{Level: 1, Interrupted: true}, all, []F{on(must1, reports.Fail)}, n, n, 0, 130},
		"interrupted outweighs not judged":            {reports.Run{Level: 1, Interrupted: true, Conclusion: "died"}, all, nil, u, u, 0, 130},
		"interrupted reaches nothing":                 {reports.Run{Level: 1, Interrupted: true}, all, good, u, u, 0, 130},
		"a finding of no row":                         {ask(1), all, append([]F{{Requirement: "Z-9", Verdict: reports.Pass}}, good...), u, u, 0, 6},
		"a finding of no verdict":                     {reports.Run{Level: 1, Interrupted: true}, all, append([]F{{Requirement: core1.ID}}, good...), u, u, 0, 6},
	} {
		t.Run(name, func(t *testing.T) {
			r := reports.Conclude(tc.run, tc.rows, tc.findings)
			if r.Levels[0].Standing != tc.l1 || r.Levels[1].Standing != tc.l2 {
				t.Errorf("levels %s, %s; want %s, %s", r.Levels[0].Standing, r.Levels[1].Standing, tc.l1, tc.l2)
			}
			if r.ConformanceLevel != tc.reached {
				t.Errorf("reached level %d, want %d", r.ConformanceLevel, tc.reached)
			}
			if r.ExitCode != tc.exit {
				t.Errorf("exit code %d, want %d", r.ExitCode, tc.exit)
			}
		})
	}
}

// A process cannot leave with 256: a count as exit status is a false green.
func TestManyFailuresExitOne(t *testing.T) {
	for _, n := range []int{1, 255, 256, 257, 512} {
		var findings []reports.Finding
		for i := range n {
			f := on(must1, reports.Fail)
			f.Subject, f.Got = fmt.Sprint(i), "answer "+strings.Repeat("x", i)
			findings = append(findings, f)
		}
		r := reports.Conclude(reports.Run{Level: 1}, []reports.Requirement{core1, must1}, findings)
		if r.ExitCode != 1 || r.Summary.Fail != 1 || len(r.Findings) != n+1 {
			t.Errorf("%d failures: exit %d, %d rows failed, %d findings", n, r.ExitCode, r.Summary.Fail, len(r.Findings))
		}
	}
}

func TestMustCountsAndUntested(t *testing.T) {
	soft := should
	soft.ID, soft.Level = "A-6", 1 // a SHOULD of level 1 is no MUST
	gone := later1
	gone.ID, gone.State = "A-5", "excluded"
	r := reports.Conclude(reports.Run{Level: 1}, []reports.Requirement{core1, must1, soft1, later1, gone, soft, core2, should}, []reports.Finding{
		on(core1, reports.Pass), on(core1, reports.NotProven), on(must1, reports.Skipped), on(soft1, reports.NotApplicable), on(should, reports.Fail), on(soft, reports.Pass)})
	l := r.Levels[0]
	if want := (reports.Must{Passed: 1, NotProven: 1, NotApplicable: 1}); l.Must != want {
		t.Errorf("must %+v, want %+v", l.Must, want)
	}
	if want := (reports.Must{Passed: 1, NotProven: 1}); l.Normative != want {
		t.Errorf("normative %+v, want %+v", l.Normative, want)
	}
	if l.Untested != 1 {
		t.Errorf("untested %d, want 1: the excluded row is none", l.Untested)
	}
	if want := (reports.Must{NotProven: 1}); r.Levels[1].Must != want {
		t.Errorf("level 2 must %+v, want %+v", r.Levels[1].Must, want)
	}
	if want := (reports.Counts{Pass: 2, Skipped: 1, NotApplicable: 1, Warn: 1, NotProven: 1}); r.Summary != want {
		t.Errorf("summary %+v, want %+v", r.Summary, want)
	}
	if a := r.Categories[0]; a.Name != "a" || !a.Required || a.Result != reports.Skipped || a.Untested != 1 {
		t.Errorf("category %+v: one proven row must not paint the area green", a)
	}
}

func TestRequirementVerdictIsTheWorst(t *testing.T) {
	order := []reports.Verdict{reports.Fail, reports.Warn, reports.Pass, reports.NotProven, reports.Skipped, reports.NotApplicable}
	for i, worse := range order {
		for _, better := range order[i:] {
			r := reports.Conclude(reports.Run{}, []reports.Requirement{must1}, []reports.Finding{on(must1, better), on(must1, worse)})
			want := reports.Conclude(reports.Run{}, []reports.Requirement{must1}, []reports.Finding{on(must1, worse)}).Summary
			if r.Summary != want {
				t.Errorf("%s and %s give %+v, want %+v", worse, better, r.Summary, want)
			}
		}
	}
}

func TestGrouping(t *testing.T) {
	find := func(v reports.Verdict, subject, got, fix string) reports.Finding {
		return reports.Finding{Requirement: must1.ID, Verdict: v, Subject: subject, Got: got, Fix: fix, Elapsed: time.Second}
	}
	r := reports.Conclude(reports.Run{}, []reports.Requirement{must1}, []reports.Finding{
		find(reports.Fail, "c", "code X", "mend c"), find(reports.Fail, "a", "code X", "mend a"), find(reports.Fail, "b", `b says "Y" 1 time`, ""), find(reports.Fail, "m", `m says "\"Z" 23 time`, ""), find(reports.Fail, "l", `l says "cut 23 time`, ""),
		find(reports.Fail, "a", "code X", "mend a"),
		find(reports.Fail, "o.p_id", `"p_id" let pass`, ""), find(reports.Fail, "r.q_id", `"q_id" let pass`, ""), find(reports.Fail, "s.t_id", "t_id let pass", ""),
		find(reports.Pass, "e", "one", ""), find(reports.Pass, "d", "two", ""),
		find(reports.NotProven, "f", "refused", "--allow create"), find(reports.NotProven, "g", "refused", "--allow delete"),
		find(reports.NotApplicable, "i", "1", ""), find(reports.NotApplicable, "h", "2", ""),
	})
	var got []string
	for _, f := range r.Findings {
		got = append(got, fmt.Sprintf("%s %s %v %s", f.Verdict, f.Subject, f.Instances, f.Elapsed))
	}
	want := []string{"FAIL a [a c] 3s", "FAIL b [b m] 2s", "FAIL l [] 1s", "FAIL o.p_id [o.p_id r.q_id] 2s", "FAIL s.t_id [] 1s", "PASS d [d e] 2s", "NOT-PROVEN f [] 1s", "NOT-PROVEN g [] 1s", "NOT-APPLICABLE h [h i] 2s"}
	if !slices.Equal(got, want) {
		t.Errorf("grouped:\n%q\nwant:\n%q", got, want)
	}
}

// Ids sort as the specification counts.
func TestOrderOfRequirements(t *testing.T) {
	want := []string{"AQL-3.2-02", "AQL-4.6-01", "AQL-4.6-02", "AQL-4.6-10", "AQL-4.6.1-01", "AQL-10.1-01", "INT-3.4-05"}
	var all []reports.Requirement
	for _, id := range want {
		all = append(all, reports.Requirement{ID: id, State: "checked"})
	}
	rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	var got []string
	for _, f := range reports.Conclude(reports.Run{}, all, nil).Findings {
		got = append(got, f.Requirement)
	}
	if !slices.Equal(got, want) {
		t.Errorf("order %q, want %q", got, want)
	}
}

// Probing is concurrent: the order in which findings arrive must not show.
func TestSameFindingsGiveSameBytes(t *testing.T) {
	var want []byte
	for i := range 20 {
		fs := findings()
		random := rand.New(rand.NewPCG(uint64(i), 1))
		random.Shuffle(len(fs), func(i, j int) { fs[i], fs[j] = fs[j], fs[i] })
		all := rows()
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		var got bytes.Buffer
		for _, format := range reports.Formats() {
			if err := reports.Write(format, &got, reports.Conclude(run(), all, fs)); err != nil {
				t.Fatal(err)
			}
		}
		if want == nil {
			want = got.Bytes()
		}
		if !bytes.Equal(got.Bytes(), want) {
			t.Fatalf("order %d gives another report", i)
		}
	}
}

func TestDigestKnowsOnlyTheVerdicts(t *testing.T) {
	first := reports.Conclude(run(), rows(), findings())
	other, fs := run(), findings()
	other.Seed, other.Elapsed, other.Started, other.Asked = 7, time.Hour, time.Now(), 1
	for i := range fs {
		fs[i].Got += fmt.Sprint(" nonce x", i) // and so the groups fall apart
		fs[i].Evidence, fs[i].Elapsed = nil, 0
	}
	if again := reports.Conclude(other, rows(), fs); again.Digest != first.Digest {
		t.Error("the digest depends on nonces, times or the seed")
	}
	fs[0].Verdict = reports.Fail
	if again := reports.Conclude(other, rows(), fs); again.Digest == first.Digest {
		t.Error("the digest does not show another verdict")
	}
}

// A broken feature takes no level away, and still nobody is told that all is well.
func TestBrokenFeaturesAreSaid(t *testing.T) {
	r := reports.Conclude(reports.Run{Level: 1, SpecVersion: "1.0.0-draft"}, []reports.Requirement{core1, core2, feature},
		[]reports.Finding{on(core1, reports.Pass), on(core2, reports.Pass), on(feature, reports.Fail)})
	out := text(t, r, reports.TextOptions{})
	if !strings.Contains(out, "BROKEN FEATURE  1 requirement outside the levels failed; level reached for") || strings.Contains(out, "NOT CONFORMANT") {
		t.Errorf("got\n%s", out)
	}
}
