package model

import (
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
)

// An adapter may store the codes that a client chooses in upper case, and its pattern may allow both cases. A code in
// the case of the documented examples is stored as it was sent.
func TestFreshKeyHasTheCaseOfTheExamples(t *testing.T) {
	code := probes.Parameter{Name: "code", Type: "string", Required: true, Raw: probes.ValueOf(map[string]any{"name": "code", "type": "string", "pattern": "^[A-Za-z]{6}$"})}
	for example, want := range map[string]func(string) string{
		"PYTHON": strings.ToUpper, "python": strings.ToLower, "Python": func(text string) string { return text }, "": func(text string) string { return text },
	} {
		details := probes.ValueOf(map[string]any{"examples": []any{map[string]any{"request": map[string]any{"params": map[string]any{"code": example}}}}})
		o := probes.Operation{Name: "add_course", Category: "CREATE", Parameters: []probes.Parameter{code}, Details: details}
		f := &Adapter{Adapter: &probes.Adapter{Operations: []probes.Operation{o}}}
		f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "k3f9x2ab"}
		for number := range 5 {
			if got := f.freshKey(code, number).Text(); len(got) != 6 || got != want(got) {
				t.Errorf("beside %q the key is %q", example, got)
			}
		}
	}
}

// A pattern may leave no room for the mark as it is. A key with the mark in another writing is one of the run still,
// and one that is drawn is not.
func TestFreshKeyIsTheMarkInAnotherWriting(t *testing.T) {
	f := &Adapter{Adapter: &probes.Adapter{}}
	f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "k3f9x2ab"}
	for pattern, want := range map[string][2]string{
		"^[A-Z][A-Z0-9_]{1,63}$": {"AQLC_K3F9X2AB", "AQLC_K3F9X2AB_7"},
		"^[a-z][a-z0-9_]{1,30}$": {"aqlc_k3f9x2ab", "aqlc_k3f9x2ab_7"},
		"^[A-Z0-9-]+$":           {"AQLC-K3F9X2AB", "AQLC-K3F9X2AB-7"},
		"^[a-z0-9]{4,20}$":       {"aqlck3f9x2ab", "aqlck3f9x2ab7"},
	} {
		p := probes.Parameter{Name: "name", Type: "string", Raw: probes.ValueOf(map[string]any{"name": "name", "type": "string", "pattern": pattern})}
		if got := [2]string{f.freshKey(p, 0).Text(), f.freshKey(p, 7).Text()}; got != want {
			t.Errorf("%s: the keys are %q, want %q", pattern, got, want)
		}
	}
}

// A key with room for the mark alone, and not for the number of a script as well, is drawn still.
func TestKeysWithoutRoomForNumbersAreDrawn(t *testing.T) {
	for pattern, want := range map[string]int{"^[a-z0-9]{1,10}$": 1, "^[a-z0-9]{1,30}$": 0} {
		f := documented(Permissions{Create: true, Delete: true}, fixtures.Hints{}, "CREATE create_part code", "READ get_part code", "DELETE delete_part code")
		f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "k3f9x2ab"}
		f.Operations[0].Parameters[0].Raw = probes.ValueOf(map[string]any{"name": "code", "type": "string", "pattern": pattern})
		if _, names := f.DrawnKeys("create_part"); len(names) != want {
			t.Errorf("%s: %q are drawn, want %d", pattern, names, want)
		}
	}
}

// A number that no two objects share is drawn anew where it is taken, below the bound that a refusal tells.
func TestNumbersOfOneObjectAloneAreDrawnAnew(t *testing.T) {
	seat := probes.Parameter{Name: "seat", Type: "integer", Required: true, Raw: probes.ValueOf(map[string]any{"name": "seat", "type": "integer", "minimum": 1, "maximum": 200})}
	f := &Adapter{Adapter: &probes.Adapter{Operations: []probes.Operation{{Name: "add_seat", Category: "CREATE", Parameters: []probes.Parameter{seat}}}},
		sole: map[string]bool{}, caps: map[string]float64{}}
	f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "k3f9x2ab"}
	if _, names := f.DrawnKeys("add_seat"); len(names) > 0 {
		t.Errorf("%v are drawn, and nothing tells that no two objects share them", names)
	}
	f.sole["add_seat.seat"] = true
	if _, names := f.DrawnKeys("add_seat"); len(names) != 1 {
		t.Errorf("%v are drawn", names)
	}
	sent := probes.Call("main", "aql", "add_seat", map[string]any{"seat": 178})
	if f.cap(seat, probes.ValueOf(90), refused(sent, "VALIDATION_OUT_OF_RANGE", "coach 8 has 80 seats", `{}`)) {
		t.Error("a bound below a number that is known to be valid is noted")
	}
	if !f.cap(seat, probes.ValueOf(2), refused(sent, "VALIDATION_OUT_OF_RANGE", "coach 8 has 80 seats", `{"received":178}`)) {
		t.Error("no bound is noted")
	}
	for number := range 50 {
		if n, _ := f.freshKey(seat, number).Float(); n < 1 || n > 80 {
			t.Errorf("seat %v is drawn", n)
		}
	}
}
