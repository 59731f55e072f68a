package adapter

import (
	"regexp"
	"slices"
	"strings"
)

// premises tell from a description itself whether the condition of a requirement holds. The
// keys are the conditions of the catalogue; a condition that is not here may hold.
var premises = map[string]func(a *Adapter) bool{
	"a parameter documents format date or date-time": withParameter(func(p parameter) bool {
		return p.Format == "date" || p.Format == "date-time"
	}),
	"a binary parameter is documented":                                                    withParameter(func(p parameter) bool { return p.Format == "byte" || p.Format == "binary" }),
	"a parameter has items":                                                               withParameter(func(p parameter) bool { return len(p.Items) > 0 }),
	"an operation documents a required parameter":                                         withParameter(func(p parameter) bool { return p.Required }),
	"an operation documents a sort object":                                                withParameter(func(p parameter) bool { return p.Name == "sort" }),
	"an operation pages by cursor, offset or page":                                        withParameter(func(p parameter) bool { return p.Name == "after" || p.Name == "offset" || p.Name == "page" }),
	"an operation documents first and after":                                              byCursor,
	"an operation pages by cursor":                                                        byCursor,
	"a collection is paged by cursor":                                                     byCursor,
	"data.pagination of an offset-based operation is present":                             withParameter(func(p parameter) bool { return p.Name == "offset" || p.Name == "page" }),
	"Level 2 is claimed or under test":                                                    offering(batching, fieldSelection),
	"batch requests are supported":                                                        offering(batching),
	"an EXECUTE operation returns an execution state":                                     offering(lifecycles),
	"lifecycle.states contains non-core states":                                           offering(lifecycles),
	"an EXECUTE operation reports an execution state":                                     offering(lifecycles),
	"an operation has examples":                                                           withOperation(func(op operation) bool { return len(op.Examples) > 0 }),
	"an operation has examples given as objects":                                          withOperation(func(op operation) bool { return len(op.Examples) > 0 }),
	"a tool hosts EXECUTE operations":                                                     withOperation(func(op operation) bool { return op.Category == "EXECUTE" }),
	"the five standard tool names are used":                                               func(a *Adapter) bool { return len(a.profile.families) == 5 && a.manner.tools == "" },
	"batch is supported and an operation answers CONFIRMATION_REQUIRED, in halting mode":  offering(batching),
	"batch is supported and an operation answers CONFIRMATION_REQUIRED":                   offering(batching),
	"batch is supported and an operation answers CONFIRMATION_REQUIRED, in skipping mode": offering(batching),
	"_protocol.capabilities announces batch":                                              offering(batching),
	"batch is supported in semantic mode":                                                 func(a *Adapter) bool { return a.has(batching) && a.mode != "single" },
	"semantic mode is in use":                                                             inFamilies,
	"semantic mode or mode all is in use":                                                 inFamilies,
	"semantic mode with two or more tools is in use":                                      inFamilies,
	"semantic mode with two or more AQL tools is in use":                                  inFamilies,
	"semantic mode is in use and a mutating operation is listed":                          inFamilies,
	"a misrouted call was refused":                                                        inFamilies,
	"VALIDATION_ENDPOINT_MISMATCH was seen":                                               inFamilies,
	"data.pageInfo is present":                                                            byCursor,
	"pageInfo.totalCount is present":                                                      byCursor,
	"a parameter is sensitive by flag or name":                                            withParameter(func(p parameter) bool { return p.Sensitive }),
	"a unified tool exists (single mode or mode all)":                                     func(a *Adapter) bool { return a.mode != "semantic" },
	"all five standard tools are exposed and there is no other semantic tool":             func(a *Adapter) bool { return inFamilies(a) && len(a.profile.families) == 5 && a.manner.tools == "" },
	"a search_* or query_* operation is listed": func(a *Adapter) bool {
		return withOperation(func(op operation) bool { return querying.MatchString(a.onWire(op.Name)) })(a)
	},
	"a camelCase alias is accepted": func(a *Adapter) bool {
		op, _ := a.operationNamed("search_notes")
		return slices.ContainsFunc(op.Parameters, func(p parameter) bool { return strings.Contains(a.onWire(p.Name), "_") })
	},
}

var querying = regexp.MustCompile("^(search|query)_")

// onWire is what an operation or a member of the heart is called on the wire.
func (a *Adapter) onWire(name string) string {
	if w := a.aside().words; w != nil {
		return w.name(name)
	}
	return name
}

// inFamilies reports whether each family of operations has a tool of its own.
func inFamilies(a *Adapter) bool { return a.mode != "single" }

// byCursor reports whether a list of objects comes in pages behind a cursor.
var byCursor = withOperation(func(op operation) bool { return op.Name != "introspect" && documents(op, "after") })

// Holds reports whether the condition of a requirement holds on the description with the
// fault, as far as that can be told without asking it.
func (d Description) Holds(condition string, f Fault) bool {
	if d.Habits["list shape"] == "bare array" && strings.HasPrefix(condition, "data.pagination") {
		return false // an array has no members beside its items
	}
	a, err := New(Config{Mode: f.Mode, Profile: f.Profile, Description: d, Fault: f.ID + "." + f.Variant})
	holds := premises[condition]
	return err != nil || holds == nil || holds(a)
}

func offering(features ...string) func(a *Adapter) bool {
	return func(a *Adapter) bool {
		return !slices.ContainsFunc(features, func(feature string) bool { return !a.has(feature) })
	}
}

func withOperation(is func(op operation) bool) func(a *Adapter) bool {
	return func(a *Adapter) bool {
		return slices.ContainsFunc(a.operations, func(op operation) bool { return a.has(op.Feature) && is(op) })
	}
}

func withParameter(is func(p parameter) bool) func(a *Adapter) bool {
	return func(a *Adapter) bool {
		return withOperation(func(op operation) bool {
			return slices.ContainsFunc(op.Parameters, func(p parameter) bool { return a.has(p.Feature) && is(p) })
		})(a)
	}
}
