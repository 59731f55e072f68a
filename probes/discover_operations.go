package probes

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
)

// An entry is an operation in a listing.
type entry struct {
	name  string
	group string // the member under which it stands; empty where they are not grouped
	Value
}

// listed finds the operations in the data of a listing: data.operations, else data itself,
// else the only array in it, else lists grouped in an object, else an object by name.
func listed(data Value) []entry {
	group := data
	if !data.At("operations").Is(Absent) {
		group = data.At("operations")
	}
	var all []entry
	for _, item := range group.Items() {
		all = append(all, entry{Value: item})
	}
	byName := false
	for _, m := range group.Members() {
		switch {
		case strings.HasPrefix(m.Name, "_"):
		case m.Value.Is(Array):
			for _, item := range m.Value.Items() {
				all = append(all, entry{group: m.Name, Value: item})
			}
		case m.Value.Is(Object) && data.At("operations").Is(Object):
			all, byName = append(all, entry{name: m.Name, Value: m.Value}), true
		}
	}
	if !byName {
		nameOf := naming(all)
		for i, e := range all {
			all[i].name = cmp.Or(nameOf(e.Value), e.Text())
		}
	}
	return slices.DeleteFunc(all, func(e entry) bool { return e.name == "" })
}

// maxNaming bounds the members that are tried as the name: their number is the adapter's.
const maxNaming = 20

// naming says which member of the entries of a listing names the operation: name, else the
// first text that is another word in each of them.
func naming(all []entry) func(Value) string {
	member := "name"
	if len(all) > 0 && !slices.ContainsFunc(all, func(e entry) bool { return e.Has("name") }) {
		members := all[0].Members()
		for _, m := range members[:min(len(members), maxNaming)] {
			seen := map[string]bool{}
			for _, e := range all {
				if text := e.At(m.Name).Text(); text != "" && !strings.ContainsAny(text, " \t\n") {
					seen[text] = true
				}
			}
			if len(seen) == len(all) {
				member = m.Name
				break
			}
		}
	}
	return func(v Value) string { return v.At(member).Text() }
}

func (a *Adapter) readOperations(ctx context.Context, ask Asker) {
	a.readListing(ctx, ask)
	data := a.Listed.Data()
	a.Protocol = data.At("_protocol")
	if !data.At("operations").Is(Array) {
		a.depart("the operations are not an array at data.operations")
	}
	groups := map[string]string{}
	for _, page := range a.Listings {
		for _, e := range listed(page.Data()) {
			if _, known := groups[e.name]; known {
				continue
			}
			groups[e.name] = e.group
			a.Operations = append(a.Operations, Operation{Name: e.name, Summary: e.Value})
		}
	}
	a.readDetails(ctx, ask)
	for i := range a.Operations {
		o := &a.Operations[i]
		o.Category = cmp.Or(o.Details.At("semantic_category").Text(), o.Summary.At("semantic_category").Text())
		o.Endpoint = cmp.Or(o.Details.At("endpoint").Text(), o.Summary.At("endpoint").Text(), groups[o.Name])
		o.Parameters = ReadParameters(o.Details)
	}
}

// readDetails looks up each operation. Where no lookup of the documented form answers with a
// record, another form is tried with one operation, and taken for all if it works; else an
// entry of the listing that holds the parameters is the record itself.
func (a *Adapter) readDetails(ctx context.Context, ask Asker) {
	found := a.lookUpAll(ctx, ask)
	if len(a.Operations) == 0 {
		return
	}
	for i := 0; !found && i < len(lookupForms); i++ {
		a.asks.lookup = lookupForms[i]
		if found = record(ask.Ask(ctx, a.Lookup("operations", a.Operations[0].Name)).Data()).Is(Object); found {
			a.depart("introspect shows an operation only when asked otherwise than documented")
			a.lookUpAll(ctx, ask)
		}
	}
	if !found {
		a.asks.lookup = nil
	}
	for i := range a.Operations {
		if o := &a.Operations[i]; !o.Details.Is(Object) && (o.Summary.Has("parameters") || o.Summary.Has("params")) {
			o.Details = o.Summary
		}
	}
}

// lookUpAll reports whether one of the operations was shown.
func (a *Adapter) lookUpAll(ctx context.Context, ask Asker) bool {
	each(len(a.Operations), func(i int) {
		a.Operations[i].Details = record(ask.Ask(ctx, a.Lookup("operations", a.Operations[i].Name)).Data())
	})
	return slices.ContainsFunc(a.Operations, func(o Operation) bool { return o.Details.Is(Object) })
}

// record is what an answer says of one operation: data.operation, else data itself, else
// the only element of data.operations.
func record(data Value) Value {
	if one := data.At("operation"); one.Is(Object) {
		return one
	}
	if data.Has("parameters") {
		return data
	}
	if list := data.At("operations").Items(); len(list) == 1 && list[0].Has("parameters") {
		return list[0]
	}
	return Value{}
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
	if longer := a.beginning(documented); len(longer) == 1 {
		return longer[0]
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

// beginning returns the endpoint tools whose names are the documented one and a suffix.
func (a *Adapter) beginning(documented string) []string {
	if documented == "" || slices.Contains(a.AQL, documented) {
		return nil
	}
	return slices.DeleteFunc(a.Semantic(), func(t string) bool { return !strings.HasPrefix(t, documented) })
}
