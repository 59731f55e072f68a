package cli

import (
	"os"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/session"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
)

// mergeFlags name the reports of all shards.
type mergeFlags struct {
	Shards []string `arg:"" help:"JSON reports of the shards (--report json=FILE)"`
	session.BaselineFlags
	console.OutputFlags
}

// merge makes one verdict of the reports of all shards of a plan.
func (f *mergeFlags) merge(c console.Console) (int, error) {
	if err := f.Valid(); err != nil {
		return 0, err
	}
	files, err := f.ReportFiles()
	if err != nil {
		return 0, err
	}
	if session.Evidential(files) {
		return 0, console.Usage("--report evidence needs all answers of a run, and reports hold only some of them; use it with check or judge")
	}
	known, err := f.BaselineFlags.Read()
	if err != nil {
		return 0, err
	}
	var parts []reports.Part
	for _, name := range f.Shards {
		p, err := readJSON(name)
		if err != nil {
			return 0, err
		}
		parts = append(parts, p)
	}
	run, findings, err := reports.Merge(parts)
	if err != nil {
		return 0, console.Usage("merge: %w", err)
	}
	run.Tool = "aql-conform " + console.Version()
	report := reports.Conclude(run, catalogue.Rows(), findings)
	if err := known.Hold(c, report); err != nil {
		return 0, err
	}
	return f.Publish(c, files, report)
}

// readJSON reads a report that was written with --report json=FILE.
func readJSON(name string) (reports.Part, error) {
	file, err := os.Open(name)
	if err != nil {
		return reports.Part{}, console.Usage("report: %w; a run with --report json=FILE writes one", err)
	}
	defer file.Close()
	p, err := reports.ReadJSON(file)
	switch {
	case err != nil:
		return p, console.Usage("report %s: %w", name, err)
	case p.Run.Digests.Catalogue != catalogue.CatalogueDigest():
		return p, console.Usage("report %s: its catalogue differs from the one in this version; use the version that wrote it, or run check again", name)
	}
	if err := p.Sound(catalogue.Rows()); err != nil {
		return p, console.Usage("report %s: %w", name, err)
	}
	p.Name = name
	return p, nil
}
