package probes

import (
	"encoding/json"
	"maps"
	"slices"
)

// A Ref stands in params for a value that an earlier answer of the same scenario
// holds, for example the identifier of what it created.
type Ref struct {
	Step int      // index of the earlier probe
	Path []string // way below data
}

// From refers to a value below data of the answer to an earlier step.
func From(step int, path ...string) Ref { return Ref{step, path} }

// Identity is the first part of a path that begins in the identity of a new object, because the
// answer does not tell it.
const Identity = "(identity)"

// Told returns the value at a path of the answer, or of the identity.
func (o Observation) Told(path ...string) Value {
	if len(path) > 0 && path[0] == Identity {
		identity, _ := ParseValue([]byte(o.Identity))
		return identity.At(path[1:]...)
	}
	return o.Data().At(path...)
}

// MarshalJSON writes a Ref that was never resolved so that it can be seen.
func (r Ref) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]any{"$from": r.Step, "path": r.Path})
}

// Resolve replaces every Ref by the value the earlier observations hold; ok is
// false when one of them has no such value.
func (p Probe) Resolve(earlier []Observation) (Probe, bool) {
	if !refers(p.args) {
		return p, true
	}
	ok := true
	var walk func(x any) any
	walk = func(x any) any {
		switch t := x.(type) {
		case Ref:
			if t.Step < 0 || t.Step >= len(earlier) || earlier[t.Step].Told(t.Path...).Is(Absent) {
				ok = false
				return x
			}
			return json.RawMessage(earlier[t.Step].Told(t.Path...).Raw())
		case map[string]any:
			m := make(map[string]any, len(t))
			for _, k := range slices.Sorted(maps.Keys(t)) {
				m[k] = walk(t[k])
			}
			return m
		case []any:
			s := make([]any, len(t))
			for i := range t {
				s[i] = walk(t[i])
			}
			return s
		}
		return x
	}
	p.args = walk(p.args).(map[string]any)
	return p, ok
}

// refers reports whether there is a Ref in x.
func refers(x any) bool {
	switch t := x.(type) {
	case Ref:
		return true
	case map[string]any:
		for _, inner := range t {
			if refers(inner) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(t, refers)
	}
	return false
}

// Go returns the value in a form that can stand in Args.
func (v Value) Go() any {
	if v.Is(Absent) {
		return nil
	}
	return rawJSON(v.Raw())
}

type rawJSON []byte

func (r rawJSON) MarshalJSON() ([]byte, error) { return r, nil }
