package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/judge"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/transcript"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
	"github.com/aql-conform/aql-conform/suites/export"
)

// diffFlags name two runs and what of their difference counts.
type diffFlags struct {
	Old    string   `arg:"" help:"JSON report or transcript of the older run"`
	New    string   `arg:"" help:"JSON report or transcript of the newer run"`
	Format string   `default:"text" placeholder:"text|json|markdown" help:"output format (text)"`
	FailOn []string `placeholder:"breaking|regression" help:"exit 1 on a difference of this kind (repeatable)"`
}

// A compared run is one side of a difference.
type comparedRun struct {
	report  *reports.Report
	adapter *probes.Adapter // nil where a report alone is known
}

// diff says what is otherwise between two runs. It returns 1 when there is what
// --fail-on names.
func (f *diffFlags) diff(ctx context.Context, c console.Console) (int, error) {
	if err := console.OneOf("--format", f.Format, reports.DifferenceFormats()); err != nil {
		return 0, err
	}
	for _, word := range f.FailOn {
		if err := console.OneOf("--fail-on", word, []string{"breaking", "regression"}); err != nil {
			return 0, err
		}
	}
	old, err := readRun(ctx, f.Old)
	if err != nil {
		return 0, err
	}
	now, err := readRun(ctx, f.New)
	if err != nil {
		return 0, err
	}
	d, err := reports.Compare(old.report, now.report)
	if err != nil {
		return 0, console.Usage("diff %s %s: %w", f.Old, f.New, err)
	}
	if old.adapter != nil && now.adapter != nil {
		d.Told(export.Changes(old.adapter, now.adapter))
	} else {
		d.Missing = "a report does not hold it; compare two transcripts"
	}
	for _, word := range f.FailOn {
		if word == "breaking" && !d.Compared {
			return 0, console.Usage("--fail-on breaking: %s", d.Missing)
		}
	}
	if err := console.Unheeded(c.Stdout, func(w io.Writer) error { return d.Write(f.Format, w) }); err != nil {
		return 0, console.Failure{Code: console.ExitFault, Err: fmt.Errorf("writing to standard output: %w", err)}
	}
	for _, word := range f.FailOn {
		if d.Has(word) {
			return 1, nil
		}
	}
	return 0, nil
}

// readRun reads a report or a transcript, whichever the file is. A transcript is judged
// here and now; a report has its verdicts taken from its findings.
func readRun(ctx context.Context, name string) (comparedRun, error) {
	file, err := os.Open(name)
	if err != nil {
		return comparedRun{}, console.Usage("diff: %w; a run with --report json=FILE or --transcript FILE writes one", err)
	}
	part, notReport := reports.ReadJSON(file)
	file.Close()
	if notReport == nil {
		r := reports.Conclude(part.Run, catalogue.Rows(), part.Findings)
		if r.ExitCode == console.ExitFault {
			return comparedRun{}, console.Usage("report %s: it has requirements that this version of aql-conform does not know; use the version that wrote it", name)
		}
		return comparedRun{report: r}, nil
	}
	t, notTranscript := transcript.ReadTranscript(name)
	if notTranscript != nil {
		return comparedRun{}, console.Usage("%s is neither a report (%w) nor a transcript (%w); a run with --report json=FILE or --transcript FILE writes one", name, notReport, errors.Unwrap(notTranscript))
	}
	report, err := judge.Report(ctx, t, false)
	if err != nil {
		return comparedRun{}, err
	}
	e := probes.NewEngine(wire.NewRecorder(), time.Second, 1)
	e.Recall(t.Runs()[0])
	return comparedRun{report, probes.Discover(ctx, e, "main")}, nil
}
