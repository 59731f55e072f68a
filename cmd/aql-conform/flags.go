package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"
)

// commands is the grammar of the command line.
type commands struct {
	Check        checkFlags        `cmd:"" group:"Judge" help:"judge an adapter; this is the default command"`
	Doctor       doctorFlags       `cmd:"" group:"Judge" help:"look at an adapter and say what is off"`
	Watch        watchFlags        `cmd:"" group:"Judge" help:"judge again whenever files change"`
	Compare      compareFlags      `cmd:"" group:"Judge" help:"say what differs between two adapters"`
	Replay       replayFlags       `cmd:"" group:"Judge" help:"ask once more what a finding rests on"`
	Init         initFlags         `cmd:"" group:"Judge" help:"draft a hints file for an adapter"`
	Cleanup      cleanupFlags      `cmd:"" group:"Judge" help:"remove what an interrupted run has left"`
	Judge        judgeFlags        `cmd:"" group:"Records" help:"judge a transcript, without the adapter"`
	Merge        mergeFlags        `cmd:"" group:"Records" help:"make one verdict of the reports of all shards"`
	Diff         diffFlags         `cmd:"" group:"Records" help:"say what is otherwise between two runs"`
	Seal         sealFlags         `cmd:"" group:"Records" help:"seal a report against edits"`
	Verify       verifyFlags       `cmd:"" group:"Records" help:"check a sealed report"`
	Submit       submitFlags       `cmd:"" group:"Records" help:"lay a run down in a registry"`
	Registry     registryFlags     `cmd:"" group:"Records" help:"verify all submissions, with a table"`
	Requirements requirementsFlags `cmd:"" group:"Learn" help:"list the requirements and whether they are checked"`
	Explain      explainFlags      `cmd:"" group:"Learn" help:"say what a requirement asks and how it is proven"`
	Selftest     selftestFlags     `cmd:"" group:"Learn" help:"prove the checks on broken adapters"`
	Help         helpFlags         `cmd:"" group:"Learn" help:"print all flags of a command"`
	Completions  completionsFlags  `cmd:"" group:"Learn" help:"print completions for bash, zsh or fish"`
	Man          struct{}          `cmd:"" group:"Learn" help:"print the man page"`
	Version      versionFlags      `cmd:"" group:"Learn" help:"print the version"`
}

// targetFlags name an adapter and how patient to be with it.
type targetFlags struct {
	Cmd          string        `group:"Target" placeholder:"COMMAND" help:"start it over stdio; split like a shell does it"`
	URL          string        `name:"url" group:"Target" placeholder:"URL" help:"reach it over HTTP"`
	MCPConfig    string        `name:"mcp-config" group:"Target" placeholder:"FILE" help:"take it from mcpServers JSON (- is stdin) ..."`
	Server       string        `group:"Target" placeholder:"NAME" help:"... under this name"`
	AlsoCmd      string        `group:"Target" placeholder:"COMMAND" help:"the same adapter in its other endpoint mode"`
	AlsoURL      string        `name:"also-url" group:"Target" placeholder:"URL" help:"likewise over HTTP"`
	Env          []string      `short:"e" sep:"none" group:"Target" placeholder:"KEY=VALUE" help:"add to its environment (repeatable)"`
	Cwd          string        `group:"Target" placeholder:"FOLDER" help:"start it there"`
	Header       []string      `sep:"none" group:"Target" placeholder:"'NAME: VALUE'" help:"send with each HTTP request (repeatable)"`
	MCPVersion   string        `name:"mcp-version" group:"Target" placeholder:"REVISION" help:"MCP revision to ask for"`
	StartTimeout time.Duration `default:"15s" group:"Target" placeholder:"TIME" help:"for the start and the handshake (15s)"`
	Timeout      time.Duration `default:"10s" group:"Target" placeholder:"TIME" help:"for each call (10s)"`
	RateLimit    float64       `group:"Target" placeholder:"N" help:"calls in a second at most (0: no limit)"`
	Jobs         int           `default:"16" group:"Target" placeholder:"N" help:"read-only calls in flight (16)"`
}

// leaveFlags say what may be done to the adapter, and with which seed.
type leaveFlags struct {
	Allow    []string `group:"What is asked" placeholder:"KIND[:NAME]" help:"open a kind, or lift the rules for a name"`
	ReadOnly bool     `group:"What is asked" help:"send nothing that could write"`
	Seed     *uint64  `group:"What is asked" placeholder:"N" help:"repeat the run that printed this seed"`
}

// checkFlags are the flags of check as typed; settle gives them their meaning.
type checkFlags struct {
	targetFlags

	Run  []string `group:"What is asked" placeholder:"PATTERN" help:"only these ids, globs of ids, areas or @FILE"`
	Skip []string `group:"What is asked" placeholder:"PATTERN" help:"not these"`
	narrowFlags
	Shard   string `group:"What is asked" placeholder:"I/N" help:"only the I-th of N parts; merge puts them together"`
	Subject string `group:"What is asked" placeholder:"GLOB" help:"only these operations, types or tools"`
	leaveFlags
	Hints   string `group:"What is asked" placeholder:"FILE" help:"what its author tells (./aql-conform.yaml)"`
	NoHints bool   `group:"What is asked" help:"read no hints, wherever they lie"`

	MaxWrites int    `group:"What is asked" placeholder:"N" help:"at most N requests that write (0: no limit)"`
	DryRun    bool   `group:"What is asked" help:"say what a run would do; write nothing"`
	Ledger    string `group:"What is asked" placeholder:"FILE" help:"list of created objects, for cleanup"`
	Trace     bool   `group:"Output" help:"each exchange on stderr, as it comes"`

	Phases      []string      `group:"What is asked" placeholder:"PHASE" help:"of generated input (all; none with --run)"`
	MaxTime     time.Duration `default:"60s" group:"What is asked" placeholder:"TIME" help:"for generated input (60s)"`
	MaxWait     time.Duration `default:"10s" group:"What is asked" placeholder:"TIME" help:"longest wait for something to expire (10s)"`
	MaxExamples int           `default:"20" group:"What is asked" placeholder:"N" help:"random scripts for each kind of object (20)"`

	Level        string `default:"1" group:"Verdict" placeholder:"1|2" help:"conformance level asked for (1)"`
	Basis        string `default:"all" group:"Verdict" placeholder:"all|normative" help:"which texts decide (all)"`
	Repeat       *int   `group:"Verdict" placeholder:"N" help:"judge N times; what differs is flaky (1)"`
	Strict       bool   `group:"Verdict" help:"exit 2 on warnings"`
	RequireProof bool   `group:"Verdict" help:"exit 5 when any MUST stays unproven"`
	certifyFlags
	baselineFlags

	Transcript string `group:"Output" placeholder:"FILE" help:"write down the whole run, for judge (.gz packs it)"`
	outputFlags
}

// replayFlags are those of check, narrowed to one finding.
type replayFlags struct {
	Text string `arg:"" name:"replay" help:"the v1:... that a finding printed"`
	checkFlags
}

type requirementsFlags struct {
	Area     string `placeholder:"AREA" help:"only this area of the catalogue"`
	Untested bool   `help:"only those that no check covers yet"`
	Format   string `default:"text" placeholder:"text|json" help:"form of the list (text)"`
}

type explainFlags struct {
	ID string `arg:"" name:"id" help:"id of a requirement, for example AQL-4.6-01"`
}

// obey carries out one command line. The exit code counts only without an error.
func obey(ctx context.Context, args []string, c console) (int, error) {
	args, program := cutProgram(args)
	var flags commands
	command, err := flags.parse(args, c)
	if err != nil || command == "" {
		return 0, err
	}
	name, _, _ := strings.Cut(command, " ")
	if program != nil && !slices.Contains(takers, name) {
		return 0, usage("-- belongs to check: aql-conform -- %s", joined(program))
	}
	switch command {
	case "help", "help <command>":
		return 0, flags.Help.help(c)
	case "doctor":
		return flags.Doctor.examine(ctx, program, c)
	case "watch":
		return flags.Watch.watch(ctx, program, c)
	case "compare":
		return flags.Compare.compare(ctx, program, c)
	case "completions <shell>":
		return 0, flags.Completions.print(c)
	case "man":
		return 0, printManual(c.stdout)
	case "init":
		return 0, flags.Init.draft(ctx, program, c)
	case "cleanup <ledger>":
		return flags.Cleanup.clean(ctx, program, c)
	case "requirements":
		return 0, flags.Requirements.list(c.stdout)
	case "explain <id>":
		return 0, explain(ctx, c.stdout, flags.Explain.ID)
	case "judge <transcript>":
		return flags.Judge.judge(ctx, c)
	case "merge <shards>":
		return flags.Merge.merge(c)
	case "diff <old> <new>":
		return flags.Diff.diff(ctx, c)
	case "seal <report>":
		return 0, flags.Seal.seal(c)
	case "verify <sealed>":
		return flags.Verify.verify(ctx, c)
	case "submit <folder>":
		return 0, flags.Submit.submit(ctx, c)
	case "registry <folder>":
		return flags.Registry.registry(ctx, c)
	case "selftest":
		return flags.Selftest.selftest(ctx, c)
	case "version":
		return 0, flags.Version.print(c.stdout)
	}
	settle := flags.Check.settle
	if command == "replay <replay>" {
		settle = flags.Replay.settle
	}
	o, err := settle(program, c.stdin)
	if err != nil {
		return 0, err
	}
	return o.check(ctx, c)
}

// cutProgram takes what follows the first -- off the arguments; it is the
// adapter's, whatever it looks like. nil means there was no --.
func cutProgram(args []string) (ours, program []string) {
	i := slices.Index(args, "--")
	if i < 0 {
		return args, nil
	}
	return args[:i], append([]string{}, args[i+1:]...)
}

// parse returns the command that was given, empty when help was asked for and
// printed. Arguments without a command are those of check.
func (f *commands) parse(args []string, c console) (string, error) {
	named := len(args) > 0 && args[0] == "check"
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		args = append([]string{"check"}, args...)
	}
	printed := false
	parser, err := kong.New(f, kong.Name("aql-conform"), kong.Writers(c.stdout, c.stderr),
		kong.Exit(func(int) { printed = true }), kong.Help(f.explainer(named)))
	if err != nil {
		return "", fmt.Errorf("the grammar of the command line: %w", err)
	}
	parsed, err := parser.Parse(args)
	switch {
	case printed: // kong goes on after help; what it says then is of no interest
		return "", nil
	case err != nil:
		return "", usage("%s", plain(err.Error(), args, parser.Model))
	}
	return parsed.Command(), nil
}
