package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/fixtures/portion"
)

// The harm matrix runs the command against an adapter that writes down every effect on
// what it did not get from the checker, in all its variants and under all ways of running
// it. CI looks at variants pairwise. The whole matrix, each variant under each way and all
// pairs, is one command that goes on where it was stopped:
//
//	AQL_CONFORM_HARM=results.ndjson go test -timeout 0 -run TestHarm ./cmd/aql-conform

// A cell is one run: variants of the adapter, and a way of running the checker.
type cell struct {
	Variants []string `json:"variants"`
	Way      string   `json:"way"`
}

func (c cell) String() string { return c.Way + ":" + strings.Join(c.Variants, ",") }

// A toll is what a cell did to the adapter.
type toll struct {
	Cell    cell     `json:"cell"`
	Effects []string `json:"effects,omitempty"` // calls that had an effect on others
	Left    int      `json:"left,omitempty"`    // objects of ours that are neither removed nor in the ledger
	Exit    int      `json:"exit"`
	Trouble string   `json:"trouble,omitempty"`
}

// ways are the ways of running the checker. Those over HTTP meet a server that goes on
// when the run has ended.
var ways = []string{"default", "read-only", "allow", "hints", "url", "url-allow", "INT", "TERM", "KILL", "url-KILL"}

// A harmBench has the two programs, and the variants by axis.
type harmBench struct {
	checker, adapter string
	axes             map[string][]string
	order            []string // of the axes
	broken           map[string]bool
}

func newHarmBench(t *testing.T) *harmBench {
	t.Helper()
	b := &harmBench{checker: built(t, "../aql-conform"), adapter: built(t, "../../fixtures/harm-adapter"), axes: map[string][]string{}, broken: map[string]bool{}}
	listed, err := exec.CommandContext(t.Context(), b.adapter, "-list").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(listed)) {
		column := strings.Split(line, "\t")
		name, axis := column[0], column[1]
		if !slices.Contains(b.order, axis) {
			b.order = append(b.order, axis)
		}
		if !slices.Contains(b.axes[axis], name) {
			b.axes[axis] = append(b.axes[axis], name)
		}
		b.broken[name] = column[2] == "broken"
	}
	return b
}

// singles are each variant alone.
func (b *harmBench) singles() [][]string {
	var all [][]string
	for _, axis := range b.order {
		for _, name := range b.axes[axis] {
			all = append(all, []string{name})
		}
	}
	return all
}

// pairs are few combinations in which every two variants of different axes meet, and
// every variant meets every way. A broken variant is seen alone, since its own harm
// would hide what the others do.
func (b *harmBench) pairs() []cell {
	axes := slices.DeleteFunc(slices.Clone(b.order), func(axis string) bool { return axis == "broken" })
	values := map[string][]string{"way": ways}
	for _, axis := range axes {
		values[axis] = append([]string{""}, b.axes[axis]...)
	}
	axes = append(axes, "way")
	open := map[[2]string]bool{}
	for i, x := range axes {
		for _, y := range axes[i+1:] {
			for _, v := range values[x] {
				for _, w := range values[y] {
					open[[2]string{x + v, y + w}] = true
				}
			}
		}
	}
	r := rand.New(rand.NewPCG(17, 0))
	for pair := range open {
		if b.excluded(pair, axes, values) {
			delete(open, pair)
		}
	}
	var cells []cell
	for len(open) > 0 {
		best, most := map[string]string{}, -1
		for range 400 {
			row := map[string]string{}
			for _, axis := range axes {
				row[axis] = values[axis][r.IntN(len(values[axis]))]
			}
			b.reconcile(row)
			if n := closes(axes, row, open, false); n > most {
				best, most = row, n
			}
		}
		if most == 0 {
			for pair := range open { // what chance does not find is met on purpose
				for _, axis := range axes {
					for _, half := range pair {
						if v, ok := strings.CutPrefix(half, axis); ok && slices.Contains(values[axis], v) {
							best[axis] = v
						}
					}
				}
				break
			}
			b.reconcile(best)
		}
		closes(axes, best, open, true)
		c := cell{Way: best["way"]}
		for _, axis := range axes {
			if axis != "way" && best[axis] != "" {
				c.Variants = append(c.Variants, best[axis])
			}
		}
		cells = append(cells, c)
	}
	for name, broken := range b.broken {
		if broken {
			cells = append(cells, cell{[]string{name}, "default"}, cell{[]string{name}, "allow"})
		}
	}
	return cells
}

// choosing are the variants of creation in which the client has to choose the key.
var choosing = []string{"overwrite", "returns-existing", "refuses"}

// reconcile takes what the adapter does not offer together out of a row.
func (b *harmBench) reconcile(row map[string]string) {
	if slices.Contains(choosing, row["create"]) && !slices.Contains([]string{"", "slug", "number", "composite-chosen"}, row["key"]) {
		row["create"] = "plain"
	}
	if row["lenient"] == "coerce" && slices.Contains([]string{"string", "uuid", "slug", "composite", "composite-chosen"}, row["key"]) {
		row["lenient"] = "anycase" // it would not find its own rows
	}
	if row["lenient"] == "coerce" && slices.Contains(choosing, row["create"]) && row["key"] == "" {
		row["lenient"] = "anycase"
	}
}

// excluded reports whether the adapter does not offer two variants together.
func (b *harmBench) excluded(pair [2]string, axes []string, values map[string][]string) bool {
	row := map[string]string{}
	for _, axis := range axes {
		for _, half := range pair {
			if v, ok := strings.CutPrefix(half, axis); ok && slices.Contains(values[axis], v) {
				row[axis] = v
			}
		}
	}
	before := maps.Clone(row)
	b.reconcile(row)
	return !maps.Equal(row, before)
}

// closes counts the open pairs of a row, and closes them if asked to.
func closes(axes []string, row map[string]string, open map[[2]string]bool, take bool) int {
	n := 0
	for i, x := range axes {
		for _, y := range axes[i+1:] {
			if pair := [2]string{x + row[x], y + row[y]}; open[pair] {
				n++
				if take {
					delete(open, pair)
				}
			}
		}
	}
	return n
}

// play runs one cell and reads what the adapter has written down.
func (b *harmBench) play(ctx context.Context, c cell) (toll, error) {
	folder, err := os.MkdirTemp("", "harm")
	if err != nil {
		return toll{}, err
	}
	defer os.RemoveAll(folder)
	at := func(name string) string { return filepath.Join(folder, name) }
	serve := []string{b.adapter, "-state", at("state"), "-journal", at("journal"), "-variant", strings.Join(c.Variants, ",")}
	target := []string{"--cmd", console.Joined(serve)}
	if strings.HasPrefix(c.Way, "url") {
		url, stop, err := listening(ctx, append(serve, "-http", "127.0.0.1:0"))
		if err != nil {
			return toll{}, err
		}
		defer stop()
		target = []string{"--url", url}
	}
	args := append([]string{"check", "--no-hints", "--seed", "7", "--max-time", "1s", "--max-examples", "1", "--start-timeout", "30s", "--ledger", at("ledger.ndjson")}, target...)
	switch c.Way {
	case "read-only":
		args = append(args, "--read-only")
	case "allow":
		args = append(args, "--allow", "create,update,delete,execute")
	case "url-allow", "url-KILL":
		args = append(args, "--allow", "create,update,delete")
	case "hints":
		hints := "version: 1\nsamples: {\"*\": {limit: 2}}\npermissions: {max_writes: 400, operations: {purge_all: deny}}\n"
		if err := os.WriteFile(at("hints.yaml"), []byte(hints), 0o600); err != nil {
			return toll{}, err
		}
		args = append(slices.DeleteFunc(args, func(a string) bool { return a == "--no-hints" }), "--hints", at("hints.yaml"))
	}
	told := toll{Cell: c}
	if told.Exit, err = b.run(ctx, c, at("ledger.ndjson"), args); err != nil {
		told.Trouble = err.Error()
	}
	if _, err := os.Stat(at("ledger.ndjson")); err == nil && strings.HasSuffix(c.Way, "KILL") {
		kept, _ := os.ReadFile(at("ledger.ndjson"))
		code, err := b.run(ctx, cell{}, "", append([]string{"cleanup", at("ledger.ndjson"), "--no-hints"}, target...))
		if err != nil || code > 1 {
			told.Trouble = fmt.Sprintf("cleanup: exit %d, %v\n%s", code, err, kept)
		}
		if !slices.ContainsFunc(c.Variants, func(v string) bool { return b.broken[v] || hides(v) }) {
			os.Remove(at("ledger.ndjson")) // what is still there should have been removed
		}
	}
	told.Effects, err = effectsIn(at("journal"))
	if err != nil {
		return told, err
	}
	told.Left, err = leftIn(at("state"), at("ledger.ndjson"))
	return told, err
}

// run runs the checker, and ends it on the way where the cell says so.
func (b *harmBench) run(ctx context.Context, c cell, ledger string, args []string) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, b.checker, args...)
	var said bytes.Buffer
	command.Stderr = &said
	if err := command.Start(); err != nil {
		return 0, err
	}
	sent := map[string]os.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "KILL": syscall.SIGKILL, "url-KILL": syscall.SIGKILL}[c.Way]
	if sent != nil {
		r := rand.New(rand.NewPCG(uint64(len(c.String())), 0))
		for range 400 { // until something is made
			if info, err := os.Stat(ledger); err == nil && info.Size() > 0 {
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
		time.Sleep(time.Duration(r.IntN(700)) * time.Millisecond)
		command.Process.Signal(sent)
	}
	err := command.Wait()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return 0, errors.New("the run did not end")
	case errors.As(err, &exit) && (exit.ExitCode() == console.ExitFault || bytes.Contains(said.Bytes(), []byte("panic"))):
		return exit.ExitCode(), fmt.Errorf("%s", said.Bytes())
	case errors.As(err, &exit):
		return exit.ExitCode(), nil
	}
	return 0, err
}

// listening starts a server and returns where it answers.
func listening(ctx context.Context, argv []string) (url string, stop func(), err error) {
	command := exec.CommandContext(ctx, argv[0], argv[1:]...)
	out, err := command.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := command.Start(); err != nil {
		return "", nil, err
	}
	stop = func() { command.Process.Kill(); command.Wait() }
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		stop()
		return "", nil, err
	}
	return strings.TrimSpace(strings.TrimPrefix(line, "listening ")), stop, nil
}

// effectsIn returns the calls that had an effect on others. One call may have reached
// many rows.
func effectsIn(journal string) ([]string, error) {
	raw, err := os.ReadFile(journal)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var calls []string
	for line := range bytes.Lines(raw) {
		var e struct {
			Operation string          `json:"operation"`
			Params    json.RawMessage `json:"params"`
		}
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, err
		}
		if call := e.Operation + " " + string(e.Params); !slices.Contains(calls, call) {
			calls = append(calls, call)
		}
	}
	return calls, err
}

// leftIn counts the objects of the checker that are still there and not in its ledger.
func leftIn(state, ledger string) (int, error) {
	raw, err := os.ReadFile(state)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	var kept struct {
		Tables map[string]struct {
			Rows []struct {
				Origin  string         `json:"origin"`
				Removed bool           `json:"removed"`
				Fields  map[string]any `json:"fields"`
			} `json:"rows"`
		} `json:"tables"`
	}
	if err := errors.Join(err, json.Unmarshal(raw, &kept)); err != nil {
		return 0, err
	}
	listed, _ := os.ReadFile(ledger)
	n := 0
	for _, table := range kept.Tables {
		for _, row := range table.Rows {
			known := false
			for _, v := range row.Fields {
				text, is := v.(string)
				written, _ := json.Marshal(text) // the ledger is JSON, in which U+2028 is escaped
				known = known || is && strings.HasPrefix(text, "aqlc-") && bytes.Contains(listed, bytes.Trim(written, `"`))
			}
			if row.Origin == "made" && !row.Removed && !known {
				n++
			}
		}
	}
	return n, nil
}

// hides reports whether the listings of a variant leave rows out, and nothing says so.
func hides(variant string) bool { return strings.HasPrefix(variant, "lists-") }

// harms says what a toll may not be; "" where it is as it should be.
func (b *harmBench) harms(told toll) string {
	most := 0
	if slices.ContainsFunc(told.Cell.Variants, func(v string) bool { return b.broken[v] }) {
		most = 2 // the first, and its repetition
	}
	switch {
	case told.Trouble != "":
		return told.Trouble
	case len(told.Effects) > most:
		return fmt.Sprintf("%d calls had an effect on others, want %d at most: %.600q", len(told.Effects), most, told.Effects)
	case told.Left > 0:
		return fmt.Sprintf("%d objects are left and in no ledger", told.Left)
	}
	return ""
}

// No run of any kind does harm to what it did not make, and none leaves something behind
// that nobody knows of.
func TestHarm(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("signals and locks of another kind")
	}
	if testing.Short() {
		t.Skip("builds programs and runs them for minutes")
	}
	b := newHarmBench(t)
	var cells []cell
	for i, c := range b.pairs() {
		if portion.OneOf(i, 30) {
			cells = append(cells, c)
		}
	}
	results := os.Getenv("AQL_CONFORM_HARM")
	if results != "" {
		for _, variants := range b.singles() {
			for _, way := range ways {
				cells = append(cells, cell{variants, way})
			}
		}
	}
	if len(b.singles()) < 60 || len(cells) < 5 {
		t.Fatalf("only %d variants in %d cells", len(b.singles()), len(cells))
	}
	done := map[string]bool{}
	var file *os.File
	if results != "" {
		raw, _ := os.ReadFile(results)
		for line := range bytes.Lines(raw) {
			var told toll
			if json.Unmarshal(line, &told) == nil && b.harms(told) == "" {
				done[told.Cell.String()] = true
			}
		}
		var err error
		if file, err = os.OpenFile(results, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600); err != nil {
			t.Fatal(err)
		}
		defer file.Close()
	}
	var mu sync.Mutex
	ran := 0
	t.Run("cell", func(t *testing.T) {
		slots := make(chan struct{}, runtime.GOMAXPROCS(0)+1) // a run waits for its adapter half of the time
		for _, c := range cells {
			if done[c.String()] {
				continue
			}
			done[c.String()] = true
			t.Run(c.String(), func(t *testing.T) {
				t.Parallel()
				slots <- struct{}{}
				defer func() { <-slots }()
				told, err := b.play(t.Context(), c)
				if err != nil {
					t.Fatal(err)
				}
				if why := b.harms(told); why != "" {
					t.Error(why)
				}
				mu.Lock()
				defer mu.Unlock()
				ran++
				if file != nil {
					line, _ := json.Marshal(told)
					file.Write(append(line, '\n'))
				}
			})
		}
	})
	t.Logf("%d cells", ran)
}

// A gate that accepts any identifier is found out.
func TestABluntGateIsFoundOut(t *testing.T) {
	if runtime.GOOS == "windows" || !portion.Whole() {
		t.Skip("builds programs; the stage harm of .ci/run does")
	}
	b := newHarmBench(t)
	const file = "../../suites/gate/alters.go"
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	blunted := bytes.Replace(source, []byte("if c.object == nil && !g.free("), []byte("if false && !g.free("), 1)
	if bytes.Equal(source, blunted) {
		t.Fatal("the place at which identifiers are refused has moved")
	}
	folder := t.TempDir()
	whole, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(folder, "alters.go"), blunted)
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{whole: filepath.Join(folder, "alters.go")}})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(folder, "overlay.json"), overlay)
	b.checker = filepath.Join(folder, "aql-conform")
	if said, err := exec.CommandContext(t.Context(), "go", "build", "-overlay", filepath.Join(folder, "overlay.json"), "-o", b.checker, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	var harmed []string
	for _, variants := range [][]string{{"first"}, {"coerce"}} {
		told, err := b.play(t.Context(), cell{variants, "default"})
		if err != nil {
			t.Fatal(err)
		}
		if len(told.Effects) > 0 {
			harmed = append(harmed, told.Cell.String())
		}
	}
	if len(harmed) == 0 {
		t.Error("no cell of the matrix tells a gate that accepts any identifier from one that does not")
	}
	t.Logf("harm in %v", harmed)
}
