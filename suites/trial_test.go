package suites_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites"
)

// An adapter's own test judges it with one call. A target of another program is
// wire.Target{Command: []string{"./my-adapter"}}.
func ExampleTrial() {
	report, err := suites.Trial{Target: served(stand.Config{Mode: "all"}), May: suites.OwnObjects(), Level: 2}.Run(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range report.Findings {
		if f.Verdict == reports.Fail {
			fmt.Printf("%s %s: want %s, got %s\n", f.Requirement, f.Subject, f.Want, f.Got)
		}
	}
	fmt.Println("level", report.ConformanceLevel, "exit code", report.ExitCode)
	// Output: level 2 exit code 0
}

// A trial says what is broken, and what is no adapter.
func TestTrial(t *testing.T) {
	broken := suites.Trial{
		Target:    served(stand.Config{Mode: "all", Fault: "AQL-4.6-01.unknown-params-dropped"}),
		Selection: suites.Selection{Run: []string{"AQL-4.6-*"}},
	}
	report, err := broken.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if report.ExitCode != 1 {
		t.Errorf("exit code %d, want 1", report.ExitCode)
	}
	broken.Hints.Samples = map[string]map[string]fixtures.Candidates{"get_nothing": {"id": {json.RawMessage(`"1"`)}}}
	if report, err = broken.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(report.Run.Remarks, func(r string) bool { return strings.Contains(r, `no operation "get_nothing"`) }) {
		t.Errorf("nothing is said of a sample for an operation that is not there: %q", report.Run.Remarks)
	}
	silent := suites.Trial{Target: wire.Target{Command: []string{os.Args[0] + ".missing"}}}
	if _, err := silent.Run(t.Context()); err == nil {
		t.Error("a program that is not there was judged")
	}
}

// A bound on requests leaves rules open. It accuses nobody, excuses from nothing, and leaves nothing behind.
func TestTrialWithFewRequests(t *testing.T) {
	judged := func(most int) (map[string]reports.Verdict, *reports.Report) {
		a, err := stand.New(stand.Config{Mode: "all"})
		if err != nil {
			t.Fatal(err)
		}
		before := a.Objects()
		report, err := suites.Trial{Target: wire.Target{Pipe: a.Door().Pipe}, May: suites.OwnObjects(), Effort: suites.Effort{Requests: most}}.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if after := a.Objects(); !slices.Equal(before, after) {
			t.Errorf("at most %d requests: left behind: %v", most, after)
		}
		verdicts := map[string]reports.Verdict{}
		for _, f := range report.Findings {
			verdicts[f.Requirement+" "+f.Subject] = f.Verdict
		}
		return verdicts, report
	}
	whole, _ := judged(0)
	for _, most := range []int{1, 3, 30, 60, 200, 800} {
		part, report := judged(most)
		if report.ExitCode != 5 {
			t.Errorf("at most %d requests: exit code %d, want 5", most, report.ExitCode)
		}
		for key, v := range part {
			if was, known := whole[key]; v == reports.Fail || known && v != was && v != reports.NotProven {
				t.Errorf("at most %d requests: %s is %s, and %s without a bound", most, key, v, was)
			}
		}
	}
}

// A pattern that matches nothing is refused, and what was made before is removed.
func TestTrialOfNothingLeavesNothing(t *testing.T) {
	a, err := stand.New(stand.Config{Mode: "all"})
	if err != nil {
		t.Fatal(err)
	}
	before := a.Objects()
	server := httptest.NewServer(a.Handler())
	defer server.Close()
	nothing := suites.Trial{
		Target: wire.Target{URL: server.URL + "/mcp"}, May: suites.OwnObjects(),
		Selection: suites.Selection{Run: []string{"AQL-99-*"}},
	}
	if _, err := nothing.Run(t.Context()); err == nil {
		t.Error("the pattern was taken")
	}
	if after := a.Objects(); !slices.Equal(before, after) {
		t.Errorf("the store held %q, then %q", before, after)
	}
}

// served serves a reference adapter inside this process.
func served(cfg stand.Config) wire.Target {
	return wire.Target{Pipe: func(ctx context.Context) (io.WriteCloser, io.Reader, error) {
		a, err := stand.New(cfg)
		if err != nil {
			return nil, nil, err
		}
		fromUs, toAdapter := io.Pipe()
		fromAdapter, toUs := io.Pipe()
		go func() { toUs.CloseWithError(a.Serve(ctx, fromUs, toUs)) }()
		return toAdapter, fromAdapter, nil
	}}
}
