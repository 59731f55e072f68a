package stand

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/faults/wire"
)

// lookup asks introspect for what has text as its name.
func lookup(text string) string {
	return `INTRO {"operation":"introspect","params":{"query":"operations","name":"` + text + `"}}`
}

func frameOf(method, params string) string {
	return `FRAME {"jsonrpc":"2.0","id":77,"method":"` + method + `","params":` + params + `}`
}

// rawQuestions are what the faults of text and of JSON-RPC show themselves at.
func rawQuestions() []string {
	var script []string
	for _, bad := range []string{"\xc0\xaf", "\xe2\x28\xa1", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff", `\u0000`, `\ud800`, "\U0001F600", `\ud83d\ude00`} {
		script = append(script, lookup("a"+bad+"b"))
	}
	return append(script, lookup("cut \xe2\x82"), lookup("\ufffd"),
		"INTRO {\"operation\":\"introspect\",\"params\":{\"query\":\"operations\"},\"_x\":\"\xc3\x28\"}", lookup("a\xe2\x82\x28b"),
		`READ {"operation":"list_notes","params":{"metadata":{"author":"alice"}}}`, `READ {"operation":"list_notes","params":{"status":null}}`,
		`READ {"operation":"list_notes","params":false}`, `INTRO {"operation":"introspect","params":{"query":"operations","name":false}}`,
		`UPDATE {"operation":"update_note","params":{"note_id":"note_1","input":false}}`,
		`READ {"operation":"delete_note","params":{"note_id":"note_1","dry_run":true}}`,
		`DELETE {"operation":"delete_note","params":{"note_id":"note_1","dry_run":true,"aqlx_zz":1}}`,
		`READ {"operation":"list_notes","params":{"folder_id":"folder_2"}}`, `READ {"operation":"list_notes","params":{"tags":["zz"]}}`,
		`READ {"operation":"list_notes","params":{"created_after":"2026-01-07T00:00:00Z"}}`, `READ {"operation":"list_notes","params":{"created_after":"yesterday"}}`,
		`CREATE {"operation":"create_note","params":{"folder_id":"folder_1","title":"File","file_content":"SGVsbG8gV29ybGQ="}}`,
		`READ {"operation":"get_export","params":{"execution_id":"zz","password":"hunter2"}}`, `READ {"operation":"get_export","params":{"execution_id":"zz"}}`,
		`INTRO {"operation":5}`, `EXECUTE {"operation":"cancel_exports"}`, `INTRO []`, frameOf("tools/list", "{}"), frameOf("zz/none", "{}"), frameOf("tools/call", "{}"),
		frameOf("tools/call", `{"name":"zz_none","arguments":{"operation":"introspect","params":{"query":"operations"}}}`),
		frameOf("tools/call", `{"name":"zz_none","_meta":{"`+wire.ModernEra+`":"2026-07-28"}}`),
		`FRAME {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"zz"}}`,
		`FRAME {"jsonrpc":"2.0","method":"notifications/aqlx_unknown"}`, `FRAME {"jsonrpc":"2.0","method":"tools/list"}`,
		`FRAME {"jsonrpc":"2.0","id":78}`, `FRAME {"jsonrpc":"2.0","id":79,"method":`, `INTRO null`, `ping {}`)
}

// heavyQuestions exceed each limit, and come close to it.
func heavyQuestions() []string {
	long, pad := strings.Repeat("a", 70_000), strings.Repeat(`"`+strings.Repeat("a", 60_000)+`",`, 12)
	tags := func(count int) string {
		return `READ {"operation":"list_notes","params":{"tags":["x"` + strings.Repeat(`,"x"`, count-1) + `]}}`
	}
	deep := func(open, inner, shut string, count int) string {
		return `READ {"operation":"list_notes","params":{"metadata":` + strings.Repeat(open, count) + inner + strings.Repeat(shut, count) + `}}`
	}
	padded := func(thousands int) string {
		return `READ {"operation":"list_notes","_pad":["` + strings.Repeat(strings.Repeat("a", 1000-3)+`","`, thousands) + `"]}`
	}
	return []string{
		lookup(strings.Repeat("a", 60_000)), tags(9_000), deep(`{"a":`, "1", "}", 29),
		lookup(long), `INTRO {"operation":"introspect","params":{"query":"operations"},"_pad":[` + pad + `""]}`, tags(10_500),
		deep(`{"a":`, "1", "}", 34), deep(`{"a":[`, "1", "]}", 17), `READ {"operation":"list_notes","params":{"metadata":{"a":` + strings.Repeat("[", 31) + strings.Repeat("]", 31) + `}}}`,
		`READ {"operation":"list_notes","_x":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}`, `ping {}`,
		tags(10_000), tags(10_001), lookup(strings.Repeat("a", 64<<10)), lookup(strings.Repeat("a", 64<<10+1)), deep(`{"a":`, "1", "}", 30),
		padded(650), padded(660), deep(`{"a":[`, strings.Repeat("0,", 10_500)+"0", "]}", 1), deep(`{"a":`, `"`+long+`"`, "}", 1),
		`CREATE {"operation":"create_note","params":{"folder_id":"folder_1","title":"Deep","metadata":` + strings.Repeat(`{"a":`, 34) + "{}" + strings.Repeat("}", 34) + `}}`,
		`UPDATE {"operation":"update_note","params":{"note_id":"note_1","input":{"tags":["x","` + long + `"]}}}`,
		`UPDATE {"operation":"update_note","params":{"note_id":"note_1","input":{"body":"` + long + `"}}}`,
	}
}

// Each message is answered with its code, and the session goes on, over either
// transport. What wants no answer gets none.
func TestNoMessageEndsTheSession(t *testing.T) {
	const none = 0
	frames := []struct {
		text string
		want int // code of the error; none for no answer at all
	}{
		{`{"jsonrpc":"2.0","id":7,"method":`, -32700}, {`garbage`, -32700}, {"\ufeff" + `{"jsonrpc":"2.0","id":7,"method":"ping"}`, -32700},
		{"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"pi\x00ng\"}", -32700}, {"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"pi\tng\"}", -32700},
		{`{"jsonrpc":"2.0","id":7,"method":"ping"} {"jsonrpc":"2.0","id":8,"method":"ping"}`, -32700}, {strings.Repeat("[", 20_000), -32700},
		{`5`, -32600}, {`null`, -32600}, {`"ping"`, -32600}, {`[]`, -32600}, {`[{"jsonrpc":"2.0","id":7,"method":"ping"}]`, -32600},
		{`{}`, -32600}, {`{"jsonrpc":"2.0","id":7}`, -32600}, {`{"jsonrpc":"2.0","id":7,"method":5}`, -32600}, {`{"jsonrpc":"2.0","id":7,"method":null}`, -32600},
		{`{"id":7,"method":"ping"}`, -32600}, {`{"jsonrpc":"1.0","id":7,"method":"ping"}`, -32600}, {`{"JSONRPC":"2.0","ID":7,"METHOD":"ping"}`, -32600},
		{`{"jsonrpc":"2.0","id":null,"method":"ping"}`, -32600}, {`{"jsonrpc":"2.0","id":{},"method":"ping"}`, -32600},
		{`{"jsonrpc":"2.0","id":true,"method":"ping"}`, -32600}, {`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, -32600}, {`{"jsonrpc":"2.0","id":1e400,"method":"ping"}`, -32600},
		{`{"jsonrpc":"2.0","id":7,"method":"zz/none"}`, -32601}, {`{"jsonrpc":"2.0","id":7,"method":"resources/list","params":[]}`, -32601},
		{`{"jsonrpc":"2.0","id":7,"method":"notifications/cancelled"}`, -32601}, {"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"\xff\"}", -32601},
		{`{"jsonrpc":"2.0","id":7,"method":"tools/call"}`, -32602}, {`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{}}`, -32602},
		{`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[]}`, -32602}, {`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":42}}`, -32602},
		{`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"zz_none"}}`, -32602}, {`{"jsonrpc":"2.0","id":7,"method":"tools/list","params":5}`, -32602},
		{`{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"cursor":5}}`, -32602}, {`{"jsonrpc":"2.0","id":7,"method":"ping","params":"x"}`, -32602},
		{`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"zz"}}`, none}, {`{"jsonrpc":"2.0","method":"notifications/cancelled","params":5}`, none},
		{`{"jsonrpc":"2.0","method":"notifications/zz"}`, none}, {`{"jsonrpc":"2.0","method":"tools/list"}`, none}, {`{"jsonrpc":"2.0","method":"notifications/initialized","params":[]}`, none},
		{`{"jsonrpc":"2.0","id":7,"result":{}}`, none}, {`{"jsonrpc":"2.0","id":null,"error":{"code":"x"}}`, none},
	}
	for transport, talk := range map[string]func(*testing.T, *adapter.Adapter, string) []string{"stdio": talk, "http": post} {
		for i, f := range frames {
			t.Run(fmt.Sprint(transport, "/", i), func(t *testing.T) {
				a, _ := New(Config{})
				lines := talk(t, a, settings[0].messages([]string{"FRAME " + f.text, `INTRO {"operation":"introspect","params":{"query":"types"}}`}))
				if e := envelopeOf(t, lines[len(lines)-1]); e["success"] != true {
					t.Errorf("afterwards: %s", lines[len(lines)-1])
				}
				if f.want == none {
					if len(lines) != 2 {
						t.Errorf("%.100s is answered: %s", f.text, lines[1])
					}
					return
				}
				var answer struct{ Error struct{ Code int } }
				if err := json.Unmarshal([]byte(lines[1]), &answer); err != nil || answer.Error.Code != f.want {
					t.Errorf("%.100s\n\twant %d, got %s", f.text, f.want, lines[1])
				}
			})
		}
	}
}

// Bad text and too much of anything are refused with their codes and details
// over both transports, and what is just below a limit is not.
func TestTextAndLimitsAreRefusedOnTheWire(t *testing.T) {
	heavy := heavyQuestions()
	want := map[string][]string{
		"VALIDATION_INVALID_ENCODING":  append(rawQuestions()[:7], rawQuestions()[9], rawQuestions()[11]),
		"VALIDATION_PAYLOAD_TOO_LARGE": heavy[3:10],
		"":                             append(rawQuestions()[7:9:9], rawQuestions()[10], heavy[0], heavy[1], heavy[2]),
	}
	for transport, talk := range map[string]func(*testing.T, *adapter.Adapter, string) []string{"stdio": talk, "http": post} {
		for code, script := range want {
			a, _ := New(Config{})
			for i, line := range talk(t, a, settings[0].messages(script))[1:] {
				e := envelopeOf(t, line)
				reason := adapter.Object(e["error"])
				if got, _ := reason["code"].(string); got != code {
					t.Errorf("%s: want %q for %.100q, got %.300s", transport, code, script[i], line)
				}
				for _, member := range []string{"limit_type", "limit_value", "actual_value", "unit"} {
					if code == "VALIDATION_PAYLOAD_TOO_LARGE" && adapter.Object(reason["details"])[member] == nil {
						t.Errorf("%s: no %s in %.300s", transport, member, line)
					}
				}
			}
		}
	}
}
