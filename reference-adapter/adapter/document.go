package adapter

import (
	"cmp"
	"maps"
	"slices"
)

// A Document is a description with everything that an engine needs in order to serve it:
// the tables of the heart, in the names of the heart, before any habit.
type Document struct {
	Description
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

// Document returns the description with the tables of the heart.
func (d Description) Document() (Document, error) {
	a, err := New(Config{Features: "usual," + etags + "," + aggregating + "," + computing, Mode: "all"})
	if err != nil {
		return Document{}, err
	}
	doc := Document{Description: d, Usual: usual, Families: map[string][]any{}, Presets: map[string]any{}, Messages: map[string]any{}, Axes: map[string][]string{}}
	for _, op := range a.operations {
		doc.Operations = append(doc.Operations, a.tabled(op))
	}
	for _, kind := range a.types {
		record := object(plain(kind))
		record["feature"], record["fields"] = kind.Feature, fielded(kind.Fields)
		doc.Types = append(doc.Types, record)
	}
	for name, p := range profiles {
		for _, f := range p.families {
			hosts := []string{}
			for _, op := range a.operations {
				if p.of(op) == f.name {
					hosts = append(hosts, op.Name)
				}
			}
			doc.Families[name] = append(doc.Families[name], map[string]any{"name": f.name, "purpose": f.purpose, "read_only": f.readOnly, "operations": hosts})
		}
	}
	doc.Notes, doc.Folders = inOrder(a.store.notes), a.store.foldersInOrder()
	for kind, preset := range presets {
		doc.Presets[kind] = preset
	}
	for language, sentences := range messages() {
		doc.Messages[language] = sentences
	}
	for _, axis := range Axes() {
		for _, h := range axis.Habits {
			doc.Axes[axis.Name] = append(doc.Axes[axis.Name], h.Name)
		}
	}
	doc.Told, err = d.told()
	return doc, err
}

// shaping are the axes that say how a stored object looks.
var shaping = []string{"language", "place of the verb", "name of the key", "key", "size"}

// disturbing are the axes that change answers now and then, and those that the adapter of the heart
// alone has.
var disturbing = []string{"trouble", "others", "pace", "on its way out", "a value of the library"}

// told asks an adapter with the description, without the habits that disturb. The listing is
// whole; an engine serves it in pages where that is the habit.
func (d Description) told() (t Told, err error) {
	a, err := New(Config{Description: d.without(func(axis string) bool { return slices.Contains(disturbing, axis) })})
	if err != nil {
		return t, err
	}
	unpaged, err := New(Config{Description: d.without(func(axis string) bool { return axis == listingAxis || slices.Contains(disturbing, axis) })})
	if err != nil {
		return t, err
	}
	b, err := New(Config{Description: d.without(func(axis string) bool { return !slices.Contains(shaping, axis) })})
	if err != nil {
		return t, err
	}
	introspect := func(params map[string]any) map[string]any { return a.told(d.Names, "introspect", params) }
	t = Told{Operations: map[string]any{}, Types: map[string]any{}, Stored: map[string]any{}, Instructions: a.instructions()}
	for _, tool := range a.tools() {
		t.Tools = append(t.Tools, tool)
	}
	listing, types := unpaged.told(d.Names, "introspect", map[string]any{"query": "operations"}), introspect(map[string]any{"query": "types"})
	t.Listing, t.TypeListing = listing, types
	for _, item := range array(listing["operations"]) {
		name, _ := object(item)["name"].(string)
		t.Operations[name] = introspect(map[string]any{"query": "operations", "name": name})["operation"]
	}
	for _, item := range array(types["types"]) {
		name, _ := object(item)["name"].(string)
		t.Types[name] = introspect(map[string]any{"query": "types", "name": name})["type"]
	}
	for role, list := range map[string]string{"notes": "list_notes", "folders": "list_folders"} {
		t.Stored[role] = b.told(d.Names, list, map[string]any{})["items"]
	}
	return t, nil
}

// without is the description with the first habit of each axis that is dropped.
func (d Description) without(dropped func(axis string) bool) Description {
	d.Habits = maps.Clone(d.Habits)
	maps.DeleteFunc(d.Habits, func(axis, _ string) bool { return dropped(axis) })
	return d
}

// told is the data that the operation of a role answers.
func (a *Adapter) told(names map[string]string, role string, params map[string]any) map[string]any {
	at := slices.IndexFunc(a.operations, func(op operation) bool { return op.Name == role })
	name := cmp.Or(names["operation "+role], role)
	body := printed(map[string]any{"operation": name, "params": params})
	return object(plain(a.answer(&session{}, a.heartTool(a.toolOf(a.operations[at])), []byte(body))["data"]))
}

// tabled is one row of the table of operations, with the features that it needs.
func (a *Adapter) tabled(op operation) map[string]any {
	record := object(plain(a.details(op.Name)))
	delete(record, "endpoint")
	delete(record, "mcpTool")
	record["feature"], record["parameters"] = op.Feature, fielded(op.Parameters)
	return record
}

func fielded(list []parameter) []any {
	out := []any{}
	for _, p := range list {
		record := object(plain(p))
		record["feature"] = p.Feature
		out = append(out, record)
	}
	return out
}
