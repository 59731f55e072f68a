package zoo

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
	"github.com/aql-conform/aql-conform/reference-adapter/habits"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
)

var moment = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)`)

// replay answers calls one after the other. Each answer is kept as its leaves by their
// paths, without times.
func replay(a *adapter.Adapter, calls []adapter.ToolCall) []map[string]string {
	s := &adapter.Session{}
	out := make([]map[string]string, len(calls))
	for i, c := range calls {
		var answer any
		text := moment.ReplaceAllString(adapter.Printed(a.Answer(s, a.HeartTool(c.Tool), c.Arguments)), "T")
		if err := json.Unmarshal([]byte(text), &answer); err != nil {
			answer = text
		}
		out[i] = map[string]string{}
		leaves(out[i], "", answer)
	}
	return out
}

// leaves notes what stands at each path of a value. A container is noted as well, so that an
// empty one is not taken for nothing.
func leaves(found map[string]string, path string, value any) {
	found[path] = fmt.Sprintf("%T", value)
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			leaves(found, path+"."+name, member)
		}
	case []any:
		for i, item := range value {
			leaves(found, fmt.Sprint(path, "[", i, "]"), item)
		}
	default:
		found[path] += fmt.Sprint(" ", value)
	}
}

// differs reports whether an answer has a leaf that two healthy answers agree on and it does not.
func differs(healthy, again, other map[string]string) bool {
	for path, leaf := range healthy {
		if same, ok := again[path]; !ok || same != leaf {
			if now, there := other[path]; ok && !there || there && ok && kindOf(now) != kindOf(leaf) {
				return true
			}
			continue
		}
		if now, ok := other[path]; !ok || now != leaf {
			return true
		}
	}
	for path := range other {
		_, known := healthy[path]
		if _, too := again[path]; !known && !too {
			return true
		}
	}
	return false
}

// kindOf is the type that a leaf begins with.
func kindOf(leaf string) string { kind, _, _ := strings.Cut(leaf, " "); return kind }

// Shows reports whether a fault changes the answer to any of the calls, beyond what is
// another each time. What a fault does to messages outside of calls is not looked at; such a
// fault shows.
func Shows(d habits.Description, f seam.Fault, calls []adapter.ToolCall) bool {
	h := f.Hooks
	if h.Ask != nil || h.Answer != nil || h.Notified != nil || h.Sent != nil || h.Input != nil || h.Fatal != nil || h.Silent || len(calls) == 0 {
		return true
	}
	if f.Features != "" {
		return true // the healthy adapter that was asked does not offer them
	}
	cfg := stand.Config{Mode: f.Mode, Profile: f.Profile, Description: d, Features: ""}
	broken := cfg
	broken.Fault = f.ID + "." + f.Variant
	var answers [3][]map[string]string
	for i, c := range []stand.Config{cfg, cfg, broken} {
		a, err := stand.New(c)
		if err != nil {
			return true
		}
		answers[i] = replay(a, calls)
	}
	for i, healthy := range answers[0] {
		if differs(healthy, answers[1][i], answers[2][i]) {
			return true
		}
	}
	return false
}
