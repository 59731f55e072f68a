package zoo

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
	"github.com/aql-conform/aql-conform/reference-adapter/habits"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
)

// premises tell from a description itself whether the condition of a requirement holds. The
// keys are the conditions of the catalogue; a condition that is not here may hold.
var premises = map[string]func(a *adapter.Adapter) bool{
	"a parameter documents format date or date-time": withParameter(func(p adapter.Parameter) bool {
		return p.Format == "date" || p.Format == "date-time"
	}),
	"a binary parameter is documented":                                                    withParameter(func(p adapter.Parameter) bool { return p.Format == "byte" || p.Format == "binary" }),
	"a parameter has items":                                                               withParameter(func(p adapter.Parameter) bool { return len(p.Items) > 0 }),
	"an operation documents a required parameter":                                         withParameter(func(p adapter.Parameter) bool { return p.Required }),
	"an operation documents a sort object":                                                withParameter(func(p adapter.Parameter) bool { return p.Name == "sort" }),
	"an operation pages by cursor, offset or page":                                        withParameter(func(p adapter.Parameter) bool { return p.Name == "after" || p.Name == "offset" || p.Name == "page" }),
	"an operation documents first and after":                                              byCursor,
	"an operation pages by cursor":                                                        byCursor,
	"a collection is paged by cursor":                                                     byCursor,
	"data.pagination of an offset-based operation is present":                             withParameter(func(p adapter.Parameter) bool { return p.Name == "offset" || p.Name == "page" }),
	"Level 2 is claimed or under test":                                                    offering(adapter.Batching, adapter.FieldSelection),
	"batch requests are supported":                                                        offering(adapter.Batching),
	"an EXECUTE operation returns an execution state":                                     offering(adapter.Lifecycles),
	"lifecycle.states contains non-core states":                                           offering(adapter.Lifecycles),
	"an EXECUTE operation reports an execution state":                                     offering(adapter.Lifecycles),
	"an operation has examples":                                                           withOperation(func(op adapter.Operation) bool { return len(op.Examples) > 0 }),
	"an operation has examples given as objects":                                          withOperation(func(op adapter.Operation) bool { return len(op.Examples) > 0 }),
	"a tool hosts EXECUTE operations":                                                     withOperation(func(op adapter.Operation) bool { return op.Category == "EXECUTE" }),
	"the five standard tool names are used":                                               func(a *adapter.Adapter) bool { return len(a.Profile.Families) == 5 && a.Manner.Tools == "" },
	"batch is supported and an operation answers CONFIRMATION_REQUIRED, in halting mode":  offering(adapter.Batching),
	"batch is supported and an operation answers CONFIRMATION_REQUIRED":                   offering(adapter.Batching),
	"batch is supported and an operation answers CONFIRMATION_REQUIRED, in skipping mode": offering(adapter.Batching),
	"_protocol.capabilities announces batch":                                              offering(adapter.Batching),
	"batch is supported in semantic mode":                                                 func(a *adapter.Adapter) bool { return a.Has(adapter.Batching) && a.Mode != "single" },
	"semantic mode is in use":                                                             inFamilies,
	"semantic mode or mode all is in use":                                                 inFamilies,
	"semantic mode with two or more tools is in use":                                      inFamilies,
	"semantic mode with two or more AQL tools is in use":                                  inFamilies,
	"semantic mode is in use and a mutating operation is listed":                          inFamilies,
	"a misrouted call was refused":                                                        inFamilies,
	"VALIDATION_ENDPOINT_MISMATCH was seen":                                               inFamilies,
	"data.pageInfo is present":                                                            byCursor,
	"pageInfo.totalCount is present":                                                      byCursor,
	"a parameter is sensitive by flag or name":                                            withParameter(func(p adapter.Parameter) bool { return p.Sensitive }),
	"a unified tool exists (single mode or mode all)":                                     func(a *adapter.Adapter) bool { return a.Mode != "semantic" },
	"all five standard tools are exposed and there is no other semantic tool": func(a *adapter.Adapter) bool {
		return inFamilies(a) && len(a.Profile.Families) == 5 && a.Manner.Tools == ""
	},
	"a search_* or query_* operation is listed": func(a *adapter.Adapter) bool {
		return withOperation(func(op adapter.Operation) bool { return querying.MatchString(onWire(a, op.Name)) })(a)
	},
	"a camelCase alias is accepted": func(a *adapter.Adapter) bool {
		op, _ := a.OperationNamed("search_notes")
		return slices.ContainsFunc(op.Parameters, func(p adapter.Parameter) bool { return strings.Contains(onWire(a, p.Name), "_") })
	},
}

var querying = regexp.MustCompile("^(search|query)_")

// onWire is what an operation or a member of the heart is called on the wire.
func onWire(a *adapter.Adapter, name string) string {
	if w := seam.Aside(a).Words; w != nil {
		return w.Name(name)
	}
	return name
}

// inFamilies reports whether each family of operations has a tool of its own.
func inFamilies(a *adapter.Adapter) bool { return a.Mode != "single" }

// byCursor reports whether a list of objects comes in pages behind a cursor.
var byCursor = withOperation(func(op adapter.Operation) bool { return op.Name != "introspect" && seam.Documents(op, "after") })

// Holds reports whether the condition of a requirement holds on the description with the
// fault, as far as that can be told without asking it.
func Holds(d habits.Description, condition string, f seam.Fault) bool {
	if d.Habits["list shape"] == "bare array" && strings.HasPrefix(condition, "data.pagination") {
		return false // an array has no members beside its items
	}
	a, err := stand.New(stand.Config{Mode: f.Mode, Profile: f.Profile, Description: d, Fault: f.ID + "." + f.Variant})
	holds := premises[condition]
	return err != nil || holds == nil || holds(a)
}

func offering(features ...string) func(a *adapter.Adapter) bool {
	return func(a *adapter.Adapter) bool {
		return !slices.ContainsFunc(features, func(feature string) bool { return !a.Has(feature) })
	}
}

func withOperation(is func(op adapter.Operation) bool) func(a *adapter.Adapter) bool {
	return func(a *adapter.Adapter) bool {
		return slices.ContainsFunc(a.Operations, func(op adapter.Operation) bool { return a.Has(op.Feature) && is(op) })
	}
}

func withParameter(is func(p adapter.Parameter) bool) func(a *adapter.Adapter) bool {
	return func(a *adapter.Adapter) bool {
		return withOperation(func(op adapter.Operation) bool {
			return slices.ContainsFunc(op.Parameters, func(p adapter.Parameter) bool { return a.Has(p.Feature) && is(p) })
		})(a)
	}
}
