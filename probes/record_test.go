package probes

import (
	"slices"
	"strings"
	"testing"
)

// Sorting head by head gives the order of the keys, whatever stands in them.
func TestInOrderIsTheOrderOfTheKeys(t *testing.T) {
	var all []*Kept
	for _, conn := range []string{"main", "main/2", "m"} {
		for _, name := range []string{"get", "get_item", `ge"t`, "", "é", "get item"} {
			for n := range 12 {
				call := Call(conn, "read", name, map[string]any{"id": strings.Repeat("a", n%3)}).Numbered(-n)
				for _, p := range []Probe{call, call.Top("agent", n), call.Drop("params"), CallWith(conn, "read", map[string]any{"operation": n}), Request(conn, name, nil), Request(conn, "tools/call", n), {Conn: conn, Frame: []byte(`{"arguments":{"operation":"get`), Number: n}} {
					all = append(all, Keep(Observation{Probe: p}))
				}
			}
		}
	}
	want := slices.Clone(all)
	slices.SortStableFunc(want, func(a, b *Kept) int { return strings.Compare(a.Key(), b.Key()) })
	half := len(all) / 2
	if got := inKeyOrder(inKeyOrder(nil, all[:half]), all[half:]); !slices.EqualFunc(got, want, func(a, b *Kept) bool { return a.Key() == b.Key() }) {
		t.Error("the observations are not in the order of their keys")
	}
}
