package probes

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Bounds on how far a tools/list without end is followed: no further page is asked
// for beyond MaxTools.
const (
	maxToolPages = 1000
	MaxTools     = 1000
)

// lookups is how many introspection lookups are in flight at once.
const lookups = 8

// Discover asks one face what it is: tools/list to its last page, the tool that
// answers introspect, every operation and every type. It assumes no tool name
// and goes on with what it understood; the checks judge the same answers again.
func Discover(ctx context.Context, ask Asker, face string) *Adapter {
	a := &Adapter{Conn: face}
	a.listTools(ctx, ask)
	candidates := a.candidates()
	a.findIntrospect(ctx, ask, candidates)
	if a.Introspect == "" {
		return a
	}
	a.readOperations(ctx, ask)
	a.readTypes(ctx, ask)
	a.unfoldScalars()
	a.findAQL(ctx, ask, candidates)
	a.findUnified()
	for i := range a.Operations {
		a.Operations[i].Tool = a.resolveTool(a.Operations[i])
		a.categorise(&a.Operations[i])
	}
	return a
}

// ListTools returns an adapter of which nothing but the tools is known.
func ListTools(ctx context.Context, ask Asker, face string) *Adapter {
	a := &Adapter{Conn: face}
	a.listTools(ctx, ask)
	return a
}

func (a *Adapter) listTools(ctx context.Context, ask Asker) {
	params := map[string]any{}
	seen := map[string]bool{}
	for range maxToolPages {
		p := Request(a.Conn, "tools/list", params)
		a.Pages = append(a.Pages, p)
		page := ask.Ask(ctx, p).Result()
		tools := page.At("tools")
		for _, t := range tools.Items() {
			a.Tools = append(a.Tools, Tool{Name: t.At("name").Text(), Raw: t})
		}
		if !tools.Is(Array) {
			a.depart("tools/list holds no array of tools")
			for _, m := range tools.Members() {
				a.Tools = append(a.Tools, Tool{Name: cmp.Or(m.Value.At("name").Text(), m.Name), Raw: m.Value})
			}
		}
		cursor := page.At("nextCursor")
		if !cursor.Is(String) {
			return
		}
		if seen[cursor.Text()] {
			a.depart("tools/list repeats the cursor " + cursor.String())
			return
		}
		if len(a.Tools) > MaxTools {
			a.depart(fmt.Sprintf("tools/list does not end with %d tools", len(a.Tools)))
			return
		}
		seen[cursor.Text()] = true
		params = map[string]any{"cursor": cursor.Text()}
	}
	a.depart(fmt.Sprintf("tools/list does not end within %d pages", maxToolPages))
}

func (a *Adapter) depart(what string) {
	if !slices.Contains(a.Departures, what) {
		a.Departures = append(a.Departures, what)
	}
}

// candidates returns the tools that may be asked: those that take an operation,
// else those that present themselves as readers. Other tools are never called.
func (a *Adapter) candidates() []Tool {
	reads := func(t Tool) bool {
		if t.Raw.At("annotations", "readOnlyHint").True() {
			return true
		}
		return slices.ContainsFunc([]string{"aql", "introspect", "discover", "read", "query"}, func(word string) bool {
			return strings.Contains(strings.ToLower(t.Name), word)
		})
	}
	for _, fits := range []func(Tool) bool{Tool.TakesOperation, reads} {
		var found []Tool
		for _, t := range a.Tools {
			if t.Name != "" && fits(t) && !slices.ContainsFunc(found, func(f Tool) bool { return f.Name == t.Name }) {
				found = append(found, t)
			}
		}
		if len(found) > 0 {
			slices.SortStableFunc(found, func(x, y Tool) int { return rank(x) - rank(y) })
			return found
		}
	}
	return nil
}

// rank puts tools that call themselves read-only first: asking them is safest; and
// those last whose schema rules introspect out.
func rank(t Tool) int {
	switch allowed := operationNames(t); {
	case len(allowed) > 0 && !slices.Contains(allowed, "introspect"):
		return 2
	case t.Raw.At("annotations", "readOnlyHint").True():
		return 0
	}
	return 1
}

// operationNames returns the values the tool's schema allows for operation; none
// when it leaves operation open.
func operationNames(t Tool) []string {
	var names []string
	for _, schema := range t.operationSchemas() {
		allowed := append(schema.At("enum").Scalars(), schema.At("const").Scalars()...)
		if len(allowed) == 0 {
			return nil
		}
		names = append(names, allowed...)
	}
	return names
}

func (a *Adapter) findIntrospect(ctx context.Context, ask Asker, candidates []Tool) {
	if !slices.ContainsFunc(candidates, Tool.TakesOperation) {
		a.askStrangers(ctx, ask, candidates)
		return
	}
	for _, params := range []map[string]any{{"query": "operations"}, {}} {
		for _, t := range candidates {
			o := ask.Ask(ctx, Call(a.Conn, t.Name, "introspect", params))
			a.Envelope = a.Envelope || !o.Envelope().Is(Absent)
			if len(listed(o.Data())) > 0 || o.Data().Has("operations") {
				if len(params) == 0 {
					a.depart("introspect lists operations only without a query")
					a.asks.listing = params
				}
				a.Introspect = t.Name
				return
			}
		}
	}
}

// strangerPatience is how long a tool that takes no operation may think about an
// introspect call: it is most likely no adapter's, and may do real work.
const strangerPatience = 2 * time.Second

// askStrangers asks tools that only by their name or hint may be an adapter's, with
// little patience: the first alone, so that a server which does one thing at a time
// gives at least one answer, the others at once.
func (a *Adapter) askStrangers(ctx context.Context, ask Asker, candidates []Tool) {
	answers := make([]Observation, len(candidates))
	one := func(i int) {
		p := Call(a.Conn, candidates[i].Name, "introspect", map[string]any{"query": "operations"})
		p.Within = strangerPatience
		answers[i] = ask.Ask(ctx, p)
	}
	if len(candidates) > 0 {
		one(0)
		each(len(candidates)-1, func(i int) { one(i + 1) })
	}
	for _, o := range answers {
		a.Envelope = a.Envelope || !o.Envelope().Is(Absent)
		if a.Introspect == "" && len(listed(o.Data())) > 0 {
			a.Introspect = o.Probe.Tool
		}
	}
}
