package leaks

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// leakFace knows get_item, run_sql, which runs statements, and read_file, whose
// data names the folder it reads from.
func leakFace() *model.Adapter {
	parameter := func(name string) probes.Parameter { return probes.Parameter{Name: name, Type: "string"} }
	schema := map[string]any{"name": "read", "inputSchema": map[string]any{
		"type": "object", "properties": map[string]any{"operation": map[string]any{"type": "string"}, "params": map[string]any{"type": "object"}}}}
	read := probes.Call("main", "read", "read_file", nil)
	data := wire.Frame{Data: []byte(`{"jsonrpc":"2.0","id":"1","result":{"structuredContent":{"success":true,"data":{"path":"/srv/files/a.txt"}}}}`)}
	return &model.Adapter{
		Adapter: &probes.Adapter{
			Conn: "main", Introspect: "read", AQL: []string{"read"}, Tools: []probes.Tool{{Name: "read", Raw: probes.ValueOf(schema)}},
			Operations: []probes.Operation{
				{Name: "get_item", Category: "READ", Tool: "read", Details: probes.ValueOf(map[string]any{"description": "Keeps items in /var/lib/items, see ItemService"})},
				{Name: "get_table", Category: "READ", Tool: "read"},
				{Name: "run_sql", Category: "READ", Tool: "read", Parameters: []probes.Parameter{parameter("sql")}},
				{Name: "find_rows", Category: "READ", Tool: "read", Parameters: []probes.Parameter{parameter("query")}},
				{Name: "get_topic", Category: "READ", Tool: "read", Parameters: []probes.Parameter{parameter("topic")},
					Details: probes.ValueOf(map[string]any{"examples": []any{map[string]any{"request": map[string]any{"params": map[string]any{"topic": "/home/kitchen/lamp"}}}}})},
				{Name: "read_file", Category: "READ", Tool: "read", Parameters: []probes.Parameter{parameter("path")}},
			},
		},
		Nonce:     "k3f9x2ab",
		KnownGood: map[string]model.KnownGood{"read_file": {State: model.Proven, Probe: read, Reply: probes.Classify(read, wire.Reply{Class: wire.Answered, Received: data})}},
	}
}

func answered(p probes.Probe, message string) probes.Observation {
	return probes.Classify(p, wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: []byte(`{"jsonrpc":"2.0","id":"1",` + message + `}`)}})
}

func jsonText(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

func enveloped(envelope string) string {
	return `"result":{"isError":true,"content":[],"structuredContent":` + envelope + `}`
}

func failing(message string) string {
	return enveloped(`{"success":false,"error":{"code":"INTERNAL_ERROR","message":` + jsonText(message) + `}}`)
}

func TestLeakRulings(t *testing.T) {
	const nullProperty, sql, path = "Cannot read properties of undefined (reading 'x')", "UNIQUE constraint failed: items.name", "cannot open /srv/app/data/items.json"
	get := probes.Call("main", "read", "get_item", map[string]any{"item_id": "/opt/aqlx/none"})
	unfit := probes.Call("main", "read", "get_item", nil).Top("params", 5)
	call := func(op string) probes.Probe { return probes.Call("main", "read", op, nil) }
	text := func(s string) string {
		return `"result":{"isError":true,"content":[{"type":"text","text":` + jsonText(s) + `}]}`
	}
	rpc := func(s string) string { return `"error":{"code":-32603,"message":` + jsonText(s) + `}` }
	for _, c := range []struct {
		why   string
		probe probes.Probe
		reply string
		kind  vocab.LeakKind
		want  reports.Verdict
	}{
		{"own message", get, failing(nullProperty), vocab.LanguageLeak, reports.Fail},
		{"another row's kind", get, failing(nullProperty), vocab.StackLeak, reports.Pass},
		{"code", get, enveloped(`{"success":false,"error":{"code":"SQLITE_BUSY","message":"try it again later"}}`), vocab.BackendLeak, reports.Fail},
		{"details", get, enveloped(`{"success":false,"error":{"code":"X","message":"m","details":{"a":[{"b":"Traceback (most recent call last)"}]}}}`), vocab.StackLeak, reports.Fail},
		{"relayed", get, enveloped(`{"success":false,"error":{"code":"X","message":"m","details":{"upstream_error":"UNIQUE constraint failed: a.b"}}}`), vocab.BackendLeak, reports.Warn},
		{"warning", get, `"result":{"content":[],"structuredContent":{"success":true,"data":1,"warnings":[{"code":"W","message":"KeyError while reading"}]}}`, vocab.ClassLeak, reports.Fail},
		{"batch entry", get, `"result":{"content":[],"structuredContent":{"success":true,"data":null,"results":[{"result":{"success":false,"error":{"code":"X","message":"` + path + `"}}}]}}`, vocab.PathLeak, reports.Fail},
		{"data of a success", get, `"result":{"content":[],"structuredContent":{"success":true,"data":{"path":"/srv/x/y.py","log":"KeyError"}}}`, vocab.PathLeak, reports.NotApplicable},
		{"tool text for a request that fits", get, text(nullProperty), vocab.LanguageLeak, reports.Fail},
		{"tool text for one that does not", unfit, text(nullProperty), vocab.LanguageLeak, reports.Pass},
		{"JSON-RPC error, language", get, rpc(nullProperty), vocab.LanguageLeak, reports.Warn},
		{"JSON-RPC error, language, unfit", unfit, rpc(nullProperty), vocab.LanguageLeak, reports.Pass},
		{"JSON-RPC error, path", get, rpc(path), vocab.PathLeak, reports.Fail},
		{"weak", get, failing("ItemRepository has no such item"), vocab.ClassLeak, reports.Warn},
		{"echo", get, failing("there is no item /opt/aqlx/none here"), vocab.PathLeak, reports.Pass},
		{"echo of a word", get.With("item_id", "TypeError"), failing("there is no item TypeError here"), vocab.ClassLeak, reports.Pass},
		{"echo of a short word", get.With("item_id", "NaN"), failing("No type 'NaN'"), vocab.LanguageLeak, reports.Pass},
		{"a short word that nobody sent", get, failing("No type 'NaN'"), vocab.LanguageLeak, reports.Warn},
		{"a word that is part of the leak", get.With("item_id", "undefined"), failing(nullProperty), vocab.LanguageLeak, reports.Fail},
		{"public class", get, failing("ItemService knows no such item"), vocab.ClassLeak, reports.Pass},
		{"public folder with an echo", get.With("item_id", "aqlx_none"), failing("nothing at /var/lib/items/aqlx_none for you"), vocab.PathLeak, reports.Pass},
		{"operation that runs SQL", call("run_sql"), failing(sql), vocab.BackendLeak, reports.Warn},
		{"operation with a query", call("find_rows"), failing(sql), vocab.BackendLeak, reports.Warn},
		{"language in an operation with a query", call("find_rows"), failing(nullProperty), vocab.LanguageLeak, reports.Fail},
		{"beside the data", call("read_file"), failing("cannot open /srv/files/b.txt here"), vocab.PathLeak, reports.Warn},
		{"not beside the data", call("read_file"), failing("cannot open /srv/other/b.txt here"), vocab.PathLeak, reports.Fail},
		{"names of topics", call("get_topic"), failing("Topic unknown; topics begin with /home/kitchen/ or /home/garden/, as /home/garden/roses"), vocab.PathLeak, reports.Warn},
		{"a path beside the names of topics", call("get_topic"), failing("cannot open /srv/topics/retained here"), vocab.PathLeak, reports.Fail},
		{"a store among the names of topics", call("get_topic"), failing("cannot open /home/broker/retained.db here"), vocab.PathLeak, reports.Fail},
		{"an address of a page to open", get, failing("Note not found; open /app/notes/all in the browser"), vocab.PathLeak, reports.Pass},
		{"a folder behind a word of opening", get, failing("could not open /app/data/notes"), vocab.PathLeak, reports.Fail},
		{"a home folder", get, failing("stat ~/notes.db: no luck today"), vocab.PathLeak, reports.Fail},
		{"a user folder", get, failing("could not open /Users/anna today"), vocab.PathLeak, reports.Fail},
		{"a file on a drive", get, failing("it is not in D:\\notes.db today"), vocab.PathLeak, reports.Fail},
		{"another folder behind a word of opening", get, failing("could not open /depot/notes today"), vocab.PathLeak, reports.Warn},
		{"a pointer into the request", get, failing("could not read /params/filter/0 as a number"), vocab.PathLeak, reports.Pass},
		{"a file of a database", get, failing("unable to open database file: notes.db"), vocab.BackendLeak, reports.Warn},
		{"own kind", call("get_table"), failing("There is no such table: T-0009."), vocab.BackendLeak, reports.Pass},
		{"a kind that nobody has", call("get_table"), failing("There is no such column: color_x"), vocab.BackendLeak, reports.Fail},
		{"a host behind the adapter", get, failing("upstream http://items-service:8080/v1/items answered 500"), vocab.BackendLeak, reports.Warn},
		{"a service behind the adapter", get, failing("Cannot reach itemdb:5432 at all."), vocab.BackendLeak, reports.Warn},
		{"frames as records", get, enveloped(`{"success":false,"error":{"code":"X","message":"m","details":{"stack":[{"function":"get","file":"store","line":42}]}}}`), vocab.StackLeak, reports.Fail},
		{"records of frames below", get, enveloped(`{"success":false,"error":{"code":"X","message":"m","details":{"cause":{"traceback":[{"lineno":4,"filename":"store"}]}}}}`), vocab.StackLeak, reports.Fail},
		{"records of a document", get, enveloped(`{"success":false,"error":{"code":"X","message":"no such thing at all","details":{"problems":[{"file":"a","line":4}],"trace":[{"line":4,"stop":"Harbour"}]}}}`), vocab.StackLeak, reports.Pass},
		{"too little to tell", get, failing("failed"), vocab.LanguageLeak, reports.NotApplicable},
		{"the sample of the operations document", get, failing("Internal error: database connection failed"), vocab.BackendLeak, reports.Pass},
	} {
		if got := leakRuling(leakFace(), answered(c.probe, c.reply), c.kind); got.Verdict != c.want {
			t.Errorf("%s: got %s (%s), want %s", c.why, got.Verdict, got.Note, c.want)
		}
	}
}

// A few errors without a leak show little; the same error again shows nothing more.
func TestEnoughErrors(t *testing.T) {
	var seen []*probes.Kept
	for n, want := range []reports.Verdict{reports.NotProven, reports.NotProven, reports.NotProven, reports.Pass} {
		if got := enoughErrors(seen, 3); got.Verdict != want {
			t.Errorf("%d errors: ruled %s, want %s", n, got.Verdict, want)
		}
		again := answered(probes.Call("main", "read", "get_item", nil), failing("no such item: "+strings.Repeat("x", n)))
		seen = append(seen, probes.Keep(again), probes.Keep(again))
	}
}

func TestSecretRulings(t *testing.T) {
	f := leakFace()
	told := probes.Call("main", "read", "get_item", map[string]any{"password": canary(f), "aqlx_u": 1})
	other := probes.Call("main", "read", "get_item", nil)
	for _, c := range []struct {
		why   string
		probe probes.Probe
		reply string
		want  reports.Verdict
	}{
		{"kept", told, failing("an unknown parameter aqlx_u was given"), reports.Pass},
		{"echoed", told, failing("wrong password " + canary(f)), reports.Fail},
		{"in a later answer", other, failing("last password was " + canary(f)), reports.Fail},
		{"other answers", other, failing("no such item"), reports.NotApplicable},
		{"a credential", other, failing("upstream refused ghp_16C7e42F292c6912E7710c838347Ae178B4a"), reports.Fail},
	} {
		got := secretRuling(f, answered(c.probe, c.reply))
		if got.Verdict != c.want {
			t.Errorf("%s: got %s, want %s", c.why, got.Verdict, c.want)
		}
		if strings.Contains(got.Got, canary(f)) {
			t.Errorf("%s: the finding repeats the secret: %s", c.why, got.Got)
		}
	}
}

func TestSensitiveNames(t *testing.T) {
	for name, want := range map[string]bool{
		"password": true, "api_key": true, "access_token": true, "token": true, "client_secret": true,
		"page_token": false, "confirmation_token": false, "tokens": false, "secretary": false, "name": false,
	} {
		if got := check.IsSensitive(probes.Parameter{Name: name}); got != want {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
	if check.IsSensitive(probes.Parameter{Name: "token", Raw: probes.ValueOf(map[string]any{"sensitive": false})}) {
		t.Error("a parameter marked as not sensitive counts as sensitive")
	}
}

// Of a text with several names the finding says which words are meant.
func TestClassLeakNamesItsWords(t *testing.T) {
	o := answered(probes.Call("main", "read", "get_item", nil), failing("Ticket 'map[a:1]' not found"))
	if got := leakRuling(leakFace(), o, vocab.ClassLeak); got.Verdict != reports.Fail || !strings.Contains(got.Note, `"map[a:1]"`) {
		t.Errorf("%s with note %q, want the words map[a:1]", got.Verdict, got.Note)
	}
}

// A text that is complete in no pattern provokes those that take any text, and not those that take a pattern.
func TestPatternsAreNotProvokedByPatterns(t *testing.T) {
	f := leakFace()
	f.Gen = &generate.Generator{Adapter: f.Adapter}
	for told, want := range map[string]bool{
		"Words to look for": true, "Texte cherché": true, "A regular expression": false, "Regulärer Ausdruck": false, "Expresión regular": false, "Expression régulière": false,
	} {
		o := probes.Operation{Name: "find_rows", Category: "READ", Tool: "read", Parameters: []probes.Parameter{{Name: "q", Type: "string", Raw: probes.ValueOf(map[string]any{"description": told})}}}
		sent := slices.ContainsFunc(provocationsOf(f, o), func(p probes.Probe) bool { return p.Params()["q"] == unbalanced })
		if sent != want {
			t.Errorf("%s: provoked %v, want %v", told, sent, want)
		}
	}
}
