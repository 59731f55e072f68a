package model

import (
	"regexp"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
	"github.com/aql-conform/aql-conform/suites/gate"
)

// A key that the client chooses and that cannot hold the mark is another one in each creation of a
// script, where it is a parameter and where it is a field of the new object.
func TestEachCreationOfAScriptHasItsOwnKey(t *testing.T) {
	const key = `{"name":"isbn","type":"string","required":true,"pattern":"^97[89][0-9]{10}$"}`
	const title = `{"name":"title","type":"string","required":true}`
	isbn := probes.ValueOf("9780000000000").Go()
	for name, c := range map[string]struct {
		takes string
		valid map[string]any
	}{
		"parameters": {key + "," + title, map[string]any{"isbn": isbn, "title": "aqlc-k3f9x2ab"}},
		"one object": {`{"name":"book","type":"object","required":true,"fields":[` + key + "," + title + `]}`,
			map[string]any{"book": map[string]any{"isbn": isbn, "title": "aqlc-k3f9x2ab"}}},
	} {
		t.Run(name, func(t *testing.T) {
			operation := func(name, category, parameters string) probes.Operation {
				details, err := probes.ParseValue([]byte(`{"parameters":[` + parameters + `]}`))
				if err != nil {
					t.Fatal(err)
				}
				return probes.Operation{Name: name, Category: category, Tool: "aql", Details: details, Parameters: probes.ReadParameters(details)}
			}
			a := &probes.Adapter{Conn: "main", Operations: []probes.Operation{operation("create_book", "CREATE", c.takes), operation("get_book", "READ", key), operation("delete_book", "DELETE", key)}}
			f := &Adapter{Adapter: a, Nonce: "k3f9x2ab", Gen: &generate.Generator{Adapter: a, Nonce: "k3f9x2ab"}, Rules: gate.NewRules(a, Permissions{Create: true, Update: true, Delete: true}, fixtures.Hints{})}
			f.KnownGood = map[string]KnownGood{"create_book": {State: Proven, Probe: f.Request(a.Operations[0], c.valid)}}
			kind := ObjectKind{TestObject: TestObject{Maker: Subject{Adapter: f, Name: "create_book", Op: a.Operations[0]}, Subject: Subject{Adapter: f}}}
			ps, ok := f.calls(Script{Conn: "main", Steps: []Step{kind.CreateStep(nil), kind.CreateStep(nil)}}, 2000)
			keys := regexp.MustCompile(`"97[89][0-9]{10}"`).FindAllString(string(ps[0].Payload())+string(ps[1].Payload()), -1)
			if !ok || len(keys) != 2 || keys[0] == keys[1] {
				t.Errorf("got the keys %v", keys)
			}
		})
	}
}
