package gate

import (
	"context"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// may is the one function that every request passes. It says whether the request may be
// sent, and if not, why, with the flag that would permit it.
func (g *Gate) may(ctx context.Context, r *request) (ok bool, why string) {
	switch {
	case r.probe.CommandName() != "":
		if g.allowed.ReadOnly || g.allowed.DryRun {
			return false, "a run that only reads runs no command: " + r.probe.CommandName()
		}
		return true, ""
	case r.probe.Method != "" && r.probe.Method != "tools/call" && r.probe.Frame == nil:
		return true, ""
	case len(r.calls) == 0:
		why = g.nameless(r.probe)
		return why == "", why
	}
	writes := 0
	for _, c := range r.calls {
		if why := g.judge(ctx, r, c); why != "" {
			return false, why
		}
		if c.writes() {
			writes++
		}
	}
	if limit := g.limit(); writes > 0 && limit != nil {
		why = limit.take(r.probe, writes)
	}
	return why == "", why
}

// limit is what bounds the writes; the removal of what the run made is free.
func (g *Gate) limit() *WriteLimit {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.ending {
		return nil
	}
	return g.allowed.Limit
}

// judge says why a call must not be sent; "" when it may.
func (g *Gate) judge(ctx context.Context, r *request, c *asked) string {
	rules := g.known()
	switch {
	case rules == nil:
		return g.undiscovered(r.probe, c)
	case c.name == "", alike(c.name, "introspect"), g.invented(c.name):
		return ""
	case g.deniedName(rules, c.name) != "":
		return g.deniedName(rules, c.name) + " is denied in the hints file"
	case !c.listed:
		return g.guess(rules, r.probe, c.name)
	}
	if tool := toolOf(r.probe); c.op.Category != "READ" || rules.suspicion(c.op) != "" {
		if _, listed := rules.Tool(tool); listed && !slices.Contains(rules.AQL, tool) {
			return "the tool " + tool + " does not speak MCP-AQL"
		}
	}
	return g.called(ctx, rules, r, c)
}

// called says why a call of a listed operation must not be sent.
func (g *Gate) called(ctx context.Context, rules *Rules, r *request, c *asked) string {
	o := c.op
	lifted := rules.Lifted(o)
	effect := o.Category != "READ" || rules.suspicion(o) != ""
	switch {
	case !effect:
		return ""
	case g.allowed.DryRun:
		return g.rehearsed(ctx, rules, r, c, lifted)
	case g.allowed.ReadOnly && !rules.allows(o.Name):
		return "no permission to " + strings.ToLower(o.Category) + ": a read-only run never sends " + clip(c.name)
	case slices.Contains(Reserved, o.Name):
		if !g.allowed.Execute && !lifted {
			return refusal("a protocol operation that needs permission to execute", "--allow execute")
		}
		return ""
	}
	if rules.written(c) {
		return ""
	}
	if ok, why := rules.Callable(o); !ok {
		return why
	}
	if why := g.stopped(o); why != "" {
		return why
	}
	switch o.Category {
	case "CREATE":
		return g.creates(ctx, rules, r, c, lifted)
	case "UPDATE", "DELETE":
		return g.alters(ctx, rules, r, c, lifted)
	}
	return ""
}

// onlyRehearsed begins the reason for which a dry run sends no write.
const onlyRehearsed = "a dry run sends nothing that writes: "

// rehearsed says why a run would not send a creation, as far as reads show it, else that this is a dry run.
func (g *Gate) rehearsed(ctx context.Context, rules *Rules, r *request, c *asked, lifted bool) string {
	if ok, _ := rules.Callable(c.op); ok && c.op.Category == "CREATE" && !g.allowed.ReadOnly && !slices.Contains(Reserved, c.name) && !rules.written(c) {
		if why := g.creates(ctx, rules, r, c, lifted); why != "" {
			return why
		}
	}
	return onlyRehearsed + clip(c.name)
}

// Rehearsed reports whether a request was kept back for no other reason than that nothing is written.
func Rehearsed(why string) bool { return strings.HasPrefix(why, onlyRehearsed) }

// deniedName returns the operation that the author denies and that a name may mean.
func (g *Gate) deniedName(rules *Rules, name string) string {
	for operation := range g.hints.Permissions.Operations {
		if rules.Denies(operation) && alike(operation, name) {
			return operation
		}
	}
	return ""
}

// invented reports whether a name holds the letters of this run, so that no adapter can
// have an operation of it.
func (g *Gate) invented(name string) bool { return ofRun(name, g.nonce) }

// undiscovered says what goes before it is known what an adapter is: introspection, and
// that of no tool whose name promises an effect, unless it takes an operation.
func (g *Gate) undiscovered(p probes.Probe, c *asked) string {
	g.mu.Lock()
	t := g.tools[toolOf(p)]
	g.mu.Unlock()
	switch {
	case c.name != "introspect":
		return "nothing is called before introspection: " + clip(c.name)
	case t.TakesOperation(), probes.CrudeFamily(t.Name) != "", strings.HasSuffix(t.Name, "mcp_aql"):
		return ""
	case vocab.NameEffect(t.Name) > vocab.Reads, t.Raw.At("annotations", "destructiveHint").True():
		return "the name of the tool promises an effect: " + clip(t.Name)
	}
	return ""
}

// nameless says why a request without an operation must not be sent. An adapter that
// reads one into it has to find nothing there to act on.
func (g *Gate) nameless(p probes.Probe) string {
	tool := toolOf(p)
	rules := g.known()
	if rules == nil {
		return "nothing is called before introspection"
	}
	if _, listed := rules.Tool(tool); !listed && tool != "" {
		return ""
	}
	if tool != "" && !slices.Contains(rules.AQL, tool) {
		return "the tool " + tool + " does not speak MCP-AQL"
	}
	return ""
}

// blanks writes the escapes of blanks in the bytes of a request as blanks.
var blanks = strings.NewReplacer(`\t`, " ", `\n`, " ", `\r`, " ")

// guess says why the name of an operation that is not listed must not be sent: it might
// exist all the same. Names go to tools that only read, and none that promises an
// effect. A blank name, and a name that every object of a language has, is no operation.
func (g *Gate) guess(rules *Rules, p probes.Probe, name string) string {
	if rules.Permits(name) && !g.allowed.DryRun || strings.TrimSpace(blanks.Replace(name)) == "" || slices.Contains(builtIn, name) {
		return ""
	}
	if slices.Contains(Reserved, name) {
		if g.allowed.Execute && !g.allowed.DryRun && !g.allowed.ReadOnly {
			return ""
		}
		return refusal("a protocol operation that needs permission to execute", "--allow execute")
	}
	effect := vocab.NameEffect(name)
	if effect <= vocab.Reads && rules.comparison(p.Operation(), name) {
		return ""
	}
	flag := permitting(map[vocab.Effect]string{vocab.Creates: "create", vocab.Changes: "update", vocab.Removes: "delete", vocab.Reaches: "execute"}[effect], name)
	switch {
	case effect > vocab.Reads:
		return refusal("an operation that is not listed might exist, and its name promises an effect", flag)
	case !rules.reads(toolOf(p)):
		return refusal("an operation that is not listed might exist, and the tool does not only read", permitting("read", name))
	}
	return ""
}

// comparison reports whether a word is a listed value of a field that is called like an operation, in what a parameter of a READ takes:
// a condition has a field, an op and a value.
func (r *Rules) comparison(read, word string) bool {
	o, listed := r.Operation(read)
	return listed && o.Category == "READ" && slices.ContainsFunc(o.Parameters, func(p probes.Parameter) bool {
		items := p.Raw.At("items")
		fields := append(r.Fields(p), r.Fields(probes.Parameter{Type: items.At("type").Text(), Raw: items})...)
		return slices.ContainsFunc(fields, func(f probes.Parameter) bool {
			named := strings.EqualFold(f.Name, "op") || strings.EqualFold(f.Name, "operation")
			return named && slices.ContainsFunc(r.EnumOf(f), probes.ValueOf(word).Equal)
		})
	})
}

// reads reports whether a tool is one on which nothing but READ operations are listed.
func (r *Rules) reads(tool string) bool {
	if _, listed := r.Tool(tool); !listed {
		return true // there is no such tool
	}
	found := false
	for _, o := range r.Operations {
		if o.Tool == tool {
			if o.Category != "READ" {
				return false
			}
			found = true
		}
	}
	return found || tool == r.Introspect
}

// toolOf returns the tool that a request calls, as its bytes say; "" where they cannot
// be read.
func toolOf(p probes.Probe) string {
	if p.Frame == nil && p.Method == "" && p.Raw() == nil {
		return p.Tool
	}
	v, err := probes.ParseValue(p.Payload())
	if err != nil {
		return ""
	}
	if p.Frame != nil {
		v = v.At("params")
	}
	return v.At("name").Text()
}

// clip keeps the text of an adapter in a refusal to a readable length.
func clip(s string) string {
	const most = 160
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}
