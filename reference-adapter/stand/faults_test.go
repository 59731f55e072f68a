package stand

import (
	"flag"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/loop"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
	"github.com/aql-conform/aql-conform/reference-adapter/faults"
)

// questions is what every fault has to show itself at.
func questions() []string {
	script := []string{
		`tools/list {}`, `tools/list {}`, `tools/list {"cursor":"next-tools"}`, `tools/list {"cursor":"bogus"}`,
		`server/discover {"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}`,
		`INTRO {"operation":"introspect","params":{"query":"operations"}}`,
		`INTRO {"operation":"introspect","params":{"query":"types"}}`,
		`INTRO {"operation":"introspect","params":{"query":"operations","name":"CANCEL_EXPORT"}}`,
		`INTRO {"operation":"introspect","params":{"query":"operations","name":"zz_none_1"}}`,
		`INTRO {"operation":"introspect","params":{"query":"types","name":"ZzNone1"}}`,
		`INTRO {"operation":"introspect","params":{"query":"operations","name":5}}`,
		`INTRO {"operation":"introspect","params":{"query":"zz_none"}}`,
		`INTRO {"operation":"introspect"}`, `INTRO {"operation":"introspect","params":{}}`, `INTRO {"operation":"introspect","params":[]}`,
		`INTRO {"operation":"introspect","params":5}`, `INTRO {"params":{"query":"operations"}}`,
		`INTRO {"operation":["introspect"],"params":{"query":"operations"}}`, `INTRO {"operation":"","params":{"query":"operations"}}`,
		`INTRO {"operation":"Introspect","params":{"query":"operations"}}`, `INTRO {"operation":"constructor","params":{}}`,
		`INTRO {"operation":"zz_no_such_op","params":{}}`, `READ {"operation":"zz_no_such_op","params":{}}`,
		`INTRO {"operation":"introspect","query":"types","params":{"query":"operations"}}`,
		`INTRO {"operation":"introspect","query":"types","params":{}}`,
		`INTRO {"operation":"introspect","name":"get_note","params":{"query":"operations"}}`,
		`INTRO {"operation":"introspect","params":{"query":"operations","zz_a":1}}`,
		`INTRO {"operation":"introspect","params":{"query":"operations","zz_a":1,"zz_b":2}}`,
		`INTRO {"operation":"introspect","params":{"query":"operations","zz_a":1,"strict_mode":false}}`,
		`INTRO {"operation":"introspect","params":{"query":"operations","toString":1}}`,
		`INTRO {"operation":"introspect","params":{"query":"operations"},"zz_a":1}`,
		`INTRO {"operation":"introspect","params":{"query":"operations"},"_meta":{"a":1}}`,
		`INTRO {"operations":[{"operation":"introspect","params":{"query":"types"}},{"operation":"introspect","params":{}}]}`,
		`READ {"operation":"get_folder","params":{"folder_id":"folder_1"},"_request_id":"a"}`,
		`READ {"operation":"list_folders"}`, `READ {"operation":"list_notes"}`,
		`READ {"operation":"list_folders","params":{"zz_a":1}}`, `READ {"operation":"list_folders","params":{"fields":["name"],"zz_a":1}}`,
		`READ {"operation":"list_folders","params":{"first":"x"}}`, `READ {"operation":"list_notes","params":{"first":"x"}}`,
		`READ {"operation":"list_notes","params":{"limit":1}}`, `READ {"operation":"list_notes","params":{"status":"archived"}}`,
		`READ {"operation":"list_notes","params":{"status":"zz"}}`, `READ {"operation":"list_notes","params":{"tags":["travel"]}}`,
		`READ {"operation":"list_notes","params":{"sort":{"field":"title","order":"asc"}}}`,
		`READ {"operation":"search_notes","params":{"query":"budget"}}`, `READ {"operation":"search_notes","params":{}}`,
		`READ {"operation":"search_notes","query":5}`, `READ {"operation":"search_notes","params":{"query":"budget","title_only":"maybe"}}`,
		`READ {"operation":"search_notes","params":{"query":"budget","titleOnly":true}}`,
		`READ {"operation":"get_folder","params":{"folder_id":"folder_1"}}`, `READ {"operation":"get_folder","params":{"folder_id":"folder_1"}}`,
		`READ {"operation":"get_folder","params":{}}`, `READ {"operation":"get_folder","params":{"folder_id":"zz"}}`,
		`READ {"operation":"get_note","params":{"note_id":"zz"}}`, `READ {"operation":"get_export","params":{"execution_id":"zz"}}`,
		`UPDATE {"operation":"update_note","params":{"note_id":"zz","input":{"title":"x"}}}`,
		`UPDATE {"operation":"update_note","params":{"note_id":"note_4","input":{"title":"Team talk"}}}`,
		`CREATE {"operation":"create_note","params":{"folder_id":"folder_1"}}`,
		`CREATE {"operation":"create_note","params":{"folder_id":"folder_1","title":"Same","body":"one"}}`,
		`CREATE {"operation":"create_note","params":{"folder_id":"folder_1","title":"Same","body":"two"}}`,
		`CREATE {"operation":"create_note","params":{"folder_id":"folder_1","title":"Late","zz_a":1}}`,
		`CREATE {"operation":"create_note","params":{"folder_id":"folder_1","title":"Late","pinned":"maybe"}}`,
		`mcp_aql_read {"operation":"create_note","params":{}}`, `mcp_aql_read {"operation":"create_folder","params":{"name":"Lost"}}`,
		`mcp_aql_update {"operation":"list_folders","params":{}}`, `mcp_aql_delete {"operation":"introspect","params":{"query":"types"}}`,
		`mcp_aql_delete {"operation":"update_note","params":{"note_id":"note_1","input":{"title":"Budget"}}}`,
		`mcp_aql_query {"operation":"create_note","params":{}}`, `mcp_aql_manage {"operation":"list_folders","params":{}}`,
		`mcp_aql {"operation":"delete_note","params":{"note_id":"zz"}}`,
		`READ {"operation":"list_folders_all","params":{}}`, `READ {"operation":"search_notes"}`, `READ {"operation":"list_folders","params":{"toString":1}}`,
		`UPDATE {"operation":"update_note","params":{"note_id":"note_4","input":{"title":"Team talk"},"zz_a":1}}`,
		`DELETE {"operation":"delete_note","params":{"note_id":"note_3","zz_a":1}}`, `READ {"operation":"get_note","params":{"note_id":"note_3"}}`,
		`mcp_aql_read {"operation":"delete_note","params":{"note_id":"note_2"}}`, `READ {"operation":"get_note","params":{"note_id":"note_2"}}`,
		`READ {"operation":"get_note","params":{"note_id":"note_5"}}`, `READ {"operation":"get_note","params":{"note_id":"note_5"}}`, `DELETE {"operation":"delete_note","params":{"note_id":"note_5"}}`,
		`READ {"operation":"list_notes","params":{"fields":"full"}}`, `READ {"operation":"list_folders","params":{}}`,
		`INTRO {"operation":"introspect","params":{"query":"operations"}}`,
	}
	for _, op := range adapter.Operations(new(loop.Loop).Operations()) {
		script = append(script, `INTRO {"operation":"introspect","params":{"query":"operations","name":"`+op.Name+`"}}`)
	}
	for _, kind := range adapter.Types() {
		script = append(script, `INTRO {"operation":"introspect","params":{"query":"types","name":"`+kind.Name+`"}}`)
	}
	return script
}

// closeQuestions are asked of faults that the others do not show: about
// constraints, and about updates field by field.
func closeQuestions() []string {
	return []string{
		`READ {"operation":"search_notes","params":{"query":"budget travel","after":"` + adapter.Cursor("note_3") + `"}}`, `READ {"operation":"list_notes","params":{"after":"zz"}}`,
		`READ {"operation":"list_folders","params":{"zz_a":{"a":1}}}`, `READ {"operation":"update_folder","params":{}}`, `READ {"operation":"peek_notes","params":{}}`,
		`READ {"operation":"list_folders","params":{"name_prefix":"W"}}`, `READ {"operation":"list_folders","params":{"name_prefix":"1 + 1"}}`,
		`READ {"operation":"list_folders","params":{"owner":"bob@example.com"}}`,
		`READ {"operation":"list_notes","params":{"min_priority":0}}`, `READ {"operation":"list_notes","params":{"min_priority":10}}`,
		`READ {"operation":"list_notes","params":{"tags":[1]}}`, `READ {"operation":"list_notes","params":{"sort":{"field":"priority","order":"desc"}}}`,
		`READ {"operation":"search_notes","params":{"query":"` + strings.Repeat("a", 200) + `"}}`,
		`READ {"operation":"search_notes","params":{"query":"` + strings.Repeat("a", 201) + `"}}`,
		`READ {"operation":"search_notes","params":{"query":"budget","title_only":true}}`,
		`READ {"operation":"search_notes","params":{"query":"budget","match":"zz"}}`,
		`READ {"operation":"search_notes","params":{"query":"budget","filter":{"min_priority":4}}}`,
		`CREATE {"operation":"create_note","params":{"folder_id":"folder_1","title":"High","priority":11}}`,
		`CREATE {"operation":"create_note","params":{"folder_id":"folder_1","title":"Far","import_number":9007199254740991,"metadata":{"a":{"x":1,"y":2},"k":"v","list":[{"id":1,"a":1,"b":2}]},"tags":["a","b"]}}`,
		`UPDATE {"operation":"update_note","params":{"note_id":"note_1"}}`, `UPDATE {"operation":"update_note","params":{"note_id":"note_1","title":"x","input":{}}}`,
		`UPDATE {"operation":"update_note","params":{"note_id":"note_1","input":"{\"priority\":7}"}}`, `UPDATE {"operation":"update_note","params":{"note_id":"note_1","input":[]}}`,
		`UPDATE {"operation":"update_note","params":{"note_id":"note_1","input":{"priority":"x"}}}`, `UPDATE {"operation":"update_note","params":{"note_id":"note_1","input":{"body":{"x":1}}}}`, `UPDATE {"operation":"update_note","params":{"note_id":"note_1","input":{"status":"zz"}}}`,
		`UPDATE {"operation":"update_note","params":{"note_id":"note_1","input":{"title":"Half","zz":1}}}`, `READ {"operation":"get_note","params":{"note_id":"note_1"}}`,
		`UPDATE {"operation":"update_note","params":{"note_id":"note_1","input":{"zz":1}}}`, `UPDATE {"operation":"update_note","params":{"note_id":"note_1","input":{"note_id":"note_1"}}}`,
		`UPDATE {"operation":"update_note","params":{"note_id":"note_1","input":{"created_at":"2026-01-01T00:00:00Z"}}}`,
		`UPDATE {"operation":"update_note","params":{"note_id":"note_1","input":{"metadata":{"author":"bob"}}}}`,
		`UPDATE {"operation":"update_note","params":{"note_id":"note_1","input":{"metadata":{"review":{"round":2}}}}}`,
		`UPDATE {"operation":"update_note","params":{"note_id":"note_1","input":{"metadata":{}}}}`,
		`UPDATE {"operation":"update_note","params":{"note_id":"note_1","input":{"title":"Both","metadata":{"author":"carol"}}}}`,
		`UPDATE {"operation":"update_note","params":{"note_id":"note_1","input":{"metadata":{"author":null}}}}`,
		`UPDATE {"operation":"update_note","params":{"note_id":"note_1","input":{"metadata":{"list":[{"id":1,"a":1,"b":2}]}}}}`,
		`UPDATE {"operation":"update_note","params":{"note_id":"note_1","input":{"metadata":{"list":[{"id":1,"a":9}]}}}}`,
		`UPDATE {"operation":"update_note","params":{"note_id":"note_1","input":{"tags":["x"]}}}`, `UPDATE {"operation":"update_note","params":{"note_id":"note_1","input":{"tags":[]}}}`,
		`UPDATE {"operation":"update_note","params":{"note_id":"note_1","input":{"body":null}}}`, `UPDATE {"operation":"update_note","params":{"note_id":"note_1","input":{"body":null}}}`,
		`DELETE {"operation":"delete_note","params":{"note_id":"note_3","dry_run":true}}`, `READ {"operation":"get_note","params":{"note_id":"note_3"}}`,
		`READ {"operation":"list_notes","params":{"fields":"full"}}`, `READ {"operation":"list_notes","params":{"fields":"full"}}`,
		`UPDATE {"operation":"update_note","params":{"note_id":"note_4","input":{"title":"Late"},"zz_a":1}}`, `READ {"operation":"get_note","params":{"note_id":"note_4"}}`,
		`mcp_aql_delete {"operation":"update_note","params":{"note_id":"note_4","input":{"title":"Astray"}}}`, `READ {"operation":"get_note","params":{"note_id":"note_4"}}`,
		`DELETE {"operation":"delete_note","params":{"note_id":"note_4","dry_run":"maybe"}}`, `READ {"operation":"get_note","params":{"note_id":"note_4"}}`,
	}
}

var clock = regexp.MustCompile(`20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ`)

// answers asks everything in one session of an adapter and begins another one.
func answers(t *testing.T, cfg Config, more []string, talk func(*testing.T, *adapter.Adapter, string) []string) []string {
	a, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(settings, func(s setting) bool {
		return s.mode == cfg.Mode && s.profile == cfg.Profile
	})
	again := []string{`INTRO {"operation":"introspect","params":{"query":"operations"}}`, `INTRO {"operation":"zz_no_such_op","params":{}}`}
	second := strings.Replace(settings[at].messages(again), "2025-11-25", "1999-01-01", 1) // a revision nobody speaks
	script := slices.Concat(questions(), rawQuestions(), more)
	lines := append(talk(t, a, settings[at].messages(script)), talk(t, a, second)...)
	for i := range lines {
		// The order of keys tells nothing: a fault of the MCP layer rewrites what it reads.
		if value, err := adapter.Decode([]byte(lines[i])); err == nil {
			lines[i] = adapter.Printed(value)
		}
		lines[i] = clock.ReplaceAllString(lines[i], "now")
	}
	return lines
}

// Each fault changes an answer. A test run tries a quarter; the stage matrix of .ci/run tries all.
func TestEveryFaultShows(t *testing.T) {
	part := 4
	if testing.Short() {
		part = 16
	}
	for transport, talk := range map[string]func(*testing.T, *adapter.Adapter, string) []string{"stdio": talk, "http": post} {
		healthy := map[string][]string{}
		extra := map[string][]string{"": nil, "close": slices.Concat(closeQuestions(), batchQuestions(), etagQuestions(), nearQuestions(), shapeQuestions()), "heavy": heavyQuestions(), adapter.Etags: etagQuestions()}
		for _, s := range settings {
			for kind, more := range extra {
				cfg := Config{Mode: s.mode, Profile: s.profile}
				if kind == adapter.Etags {
					cfg.Features = "usual," + adapter.Etags
				}
				healthy[s.mode+s.profile+kind] = answers(t, cfg, more, talk)
			}
		}
		for i, f := range faults.All() {
			if !portion.OneOf(i, part) && !strings.Contains(flag.Lookup("test.run").Value.String(), "TestEveryFaultShows/") {
				continue
			}
			if besideTheWire(f) || inCrowds(f) {
				continue // they have a demonstration of their own
			}
			if f.Features != "" && f.Features != adapter.Etags {
				continue // no question here reaches an optional feature: the kill matrix shows what breaks in it
			}
			if f.Phase != "" || transport == "http" && !oneOfEachKind(f) {
				continue // these questions do not reach seeded defects, which is their point; they have demonstrations
			}
			t.Run(fmt.Sprint(transport, "/", f.ID, ".", f.Variant), func(t *testing.T) {
				t.Parallel()
				mode, family := settingOf(f)
				cfg, kind := Config{Mode: mode, Profile: family, Fault: f.ID + "." + f.Variant}, ""
				switch {
				case strings.HasPrefix(f.ID, "AQL-4.7.5-"):
					kind = "heavy"
				case f.Features == adapter.Etags:
					kind = adapter.Etags
				}
				got, want := answers(t, cfg, extra[kind], talk), healthy[mode+family+kind]
				if kind == "" && slices.Equal(got, want) {
					kind = "close"
					got, want = answers(t, cfg, extra[kind], talk), healthy[mode+family+kind]
				}
				if slices.Equal(got, want) {
					t.Errorf("no answer differs from the healthy ones")
				}
				t.Logf("%s.%s: %s", f.ID, f.Variant, changes(want, got, extra[kind]))
			})
		}
	}
}

// oneOfEachKind picks the faults that differ in how they meet HTTP: they rewrite
// the request, drop or repeat the answer, or turn a result into an error. The
// rest goes the same way or never sees the transport.
func oneOfEachKind(f seam.Fault) bool {
	return f.Ask != nil || f.Fatal != nil || f.Notified != nil || f.Sent != nil || slices.Contains([]string{"AQL-3.2-03", "AQL-5.1-10", "MCP-LIST-02"}, f.ID)
}

// settingOf returns the mode and profile in which the fault shows.
func settingOf(f seam.Fault) (mode, family string) {
	mode, family = "semantic", "crude"
	if f.Mode != "" {
		mode = f.Mode
	}
	if f.Profile != "" {
		family = f.Profile
	}
	return mode, family
}

// changes tells for the reader of a verbose run which questions are answered
// differently.
func changes(healthy, got, more []string) string {
	if len(got) != len(healthy) {
		return fmt.Sprintf("%d answers instead of %d", len(got), len(healthy))
	}
	asked := slices.Concat([]string{"initialize"}, questions(), rawQuestions(), more)
	changed := map[string]bool{}
	for i := range got {
		if got[i] != healthy[i] {
			changed[append(asked, asked...)[i]] = true
		}
	}
	return fmt.Sprintf("%d questions: %.1500s", len(changed), strings.Join(slices.Sorted(maps.Keys(changed)), "\n\t"))
}

func TestFaultsAreTold(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range faults.All() {
		name := f.ID + "." + f.Variant
		if seen[name] || f.Variant == "" || f.Defect == "" || strings.Contains(f.Defect, "\t") {
			t.Errorf("%s is told twice or badly: %q", name, f.Defect)
		}
		seen[name] = true
	}
}
