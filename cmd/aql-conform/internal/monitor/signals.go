package monitor

import (
	"cmp"
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/metric"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/session"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
)

// scope names the instruments and spans.
const scope = "github.com/aql-conform/aql-conform"

// patience is how long a collector that does not answer holds up a run.
const patience = 5 * time.Second

// Signals send metrics and traces to the collector that OTEL_EXPORTER_OTLP_* name. Without one they do
// nothing. Nothing that an adapter said becomes an attribute, nor an argument, a header or a token.
type signals struct {
	metrics  *sdkmetric.MeterProvider
	traces   *sdktrace.TracerProvider
	tracer   trace.Tracer
	failed   func(error)
	verdicts metric.Int64Gauge
	level    metric.Int64Gauge
	reach    metric.Int64Gauge
	runs     metric.Int64Counter
	requests metric.Int64Counter
	took     metric.Float64Histogram
	latency  metric.Float64Histogram
}

// collector reports whether the environment names one, and refuses a protocol that is not built in.
func collector() (named bool, err error) {
	if strings.EqualFold(os.Getenv("OTEL_SDK_DISABLED"), "true") {
		return false, nil
	}
	for _, of := range []string{"", "_METRICS", "_TRACES"} {
		named = named || os.Getenv("OTEL_EXPORTER_OTLP"+of+"_ENDPOINT") != ""
		name := "OTEL_EXPORTER_OTLP" + of + "_PROTOCOL"
		if protocol := cmp.Or(os.Getenv(name), "http/protobuf"); protocol != "http/protobuf" {
			return false, console.Usage("%s=%s: want http/protobuf", name, protocol)
		}
	}
	return named, nil
}

// newSignals is told of what could not be sent by failed.
func newSignals(ctx context.Context, failed func(error)) (*signals, error) {
	named, err := collector()
	if err != nil || !named {
		return &signals{}, err
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(failed))
	about, err := resource.New(ctx, resource.WithTelemetrySDK(),
		resource.WithAttributes(attribute.String("service.name", "aql-conform"), attribute.String("service.version", console.Version())), resource.WithFromEnv())
	if err != nil {
		return nil, console.Usage("OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	metrics, err := otlpmetrichttp.New(ctx)
	if err != nil {
		return nil, console.Usage("OTEL_EXPORTER_OTLP_*: %w", err)
	}
	traces, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, console.Usage("OTEL_EXPORTER_OTLP_*: %w", err)
	}
	s := &signals{
		failed:  failed,
		metrics: sdkmetric.NewMeterProvider(sdkmetric.WithResource(about), sdkmetric.WithReader(sdkmetric.NewPeriodicReader(metrics))),
		traces:  sdktrace.NewTracerProvider(sdktrace.WithResource(about), sdktrace.WithBatcher(traces)),
	}
	s.tracer = s.traces.Tracer(scope)
	return s, s.instruments()
}

// instruments names what is measured.
func (s *signals) instruments() error {
	m := s.metrics.Meter(scope)
	var errs [7]error
	s.verdicts, errs[0] = m.Int64Gauge("aql_conform.requirements", metric.WithUnit("{requirement}"), metric.WithDescription("Requirements by level and verdict"))
	s.level, errs[1] = m.Int64Gauge("aql_conform.level", metric.WithUnit("{level}"), metric.WithDescription("Conformance level reached"))
	s.reach, errs[2] = m.Int64Gauge("aql_conform.operations", metric.WithUnit("{operation}"), metric.WithDescription("Operations that were called with success, were not, or may not be called"))
	s.runs, errs[3] = m.Int64Counter("aql_conform.runs", metric.WithUnit("{run}"), metric.WithDescription("Runs by exit code"))
	s.requests, errs[4] = m.Int64Counter("aql_conform.requests", metric.WithUnit("{request}"), metric.WithDescription("Requests sent"))
	s.took, errs[5] = m.Float64Histogram("aql_conform.run.duration", metric.WithUnit("s"), metric.WithDescription("Time of a run"))
	s.latency, errs[6] = m.Float64Histogram("aql_conform.call.duration", metric.WithUnit("s"), metric.WithDescription("Time of a call of the adapter"),
		metric.WithExplicitBucketBoundaries(.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10))
	return errors.Join(errs[:]...)
}

// close sends what is left.
func (s *signals) close() {
	if s.metrics == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := errors.Join(s.metrics.Shutdown(ctx), s.traces.Shutdown(ctx)); err != nil {
		s.failed(err)
	}
}

// A runSpan follows one run. The zero one does nothing.
type runSpan struct {
	*signals
	ctx   context.Context
	about attribute.Set
	span  trace.Span

	mu    sync.Mutex
	phase trace.Span // nil between phases
}

// begin starts the span of a run and of each of its phases.
func (s *signals) begin(ctx context.Context, o *session.Order) *runSpan {
	if s.metrics == nil {
		return &runSpan{}
	}
	r := &runSpan{signals: s, about: attribute.NewSet(attribute.String("aql_conform.adapter", o.Name()))}
	r.ctx, r.span = s.tracer.Start(context.WithoutCancel(ctx), "run", trace.WithAttributes(r.about.ToSlice()...))
	o.OnPhase = r.enter
	o.OnAnswered = func(a probes.Observation) {
		if !a.Lost() && a.Elapsed > 0 {
			s.latency.Record(r.ctx, a.Elapsed.Seconds(), metric.WithAttributeSet(r.about))
		}
	}
	return r
}

// enter ends the phase before and begins the next.
func (r *runSpan) enter(phase string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.phase != nil {
		r.phase.End()
	}
	_, r.phase = r.tracer.Start(r.ctx, phase)
}

// abandon ends the spans of a run without a report.
func (r *runSpan) abandon() {
	if r.span == nil {
		return
	}
	r.leave()
	r.span.SetStatus(codes.Error, "no report")
	r.span.End()
}

func (r *runSpan) leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.phase != nil {
		r.phase.End()
		r.phase = nil
	}
}

// end tells what came of the run, and sends it.
func (r *runSpan) end(report *reports.Report) {
	if r.span == nil {
		return
	}
	r.leave()
	code := attribute.Int("aql_conform.exit_code", report.ExitCode)
	r.span.SetAttributes(code, attribute.Int("aql_conform.level", report.ConformanceLevel), attribute.Int("aql_conform.failed", report.Summary.Fail))
	if report.ExitCode == 1 || report.ExitCode == console.ExitTarget {
		r.span.SetStatus(codes.Error, "")
	}
	r.span.End()
	with := func(more ...attribute.KeyValue) metric.MeasurementOption {
		return metric.WithAttributes(append(r.about.ToSlice(), more...)...)
	}
	r.runs.Add(r.ctx, 1, with(code))
	r.took.Record(r.ctx, report.Run.Elapsed.Seconds(), with())
	r.requests.Add(r.ctx, int64(report.Run.Asked), with())
	r.level.Record(r.ctx, int64(report.ConformanceLevel), with())
	for level, counts := range report.CountsByLevel() {
		for verdict, n := range map[string]int{"pass": counts.Pass, "fail": counts.Fail, "warn": counts.Warn, "not_applicable": counts.NotApplicable, "skipped": counts.Skipped, "not_proven": counts.NotProven} {
			r.verdicts.Record(r.ctx, int64(n), with(attribute.String("aql_conform.verdict", verdict), attribute.Int("aql_conform.requirement.level", level)))
		}
	}
	if reach := report.Run.Reach; reach != nil {
		for state, n := range map[string]int{"reached": reach.Operations - len(reach.NotReached), "not_reached": len(reach.NotReached), "not_allowed": len(reach.NotAllowed)} {
			r.reach.Record(r.ctx, int64(n), with(attribute.String("aql_conform.state", state)))
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := errors.Join(r.metrics.ForceFlush(ctx), r.traces.ForceFlush(ctx)); err != nil {
		r.failed(err)
	}
}
