package reports_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/reports"
)

// shard is one part of three of a plan for the small catalogue.
func shard(n int, edit ...func(*reports.Part)) reports.Part {
	p := reports.Part{Name: string(rune('a' + n - 1)), Run: reports.Run{
		SpecVersion: "1.0.0-draft", Implementation: "notes", Level: 1, Basis: "all", Shard: &reports.Shard{Index: n, Of: 3},
		Digests: reports.Digests{Introspection: "i", Catalogue: "c"}, Asked: n,
	}}
	for i, id := range []string{"AQL-4.1-01", "AQL-4.6-01", "AQL-5.1-01"} {
		f := reports.Finding{Requirement: id, Subject: "adapter", Verdict: reports.Skipped, Elsewhere: true}
		if i == n-1 {
			f.Verdict, f.Elsewhere = reports.Pass, false
		}
		p.Findings = append(p.Findings, f)
	}
	p.Findings = append(p.Findings, reports.Finding{Requirement: "AQL-6.2-03", Subject: "adapter", Verdict: []reports.Verdict{reports.NotProven, reports.Pass, reports.NotProven}[n-1]})
	for _, e := range edit {
		e(&p)
	}
	return p
}

// The shards of a plan make the verdict of the whole, in whatever order they come.
func TestMerge(t *testing.T) {
	run, findings, err := reports.Merge([]reports.Part{shard(3), shard(1), shard(2)})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		if f.Verdict != reports.Pass {
			t.Errorf("%s: %s", f.Requirement, f.Verdict)
		}
	}
	if len(findings) != 4 || run.Asked != 6 || run.Shard != nil {
		t.Errorf("%d findings, %d requests, shard %v", len(findings), run.Asked, run.Shard)
	}
	failing := shard(2, func(p *reports.Part) { p.Findings[3].Verdict = reports.Fail })
	_, findings, _ = reports.Merge([]reports.Part{shard(1), failing, shard(3)})
	i := slices.IndexFunc(findings, func(f reports.Finding) bool { return f.Requirement == "AQL-6.2-03" })
	if i < 0 || findings[i].Verdict != reports.Fail {
		t.Errorf("one shard's failure is lost: %+v", findings)
	}
}

// What is not the whole of one plan is refused by name.
func TestMergeRefuses(t *testing.T) {
	for want, parts := range map[string][]reports.Part{
		"shards are missing: 2/3":  {shard(1), shard(3)},
		"a and a are both shard 1": {shard(1), shard(1), shard(2), shard(3)},
		"b is no shard":            {shard(1), shard(2, func(p *reports.Part) { p.Run.Shard = nil }), shard(3)},
		"not of one plan":          {shard(1), shard(2, func(p *reports.Part) { p.Run.Shard.Of = 4 }), shard(3)},
		"different specifications": {shard(1), shard(2, func(p *reports.Part) { p.Run.SpecVersion = "2" }), shard(3)},
		"different catalogues":     {shard(1), shard(2, func(p *reports.Part) { p.Run.Digests.Catalogue = "d" }), shard(3)},
		"different adapters":       {shard(1), shard(2, func(p *reports.Part) { p.Run.Digests.Introspection = "j" }), shard(3)},
		"different hints":          {shard(1), shard(2, func(p *reports.Part) { p.Run.Digests.Hints = "h" }), shard(3)},
		"different seeds":          {shard(1), shard(2, func(p *reports.Part) { p.Run.Seed = 2 }), shard(3)},
		"different levels":         {shard(1), shard(2, func(p *reports.Part) { p.Run.Level = 2 }), shard(3)},
		"no reports":               {},
	} {
		if _, _, err := reports.Merge(parts); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

// A report that was written can be read: the same verdict comes of it.
func TestReadJSONGivesTheSameVerdict(t *testing.T) {
	r := reports.Conclude(run(), rows(), findings())
	var text bytes.Buffer
	if err := r.WriteJSON(&text); err != nil {
		t.Fatal(err)
	}
	p, err := reports.ReadJSON(bytes.NewReader(text.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Sound(rows()); err != nil {
		t.Errorf("what was written is refused: %v", err)
	}
	again := reports.Conclude(p.Run, rows(), p.Findings)
	if again.Digest != r.Digest || again.ExitCode != r.ExitCode || again.ConformanceLevel != r.ConformanceLevel || again.Summary != r.Summary {
		t.Errorf("read: %s %d %d %+v\nwritten: %s %d %d %+v", again.Digest, again.ExitCode, again.ConformanceLevel, again.Summary,
			r.Digest, r.ExitCode, r.ConformanceLevel, r.Summary)
	}
	for want, edited := range map[string]string{
		"report version":  strings.Replace(text.String(), `"reportVersion": "1.0"`, `"reportVersion": "9.0"`, 1),
		"no report":       text.String()[:text.Len()/2],
		"unknown verdict": strings.Replace(text.String(), `"verdict": "PASS"`, `"verdict": "FINE"`, 1),
		"unknown field":   strings.Replace(text.String(), `"seed"`, `"seeds"`, 1),
	} {
		if _, err := reports.ReadJSON(strings.NewReader(edited)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

// A report from which a failure was taken is no part of anything.
func TestEditedPartIsNotSound(t *testing.T) {
	for what, edit := range map[string]func(*reports.Part){
		"a failure taken out": func(p *reports.Part) {
			p.Findings = slices.DeleteFunc(p.Findings, func(f reports.Finding) bool { return f.Verdict == reports.Fail })
		},
		"a verdict turned": func(p *reports.Part) { p.Findings[0].Verdict = reports.Warn },
		"another outcome":  func(p *reports.Part) { p.ExitCode = 0 },
		"other counts":     func(p *reports.Part) { p.Summary.Fail = 0 },
	} {
		r := reports.Conclude(run(), rows(), findings())
		p := reports.Part{Run: run(), Findings: findings(), Digest: r.Digest, ExitCode: r.ExitCode, Summary: r.Summary}
		if err := p.Sound(rows()); err != nil {
			t.Fatal(err)
		}
		if edit(&p); p.Sound(rows()) == nil {
			t.Errorf("%s is not noticed", what)
		}
	}
}
