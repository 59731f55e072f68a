package plan

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/suites/gate"
	"github.com/aql-conform/aql-conform/suites/model"
)

// noteAdapter is an adapter with one kind of object, in notebooks.
func noteAdapter() *model.Adapter {
	par := func(name, kind string, required bool) probes.Parameter {
		return probes.Parameter{Name: name, Type: kind, Required: required, Raw: probes.ValueOf(map[string]any{"name": name, "type": kind})}
	}
	id, dry := par("note_id", "string", true), par("dry_run", "boolean", false)
	a := &probes.Adapter{Conn: "main", AQL: []string{"aql"}, Operations: []probes.Operation{
		{Name: "introspect", Category: "READ", Tool: "aql"},
		{Name: "create_note", Category: "CREATE", Tool: "aql", Parameters: []probes.Parameter{par("title", "string", true), par("status", "string", false)}},
		{Name: "get_note", Category: "READ", Tool: "aql", Parameters: []probes.Parameter{id}},
		{Name: "list_notes", Category: "READ", Tool: "aql"},
		{Name: "update_note", Category: "UPDATE", Tool: "aql", Parameters: []probes.Parameter{id, par("input", "object", true)}},
		{Name: "delete_note", Category: "DELETE", Tool: "aql", Parameters: []probes.Parameter{id, dry}},
	}}
	may := model.Permissions{Create: true, Update: true, Delete: true}
	return &model.Adapter{
		Adapter: a, Nonce: "k3f9x2ab", May: may, Gen: &generate.Generator{Adapter: a, Nonce: "k3f9x2ab"},
		Rules: gate.NewRules(a, may, fixtures.Hints{}), KnownGood: map[string]model.KnownGood{},
	}
}

// recorded makes a record of lines such as "get_note {params} -> {envelope}". Each call is answered
// before the next is sent. A line may begin with the connection and a colon.
func recorded(t *testing.T, lines ...string) probes.Record {
	t.Helper()
	var r probes.Record
	for i, line := range lines {
		asked, envelope, _ := strings.Cut(line, " -> ")
		name, raw, _ := strings.Cut(asked, " ")
		conn, name, other := strings.Cut(name, ":")
		if !other {
			conn, name = "main", conn
		}
		params, err := probes.ParseValue([]byte(raw))
		if err != nil {
			t.Fatal(err)
		}
		p := probes.Call(conn, "aql", name, model.Native(params).(map[string]any)).Numbered(i)
		message := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":%s}}`, envelope)
		r.Observations = append(r.Observations, probes.Keep(probes.Classify(p, wire.Reply{
			Class: wire.Answered, Sent: wire.Frame{Seq: 2*i + 1}, Received: wire.Frame{Seq: 2*i + 2, Data: []byte(message)},
		})))
	}
	slices.Reverse(r.Observations) // a record is in no order of time
	return r
}

// The calls of a whole life.
const (
	made      = `create_note {"title":"aqlc-k3f9x2ab"} -> {"success":true,"data":{"note_id":"n7"}}`
	read      = `get_note {"note_id":"n7"} -> {"success":true,"data":{"note_id":"n7","title":"aqlc-k3f9x2ab","status":"draft"}}`
	listed    = `list_notes {} -> {"success":true,"data":{"items":[{"note_id":"n1"},{"note_id":"n7"}]}}`
	updated   = `update_note {"note_id":"n7","input":{"status":"done"}} -> {"success":true,"data":{}}`
	readAfter = `get_note {"note_id":"n7"} -> {"success":true,"data":{"note_id":"n7","title":"aqlc-k3f9x2ab","status":"done"}}`
	deleted   = `delete_note {"note_id":"n7"} -> {"success":true,"data":{}}`
	gone      = `get_note {"note_id":"n7"} -> {"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"no"}}`
	buried    = `get_note {"note_id":"n7"} -> {"success":true,"data":{"note_id":"n7","title":"aqlc-k3f9x2ab","status":"deleted"}}`
)

// What was called with success, or was named in a permission, waits for no permission.
func TestReachRepeatsNoAdvice(t *testing.T) {
	const shown = `list_remarks {"note_id":"n1"} -> {"success":true,"data":{"items":[]}}`
	for _, c := range []struct {
		what, named, lines, notAllowed, notReached string
	}{
		{"nothing", "", "", "create_remark list_remarks", ""},
		{"a read that was called", "", shown, "create_remark", ""},
		{"a read that was permitted", "read:list_remarks", "", "create_remark", "list_remarks"},
		{"both permitted", "create:create_remark", "", "", "create_remark list_remarks"},
	} {
		f := noteAdapter()
		id := f.Operations[2].Parameters[0]
		f.Adapter.Operations = append(f.Adapter.Operations,
			probes.Operation{Name: "create_remark", Category: "CREATE", Tool: "aql", Parameters: []probes.Parameter{id}},
			probes.Operation{Name: "list_remarks", Category: "READ", Tool: "aql", Parameters: []probes.Parameter{id}})
		if c.named != "" {
			f.May.Named = []string{c.named}
		}
		f.Rules = gate.NewRules(f.Adapter, f.May, fixtures.Hints{})
		var lines []string
		if c.lines != "" {
			lines = append(lines, c.lines)
		}
		r := (&Plan{Adapters: []*model.Adapter{f}}).Reach(recorded(t, lines...))
		missed := slices.DeleteFunc(slices.Clone(r.NotReached), func(name string) bool { return !strings.Contains(name, "remark") })
		if got := strings.Join(r.NotAllowed, " "); got != c.notAllowed || strings.Join(missed, " ") != c.notReached {
			t.Errorf("%s: not allowed %q, not reached %q; want %q and %q", c.what, got, missed, c.notAllowed, c.notReached)
		}
	}
}

// A step counts by its effect on one object of the run.
func TestLifeIsPlayed(t *testing.T) {
	for _, c := range []struct {
		what    string
		lines   []string
		missing string
	}{
		{"nothing", nil, "create read list update delete"},
		{"a whole life", []string{made, read, listed, updated, readAfter, deleted, gone}, ""},
		{"a removal that leaves a trace", []string{made, read, listed, updated, readAfter, deleted, buried}, ""},
		{"no read", []string{made, listed, updated, deleted}, "read list update delete"},
		{"a removal that nobody looked after", []string{made, read, listed, updated, readAfter, deleted}, "delete"},
		{"a useless removal", []string{made, read, listed, updated, readAfter, deleted, readAfter, gone}, "delete"},
		{"a removal that was refused and done", []string{made, read, listed, updated, readAfter,
			`delete_note {"note_id":"n7"} -> {"success":false,"error":{"code":"INTERNAL_ERROR","message":"no"}}`, gone}, "delete"},
		{"a rehearsed removal", []string{made, read, listed, updated, readAfter, strings.Replace(deleted, `"n7"`, `"n7","dry_run":true`, 1), gone}, "delete"},
		{"a useless update", []string{made, read, listed, updated, read, deleted, gone}, "update"},
		{"an update to what was there", []string{made, readAfter, listed, updated, readAfter, deleted, gone}, "update"},
		{"an update that nobody looked after", []string{made, read, listed, updated, deleted, gone}, "update"},
		{"an update that shows late", []string{made, read, listed, updated, read, readAfter, deleted, gone}, ""},
		{"an update that takes the mark", []string{made, read, listed,
			`update_note {"note_id":"n7","input":{"title":"new"}} -> {"success":true,"data":{}}`,
			`get_note {"note_id":"n7"} -> {"success":true,"data":{"note_id":"n7","title":"new"}}`, deleted, gone}, ""},
		{"a useless removal of what an update buried", []string{made, read, listed, strings.Replace(updated, "done", "deleted", 1), buried, deleted, buried}, "delete"},
		{"an update that buries after a useless removal", []string{made, read, listed, updated, readAfter, deleted, strings.Replace(updated, "done", "deleted", 1), buried}, "delete"},
		{"listed before it was made", []string{listed, made, read, updated, readAfter, deleted, gone}, "list"},
		{"listed after it was removed", []string{made, read, updated, readAfter, deleted, gone, listed}, "list"},
		{"a listing of others", []string{made, read, strings.Replace(listed, "n7", "n8", 1), updated, readAfter, deleted, gone}, "list"},
		{"an object without our mark", []string{made, strings.Replace(read, "aqlc", "x", 1), listed, strings.Replace(updated, "aqlc", "x", 1),
			strings.Replace(strings.Replace(readAfter, "k3f9x2ab", "other", 1), "aqlc", "x", 1), deleted, gone}, "read list update delete"},
		{"two halves of a life", []string{made, read, updated, readAfter,
			strings.ReplaceAll(strings.ReplaceAll(made, "n7", "n8"), "k3f9x2ab", "k3f9x2ab-2"), strings.ReplaceAll(strings.ReplaceAll(read, "n7", "n8"), "k3f9x2ab", "k3f9x2ab-2"),
			strings.ReplaceAll(deleted, "n7", "n8"), strings.ReplaceAll(gone, "n7", "n8")}, "list delete"},
		{"another connection", []string{made, read, listed, updated, readAfter, "main/2:" + deleted, "main/2:" + gone}, "delete"},
		{"an invalid creation", []string{strings.Replace(made, `"title"`, `"invented":1,"title"`, 1), read, listed, updated, readAfter, deleted, gone}, "create read list update delete"},
	} {
		f := noteAdapter()
		r := (&Plan{Adapters: []*model.Adapter{f}}).Reach(recorded(t, c.lines...))
		missing := ""
		if len(r.NotLived) > 0 {
			missing = strings.Join(r.NotLived[0].Missing, " ")
		}
		if missing != c.missing || r.Kinds != 1 {
			t.Errorf("%s: %s, missing %q, want %q", c.what, r, missing, c.missing)
		}
	}
}

// Where listings alone show an object, the page that shows it tells what was done with it, whatever style the
// answers write the names of its fields in.
func TestLifeOnThePagesOfAListing(t *testing.T) {
	page := func(call, rows string) string {
		return "list_notes " + call + ` -> {"success":true,"data":{"items":[` + rows + `]}}`
	}
	const was, is, other = `{"noteId":"n7","title":"aqlc-k3f9x2ab","dueDay":"1"}`, `{"noteId":"n7","title":"aqlc-k3f9x2ab","dueDay":"2"}`, `{"noteId":"n1","title":"x"}`
	change := strings.Replace(updated, `"status":"done"`, `"due_day":"2"`, 1)
	for _, c := range []struct {
		what    string
		lines   []string
		missing string
	}{
		{"on a larger page", []string{made, page("{}", other), page(`{"first":50}`, was), change, page("{}", other), page(`{"first":50}`, is), deleted, page("{}", other), page(`{"first":50}`, other)}, ""},
		{"on a later page", []string{made, page("{}", other), page(`{"after":"c1"}`, was), change, page(`{"after":"c1"}`, is), deleted, page("{}", other), page(`{"after":"c1"}`, "")}, ""},
		{"on a page that is not asked for again", []string{made, page("{}", other), page(`{"first":50}`, was), change, page(`{"first":50}`, is), deleted, page("{}", other)}, "delete"},
		{"by a filter", []string{made, page(`{"state":"open"}`, was), change, page(`{"state":"open"}`, is), deleted, page(`{"state":"open"}`, "")}, "list update delete"},
	} {
		f := noteAdapter()
		for name, of := range map[string]string{"first": "integer", "after": "string", "state": "string"} {
			f.Adapter.Operations[3].Parameters = append(f.Adapter.Operations[3].Parameters, probes.Parameter{Name: name, Type: of})
		}
		kind := gate.Kind{Make: f.Operations[1], Views: f.Operations[3:4], Lists: f.Operations[3:4], Key: []string{"note_id"}, Remove: f.Operations[5]}
		l := &model.Life{Life: gate.Life{Kind: kind, Updates: f.Operations[4:5], Removes: f.Operations[5:]}, Name: "note", Makes: f.Operations[1:2]}
		if missing := strings.Join(playLife(f, l, callsOf(f, recorded(t, c.lines...))), " "); missing != c.missing {
			t.Errorf("%s: missing %q, want %q", c.what, missing, c.missing)
		}
	}
}

// An object without a text is known by the object in which it lies.
func TestLifeWithoutATextWithinAnother(t *testing.T) {
	for shelf, want := range map[string]string{"s1": "", "s2": "read update delete"} {
		f := noteAdapter()
		within := probes.Parameter{Name: "shelf", Type: "string", Required: true}
		for _, i := range []int{1, 2, 4, 5} {
			f.Adapter.Operations[i].Parameters = append(f.Adapter.Operations[i].Parameters, within)
		}
		f.Adapter.Operations[1].Parameters = []probes.Parameter{within}
		kind := gate.Kind{Make: f.Operations[1], Views: f.Operations[2:3], Key: []string{"shelf", "note_id"}, Remove: f.Operations[5]}
		l := &model.Life{Life: gate.Life{Kind: kind, Reads: f.Operations[2:3], Updates: f.Operations[4:5], Removes: f.Operations[5:]}, Name: "note", Makes: f.Operations[1:2]}
		is := `{"shelf":"` + shelf + `","note_id":"n1","status":"%s"}`
		read := func(status string) string {
			return `get_note {"shelf":"s1","note_id":"n1"} -> {"success":true,"data":` + strings.Replace(is, "%s", status, 1) + `}`
		}
		lines := []string{`create_note {"shelf":"s1"} -> {"success":true,"data":{"shelf":"s1","note_id":"n1"}}`, read("new"),
			`update_note {"shelf":"s1","note_id":"n1","input":{"status":"worn"}} -> {"success":true,"data":{}}`, read("worn"),
			`delete_note {"shelf":"s1","note_id":"n1"} -> {"success":true,"data":{}}`,
			`get_note {"shelf":"s1","note_id":"n1"} -> {"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"no"}}`}
		if missing := strings.Join(playLife(f, l, callsOf(f, recorded(t, lines...))), " "); missing != want {
			t.Errorf("shown on %s: missing %q, want %q", shelf, missing, want)
		}
	}
}

// An operation is reached by a call that the documentation allows and the adapter answers with
// success.
func TestOperationIsReached(t *testing.T) {
	for _, c := range []struct {
		line    string
		reached bool
	}{
		{read, true},
		{"main/2:" + read, true},
		{"other:" + read, false},
		{gone, false},
		{`get_note {} -> {"success":true,"data":{}}`, false},
		{`get_note {"note_id":7} -> {"success":true,"data":{}}`, false},
		{`get_note {"note_id":"n7","verbose":true} -> {"success":true,"data":{}}`, false},
		{`get_note {"note_id":"n7"} -> {"success":"yes","data":{}}`, false},
		{`introspect {} -> {"success":true,"data":{}}`, false},
	} {
		r := (&Plan{Adapters: []*model.Adapter{noteAdapter()}}).Reach(recorded(t, c.line))
		if r.Operations != 5 || slices.Contains(r.NotReached, "get_note") == c.reached {
			t.Errorf("%s: %s, not reached %v", c.line, r, r.NotReached)
		}
	}
}

// What is too large to be called is documented, and not reached.
func TestTooLargeIsNotReached(t *testing.T) {
	f := noteAdapter()
	f.TooLarge = []model.TooLarge{{Name: "get_all", Operation: true}, {Name: "Note"}}
	if r := (&Plan{Adapters: []*model.Adapter{f}}).Reach(probes.Record{}); r.Operations != 6 || !slices.Contains(r.NotReached, "get_all") {
		t.Errorf("%s: %v", r, r.NotReached)
	}
}

// Of two endpoint modes each operation and each kind counts once, and the worse of the two.
func TestReachOfTwoModes(t *testing.T) {
	main, other := noteAdapter(), noteAdapter()
	other.Adapter.Conn = "other"
	whole := []string{made, read, listed, updated, readAfter, deleted, gone}
	lines := slices.Clone(whole)
	for _, line := range whole[:2] {
		lines = append(lines, "other:"+line)
	}
	r := (&Plan{Adapters: []*model.Adapter{main, other}}).Reach(recorded(t, lines...))
	if want := []string{"delete_note", "list_notes", "update_note"}; r.Operations != 5 || !slices.Equal(r.NotReached, want) {
		t.Errorf("%s: not reached %v, want %v", r, r.NotReached, want)
	}
	if r.Kinds != 1 || len(r.NotLived) != 1 || !slices.Equal(r.NotLived[0].Missing, []string{"list", "update", "delete"}) {
		t.Errorf("%s: not lived %v", r, r.NotLived)
	}
}
