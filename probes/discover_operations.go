package probes

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
)

// listed finds the array of operations in the data of a listing: data.operations,
// else data itself, else the only array in it, else lists grouped in an object.
func listed(data Value) []Value {
	if data.At("operations").Is(Array) {
		return data.At("operations").Items()
	}
	if data.Is(Array) {
		return data.Items()
	}
	group := data
	if data.At("operations").Is(Object) {
		group = data.At("operations")
	}
	var all []Value
	for _, m := range group.Members() {
		if m.Value.Is(Array) && !strings.HasPrefix(m.Name, "_") {
			all = append(all, m.Value.Items()...)
		}
	}
	return all
}

func (a *Adapter) readOperations(ctx context.Context, ask Asker) {
	a.Listed = ask.Ask(ctx, a.Listing())
	data := a.Listed.Data()
	a.Protocol = data.At("_protocol")
	if !data.At("operations").Is(Array) {
		a.depart("the operations are not an array at data.operations")
	}
	for _, entry := range listed(data) {
		name := cmp.Or(entry.At("name").Text(), entry.Text())
		if name == "" || slices.ContainsFunc(a.Operations, func(o Operation) bool { return o.Name == name }) {
			continue
		}
		a.Operations = append(a.Operations, Operation{Name: name, Summary: entry})
	}
	each(len(a.Operations), func(i int) {
		o := &a.Operations[i]
		data := ask.Ask(ctx, a.Lookup("operations", o.Name)).Data()
		o.Details = data.At("operation")
		if !o.Details.Is(Object) && data.Has("parameters") {
			o.Details = data
		}
		o.Category = cmp.Or(o.Details.At("semantic_category").Text(), o.Summary.At("semantic_category").Text())
		o.Endpoint = cmp.Or(o.Details.At("endpoint").Text(), o.Summary.At("endpoint").Text())
		o.Parameters = ReadParameters(o.Details)
	})
}

func (a *Adapter) readTypes(ctx context.Context, ask Asker) {
	data := ask.Ask(ctx, a.TypesListing()).Data()
	entries := data.At("types").Items()
	for _, m := range data.At("types").Members() {
		a.Types = append(a.Types, Type{Name: m.Name, Summary: m.Value})
	}
	for _, entry := range entries {
		name := cmp.Or(entry.At("name").Text(), entry.Text())
		if name == "" || slices.ContainsFunc(a.Types, func(t Type) bool { return t.Name == name }) {
			continue
		}
		a.Types = append(a.Types, Type{Name: name, Summary: entry})
	}
	each(len(a.Types), func(i int) {
		t := &a.Types[i]
		t.Details = ask.Ask(ctx, a.Lookup("types", t.Name)).Data().At("type")
		t.Kind = cmp.Or(t.Details.At("kind").Text(), t.Summary.At("kind").Text())
	})
}

// each calls do for 0..n-1, a few at a time.
func each(n int, do func(i int)) {
	var group sync.WaitGroup
	slots := make(chan struct{}, lookups)
	for i := range n {
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			do(i)
		})
	}
	group.Wait()
}

// findAQL settles which tools speak MCP-AQL: those a record names as mcpTool and
// those that answer an introspect call with an envelope, be it a refusal.
func (a *Adapter) findAQL(ctx context.Context, ask Asker, candidates []Tool) {
	a.lists = map[string]bool{a.Introspect: true}
	speaks := map[string]bool{a.Introspect: true}
	for _, o := range a.Operations {
		speaks[o.Details.At("mcpTool").Text()] = true
	}
	for _, t := range candidates {
		if !speaks[t.Name] && a.concerns(t) {
			o := ask.Ask(ctx, a.Listing().To(t.Name))
			a.lists[t.Name] = len(listed(o.Data())) > 0
			speaks[t.Name] = a.lists[t.Name] || o.Code() != "" || o.Refused() && strings.Contains(strings.ToLower(t.Name), "aql")
		}
	}
	for _, t := range a.Tools {
		if speaks[t.Name] && t.Name != "" && !slices.Contains(a.AQL, t.Name) {
			a.AQL = append(a.AQL, t.Name)
		}
	}
}

// concerns reports whether a tool may be another door to the same operations: its
// schema leaves operation open or names one of them. A calculator may take an
// argument operation too, and is none of our business.
func (a *Adapter) concerns(t Tool) bool {
	names := operationNames(t)
	return len(names) == 0 || slices.ContainsFunc(names, func(name string) bool {
		_, ours := a.Operation(name)
		return ours || name == "introspect"
	})
}

// resolveTool returns the tool to call an operation by: the documented one when
// it is listed, else the one its endpoint value stands for, else the documented
// name behind a gateway's prefix, else the unified tool.
func (a *Adapter) resolveTool(o Operation) string {
	documented := o.Details.At("mcpTool").Text()
	if slices.Contains(a.AQL, documented) && (documented != a.Unified || len(a.AQL) == 1) {
		return documented
	}
	for _, t := range a.Semantic() {
		if StandsFor(o.Endpoint, t) || documented != "" && documented != a.Unified && strings.HasSuffix(t, documented) {
			return t
		}
	}
	if documented == a.Unified && documented != "" {
		return documented
	}
	if a.Unified != "" {
		return a.Unified
	}
	if o.Name == "introspect" {
		return a.Introspect
	}
	return documented
}
