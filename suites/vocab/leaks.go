package vocab

import (
	"regexp"
	"slices"
	"strings"
)

// A LeakKind says what an error text gives away. Each kind has a row of its own.
type LeakKind string

// The kinds, in the order in which a text is read: what an earlier kind claimed
// is not read again, so that the path inside a stack frame is a stack frame.
const (
	SecretLeak   LeakKind = "a credential or an environment value"
	StackLeak    LeakKind = "a stack trace"
	BackendLeak  LeakKind = "an internal of the backend"
	LanguageLeak LeakKind = "a message of the programming language"
	ClassLeak    LeakKind = "an internal class or object"
	PathLeak     LeakKind = "a path of the implementation"
)

// A Signature is one pattern that betrays an implementation. A strong one has no
// honest use in the words of an adapter; a weak one may have.
type Signature struct {
	Name    string
	Kind    LeakKind
	Strong  bool
	pattern string
	match   *regexp.Regexp
	needs   []string // one of these literals stands in every match; empty: unknown
	lines   bool     // a match claims its whole line
}

// A Leak is one finding in a text.
type Leak struct {
	Signature *Signature
	Matched   string
	Excerpt   string // what was matched and about 40 characters around it
}

// MaxLeakText bounds what is read of one text: matching is linear in it, at some
// milliseconds for each KiB and each error of the run. What runtimes add to a
// message stands behind it, and what caused it at the very end, so both ends are
// read and the middle, which is more of the same, is not.
const MaxLeakText = 8 << 10

// Claimed stands for text that a signature has matched already, sent for text
// that echoes the request. No pattern asks for either.
const (
	Claimed = '\x1f'
	Sent    = '\x1e'
)

// LeaksIn returns what a text gives away, at most one leak for each signature,
// in the order of the table. What pardon accepts is no leak; pardon may be nil.
func LeaksIn(text string, pardon func(*Signature, string) bool) []Leak {
	text = Bounded(text, MaxLeakText)
	work := text
	var found []Leak
	for i := range signatures() {
		s := &signatures()[i]
		if !s.possible(work) {
			continue
		}
		places := s.match.FindAllStringIndex(work, 16)
		known := false
		for _, at := range places {
			if match := work[at[0]:at[1]]; !known && (pardon == nil || !pardon(s, match)) {
				known = true
				found = append(found, Leak{s, match, around(text, at[0], at[1])})
			}
		}
		if len(places) > 0 {
			work = s.claim(work, places)
		}
	}
	return found
}

// Suspect reports whether a text may give something of the kind away: no text
// that does is missed, and nearly all that do not are told at little cost. An
// adapter says the same thing many times, so what was found in a text is kept.
func Suspect(text string, kind LeakKind) bool {
	kinds := suspicions.of(text, func() []LeakKind {
		kinds := []LeakKind{}
		for i := range signatures() {
			if s := &signatures()[i]; !slices.Contains(kinds, s.Kind) && s.possible(text) && s.match.MatchString(text) {
				kinds = append(kinds, s.Kind)
			}
		}
		return kinds
	})
	return slices.Contains(kinds, kind)
}

// suspicions are the kinds of leak that texts were suspected of.
var suspicions memo[[]LeakKind]

// Bounded cuts the middle out of a text so that no more than a number of bytes are
// left. It cuts between words: half a word may look like another.
func Bounded(text string, most int) string {
	const longestWord = 256
	switch {
	case len(text) <= most:
		return text
	case most < len(gap):
		return ""
	}
	half := (most - len(gap)) / 2
	head, tail := text[:half], text[len(text)-half:]
	if at := strings.LastIndexAny(head, " \t\n"); at >= len(head)-longestWord {
		head = head[:max(0, at)]
	}
	if at := strings.IndexAny(tail, " \t\n"); at >= 0 && at < longestWord {
		tail = tail[at:]
	}
	return strings.ToValidUTF8(head, "") + gap + strings.ToValidUTF8(tail, "")
}

// gap stands for the middle of a long text. Nothing is matched across it, and it
// makes neither the end nor the beginning of a line.
var gap = string(Claimed) + "\n" + string(Claimed)

// possible is a cheap look before the expression is run.
func (s *Signature) possible(text string) bool {
	return len(s.needs) == 0 || slices.ContainsFunc(s.needs, func(n string) bool { return strings.Contains(text, n) })
}

// exceptionBefore is the name a runtime puts before its message; both are one leak.
var exceptionBefore = regexp.MustCompile(`[\w.$\\:]*(?:Error|Exception|Panic)\b[^\n\w]{1,3}$`)

// claim marks the matches as read: a frame with its line, a message of a runtime
// with the name of the exception before it.
func (s *Signature) claim(text string, places [][]int) string {
	b := []byte(text)
	for _, at := range places {
		from, to := at[0], at[1]
		if s.lines {
			from = strings.LastIndexByte(text[:from], '\n') + 1
			if end := strings.IndexByte(text[to:], '\n'); end >= 0 {
				to += end
			} else {
				to = len(text)
			}
		}
		if s.Kind == LanguageLeak {
			head := max(0, from-120)
			if name := exceptionBefore.FindStringIndex(text[head:from]); name != nil {
				from = head + name[0]
			}
		}
		for i := from; i < to; i++ {
			if b[i] != '\n' {
				b[i] = Claimed
			}
		}
	}
	return string(b)
}

// around returns a match with its neighbourhood on one line.
func around(text string, from, to int) string {
	const near, most = 40, 120
	start, end := max(0, from-near), min(len(text), min(to, from+most)+near)
	excerpt := strings.Join(strings.Fields(strings.ToValidUTF8(text[start:end], "")), " ")
	if start > 0 {
		excerpt = "…" + excerpt
	}
	if end < len(text) {
		excerpt += "…"
	}
	return excerpt
}
