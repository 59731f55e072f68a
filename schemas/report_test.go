package schemas_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func reportSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	return published(t, "report-v1.schema.json")
}

// published compiles a published schema by itself, with format asserted.
func published(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	id := "https://github.com/aql-conform/aql-conform/raw/main/schemas/" + name
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource(id, doc); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile(id)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// goldenReports are the documents that the report writer is held to, by path.
func goldenReports(t *testing.T) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for _, name := range []string{"report.json", "baseline.json", "concluded.json"} {
		p := filepath.Join("../reports/testdata", name)
		raw, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		out[p] = raw
	}
	return out
}

func TestReportsFitTheirSchema(t *testing.T) {
	schema := reportSchema(t)
	for path, raw := range goldenReports(t) {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(doc); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// Every object of a report is closed and complete: a key more, or one of the
// prescribed keys less, is a departure.
func TestReportSchemaIsClosed(t *testing.T) {
	schema := reportSchema(t)
	optional := map[string]bool{
		"rootCause": true, "instances": true, "note": true,
		"sent": true, "reply": true, "replyBase64": true, "conclusion": true, "reach": true, "routing": true, "baseline": true,
		"reason": true, "departure": true, "known": true, "owner": true, "expires": true, "line": true,
	}
	for path, raw := range goldenReports(t) {
		var doc any
		if err := json.Unmarshal(raw, &doc); err != nil {
			t.Fatal(err)
		}
		objects := 0
		eachObject(doc, func(object map[string]any) {
			objects++
			object["surprise"] = true
			if schema.Validate(doc) == nil {
				t.Errorf("%s: an unknown key is accepted in %v", path, object)
			}
			delete(object, "surprise")
			for key, value := range object {
				if optional[key] {
					continue
				}
				delete(object, key)
				if schema.Validate(doc) == nil {
					t.Errorf("%s: nobody misses %q in %v", path, key, object)
				}
				object[key] = value
			}
		})
		if objects < 20 {
			t.Errorf("%s: only %d objects were tried", path, objects)
		}
	}
}

func eachObject(value any, visit func(map[string]any)) {
	switch v := value.(type) {
	case map[string]any:
		visit(v)
		for _, member := range v {
			eachObject(member, visit)
		}
	case []any:
		for _, member := range v {
			eachObject(member, visit)
		}
	}
}

func TestReportSchemaRefuses(t *testing.T) {
	schema := reportSchema(t)
	golden := goldenReports(t)
	for name, edit := range map[string]func(doc, finding map[string]any){
		"another major version":               func(d, _ map[string]any) { d["reportVersion"] = "2.0" },
		"a level that does not exist":         func(d, _ map[string]any) { d["conformanceLevel"] = 3.0 },
		"exit code 0 without a level":         func(d, _ map[string]any) { d["exitCode"] = 0.0 },
		"exit code 4 without a conclusion":    func(d, _ map[string]any) { d["exitCode"] = 4.0 },
		"an exit status that counts":          func(d, _ map[string]any) { d["exitCode"] = 17.0 },
		"a conclusion beside a verdict":       func(d, _ map[string]any) { d["conclusion"] = "died" },
		"a negative count":                    func(d, _ map[string]any) { d["summary"].(map[string]any)["fail"] = -1.0 },
		"a digest that is none":               func(d, _ map[string]any) { d["digest"] = "sha256" },
		"a local time":                        func(d, _ map[string]any) { d["startedAt"] = "2026-03-01T09:30:00.000+01:00" },
		"a verdict of its own":                func(_, f map[string]any) { f["verdict"] = "OK" },
		"level 0 instead of null":             func(_, f map[string]any) { f["level"] = 0.0 },
		"one instance":                        func(_, f map[string]any) { f["instances"] = []any{"a"} },
		"the same instance twice":             func(_, f map[string]any) { f["instances"] = []any{"a", "a"} },
		"an empty note":                       func(_, f map[string]any) { f["note"] = "" },
		"evidence both as text and in base64": func(_, f map[string]any) { firstExchange(f)["sentBase64"] = "e30=" },
		"a size without a digest":             func(_, f map[string]any) { firstExchange(f)["sentSize"] = 70000.0 },
		"a size of what fits": func(_, f map[string]any) {
			firstExchange(f)["sentSize"], firstExchange(f)["sentSha256"] = 12.0, noDigest
		},
		"evidence whose base64 is no base64":   func(_, f map[string]any) { delete(firstExchange(f), "sent"); firstExchange(f)["sentBase64"] = "{}" },
		"a standing of its own":                func(d, _ map[string]any) { levelOne(d)["verdict"] = "partial" },
		"a summary that is a string of counts": func(d, _ map[string]any) { d["summary"] = "3 pass" },
	} {
		var doc map[string]any
		if err := json.Unmarshal(golden["../reports/testdata/report.json"], &doc); err != nil {
			t.Fatal(err)
		}
		edit(doc, firstFailure(t, doc))
		if schema.Validate(doc) == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

// What no golden shows, being large: a frame that was cut.
func TestReportSchemaAcceptsCutEvidence(t *testing.T) {
	schema := reportSchema(t)
	var doc map[string]any
	if err := json.Unmarshal(goldenReports(t)["../reports/testdata/report.json"], &doc); err != nil {
		t.Fatal(err)
	}
	e := firstExchange(firstFailure(t, doc))
	delete(e, "sent")
	e["sentBase64"], e["sentSize"], e["sentSha256"] = "/w==", 65537.0, noDigest
	e["reply"], e["replySize"], e["replySha256"] = "{", 65537.0, noDigest
	if err := schema.Validate(doc); err != nil {
		t.Error(err)
	}
}

const noDigest = "0000000000000000000000000000000000000000000000000000000000000000"

func levelOne(doc map[string]any) map[string]any {
	return doc["levels"].(map[string]any)["1"].(map[string]any)
}

func firstExchange(finding map[string]any) map[string]any {
	return finding["evidence"].([]any)[0].(map[string]any)
}

// firstFailure is a finding that has evidence.
func firstFailure(t *testing.T, doc map[string]any) map[string]any {
	t.Helper()
	for _, f := range doc["findings"].([]any) {
		if f := f.(map[string]any); f["verdict"] == "FAIL" && len(f["evidence"].([]any)) > 0 {
			return f
		}
	}
	t.Fatal("the golden report has no failure with evidence")
	return nil
}
