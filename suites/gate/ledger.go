package gate

import (
	"encoding/json"
	"maps"

	"github.com/aql-conform/aql-conform/probes"
)

// A Ledger keeps what a run made where it outlives the run. It is told before an object
// is made, when more is known of it, and when it is gone.
type Ledger interface {
	Begin(Entry) (n int, err error)
	Known(Entry)
	Gone(n int)
	Suspect(operation string) // after it, an object of others had changed
}

// An Entry is one object in a ledger.
type Entry struct {
	N      int                        `json:"n"`
	Made   string                     `json:"made"`             // operation
	Fields map[string][]string        `json:"fields,omitempty"` // what tells it: texts by field, with each value that a field was given
	Key    map[string]json.RawMessage `json:"key,omitempty"`    // what identifies it; empty until the adapter has told
	Remove json.RawMessage            `json:"remove,omitempty"` // arguments of the call that removes it
	Tool   string                     `json:"tool,omitempty"`   // and its tool
}

type noLedger struct{}

func (noLedger) Begin(Entry) (int, error) { return 0, nil }
func (noLedger) Known(Entry)              {}
func (noLedger) Gone(int)                 {}
func (noLedger) Suspect(string)           {}

// entry is the object as it stands in a ledger.
func (o *object) entry() Entry {
	e := Entry{N: o.n, Made: o.op, Fields: o.fields}
	if len(o.fields) > len(o.home) { // who cleans up later believes the marks alone
		e.Fields = maps.Clone(o.fields)
		maps.DeleteFunc(e.Fields, func(name string, _ []string) bool { return o.home[name] != nil })
	}
	key := o.key
	if key == nil && len(o.may) > 0 {
		key = o.may[0] // the likeliest; who cleans up believes nothing that a read does not show
	}
	if key == nil && o.kind.Listed() { // a later run finds the children within their parent
		e.Key = map[string]json.RawMessage{}
		for _, name := range o.kind.Within() {
			if v := memberLike(o.params, name); scalar(v) {
				e.Key[name] = v.Raw()
			}
		}
	}
	if key == nil {
		return e
	}
	e.Key = map[string]json.RawMessage{}
	for i, name := range o.kind.Key {
		e.Key[name] = key[i].Raw()
	}
	if call, ok := (&object{kind: o.kind, conn: o.conn, key: key}).removal(); ok {
		e.Tool, e.Remove = call.Tool, call.Arguments()
	}
	return e
}

// removal is the call that removes the object.
func (o *object) removal() (probes.Probe, bool) {
	d := o.kind.Remove
	if d.Name == "" || o.key == nil {
		return probes.Probe{}, false
	}
	params := map[string]any{}
	for i, name := range o.kind.Key {
		params[parameter(d, name).Name] = o.key[i].Go()
	}
	for _, p := range d.Parameters {
		if v, ok := plainValue(p); p.Required && params[p.Name] == nil && ok {
			params[p.Name] = v
		}
	}
	return probes.Call(o.conn, d.Tool, d.Name, params), true
}

// plainValue is what a removal is given beside the identifier: a reason, a confirmation,
// one of the values that are documented.
func plainValue(p probes.Parameter) (v any, ok bool) {
	for _, known := range []probes.Value{p.Raw.At("default"), p.Raw.At("example"), first(p.Raw.At("enum").Items())} {
		if !known.Is(probes.Absent) {
			return known.Go(), true
		}
	}
	switch p.Type {
	case "boolean":
		return true, true
	case "string":
		return "made by a conformance run", true
	}
	return nil, false
}
