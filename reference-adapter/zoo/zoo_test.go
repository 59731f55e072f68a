package zoo

import (
	"fmt"
	"slices"
	"testing"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/habits"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
)

// Every habit keeps its word: what introspection shows works as shown, and what is
// answered has the members that its type documents.
func TestHabitsKeepTheirWord(t *testing.T) {
	for _, axis := range habits.Axes() {
		for _, habit := range axis.Habits {
			t.Run(axis.Name+"/"+habit.Name, func(t *testing.T) {
				t.Parallel()
				if habit.Section == "" {
					t.Error("no section permits it")
				}
				keepsItsWord(t, habits.Described(7, map[string]string{axis.Name: habit.Name}))
			})
		}
	}
}

func TestStrangersKeepTheirWord(t *testing.T) {
	for seed := range uint64(60) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			keepsItsWord(t, Stranger(seed))
		})
	}
}

// A guest speaks with an adapter as a client would that knows nothing but introspection.
type guest struct {
	*testing.T
	*adapter.Adapter
	session *adapter.Session
}

func keepsItsWord(t *testing.T, d habits.Description) {
	a, err := stand.New(stand.Config{Description: d})
	if err != nil {
		t.Fatal(err)
	}
	g := guest{t, a, &adapter.Session{}}
	var removals []any
	for _, item := range adapter.Array(g.asked("introspect", map[string]any{"query": "operations"})["operations"]) {
		name := adapter.Object(item)["name"].(string)
		switch adapter.Object(item)["semantic_category"] {
		case "DELETE":
			removals = append(removals, name)
		case "EXECUTE": // its examples build on each other
		default:
			g.try(name)
		}
	}
	for _, name := range removals {
		g.try(name.(string))
	}
}

// asked returns what an operation answers, in a member without a name if it is no object.
func (g guest) asked(operation string, params map[string]any) map[string]any {
	g.Helper()
	e := g.Answer(g.session, adapter.Unified, []byte(adapter.Printed(adapter.Request(operation, params))))
	if !adapter.Succeeded(e) && adapter.Object(e["error"])["message"] == "The store is busy; try the same call again" {
		return g.asked(operation, params)
	}
	if !adapter.Succeeded(e) {
		g.Errorf("%s %s is answered with %s", operation, adapter.Printed(params), adapter.Printed(e))
	}
	data, ok := e["data"].(map[string]any)
	if !ok {
		data = map[string]any{"": e["data"]}
	}
	return data
}

// try carries out the examples of an operation and compares the answers with its type.
func (g guest) try(name string) {
	g.Helper()
	op := adapter.Object(g.asked("introspect", map[string]any{"query": "operations", "name": name})["operation"])
	if op == nil {
		g.Errorf("%s is listed and cannot be looked up", name)
		return
	}
	if name == "introspect" {
		return
	}
	kind := adapter.Object(g.asked("introspect", map[string]any{"query": "types", "name": adapter.Object(op["returns"])["name"]})["type"])
	if kind == nil {
		g.Errorf("%s returns the unknown type %v", name, adapter.Object(op["returns"])["name"])
		return
	}
	for _, item := range adapter.Array(op["examples"]) {
		sent := adapter.Object(adapter.Object(item)["request"])
		if adapter.Object(sent["params"])["execution_id"] != nil {
			continue // of an export that nobody has started
		}
		data := g.asked(name, adapter.Object(sent["params"]))
		if kind["kind"] == "scalar" || data[""] != nil {
			continue
		}
		var known []string
		for _, f := range adapter.Array(kind["fields"]) {
			known = append(known, adapter.Object(f)["name"].(string))
		}
		for member := range data {
			if member != "" && !slices.Contains(known, member) {
				g.Errorf("%s answers the member %q; its type %v has %v", name, member, kind["name"], known)
			}
		}
	}
}

// Each pair of habits that can stand together is shown by one of the first seeds.
func TestSeedsShowAllPairs(t *testing.T) {
	axes := habits.Axes()
	left := uncovered(axes)
	all := len(left)
	for seed := range uint64(Paired()) {
		if d := Stranger(seed + 1); !Withheld(seed + 1) {
			left.cover(rowOf(axes, d))
		}
	}
	if len(left) > 0 || all < 1000 {
		for p := range left {
			t.Errorf("not shown: %s: %s beside %s: %s", axes[p.i].Name, axes[p.i].Habits[p.at].Name, axes[p.j].Name, axes[p.j].Habits[p.other].Name)
		}
		t.Errorf("%d of %d pairs are not shown", len(left), all)
	}
}

func rowOf(axes []habits.Axis, d habits.Description) []int {
	row := make([]int, len(axes))
	for i, axis := range axes {
		row[i] = max(0, slices.IndexFunc(axis.Habits, func(h habits.Habit) bool { return h.Name == d.Habits[axis.Name] }))
	}
	return row
}

// A seed is the same stranger each time, and two seeds are two strangers.
func TestSeedsAreStrangers(t *testing.T) {
	seen := map[string]uint64{}
	for seed := range uint64(200) {
		d := Stranger(seed)
		if adapter.Printed(d) != adapter.Printed(Stranger(seed)) {
			t.Errorf("seed %d is not the same twice", seed)
		}
		text := adapter.Printed([]any{d.Habits, d.Names})
		if other, known := seen[text]; known {
			t.Errorf("seeds %d and %d are one stranger", other, seed)
		}
		seen[text] = seed
	}
}

// The tables of a stranger have one order.
func TestTablesHaveOneOrder(t *testing.T) {
	for _, shape := range []string{"edges", "wrapped", "bare array"} {
		var first string
		for range 8 {
			a, err := stand.New(stand.Config{Description: habits.Described(0, map[string]string{"list shape": shape})})
			if err != nil {
				t.Fatal(err)
			}
			if types := adapter.Printed(a.Types); first == "" {
				first = types
			} else if types != first {
				t.Fatalf("%s: the types come as %s and as %s", shape, first, types)
			}
		}
	}
}

// A third of the habits comes from adapters whose authors had read the specification alone.
func TestThirdOfTheHabitsIsForeign(t *testing.T) {
	all, foreign := 0, 0
	for _, axis := range habits.Axes() {
		for _, habit := range axis.Habits[1:] {
			all++
			if habit.From != "" {
				foreign++
			}
		}
	}
	if 3*foreign < all {
		t.Errorf("%d of %d habits", foreign, all)
	}
}
