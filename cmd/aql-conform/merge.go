package main

import (
	"os"

	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites"
)

// mergeFlags name the reports of all shards.
type mergeFlags struct {
	Shards []string `arg:"" help:"what the runs wrote with --report json=FILE"`
	outputFlags
}

// merge makes one verdict of the reports of all shards of a plan.
func (f *mergeFlags) merge(c console) (int, error) {
	if err := f.valid(); err != nil {
		return 0, err
	}
	files, err := f.reportFiles()
	if err != nil {
		return 0, err
	}
	var parts []reports.Part
	for _, name := range f.Shards {
		run, findings, err := readJSON(name)
		if err != nil {
			return 0, err
		}
		parts = append(parts, reports.Part{Name: name, Run: run, Findings: findings})
	}
	run, findings, err := reports.Merge(parts)
	if err != nil {
		return 0, usage("merge: %w", err)
	}
	if run.Digests.Catalogue != suites.CatalogueDigest() {
		return 0, usage("merge: the reports were judged by another catalogue than that of this program")
	}
	run.Tool = "aql-conform " + version()
	return f.publish(c, files, reports.Conclude(run, suites.Rows(), findings))
}

// readJSON reads a report that was written with --report json=FILE.
func readJSON(name string) (reports.Run, []reports.Finding, error) {
	file, err := os.Open(name)
	if err != nil {
		return reports.Run{}, nil, usage("report: %w", err)
	}
	defer file.Close()
	run, findings, err := reports.ReadJSON(file)
	if err != nil {
		return run, nil, usage("report %s: %w", name, err)
	}
	return run, findings, nil
}
