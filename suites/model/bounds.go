package model

import (
	"fmt"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Limits of what is judged. A run sends a dozen requests for each parameter, and each request holds
// the names.
const (
	maxName       = 1 << 10 // bytes in the name of an operation, a parameter or a type
	maxParameters = 1000    // of one operation
)

// A TooLarge is an operation or a type that is not judged, because of its size.
type TooLarge struct {
	Name      string // clipped
	Operation bool   // not a type
	Want      string
	Got       string
}

// dropTooLarge takes out of the adapter what is too large to be judged, as a whole: an operation
// without some of its parameters would be another operation.
func (f *Adapter) dropTooLarge() {
	drop := func(name, want, got string) bool {
		f.TooLarge = append(f.TooLarge, TooLarge{Name: ruling.Clip(name), Want: want, Got: got})
		return true
	}
	tooLong := func(of, name, what string) bool {
		return len(name) > maxName && drop(of, fmt.Sprintf("%s of at most %d bytes", what, maxName), fmt.Sprintf("one of %d bytes, which is too large to be judged", len(name)))
	}
	f.Operations = slices.DeleteFunc(f.Operations, func(o probes.Operation) bool {
		if n := len(o.Parameters); n > maxParameters {
			return drop(o.Name, fmt.Sprintf("at most %d parameters", maxParameters), fmt.Sprintf("%d, which is too large to be judged", n))
		}
		return tooLong(o.Name, o.Name, "a name") ||
			slices.ContainsFunc(o.Parameters, func(p probes.Parameter) bool { return tooLong(o.Name, p.Name, "a parameter name") })
	})
	for i := range f.TooLarge {
		f.TooLarge[i].Operation = true
	}
	f.Types = slices.DeleteFunc(f.Types, func(t probes.Type) bool { return tooLong(t.Name, t.Name, "a type name") })
}
