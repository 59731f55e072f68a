package reports_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/reports"
)

// Nothing is certified where an error has passed: the exit code is 1, and 0 where nobody
// asked for a certificate.
func TestPassingErrorIsNotCertified(t *testing.T) {
	rows := []reports.Requirement{core1}
	for certify, want := range map[bool]int{true: 1, false: 0} {
		r := reports.Conclude(reports.Run{Level: 1, Certify: certify, Cured: 1}, rows, []reports.Finding{on(core1, reports.Pass)})
		if r.ExitCode != want {
			t.Errorf("certify %t: exit code %d, want %d", certify, r.ExitCode, want)
		}
	}
}

// What may be published names the level that was shown, by which specification, and what
// it rests on; nothing else is claimed, and the reason is said.
func TestClaim(t *testing.T) {
	type F = reports.Finding
	rows := []reports.Requirement{core1, must1, soft1, core2, feature, should}
	good := []F{on(core1, reports.Pass), on(must1, reports.Pass), on(soft1, reports.Pass), on(core2, reports.Pass), on(feature, reports.Pass), on(should, reports.Pass)}
	with := func(changed ...F) []F {
		all := slices.DeleteFunc(slices.Clone(good), func(g F) bool {
			return slices.ContainsFunc(changed, func(f F) bool { return f.Requirement == g.Requirement })
		})
		return append(all, changed...)
	}
	flaky := func(row reports.Requirement) F {
		f := on(row, reports.Warn)
		f.Broken, f.Runs = 1, 3
		return f
	}
	run := func(edit func(*reports.Run)) reports.Run {
		r := reports.Run{Level: 1, SpecVersion: "1.0.0-draft", Basis: "all"}
		if edit != nil {
			edit(&r)
		}
		return r
	}
	level2 := func(r *reports.Run) { r.Level = 2 }
	proof := func(level int) func(*reports.Run) {
		return func(r *reports.Run) { r.Level, r.RequireProof = level, true }
	}
	const one, two = "MCP-AQL Level 1 Conformant (specification 1.0.0-draft", "MCP-AQL Level 2 Conformant (specification 1.0.0-draft"
	for name, tc := range map[string]struct {
		run      reports.Run
		findings []F
		claim    string // or why there is none, after "no: "
	}{
		"all proven":                        {run(nil), good, two + ")"},
		"level 2 asked for":                 {run(level2), good, two + ")"},
		"level 2 failed":                    {run(level2), with(on(core2, reports.Fail)), one + ")"},
		"level 2 unproven":                  {run(level2), with(on(core2, reports.NotProven)), one + ")"},
		"level 1 failed":                    {run(nil), with(on(must1, reports.Fail)), "no: level 1 is nonconformant"},
		"core unproven":                     {run(nil), with(on(core1, reports.NotProven)), "no: level 1 is unproven"},
		"core skipped":                      {run(nil), with(on(core1, reports.Skipped)), "no: level 1 is unproven"},
		"nothing seen":                      {run(nil), nil, "no: level 1 is unproven"},
		"a MUST unproven":                   {run(nil), with(on(must1, reports.NotProven)), two + "; 3 of 4 MUSTs proven)"},
		"a MUST unproven, proof required":   {run(proof(1)), with(on(must1, reports.NotProven)), "no: a MUST of level 1 is not proven, and --require-proof was given"},
		"all proven, proof required":        {run(proof(2)), good, two + ")"},
		"core 2 excused, proof required":    {run(proof(2)), with(on(core2, reports.NotApplicable)), two + ")"},
		"warned":                            {run(nil), with(on(should, reports.Warn)), two + ")"},
		"warned and strict":                 {run(func(r *reports.Run) { r.Strict = true }), with(on(should, reports.Warn)), two + ")"},
		"a feature broken":                  {run(nil), with(on(feature, reports.Fail)), "no: 1 requirement of optional features failed"},
		"a passing error":                   {run(func(r *reports.Run) { r.Cured = 2 }), good, "no: 2 requests met a transient error, which is flaky"},
		"flaky":                             {run(nil), with(flaky(should)), "no: C-2 is flaky: broken in 1 of 3 runs"},
		"broken in all of several runs":     {run(nil), with(func() F { f := flaky(should); f.Broken = 3; return f }()), two + ")"},
		"informative failure, all texts":    {run(nil), with(on(soft1, reports.Fail)), "no: level 1 is nonconformant"},
		"informative failure, normative":    {run(func(r *reports.Run) { r.Basis = "normative" }), with(on(soft1, reports.Fail)), two + "; normative text alone)"},
		"normative, a MUST unproven":        {run(func(r *reports.Run) { r.Basis = "normative" }), with(on(must1, reports.NotProven)), two + "; normative text alone; 2 of 3 MUSTs proven)"},
		"flaky informative text, normative": {run(func(r *reports.Run) { r.Basis = "normative" }), with(flaky(should)), two + "; normative text alone)"},
		"without generated input":           {run(func(r *reports.Run) { r.Ungenerated = true }), good, two + "; without all of the generated input)"},
		"an operation without permission": {run(func(r *reports.Run) {
			r.Reach = &reports.Reach{Operations: 3, NotReached: []string{"a"}, NotAllowed: []string{"b"}}
		}), good, two + "; 2 of 4 operations called)"},
		"all operations called":              {run(func(r *reports.Run) { r.Reach = &reports.Reach{Operations: 3} }), good, two + ")"},
		"narrowed":                           {run(func(r *reports.Run) { r.Narrowed = []string{"--skip A-2", "--subject x"} }), good, "no: the run was narrowed: --skip A-2, --subject x"},
		"narrowed by a name that plays":      {run(func(r *reports.Run) { r.Narrowed = []string{"--skip \x1b[2J"} }), good, `no: the run was narrowed: --skip \u001b[2J`},
		"a shard":                            {run(func(r *reports.Run) { r.Shard = &reports.Shard{Index: 1, Of: 4} }), good, "no: this is part 1/4 of a plan; merge combines all parts"},
		"interrupted":                        {run(func(r *reports.Run) { r.Interrupted = true }), good, "no: the run was cut short"},
		"not judged":                         {run(func(r *reports.Run) { r.Conclusion = "no adapter" }), good, "no: nothing could be judged"},
		"fault of the checker":               {run(nil), with(F{Requirement: "Z-9", Verdict: reports.Pass}), "no: the checker itself had an error"},
		"level 2 unproven, proof of level 1": {run(proof(1)), with(on(core2, reports.NotProven)), one + ")"},
	} {
		r := reports.Conclude(tc.run, rows, tc.findings)
		claim, why := r.Claim()
		want, wantWhy := tc.claim, ""
		if reason, none := strings.CutPrefix(tc.claim, "no: "); none {
			want, wantWhy = "", reason
		}
		if claim != want || why != wantWhy {
			t.Errorf("%s: claim %q because %q, want %q because %q", name, claim, why, want, wantWhy)
		}
		if claim != "" && (r.ConformanceLevel == 0 || r.ExitCode == 4 || r.ExitCode == 6 || r.ExitCode == 130) {
			t.Errorf("%s: level %d and exit code %d, and yet %q", name, r.ConformanceLevel, r.ExitCode, claim)
		}
	}
	later := reports.Conclude(run(nil), append([]reports.Requirement{later1}, rows...), good)
	if claim, _ := later.Claim(); claim != two+"; 1 requirement not checked)" {
		t.Errorf("a row that is not checked: %q", claim)
	}
}

// Every format that shows a claim shows the same.
func TestClaimsAgree(t *testing.T) {
	r := reports.Conclude(reports.Run{Level: 1, SpecVersion: "1.0.0-draft"}, []reports.Requirement{core1, core2}, []reports.Finding{on(core1, reports.Pass), on(core2, reports.Fail)})
	claim, _ := r.Claim()
	if !strings.HasPrefix(claim, "MCP-AQL Level 1 ") {
		t.Fatal(claim)
	}
	for _, format := range []string{"text", "json", "junit", "markdown", "html"} {
		var out strings.Builder
		if err := reports.Write(format, &out, r); err != nil {
			t.Fatal(err)
		}
		if text := strings.Join(strings.Fields(out.String()), " "); !strings.Contains(strings.ReplaceAll(text, `\`, ""), claim) {
			t.Errorf("%s does not say %q", format, claim)
		}
	}
	var b strings.Builder
	if err := r.WriteBadge(&b); err != nil || !strings.Contains(b.String(), `"level 1"`) {
		t.Errorf("badge: %v %s", err, b.String())
	}
}
