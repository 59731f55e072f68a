package gate

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// A call is what one request asks one operation to do. A batch asks several.
type call struct {
	name    string       // of the operation, as it was sent
	params  probes.Value // absent where there are none
	beside  probes.Value // the object that holds the name
	entry   int          // position in a batch; -1 for a request of its own
	strange bool         // its bytes cannot be read as one call and no other
}

var (
	escapedLetter   = regexp.MustCompile(`\\u00[0-7][0-9a-fA-F]`)
	operationMember = regexp.MustCompile(`(?i)"op(?:eration)?"\s*:[\s\[]*"([^"]*)"`)
)

// namesIn returns the values of all members of a request that are called operation, at
// any depth and however often, also where the request is no JSON.
func namesIn(request []byte) []string {
	request = bytes.ReplaceAll(request, []byte{0}, nil) // as in UTF-16
	request = escapedLetter.ReplaceAllFunc(request, func(b []byte) []byte {
		n, _ := strconv.ParseUint(string(b[2:]), 16, 8)
		return []byte{byte(n)}
	})
	var names []string
	for _, m := range operationMember.FindAllSubmatch(request, -1) {
		names = append(names, string(m[1]))
	}
	return names
}

// callsIn reads the calls of a request. What the parsed request does not show and its
// bytes do is a strange call: an adapter may read the bytes in another way.
func callsIn(p probes.Probe) []call {
	payload := p.Payload()
	named := namesIn(payload)
	request, err := probes.ParseValue(payload)
	var calls []call
	if err == nil && !repeats(request, 0) {
		calls = below(request, -1, 0)
	}
	for _, name := range named {
		if !slices.ContainsFunc(calls, func(c call) bool { return c.name == name }) {
			calls = append(calls, call{name: name, entry: -1, strange: true})
		}
	}
	return calls
}

// maxDepth bounds how deep a request is searched for calls.
const maxDepth = 40

func below(v probes.Value, entry, depth int) []call {
	var calls []call
	if depth > maxDepth {
		return nil
	}
	if v.Is(probes.String) && strings.HasPrefix(v.Text(), "{") { // arguments written as a text
		if inner, err := probes.ParseValue([]byte(v.Text())); err == nil {
			return below(inner, entry, depth+1)
		}
	}
	for _, m := range v.Members() {
		if strings.EqualFold(m.Name, "operation") || strings.EqualFold(m.Name, "op") {
			for _, name := range append(slices.Clip(m.Value.Items()), m.Value) {
				if name.Is(probes.String) {
					calls = append(calls, call{name: name.Text(), params: memberLike(v, "params"), beside: v, entry: entry})
				}
			}
		}
	}
	for _, m := range v.Members() {
		if m.Name == "operations" && m.Value.Is(probes.Array) {
			for i, item := range m.Value.Items() {
				calls = append(calls, below(item, i, depth+1)...)
			}
			continue
		}
		calls = append(calls, below(m.Value, entry, depth+1)...)
	}
	for _, item := range v.Items() {
		calls = append(calls, below(item, entry, depth+1)...)
	}
	return calls
}

// repeats reports whether an object names a member twice: two readers may read two
// requests.
func repeats(v probes.Value, depth int) bool {
	seen := map[string]bool{}
	for _, m := range v.Members() {
		if seen[m.Name] || depth < maxDepth && repeats(m.Value, depth+1) {
			return true
		}
		seen[m.Name] = true
	}
	return slices.ContainsFunc(v.Items(), func(item probes.Value) bool { return depth < maxDepth && repeats(item, depth+1) })
}

// documentedKinds are the JSON kinds of the types that a parameter can document.
var documentedKinds = map[string]probes.Kind{
	"string": probes.String, "number": probes.Number, "integer": probes.Number,
	"boolean": probes.Boolean, "array": probes.Array, "object": probes.Object,
}

// fits reports whether a call has the required parameters, and none that is undocumented or
// of another JSON kind than documented.
func (c *asked) fits() bool {
	for _, p := range c.op.Parameters {
		if p.Required && !c.params.Has(p.Name) {
			return false
		}
	}
	for _, m := range c.params.Members() {
		i := slices.IndexFunc(c.op.Parameters, func(p probes.Parameter) bool { return p.Name == m.Name })
		if i < 0 {
			return false
		}
		if kind, known := documentedKinds[c.op.Parameters[i].Type]; known && !m.Value.Is(kind) {
			return false
		}
	}
	return true
}

// sets returns what an update sets: the names of fields, and beside them flags that are set and documented values of an
// enumeration. One value may do more than another: an update that closes a period may close those before it. A name of the run's own is no field.
func (g *Gate) sets(rules *Rules, c *asked) (names []string) {
	add := func(fields []probes.Parameter, given probes.Value) {
		for _, m := range given.Members() {
			if g.invented(m.Name) || slices.Contains(protocolNames, strings.Join(vocab.Words(m.Name), "")) {
				continue
			}
			names = append(names, m.Name)
			chosen := slices.ContainsFunc(fields, func(p probes.Parameter) bool {
				flag := p.Type == "boolean" && m.Value.True() && !vocab.IsDryRun(m.Name)
				return p.Name == m.Name && (flag || slices.ContainsFunc(rules.EnumOf(p), m.Value.Equal))
			})
			if chosen {
				names = append(names, m.Name+choice+m.Value.String())
			}
		}
	}
	add(c.op.Parameters, c.params)
	add(rules.Fields(parameter(c.op, "input")), c.params.At("input"))
	return names
}

// choice is between the name and the value of what an update sets.
const choice = "="

// maxFieldSets is how many updates of one operation are measured. A defect may show only
// when one field is set, so an update with a field that was not measured is measured again.
const maxFieldSets = 4

// maxChoices bounds the updates of one operation that are measured because of a value.
const maxChoices = 8

// unseen reports whether the effect of a call is still to be seen: the operation was not seen to do no harm with a field that the call
// sets, or with a value of one. The caller holds the lock.
func (g *Gate) unseen(rules *Rules, c *asked) (field, value bool) {
	clean, name := g.wire.clean[c.aim()], c.op.Name
	if !clean || c.op.Category != "UPDATE" || c.object == nil {
		return !clean, false
	}
	for _, set := range g.sets(rules, c) {
		isValue, known := strings.Contains(set, choice), g.wire.fields[name][set]
		field, value = field || !known && !isValue, value || !known && isValue
	}
	return field && g.wire.sets[name] < maxFieldSets, value && c.fits() && g.wire.choices[name] < maxChoices
}

// aim is what a call that writes is about, as far as its measurement goes.
func (c *asked) aim() string {
	if c.op.Category != "CREATE" && c.object == nil {
		return c.op.Name + " of what does not exist"
	}
	return c.op.Name
}

// A held is a value in a request, with what is documented of it. A creation may take the new object
// whole, in one parameter. What the object holds may name what is not ours, or act on others, as a
// parameter may.
type held struct {
	of    probes.Parameter
	value probes.Value
}

// held returns a value and all that the objects in it hold, at any depth. What nobody documents
// has a name alone.
func (r *Rules) held(of probes.Parameter, v probes.Value) (all []held) {
	var walk func(of probes.Parameter, v probes.Value)
	walk = func(of probes.Parameter, v probes.Value) {
		all = append(all, held{of, v})
		fields := r.Fields(of)
		for _, m := range v.Members() {
			field := probes.Parameter{Name: m.Name}
			if i := slices.IndexFunc(fields, func(f probes.Parameter) bool { return alike(f.Name, m.Name) }); i >= 0 {
				field = fields[i]
			}
			walk(field, m.Value)
		}
		for _, item := range v.Items() {
			if !scalar(item) { // a list of identifiers is looked at as a whole
				walk(probes.Parameter{Name: of.Name, Raw: of.Raw.At("items")}, item)
			}
		}
	}
	walk(of, v)
	return all
}

// flat returns the parameters of a creation beside the members of the objects in them: a key that the
// client chooses may stand in either place.
func flat(params probes.Value) probes.Value {
	all := map[string]any{}
	for _, p := range params.Members() {
		for _, m := range p.Value.Members() {
			all[m.Name] = m.Value.Go()
		}
	}
	for _, p := range params.Members() {
		all[p.Name] = p.Value.Go()
	}
	return probes.ValueOf(all)
}

// idle reports whether nothing is there that the writes of a request could change: each names an object that no read finds.
func (g *Gate) idle(r *request) bool {
	return !slices.ContainsFunc(r.calls, func(c *asked) bool {
		changes := c.op.Category == "UPDATE" || c.op.Category == "DELETE"
		return c.writes() && (!changes || c.object != nil || g.known().Lifted(c.op))
	})
}
