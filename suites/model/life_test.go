package model

import (
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/gate"
)

// documented makes an adapter of lines such as "UPDATE update_note note_id input".
func documented(may Permissions, hints fixtures.Hints, lines ...string) *Adapter {
	a := &probes.Adapter{Conn: "main"}
	for _, line := range lines {
		words := strings.Fields(line)
		o := probes.Operation{Category: words[0], Name: words[1], Tool: "aql"}
		for _, name := range words[2:] {
			kind := map[string]string{"input": "object"}[name]
			if kind == "" {
				kind = "string"
			}
			o.Parameters = append(o.Parameters, probes.Parameter{Name: name, Type: kind, Required: true})
		}
		a.Operations = append(a.Operations, o)
	}
	return &Adapter{Adapter: a, Hints: hints, Rules: gate.NewRules(a, may, hints)}
}

// notes are the operations on a kind of object that has a whole life.
var notes = []string{
	"CREATE create_note title", "READ get_note note_id", "READ list_notes", "UPDATE update_note note_id input", "DELETE delete_note note_id",
}

// The life of a kind is what is documented for it, whatever is permitted.
func TestLives(t *testing.T) {
	all := Permissions{Create: true, Update: true, Delete: true}
	denied := fixtures.Hints{Permissions: fixtures.Permissions{Operations: map[string]string{"delete_note": "deny"}}}
	named := fixtures.Hints{Resources: map[string]fixtures.Resource{"memo": {Create: "add_note", Read: "look", List: "list_notes", Delete: "drop_note"}}}
	for _, c := range []struct {
		what  string
		may   Permissions
		hints fixtures.Hints
		lines []string
		want  string // a line for each kind
	}{
		{"a whole life", all, fixtures.Hints{}, notes, "note: create read list update delete"},
		{"of which nothing is permitted", Permissions{ReadOnly: true}, fixtures.Hints{}, notes, "note: create read list update delete"},
		{"of which the removal is denied", all, denied, notes, "note: create read list update delete"},
		{"without an update", all, fixtures.Hints{}, []string{notes[0], notes[1], notes[2], notes[4]}, "note: create read list delete"},
		{"without a removal", all, fixtures.Hints{}, notes[:4], "note: create read list update"},
		{"only made and read", all, fixtures.Hints{}, notes[:2], "note: create read"},
		{"only made and listed", all, fixtures.Hints{}, []string{notes[0], notes[2]}, "note: create list"},
		{"only made, which is no kind", all, fixtures.Hints{}, []string{notes[0], "READ get_time"}, ""},
		{"only read, which nobody can make", all, fixtures.Hints{}, notes[1:], ""},
		{"made in two ways", all, fixtures.Hints{}, append([]string{"CREATE import_note text"}, notes...), "note: create read list update delete"},
		{"an update of many", all, fixtures.Hints{}, append([]string{"UPDATE update_notes filter input"}, notes[0], notes[1], notes[4]), "note: create read delete"},
		{"with a removal by another name of the identifier", all, fixtures.Hints{}, append([]string{"DELETE delete_note id"}, notes[:4]...), "note: create read list update delete"},
		{"listed below a parent", all, fixtures.Hints{}, []string{
			"CREATE create_comment note_id text", "READ get_comment note_id comment_id", "READ list_comments note_id", "DELETE delete_comment note_id comment_id",
		}, "comment: create read list delete"},
		{"searched, which is no listing", all, fixtures.Hints{}, []string{notes[0], notes[1], "READ search_notes query"}, "note: create read"},
		{"read by what is no identifier", all, fixtures.Hints{}, []string{notes[0], "READ get_note title"}, "note: create read"},
		{"listed twice", all, fixtures.Hints{}, append([]string{notes[0]}, notes...), "note: create read list update delete"},
		{"two kinds", all, fixtures.Hints{}, append([]string{"CREATE create_folder name", "READ get_folder folder_id"}, notes...), "folder: create read\nnote: create read list update delete"},
		{"reserved", all, fixtures.Hints{}, []string{"CREATE record_execution_step execution_id", "READ get_execution_step step_id"}, ""},
		{"named by the author", all, named, []string{"CREATE add_note title", "READ look note_id", "READ list_notes", "DELETE drop_note note_id"}, "memo: create read list delete"},
	} {
		var got []string
		for _, l := range documented(c.may, c.hints, c.lines...).Lives() {
			got = append(got, l.Name+": "+strings.Join(l.Steps(), " "))
		}
		if strings.Join(got, "\n") != c.want {
			t.Errorf("%s: got %q, want %q", c.what, got, c.want)
		}
	}
}

// Reserved operations are called where it is permitted to execute; the author has the last word.
func TestPermitted(t *testing.T) {
	deny := fixtures.Hints{Permissions: fixtures.Permissions{Operations: map[string]string{"execute_agent": "deny"}}}
	for _, c := range []struct {
		may       Permissions
		hints     fixtures.Hints
		line      string
		permitted bool
	}{
		{Permissions{}, fixtures.Hints{}, "READ get_note note_id", true},
		{Permissions{}, fixtures.Hints{}, "READ purge_note note_id", false},
		{Permissions{}, fixtures.Hints{}, "CREATE create_note title", false},
		{Permissions{}, fixtures.Hints{}, "EXECUTE execute_agent name", false},
		{Permissions{Execute: true}, fixtures.Hints{}, "EXECUTE execute_agent name", true},
		{Permissions{Execute: true, ReadOnly: true}, fixtures.Hints{}, "EXECUTE execute_agent name", false},
		{Permissions{Execute: true}, deny, "EXECUTE execute_agent name", false},
		{Permissions{Named: []string{"execute:execute_*"}}, fixtures.Hints{}, "EXECUTE execute_agent name", true},
	} {
		f := documented(c.may, c.hints, c.line)
		if got := f.Rules.Permitted(f.Operations[0]); got != c.permitted {
			t.Errorf("%s with %+v: %t", c.line, c.may, got)
		}
	}
}
