// Package faults lists the ways to break exactly one requirement.
package faults

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
	"github.com/aql-conform/aql-conform/reference-adapter/faults/authorization"
	"github.com/aql-conform/aql-conform/reference-adapter/faults/calls"
	"github.com/aql-conform/aql-conform/reference-adapter/faults/introspection"
	"github.com/aql-conform/aql-conform/reference-adapter/faults/objects"
	"github.com/aql-conform/aql-conform/reference-adapter/faults/safety"
	"github.com/aql-conform/aql-conform/reference-adapter/faults/wire"
)

// All lists every fault, sorted by requirement and variant.
func All() []seam.Fault {
	all := slices.Concat(authorization.All(), calls.All(), introspection.All(), objects.All(), safety.All(), wire.All())
	slices.SortFunc(all, func(a, b seam.Fault) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Variant, b.Variant))
	})
	for i, f := range all {
		all[i].Also = collateral[f.ID+"."+f.Variant]
	}
	return all
}

// Named returns the fault called name, or the healthy zero fault for "". An
// id alone means its first variant that is not seeded.
func Named(name string) (seam.Fault, error) {
	if name == "" {
		return seam.Fault{}, nil
	}
	for _, f := range All() {
		if name == f.ID+"."+f.Variant || name == f.ID && f.Phase == "" {
			return f, nil
		}
	}
	return seam.Fault{}, fmt.Errorf("unknown fault %q: --list-faults shows all", name)
}
