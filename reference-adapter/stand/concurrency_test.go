package stand

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// etagQuestions are asked of faults that show in updates with a version tag.
func etagQuestions() []string {
	a, _ := New(Config{})
	read := `READ {"operation":"get_note","params":{"note_id":"note_1"}}`
	update := func(title string) string {
		return `UPDATE {"operation":"update_note","params":{"note_id":"note_1","input":{"title":"` + title + `"},"if_match":` + adapter.Printed(adapter.TagOf(a.Store.Notes["note_1"])) + `}}`
	}
	free := `UPDATE {"operation":"update_note","params":{"note_id":"note_1","input":{"title":"Free"}}}`
	never := `UPDATE {"operation":"update_note","params":{"note_id":"note_1","input":{"title":"Never"},"if_match":"W/\"9\""}}`
	return []string{read, update("Current"), read, update("Stale"), read, free, read, never}
}

// inCrowds picks the faults that show only in requests that come at once.
func inCrowds(f seam.Fault) bool {
	return f.ID == "AQL-9.3-01" || f.ID == "AQL-9.3.2-06" || f.ID == "AQL-9.3.1-04"
}

// atOnce does something so many times at once.
func atOnce(times int, do func(i int)) {
	var group sync.WaitGroup
	begin := make(chan struct{})
	for i := range times {
		group.Go(func() {
			<-begin
			do(i)
		})
	}
	close(begin)
	group.Wait()
}

func faulty(t *testing.T, fault, features string) *adapter.Adapter {
	t.Helper()
	a, err := New(Config{Fault: fault, Features: features})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Of two updates with the same tag one wins and stays, unless a fault wills it otherwise. A fault shows where the two meet, so
// that it has some tries; without one every try ends well.
func TestOneOfTwoUpdatesWins(t *testing.T) {
	for fault, want := range map[string]int{"": 1, "AQL-9.3.2-06.check-then-write": 2, "AQL-9.3.2-06.nobody-wins": 0, "AQL-9.3.2-06.loser-written": 1, "AQL-9.3.2-06.winner-undone": 1} {
		healthy, shown := fault == "", false
		for try := 0; try < 10 && !shown; try++ {
			won, kept := twoUpdates(faulty(t, fault, "usual,etag"))
			as := won == want && (want != 1 || kept == healthy)
			if shown = as && !healthy; healthy && !as {
				t.Errorf("without a fault %d won, and the title of the winner is kept: %v", won, kept)
			}
		}
		if !healthy && !shown {
			t.Errorf("%s did not show in ten pairs of updates", fault)
		}
	}
}

// twoUpdates sends two updates with the same tag at once and tells how many won, and whether the note has the title of the first of
// them.
func twoUpdates(a *adapter.Adapter) (won int, kept bool) {
	tag := adapter.Printed(adapter.TagOf(a.Store.Notes["note_1"]))
	var did [2]bool
	atOnce(2, func(i int) {
		did[i] = adapter.Succeeded(a.Answer(&adapter.Session{}, "mcp_aql_update", []byte(`{"operation":"update_note","params":{"note_id":"note_1","input":{"title":"Racer `+fmt.Sprint(i)+`"},"if_match":`+tag+`}}`)))
	})
	winner := slices.Index(did[:], true)
	for _, d := range did {
		if d {
			won++
		}
	}
	return won, a.Store.Notes["note_1"]["title"] == "Racer "+fmt.Sprint(winner)
}

// No update is lost beside others, unless a fault wills it otherwise.
func TestNoUpdateIsLost(t *testing.T) {
	for fault, whole := range map[string]bool{"": true, "AQL-9.3.1-04.lost-update": false, "AQL-9.3.1-04.lock-of-a-session": false} {
		a := faulty(t, fault, "")
		atOnce(8, func(i int) {
			a.Answer(&adapter.Session{}, "mcp_aql_update", []byte(fmt.Sprintf(`{"operation":"update_note","params":{"note_id":"note_1","input":{"metadata":{"k%d":%d}}}}`, i, i)))
		})
		if kept := len(adapter.Object(a.Store.Notes["note_1"]["metadata"])) - 2; (kept == 8) != whole {
			t.Errorf("%s: %d of 8 keys are kept", fault, kept)
		}
	}
}

// Each of many requests gets the answer to it, unless a fault wills it otherwise.
func TestCrowdsAreAnswered(t *testing.T) {
	for fault, whole := range map[string]bool{"": true, "AQL-9.3-01.shared-buffer": false, "AQL-9.3-01.answer-lost-in-crowd": false, "AQL-9.3-01.busy-in-crowd": false, "AQL-9.3-01.answered-twice-in-crowd": false} {
		a := faulty(t, fault, "")
		var right [20]bool     // twice as many as the faults take for a crowd
		var all sync.WaitGroup // nobody is answered before all have asked
		all.Add(len(right))
		atOnce(len(right), func(i int) {
			call := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"mcp_aql_read","arguments":{"operation":"introspect"}}}`, i)
			answers, _ := a.Through([]byte(call), func([]byte) []byte {
				all.Done()
				all.Wait()
				return []byte(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"own":"result of %d."}}`, i, i))
			})
			right[i] = len(answers) == 1 && strings.Contains(string(answers[0]), fmt.Sprintf("result of %d.", i))
		})
		if slices.Contains(right[:], false) == whole {
			t.Errorf("%s: the right answers are %v", fault, right)
		}
	}
}
