// Package cli has the commands, their flags and their help.
package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/attest"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/board"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/fleet"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/monitor"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/seal"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/session"
)

// Commands is the grammar of the command line.
type Commands struct {
	Check        session.CheckFlags   `cmd:"" group:"Judge" help:"judge an adapter; this is the default command"`
	Doctor       session.DoctorFlags  `cmd:"" group:"Judge" help:"find setup problems within seconds"`
	Watch        session.WatchFlags   `cmd:"" group:"Judge" help:"judge again when files change"`
	Monitor      monitor.Flags        `cmd:"" group:"Judge" help:"judge an endpoint on a schedule, reading only"`
	Compare      compareFlags         `cmd:"" group:"Judge" help:"compare two adapters"`
	Replay       session.ReplayFlags  `cmd:"" group:"Judge" help:"re-send the requests of a finding"`
	Init         session.InitFlags    `cmd:"" group:"Judge" help:"draft a hints file for an adapter"`
	Cleanup      session.CleanupFlags `cmd:"" group:"Judge" help:"remove objects that an interrupted run left"`
	MCP          mcpFlags             `cmd:"" name:"mcp" group:"Judge" help:"offer the commands as tools of an MCP server"`
	Judge        session.JudgeFlags   `cmd:"" group:"Records" help:"judge a transcript, without the adapter"`
	Merge        mergeFlags           `cmd:"" group:"Records" help:"combine the reports of all shards"`
	Diff         diffFlags            `cmd:"" group:"Records" help:"compare two runs"`
	Seal         seal.SealFlags       `cmd:"" group:"Records" help:"seal a report, so that edits can be detected"`
	Challenge    seal.ChallengeFlags  `cmd:"" group:"Records" help:"issue a challenge for a run"`
	Verify       attest.VerifyFlags   `cmd:"" group:"Records" help:"check a sealed report"`
	Submit       attest.SubmitFlags   `cmd:"" group:"Records" help:"add a run to a registry folder"`
	Registry     attest.RegistryFlags `cmd:"" group:"Records" help:"verify all submissions and print a table"`
	Board        board.Flags          `cmd:"" group:"Records" help:"publish a registry as a site"`
	Fleet        fleet.Flags          `cmd:"" group:"Records" help:"judge a list of adapters into a registry folder"`
	Requirements requirementsFlags    `cmd:"" group:"Learn" help:"list the requirements and whether they are checked"`
	Explain      explainFlags         `cmd:"" group:"Learn" help:"explain a requirement and how it is checked"`
	Selftest     attest.SelftestFlags `cmd:"" group:"Learn" help:"test the checker on adapters with known faults"`
	Help         helpFlags            `cmd:"" group:"Learn" help:"print all flags of a command"`
	Completions  completionsFlags     `cmd:"" group:"Learn" help:"print completions for bash, zsh or fish"`
	Man          struct{}             `cmd:"" hidden:"" group:"Learn" help:"print the man page"`
	Version      console.VersionFlags `cmd:"" group:"Learn" help:"print the version"`
}

type requirementsFlags struct {
	Area     string `placeholder:"AREA" xor:"area" help:"only this area of the catalogue"`
	Untested bool   `xor:"untested" help:"only requirements without a check"`
	Errata   bool   `xor:"errata" help:"those with a reading, as Markdown: the passages, how\nthey are read and what depends on it"`
	Diff     string `placeholder:"FILE" xor:"area,untested,errata" help:"what is otherwise than in the list of another\nversion, as --format json writes it and each release\nhas it; what can change a verdict comes first"`
	Format   string `default:"text" placeholder:"text|json" help:"output format (text)"`
}

type explainFlags struct {
	IDs []string `arg:"" name:"id" help:"ids of requirements, for example AQL-4.6-01, or a\npart of an id or title, for example 4.6 or utf-8"`
}

// Obey carries out one command line. The exit code counts only without an error.
func Obey(ctx context.Context, args []string, c console.Console) (int, error) {
	args, program := cutProgram(args)
	var flags Commands
	command, err := flags.Parse(args, c)
	if err != nil || command == "" {
		return 0, err
	}
	if err := untaken(command, program); err != nil {
		return 0, err
	}
	switch command {
	case "help", "help <command>":
		return 0, flags.Help.help(c)
	case "doctor":
		return flags.Doctor.Examine(ctx, program, c)
	case "watch":
		return flags.Watch.Watch(ctx, program, c)
	case "monitor", "monitor <endpoint>":
		return flags.Monitor.Monitor(ctx, program, c)
	case "compare":
		return flags.Compare.compare(ctx, program, c)
	case "init":
		return 0, flags.Init.Draft(ctx, program, c)
	case "mcp":
		return 0, flags.MCP.serve(ctx, args[1:], program, c)
	case "cleanup <ledger>":
		return flags.Cleanup.Clean(ctx, program, c)
	case "requirements":
		return 0, flags.Requirements.list(c.Stdout)
	case "explain <id>":
		return 0, explainAll(ctx, c.Stdout, flags.Explain.IDs)
	case "judge <transcript>":
		return flags.Judge.Judge(ctx, c)
	case "merge <shards>":
		return flags.Merge.merge(c)
	case "diff <old> <new>":
		return flags.Diff.diff(ctx, c)
	case "seal <report>":
		return 0, flags.Seal.Seal(c)
	case "challenge <commitment>":
		return 0, flags.Challenge.Issue(c)
	case "verify <sealed>":
		return flags.Verify.Verify(ctx, c)
	case "submit <folder>":
		return 0, flags.Submit.Submit(ctx, c)
	case "registry <folder>":
		return flags.Registry.Registry(ctx, c)
	case "board <folder>":
		return flags.Board.Publish(ctx, c)
	case "fleet <file>":
		return flags.Fleet.Fleet(ctx, c)
	case "selftest":
		return flags.Selftest.Selftest(ctx, c)
	case "version":
		return 0, flags.Version.Print(c.Stdout)
	}
	return flags.rest(ctx, command, program, c)
}

// rest obeys a command that speaks of the command line itself, or judges an adapter.
func (flags *Commands) rest(ctx context.Context, command string, program []string, c console.Console) (int, error) {
	switch command {
	case "completions <shell>":
		return 0, flags.Completions.print(c)
	case "man":
		return 0, printManual(c.Stdout)
	}
	return flags.check(ctx, command, program, c)
}

// check judges an adapter by all that was selected, or by one script.
func (flags *Commands) check(ctx context.Context, command string, program []string, c console.Console) (int, error) {
	settle := flags.Check.Settle
	if command == "replay <replay>" {
		settle = flags.Replay.Settle
	}
	o, err := settle(program, c)
	if err != nil {
		return 0, err
	}
	return o.Check(ctx, c)
}

// untaken says why a command takes no program behind --; nil where it does, or there is none.
func untaken(command string, program []string) error {
	if name, _, _ := strings.Cut(command, " "); program == nil || slices.Contains(takers, name) {
		return nil
	}
	return console.Usage("-- PROGRAM goes with check, doctor, watch, monitor, compare, replay, init and mcp: aql-conform -- %s", console.Joined(program))
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

// Parse returns the command that was given, empty when help was asked for and
// printed. Arguments without a command are those of check.
func (f *Commands) Parse(args []string, c console.Console) (string, error) {
	named := len(args) > 0 && args[0] == "check"
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		args = append([]string{"check"}, args...)
	}
	printed := false
	parser, err := kong.New(f, kong.Name("aql-conform"), kong.Writers(c.Stdout, c.Stderr),
		kong.Exit(func(int) { printed = true }), kong.Help(f.explainer(named)))
	if err != nil {
		return "", fmt.Errorf("internal error in the command line: %w", err)
	}
	parsed, err := parser.Parse(args)
	switch {
	case printed: // kong goes on after help; what it says then is of no interest
		return "", nil
	case err != nil:
		return "", console.Usage("%s", plain(err.Error(), args, parser.Model))
	}
	return parsed.Command(), nil
}
