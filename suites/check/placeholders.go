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

// IsPlaceholder reports whether a text only fills the place of a description, or begins by saying that there is none.
func IsPlaceholder(text string) bool {
	text = strings.TrimSpace(text)
	plain := strings.ToLower(strings.Trim(text, ".:!<>[]()"))
	return text != "" && plain == "" || slices.Contains(placeholders, plain) || noDescription.MatchString(plain) || noneGiven.MatchString(plain) || openTask.MatchString(text)
}
