package stand

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
)

// tour calls every operation once, with success.
var tour = []string{
	`INTRO {"operation":"introspect","params":{"query":"operations"}}`,
	`READ {"operation":"list_folders","params":{"fields":"minimal"}}`,
	`READ {"operation":"get_folder","params":{"folder_id":"folder_1"}}`,
	`CREATE {"operation":"create_folder","params":{"name":"Tour"}}`,
	`CREATE {"operation":"create_note","params":{"title":"Tour","folder_id":"folder_4","metadata":{"a":{"b":1,"c":2}}}}`,
	`UPDATE {"operation":"update_note","params":{"note_id":"note_6","input":{"metadata":{"a":{"b":null}}}}}`,
	`READ {"operation":"get_note","params":{"note_id":"note_6","fields":["metadata.a","title"]}}`,
	`READ {"operation":"list_notes","first":2}`,
	`READ {"operation":"search_notes","params":{"query":"budget","title_only":true}}`,
	`EXECUTE {"operation":"execute_export","params":{"folder_id":"folder_4"}}`,
	`READ {"operation":"get_export","params":{"execution_id":"export_1"}}`,
	`READ {"operation":"get_export","params":{"execution_id":"export_1"}}`,
	`EXECUTE {"operation":"execute_export","params":{"folder_id":"folder_1"}}`,
	`EXECUTE {"operation":"cancel_export","params":{"execution_id":"export_2"}}`,
	`EXECUTE {"operation":"cancel_exports"}`,
	`DELETE {"operation":"delete_note","params":{"note_id":"note_6","dry_run":true}}`,
	`DELETE {"operation":"delete_note","params":{"note_id":"note_6"}}`,
	`DELETE {"operation":"delete_folder","params":{"folder_id":"folder_4"}}`,
}

func TestEveryOperationWorksInEverySetting(t *testing.T) {
	for _, s := range settings {
		for transport, talk := range map[string]func(*testing.T, *adapter.Adapter, string) []string{"stdio": talk, "http": post} {
			t.Run(fmt.Sprint(s.mode, "/", s.profile, "/", transport), func(t *testing.T) {
				a, err := New(Config{Mode: s.mode, Profile: s.profile})
				if err != nil {
					t.Fatal(err)
				}
				before := a.Objects()
				lines := talk(t, a, s.messages(tour))
				if len(lines) != len(tour)+1 {
					t.Fatalf("%d answers to %d requests", len(lines), len(tour)+1)
				}
				for i, line := range lines[1:] {
					if e := envelopeOf(t, line); e["success"] != true {
						t.Errorf("%s\n\tanswered %s", tour[i], line)
					}
				}
				if after := a.Objects(); !slices.Equal(before, after) {
					t.Errorf("left behind: %v", after)
				}
				if calls := a.Calls(); len(calls) != len(tour) || calls[2].Operation != "get_folder" {
					t.Errorf("calls are not as sent: %v", calls)
				}
			})
		}
	}
}

func TestExamplesRunAndTypesResolve(t *testing.T) {
	a, _ := New(Config{Mode: "single"})
	s := settings[2]
	for _, op := range a.Operations {
		for _, p := range op.Parameters {
			_, known := a.TypeNamed(p.Type)
			if p.Type[0] < 'a' && !known {
				t.Errorf("%s: type %s is not registered", op.Name, p.Type)
			}
		}
		if kind, ok := a.TypeNamed(op.Returns.Name); !ok || kind.Kind != op.Returns.Kind {
			t.Errorf("%s: returns %s, which is not registered so", op.Name, op.Returns.Name)
		}
		for _, ex := range op.Examples {
			fresh, _ := New(Config{Mode: "single"})
			line := talk(t, fresh, s.messages([]string{"READ " + adapter.Printed(ex.Request)}))[1]
			e := envelopeOf(t, line)
			if e["success"] != true && e["error"].(map[string]any)["code"] != "NOT_FOUND_RESOURCE" {
				t.Errorf("example of %s: %s", op.Name, line)
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	for code, steps := range map[string][]string{
		"VALIDATION_MISSING_PARAM": {`READ {}`, `READ null`, `READ {"operation":"introspect"}`, `READ {"operation":"get_note","params":{"note_id":null}}`,
			`UPDATE {"operation":"update_note","params":{"note_id":"note_1"}}`},
		"VALIDATION_INVALID_TYPE": {`READ []`, `READ {"operation":1}`, `READ {"operation":"introspect","params":[]}`, `READ {"operation":"list_notes","params":{"first":1.5}}`,
			`UPDATE {"operation":"update_note","params":{"note_id":"note_1","input":[]}}`, `READ {"operation":"get_note","params":{"note_id":"note_1","fields":{}}}`,
			`READ {"operations":"introspect"}`},
		"VALIDATION_UNKNOWN_PARAM": {`READ {"operation":"introspect","params":{"query":"operations","x":1}}`, `READ {"operation":"list_notes","x":1}`, `READ {"operation":"list_notes","params":{"first":2,"x":1}}`,
			`READ {"operation":"introspect","params":{"query":"operations","operation":1}}`},
		"VALIDATION_UNKNOWN_FIELD": {`UPDATE {"operation":"update_note","params":{"note_id":"note_1","input":{"x":1}}}`,
			`UPDATE {"operation":"update_note","params":{"note_id":"note_1","input":{"note_id":"note_1"}}}`},
		"VALIDATION_INVALID_VALUE": {`READ {"operation":"introspect","params":{"query":"x"}}`, `READ {"operation":"list_notes","params":{"first":0}}`,
			`READ {"operation":"list_notes","params":{"after":"bm90ZV8y"}}`, `CREATE {"operation":"create_folder","params":{"name":"1"}}`,
			`READ {"operation":"list_notes","params":{"created_after":"yesterday"}}`, `READ {"operation":"get_note","params":{"note_id":"note_1","fields":["success"]}}`,
			`UPDATE {"operation":"update_note","params":{"note_id":"note_1","input":{"title":null}}}`, `READ {"operations":[]}`},
		"VALIDATION_ENDPOINT_MISMATCH": {`READ {"operation":"create_note"}`, `CREATE {"operation":"introspect"}`},
		"NOT_FOUND_OPERATION":          {`READ {"operation":"nothing"}`, `READ {"operation":""}`, `READ {"operation":"Introspect"}`, `READ {"operation":"constructor"}`},
		"NOT_FOUND_RESOURCE":           {`READ {"operation":"get_note","params":{"note_id":"x"}}`, `CREATE {"operation":"create_note","params":{"title":"x","folder_id":"x"}}`},
		"CONFLICT_FOLDER_NOT_EMPTY":    {`DELETE {"operation":"delete_folder","params":{"folder_id":"folder_1"}}`},
		"VALIDATION_INVALID_ENCODING": {"READ {\"operation\":\"introspect\",\"params\":{\"query\":\"operations\",\"name\":\"\xc0\xaf\"}}",
			`READ {"operation":"introspect","params":{"query":"operations","name":"\ud800"}}`, `READ {"operation":"introspect","_x":"\udc00"}`,
			`READ {"operation":"introspect","_x":"a\u0000"}`},
		"VALIDATION_PAYLOAD_TOO_LARGE": {
			`READ {"operation":"introspect","_x":` + strings.Repeat("[", 32) + strings.Repeat("]", 32) + `}`,
			`READ {"operation":"introspect","_x":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}`,
			`READ {"operation":"introspect","_x":[0` + strings.Repeat(",0", 10_000) + `]}`,
			`READ {"operation":"introspect","_x":"` + strings.Repeat("a", 1<<20) + `"}`},
	} {
		a, _ := New(Config{})
		before := a.Objects()
		for i, line := range talk(t, a, settings[0].messages(steps))[1:] {
			e := envelopeOf(t, line)
			if e["success"] != false || e["error"].(map[string]any)["code"] != code {
				t.Errorf("want %s for %.200s\n\tgot %s", code, steps[i], line)
			}
		}
		if !slices.Equal(before, a.Objects()) {
			t.Errorf("a refusal with %s had an effect", code)
		}
	}
}

func TestLegalOdditiesAreAccepted(t *testing.T) {
	a, _ := New(Config{})
	steps := []string{
		`READ {"operation":"introspect","params":{"query":"operations"},"_meta":{"a":1},"_request_id":"r","_x":1}`,
		`READ {"operation":"introspect","query":"types","params":{"query":"operations"}}`,
		`READ {"operation":"introspect","query":7,"params":{"query":"operations","name":"nothing"}}`,
		`READ {"operation":"list_notes","params":null}`,
		`READ {"operation":"search_notes","params":{"query":"\ud83d\ude00 caf\u00e9"}}`,
		`READ {"operation":"introspect","_x":` + strings.Repeat("[", 31) + strings.Repeat("]", 31) + `,"query":"types"}`,
		`READ {"operations":[{"operation":"introspect","params":{"query":"types"}},{"operation":"delete_note"},7]}`,
	}
	for i, line := range talk(t, a, settings[0].messages(steps))[1:] {
		if e := envelopeOf(t, line); e["success"] != true {
			t.Errorf("%s\n\tanswered %s", steps[i], line)
		}
	}
}

func TestBrokenMessagesDoNotEndTheSession(t *testing.T) {
	a, _ := New(Config{})
	messages := settings[0].messages(nil) + strings.Join([]string{
		`{"jsonrpc":"2.0","id":7,"method":`, `[1]`, `{"id":8,"method":"ping"}`, `{"jsonrpc":"2.0","id":9}`,
		`{"jsonrpc":"2.0","id":{},"method":"ping"}`, `{"jsonrpc":"2.0","id":null,"method":"ping"}`, "",
		`{"jsonrpc":"2.0","id":10,"method":"ping","params":{"x":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}}`,
		`{"jsonrpc":"2.0","id":11,"method":"tools/call","params":{"name":"` + strings.Repeat("x", 12<<20) + `"}}`,
		`{"jsonrpc":"2.0","id":"last","method":"ping"}`}, "\n") + "\n"
	lines := talk(t, a, messages)
	want := []int{-32700, -32600, -32600, -32600, -32600, -32600, -32600, -32600}
	for i, line := range lines[1 : len(lines)-1] {
		var answer struct{ Error struct{ Code int } }
		if err := json.Unmarshal([]byte(line), &answer); err != nil || i >= len(want) || answer.Error.Code != want[i] {
			t.Errorf("answer %d: %s", i, line)
		}
	}
	if last := lines[len(lines)-1]; !strings.Contains(last, `"id":"last"`) || !strings.Contains(last, "result") {
		t.Errorf("the session did not go on: %s", last)
	}
}

func TestSessionEndCancelsItsExports(t *testing.T) {
	a, _ := New(Config{})
	talk(t, a, settings[0].messages([]string{`EXECUTE {"operation":"execute_export","params":{"folder_id":"folder_1"}}`}))
	line := talk(t, a, settings[0].messages([]string{`READ {"operation":"get_export","params":{"execution_id":"export_1"}}`}))[1]
	if data := envelopeOf(t, line)["data"].(map[string]any); data["status"] != "cancelled" {
		t.Errorf("status after the session ended: %v", data["status"])
	}
}

func TestNewRefusesWhatItDoesNotKnow(t *testing.T) {
	for _, cfg := range []Config{{Mode: "crude"}, {Profile: "x"}, {Fault: "x"}, {Fault: "AQL-2.1-01.no-such-variant"}} {
		if _, err := New(cfg); err == nil {
			t.Errorf("%+v is accepted", cfg)
		}
	}
}
