package gate

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// enlisting are verbs that make a record of somebody or something: of what is new, or of what exists
// where another operation makes it. What is lent is there before.
var enlisting = strings.Fields("enroll enrol recruit onboard appoint nominate lend")

// takesOver reports whether a creation without the identifier of a kind may choose an object of it that exists.
func (r *Rules) takesOver(o probes.Operation, k Kind) bool {
	verb := func(o probes.Operation) string {
		return first(slices.DeleteFunc(vocab.Words(o.Name), func(w string) bool { return !slices.Contains(enlisting, w) }))
	}
	other := func(m probes.Operation) bool { return m.Category == "CREATE" && verb(m) == "" && r.related(o, m) }
	return verb(o) != "" && !slices.ContainsFunc(o.Parameters, func(p probes.Parameter) bool {
		return p.Required && slices.ContainsFunc(k.Key, func(key string) bool { return alike(key, p.Name) })
	}) && (verb(o) == "lend" || slices.ContainsFunc(r.Operations, other))
}
