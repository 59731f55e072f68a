package session

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A ledger is the list of objects that a run has made and not yet removed, in a file
// that outlives the run. The file has a line for each object, the newest line of a number
// counts, and it is removed with its last object.
type ledger struct {
	path string

	mu    sync.Mutex
	file  *os.File // nil until something is made
	last  int
	alive map[int]json.RawMessage // the newest line of each object: a run may have thousands
	stale int                     // lines that say nothing any more

	suspects []string // operations after which an object of others had changed
}

// newLedger returns a ledger that will be written to a file, by default one of its own
// among those of this user. Nothing is written before something is made.
func newLedger(file string, seed uint64) *ledger {
	if file == "" {
		folder, err := os.UserCacheDir()
		if err != nil || os.MkdirAll(filepath.Join(folder, "aql-conform"), 0o700) != nil {
			folder = os.TempDir()
		}
		name := fmt.Sprintf("ledger-%s-%d-%d.ndjson", time.Now().UTC().Format("20060102-150405"), os.Getpid(), seed)
		file = filepath.Join(folder, "aql-conform", name)
	}
	return &ledger{path: file, alive: map[int]json.RawMessage{}}
}

// Begin writes down that an object is about to be made.
func (l *ledger) Begin(e model.LedgerEntry) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		if err := os.MkdirAll(filepath.Dir(l.path), 0o700); err != nil {
			return 0, err
		}
		file, err := os.OpenFile(l.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
		if err != nil {
			return 0, err
		}
		l.file = file
	}
	l.last++
	e.N = l.last
	return e.N, l.keep(e)
}

// Known writes down what else is known of an object. That it cannot be written is no
// reason to stop: what was written before finds the object too.
func (l *ledger) Known(e model.LedgerEntry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, alive := l.alive[e.N]; alive {
		l.stale++
		l.keep(e)
	}
}

// keep writes the newest line of an object.
func (l *ledger) keep(e model.LedgerEntry) error {
	raw, err := json.Marshal(e)
	if err != nil {
		return err
	}
	l.alive[e.N] = raw
	return l.append(raw)
}

// Gone writes down that an object is there no more.
func (l *ledger) Gone(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, alive := l.alive[n]; !alive {
		return
	}
	delete(l.alive, n)
	switch l.stale += 2; {
	case len(l.alive) == 0:
		l.stale = 0
		l.file.Truncate(0)
		for _, operation := range l.suspects {
			l.write(suspicion{operation})
		}
	case l.stale > 200+2*len(l.alive):
		l.rewrite()
	default:
		l.write(struct {
			N    int  `json:"n"`
			Gone bool `json:"gone"`
		}{n, true})
	}
}

// Suspect writes down that an operation did harm, so that who cleans up leaves it alone.
func (l *ledger) Suspect(operation string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.suspects = append(l.suspects, operation)
	l.write(suspicion{operation})
}

// A suspicion is the line of an operation that did harm.
type suspicion struct {
	Suspect string `json:"suspect"`
}

func (l *ledger) write(line any) error {
	raw, err := json.Marshal(line)
	if err != nil {
		return err
	}
	return l.append(raw)
}

func (l *ledger) append(line json.RawMessage) error {
	if l.file == nil {
		return nil // taken over from a file that is only read
	}
	_, err := l.file.Write(append(line, '\n'))
	return err
}

// rewrite leaves a line for each object and no other. A run that is killed while it is
// written leaves the old file or the new one.
func (l *ledger) rewrite() {
	var all bytes.Buffer
	for _, operation := range l.suspects {
		raw, err := json.Marshal(suspicion{operation})
		if err != nil {
			return
		}
		all.Write(append(raw, '\n'))
	}
	for _, n := range sortedKeys(l.alive) {
		all.Write(append(l.alive[n], '\n'))
	}
	next := l.path + ".next"
	file, err := os.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_TRUNC|os.O_APPEND, 0o600)
	if err != nil {
		return
	}
	if _, err = file.Write(all.Bytes()); err == nil {
		err = os.Rename(next, l.path)
	}
	if err != nil {
		file.Close()
		os.Remove(next)
		return
	}
	l.file.Close()
	l.file, l.stale = file, 0
}

// close ends the ledger and removes the file of one that is empty. It returns how many
// objects are left.
func (l *ledger) close() int {
	if l == nil {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return 0
	}
	if len(l.alive) > 0 {
		l.rewrite()
	}
	l.file.Close()
	l.file = nil
	if len(l.alive) == 0 {
		os.Remove(l.path)
	}
	return len(l.alive)
}

// openLedger reads a ledger that another run has left and goes on with it.
func openLedger(path string) (l *ledger, entries []model.LedgerEntry, suspects []string, err error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		var wrong *fs.PathError
		if errors.As(err, &wrong) {
			err = wrong.Err
		}
		return nil, nil, nil, console.Usage("%s: %w", path, err)
	}
	l = &ledger{path: path, alive: map[int]json.RawMessage{}}
	alive := map[int]model.LedgerEntry{}
	lines := bufio.NewScanner(bytes.NewReader(raw))
	lines.Buffer(nil, len(raw)+1)
	for n := 1; lines.Scan(); n++ {
		var e struct {
			model.LedgerEntry
			suspicion
			Gone bool `json:"gone"`
		}
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil || e.Suspect == "" && (e.N < 1 || e.Made == "" && !e.Gone) {
			if !bytes.HasSuffix(raw, []byte("\n")) && bytes.HasSuffix(raw, lines.Bytes()) {
				break // the run was killed while it wrote this line, before it sent anything
			}
			return nil, nil, nil, console.Usage("%s: line %d is not a ledger entry", path, n)
		}
		if e.Suspect != "" {
			l.suspects = append(l.suspects, e.Suspect)
			continue
		}
		l.last = max(l.last, e.N)
		if alive[e.N] = e.LedgerEntry; e.Gone {
			delete(alive, e.N)
		}
	}
	for _, n := range sortedKeys(alive) {
		entries = append(entries, alive[n])
		if l.alive[n], err = json.Marshal(alive[n]); err != nil {
			return nil, nil, nil, console.Usage("%s: %w", path, err)
		}
	}
	if l.file, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0o600); err != nil {
		return nil, nil, nil, console.Usage("%s: %w", path, err)
	}
	l.rewrite()
	return l, entries, l.suspects, nil
}

func sortedKeys[V any](m map[int]V) []int {
	var keys []int
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// announced opens the ledger of a run that may make something, and says where it is.
func (s *Session) announced() string {
	if !s.may.Create && len(s.may.Named) == 0 || s.may.ReadOnly || s.may.DryRun {
		return ""
	}
	s.ledger = newLedger(s.flags.Ledger, s.Seed)
	return "; may write to the adapter: use a scratch copy of your data; ledger " + s.ledger.path
}

// kept is the ledger as the suites know it.
func (s *Session) kept() model.Ledger {
	if s.ledger == nil {
		return nil
	}
	return s.ledger
}
