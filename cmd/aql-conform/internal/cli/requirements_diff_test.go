package cli

import (
	"slices"
	"testing"
)

// What changes verdicts is told first, and a field that only one set has is no difference.
func TestDifferencesOfRequirementSets(t *testing.T) {
	row := func(id, severity, expect, title, proof string) map[string]any {
		return map[string]any{"id": id, "severity": severity, "level": nil, "expect": expect, "title": title, "proof": proof}
	}
	old := requirementSet{row("A", "warn", "x", "a", "wire"), row("B", "fail", "x", "b", "wire"), row("C", "fail", "x", "c", "wire"),
		row("D", "fail", "x", "d", "wire"), row("OPS-5.4-02", "fail", "x", "merged", "wire"), row("E", "info", "x", "e", "wire")}
	now := requirementSet{row("A", "fail", "y", "a", "wire"), row("B", "fail", "y", "bb", "wire"), row("C", "fail", "x", "cc", "wire"),
		row("D", "fail", "x", "d", "wire"), row("F", "fail", "x", "f", "wire"), row("G", "fail", "x", "g", "excluded")}
	for _, r := range now {
		r["reading"] = "new"
	}
	d := compareSets(old, now)
	for class, c := range []struct {
		got  []rowDifference
		want []string
	}{
		{d.Verdicts, []string{"changed A severity fail (was warn), expect", "added F fail, level none: f", "removed OPS-5.4-02 fail, level none: merged; now part of AQL-3.2-04"}},
		{d.Judging, []string{"changed B expect, title"}},
		{d.Other, []string{"changed C title", "added G fail, level none: g", "removed E info, level none: e"}},
	} {
		var got []string
		for _, r := range c.got {
			got = append(got, r.Kind+" "+r.ID+" "+r.told())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("class %d: %q, want %q", class, got, c.want)
		}
	}
	if !slices.Equal(d.NotCompared, []string{"reading"}) {
		t.Errorf("not compared: %q", d.NotCompared)
	}
}
