package main

import (
	"os"

	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
)

// mergeFlags name the reports of all shards.
type mergeFlags struct {
	Shards []string `arg:"" help:"what the runs wrote with --report json=FILE"`
	baselineFlags
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
	if evidential(files) {
		return 0, usage("--report evidence: it is made of the answers of a run, and reports hold some of them alone; use it with a run or with judge")
	}
	known, err := f.baselineFlags.read()
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
		return 0, usage("merge: %w", err)
	}
	run.Tool = "aql-conform " + version()
	report := reports.Conclude(run, catalogue.Rows(), findings)
	if err := known.hold(c, report); err != nil {
		return 0, err
	}
	return f.publish(c, files, report)
}

// readJSON reads a report that was written with --report json=FILE.
func readJSON(name string) (reports.Part, error) {
	file, err := os.Open(name)
	if err != nil {
		return reports.Part{}, usage("report: %w; a run with --report json=FILE writes one", err)
	}
	defer file.Close()
	p, err := reports.ReadJSON(file)
	switch {
	case err != nil:
		return p, usage("report %s: %w", name, err)
	case p.Run.Digests.Catalogue != catalogue.CatalogueDigest():
		return p, usage("report %s: judged by another catalogue than that of this program; read it with the version that wrote it, or judge again", name)
	}
	if err := p.Sound(catalogue.Rows()); err != nil {
		return p, usage("report %s: %w", name, err)
	}
	p.Name = name
	return p, nil
}
