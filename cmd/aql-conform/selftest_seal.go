package main

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"sync"

	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites"
	"github.com/aql-conform/aql-conform/suites/mutation"
)

// readSelftest reads what selftest --format json wrote.
func readSelftest(path string) (*reports.Selftest, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, usage("--selftest: %w; aql-conform selftest --format json -o FILE writes one", err)
	}
	table, err := reports.ReadSelftest(raw)
	if err != nil {
		return nil, usage("--selftest %s: %w", path, err)
	}
	return table, nil
}

// unfit says why a selftest may not stand beside a verdict: only one may that was
// whole, without a miss, and made by the program that judged.
func unfit(table *reports.Selftest, judged *reports.Digests) error {
	switch {
	case !table.Whole():
		return errors.New("it is a part of the matrix; run selftest without --run, to the end")
	case !table.Perfect():
		return errors.New("not every fault was caught by what it breaks alone; the text of selftest says which")
	case table.Catalogue != judged.Catalogue:
		return fmt.Errorf("catalogue: it is of %.12s…, the report of %.12s…", table.Catalogue, judged.Catalogue)
	case table.Checker == "" || table.Checker != judged.Checker:
		return fmt.Errorf("checker: it was made by build %.12s…, the report by build %.12s…", table.Checker, judged.Checker)
	case table.Tool == ownName():
		return asExpected(table)
	}
	return nil
}

// proof is the digest of the selftest to seal with a report; empty for none.
func (f *sealFlags) proof(judged *reports.Digests) (string, error) {
	if f.Selftest == "" {
		return "", nil
	}
	table, err := readSelftest(f.Selftest)
	if err != nil {
		return "", err
	}
	if err := unfit(table, judged); err != nil {
		return "", usage("--selftest %s: %w", f.Selftest, err)
	}
	return table.Digest(), nil
}

// asExpected names what a whole selftest of this version has and the table lacks.
func asExpected(table *reports.Selftest) error {
	if slices.Contains(expectedDigests(), table.Digest()) {
		return nil
	}
	have := map[string]bool{}
	for _, p := range table.Proofs {
		have[p.Requirement+"."+p.Fault] = true
	}
	for _, p := range matrix().Expected().Proofs {
		if name := p.Requirement + "." + p.Fault; !have[name] {
			return fmt.Errorf("rows: it lacks the fault %s", name)
		}
	}
	return errors.New("rows: they are not those of a whole selftest of this version")
}

func ownName() string { return "aql-conform " + version() }

// expectedDigests are those of a perfect selftest of this program, with the
// requirements of the area and with all.
var expectedDigests = sync.OnceValue(func() []string {
	m := matrix()
	narrow := m.Expected().Digest()
	m.AllRequirements = true
	return []string{narrow, m.Expected().Digest()}
})

var hexDigest = regexp.MustCompile(`^[0-9a-f]{64}$`)

// selftest is the digest of the selftest that the statement names; empty for none.
func (s statement) selftest() string {
	for _, c := range s.Predicate.Configuration {
		if c.Name == "selftest" {
			return c.Digest["sha256"]
		}
	}
	return ""
}

// unproven names what is wrong with the selftest that a statement claims.
func (f *verifyFlags) unproven(s statement, judged *reports.Digests) ([]string, error) {
	claimed := s.selftest()
	switch {
	case f.Selftest != "" && claimed == "":
		return []string{"selftest: the sealed report names none"}, nil
	case claimed != "" && !hexDigest.MatchString(claimed):
		return []string{fmt.Sprintf("selftest: sealed %.80q, which is no digest", claimed)}, nil
	case f.Selftest != "":
		table, err := readSelftest(f.Selftest)
		if err != nil {
			return nil, err
		}
		if err := unfit(table, judged); err != nil {
			return []string{fmt.Sprintf("selftest: %s: %s", f.Selftest, err)}, nil
		}
		if table.Digest() != claimed {
			return []string{fmt.Sprintf("selftest: sealed %.12s…, %s has %.12s…", claimed, f.Selftest, table.Digest())}, nil
		}
	case claimed != "" && judged.Checker == ownDigest() && !slices.Contains(expectedDigests(), claimed):
		return []string{fmt.Sprintf("selftest: sealed %.12s…, a whole one of this program has %.12s…", claimed, expectedDigests()[0])}, nil
	}
	return nil, nil
}

// proven says what the selftest of a verified report is worth.
func (f *verifyFlags) proven(s statement) string {
	switch {
	case s.selftest() == "":
		return "none is sealed with it"
	case f.Selftest != "":
		return "is the one that was sealed; aql-conform selftest repeats it"
	}
	return fmt.Sprintf("digest %.12s… is claimed; aql-conform selftest repeats it", s.selftest())
}

// matrix is all that selftest tries.
func matrix() mutation.Matrix {
	return mutation.Matrix{Checks: suites.All(), Healthy: healthyAdapters(), Mutants: mutants()}
}
