package suites

import (
	"cmp"
	"flag"
	"fmt"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
	"github.com/aql-conform/aql-conform/reference-adapter/faults"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/mutation"
	"github.com/aql-conform/aql-conform/suites/plan"
	diff "github.com/google/go-cmp/cmp"
)

// A run is one in-process run of the whole line, as the command does it.
type run struct {
	adapter *adapter.Adapter
	mutation.Attempt
}

// judged runs the checker against the reference adapter.
func judged(t testing.TB, cfg stand.Config, target func(*adapter.Adapter) wire.Target, sel plan.Selection) run {
	t.Helper()
	i := slices.IndexFunc(faults.All(), func(f seam.Fault) bool { return cfg.Fault == f.ID+"."+f.Variant })
	if i < 0 {
		return judgedAs(t, cfg, target, sel, fixtures.Hints{})
	}
	return judgedAs(t, cfg, target, sel, hintsFor(t, faults.All()[i]))
}

// judgedAs runs the checker with hints of one's own.
func judgedAs(t testing.TB, cfg stand.Config, target func(*adapter.Adapter) wire.Target, sel plan.Selection, hints fixtures.Hints) run {
	t.Helper()
	a, stand := standing(t, cfg, target)
	each := longestAnswer
	if cfg.Fault == "" {
		each *= 5 // who has no fault answers, however busy the machine is
	}
	r, err := stand.Run(t.Context(), hints, sel, each)
	if err != nil {
		t.Fatal(err)
	}
	return run{a, r}
}

// outcomes returns the requirements that a run accuses of, and those that it proves for subjects of a name.
func (r run) outcomes(subject string) (accused, proven []string) {
	for _, f := range r.Findings {
		switch {
		case f.Verdict == reports.Fail, f.Verdict == reports.Warn:
			accused = append(accused, f.Requirement)
		case f.Verdict == reports.Pass && strings.Contains(f.Subject, subject):
			proven = append(proven, f.Requirement)
		}
	}
	slices.Sort(accused)
	slices.Sort(proven)
	return slices.Compact(accused), slices.Compact(proven)
}

// trace lists the accusations for a failing test, and all that was found of the
// requirements that ought to have been accused.
func (r run) trace(missed ...string) string {
	var b strings.Builder
	for _, f := range r.Findings {
		if f.Verdict == reports.Fail || f.Verdict == reports.Warn || slices.Contains(missed, f.Requirement) {
			fmt.Fprintf(&b, "%s %s %s: want %s, got %s\n", f.Verdict, f.Requirement, f.Subject, f.Want, f.Got)
			for _, x := range f.Evidence[max(0, len(f.Evidence)-1):] {
				fmt.Fprintf(&b, "    sent  %.300s\n    reply %.600s\n", x.Sent, x.Reply)
			}
		}
	}
	return b.String()
}

// seeded is what the reference adapter's store holds before anybody writes.
var seeded = func() []string {
	a, err := stand.New(stand.Config{})
	if err != nil {
		panic(err)
	}
	return a.Objects()
}()

// overHTTP serves a reference adapter on a loopback port.
func overHTTP(t testing.TB) func(*adapter.Adapter) wire.Target {
	return func(a *adapter.Adapter) wire.Target {
		server := httptest.NewServer(a.Handler())
		t.Cleanup(server.Close)
		door := adapter.Door{URL: server.URL + "/mcp"}
		if grant := seam.Aside(a).Grant; grant != nil {
			door.Token = func() string { return grant(door.URL) }
		}
		return targetAt(door)
	}
}

// The healthy adapter breaks nothing, in any mode, profile, transport and age of MCP.
func TestHealthyAdapterIsClean(t *testing.T) {
	for i, setting := range []string{
		"semantic/crude/stdio", "semantic/alternative/stdio", "single/crude/stdio", "all/crude/stdio", "all/alternative/stdio",
		"all/crude/http/authorized", "all/crude/stdio/handshake", "all/crude/http/handshake", "semantic/crude/http", "semantic/alternative/http", "single/crude/http", "all/crude/http", "all/alternative/http",
	} {
		part := strings.Split(setting, "/")
		if sampled() && part[0] != "all" {
			continue // under the race detector the mode with most tools tells as much
		}
		if !sampled() && !portion.OneOf(i, 4) {
			continue
		}
		t.Run(setting, func(t *testing.T) {
			t.Parallel()
			target := inProcess
			if part[2] == "http" {
				target = overHTTP(t)
			}
			if strings.HasSuffix(setting, "/handshake") { // else over the newest revision, which has none
				newest := target
				target = func(a *adapter.Adapter) wire.Target {
					t := newest(a)
					t.Revision = wire.DefaultRevision
					return t
				}
			}
			r := judged(t, stand.Config{Mode: part[0], Profile: part[1], Authorization: strings.HasSuffix(setting, "/authorized")}, target, plan.Selection{Checks: All()})
			if left := r.adapter.Objects(); !slices.Equal(left, seeded) {
				t.Errorf("the store holds %v, want %v", left, seeded)
			}
			if got := r.Accused(); len(got) != 0 {
				t.Errorf("accused of %v\n%s", got, r.trace())
			}
			for _, f := range r.Findings {
				if f.Verdict == reports.NotProven && testing.Verbose() {
					t.Logf("NOT-PROVEN %s %s: want %s, got %s", f.Requirement, f.Subject, f.Want, f.Got)
				}
			}
		})
	}
}

// Each fault is caught by its own requirement and by no other (over HTTP, where it
// shows there, with AQL_CONFORM_TRANSPORT=http); and each check is
// the only one to catch some fault, so that a judge blunted to Conforms would let
// that fault escape.
func TestKillMatrix(t *testing.T) {
	var mu sync.Mutex
	ran, alone := 0, map[*check.Check]bool{}
	wanted := strings.Contains(flag.Lookup("test.run").Value.String(), "/fault/") // somebody names what to try
	t.Run("fault", func(t *testing.T) {
		for i, fault := range faults.All() {
			if !wanted && (sampled() && i%50 != 0 || !portion.OneOf(i, 45)) {
				continue // the stage matrix of .ci/run takes all
			}
			if fault.Phase != "" {
				continue // for generated input alone to find
			}
			row, known := catalogue.Lookup(fault.ID)
			if !known {
				t.Errorf("fault %s.%s names no requirement", fault.ID, fault.Variant)
				continue
			}
			if row.State() != catalogue.Checked {
				continue
			}
			t.Run(fault.ID+"/"+fault.Variant, func(t *testing.T) {
				t.Parallel()
				sel := surroundings(row, fault, i)
				killers := caught(t, fault, sel)
				mu.Lock()
				defer mu.Unlock()
				ran++
				if len(killers) == 1 {
					alone[killers[0]] = true
				}
			})
		}
	})
	if ran < len(faults.All())*9/10 {
		return // a part of the matrix says nothing about the checks
	}
	for _, c := range All() {
		if row := catalogue.MustLookup(c.Requirement); !alone[c] && row.Severity != "info" {
			t.Errorf("blunting the judge of %s would not be noticed: no fault is caught by it alone", c.Requirement)
		}
	}
}

// surroundings are what is looked at beside the requirement that a fault breaks: the
// requirements of its area. One fault in 128 is looked at with all requirements, and one in
// eight with those of a twelfth of the other areas, each with another twelfth. Payloads of
// megabytes, which take as long as all else, are spared.
func surroundings(row catalogue.Requirement, fault seam.Fault, i int) plan.Selection {
	if portion.OneOf(i, 128) || len(fault.Also) > 0 || row.Area == "limits" {
		return plan.Selection{Checks: All()}
	}
	skip := []string{"limits"}
	if slices.Contains(mutation.NeedAllRequirements, row.ID) {
		return plan.Selection{Checks: All(), Skip: skip}
	}
	for n, area := range catalogue.Areas() {
		if area != row.Area && area != "limits" && !(portion.OneOf(i, 8) && (n+i/8)%12 == 0) {
			skip = append(skip, area)
		}
	}
	return plan.Selection{Checks: All(), Skip: skip}
}

// caught runs one fault, fails unless its own requirement alone is accused, and
// returns the checks of that requirement that accused it most severely.
func caught(t *testing.T, fault seam.Fault, sel plan.Selection) []*check.Check {
	name := fault.ID + "." + fault.Variant
	target := inProcess
	if cmp.Or(fault.Transport, os.Getenv("AQL_CONFORM_TRANSPORT")) == "http" {
		target = overHTTP(t)
	}
	r := judged(t, stand.Config{Mode: cmp.Or(fault.Mode, "all"), Profile: fault.Profile, Fault: name}, target, sel)
	if d := diff.Diff(mutation.Mutant{Requirement: fault.ID, Also: fault.Also}.Want(), r.Accused()); d != "" {
		t.Errorf("%s\naccused (-want +got):\n%s\n%s", fault.Defect, d, r.trace(fault.ID))
	}
	return r.Killers(fault.ID)
}

// Over HTTP a fatal fault takes the whole service with it, and what is asked of
// it afterwards accuses it of nothing more.
func TestFatalFaultsOverHTTP(t *testing.T) {
	portion.Long(t)
	for i, fault := range []string{"MCP-RPC-05.parse-error-exits", "AQL-4.7.1-12.decode-error-ends-loop", "AQL-4.7.5-13.payload-error-exits"} {
		if !portion.OneOf(i, 3) {
			continue
		}
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			r := judged(t, stand.Config{Mode: "all", Fault: fault}, overHTTP(t), plan.Selection{Checks: All()})
			if got := r.Accused(); !slices.Equal(got, []string{fault[:strings.LastIndex(fault, ".")]}) {
				t.Errorf("accused of %v\n%s", got, r.trace())
			}
		})
	}
}

// Every checked row has a fault, every excluded row has neither check nor fault,
// and every fault belongs to a row.
func TestCatalogueIsCovered(t *testing.T) {
	broken := map[string]bool{}
	for _, f := range faults.All() {
		if f.Phase == "" {
			broken[f.ID] = true
		}
	}
	if len(catalogue.All()) != 609 {
		t.Errorf("the catalogue has %d rows, want 609", len(catalogue.All()))
	}
	checked := 0
	for _, r := range catalogue.All() {
		switch state := r.State(); {
		case state == catalogue.Checked && !slices.ContainsFunc(All(), func(c *check.Check) bool { return c.Requirement == r.ID }):
			t.Errorf("%s has no check", r.ID)
		case state == catalogue.Checked && r.Severity == "info":
			checked++ // never accuses an adapter: the odd adapters show that it does not
		case state == catalogue.Checked && !broken[r.ID]:
			t.Errorf("%s is checked but has no fault", r.ID)
		case state == catalogue.Excluded && (broken[r.ID] || slices.ContainsFunc(All(), func(c *check.Check) bool { return c.Requirement == r.ID })):
			t.Errorf("%s is excluded but has a check or a fault", r.ID)
		case state == catalogue.Checked:
			checked++
		}
	}
	t.Logf("%d of %d rows checked, %d faults, seeded ones included", checked, len(catalogue.All()), len(faults.All()))
}
