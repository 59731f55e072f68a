package main

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

// helpColumn is where the explanations of flags begin.
const helpColumn = 30

const intro = `aql-conform judges a running MCP-AQL adapter against the specification.

  aql-conform --cmd './my-adapter --mode all'
  aql-conform --url http://localhost:8080/mcp --report junit=report.xml
  aql-conform explain AQL-4.6-01
`

const exitCodes = `
Exit: 0 conformant, 1 failed, 2 warned (--strict), 3 usage, 4 no adapter,
      5 unproven, 6 fault of the checker, 130 interrupted
`

// printHelp prints the help of one command; that of check, the default, shows
// the whole program on one screen.
func printHelp(_ kong.HelpOptions, ctx *kong.Context) error {
	node := ctx.Selected()
	if node == nil {
		node = ctx.Model.Node
	}
	w := bufio.NewWriter(ctx.Stdout)
	if node.Name == "check" {
		fmt.Fprint(w, intro)
		fmt.Fprintln(w, "\nCommands:")
		for _, command := range ctx.Model.Children {
			entry(w, "  "+command.Summary(), command.Help)
		}
	} else {
		fmt.Fprintf(w, "aql-conform %s: %s\n\n", node.Summary(), node.Help)
	}
	printFlags(w, node)
	if node.Name == "check" {
		fmt.Fprint(w, exitCodes)
	}
	return w.Flush()
}

func printFlags(w *bufio.Writer, node *kong.Node) {
	group := ""
	for _, flag := range node.Flags {
		if flag.Group != nil && flag.Group.Key != group {
			group = flag.Group.Key
			fmt.Fprintf(w, "\n%s:\n", group)
			if group == "Target" {
				entry(w, "  -- PROGRAM ARGUMENTS", "start it over stdio; comes last on the line")
			}
		}
		name := "--" + flag.Name
		if flag.Short != 0 {
			name = fmt.Sprintf("-%c, %s", flag.Short, name)
		}
		if !flag.IsBool() {
			name += " " + flag.PlaceHolder
		}
		entry(w, "  "+name, flag.Help)
	}
}

// entry writes a name and what it means; more lines of that stand below its first.
func entry(w *bufio.Writer, name, help string) {
	help = strings.ReplaceAll(help, "\n", "\n"+strings.Repeat(" ", helpColumn))
	fmt.Fprintf(w, "%-*s %s\n", helpColumn-1, name, help)
}
