package console

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/aql-conform/aql-conform/suites/vocab"
	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

var Assignment = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)

// Split turns a command line into program and arguments as a shell would, with
// quotes and variables, but runs nothing: what only a shell can do, such as
// pipes, lists and substitution, is refused with its position.
func Split(flag, line string) ([]string, error) {
	words, err := parseWords(line)
	if err != nil {
		return nil, Usage("%s %q: %w", flag, line, err)
	}
	fields, err := expand.Fields(&expand.Config{Env: expand.FuncEnviron(variable)}, words...)
	switch {
	case err != nil:
		return nil, Usage("%s %q: %w", flag, line, err)
	case len(fields) == 0:
		return nil, Usage("%s %q names no program; for example: %s './my-adapter --stdio'", flag, line, flag)
	case Assignment.MatchString(fields[0]):
		return nil, Usage("%s %q: variables are set with -e %s", flag, line, Quoted(fields[0]))
	}
	return fields, nil
}

// parseWords reads the words of a line and refuses what would have to be run.
func parseWords(line string) ([]*syntax.Word, error) {
	var words []*syntax.Word
	for word, err := range syntax.NewParser().WordsSeq(strings.NewReader(line)) {
		var parsing syntax.ParseError
		if errors.As(err, &parsing) {
			text := strings.ReplaceAll(parsing.Text, "is not a valid word", "needs a shell, and no shell is used")
			return nil, fmt.Errorf("position %d: %s", parsing.Pos.Col(), text)
		}
		if err != nil {
			return nil, err
		}
		words = append(words, word)
		syntax.Walk(word, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.CmdSubst, *syntax.ProcSubst:
				err = fmt.Errorf("position %d: substitution needs a shell, and no shell is used", n.Pos().Col())
			case *syntax.ParamExp:
				if n.Exp != nil && n.Exp.Op == syntax.OtherParamOps { // the library panics on some
					err = fmt.Errorf("position %d: ${NAME@…} needs a shell, and no shell is used", n.Pos().Col())
				}
			}
			return err == nil
		})
		if err != nil {
			return nil, err
		}
	}
	return words, nil
}

// variable looks a name up in the environment. The splitter asks for IFS too,
// and would obey an odd one.
func variable(name string) string {
	if name == "IFS" {
		return ""
	}
	return os.Getenv(name)
}

var harmless = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

// Quoted writes a word so that a shell, and split, read it as it is.
func Quoted(word string) string {
	if harmless.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Joined writes a program and its arguments as one line that split takes apart
// again.
func Joined(words []string) string {
	line := make([]string, len(words))
	for i, w := range words {
		line[i] = Quoted(w)
	}
	return strings.Join(line, " ")
}

// OneOf refuses a value that is none of those known.
func OneOf(flag, given string, known []string) error {
	for _, k := range known {
		if given == k {
			return nil
		}
	}
	return Usage("%s %q: want %s%s", flag, given, alternatives(known), Meant(given, known))
}

// Meant proposes the word that was meant, except for words so short that every
// other is close to them.
func Meant(given string, known []string) string {
	if len(given) < 3 {
		return ""
	}
	return vocab.DidYouMean(given, known)
}

// alternatives writes "a", "a or b", "a, b or c".
func alternatives(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return fmt.Sprintf("%s or %s", strings.Join(words[:last], ", "), words[last])
}
