package cli

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
)

// completionsFlags name a shell.
type completionsFlags struct {
	Shell string `arg:"" help:"bash, zsh or fish"`
}

// Grammar is the command line as kong reads it.
func Grammar() (*kong.Application, error) {
	parser, err := kong.New(&Commands{}, kong.Name("aql-conform"), kong.NoDefaultHelp())
	if err != nil {
		return nil, fmt.Errorf("internal error in the command line: %w", err)
	}
	return parser.Model, nil
}

// print writes completions for a shell. They know commands, flags and formats; what is
// a file is left to the shell.
func (f *completionsFlags) print(c console.Console) error {
	writers := map[string]func(*bufio.Writer, *kong.Application){"bash": bashCompletions, "zsh": zshCompletions, "fish": fishCompletions}
	if err := console.OneOf("completions", f.Shell, []string{"bash", "zsh", "fish"}); err != nil {
		return err
	}
	model, err := Grammar()
	if err != nil {
		return err
	}
	w := bufio.NewWriter(c.Stdout)
	writers[f.Shell](w, model)
	return w.Flush()
}

// choices are the words that a flag takes, empty when it takes any.
func choices(flag *kong.Flag) []string {
	if strings.Contains(flag.PlaceHolder, "|") {
		return strings.Split(flag.PlaceHolder, "|")
	}
	return nil
}

// switches are the flags of a command as they are typed.
func switches(node *kong.Node) string {
	var all []string
	for _, flag := range node.Flags {
		all = append(all, "--"+flag.Name)
	}
	return strings.Join(all, " ")
}

func names(model *kong.Application) string {
	var all []string
	for _, command := range model.Children {
		all = append(all, command.Name)
	}
	return strings.Join(all, " ")
}

func bashCompletions(w *bufio.Writer, model *kong.Application) {
	fmt.Fprintf(w, `# Completions of aql-conform for bash: source <(aql-conform completions bash)
_aql_conform() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=check flags= values=
  case ${COMP_WORDS[1]} in
    -*) ;;
    *) [ "$COMP_CWORD" -gt 1 ] && command=${COMP_WORDS[1]} ;;
  esac
  case $command in
`)
	valued := map[string]string{}
	for _, command := range model.Children {
		fmt.Fprintf(w, "    %s) flags='%s' ;;\n", command.Name, switches(command))
		for _, flag := range command.Flags {
			if words := choices(flag); words != nil {
				valued["--"+flag.Name] = strings.Join(words, " ")
			}
		}
	}
	fmt.Fprint(w, "  esac\n  case $before in\n")
	for _, name := range slices.Sorted(maps.Keys(valued)) {
		fmt.Fprintf(w, "    %s) values='%s' ;;\n", name, valued[name])
	}
	fmt.Fprintf(w, `  esac
  if [ -n "$values" ]; then
    COMPREPLY=($(compgen -W "$values" -- "$word"))
  elif [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$word"))
  elif [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '%s' -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}
complete -o filenames -F _aql_conform aql-conform
`, names(model))
}

// zshCompletions lets zsh use those of bash, which it understands.
func zshCompletions(w *bufio.Writer, model *kong.Application) {
	fmt.Fprint(w, "#compdef aql-conform\n# Completions of aql-conform for zsh: source <(aql-conform completions zsh)\nautoload -U +X bashcompinit && bashcompinit\n")
	bashCompletions(w, model)
}

func fishCompletions(w *bufio.Writer, model *kong.Application) {
	fmt.Fprint(w, "# Completions of aql-conform for fish: aql-conform completions fish | source\n")
	for _, command := range model.Children {
		fmt.Fprintf(w, "complete -c aql-conform -n __fish_use_subcommand -f -a %s -d %s\n", command.Name, console.Quoted(command.Help))
		condition := "__fish_seen_subcommand_from " + command.Name
		if command.Name == "check" {
			condition = "__fish_use_subcommand; or " + condition
		}
		for _, flag := range command.Flags {
			line := fmt.Sprintf("complete -c aql-conform -n %s -l %s", console.Quoted(condition), flag.Name)
			if flag.Short != 0 {
				line += " -s " + string(flag.Short)
			}
			if words := choices(flag); words != nil {
				line += " -x -a " + console.Quoted(strings.Join(words, " "))
			} else if !flag.IsBool() {
				line += " -r"
			}
			fmt.Fprintf(w, "%s -d %s\n", line, console.Quoted(strings.ReplaceAll(flag.Help, "\n", " ")))
		}
	}
}

// printManual writes the man page: aql-conform man > aql-conform.1.
func printManual(out io.Writer) error {
	model, err := Grammar()
	if err != nil {
		return err
	}
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, ".TH AQL-CONFORM 1 \"\" \"aql-conform %s\"\n.SH NAME\naql-conform \\- judge a running MCP-AQL adapter against the specification\n", console.Version())
	fmt.Fprint(w, ".SH SYNOPSIS\n.B aql-conform\n[\\fICOMMAND\\fR] [\\fIFLAGS\\fR] [\\fB\\-\\-\\fR \\fIPROGRAM ARGUMENTS\\fR]\n.SH EXAMPLES\n.nf\n")
	for _, line := range strings.Split(intro, "\n") {
		if example, ok := strings.CutPrefix(line, "  aql-conform"); ok {
			fmt.Fprintln(w, roff("aql-conform"+example))
		}
	}
	fmt.Fprint(w, ".fi\n.SH COMMANDS\n")
	for _, command := range model.Children {
		fmt.Fprintf(w, ".SS %s\n%s.\n", roff(usageOf(command)), roff(command.Help))
		for _, flag := range command.Flags {
			fmt.Fprintf(w, ".TP\n\\fB%s\\fR\n%s\n", roff(spelt(flag)), roff(strings.ReplaceAll(flag.Help, "\n", " ")))
		}
	}
	fmt.Fprint(w, ".SH EXIT STATUS\n")
	for _, status := range strings.Split(strings.Join(strings.Fields(strings.TrimPrefix(exitCodes, "\nExit:")), " "), ", ") {
		code, meaning, _ := strings.Cut(status, " ")
		fmt.Fprintf(w, ".TP\n.B %s\n%s\n", code, roff(meaning))
	}
	return w.Flush()
}

// roff writes text so that the typesetter takes none of it for a request.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, `'`, `\(aq`).Replace(s)
	if strings.HasPrefix(s, ".") {
		s = `\&` + s
	}
	return s
}
