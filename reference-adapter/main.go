// Command reference-adapter serves the reference MCP-AQL adapter over stdio or
// HTTP, healthy or with one chosen fault.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
	"github.com/aql-conform/aql-conform/reference-adapter/faults"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
)

const (
	grace     = 2 * time.Second // for open HTTP requests when told to end
	collectAt = 400             // percent of what is live: a store of a few notes would be swept for nothing, again and again
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run returns the exit code: 0 after an orderly end, 1 if serving failed, 2 if
// the command line cannot be obeyed.
func run(args []string, in io.Reader, out, problems io.Writer) int {
	if len(args) > 0 && args[0] == "operator" {
		return operate(args[1:], out, problems)
	}
	flags := flag.NewFlagSet("reference-adapter", flag.ContinueOnError)
	flags.SetOutput(problems)
	var cfg stand.Config
	var err error
	flags.StringVar(&cfg.Mode, "mode", "", "endpoint mode: semantic (the default), single or all; MCP_AQL_ENDPOINT_MODE overrides it")
	flags.StringVar(&cfg.Profile, "profile", "", "endpoint families: crude (the default) or alternative; MCP_AQL_ENDPOINT_PROFILE overrides it")
	flags.StringVar(&cfg.Fault, "fault", "", "break one requirement: `ID[.variant]`; a mode not given is the one in which it shows best")
	flags.StringVar(&cfg.Features, "features", "", "optional `features`: all, none, usual (the default) or names with commas between; -name takes one away")
	flags.StringVar(&cfg.Loop, "loop", "", "`mode` of the execution safety loop: enforcing (the default), monitoring, logging, disabled, or counting for nothing but a step limit")
	flags.DurationVar(&cfg.Challenge, "challenge", 0, "`time` for which a challenge of out-of-band verification can be met (5m)")
	flags.StringVar(&cfg.State, "state", "", "`folder` that keeps what outlives the process; over HTTP or where optional features are chosen, one for all adapters of this user otherwise")
	flags.IntVar(&cfg.Rate, "rate", 0, "`calls` that a session may make in a minute; 0 for any number")
	var look look
	look.declare(flags)
	address := flags.String("http", "", "serve streamable HTTP on `host:port` at /mcp instead of stdio")
	flags.BoolVar(&cfg.Authorization, "authorization", false, "over HTTP, want a bearer token, and issue it: OAuth 2.1 as MCP has it")
	list := flags.Bool("list-faults", false, "print all faults and exit")
	format := flags.String("format", "text", "form of --list-faults: text or json")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2
	}
	if *list {
		return listFaults(out, problems, *format)
	}
	if cfg.Description, err = look.description(); err != nil {
		fmt.Fprintln(problems, "reference-adapter:", err)
		return 2
	}
	if look.list || look.document {
		return look.print(out, problems, cfg.Description)
	}
	// A client that finds the other mode by relaunching can set the environment
	// but does not know our flags, so the environment wins.
	override(&cfg.Mode, "MCP_AQL_ENDPOINT_MODE")
	override(&cfg.Profile, "MCP_AQL_ENDPOINT_PROFILE")
	broken := faultOf(cfg.Fault)
	if cfg.Features != "" || broken.Features != "" || cfg.State != "" || *address != "" {
		cfg.State = stateFolder(cfg.State)
	}
	a, err := stand.New(cfg)
	if err != nil || flags.NArg() > 0 {
		fmt.Fprintln(problems, "reference-adapter:", errors.Join(err, stray(flags.Args())))
		return 2
	}
	if err := misplaced(cfg, broken, *address); err != nil {
		fmt.Fprintln(problems, "reference-adapter:", err)
		return 2
	}
	return serve(a, *address, in, out, problems)
}

// misplaced says why the transport cannot show what was asked for.
func misplaced(cfg stand.Config, broken seam.Fault, address string) error {
	transport := "stdio"
	if address != "" {
		transport = "http"
	}
	switch {
	case broken.Transport != "" && broken.Transport != transport:
		return fmt.Errorf("this fault shows over %s alone: %s", broken.Transport, cfg.Fault)
	case cfg.Authorization && address == "":
		return errors.New("--authorization needs --http")
	}
	return nil
}

// operate does what the person beside the adapter asks for: operator WORD. What it
// concerns stands in the variables that the checker sets.
func operate(args []string, out, problems io.Writer) int {
	if len(args) != 1 {
		fmt.Fprintln(problems, "reference-adapter: want operator WORD")
		return 2
	}
	about := map[string]string{}
	for _, pair := range os.Environ() {
		name, value, _ := strings.Cut(pair, "=")
		if key, ok := strings.CutPrefix(name, "AQL_CONFORM_"); ok {
			about[strings.ToLower(key)] = value
		}
	}
	said, err := adapter.Operate(stateFolder(""), args[0], about)
	if err != nil {
		fmt.Fprintln(problems, "reference-adapter:", err)
		return 1
	}
	fmt.Fprintln(out, said)
	return 0
}

// stateFolder is where the adapter and its operator meet: the folder given, else
// that of the environment, else one for all adapters of this user.
func stateFolder(given string) string {
	own := filepath.Join(os.TempDir(), fmt.Sprintf("mcp-aql-reference-adapter-%d", os.Getuid()))
	return cmp.Or(given, os.Getenv("REFERENCE_ADAPTER_STATE"), own)
}

// faultOf returns the fault of that name; the zero Fault for any other.
func faultOf(name string) seam.Fault {
	for _, f := range faults.All() {
		if name == f.ID || name == f.ID+"."+f.Variant {
			return f
		}
	}
	return seam.Fault{}
}

// serve runs until its input ends or a signal arrives.
func serve(a *adapter.Adapter, address string, in io.Reader, out, problems io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	debug.SetGCPercent(collectAt)
	var err error
	if address != "" {
		err = serveHTTP(ctx, a, address, problems)
	} else {
		err = a.Serve(ctx, in, out)
	}
	if err != nil && ctx.Err() == nil {
		fmt.Fprintln(problems, "reference-adapter:", err)
		return 1
	}
	return 0
}

func override(value *string, variable string) {
	if set := os.Getenv(variable); set != "" {
		*value = set
	}
}

func stray(args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("unexpected argument %q", args[0])
}

func listFaults(out, problems io.Writer, format string) int {
	switch format {
	case "text":
		for _, f := range faults.All() {
			shows := ""
			if f.Phase != "" {
				shows = "\tseeded for " + f.Phase + " input"
			}
			if f.Transport != "" {
				shows = " (over " + f.Transport + " alone)"
			}
			fmt.Fprintf(out, "%s.%s\t%s%s\n", f.ID, f.Variant, f.Defect, shows)
		}
	case "json":
		printer := json.NewEncoder(out)
		printer.SetIndent("", "  ")
		if err := printer.Encode(faults.All()); err != nil {
			fmt.Fprintln(problems, "reference-adapter:", err)
			return 1
		}
	default:
		fmt.Fprintf(problems, "reference-adapter: unknown format %q: want text or json\n", format)
		return 2
	}
	return 0
}

func serveHTTP(ctx context.Context, a *adapter.Adapter, address string, problems io.Writer) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("listen for --http: %w", err)
	}
	routes := http.NewServeMux()
	if seam.Aside(a).Grant != nil {
		routes.Handle("/", a.Handler()) // with the paths of authorization
	} else {
		routes.Handle("/mcp", a.Handler())
	}
	server := &http.Server{Handler: routes, ReadHeaderTimeout: grace}
	go func() {
		select {
		case <-a.Dead():
			_ = server.Close()
		case <-ctx.Done():
			ending, cancel := context.WithTimeout(context.Background(), grace)
			defer cancel()
			if server.Shutdown(ending) != nil { // an open event stream never ends by itself
				_ = server.Close()
			}
		}
	}()
	fmt.Fprintf(problems, "listening on http://%s/mcp\n", listener.Addr())
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve HTTP: %w", err)
	}
	select {
	case <-a.Dead():
		return errors.New("ended by its fault")
	default:
		return nil
	}
}
