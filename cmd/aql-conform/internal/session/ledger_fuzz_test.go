package session

import (
	"os"
	"path/filepath"
	"testing"
)

// Whatever stands in a ledger, it is read or refused, and one that was read is read as the same.
func FuzzLedger(f *testing.F) {
	f.Add([]byte(`{"n":1,"kind":"note","made":"create_note"}` + "\n" + `{"n":1,"gone":true}` + "\n" + `{"suspect":"delete_note"}` + "\n" + `{"n":2,"ma`))
	f.Add([]byte(`{"n":2,"kind":"note","made":"create_note","mark":"aqlx","id":["a",1]}` + "\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		path := filepath.Join(t.TempDir(), "ledger")
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		l, entries, _, err := openLedger(path)
		if err != nil {
			return
		}
		l.close()
		if len(entries) == 0 {
			return
		}
		l, again, _, err := openLedger(path)
		if err != nil || len(again) != len(entries) {
			t.Fatalf("%d entries are read as %d: %v", len(entries), len(again), err)
		}
		l.close()
	})
}
