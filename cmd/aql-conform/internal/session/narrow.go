package session

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/reports"
)

// narrowFlags narrow a run by what an earlier one found.
type narrowFlags struct {
	LastFailed string `group:"Selection" placeholder:"REPORT" help:"only requirements that failed in this JSON report"`
	FailFast   bool   `group:"Selection" help:"stop after the first failed check;\ngenerated input is sent completely or not at all"`
}

// whereabouts say where patterns stand that were not typed.
type whereabouts map[string]string

// narrow replaces @FILE in --run and --skip by the patterns in the file, and makes of
// --last-failed what --run would be.
func (f *CheckFlags) narrow() (whereabouts, error) {
	at := whereabouts{}
	var err error
	if f.Run, err = at.expand("--run", f.Run); err != nil {
		return nil, err
	}
	if f.Skip, err = at.expand("--skip", f.Skip); err != nil {
		return nil, err
	}
	if f.LastFailed == "" {
		return at, nil
	}
	if len(f.Run) > 0 {
		return nil, console.Usage("--run and --last-failed both select requirements; leave one out")
	}
	f.Run, f.rechecked, err = at.failed(f.LastFailed)
	return at, err
}

// expand reads the files among the patterns: one pattern a line, # begins a comment. A
// file without a pattern would leave the choice out, so it is refused like a pattern
// that matches nothing.
func (at whereabouts) expand(flag string, patterns []string) ([]string, error) {
	var all []string
	for _, p := range patterns {
		name, listed := strings.CutPrefix(p, "@")
		if !listed {
			all = append(all, p)
			continue
		}
		file, err := os.Open(name)
		if err != nil {
			return nil, console.Usage("%s %s: %w", flag, p, err)
		}
		defer file.Close()
		before := len(all)
		lines := bufio.NewScanner(file)
		for n := 1; lines.Scan(); n++ {
			text, _, _ := strings.Cut(lines.Text(), "#")
			if text = strings.TrimSpace(text); text != "" {
				all = append(all, text)
				at[text] = fmt.Sprintf("%s:%d", name, n)
			}
		}
		switch {
		case lines.Err() != nil:
			return nil, console.Usage("%s %s: %w", flag, p, lines.Err())
		case len(all) == before:
			return nil, console.Usage("%s %s: the file has no pattern; write one id, area or glob of ids per line", flag, p)
		}
	}
	return all, nil
}

// failed are the requirements that failed in a report, and the same with each subject. When none did there is nothing to
// run, and that is an error: a run of nothing must not pass, and a level is granted
// only by a run of all.
func (at whereabouts) failed(report string) (ids, subjects []string, err error) {
	file, err := os.Open(report)
	if err != nil {
		return nil, nil, console.Usage("--last-failed: %w; --report json=FILE writes one", err)
	}
	defer file.Close()
	part, err := reports.ReadJSON(file)
	if err != nil {
		return nil, nil, console.Usage("--last-failed %s: %w; --report json=FILE writes one", report, err)
	}
	for _, f := range part.Findings {
		if f.Verdict != reports.Fail {
			continue
		}
		if at[f.Requirement] == "" {
			ids = append(ids, f.Requirement)
			at[f.Requirement] = report
		}
		subjects = append(subjects, f.Requirement+" "+f.Subject)
	}
	if len(ids) == 0 {
		return nil, nil, console.Usage("--last-failed %s: nothing failed in it, so there is nothing to run again; leave the flag out to judge the level", report)
	}
	return ids, subjects, nil
}

// mistake is an error about a pattern, with the place where it stands.
func (at whereabouts) mistake(err error) error {
	for pattern, place := range at {
		if strings.Contains(err.Error(), strconv.Quote(pattern)+" matches") {
			return console.Usage("%s: %w", place, err)
		}
	}
	return console.Usage("%w", err)
}

// fails reports whether a finding is a failure that nobody knows of yet.
func (s *Session) fails(f reports.Finding) bool {
	return f.Verdict == reports.Fail && !s.known.baseline().Accepts(f, s.run)
}

// ShardOf reads I/N; 0 of 0 is the whole.
func ShardOf(shard string) (index, of int, err error) {
	if shard == "" {
		return 0, 0, nil
	}
	if n, err := fmt.Sscanf(shard+"$", "%d/%d$", &index, &of); n != 2 || err != nil || index < 1 || index > of {
		return 0, 0, console.Usage("--shard %q: want I/N with I from 1 to N, for example 1/4", shard)
	}
	return index, of, nil
}
