package board

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aql-conform/aql-conform/reports"
)

// A reader meets one whole board after another, also while it is replaced. What held files of others is
// never replaced.
func TestBoardIsReplacedAsAWhole(t *testing.T) {
	out := filepath.Join(t.TempDir(), "site")
	f := &Flags{Output: out}
	write := func(word string) {
		t.Helper()
		files := map[string][]byte{reports.BoardName: []byte("{}")}
		for _, name := range []string{"a/1", "b/2", "c/d/3"} {
			files[name] = []byte(word)
		}
		if err := f.publish(files, &reports.Registry{}); err != nil {
			t.Fatal(err)
		}
	}
	write("old")
	if err := f.replaceable(); err != nil {
		t.Fatal(err)
	}
	over, began := make(chan struct{}), make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		once := sync.OnceFunc(func() { close(began) })
		for {
			root, err := os.OpenRoot(out)
			if err != nil {
				t.Errorf("for a moment there is no board: %v", err)
				once()
				return
			}
			var words []string
			for _, name := range []string{"a/1", "b/2", "c/d/3"} {
				if raw, err := root.ReadFile(name); err == nil { // one that was opened may be gone
					words = append(words, string(raw))
				}
			}
			root.Close()
			if slices.Sort(words); len(slices.Compact(words)) > 1 {
				t.Errorf("one board holds %q", words)
			}
			once()
			select {
			case <-over:
				return
			default:
			}
		}
	})
	<-began
	for range 20 {
		write("new")
		write("old")
	}
	close(over)
	group.Wait()
	beside, _ := os.ReadDir(filepath.Dir(out))
	if len(beside) != 1 {
		t.Errorf("%d things are left, want the board alone", len(beside))
	}
	foreign := &Flags{Output: t.TempDir()}
	if err := os.WriteFile(filepath.Join(foreign.Output, "thesis.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := foreign.replaceable(); err == nil || !strings.Contains(err.Error(), "is no board") {
		t.Errorf("a folder of others: %v", err)
	}
}
