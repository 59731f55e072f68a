package adapter

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
	return doc, nil
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
