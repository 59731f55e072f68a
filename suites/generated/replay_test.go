package generated

import (
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/suites/model"
	diff "github.com/google/go-cmp/cmp"
)

// A replay survives encoding, and a damaged one is rejected with a reason.
func TestReplayTextForm(t *testing.T) {
	want := Replay{Requirement: "AQL-4.5.1-05", Subject: "update_note", Seed: 41, Script: &model.Script{
		Conn: "main", Operator: "stateful/merge into an object", Description: "an object was merged",
		Steps: []model.Step{
			{Operation: "create_note", Params: map[string]any{"title": model.MarkToken, "metadata": map[string]any{"a": int64(1), "b": []any{nil, true, 0.5}}}, MadeBy: model.NoObject},
			{Operation: "update_note", Params: map[string]any{"input": map[string]any{"metadata": nil}}, MadeBy: 0},
		},
	}}
	got, err := ParseReplay(want.String())
	if err != nil {
		t.Fatal(err)
	}
	if d := diff.Diff(want.String(), got.String()); d != "" {
		t.Errorf("replayed (-want +got):\n%s", d)
	}
	if n := got.Script.Steps[0].Params["metadata"].(map[string]any)["a"]; n != int64(1) {
		t.Errorf("a whole number came back as %T %v", n, n)
	}
	for text, complaint := range map[string]string{
		"":                                "begins with",
		"v2:abc":                          "begins with",
		"v1:%%%":                          "damaged",
		want.String()[:40]:                "damaged",
		Replay{Requirement: "X"}.String(): "not a requirement",
		Replay{Requirement: "AQL-4.6-01", Script: &model.Script{}}.String():                                 "no call",
		Replay{Requirement: "AQL-4.6-01", Script: &model.Script{Steps: []model.Step{{MadeBy: 3}}}}.String(): "does not come before",
	} {
		if _, err := ParseReplay(text); err == nil || !strings.Contains(err.Error(), complaint) {
			t.Errorf("%.20q: got %v, want an error with %q", text, err, complaint)
		}
	}
}

// A replay comes from a bug report, so any input must be safe to parse.
func FuzzParseReplay(f *testing.F) {
	f.Add(Replay{Requirement: "AQL-4.6-01", Subject: "x", Seed: 1}.String())
	f.Add("v1:AAAA")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseReplay(text)
		if err == nil && r.Requirement == "" {
			t.Error("a replay of nothing")
		}
	})
}

// A packed text may look like a credential by chance, and a report masks what looks so. The text form never
// does.
func TestReplayTextIsNoCredential(t *testing.T) {
	want := Replay{Requirement: "AQL-3.2-04", Seed: 154421,
		Subject: "create_note, f383b922072df1072f7d49ca9ddf5dd3358222407cef773fea76e0cf33043e8fd958a0901d4e30b847c523014dafd02e173eb4fcc3b6d3a31ccf5d2c4c3992dd"}
	if found := wire.Credentials([]byte(want.packed(0))); len(found) == 0 {
		t.Fatal("the text without blanks looks like no credential: choose another seed")
	}
	if masked := wire.MaskCredentials([]byte(want.String())); string(masked) != want.String() {
		t.Errorf("masked: %s", masked)
	}
	if got, err := ParseReplay(want.String()); err != nil || got != want {
		t.Errorf("replayed %+v, %v", got, err)
	}
}
