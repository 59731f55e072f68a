package attest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/seal"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/session"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites"
	"github.com/aql-conform/aql-conform/suites/mutation"
	"mvdan.cc/sh/v3/shell"
)

// ZooFlags say which strangers the checks are tried on.
type ZooFlags struct {
	Seeds  string `name:"zoo" placeholder:"N" help:"test on generated adapters instead: seeds 1 to N,\nor M-N"`
	Faults int    `name:"zoo-faults" default:"2" placeholder:"K" help:"faults planted in each adapter (2)"`
	File   string `name:"zoo-file" placeholder:"FILE" help:"save one line per adapter; seeds already in the\nfile are not run again"`
	Engine string `name:"zoo-engine" placeholder:"COMMAND" help:"serve the descriptions with this command; it is\ngiven --description FILE"`
	Shrink bool   `name:"zoo-shrink" help:"reduce each false positive to the fewest habits"`
	Unseen bool   `name:"zoo-unseen" help:"use the held-out adapters instead (every fifth\nseed)"`
}

// visit tries the strangers and writes the table by habit. It returns 1 where a healthy
// stranger was accused or harmed.
func (f *ZooFlags) visit(ctx context.Context, c console.Console) (int, error) {
	seeds, err := f.seeds()
	if err != nil {
		return 0, err
	}
	engine, err := shell.Fields(f.Engine, nil)
	if err != nil {
		return 0, console.Usage("--zoo-engine %q: %w", f.Engine, err)
	}
	done, out, err := f.open()
	if err != nil {
		return 0, err
	}
	if out != nil {
		defer out.Close()
	}
	zoo := mutation.Zoo{
		Checks: suites.All(), Jobs: runtime.GOMAXPROCS(0), Shrink: f.Shrink,
		Thrice: func(seed uint64) bool { return seed%20 == 1 },
	}
	line := session.NewProgress(c.Stderr)
	line.What = "strangers"
	line.Expect(len(seeds))
	for _, seed := range seeds {
		if _, known := done[seed]; !known && ctx.Err() == nil {
			s := zoo.Visit(ctx, seal.Stranger(seed, f.Faults, engine))
			if ctx.Err() != nil {
				break
			}
			done[seed] = s
			if err := keep(out, s); err != nil {
				return 0, err
			}
		}
		line.Judged(reports.Finding{})
	}
	line.Erase()
	return tellZoo(ctx, c, seeds, done)
}

// seeds are those that --zoo asks for.
func (f *ZooFlags) seeds() ([]uint64, error) {
	from, to, ranged := strings.Cut(f.Seeds, "-")
	if !ranged {
		from, to = "1", f.Seeds
	}
	first, err := strconv.ParseUint(from, 10, 32)
	last, err2 := strconv.ParseUint(to, 10, 32)
	if err := errors.Join(err, err2); err != nil {
		return nil, console.Usage("--zoo %q: want a number, or a range such as 20-40", f.Seeds)
	}
	var seeds []uint64
	for seed := first; seed <= last; seed++ {
		if f.Unseen == seal.Withheld(seed) {
			seeds = append(seeds, seed)
		}
	}
	if len(seeds) == 0 {
		return nil, console.Usage("--zoo %s: no seed in this range", f.Seeds)
	}
	return seeds, nil
}

// open reads what the file has and opens it for more.
func (f *ZooFlags) open() (map[uint64]reports.Stranger, io.WriteCloser, error) {
	done := map[uint64]reports.Stranger{}
	if f.File == "" {
		return done, nil, nil
	}
	file, err := os.Open(f.File)
	if err == nil {
		all, err := reports.ReadStrangers(file)
		_ = file.Close()
		if err != nil {
			return nil, nil, console.Usage("--zoo-file %s: %w", f.File, err)
		}
		for _, s := range all {
			done[s.Seed] = s
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, console.Usage("--zoo-file: %w", err)
	}
	out, err := os.OpenFile(f.File, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, nil, console.Usage("--zoo-file: %w", err)
	}
	return done, out, nil
}

func keep(out io.Writer, s reports.Stranger) error {
	if out == nil {
		return nil
	}
	if err := json.NewEncoder(out).Encode(s); err != nil {
		return console.Failure{Code: console.ExitFault, Err: fmt.Errorf("--zoo-file: %w", err)}
	}
	return nil
}

func tellZoo(ctx context.Context, c console.Console, seeds []uint64, done map[uint64]reports.Stranger) (int, error) {
	var all []reports.Stranger
	code := 0
	for _, seed := range seeds {
		s, ok := done[seed]
		if !ok {
			continue
		}
		all = append(all, s)
		if !s.Sound() {
			code = 1
		}
	}
	if err := reports.WriteZoo(c.Stdout, all); err != nil {
		return 0, console.Failure{Code: console.ExitFault, Err: fmt.Errorf("writing to standard output: %w", err)}
	}
	if ctx.Err() != nil {
		return console.ExitInterrupted, nil
	}
	return code, nil
}
