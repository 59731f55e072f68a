package cli

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
)

// helpColumn is where the explanations of flags begin.
const helpColumn = 30

const intro = `aql-conform judges a running MCP-AQL adapter against the specification.

  aql-conform --cmd './my-adapter --mode all'
  aql-conform --url http://localhost:8080/mcp --report junit=report.xml
  aql-conform explain AQL-4.6-01
`

const exitCodes = `
Exit: 0 conformant, 1 failed, 2 warnings (--strict), 3 usage, 4 no adapter,
      5 not proven, 6 error in the checker, 130 interrupted
`

// common are the flags of check that the first screen shows; help check has them all.
var common = []string{"cmd", "url", "run", "read-only", "hints", "baseline", "report"}

// helpFlags name a command.
type helpFlags struct {
	Command string `arg:"" optional:"" help:"a command, for example check"`
}

// explainer prints help: the first screen when check was not named, else all of a command.
func (f *Commands) explainer(named bool) kong.HelpPrinter {
	return func(_ kong.HelpOptions, ctx *kong.Context) error {
		node := ctx.Selected()
		w := bufio.NewWriter(ctx.Stdout)
		if node == nil || node.Name == "check" && !named {
			firstScreen(w, ctx.Model.Node)
			return w.Flush()
		}
		fmt.Fprintf(w, "aql-conform %s: %s\n", usageOf(node), node.Help)
		printFlags(w, node.Flags)
		if node.Name == "check" {
			fmt.Fprint(w, exitCodes)
		}
		return w.Flush()
	}
}

// firstScreen is what one sees who looks before reading.
func firstScreen(w *bufio.Writer, root *kong.Node) {
	fmt.Fprint(w, intro)
	var groups []string
	in := map[string][]*kong.Node{}
	for _, command := range root.Children {
		if command.Hidden {
			continue // one screen has no room for what only a package script needs
		}
		group := "More"
		if command.Group != nil {
			group = command.Group.Key
		}
		if in[group] == nil {
			groups = append(groups, group)
		}
		in[group] = append(in[group], command)
	}
	for _, group := range groups {
		fmt.Fprintf(w, "\n%s:\n", group)
		for _, command := range in[group] {
			entry(w, "  "+usageOf(command), command.Help)
		}
	}
	fmt.Fprintln(w, "\nOften used:")
	entry(w, "  -- PROGRAM ARGUMENTS", "start the adapter (stdio); must come last")
	for _, command := range root.Children {
		for _, flag := range command.Flags {
			if command.Name == "check" && slices.Contains(common, flag.Name) {
				help, _, more := strings.Cut(flag.Help, "\n")
				if more {
					help += " ..."
				}
				entry(w, "  "+spelt(flag), help)
			}
		}
	}
	fmt.Fprintln(w, `  "aql-conform help check" lists all flags of a run; see also "help COMMAND".`)
	fmt.Fprint(w, exitCodes)
}

// usageOf is a command with what stands behind it.
func usageOf(node *kong.Node) string {
	words := []string{node.Name}
	for _, arg := range node.Positional {
		words = append(words, arg.Summary())
	}
	return strings.Join(words, " ")
}

// printFlags prints each group of flags once, in the order of their first flags.
func printFlags(w *bufio.Writer, flags []*kong.Flag) {
	var groups []string
	in := map[string][]*kong.Flag{}
	for _, flag := range flags {
		if flag.Hidden {
			continue
		}
		group := ""
		if flag.Group != nil {
			group = flag.Group.Key
		}
		if in[group] == nil {
			groups = append(groups, group)
		}
		in[group] = append(in[group], flag)
	}
	for _, group := range groups {
		fmt.Fprintln(w)
		if group != "" {
			fmt.Fprintf(w, "%s:\n", group)
		}
		if group == "Target" {
			entry(w, "  -- PROGRAM ARGUMENTS", "start the adapter (stdio); must come last")
		}
		for _, flag := range in[group] {
			entry(w, "  "+spelt(flag), flag.Help)
		}
	}
}

// spelt is a flag as one types it.
func spelt(flag *kong.Flag) string {
	name := "--" + flag.Name
	if flag.Short != 0 {
		name = fmt.Sprintf("-%c, %s", flag.Short, name)
	}
	if !flag.IsBool() {
		name += " " + flag.PlaceHolder
	}
	return name
}

// entry writes a name and what it means; more lines of that stand below its first.
func entry(w *bufio.Writer, name, help string) {
	help = strings.ReplaceAll(help, "\n", "\n"+strings.Repeat(" ", helpColumn))
	fmt.Fprintf(w, "%-*s %s\n", helpColumn-1, name, help)
}

// help prints what COMMAND --help prints; without a command, the first screen.
func (f *helpFlags) help(c console.Console) error {
	model, err := Grammar()
	if err != nil {
		return err
	}
	args := []string{"--help"}
	if f.Command != "" {
		if err := console.OneOf("help", f.Command, strings.Fields(names(model))); err != nil {
			return err
		}
		args = []string{f.Command, "--help"}
	}
	var again Commands
	_, err = again.Parse(args, c)
	return err
}
