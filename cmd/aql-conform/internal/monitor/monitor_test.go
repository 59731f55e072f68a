package monitor

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	metricspb "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
)

// A receiver takes OTLP over HTTP and remembers it.
type receiver struct {
	mu      sync.Mutex
	metrics map[string]int // points, by the name of the metric
	spans   []string
	text    []byte // all that was sent
	asked   http.Header
}

func (c *receiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked, c.text = r.Header, append(c.text, body...)
	var metrics metricspb.ExportMetricsServiceRequest
	var traces tracepb.ExportTraceServiceRequest
	switch r.URL.Path {
	case "/v1/metrics":
		err = proto.Unmarshal(body, &metrics)
	case "/v1/traces":
		err = proto.Unmarshal(body, &traces)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	for _, of := range metrics.ResourceMetrics {
		for _, scope := range of.ScopeMetrics {
			for _, m := range scope.Metrics {
				c.metrics[m.Name] += len(m.GetGauge().GetDataPoints()) + len(m.GetSum().GetDataPoints()) + len(m.GetHistogram().GetDataPoints())
			}
		}
	}
	for _, of := range traces.ResourceSpans {
		for _, scope := range of.ScopeSpans {
			for _, span := range scope.Spans {
				c.spans = append(c.spans, span.Name)
			}
		}
	}
}

// A monitor tells what changed between two runs, and a collector gets metrics and spans of each, without
// a secret.
func TestMonitorTellsWhatChanged(t *testing.T) {
	var handlers []http.Handler
	for _, fault := range []string{"", "AQL-4.6-01.unknown-params-dropped"} {
		a, err := stand.New(stand.Config{Mode: "all", Fault: fault})
		if err != nil {
			t.Fatal(err)
		}
		handlers = append(handlers, a.Handler())
	}
	var mu sync.Mutex
	now := 0
	adapter := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		h := handlers[now]
		mu.Unlock()
		h.ServeHTTP(w, r)
	}))
	defer adapter.Close()
	c := &receiver{metrics: map[string]int{}}
	collecting := httptest.NewServer(c)
	defer collecting.Close()
	const secret = "canary-9f31c7d2"
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collecting.URL)
	t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-key=collector-key")

	var out, problems bytes.Buffer
	f := flagsOf(t, "--times", "2", "--every", "1s", "--run", "AQL-4.6-01,AQL-5.1-*", "--no-hints", "--header", "Authorization: Bearer "+secret, adapter.URL+"/mcp?token="+secret)
	code, err := f.Monitor(t.Context(), nil, console.Console{Stdin: strings.NewReader(""), Stdout: writer(func(line string) {
		out.WriteString(line)
		mu.Lock()
		now = 1 // the adapter is broken after the first run
		mu.Unlock()
	}), Stderr: &problems})
	if err != nil || code != 1 {
		t.Fatalf("exit code %d, %v\n%s%s", code, err, &out, &problems)
	}
	if lines := strings.Split(strings.TrimSpace(out.String()), "\n"); len(lines) < 3 || !strings.Contains(lines[0], "exit code 5") || !strings.Contains(out.String(), "regression: AQL-4.6-01") {
		t.Errorf("it told\n%s", &out)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, name := range []string{"requirements", "level", "operations", "runs", "requests", "run.duration", "call.duration"} {
		if c.metrics["aql_conform."+name] == 0 {
			t.Errorf("no points of aql_conform.%s among %v", name, c.metrics)
		}
	}
	for _, name := range []string{"run", "connect", "understand", "checks", "judge"} {
		if n := len(slices.DeleteFunc(slices.Clone(c.spans), func(s string) bool { return s != name })); n != 2 {
			t.Errorf("%d spans %q, want one of each run", n, name)
		}
	}
	if bytes.Contains(c.text, []byte(secret)) || c.asked.Get("X-Key") != "collector-key" || problems.Len() > 0 {
		t.Errorf("the collector got the secret, or not its own key, or there were problems: %s", &problems)
	}
}

// A collector that is away changes no verdict, and is told of.
func TestMonitorDoesNotNeedItsCollector(t *testing.T) {
	a, err := stand.New(stand.Config{Mode: "all"})
	if err != nil {
		t.Fatal(err)
	}
	adapter := httptest.NewServer(a.Handler())
	defer adapter.Close()
	gone := httptest.NewServer(http.NotFoundHandler())
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", gone.URL)
	gone.Close()
	var out, problems bytes.Buffer
	code, err := flagsOf(t, "--times", "1", "--run", "AQL-4.6-01", "--no-hints", adapter.URL+"/mcp").Monitor(t.Context(), nil, console.Console{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &problems})
	if err != nil || code != 5 || !strings.Contains(problems.String(), "OpenTelemetry: ") {
		t.Errorf("exit code %d, %v\n%s%s", code, err, &out, &problems)
	}
}

func flagsOf(t *testing.T, args ...string) *Flags {
	t.Helper()
	f := &Flags{}
	parser, err := kong.New(f)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(args); err != nil {
		t.Fatal(fmt.Errorf("%v: %w", args, err))
	}
	f.Timeout = time.Minute // the machine may be busy
	return f
}

type writer func(string)

func (w writer) Write(b []byte) (int, error) { w(string(b)); return len(b), nil }
