package export

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
)

// SensitiveHints returns all texts in hint values for sensitive parameters.
func SensitiveHints(a *probes.Adapter, h fixtures.Hints) []string {
	var found []string
	for _, o := range a.Operations {
		for _, p := range o.Parameters {
			if !check.IsSensitive(p) {
				continue
			}
			for _, value := range hintedValues(h, o.Name, p.Name) {
				found = collectTexts(value, found)
			}
		}
	}
	return found
}

// hintedValues returns all values in the hints for a parameter of an operation.
func hintedValues(h fixtures.Hints, operation, parameter string) []json.RawMessage {
	values := slices.Concat(h.Samples[operation][parameter], h.Samples["*"][parameter])
	params := []map[string]json.RawMessage{h.Safety.Agent.Params}
	for _, c := range []fixtures.Call{h.Credentials, h.FaultTrigger, h.BigResponse, {Operation: h.Confirm.Operation, Params: h.Confirm.Params}} {
		if c.Operation == operation {
			params = append(params, c.Params)
		}
	}
	for _, e := range h.Expect {
		if e.Operation == operation {
			params = append(params, e.Params)
		}
	}
	l := h.Lifecycle[operation]
	for _, p := range append(params, l.Long, l.Fail, l.Pending) {
		if v, named := p[parameter]; named {
			values = append(values, v)
		}
	}
	return values
}

// collectTexts appends every string and number in a JSON value to found.
func collectTexts(raw json.RawMessage, found []string) []string {
	var list []json.RawMessage
	var object map[string]json.RawMessage
	var text string
	switch {
	case json.Unmarshal(raw, &text) == nil:
		return append(found, text)
	case json.Unmarshal(raw, &list) == nil:
		for _, item := range list {
			found = collectTexts(item, found)
		}
		return found
	case json.Unmarshal(raw, &object) == nil:
		for _, name := range slices.Sorted(maps.Keys(object)) {
			found = collectTexts(object[name], found)
		}
		return found
	}
	return append(found, string(raw))
}
