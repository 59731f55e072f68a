package seal

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
	"github.com/aql-conform/aql-conform/reference-adapter/faults"
	"github.com/aql-conform/aql-conform/reference-adapter/habits"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/reference-adapter/zoo"
	"github.com/aql-conform/aql-conform/suites/catalogue"
	"github.com/aql-conform/aql-conform/suites/mutation"
)

// Stranger is the adapter of that seed, with so many faults planted. Another engine is a
// command that serves the description of a file: its healthy adapter alone is tried.
func Stranger(seed uint64, faults int, engine []string) mutation.Stranger {
	d := zoo.Stranger(seed)
	serve := func(d habits.Description) mutation.Mutant { return described(d, seam.Fault{}, false, nil) }
	s := mutation.Stranger{Seed: seed, Engine: "go", Announced: d.Announced()}
	if len(engine) > 0 {
		faults, s.Engine = 0, filepath.Base(engine[len(engine)-1])
		serve = func(d habits.Description) mutation.Mutant { return served(d, engine) }
	}
	s.Healthy = serve(d)
	s.With = func(lines []string) mutation.Mutant { return serve(habits.Described(seed, habitsOf(lines))) }
	if text := d.String(); text != "" {
		s.Habits = strings.Split(text, "\n")
	}
	var asked []adapter.ToolCall
	if len(engine) == 0 {
		s.Healthy = described(d, seam.Fault{}, false, &asked)
		s.Others = elsewhere(d)
	}
	for _, f := range drawn(d, faults) {
		fault := Planted(d, f)
		fault.Shows = func() bool { return zoo.Shows(d, f, asked) }
		s.Faults = append(s.Faults, fault)
	}
	return s
}

// elsewhere is the adapter over the last revision of MCP with a handshake, and over HTTP.
func elsewhere(d habits.Description) (all []mutation.Elsewhere) {
	for _, there := range []struct {
		where, revision string
		overHTTP        bool
	}{{"sessions on stdio", wire.DefaultRevision, false}, {"sessions on HTTP", wire.DefaultRevision, true}, {"HTTP without sessions", "", true}} {
		m := mutation.Mutant{Transport: "stdio", Start: func() (mutation.TestServer, error) {
			server, _, err := begun(stand.Config{Description: d}, there.overHTTP)
			server.Sleep, server.Main.Revision = time.Sleep, there.revision
			return server, err
		}}
		if there.overHTTP {
			m.Transport = "http"
		}
		all = append(all, mutation.Elsewhere{Where: there.where, Mutant: m})
	}
	return all
}

// Planted is the adapter of a description with a fault.
func Planted(d habits.Description, f seam.Fault) mutation.Planted {
	return mutation.Planted{Default: described(d, f, false, nil), Hinted: described(d, f, true, nil)}
}

// startTimeout is for an engine that an interpreter has to load on a busy machine.
const startTimeout = 30 * time.Second

// served is the adapter of a description in a process of another engine.
func served(d habits.Description, engine []string) mutation.Mutant {
	return mutation.Mutant{Transport: "stdio", Start: func() (mutation.TestServer, error) {
		folder, err := written(d)
		if err != nil {
			return mutation.TestServer{}, fmt.Errorf("the description: %w", err)
		}
		command := append(slices.Clone(engine), "--description", filepath.Join(folder, descriptionFile))
		return mutation.TestServer{
			Sleep: time.Sleep,
			Main:  wire.Target{Command: command, StartTimeout: startTimeout, Grace: time.Second},
			Close: func() { _ = os.RemoveAll(folder) }, // a folder for temporary files is cleared by others, too
		}, nil
	}}
}

const descriptionFile = "description.json"

// written writes a description into a folder of its own.
func written(d habits.Description) (folder string, err error) {
	document, err := zoo.DocumentOf(d)
	if err != nil {
		return "", err
	}
	raw, err := json.Marshal(document)
	if err != nil {
		return "", err
	}
	if folder, err = os.MkdirTemp("", "zoo-"); err != nil {
		return "", err
	}
	return folder, os.WriteFile(filepath.Join(folder, descriptionFile), raw, 0o600)
}

func habitsOf(lines []string) map[string]string {
	chosen := map[string]string{}
	for _, line := range lines {
		axis, habit, _ := strings.Cut(line, ": ")
		chosen[axis] = habit
	}
	return chosen
}

// drawn draws faults that ordinary checks find over stdio, in another order for each seed.
func drawn(d habits.Description, n int) []seam.Fault {
	all := faults.All()
	var some []seam.Fault
	for _, i := range rand.New(rand.NewPCG(d.Seed, 0x6661756c74)).Perm(len(all)) { //nolint:gosec // nothing here is a secret
		if f := all[i]; len(some) < n && f.Phase == "" && f.Transport != "http" && shows(d, f) {
			some = append(some, f)
		}
	}
	return some
}

// shows reports whether a description has what the fault breaks, the condition of its
// requirement holds there, and the healthy adapter keeps that requirement and hides no breach.
func shows(d habits.Description, f seam.Fault) bool {
	row, _ := catalogue.Lookup(f.ID)
	return zoo.Fits(d, f) && !slices.Contains(append(d.Announced(), d.Hidden()...), f.ID) && (row.When == nil || zoo.Holds(d, *row.When, f))
}

// described is the adapter of a description with a fault. What it was asked is kept in
// asked when it is closed.
func described(d habits.Description, f seam.Fault, hinted bool, asked *[]adapter.ToolCall) mutation.Mutant {
	var hints fixtures.Hints
	var err error
	if hinted {
		hints, err = fixtures.Say(zoo.HintsFile(d, f), zoo.Hints(d, f))
	}
	m := mutation.Mutant{Requirement: f.ID, Fault: f.Variant, Also: f.Also, Transport: "stdio", Hints: hints}
	cfg := stand.Config{Mode: f.Mode, Profile: f.Profile, Description: d}
	if f.ID != "" {
		cfg.Fault = f.ID + "." + f.Variant
	}
	m.Start = func() (mutation.TestServer, error) {
		if err != nil {
			return mutation.TestServer{}, err
		}
		server, stand, err := begun(cfg, false)
		if err != nil {
			return server, err
		}
		server.Sleep = time.Sleep
		if asked != nil {
			end := server.Close
			server.Close = func() {
				*asked = stand.Calls()
				end()
			}
		}
		return server, nil
	}
	return m
}

// Withheld reports whether a seed is kept for the count at the end.
func Withheld(seed uint64) bool { return zoo.Withheld(seed) }
