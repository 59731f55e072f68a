// Package suites judges an MCP-AQL adapter from within a program. It knows every check.
package suites

import (
	"github.com/aql-conform/aql-conform/suites/area/authorization"
	"github.com/aql-conform/aql-conform/suites/area/batch"
	"github.com/aql-conform/aql-conform/suites/area/classification"
	"github.com/aql-conform/aql-conform/suites/area/concurrency"
	"github.com/aql-conform/aql-conform/suites/area/confirmation"
	"github.com/aql-conform/aql-conform/suites/area/descriptions"
	"github.com/aql-conform/aql-conform/suites/area/encoding"
	"github.com/aql-conform/aql-conform/suites/area/envelope"
	"github.com/aql-conform/aql-conform/suites/area/errors"
	"github.com/aql-conform/aql-conform/suites/area/introspection"
	"github.com/aql-conform/aql-conform/suites/area/leaks"
	"github.com/aql-conform/aql-conform/suites/area/levels"
	"github.com/aql-conform/aql-conform/suites/area/lifecycle"
	"github.com/aql-conform/aql-conform/suites/area/limits"
	"github.com/aql-conform/aql-conform/suites/area/loop"
	"github.com/aql-conform/aql-conform/suites/area/mcp"
	"github.com/aql-conform/aql-conform/suites/area/pagination"
	"github.com/aql-conform/aql-conform/suites/area/parameters"
	"github.com/aql-conform/aql-conform/suites/area/query"
	"github.com/aql-conform/aql-conform/suites/area/routing"
	"github.com/aql-conform/aql-conform/suites/area/types"
	"github.com/aql-conform/aql-conform/suites/area/update"
	"github.com/aql-conform/aql-conform/suites/area/verification"
	"github.com/aql-conform/aql-conform/suites/check"
)

// All returns every check, by area.
func All() []*check.Check {
	var all []*check.Check
	for _, area := range [][]check.Check{
		authorization.Checks, batch.Checks, classification.Checks, concurrency.Checks, confirmation.Checks, descriptions.Checks, encoding.Checks,
		envelope.Checks, errors.Checks, introspection.Checks, leaks.Checks, levels.Checks, lifecycle.Checks,
		limits.Checks, loop.Checks, mcp.Checks, pagination.Checks, parameters.Checks, query.Checks,
		routing.Checks, types.Checks, update.Checks, verification.Checks,
	} {
		for i := range area {
			all = append(all, &area[i])
		}
	}
	return all
}

// Why says why there is such a rule; empty where the id is of no check.
func Why(id string) string {
	for _, c := range All() {
		if c.Requirement == id && c.Rule != "" {
			return c.Why
		}
	}
	return ""
}
