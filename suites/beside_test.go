package suites

import (
	"bytes"
	"context"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
)

// A clock runs as the real one does, and jumps where a script waits: no test sleeps.
type clock struct{ ahead atomic.Int64 }

func (c *clock) now() time.Time { return time.Now().Add(time.Duration(c.ahead.Load())) }

func (c *clock) wait(_ context.Context, d time.Duration) { c.ahead.Add(int64(d)) }

// operatorWords are what the operator of the reference adapter is told for each
// command of the hints file.
var operatorWords = map[string]string{
	"safety.code_cmd": "code", "safety.approve_cmd": "approve", "safety.admin_unblock_cmd": "unblock",
	"tool_change_cmd": "change-tools", "reconfigure_cmd": "reconfigure",
}

// attend puts beside an adapter in process what the command puts beside a real one:
// its operator, its other launches, and time that passes.
func attend(t testing.TB, e *probes.Engine, cfg adapter.Config, http bool) {
	e.Commands(func(_ context.Context, name string, about map[string]string) (string, error) {
		return adapter.Operate(cfg.State, operatorWords[name], about)
	})
	e.Offer("main", probes.Restarted, probes.Launch{Target: launched(t, cfg, http), Ends: true})
	limited := cfg
	limited.Rate = 5
	e.Offer("main", probes.Limited, probes.Launch{Target: launched(t, limited, http)})
}

// launched is an adapter that is started when somebody first connects.
func launched(t testing.TB, cfg adapter.Config, overHTTP bool) wire.Target {
	begin := sync.OnceValues(func() (*adapter.Adapter, error) { return adapter.New(cfg) })
	if !overHTTP {
		return wire.Target{StartTimeout: 5 * time.Second, Grace: time.Second, Pipe: func(ctx context.Context) (io.WriteCloser, io.Reader, error) {
			a, err := begin()
			if err != nil {
				return nil, nil, err
			}
			return inProcess(a).Pipe(ctx)
		}}
	}
	handler := sync.OnceValue(func() http.Handler {
		a, err := begin()
		if err != nil {
			panic(err) // the same configuration has worked before
		}
		return a.Handler()
	})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler().ServeHTTP(w, r) }))
	t.Cleanup(server.Close)
	return wire.Target{URL: server.URL + "/mcp", StartTimeout: 5 * time.Second, Grace: time.Second}
}

// hintsFor returns what the author of the faulty adapter would tell: some faults
// show only to a checker that was told something. For the optional features that is
// the bundled file; the hints of the fault come on top of it.
func hintsFor(t testing.TB, fault adapter.Fault) fixtures.Hints {
	t.Helper()
	if fault.Features == "" && len(fault.Hints) == 0 {
		return fixtures.Hints{}
	}
	file := map[string]any{"version": 1}
	if fault.Features != "" {
		raw, err := os.ReadFile("../reference-adapter/aql-conform.yaml")
		if err != nil {
			t.Fatal(err)
		}
		if err := yaml.Unmarshal(raw, &file); err != nil {
			t.Fatal(err)
		}
	}
	for name, word := range fault.Hints {
		switch {
		case name == "modes":
			word = "[" + word + "]"
		case strings.HasPrefix(word, "{"):
			word = strings.Replace(word, `"op"`, `"operation"`, 1)
		}
		own := map[string]any{}
		if err := yaml.Unmarshal([]byte(strings.Join(hintLines(name, word), "\n")), &own); err != nil {
			t.Fatal(err)
		}
		overlay(file, own)
	}
	raw, err := yaml.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	h, err := fixtures.ReadHints(bytes.NewReader(raw), os.LookupEnv)
	if err != nil {
		t.Fatalf("%v in\n%s", err, raw)
	}
	return h
}

// overlay puts one file over another, key by key.
func overlay(under, over map[string]any) {
	for key, value := range over {
		below, ok := under[key].(map[string]any)
		above, both := value.(map[string]any)
		if ok && both {
			merged := maps.Clone(below)
			overlay(merged, above)
			value = merged
		}
		under[key] = value
	}
}
