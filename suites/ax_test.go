package suites

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/plan"
)

var score = regexp.MustCompile(`: (\d+) of (\d+) induced mistakes`)

func healed(t *testing.T, report string) (well, all int) {
	t.Helper()
	m := score.FindStringSubmatch(report)
	if m == nil {
		t.Fatalf("no score in %q", report)
	}
	well, _ = strconv.Atoi(m[1])
	all, _ = strconv.Atoi(m[2])
	return well, all
}

// Good refusals lead an agent back; the score tells them from bad ones, and the
// cost of reading the adapter is counted from the same run.
func TestSelfRepairAndTokenCost(t *testing.T) {
	portion.InTurn(t)
	r := judged(t, stand.Config{}, inProcess, plan.Selection{Checks: All()})
	report := r.Plan.SelfRepair(t.Context())
	t.Log(report)
	if well, all := healed(t, report); all < 20 || well < all*9/10 {
		t.Errorf("of good refusals only %d of %d repaired", well, all)
	}
	for _, kind := range plan.Mistakes {
		if !strings.Contains(report, kind+" ") {
			t.Errorf("no mistake of the kind %q was followed", kind)
		}
	}
	cost := plan.TokenCost(r.Adapters[0], r.Record)
	t.Log(cost)
	if !regexp.MustCompile(`estimate.*tools/list [1-9].*listing [1-9].*together [1-9]`).MatchString(cost) {
		t.Errorf("token cost %q", cost)
	}
}

// axReply is the observation of a call that an envelope answered.
func axReply(p probes.Probe, envelope string) probes.Observation {
	message := `{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":` + envelope + `}}`
	return probes.Classify(p, wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: []byte(message)}})
}

// A refusal that says nothing repairs nothing.
func TestSilentRefusalsRepairNothing(t *testing.T) {
	f := &model.Adapter{Adapter: &probes.Adapter{Conn: "main", AQL: []string{"aql"}}, KnownGood: map[string]model.KnownGood{}}
	f.Operations = []probes.Operation{{Name: "list_notes", Category: "READ", Tool: "aql", Parameters: []probes.Parameter{{Name: "folder", Type: "string", Required: true}}}}
	valid := f.Request(f.Operations[0], map[string]any{"folder": "f1"})
	f.KnownGood["list_notes"] = model.KnownGood{Probe: valid, Reply: axReply(valid, `{"success":true,"data":[]}`), State: model.Proven}
	bad := valid.Without("folder")
	for said, want := range map[string]int{
		`{"code":"ERROR","message":"Bad request"}`:                                                               0,
		`{"code":"VALIDATION_MISSING_PARAM","message":"Missing required parameter 'folder'"}`:                    1,
		`{"code":"VALIDATION_MISSING_PARAM","message":"Something is missing","details":{"param_name":"folder"}}`: 1,
	} {
		c := &plan.Case{}
		c.Keep([]probes.Observation{axReply(bad, `{"success":false,"error":`+said+`}`)})
		p := &plan.Plan{Adapters: []*model.Adapter{f}, Cases: []*plan.Case{c}}
		if well, all := healed(t, p.SelfRepair(t.Context())); well != want || all != 1 {
			t.Errorf("%s: %d of %d repaired, want %d of 1", said, well, all, want)
		}
	}
}

// A stated level is compared with what the run established, and a failure of it
// points to the requirement that failed.
func TestClaimedLevel(t *testing.T) {
	broken := []reports.Finding{{Requirement: "AQL-4.6-01", Verdict: reports.Fail}}
	for _, c := range []struct {
		standing reports.Standing
		want     reports.Verdict
		root     string
	}{
		{reports.Conformant, reports.Pass, ""},
		{reports.Unproven, reports.NotProven, ""},
		{reports.Nonconformant, reports.Fail, "AQL-4.6-01"},
	} {
		if r := check.JudgeClaim(1, c.standing, broken); r.Verdict != c.want || r.Root != c.root {
			t.Errorf("%s: got %s because of %q, want %s because of %q", c.standing, r.Verdict, r.Root, c.want, c.root)
		}
	}
}
