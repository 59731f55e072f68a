package attest

import (
	"fmt"
	"slices"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/seal"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/session"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/statement"
	"github.com/aql-conform/aql-conform/reports"
)

// unproven names what is wrong with the selftest that a statement claims.
func (f *VerifyFlags) unproven(s statement.Statement, judged *reports.Digests) ([]string, error) {
	claimed := s.Selftest()
	switch {
	case f.Selftest != "" && claimed == "":
		return []string{"selftest: the sealed report names none"}, nil
	case claimed != "" && !statement.HexDigest.MatchString(claimed):
		return []string{fmt.Sprintf("selftest: sealed %.80q, which is no digest", claimed)}, nil
	case f.Selftest != "":
		table, err := seal.ReadSelftest(f.Selftest)
		if err != nil {
			return nil, err
		}
		if err := seal.Unfit(table, judged); err != nil {
			return []string{fmt.Sprintf("selftest: %s: %s", f.Selftest, err)}, nil
		}
		if table.Digest() != claimed {
			return []string{fmt.Sprintf("selftest: sealed %.12s…, %s has %.12s…", claimed, f.Selftest, table.Digest())}, nil
		}
	case claimed != "" && judged.Checker == session.OwnDigest() && !slices.Contains(seal.ExpectedDigests(), claimed):
		return []string{fmt.Sprintf("selftest: sealed %.12s…, a whole one of this program has %.12s…", claimed, seal.ExpectedDigests()[0])}, nil
	}
	return nil, nil
}

// proven says what the selftest of a verified report is worth.
func (f *VerifyFlags) proven(s statement.Statement) string {
	switch {
	case s.Selftest() == "":
		return "none is sealed with it"
	case f.Selftest != "":
		return "is the one that was sealed; aql-conform selftest repeats it"
	}
	return fmt.Sprintf("digest %.12s… is claimed; aql-conform selftest repeats it", s.Selftest())
}
