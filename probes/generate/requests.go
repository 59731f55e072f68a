package generate

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// A RequestCase is a whole request that differs from a valid one in the names and
// places of its parameters.
type RequestCase struct {
	Operator string
	Params   map[string]any // members of params
	Top      map[string]any // members beside operation and params
	Valid    bool           // the documentation allows it; otherwise it forbids it
	Sentence string         // completes the operation's name: "without its required parameter title"
}

// A TopLevel says whether an adapter reads parameters that stand beside operation,
// which it may (section 4.2). While it is not known, no request rests on it.
type TopLevel int

// The answers about the top level.
const (
	Unasked TopLevel = iota
	Read             // a parameter there counts as one inside params
	Ignored          // it counts as absent
)

// Requests returns the cases around a valid request of the operation, params being
// its parameters, in the order of the documentation. Sections 4.2, 4.5.3 and 4.6. Around
// other values of the same parameters a misspelt name shows nothing more, so that it can be
// left out.
func (g *Generator) Requests(op probes.Operation, params map[string]any, top TopLevel, misspelt bool) []RequestCase {
	r := requests{Generator: g, op: op, valid: params}
	if misspelt {
		r.taken = namesTaken(op)
	}
	r.add("undocumented-name", r.with(g.unknown(), 1), nil, false, "with the parameter %s, which is not documented", g.unknown())
	seen := map[string]bool{}
	for _, p := range op.Parameters {
		if !seen[p.Name] && p.Name != "" {
			seen[p.Name] = true
			r.around(p, top)
		}
	}
	documented := len(op.Parameters) > 0 || op.Details.At("parameters").Is(probes.Array)
	if _, wrapped := params["input"]; documented && !wrapped && !op.HasParameter("input") {
		r.add("wrapped", map[string]any{"input": maps.Clone(params)}, nil, false, "with its parameters inside input, which is not documented")
	}
	return r.cases
}

// unknown is a name that no operation can document: it is random, and has no
// leading underscore, which would exempt it (section 4.6.1).
func (g *Generator) unknown() string { return "aqlx_unknown_" + g.Nonce }

// requests collects the cases around one valid request.
type requests struct {
	*Generator
	op    probes.Operation
	valid map[string]any
	taken map[string]bool // names that a misspelt one must not be taken for; nil when none is wanted
	cases []RequestCase
}

func (r *requests) add(operator string, params, top map[string]any, valid bool, words string, args ...any) {
	r.cases = append(r.cases, RequestCase{operator, params, top, valid, fmt.Sprintf(words, args...)})
}

// with and without change one parameter of the valid request.
func (r *requests) with(name string, v any) map[string]any {
	params := maps.Clone(r.valid)
	if params == nil {
		params = map[string]any{}
	}
	params[name] = v
	return params
}

func (r *requests) without(name string) map[string]any {
	params := maps.Clone(r.valid)
	delete(params, name)
	return params
}

// around adds the cases of one documented parameter. A required parameter with a
// default contradicts itself, so nothing rests on its absence.
func (r *requests) around(p probes.Parameter, top TopLevel) {
	value, sent := r.valid[p.Name]
	typo := ""
	if r.taken != nil {
		typo = misspelt(p.Name, r.taken)
	}
	if typo != "" && sent {
		params := r.without(p.Name)
		params[typo] = value
		r.add("misspelt-name", params, nil, false, "with the parameter %s written %s", p.Name, typo)
	} else if typo != "" {
		r.add("misspelt-name", r.with(typo, r.any(p)), nil, false, "with %s beside its parameters, a misspelt %s", typo, p.Name)
	}
	if !sent || !p.Required || says(p.Raw, "default") {
		return
	}
	r.add("missing", r.without(p.Name), nil, false, "without its required parameter %s", p.Name)
	if input := probes.ValueOf(r.valid["input"]); p.Name != "input" && input.Is(probes.Object) && !input.Has(p.Name) {
		params := r.without(p.Name)
		params["input"] = objectOf(append(slices.Clone(input.Members()), probes.Member{Name: p.Name, Value: probes.ValueOf(value)})).Go()
		r.add("inside-input", params, nil, false, "with its required parameter %s inside input", p.Name)
	}
	if reserved := p.Name == "operation" || p.Name == "params"; top != Unasked && !reserved {
		r.add("top-level", r.without(p.Name), map[string]any{p.Name: value}, top == Read, "with its required parameter %s beside operation instead of inside params", p.Name)
	}
}

// any is some value for a parameter; of what kind matters little where its name is
// wrong.
func (r *requests) any(p probes.Parameter) any {
	if d, err := r.Domain(p); err == nil {
		if vs, err := d.Values(rand.New(rand.NewPCG(1, 1)), 1); err == nil {
			return vs[0].Go()
		}
	}
	return 1
}

// customary are names that an adapter may take from every operation.
var customary = strings.Fields("query fields filter limit offset first last after before page page_size sort order dry_run input")

// misspelt returns the name with one letter too many, too few or wrong, such that
// it is no other documented name, not even for a reader that overlooks case,
// underscores and plurals; "" when there is no such name.
func misspelt(name string, taken map[string]bool) string {
	letters := []rune(name)
	if len(letters) < 2 || letters[0] == '_' {
		return ""
	}
	for i := len(letters) / 2; i > 0; i-- {
		if letters[i] == '_' {
			continue
		}
		before, after := string(letters[:i]), string(letters[i+1:])
		for _, typo := range []string{before + string(letters[i]) + string(letters[i]) + after, before + after, before + "q" + after, before + "x" + after} {
			if typo != name && !taken[folded(typo)] {
				return typo
			}
		}
	}
	return ""
}

// namesTaken returns the customary names and those of the operation, folded.
func namesTaken(op probes.Operation) map[string]bool {
	taken := map[string]bool{}
	for _, word := range customary {
		taken[folded(word)] = true
	}
	for _, p := range op.Parameters {
		taken[folded(p.Name)] = true
	}
	return taken
}

// folded is what a lenient reader sees of a name.
func folded(name string) string {
	return strings.TrimRight(strings.ToLower(strings.ReplaceAll(name, "_", "")), "s")
}
