package session

import (
	"slices"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
)

// Evidential reports whether one of the files is a bundle of evidence, which is
// gathered for nothing else.
func Evidential(files []console.ReportFile) bool {
	return slices.ContainsFunc(files, func(f console.ReportFile) bool { return f.Format == "evidence" })
}
