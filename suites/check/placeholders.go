package check

import (
	"regexp"
	"slices"
	"strings"
)

// placeholders are texts that stand where a description was meant to be.
var placeholders = strings.Fields("todo tbd tba fixme xxx wip none n/a na null undefined description string number integer boolean lorem placeholder docstring ... … - -- ?")

// noDescription matches what generators and templates write where nobody wrote anything.
var noDescription = regexp.MustCompile(`^(?:no (?:description|docs?|documentation|docstring|summary)|(?:description|documentation|not|un)(?: is| are)? ?(?:missing|pending|documented|described|to follow|goes here|here)|(?:(?:add|insert|enter|write|your)(?: (?:a|the|your))? )?(?:description|text|documentation)(?: goes)? here)(?: (?:yet|given|available|provided|found|set|specified|here|for this \w+))*$`)

// noneGiven matches the beginning of a text that says the same and goes on, as where a tool adds the canonical verb.
var noneGiven = regexp.MustCompile(`^no (?:description|documentation|docstring)(?: (?:was|is))? (?:yet|given|available|provided|set|specified)(?:[.;,]| -|\n)`)

// openTask matches the beginning of a note to the author. The bare word is also an English noun, and a word of other languages:
// it counts in capitals before other text, before a punctuation mark, and before the verbs of such notes.
var openTask = regexp.MustCompile(`^(?:[^\pL]?(?:TODO|FIXME|TBD)\b.*\p{Ll}|(?i:[^\pL]?(?:todo|fixme|tbd)(?:[:(\]>!]|\s+[-–—]\s|\s+(?:add|write|describe|document|fill)\b)|(?:fixme|tbd|lorem)\s))`)

// taskMark matches a mark that may also be a noun, and what separates it from a sentence behind it.
var taskMark = regexp.MustCompile(`^(?i:todo|fixme)\b(?::|\s+[-–—])?\s+`)

// toAuthor matches the beginning of a sentence that tells the author what to do or points at the place, or a word on the documentation.
var toAuthor = regexp.MustCompile(`(?i)^(?:add|write|describe|document|fill|explain|fix|finish|complete|update|check|clarify|implement|review|remove|replace|ask|this|we|someone|somebody|needs?)\b|\b(?:descriptions?|documentation|docs|docstring)\b`)

// saysWhat reports whether a sentence stands behind a mark, and is no order to the author: notes and tasks may be what an operation is about.
func saysWhat(text string) bool {
	const sentence = 5
	mark := taskMark.FindString(text)
	return mark != "" && len(strings.Fields(text[len(mark):])) >= sentence && !toAuthor.MatchString(text[len(mark):])
}

// IsPlaceholder reports whether a text only fills the place of a description, or begins by saying that there is none.
func IsPlaceholder(text string) bool {
	text = strings.TrimSpace(text)
	plain := strings.ToLower(strings.Trim(text, ".:!<>[]()"))
	return text != "" && plain == "" || slices.Contains(placeholders, plain) || noDescription.MatchString(plain) || noneGiven.MatchString(plain) || openTask.MatchString(text) && !saysWhat(text)
}
