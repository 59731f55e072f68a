package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// DoctorFlags are the flags of doctor.
type DoctorFlags struct {
	TargetFlags
	LeaveFlags
	Hints   string `group:"Input" placeholder:"FILE" help:"hints file (./aql-conform.yaml)"`
	NoHints bool   `group:"Input" help:"ignore hints files"`
}

// A symptom is one thing that was looked at.
type symptom struct {
	off         bool
	what, found string // found may have several lines
	next        string // what to do about it
}

// Examine connects, introspects and reads once, and says in plain words what is off. It
// returns 0 when nothing is, 1 when something is, 4 when there is no adapter to judge.
// It writes nothing, whatever is allowed.
func (f *DoctorFlags) Examine(ctx context.Context, program []string, c console.Console) (int, error) {
	check := CheckFlags{TargetFlags: f.TargetFlags, LeaveFlags: f.LeaveFlags, Hints: f.Hints, NoHints: f.NoHints, Level: "1", Basis: "all",
		OutputFlags: console.OutputFlags{Color: "auto"}, Phases: []string{"none"}, MaxTime: time.Second}
	o, err := check.Settle(program, c)
	if err != nil {
		return 0, err
	}
	s := &Session{Order: o, nonce: Nonce(o.Seed), line: NewProgress(c.Stderr), run: reports.Run{Started: time.Now()}}
	found, code := s.examined(ctx)
	if ctx.Err() != nil {
		return 0, console.Failure{Code: console.ExitInterrupted, Err: errors.New("interrupted")}
	}
	lines := []string{"adapter     " + o.withoutSecrets(o.Main.shown), ""}
	for _, y := range found {
		state := "ok "
		if y.off {
			state = "bad"
		}
		below := strings.Repeat(" ", 15)
		found := strings.Split(o.withoutSecrets(y.found), "\n")
		lines = append(lines, fmt.Sprintf("%s %-10s %s", state, y.what, found[0]))
		for _, l := range found[1:] {
			lines = append(lines, below+l)
		}
		if y.next != "" {
			lines = append(lines, below+"next: "+y.next)
		}
	}
	switch {
	case code == 0:
		lines = append(lines, "", "no problem found; next: aql-conform "+o.withoutSecrets(console.Joined(o.Main.typed)))
	case code == 1:
		lines = append(lines, "", "a run is possible all the same: aql-conform "+o.withoutSecrets(console.Joined(o.Main.typed)))
	}
	if err := console.Tell(c.Stdout, lines...); err != nil {
		return 0, console.Failure{Code: console.ExitFault, Err: fmt.Errorf("writing to standard output: %w", err)}
	}
	return code, nil
}

// examined looks at the adapter and ends it.
func (s *Session) examined(ctx context.Context) (found []symptom, code int) {
	s.recorder = wire.NewRecorder(s.hidden()...)
	s.engine = s.newEngine(s.recorder)
	defer s.line.Erase()
	defer s.leave()
	begun := time.Now()
	if err := s.connect(ctx, "main", s.Main); err != nil {
		s.unreachable(s.Main, err)
		return append(found, s.conclusion("start")), console.ExitTarget
	}
	setting := s.setting()
	setting.May.DryRun = true
	hello := time.Since(begun)
	f := model.NewAdapter(ctx, s.engine, "main", setting)
	s.introduce(f)
	server := strings.TrimSpace(s.run.Implementation + " " + s.run.Version)
	found = append(found, symptom{false, "start", fmt.Sprintf("MCP session after %s with %s, revision %s",
		hello.Round(time.Millisecond), cmp.Or(server, "a server without a name"), s.run.Revision), ""})
	if !s.judgeable(f) {
		return append(found, s.conclusion("adapter")), console.ExitTarget
	}
	found = append(found, s.tools(f), s.listing(f))
	for _, departure := range f.Departures {
		found = append(found, symptom{true, "introspect", departure, "answer introspect as in spec 7; a run continues with what was understood"})
	}
	found = append(found, s.endpoints(f), reading(f))
	if n := len(s.engine.Record().Strays["main"]); n > 0 {
		found = append(found, symptom{true, "stdout", fmt.Sprintf("%s on stdout", counted(n, "unexpected message")), "write only JSON-RPC to stdout, and logs to stderr"})
	}
	found = append(found, s.hinted(), s.allowed())
	found = append(found, withheld(f)...)
	if slices.ContainsFunc(found, func(y symptom) bool { return y.off }) {
		code = 1
	}
	return found, code
}

// conclusion is why there is nothing to look at.
func (s *Session) conclusion(what string) symptom {
	y := symptom{true, what, s.run.Conclusion, ""}
	for _, d := range s.run.Detail {
		if next, ok := strings.CutPrefix(d, "next: "); ok {
			y.next = next
		} else {
			y.found += "\n| " + d
		}
	}
	return y
}

func (s *Session) tools(f *model.Adapter) symptom {
	text := fmt.Sprintf("%s, of which %d speak MCP-AQL: %s", counted(len(f.Tools), "tool"), len(f.AQL), strings.Join(f.AQL, ", "))
	return symptom{len(f.AQL) == 0, "tools", text, ""}
}

// listing is what introspection lists, by category.
func (s *Session) listing(f *model.Adapter) symptom {
	if len(f.Operations) == 0 {
		return symptom{true, "introspect", "no operations found", `list them under data.operations in the answer to {"query":"operations"}; spec 7.3`}
	}
	count := map[string]int{}
	for _, o := range f.Operations {
		count[cmp.Or(o.Category, "without a category")]++
	}
	var parts []string
	for _, category := range slices.Sorted(maps.Keys(count)) {
		parts = append(parts, fmt.Sprintf("%d %s", count[category], category))
	}
	y := symptom{false, "introspect", fmt.Sprintf("through %s: %s (%s), %s", f.Introspect, counted(len(f.Operations), "operation"), strings.Join(parts, ", "), counted(len(f.Types), "type")), ""}
	if len(f.Types) == 0 {
		y.found += "; without types the fields of input and of results cannot be checked: list them for the query types, spec 7.3"
	}
	if !f.Protocol.Is(probes.Object) {
		y.found += "; no _protocol beside the listing: it has the version, the level and the limits, introspection 4.1.1"
	}
	return y
}

func (s *Session) endpoints(f *model.Adapter) symptom {
	y := symptom{false, "endpoints", fmt.Sprintf("%s profile, mode %s", cmp.Or(f.Profile(), "no known"), f.Mode()), ""}
	if f.Mode() != "all" {
		y.found += "; level 2 needs both modes: name the other with --also-cmd, unless " + modeVariable + " selects it"
	}
	return y
}

// reading is the first READ operation that answers, else why none does.
func reading(f *model.Adapter) symptom {
	why := "no READ operation except introspect"
	for _, o := range f.Operations {
		b := f.KnownGood[o.Name]
		if o.Category != "READ" || o.Name == "introspect" {
			continue
		}
		if b.State == model.Proven {
			return symptom{false, "read", o.Name + " answers " + string(b.Probe.Arguments()), ""}
		}
		why = fmt.Sprintf("no READ operation succeeded; %s: %s", o.Name, cmp.Or(b.Why, string(b.State)))
	}
	return symptom{true, "read", why, "put valid values into samples of a hints file: aql-conform init -o aql-conform.yaml"}
}

func (s *Session) hinted() symptom {
	if s.hints.file == "" {
		return symptom{false, "hints", "no hints file; aql-conform init drafts one", ""}
	}
	return symptom{false, "hints", s.hints.file + " is read", ""}
}

// withheld are the operations that a run would not call although their kind is permitted.
func withheld(f *model.Adapter) (all []symptom) {
	for _, o := range plan.Planned(f) {
		kindOnly := o.Flag != "" && !strings.Contains(o.Flag, ":") // the line on what is permitted has it
		if o.Called || kindOnly {
			continue
		}
		y := symptom{o.Category != "READ" && o.Category != "EXECUTE", "writes", o.Name + " would not be called: " + o.Why, ""}
		if o.Flag != "" {
			y.next = "add " + o.Flag + " if it may be called; nothing is proven of it otherwise"
		}
		all = append(all, y)
	}
	return all
}

// allowed is what a run may do to the adapter.
func (s *Session) allowed() symptom {
	var may, not []string
	for _, p := range []struct {
		kind string
		may  bool
	}{{"read", true}, {"create", s.may.Create}, {"update", s.may.Update}, {"delete", s.may.Delete}, {"execute", s.may.Execute}} {
		if p.may {
			may = append(may, p.kind)
		} else {
			not = append(not, p.kind)
		}
	}
	text := "a run may " + strings.Join(may, ", ")
	if len(not) > 0 {
		text += "; not " + strings.Join(not, ", ") + " (--allow " + strings.Join(not, ",") + ")"
	}
	return symptom{false, "permitted", text, ""}
}
