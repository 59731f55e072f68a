package plan

import (
	"fmt"
	"path"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// A skippedRequirement is a checked requirement that was excluded, and why.
type skippedRequirement struct {
	catalogue.Requirement
	Reason string
}

// skipReason returns why a requirement is excluded.
func (s Selection) skipReason(r catalogue.Requirement) (reason string, out bool) {
	if reason, out := s.skipsRequirement(r); out {
		return reason, true
	}
	return "left out by --run or --skip", !s.selects(r)
}

// skipsRequirement returns why the hints file excludes a requirement.
func (s Selection) skipsRequirement(r catalogue.Requirement) (reason string, out bool) {
	for _, skip := range s.HintSkips {
		if skip.Requirement != "" && MatchesAny([]string{skip.Requirement}, r) {
			return skip.Reason, true
		}
	}
	return "", false
}

// skipsOperation returns why the hints file excludes an operation.
func (s Selection) skipsOperation(operation string) (reason string, out bool) {
	for _, skip := range s.HintSkips {
		if ok, _ := path.Match(skip.Operation, operation); ok && skip.Operation != "" && operation != "" {
			return skip.Reason, true
		}
	}
	return "", false
}

// validateSkips rejects a skip that matches nothing: it is misspelled or obsolete.
func (s Selection) validateSkips(adapters []*model.Adapter) error {
	for i, skip := range s.HintSkips {
		pattern, key, known := skip.Requirement, "requirement", idsAndAreas()
		if pattern == "" {
			pattern, key, known = skip.Operation, "operation", operationNames(adapters)
		}
		at := fmt.Sprintf("skip[%d]: %s %q in the hints file", i, key, pattern)
		if _, err := path.Match(pattern, ""); err != nil {
			return fmt.Errorf("%s: %w", at, err)
		}
		if key == "operation" && len(known) == 0 {
			continue // no listing was read
		}
		if !matchesSome(skip, known) {
			return fmt.Errorf("%s matches nothing%s", at, vocab.DidYouMean(pattern, known))
		}
	}
	return nil
}

func matchesSome(skip fixtures.Skip, operations []string) bool {
	if skip.Requirement != "" {
		for _, r := range catalogue.All() {
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

// operationNames returns the names of all listed operations.
func operationNames(adapters []*model.Adapter) []string {
	var all []string
	for _, f := range adapters {
		for _, o := range f.Operations {
			all = append(all, o.Name)
		}
	}
	return all
}

// skippedFinding is the finding for an excluded operation.
func skippedFinding(c *check.Check, s model.Subject, reason string) reports.Finding {
	return reports.Finding{Requirement: c.Requirement, Verdict: reports.Skipped, Subject: s.Label + s.Name, Note: reason}
}
