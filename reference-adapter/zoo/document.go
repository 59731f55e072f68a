package zoo

import (
	"cmp"
	"maps"
	"slices"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/habits"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
)

// A Document is a description with everything that an engine needs in order to serve it:
// the tables of the heart, in the names of the heart, before any habit.
type Document struct {
	habits.Description
	Operations []any               `json:"operations"`
	Types      []any               `json:"types"`
	Families   map[string][]any    `json:"families"` // profile -> endpoint families
	Notes      []map[string]any    `json:"notes"`    // what is stored at the start
	Folders    []map[string]any    `json:"folders"`
	Presets    map[string]any      `json:"presets"` // type -> preset of fields -> names
	Usual      []string            `json:"usual"`   // features that are on unless a habit takes them away
	Messages   map[string]any      `json:"messages"`
	Axes       map[string][]string `json:"axes"` // axis -> habits, the first is that of the notes
	Told       Told                `json:"told"`
}

// Told is what the adapter says about itself, with its names and habits. An engine
// repeats it, and has to do as it says.
type Told struct {
	Instructions string         `json:"instructions"`
	Tools        []any          `json:"tools"`      // as tools/list has them
	Listing      any            `json:"listing"`    // data of the list of operations
	Operations   map[string]any `json:"operations"` // name -> its record
	TypeListing  any            `json:"type_listing"`
	Types        map[string]any `json:"types"`  // name -> its record
	Stored       map[string]any `json:"stored"` // "notes" and "folders" as they are stored at the start
}

// DocumentOf returns the description with the tables of the heart.
func DocumentOf(d habits.Description) (Document, error) {
	a, err := stand.New(stand.Config{Features: "usual," + adapter.Etags + "," + adapter.Aggregating + "," + adapter.Computing, Mode: "all"})
	if err != nil {
		return Document{}, err
	}
	doc := Document{Description: d, Usual: adapter.Usual, Families: map[string][]any{}, Presets: map[string]any{}, Messages: map[string]any{}, Axes: map[string][]string{}}
	for _, op := range a.Operations {
		doc.Operations = append(doc.Operations, tabled(a, op))
	}
	for _, kind := range a.Types {
		record := adapter.Object(adapter.Plain(kind))
		record["feature"], record["fields"] = kind.Feature, fielded(kind.Fields)
		doc.Types = append(doc.Types, record)
	}
	for name, p := range adapter.Profiles {
		for _, f := range p.Families {
			hosts := []string{}
			for _, op := range a.Operations {
				if p.Of(op) == f.Name {
					hosts = append(hosts, op.Name)
				}
			}
			doc.Families[name] = append(doc.Families[name], map[string]any{"name": f.Name, "purpose": f.Purpose, "read_only": f.ReadOnly, "operations": hosts})
		}
	}
	doc.Notes, doc.Folders = adapter.InOrder(a.Store.Notes), a.Store.FoldersInOrder()
	for kind, preset := range adapter.Presets {
		doc.Presets[kind] = preset
	}
	for language, sentences := range adapter.Messages() {
		doc.Messages[language] = sentences
	}
	for _, axis := range habits.Axes() {
		for _, h := range axis.Habits {
			doc.Axes[axis.Name] = append(doc.Axes[axis.Name], h.Name)
		}
	}
	doc.Told, err = toldOf(d)
	return doc, err
}

// shaping are the axes that say how a stored object looks.
var shaping = []string{"language", "place of the verb", "name of the key", "key", "size", "metadata holds", "tags are"}

// disturbing are the axes that change answers now and then, and those that the adapter of the heart
// alone has.
var disturbing = []string{"trouble", "others", "pace", "on its way out", "a value of the library"}

// toldOf asks an adapter with the description, without the habits that disturb. The listing is
// whole; an engine serves it in pages where that is the habit.
func toldOf(d habits.Description) (t Told, err error) {
	a, err := stand.New(stand.Config{Description: without(d, func(axis string) bool { return slices.Contains(disturbing, axis) })})
	if err != nil {
		return t, err
	}
	unpaged, err := stand.New(stand.Config{Description: without(d, func(axis string) bool { return axis == habits.ListingAxis || slices.Contains(disturbing, axis) })})
	if err != nil {
		return t, err
	}
	b, err := stand.New(stand.Config{Description: without(d, func(axis string) bool { return !slices.Contains(shaping, axis) })})
	if err != nil {
		return t, err
	}
	introspect := func(params map[string]any) map[string]any { return toldBy(a, d.Names, "introspect", params) }
	t = Told{Operations: map[string]any{}, Types: map[string]any{}, Stored: map[string]any{}, Instructions: a.Instructions()}
	for _, tool := range a.Tools() {
		t.Tools = append(t.Tools, tool)
	}
	listing, types := toldBy(unpaged, d.Names, "introspect", map[string]any{"query": "operations"}), introspect(map[string]any{"query": "types"})
	t.Listing, t.TypeListing = listing, types
	for _, item := range adapter.Array(listing["operations"]) {
		name, _ := adapter.Object(item)["name"].(string)
		t.Operations[name] = introspect(map[string]any{"query": "operations", "name": name})["operation"]
	}
	for _, item := range adapter.Array(types["types"]) {
		name, _ := adapter.Object(item)["name"].(string)
		t.Types[name] = introspect(map[string]any{"query": "types", "name": name})["type"]
	}
	for role, list := range map[string]string{"notes": "list_notes", "folders": "list_folders"} {
		t.Stored[role] = toldBy(b, d.Names, list, map[string]any{})["items"]
	}
	return t, nil
}

// without is the description with the first habit of each axis that is dropped.
func without(d habits.Description, dropped func(axis string) bool) habits.Description {
	d.Habits = maps.Clone(d.Habits)
	maps.DeleteFunc(d.Habits, func(axis, _ string) bool { return dropped(axis) })
	return d
}

// toldBy is the data that the operation of a role answers.
func toldBy(a *adapter.Adapter, names map[string]string, role string, params map[string]any) map[string]any {
	at := slices.IndexFunc(a.Operations, func(op adapter.Operation) bool { return op.Name == role })
	name := cmp.Or(names["operation "+role], role)
	body := adapter.Printed(map[string]any{"operation": name, "params": params})
	return adapter.Object(adapter.Plain(a.Answer(&adapter.Session{}, a.HeartTool(a.ToolOf(a.Operations[at])), []byte(body))["data"]))
}

// tabled is one row of the table of operations, with the features that it needs.
func tabled(a *adapter.Adapter, op adapter.Operation) map[string]any {
	record := adapter.Object(adapter.Plain(a.Details(op.Name)))
	delete(record, "endpoint")
	delete(record, "mcpTool")
	record["feature"], record["parameters"] = op.Feature, fielded(op.Parameters)
	return record
}

func fielded(list []adapter.Parameter) []any {
	out := []any{}
	for _, p := range list {
		record := adapter.Object(adapter.Plain(p))
		record["feature"] = p.Feature
		out = append(out, record)
	}
	return out
}
