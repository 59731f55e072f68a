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

// An address and a key of a cipher are others for each object, and keep their forms.
func TestEachObjectHasItsOwnAddressAndSecret(t *testing.T) {
	o := probes.Operation{Name: "add_member", Category: "CREATE"}
	for _, record := range []string{`{"name":"mail","type":"string","required":true,"format":"email"}`,
		`{"name":"public_key","type":"string","required":true,"pattern":"^ssh-ed25519 [A-Za-z0-9+/]{20,400}$"}`} {
		raw, _ := probes.ParseValue([]byte(record))
		o.Parameters = append(o.Parameters, probes.Parameter{Name: raw.At("name").Text(), Type: "string", Required: true, Raw: raw})
	}
	f := &Adapter{Adapter: &probes.Adapter{Operations: []probes.Operation{o}}, Nonce: "k3f9x2ab"}
	f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: f.Nonce}
	params := map[string]any{}
	for _, p := range o.Parameters {
		params[p.Name] = f.valuesFor(o, p)[0].Go()
	}
	f.KnownGood = map[string]KnownGood{o.Name: {State: Proven, Probe: f.Request(o, params)}}
	s := Subject{Adapter: f, Name: o.Name, Op: o}
	for _, p := range o.Parameters {
		first, second := ValueIn(s.freshCall(1000), p.Name), ValueIn(s.freshCall(2000), p.Name)
		if first.Equal(second) || f.Misfit(p, first) != "" || f.Misfit(p, second) != "" {
			t.Errorf("%s: %s and %s", p.Name, first, second)
		}
	}
}

// What is made in an object of the run comes before what is made in one of others, however well that matches.
func TestCreationPrefersParentsOfTheRun(t *testing.T) {
	p := probes.Parameter{Name: "project_path", Type: "string", Required: true, Identifies: true}
	f := &Adapter{Adapter: &probes.Adapter{}, scalarsFor: map[string][]int{"projectpath": {0, 1}}, Scalars: []Scalar{
		{op: "list_builds", noun: "build", key: "project_path", depth: 1, Value: probes.ValueOf("acme/shop")},
		{op: "create_project", noun: "project", key: "path", depth: 1, Value: probes.ValueOf("a/a"), Own: true},
	}}
	for category, want := range map[string]string{"CREATE": "a/a", "READ": "acme/shop"} {
		if got := f.earlierValues(probes.Operation{Name: "x_key", Category: category}, p)[0].Text(); got != want {
			t.Errorf("%s takes %s, want %s", category, got, want)
		}
	}
}

// A required object of a creation is its body, unless an update takes it as one field beside other parameters of the creation.
func TestAnObjectThatAnUpdateTakesIsAField(t *testing.T) {
	const exposure = `{"name":"exposure","type":"object","required":true,"fields":[{"name":"seconds","type":"number","required":true}]}`
	const target = `{"name":"target","type":"string","required":true}`
	for _, c := range []struct {
		takes, input string
		body         bool
	}{
		{target + "," + exposure, `{"name":"input","type":"object","required":true,"fields":[` + target + "," + exposure + `]}`, false},
		{exposure, `{"name":"input","type":"object","required":true,"fields":[` + exposure + `]}`, true},
		{target + "," + exposure, `{"name":"input","type":"object","required":true,"fields":[` + target + `]}`, true},
	} {
		operation := func(name, category, parameters string) probes.Operation {
			details, err := probes.ParseValue([]byte(`{"parameters":[` + parameters + `]}`))
			if err != nil {
				t.Fatal(err)
			}
			return probes.Operation{Name: name, Category: category, Tool: "aql", Details: details, Parameters: probes.ReadParameters(details)}
		}
		const id = `{"name":"request_id","type":"string","required":true}`
		a := &probes.Adapter{Conn: "main", Operations: []probes.Operation{operation("create_request", "CREATE", c.takes), operation("get_request", "READ", id),
			operation("update_request", "UPDATE", id+","+c.input), operation("delete_request", "DELETE", id)}}
		f := &Adapter{Adapter: a, Nonce: "k3f9x2ab", Rules: gate.NewRules(a, Permissions{Create: true, Update: true, Delete: true}, fixtures.Hints{})}
		if _, _, ok := f.body(a.Operations[0]); ok != c.body {
			t.Errorf("create_request(%s), update_request(%s): body %v", c.takes, c.input, ok)
		}
	}
}
