package reports_test

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/reports"
)

// Who called nothing reads "0 of" and no share of nothing.
func TestReachOfNothing(t *testing.T) {
	r := reports.Conclude(run(), rows(), findings())
	for want, reach := range map[string]*reports.Reach{
		"0 of 2 operations called, 0 of 1 kind of objects with a full life cycle":                                {Operations: 2, NotReached: []string{"a", "b"}, Kinds: 1, NotLived: []reports.Unlived{{Kind: "k"}}},
		"0 of 0 operations called, 0 of 0 kinds of objects with a full life cycle":                               {},
		"1 of 2 operations called, 0 of 0 kinds of objects with a full life cycle; 1 operation needs permission": {Operations: 1, NotAllowed: []string{"x"}},
	} {
		if !strings.HasPrefix(reach.String(), want) || strings.Contains(reach.String(), "%") {
			t.Errorf("%q, want %q", reach, want)
		}
		r.Run.Reach = reach
		for _, out := range []string{text(t, r, reports.TextOptions{Width: 200}), page(t, r)} {
			if !strings.Contains(out, want) {
				t.Errorf("want %q in\n%.2000s", want, out)
			}
		}
	}
}

// Reach is beside the verdict: with it or without it the verdict is the same.
func TestReachDecidesNothing(t *testing.T) {
	without, with := reports.Conclude(run(), rows(), findings()), conclude()
	if with.Digest != without.Digest || with.ExitCode != without.ExitCode || !reflect.DeepEqual(with.Levels, without.Levels) || with.Summary != without.Summary {
		t.Errorf("%s %d %+v\n%s %d %+v", with.Digest, with.ExitCode, with.Levels, without.Digest, without.ExitCode, without.Levels)
	}
	if out := text(t, without, reports.TextOptions{}); strings.Contains(out, "\n  reach ") || strings.Contains(out, "\ngaps ") {
		t.Errorf("a report without reach tells of it:\n%s", out)
	}
}

// What was written is read; a report of an earlier version has no reach; counts that the
// names belie are refused.
func TestReachIsRead(t *testing.T) {
	var written bytes.Buffer
	if err := conclude().WriteJSON(&written); err != nil {
		t.Fatal(err)
	}
	p, err := reports.ReadJSON(bytes.NewReader(written.Bytes()))
	if err != nil || !reflect.DeepEqual(p.Run.Reach, reach()) {
		t.Errorf("read %+v, %v; want %+v", p.Run.Reach, err, reach())
	}
	var old bytes.Buffer
	if err := reports.Conclude(run(), rows(), findings()).WriteJSON(&old); err != nil {
		t.Fatal(err)
	}
	if p, err := reports.ReadJSON(&old); err != nil || p.Run.Reach != nil {
		t.Errorf("an old report: %+v, %v", p.Run.Reach, err)
	}
	for _, edit := range [][2]string{{`"reached": 14`, `"reached": 17`}, {`"lived": 2`, `"lived": 3`}, {`"of": 17`, `"of": 1`}} {
		edited := strings.Replace(written.String(), edit[0], edit[1], 1)
		if _, err := reports.ReadJSON(strings.NewReader(edited)); err == nil || !strings.Contains(err.Error(), "reach") {
			t.Errorf("%s: %v", edit[1], err)
		}
	}
}

// Of several runs counts what each reached, of the shards of one plan what any did.
func TestReachTogether(t *testing.T) {
	all := []string{"create", "read", "list", "update", "delete"}
	unlived := func(kind string, missing ...string) reports.Unlived {
		return reports.Unlived{Kind: kind, Documented: all, Missing: missing}
	}
	one := &reports.Reach{Operations: 4, NotReached: []string{"a", "b"}, NotAllowed: []string{"x"}, Kinds: 3,
		NotLived: []reports.Unlived{unlived("folder", "update", "delete"), unlived("note", "list")}}
	two := &reports.Reach{Operations: 4, NotReached: []string{"b", "c"}, NotAllowed: []string{"x"}, Kinds: 3,
		NotLived: []reports.Unlived{unlived("folder", "delete"), unlived("tag", "read")}}
	for _, order := range [][]*reports.Reach{{one, nil, two}, {two, one}} {
		got := reports.ReachOfAll(order)
		want := &reports.Reach{Operations: 4, NotReached: []string{"a", "b", "c"}, NotAllowed: []string{"x"}, Kinds: 3,
			NotLived: []reports.Unlived{unlived("folder", "update", "delete"), unlived("note", "list"), unlived("tag", "read")}}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("runs: %+v, want %+v", got, want)
		}
	}
	parts := []reports.Part{{Run: reports.Run{Reach: one}}, {Run: reports.Run{Reach: two}}}
	want := &reports.Reach{Operations: 4, NotReached: []string{"b"}, NotAllowed: []string{"x"}, Kinds: 3, NotLived: []reports.Unlived{unlived("folder", "delete")}}
	if got := reports.MergeReach(parts); !reflect.DeepEqual(got, want) {
		t.Errorf("shards: %+v, want %+v", got, want)
	}
	slices.Reverse(parts)
	if got := reports.MergeReach(parts); !reflect.DeepEqual(got, want) {
		t.Errorf("shards in another order: %+v, want %+v", got, want)
	}
	if got := reports.MergeReach(append(parts, reports.Part{})); got != nil {
		t.Errorf("with a shard that tells nothing: %+v", got)
	}
	if got := reports.ReachOfAll(nil); got != nil {
		t.Errorf("of no run: %+v", got)
	}
}

// A level is granted where something could be read, or nothing is there to be read.
func TestNothingReadGrantsNoLevel(t *testing.T) {
	rows := []reports.Requirement{{ID: "A-1", Level: 1, Severity: "fail", Core: true, State: "checked"}}
	pass := []reports.Finding{{Requirement: "A-1", Verdict: reports.Pass}}
	for _, unread := range []bool{true, false} {
		run := reports.Run{Level: 1, Reach: &reports.Reach{Operations: 1, Unread: unread}}
		want := 0
		if unread {
			run.Reach.NotReached, want = []string{"get_item"}, 5
		}
		if got := reports.Conclude(run, rows, pass); got.ExitCode != want {
			t.Errorf("nothing read %v: exit code %d, want %d", unread, got.ExitCode, want)
		}
	}
	blind, seeing := &reports.Reach{Operations: 1, NotReached: []string{"get_item"}, Unread: true}, &reports.Reach{Operations: 1}
	if both := []*reports.Reach{blind, seeing}; !reports.ReachOfAll(both).Unread {
		t.Error("of two runs one that read nothing counts")
	}
	if reports.MergeReach([]reports.Part{{Run: reports.Run{Reach: blind}}, {Run: reports.Run{Reach: seeing}}}).Unread {
		t.Error("of two shards one that read something counts")
	}
}

// A part in which an operation may be called says more than one in which it may not.
func TestReachOfAnAllowedPart(t *testing.T) {
	barred := &reports.Reach{Operations: 1, NotAllowed: []string{"a", "b"}}
	open := &reports.Reach{Operations: 3, NotReached: []string{"b"}}
	want := &reports.Reach{Operations: 3, NotReached: []string{"b"}}
	if got := reports.MergeReach([]reports.Part{{Run: reports.Run{Reach: barred}}, {Run: reports.Run{Reach: open}}}); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
