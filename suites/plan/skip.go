package plan

import (
	"fmt"
	"path"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
)

// An Omission is a checked requirement that the operator left out, and why.
type Omission struct {
	catalogue.Requirement
	Reason string
}

// omission returns why a requirement is left out.
func (s Selection) omission(r catalogue.Requirement) (reason string, out bool) {
	if reason, out := s.left(r); out {
		return reason, true
	}
	return "left out by --run or --skip", !s.chooses(r)
}

// left returns why the author leaves a requirement out.
func (s Selection) left(r catalogue.Requirement) (reason string, out bool) {
	for _, skip := range s.Leave {
		if skip.Requirement != "" && MatchesAny([]string{skip.Requirement}, r) {
			return skip.Reason, true
		}
	}
	return "", false
}

// leaves returns why an operation is left out.
func (s Selection) leaves(operation string) (reason string, out bool) {
	for _, skip := range s.Leave {
		if ok, _ := path.Match(skip.Operation, operation); ok && skip.Operation != "" && operation != "" {
			return skip.Reason, true
		}
	}
	return "", false
}

// validLeave refuses what would leave nothing out: it is a misprint, or it was
// mended and the skip forgotten.
func (s Selection) validLeave(faces []*model.Adapter) error {
	for i, skip := range s.Leave {
		pattern, key, known := skip.Requirement, "requirement", names()
		if pattern == "" {
			pattern, key, known = skip.Operation, "operation", operations(faces)
		}
		at := fmt.Sprintf("skip[%d]: %s %q in the hints file", i, key, pattern)
		if _, err := path.Match(pattern, ""); err != nil {
			return fmt.Errorf("%s: %w", at, err)
		}
		if key == "operation" && len(known) == 0 {
			continue // no adapter was looked at, or none of its operations could be read
		}
		if !matchesSome(skip, known) {
			return fmt.Errorf("%s matches nothing%s", at, model.DidYouMean(pattern, known))
		}
	}
	return nil
}

func matchesSome(skip fixtures.Skip, operations []string) bool {
	if skip.Requirement != "" {
		for _, r := range catalogue.Catalogue {
			if MatchesAny([]string{skip.Requirement}, r) {
				return true
			}
		}
		return false
	}
	for _, name := range operations {
		if ok, _ := path.Match(skip.Operation, name); ok {
			return true
		}
	}
	return false
}

// operations are the names of what the faces list.
func operations(faces []*model.Adapter) []string {
	var all []string
	for _, f := range faces {
		for _, o := range f.Operations {
			all = append(all, o.Name)
		}
	}
	return all
}

// omitted is the finding about an operation that the author left out.
func omitted(c *check.Check, s model.Subject, reason string) reports.Finding {
	return reports.Finding{Requirement: c.Requirement, Verdict: reports.Skipped, Subject: s.Label + s.Name, Note: reason}
}
