package cli

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// takers are the commands behind whose -- a program may stand.
var takers = []string{"check", "replay", "init", "doctor", "watch", "monitor", "compare", "mcp"}

// What kong says of a command line: what is there, and what it wanted.
var (
	noValue    = regexp.MustCompile(`^(-\S+): .*(?:got "EOL"|missing value)`)
	noDuration = regexp.MustCompile(`^(-\S+): expected duration but got "(.*?)":`)
	noNumber   = regexp.MustCompile(`^(-\S+): expected (?:a valid \d+ bit )?(?:a )?(u?int|float).* but got "(.*?)"`)
	noFlags    = regexp.MustCompile(`^missing flags: (.*)$`)
	noArgument = regexp.MustCompile(`^expected "(.*)"$`)
	noCommand  = regexp.MustCompile(`^unexpected argument (.*?)(, did you mean .*)$`)
	stray      = regexp.MustCompile(`^unexpected argument (.*)$`)
)

// numbers are what a flag wants, by kong's word for it.
var numbers = map[string]string{"int": "a whole number", "uint": "a whole number from 0 up", "float": "a number"}

// plain rewrites what kong says of a command line where it does not say what to do
// next. args begin with the command.
func plain(text string, args []string, model *kong.Application) string {
	node := cmp.Or(commandNamed(model, args[0]), commandNamed(model, "check"))
	if m := noValue.FindStringSubmatch(text); m != nil {
		return m[1] + " needs a value" + typedAs(node, m[1])
	}
	if m := noDuration.FindStringSubmatch(text); m != nil {
		return fmt.Sprintf("%s %q: want a time with its unit, for example 10s", m[1], m[2])
	}
	if m := noNumber.FindStringSubmatch(text); m != nil {
		return fmt.Sprintf("%s %q: want %s", m[1], m[3], numbers[m[2]])
	}
	if m := noCommand.FindStringSubmatch(text); m != nil {
		return fmt.Sprintf("no command %q%s", m[1], m[2])
	}
	if m := noFlags.FindStringSubmatch(text); m != nil {
		return fmt.Sprintf("%s needs %s", node.Name, strings.ReplaceAll(m[1], "=", " "))
	}
	if m := noArgument.FindStringSubmatch(text); m != nil {
		switch m[1] {
		case "<id>", "<id> ...":
			return "explain needs an id, for example: aql-conform explain AQL-4.6-01"
		case "<replay>":
			return "replay needs the v1:... text of a finding's replay line"
		}
		return fmt.Sprintf("%s needs %s: aql-conform %s", node.Name, m[1], usageOf(node))
	}
	if m := stray.FindStringSubmatch(text); m != nil {
		return misplaced(strings.Trim(m[1], `"`), args, node)
	}
	return text
}

// misplaced says where a word belongs that stands where none does.
func misplaced(word string, args []string, node *kong.Node) string {
	if !slices.Contains(takers, node.Name) {
		return fmt.Sprintf("unexpected argument %q; want: aql-conform %s", word, usageOf(node))
	}
	name := "aql-conform"
	if node.Name != "check" {
		name += " " + usageOf(node)
	}
	more := ""
	if i := slices.Index(args, word); i >= 0 && i+1 < len(args) {
		more = " ..." // the words may be secret, and whoever typed them knows them
	}
	return fmt.Sprintf("unexpected argument %q; put the program after --: %s -- %s%s", word, name, word, more)
}

// typedAs is how a flag of a command is written, as ": --timeout TIME".
func typedAs(node *kong.Node, flag string) string {
	for _, f := range node.Flags {
		if "--"+f.Name == flag {
			return ": --" + f.Name + " " + f.PlaceHolder
		}
	}
	return ""
}

// commandNamed is nil when there is no such command.
func commandNamed(model *kong.Application, name string) *kong.Node {
	for _, command := range model.Children {
		if command.Name == name {
			return command
		}
	}
	return nil
}

// Guide is where to read on after a command line that could not be obeyed.
func Guide(args []string) string {
	model, err := Grammar()
	if err == nil && len(args) > 0 && commandNamed(model, args[0]) != nil {
		return "aql-conform help " + args[0]
	}
	return "aql-conform --help"
}
