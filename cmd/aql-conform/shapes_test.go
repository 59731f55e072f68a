//go:build linux

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The benchmark of shapes runs the command against the scale adapter, and the command counts what
// it used itself. A dimension has three sizes and a base without it, whose cost is subtracted. The
// exponent says how the cost grows with the size: 1 is linear.
//
//	go test -run '^$' -bench BenchmarkShapes -benchtime 1x -timeout 0 ./cmd/aql-conform

// A usage is what one run of the command used.
type usage struct {
	CPU      float64 // seconds, user and system
	Resident float64 // MiB at most
	Allocs   float64 // MiB allocated in all
	Bytes    float64 // MiB read and written
	Wall     float64 // seconds
	Requests float64
	Exit     int
}

// counted runs a command line as main does, and writes what it used into the file of the first
// argument.
func counted() {
	began, file := time.Now(), os.Args[1]
	u := usage{Exit: run(context.Background(), os.Args[2:], os.Stdin, os.Stdout, os.Stderr)}
	u.Wall = time.Since(began).Seconds()
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	u.CPU = time.Duration(r.Utime.Nano() + r.Stime.Nano()).Seconds()
	u.Resident = float64(r.Maxrss) / 1024
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	u.Allocs = float64(m.TotalAlloc) / (1 << 20)
	if io, err := os.ReadFile("/proc/self/io"); err == nil {
		for line := range strings.Lines(string(io)) {
			name, number, _ := strings.Cut(strings.TrimSpace(line), ": ")
			if n, err := strconv.ParseFloat(number, 64); err == nil && (name == "rchar" || name == "wchar") {
				u.Bytes += n / (1 << 20)
			}
		}
	}
	text, _ := json.Marshal(u)
	_ = os.WriteFile(file, text, 0o600)
	os.Exit(u.Exit)
}

// A dimension is one flag of the scale adapter with its sizes; the first is the base.
type dimension struct {
	name, flag string
	rest       string // other flags
	sizes      []int
	waits      bool // it costs wall time, and no CPU
}

func (d dimension) cost(u usage) float64 {
	if d.waits {
		return u.Wall
	}
	return u.CPU
}

var dimensions = []dimension{
	{name: "operations", flag: "-operations %d", sizes: []int{0, 100, 300, 1000}},
	{name: "crud", flag: "-crud -operations %d", sizes: []int{0, 100, 300, 1000}},
	{name: "parameters", flag: "-parameters %d", rest: "-operations 30", sizes: []int{0, 10, 50, 200}},
	{name: "types", flag: "-types %d", rest: "-operations 30", sizes: []int{0, 30, 100, 300}},
	{name: "members", flag: "-members %d", rest: "-operations 30", sizes: []int{0, 3, 10, 30}},
	{name: "answer", flag: "-answer %d", rest: "-operations 10", sizes: []int{0, 10_000, 100_000, 1_000_000}},
	{name: "items", flag: "-items %d", rest: "-operations 10", sizes: []int{0, 100, 1000, 10_000}},
	{name: "depth", flag: "-depth %d", rest: "-operations 10", sizes: []int{0, 20, 60, 200}},
	{name: "description", flag: "-description %d", rest: "-operations 30", sizes: []int{0, 200, 2000, 20_000}},
	{name: "latency", flag: "-latency %dms", rest: "-operations 5", sizes: []int{0, 5, 15, 45}, waits: true},
}

// longestRun bounds one run; a run that takes longer has no figure.
const longestRun = 2 * time.Minute

// measure runs the command against one shape. It returns the median of the runs by CPU.
func measure(b *testing.B, scale, shape string, flags ...string) usage {
	b.Helper()
	times, _ := strconv.Atoi(os.Getenv("AQL_CONFORM_RUNS"))
	var all []usage
	for range max(1, times) {
		file := filepath.Join(b.TempDir(), "usage.json")
		args := append([]string{file, "--cmd", scale + " " + shape, "--no-hints", "--seed", "7", "-q"}, flags...)
		ctx, cancel := context.WithTimeout(b.Context(), longestRun)
		c := exec.CommandContext(ctx, "counted", args...)
		c.Dir = b.TempDir()
		said, err := c.CombinedOutput()
		cancel()
		var u usage
		text, lost := os.ReadFile(file)
		if lost != nil || json.Unmarshal(text, &u) != nil {
			b.Logf("%s: no figure: %v %.300s", shape, err, said)
			return usage{CPU: math.NaN(), Wall: math.NaN(), Resident: math.NaN()}
		}
		all = append(all, u)
	}
	slices.SortFunc(all, func(x, y usage) int { return int(1e6 * (x.CPU - y.CPU)) })
	return all[len(all)/2]
}

func BenchmarkShapes(b *testing.B) {
	scale := built(b, "../../fixtures/scale-adapter")
	for _, d := range dimensions {
		b.Run(d.name, func(b *testing.B) {
			for range b.N {
				d.measure(b, scale)
			}
		})
	}
	b.Run("start", func(b *testing.B) {
		for range b.N {
			at := measure(b, scale, "-operations 5")
			late := measure(b, scale, "-operations 5 -start 2s")
			b.ReportMetric((late.Wall-at.Wall)/2, "s/s-of-start")
		}
	})
	for _, n := range []int{100, 1000} {
		b.Run(fmt.Sprintf("interrupt/%d", n), func(b *testing.B) {
			for range b.N {
				b.ReportMetric(interrupted(b, scale, n).Seconds(), "s-to-exit")
			}
		})
	}
}

// measure measures all sizes of a dimension and reports how the cost grows.
func (d dimension) measure(b *testing.B, scale string) {
	var all []usage
	for _, n := range d.sizes {
		u := measure(b, scale, strings.TrimSpace(fmt.Sprintf(d.flag, n)+" "+d.rest))
		b.Logf("%s %d: CPU %.2f s, resident %.0f MiB, allocated %.0f MiB, bytes %.1f MiB, wall %.1f s, exit %d", d.name, n, u.CPU, u.Resident, u.Allocs, u.Bytes, u.Wall, u.Exit)
		all = append(all, u)
	}
	growth := func(i, j int) float64 {
		return math.Log((d.cost(all[j])-d.cost(all[0]))/(d.cost(all[i])-d.cost(all[0]))) / math.Log(float64(d.sizes[j])/float64(d.sizes[i]))
	}
	last := all[len(all)-1]
	b.ReportMetric(growth(1, 3), "exponent")
	b.ReportMetric(growth(2, 3), "last-exponent")
	b.ReportMetric(last.CPU, "cpu-s")
	b.ReportMetric(last.Resident, "MiB")
	if d.waits {
		b.ReportMetric(1000*(last.Wall-all[0].Wall)/float64(d.sizes[3]), "round-trips") // one after the other
	}
}

// interrupted ends a run at half of its time and returns how long it took from the signal.
func interrupted(b *testing.B, scale string, operations int) time.Duration {
	b.Helper()
	shape := fmt.Sprintf("-operations %d", operations)
	whole := measure(b, scale, shape)
	if math.IsNaN(whole.Wall) {
		b.Fatalf("%s: no run to interrupt", shape)
	}
	c := exec.Command("aql-conform", "--cmd", scale+" "+shape, "--no-hints", "--seed", "7", "-q")
	c.Dir = b.TempDir()
	if err := c.Start(); err != nil {
		b.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { defer close(ended); _ = c.Wait() }()
	select {
	case <-ended:
		b.Fatalf("%s: the run was over before the interrupt", shape)
	case <-time.After(time.Duration(whole.Wall / 2 * float64(time.Second))):
	}
	at := time.Now()
	_ = c.Process.Signal(syscall.SIGTERM)
	killed := time.AfterFunc(longestRun, func() { _ = c.Process.Kill() })
	defer killed.Stop()
	<-ended
	return time.Since(at)
}
