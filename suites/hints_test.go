package suites

import (
	"cmp"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reference-adapter/faults"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/plan"
	diff "github.com/google/go-cmp/cmp"
)

// hints reads a hints file without its first line.
func hints(t testing.TB, lines ...string) fixtures.Hints {
	t.Helper()
	h, err := fixtures.ReadHints(strings.NewReader("version: 1\n"+strings.Join(lines, "\n")), os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// calls counts the calls of each operation, in whatever form they were sent.
func (r run) calls() map[string]int {
	n := map[string]int{}
	for o := range r.Record.All() {
		if name := o.Probe.Operation(); name != "" && o.Outcome != probes.Unasked {
			n[name]++
		}
	}
	return n
}

// Each hint that the catalogue asks for has one place in the file, and the lines
// that a report shows can be pasted there.
func TestEachHintHasAPlace(t *testing.T) {
	named := map[string]bool{}
	for _, r := range catalogue.All() {
		for _, name := range r.Hints {
			named[name] = true
		}
	}
	keys := map[string]string{}
	for name := range named {
		key, ok := fixtures.Place(name)
		if !ok || keys[key] != "" {
			t.Errorf("%s stands at %q, as does %q", name, key, keys[key])
		}
		keys[key] = name
		if name == "resource" {
			continue // its lines are made of the adapter's operations
		}
		lines := check.HintsToAdd(model.Subject{Adapter: &model.Adapter{}}, model.AddHint(name, "something"))
		if word, given := hints(t, lines...).Word(name); !given {
			t.Errorf("%s: %q is read as %q", name, lines, word)
		}
	}
	if len(named) < 30 {
		t.Errorf("the catalogue names %d hints", len(named))
	}
	for key := range check.HintForms {
		if keys[key] == "" {
			t.Errorf("no requirement asks for %s", key)
		}
	}
}

// bundled are the hints that lie beside the reference adapter.
func bundled(t *testing.T) fixtures.Hints {
	t.Helper()
	file, err := os.Open("../reference-adapter/adapter/aql-conform.yaml")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	h, err := fixtures.ReadHints(file, os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// With the bundled hints the faults of updates and round trips are caught as well
// as without them, which the kill matrix shows.
func TestFaultsAreCaughtWithHints(t *testing.T) {
	portion.InTurn(t)
	if sampled() {
		t.Skip("the kill matrix has a part of them")
	}
	for _, fault := range faults.All() {
		row, _ := catalogue.Lookup(fault.ID)
		if row.Proof != "assisted" || fault.Phase != "" || row.Area != "update" && row.Area != "round-trip" {
			continue
		}
		t.Run(fault.ID+"/"+fault.Variant, func(t *testing.T) {
			t.Parallel()
			cfg := stand.Config{Mode: cmp.Or(fault.Mode, "all"), Profile: fault.Profile, Fault: fault.ID + "." + fault.Variant}
			r := judgedAs(t, cfg, inProcess, plan.Selection{Checks: All(), Run: []string{"update", "round-trip"}}, bundled(t))
			if got := r.Accused(); !slices.Equal(got, []string{fault.ID}) {
				t.Errorf("%s: accused of %v\n%s", fault.Defect, got, r.trace())
			}
		})
	}
}

// The bundled hints of the reference adapter fit it, and leave it clean.
func TestBundledHintsAreHeard(t *testing.T) {
	h := bundled(t)
	r := judgedAs(t, stand.Config{Mode: "all"}, inProcess, plan.Selection{Checks: All(), Run: []string{"AQL-4.5*", "MCP-ANNOT-07", "AQL-10.2-01"}}, h)
	if misled := r.Adapters[0].HintMismatches(); len(misled) > 0 || len(r.Accused()) > 0 {
		t.Errorf("misled: %q; accused: %v\n%s", misled, r.Accused(), r.trace())
	}
	if i := slices.IndexFunc(r.Findings, func(f reports.Finding) bool { return f.Requirement == "MCP-ANNOT-07" && f.Verdict == reports.Pass }); i < 0 {
		t.Error("MCP-ANNOT-07 is not proven by the author's word")
	}
	r = judgedAs(t, stand.Config{Mode: "all"}, inProcess, plan.Selection{Checks: All(), Run: []string{"AQL-4.5*"}}, hints(t, "resources: {note: {update: update_note, fields: {text: nothing}}}"))
	if i := slices.IndexFunc(r.Findings, func(f reports.Finding) bool {
		return f.Verdict == reports.NotProven && strings.Contains(f.Add, "    update: update_note\n")
	}); i < 0 {
		t.Error("the field that the author names is not the one that is used, or the lines to add are missing")
	}
}

func TestSamplesAreTriedFirst(t *testing.T) {
	said := hints(t, "samples:", "  search_notes: {query: from the author}", `  "*": {first: 2}`, "  list_note: {}", "  get_note: {id: 5, note_id: [7]}")
	r := judgedAs(t, stand.Config{Mode: "all"}, inProcess, plan.Selection{Checks: All(), Run: []string{"AQL-4.6-01"}}, said)
	f := r.Adapters[0]
	if got := f.KnownGood["search_notes"].Probe.Params()["query"]; string(probes.ValueOf(got).Raw()) != `"from the author"` {
		t.Errorf("search_notes is asked for %v", got)
	}
	if got := f.Samples("list_notes", "first"); len(got) != 1 || string(got[0].Raw()) != "2" {
		t.Errorf("a sample for any operation gives %v", got)
	}
	want := []string{
		`samples.get_note: no documented parameter "id"`,
		"samples.get_note.note_id: 7 is not documented as valid: another type than string",
		`samples: no operation "list_note", did you mean "list_notes"?`,
	}
	if d := diff.Diff(want, f.HintMismatches()); d != "" {
		t.Errorf("misled (-want +got)\n%s", d)
	}
}

// A denied operation is not called in passing either, and a limit holds.
func TestWhatIsDeniedIsNeverCalled(t *testing.T) {
	sel := plan.Selection{Checks: All(), Run: []string{"classification", "update"}}
	whole := judgedAs(t, stand.Config{Mode: "all"}, inProcess, sel, fixtures.Hints{}).calls()
	denied := []string{"update_note", "delete_folder", "get_note"}
	said := hints(t, "permissions: {operations: {update_note: deny, delete_folder: deny, get_note: deny}}")
	r := judgedAs(t, stand.Config{Mode: "all"}, inProcess, sel, said)
	calls := r.calls()
	for _, name := range append(denied, "create_folder", "create_note") { // what could not be read or removed is not made
		if whole[name] == 0 || calls[name] > 0 {
			t.Errorf("%s is called %d times without the hint, %d times with it", name, whole[name], calls[name])
		}
	}
	if left := r.adapter.Objects(); !slices.Equal(left, seeded) || len(r.Accused()) > 0 || calls["list_notes"] == 0 {
		t.Errorf("the store holds %v; accused %v\n%s", left, r.Accused(), r.trace())
	}
}

func TestWritesAreLimited(t *testing.T) {
	const most = 9
	r := judgedAs(t, stand.Config{Mode: "all"}, inProcess, plan.Selection{Checks: All()}, hints(t, "permissions: {max_writes: 9}"))
	writes := 0
	for name, n := range r.calls() {
		if o, listed := r.Adapters[0].Operation(name); listed && o.Category != "READ" && o.Category != "DELETE" {
			writes += n
		}
	}
	if left := r.adapter.Objects(); writes > most || writes == 0 || !slices.Equal(left, seeded) || len(r.Accused()) > 0 {
		t.Errorf("%d writes; the store holds %v; accused %v\n%s", writes, left, r.Accused(), r.trace())
	}
}

func TestWhatIsLeftOutIsSaid(t *testing.T) {
	sel := plan.Selection{Checks: All(), Run: []string{"AQL-4.6-01", "AQL-5.1-01", "AQL-7.2-01"}, HintSkips: []fixtures.Skip{
		{Operation: "list_*", Reason: "slow"}, {Requirement: "AQL-7.2-01", Reason: "known"},
	}}
	r := judgedAs(t, stand.Config{Mode: "all", Fault: "AQL-4.6-01.unknown-params-dropped"}, inProcess, sel, fixtures.Hints{})
	why := map[string]string{}
	for _, f := range r.Findings {
		if f.Verdict == reports.Skipped && !strings.HasPrefix(f.Note, "left out by --run") {
			why[f.Requirement+" "+f.Subject] = f.Note
		} else if strings.HasPrefix(f.Subject, "list_") || f.Requirement == "AQL-7.2-01" {
			t.Errorf("%s %s %s is judged", f.Verdict, f.Requirement, f.Subject)
		}
	}
	want := map[string]string{"AQL-4.6-01 list_notes": "slow", "AQL-4.6-01 list_folders": "slow", "AQL-4.6-01 list_notes.sort": "slow", "AQL-5.1-01 list_notes": "slow",
		"AQL-5.1-01 list_folders": "slow", "AQL-7.2-01 adapter": "known"}
	if d := diff.Diff(want, why); d != "" {
		t.Errorf("left out (-want +got)\n%s", d)
	}
	if !slices.Equal(r.Accused(), []string{"AQL-4.6-01"}) {
		t.Errorf("accused %v: the other operations are still judged", r.Accused())
	}
	for pattern, skip := range map[string]fixtures.Skip{"list_things": {Operation: "list_things"}, "AQL-4.6-1": {Requirement: "AQL-4.6-1"}, "[": {Operation: "["}} {
		_, err := plan.New(r.Adapters, plan.Selection{Checks: All(), HintSkips: []fixtures.Skip{skip}}, "")
		if err == nil || !strings.Contains(err.Error(), pattern) {
			t.Errorf("skip %q: got %v", pattern, err)
		}
	}
}

func TestExpectationsAreCompared(t *testing.T) {
	said := hints(t, "expect:", "- {operation: get_note, params: {note_id: none}, code: NOT_FOUND_RESOURCE}", "- {operation: list_notes, success: true}",
		"- {operation: list_notes, success: false}", "- {operation: get_note, params: {note_id: none}, code: OTHER}", "- {operation: execute_export, success: true}", "- {operation: none, success: true}")
	r := judgedAs(t, stand.Config{Mode: "all"}, inProcess, plan.Selection{Checks: All(), Run: []string{"AQL-7.2-01"}}, said)
	want := []string{
		"expect[2]: list_notes gives success, want a refusal",
		"expect[3]: get_note gives error NOT_FOUND_RESOURCE, want OTHER",
		"expect[4]: execute_export was not called: permission to execute",
		`expect[5]: no operation "none"`,
	}
	if d := diff.Diff(want, r.UnmetExpectations); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// The author's word goes before what the names suggest.
func TestResourcesAreThoseOfTheAuthor(t *testing.T) {
	f := &model.Adapter{Hints: hints(t, "resources:", "  entry: {create: file_entry, read: show_record, delete: shred, id: {entry_ref: made.ref}}")}
	data := axReply(probes.Call("main", "t", "file_entry", nil), `{"success":true,"data":{"made":{"ref":"e1"},"id":"other"}}`)
	path, ok := f.IdentifierPath(data, probes.Operation{Name: "file_entry"}, probes.Operation{Name: "shred"}, probes.Parameter{Name: "entry_ref"})
	if !ok || !slices.Equal(path, []string{"made", "ref"}) {
		t.Errorf("the identifier stands at %v, %t", path, ok)
	}
	got := map[string]bool{
		"shred removes what file_entry makes":      f.HasRole(model.RemoverRole, "shred", "file_entry"),
		"delete_entry does not":                    !f.HasRole(model.RemoverRole, "delete_entry", "file_entry"),
		"file_entry makes what show_record shows":  f.HasRole(model.MakerRole, "file_entry", "show_record"),
		"list_entries lists them by its name":      f.HasRole(model.ListerRole, "list_entries", "file_entry"),
		"delete_note removes notes by its name":    f.HasRole(model.RemoverRole, "delete_note", "create_note"),
		"and delete_entry has nothing to do there": !f.HasRole(model.RemoverRole, "delete_entry", "create_note"),
	}
	for _, sentence := range slices.Sorted(maps.Keys(got)) {
		if !got[sentence] {
			t.Errorf("not so: %s", sentence)
		}
	}
}
