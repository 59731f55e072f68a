package stand

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/reference-adapter/faults"
)

func update(id, input string) string {
	return fmt.Sprintf(`UPDATE {"operation":"update_note","params":{"note_id":%q,"input":%s}}`, id, input)
}

func create(fields string) string {
	return `CREATE {"operation":"create_note","params":{"title":"Ours","folder_id":"folder_3",` + fields + `}}`
}

func createFolder(owner string) string {
	return fmt.Sprintf(`CREATE {"operation":"create_folder","params":{"name":"Ours","owner":%q}}`, owner)
}

func read(operation, params string) string {
	return fmt.Sprintf(`READ {"operation":%q,"params":%s}`, operation, params)
}

func deletion(more string) string {
	return `DELETE {"operation":"delete_note","params":{"note_id":"note_6"` + more + `}}`
}

// ours shows the first note that a script creates.
var ours = read("get_note", `{"note_id":"note_6"}`)

// demonstrations are the shortest scripts that show the seeded defects. None is
// longer than a reader can follow.
func demonstrations() map[string][]string {
	return map[string][]string{
		"INT-3.4.1-01.second-status-refused-on-update":   {create(`"body":"x"`), update("note_6", `{"status":"published"}`)},
		"INT-3.4.1-02.maximum-exclusive-on-update":       {create(`"body":"x"`), update("note_6", `{"priority":10}`)},
		"INT-3.4.1-03.longest-title-refused-on-update":   {create(`"body":"x"`), update("note_6", `{"title":"`+strings.Repeat("a", 200)+`"}`)},
		"INT-3.4.1-04.underscore-refused":                {read("list_folders", `{"name_prefix":"a_b"}`)},
		"INT-3.4.1-06.empty-element-refused":             {read("list_notes", `{"tags":[""]}`)},
		"INT-5.2.1-01.filter-status-refused":             {read("search_notes", `{"query":"a","filter":{"status":"archived"}}`)},
		"INT-8.1.1-02.filter-wants-text-for-boolean":     {read("search_notes", `{"query":"a","filter":{"pinned":true}}`)},
		"OPS-5.4-04.padded-value-taken":                  {read("search_notes", `{"query":"a","match":"all "}`)},
		"OPS-5.4-05.negative-zero-accepted":              {read("list_notes", `{"min_priority":-0}`)},
		"OPS-5.4-08.length-without-blanks":               {read("search_notes", `{"query":"`+strings.Repeat("a", 200)+` "}`)},
		"CMP-ARRAY-01.third-element-unchecked":           {read("list_notes", `{"tags":["a","b",5]}`)},
		"AQL-3.2-04.array-around-text-taken":             {read("search_notes", `{"query":["a"]}`)},
		"AQL-4.5.3-04.array-stored-as-body":              {create(`"body":"x"`), update("note_6", `{"body":["y"]}`), ours},
		"AQL-4.5.3-05.upper-case-status-stored":          {create(`"body":"x"`), update("note_6", `{"status":"ARCHIVED"}`), ours},
		"AQL-4.6-06.slip-dropped":                        {read("list_notes", `{"created_aftr":"2026-01-01T00:00:00Z"}`)},
		"AQL-4.6-07.deleted-though-refused":              {create(`"body":"x"`), deletion(`,"dry_run":false,"zz":1`), ours},
		"AQL-4.5.3-06.unknown-field-dropped-beside-tags": {create(`"body":"x"`), update("note_6", `{"tags":["a"],"zz":1}`)},
		"AQL-4.5.3-09.partial-update-of-values-kept":     {create(`"body":"x"`), update("note_6", `{"body":"y","status":"zz"}`), ours},
		"OPS-5.1-02.created-without-owner":               {createFolder("nobody"), read("list_folders", `{}`)},
		"OPS-5.4-01.filter-instead-of-query":             {read("search_notes", `{"filter":{"pinned":true}}`)},
		"AQL-4.5.1-01.false-not-stored":                  {create(`"pinned":true`), update("note_6", `{"pinned":false}`), ours},
		"AQL-4.5.1-02.empty-inner-text-ignored":          {create(`"metadata":{"a":"x"}`), update("note_6", `{"metadata":{"a":""}}`), ours},
		"AQL-4.5.1-03.false-neighbour-lost":              {create(`"metadata":{"a":1,"b":false}`), update("note_6", `{"metadata":{"a":2}}`), ours},
		"AQL-4.5.1-04.second-update-undoes-first":        {create(`"priority":1`), update("note_6", `{"priority":2}`), update("note_6", `{"body":"x"}`), ours},
		"AQL-4.5.1-05.neighbours-lost-on-the-way":        {create(`"metadata":{"a":{"b":{"c":1},"d":1}}`), update("note_6", `{"metadata":{"a":{"b":{"c":2}}}}`), ours},
		"AQL-4.5.1-06.longer-array-cut":                  {create(`"tags":["a"]`), update("note_6", `{"tags":["b","c"]}`), ours},
		"AQL-4.5.1-07.elements-merged-by-place":          {create(`"metadata":{"a":[{"b":1},{}]}`), update("note_6", `{"metadata":{"a":[{"c":1},{}]}}`), ours},
		"AQL-4.5.1-08.removed-text-returns":              {create(`"body":"x"`), update("note_6", `{"body":null}`), update("note_6", `{"priority":2}`), ours},
		"AQL-8.1-01.owner-of-namesake-replaced":          {createFolder("a@example.com"), createFolder("b@example.com"), read("get_folder", `{"folder_id":"folder_4"}`)},
		"OPS-5.1-02.conflict-after-write":                {create(`"body":"x"`), update("note_6", `{"status":"archived"}`), ours},
		"AQL-8.1-04.update-revives-deleted":              {create(`"body":"x"`), deletion(""), update("note_6", `{"body":"y"}`), ours},
		"AQL-8.1-05.neighbour-pinned-too":                {create(`"body":"x"`), create(`"body":"y"`), update("note_6", `{"pinned":true}`), read("get_note", `{"note_id":"note_7"}`)},
		"AQL-8.1-06.restated-note-outlives-delete":       {create(`"body":"x"`), update("note_6", `{"status":"archived"}`), deletion(""), ours},
		"AQL-4.5.1-01.last-of-three-lost":                {create(`"body":"x"`), update("note_6", `{"body":"y","priority":2,"title":"Else"}`), ours},
		"AQL-4.5.1-02.repeated-key-skipped":              {create(`"metadata":{"body":1}`), update("note_6", `{"body":"y","metadata":{"body":2}}`), ours},
		"AQL-4.5.1-06.array-lost-beside-object":          {create(`"tags":["a"]`), update("note_6", `{"tags":["b"],"metadata":{"c":1}}`), ours},
		"AQL-4.5.1-08.null-skipped-beside-two":           {create(`"body":"x"`), update("note_6", `{"body":null,"priority":2,"pinned":true}`), ours},
		"AQL-4.6-01.unknown-dropped-beside-sort":         {read("list_notes", `{"status":"draft","sort":{"field":"title"},"zz":1}`)},
	}
}

// Each seeded defect shows at the script that demonstrates it.
func TestEverySeededFaultShows(t *testing.T) {
	scripts := demonstrations()
	told := func(script []string, fault string) []string {
		a, err := New(Config{Fault: fault})
		if err != nil {
			t.Fatal(err)
		}
		lines := talk(t, a, settings[0].messages(script))
		for i := range lines {
			lines[i] = clock.ReplaceAllString(lines[i], "now")
		}
		return lines
	}
	demonstrated := 0
	for _, f := range faults.All() {
		name := f.ID + "." + f.Variant
		if f.Phase == "load" {
			continue // no script alone shows it
		}
		if scripts[name] != nil {
			demonstrated++
		}
		switch script, shown := scripts[name]; {
		case shown != (f.Phase != ""):
			t.Errorf("%s: demonstrated %v, phase %q", name, shown, f.Phase)
		case shown && slices.Equal(told(script, ""), told(script, name)):
			t.Errorf("%s: no answer differs from the healthy ones", name)
		case shown && len(script) > 4:
			t.Errorf("%s takes %d calls to show", name, len(script))
		}
	}
	if demonstrated != len(scripts) {
		t.Errorf("%d scripts demonstrate no fault", len(scripts)-demonstrated)
	}
}
