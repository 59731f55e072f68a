package reports

// A jsonBaseline holds all that Accept was told, so that the report can be judged once
// more from itself, and what came of it.
type jsonBaseline struct {
	File       string          `json:"file"`
	Narrowed   bool            `json:"narrowed,omitempty"`
	Known      int             `json:"known"`
	Entries    []jsonKnown     `json:"entries"`
	Departures []jsonDeparture `json:"departures"`
}

type jsonKnown struct {
	Line        int    `json:"line"`
	Requirement string `json:"requirement"`
	Operation   string `json:"operation"`
	Reason      string `json:"reason"`
	jsonOwner
}

// A jsonOwner is what an entry says of itself, in it and beside the failures it accepts.
type jsonOwner struct {
	Owner   string `json:"owner,omitempty"`
	Note    string `json:"note,omitempty"`
	Expires string `json:"expires,omitempty"`
}

type jsonDeparture struct {
	Kind        string `json:"kind"`
	Requirement string `json:"requirement"`
	Subject     string `json:"subject"`
	Reason      string `json:"reason,omitempty"`
	Line        int    `json:"line,omitempty"`
	Text        string `json:"text"`
}

// baseline is what a baseline made of the report; nil without one.
func (r *Report) baseline() *jsonBaseline {
	a := r.Baseline
	if a == nil {
		return nil
	}
	out := &jsonBaseline{File: a.File, Narrowed: a.Narrowed, Known: a.Known, Entries: []jsonKnown{}, Departures: []jsonDeparture{}}
	for i := range a.Entries {
		k := a.Entries[i]
		out.Entries = append(out.Entries, jsonKnown{k.Line, k.Requirement, k.Operation, k.Reason, jsonOwner{k.Owner, k.Note, k.Expires}})
	}
	for _, d := range a.Departures {
		line := 0
		if d.Known != nil {
			line = d.Known.Line
		}
		out.Departures = append(out.Departures, jsonDeparture{d.Kind, d.Requirement, d.Subject, d.Reason, line, d.Text})
	}
	return out
}

func (k *Known) owned() *jsonOwner {
	if k == nil {
		return nil
	}
	return &jsonOwner{k.Owner, k.Note, k.Expires}
}

// read gives back what Accept was told.
func (b *jsonBaseline) read() *Baseline {
	if b == nil {
		return nil
	}
	out := &Baseline{File: b.File, Narrowed: b.Narrowed}
	for _, k := range b.Entries {
		out.Entries = append(out.Entries, Known{k.Line, k.Requirement, k.Operation, k.Reason, k.Owner, k.Note, k.Expires})
	}
	return out
}
