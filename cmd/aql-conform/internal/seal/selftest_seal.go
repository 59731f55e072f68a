package seal

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites"
	"github.com/aql-conform/aql-conform/suites/mutation"
)

// ReadSelftest reads what selftest --format json wrote.
func ReadSelftest(path string) (*reports.Selftest, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, console.Usage("--selftest: %w; aql-conform selftest --format json -o FILE writes one", err)
	}
	table, err := reports.ReadSelftest(raw)
	if err != nil {
		return nil, console.Usage("--selftest %s: %w", path, err)
	}
	return table, nil
}

// Unfit says why a selftest may not stand beside a verdict: only one may that was
// whole, without a miss, and made by the program that judged.
func Unfit(table *reports.Selftest, judged *reports.Digests) error {
	switch {
	case !table.Whole():
		return errors.New("it is not complete; run selftest without --run, to the end")
	case !table.Perfect():
		return errors.New("not every fault was caught by exactly its own requirement; selftest prints which")
	case table.Catalogue != judged.Catalogue:
		return fmt.Errorf("catalogue: %.12s…, but the report has %.12s…", table.Catalogue, judged.Catalogue)
	case table.Checker == "" || table.Checker != judged.Checker:
		return fmt.Errorf("checker: build %.12s…, but the report is from build %.12s…", table.Checker, judged.Checker)
	case table.Tool == OwnName():
		return asExpected(table)
	}
	return nil
}

// proof is the digest of the selftest to seal with a report; empty for none.
func (f *SealFlags) proof(judged *reports.Digests) (string, error) {
	if f.Selftest == "" {
		return "", nil
	}
	table, err := ReadSelftest(f.Selftest)
	if err != nil {
		return "", err
	}
	if err := Unfit(table, judged); err != nil {
		return "", console.Usage("--selftest %s: %w", f.Selftest, err)
	}
	return table.Digest(), nil
}

// asExpected names what a whole selftest of this version has and the table lacks.
func asExpected(table *reports.Selftest) error {
	if slices.Contains(ExpectedDigests(), table.Digest()) {
		return nil
	}
	have := map[string]bool{}
	for _, p := range table.Proofs {
		have[p.Requirement+"."+p.Fault] = true
	}
	for _, p := range Matrix().Expected().Proofs {
		if name := p.Requirement + "." + p.Fault; !have[name] {
			return fmt.Errorf("rows: the fault %s is missing", name)
		}
	}
	return errors.New("rows: they are not those of a complete selftest of this version")
}

func OwnName() string { return "aql-conform " + console.Version() }

// ExpectedDigests are those of a perfect selftest of this program, with the
// requirements of the area and with all.
var ExpectedDigests = sync.OnceValue(func() []string {
	m := Matrix()
	narrow := m.Expected().Digest()
	m.AllRequirements = true
	return []string{narrow, m.Expected().Digest()}
})

// Matrix is all that selftest tries.
func Matrix() mutation.Matrix {
	return mutation.Matrix{Checks: suites.All(), Healthy: healthyAdapters(), Mutants: mutants()}
}
