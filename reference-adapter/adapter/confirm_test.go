package adapter

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// A desk is an adapter with a clock that is set by hand.
type desk struct {
	*Adapter
	now time.Time
}

func newDesk(t *testing.T, cfg Config) *desk {
	t.Helper()
	d := &desk{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	cfg.Mode, cfg.Clock = "single", func() time.Time { return d.now }
	a, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	d.Adapter = a
	return d
}

// says answers one call of a session.
func (d *desk) says(s *Session, operation, params string) Envelope {
	return d.Answer(s, Unified, fmt.Appendf(nil, `{"operation":%q,"params":{%s}}`, operation, params))
}

func codeOf(e Envelope) string {
	text, _ := Object(e["error"])["code"].(string)
	return text
}

func TestATokenConfirmsOneCallOnce(t *testing.T) {
	const folder, other = `"folder_id":"folder_3"`, `"folder_id":"folder_2"`
	d, mine := newDesk(t, Config{Features: Confirming}), &Session{}
	show := func(s *Session, operation, params, token string) string {
		return codeOf(d.says(s, operation, fmt.Sprintf(`%s,"confirmation_token":%q`, params, token)))
	}
	ask := func() string {
		e := d.says(mine, "empty_folder", folder)
		token, _ := Object(Object(e["error"])["details"])["confirmation_token"].(string)
		if codeOf(e) != "CONFIRMATION_REQUIRED" || token == "" {
			t.Fatalf("empty_folder answers %v", e)
		}
		return token
	}
	token := ask()
	for what, got := range map[string]struct{ got, want string }{
		"another session":   {show(&Session{}, "empty_folder", folder, token), "TOKEN_INVALID"},
		"another folder":    {show(mine, "empty_folder", other, token), "TOKEN_SCOPE_MISMATCH"},
		"another operation": {show(mine, "shred_note", `"note_id":"note_1"`, token), "TOKEN_SCOPE_MISMATCH"},
		"an invented token": {show(mine, "empty_folder", folder, "conf_invented"), "TOKEN_INVALID"},
	} {
		if got.got != got.want {
			t.Errorf("%s: want %s, got %q", what, got.want, got.got)
		}
	}
	if got := show(mine, "empty_folder", folder, token); got != "" {
		t.Errorf("the call it was issued for: got %s", got)
	}
	if got := show(mine, "empty_folder", folder, token); got != "TOKEN_ALREADY_USED" {
		t.Errorf("the second use: got %q", got)
	}
	token = ask()
	d.now = d.now.Add(TokenLife)
	if got := show(mine, "empty_folder", folder, token); got != "TOKEN_EXPIRED" {
		t.Errorf("after its time: got %q", got)
	}
	token = ask()
	d.end(mine)
	if got := show(mine, "empty_folder", folder, token); got != "TOKEN_INVALID" {
		t.Errorf("after the end of its session: got %q", got)
	}
}

func TestABatchHaltsOrSkips(t *testing.T) {
	const batch = `{"operations":[{"operation":"delete_note","params":{"note_id":"note_1"}},
		{"operation":"empty_folder","params":{"folder_id":"folder_2"}},{"operation":"delete_note","params":{"note_id":"note_4"}}]}`
	d := newDesk(t, Config{Features: "batch,confirmation"})
	e := d.Answer(&Session{}, Unified, []byte(batch))
	want := `{"failed":0,"halted":1,"pending":1,"succeeded":1,"total":3}`
	if got := Printed(e["summary"]); got != want || len(d.Objects()) != 7 {
		t.Errorf("halting: want %s and one note less, got %s and %v", want, got, d.Objects())
	}
	if got := Printed(e["pending_operations"]); got != `[{"index":2,"operation":"delete_note","params":{"note_id":"note_4"}}]` {
		t.Errorf("left out: %s", got)
	}
	d = newDesk(t, Config{Features: "batch,confirmation"})
	d.Adapter.Consent.Skips = true
	e = d.Answer(&Session{}, Unified, []byte(batch))
	want = `{"failed":0,"pending_confirmation":1,"succeeded":2,"total":3}`
	if got := Printed(e["summary"]); got != want || Object(Array(e["results"])[1])["status"] != "pending_confirmation" {
		t.Errorf("skipping: want %s, got %s in %s", want, got, Printed(e))
	}
}

func TestABackupFollowsTheClock(t *testing.T) {
	d, s := newDesk(t, Config{Features: Lifecycles}), &Session{}
	state := func(id string) string {
		status, _ := Object(d.says(s, "get_backup", fmt.Sprintf(`"execution_id":%q`, id))["data"])["status"].(string)
		return status
	}
	start := func(params string) string {
		id, _ := Object(d.says(s, "execute_backup", `"folder_id":"folder_1"`+params)["data"])["execution_id"].(string)
		return id
	}
	move := func(verb, id string) string {
		return codeOf(d.says(s, verb+"_backup", fmt.Sprintf(`"execution_id":%q`, id)))
	}
	quick, long, fails, waits := start(""), start(`,"pace":"thorough"`), start(`,"store":"remote"`), start(`,"delay":60`)
	var seen []string
	look := func() {
		for _, id := range []string{quick, long, fails, waits} {
			seen = append(seen, state(id))
		}
	}
	look()
	d.now = d.now.Add(100 * time.Millisecond)
	look()
	d.now = d.now.Add(quickWork)
	look()
	want := []string{"pending", "pending", "pending", "pending", "running", "running", "running", "pending", "completed", "running", "failed", "pending"}
	if !slices.Equal(seen, want) {
		t.Errorf("want %v, got %v", want, seen)
	}
	for _, try := range []struct{ verb, id, code, state string }{
		{"cancel", quick, "CONFLICT_EXECUTION_STATE", "completed"}, {"retry", fails, "", "running"}, {"pause", long, "", "paused"},
		{"pause", long, "CONFLICT_EXECUTION_STATE", "paused"}, {"resume", long, "", "running"}, {"cancel", waits, "", "cancelled"}, {"retry", waits, "CONFLICT_EXECUTION_STATE", "cancelled"},
	} {
		if got := move(try.verb, try.id); got != try.code || state(try.id) != try.state {
			t.Errorf("%s: want %q and %s, got %q and %s", try.verb, try.code, try.state, got, state(try.id))
		}
	}
	d.end(s)
	if got := state(long); got != "cancelled" {
		t.Errorf("after its session: %s", got)
	}
}

// What is not offered leaves no trace in introspection.
func TestFeaturesAreSwitchedOff(t *testing.T) {
	for _, cfg := range []struct{ features, operation, kind string }{
		{"-lifecycle", "execute_export", "Export"}, {"", "execute_backup", "Backup"}, {"", "empty_folder", "BackupState"},
	} {
		d := newDesk(t, Config{Features: cfg.features})
		if _, listed := d.OperationNamed(cfg.operation); listed {
			t.Errorf("features %q list %s", cfg.features, cfg.operation)
		}
		if _, listed := d.TypeNamed(cfg.kind); listed {
			t.Errorf("features %q list the type %s", cfg.features, cfg.kind)
		}
	}
	d := newDesk(t, Config{Features: Lifecycles})
	if _, listed := d.OperationNamed("execute_backup"); !listed || d.protocol(&Session{})["session_id"] != nil {
		t.Error("lifecycle does not bring the backups, or brings a session identifier")
	}
}
