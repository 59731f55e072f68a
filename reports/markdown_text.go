package reports

import (
	"fmt"
	"regexp"
	"strings"
)

// code is text as a code span: GitHub takes nothing in it for markup, a link or a
// name to call.
func code(s string) string {
	if s = clip(s, 300); strings.TrimSpace(s) == "" {
		return "`" + s + " `"
	}
	fence := strings.Repeat("`", longestRun(s, '`')+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}

// fenced is lines as a block of code that none of them can end.
func fenced(language string, lines []string) []string {
	run := 2
	var body []string
	for _, l := range lines {
		l = Inert(l)
		run = max(run, longestRun(l, '`'))
		body = append(body, l)
	}
	fence := strings.Repeat("`", run+1)
	return append(append([]string{fence + language}, body...), fence)
}

// tag is text as code in HTML, for a table and a summary: a bar would end the cell of
// a table even inside a code span.
func tag(s string) string {
	return "<code>" + markup.Replace(clip(s, 300)) + "</code>"
}

// markup writes the characters that Markdown and HTML read as entities, which they do
// not. A name that begins with www. is a link to GitHub even there.
var markup = strings.NewReplacer(append(entities("\\`*_[]~|:@#!$&<>\"'"), "www.", "www&#46;")...)

func entities(chars string) []string {
	var pairs []string
	for _, c := range chars {
		pairs = append(pairs, string(c), fmt.Sprintf("&#%d;", c))
	}
	return pairs
}

// prose is a sentence of ours that may name something of the adapter's: no markup, and
// the signs that would call a person or name an issue stand in code by themselves.
func prose(s string) string { return opening.ReplaceAllString(literal.Replace(Inert(s)), `$1\$2`) }

// opening is what makes a list of a text that stands at the beginning.
var opening = regexp.MustCompile(`^(\d*)([-+=.)])`)

var literal = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`,
	"|", `\|`, "~", `\~`, "://", `\://`, "&", `\&`, "$", `\$`, "!", `\!`, "www.", `www\.`, "@", "`@`", "#", "`#`")

// longestRun is the length of the longest row of c in s.
func longestRun(s string, c rune) int {
	longest, n := 0, 0
	for _, r := range s {
		if n++; r != c {
			n = 0
		}
		longest = max(longest, n)
	}
	return longest
}
