package adapter

import (
	"fmt"
	"slices"
	"testing"
)

// Every habit keeps its word: what introspection shows works as shown, and what is
// answered has the members that its type documents.
func TestHabitsKeepTheirWord(t *testing.T) {
	for _, axis := range Axes() {
		for _, habit := range axis.Habits {
			t.Run(axis.Name+"/"+habit.Name, func(t *testing.T) {
				t.Parallel()
				if habit.Section == "" {
					t.Error("no section permits it")
				}
				keepsItsWord(t, Described(7, map[string]string{axis.Name: habit.Name}))
			})
		}
	}
}

func TestStrangersKeepTheirWord(t *testing.T) {
	for seed := range uint64(60) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			keepsItsWord(t, Zoo(seed))
		})
	}
}

// A guest speaks with an adapter as a client would that knows nothing but introspection.
type guest struct {
	*testing.T
	*Adapter
	session *session
}

func keepsItsWord(t *testing.T, d Description) {
	a, err := New(Config{Description: d})
	if err != nil {
		t.Fatal(err)
	}
	g := guest{t, a, &session{}}
	var removals []any
	for _, item := range array(g.asked("introspect", map[string]any{"query": "operations"})["operations"]) {
		name := object(item)["name"].(string)
		switch object(item)["semantic_category"] {
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
	e := g.answer(g.session, unified, []byte(printed(request(operation, params))))
	if !succeeded(e) && object(e["error"])["message"] == "The store is busy; try the same call again" {
		return g.asked(operation, params)
	}
	if !succeeded(e) {
		g.Errorf("%s %s is answered with %s", operation, printed(params), printed(e))
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
	op := object(g.asked("introspect", map[string]any{"query": "operations", "name": name})["operation"])
	if op == nil {
		g.Errorf("%s is listed and cannot be looked up", name)
		return
	}
	if name == "introspect" {
		return
	}
	kind := object(g.asked("introspect", map[string]any{"query": "types", "name": object(op["returns"])["name"]})["type"])
	if kind == nil {
		g.Errorf("%s returns the unknown type %v", name, object(op["returns"])["name"])
		return
	}
	for _, item := range array(op["examples"]) {
		sent := object(object(item)["request"])
		if object(sent["params"])["execution_id"] != nil {
			continue // of an export that nobody has started
		}
		data := g.asked(name, object(sent["params"]))
		if kind["kind"] == "scalar" || data[""] != nil {
			continue
		}
		var known []string
		for _, f := range array(kind["fields"]) {
			known = append(known, object(f)["name"].(string))
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
	axes := Axes()
	left := uncovered(axes)
	all := len(left)
	for seed := range uint64(Paired()) {
		if d := Zoo(seed + 1); !Withheld(seed + 1) {
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

func rowOf(axes []Axis, d Description) []int {
	row := make([]int, len(axes))
	for i, axis := range axes {
		row[i] = max(0, slices.IndexFunc(axis.Habits, func(h Habit) bool { return h.Name == d.Habits[axis.Name] }))
	}
	return row
}

// A seed is the same stranger each time, and two seeds are two strangers.
func TestSeedsAreStrangers(t *testing.T) {
	seen := map[string]uint64{}
	for seed := range uint64(200) {
		d := Zoo(seed)
		if printed(d) != printed(Zoo(seed)) {
			t.Errorf("seed %d is not the same twice", seed)
		}
		text := printed([]any{d.Habits, d.Names})
		if other, known := seen[text]; known {
			t.Errorf("seeds %d and %d are one stranger", other, seed)
		}
		seen[text] = seed
	}
}

// A third of the habits comes from adapters whose authors had read the specification alone.
func TestThirdOfTheHabitsIsForeign(t *testing.T) {
	all, foreign := 0, 0
	for _, axis := range Axes() {
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
