package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/suites"
	"github.com/aql-conform/aql-conform/suites/catalogue"
)

// Columns of explain: where its text begins, and where the line ends.
const (
	explainIndent = 12
	explainWidth  = 80
)

// explainAll explains one requirement after the other.
func explainAll(ctx context.Context, w io.Writer, ids []string) error {
	for i, id := range ids {
		if i > 0 {
			if err := console.Tell(w, ""); err != nil {
				return err
			}
		}
		if err := explain(ctx, w, id); err != nil {
			return err
		}
	}
	return nil
}

// explain says what one requirement asks, how it is proven and what is not held
// against an adapter. A part of an id or of a title is enough; several that have it are listed.
func explain(ctx context.Context, w io.Writer, id string) error {
	r, ok := catalogue.Lookup(id)
	if !ok {
		switch alike := having(id); len(alike) {
		case 0:
			return console.Usage("no requirement %q; aql-conform requirements lists them all%s", id, console.Meant(id, catalogue.IDs()))
		case 1:
			r = alike[0]
		default:
			for _, r := range alike {
				if err := console.Tell(w, fmt.Sprintf("%-15s %s", r.ID, r.Title)); err != nil {
					return err
				}
			}
			return nil
		}
	}
	row := r.Row()
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s  %s\n\n", row.ID, row.Title)
	say(out, "rule", r.Statement)
	say(out, "why", suites.Why(r.ID))
	say(out, "where", places(r)+", "+row.Authority+" text")
	say(out, "weight", weight(r))
	say(out, "applies", deref(r.When))
	say(out, "state", state(r))
	asked, expected, tolerated := console.Plain(deref(r.Probe)), console.Plain(deref(r.Expect)), console.Plain(deref(r.FalsePositives))
	say(out, "asked", asked)
	say(out, "expected", expected)
	say(out, "tolerated", tolerated)
	say(out, "reading", deref(r.Reading))
	for i, f := range r.Faults {
		label := "caught"
		if i > 0 {
			label = ""
		}
		say(out, label, f.Name+": "+f.Defect)
	}
	say(out, "also", strings.Join(r.Also, ", "))
	say(out, "words", console.Glossed(asked+" "+expected+" "+tolerated))
	say(out, "how", howToRefuse(r.ID))
	exemplify(ctx, out, r.ID)
	return out.Flush()
}

// refusedUnread matches the requirements whose violation shows before a request is parsed.
var refusedUnread = regexp.MustCompile(`^AQL-4\.7\.(?:1-0[2-8]|5-0[1345])$`)

// howToRefuse says how to answer a request that must not be parsed as usual, in any language.
func howToRefuse(id string) string {
	if !refusedUnread.MatchString(id) {
		return ""
	}
	return `Read standard input as bytes, line by line (HTTP: the body), and check the line before the SDK sees it. Pass a good line on unchanged. ` +
		`Of a bad line, find the id: search the bytes for "id": with a string or a number behind it, outside of params. ` +
		`A request that is only badly encoded may also be decoded with replacement characters to read its id. ` +
		`Then write one line yourself: {"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":TEXT}]}}, ` +
		`where TEXT is the JSON string of {"success":false,"error":{"code":CODE,"message":"…"}}. A request without an id gets no answer.`
}

// having returns the requirements with a part in their id or title. A part of a number is none:
// 4.6-1 is not in 4.6-10, and 7.2 is not in 4.7.2. The zero of a number may be left out: 4.6-1 is 4.6-01.
func having(part string) []catalogue.Requirement {
	part = strings.Join(strings.FieldsFunc(strings.ToLower(part), unicode.IsSpace), " ")
	digit := func(s string, at int) bool { return at >= 0 && at < len(s) && '0' <= s[at] && s[at] <= '9' }
	within := func(text string) bool {
		text = strings.ToLower(text)
		for from := 0; ; from++ {
			i := strings.Index(text[from:], part)
			if i < 0 {
				return false
			}
			from += i
			end := from + len(part)
			inner := digit(text, from-1) || from > 0 && text[from-1] == '.'
			if !(digit(part, 0) && inner) && !(digit(part, len(part)-1) && digit(text, end)) {
				return true
			}
		}
	}
	var all []catalogue.Requirement
	for _, r := range catalogue.All() {
		if part != "" && (within(r.ID) || within(strings.ReplaceAll(r.ID, "-0", "-")) || within(r.Title)) {
			all = append(all, r)
		}
	}
	return all
}

// weight says how much a violation counts.
func weight(r catalogue.Requirement) string {
	text := r.Keyword + " (" + r.Basis + "), "
	switch r.Severity {
	case "fail":
		text += "a violation is a FAIL"
	case "warn":
		text += "a departure is a WARN"
	default:
		text += "never held against an adapter"
	}
	if r.Level != nil {
		text += fmt.Sprintf("; decides level %d", *r.Level)
	} else {
		text += "; decides no level"
	}
	if r.Core {
		text += ", which stands only when this is proven"
	}
	return text
}

// state says whether this version proves the requirement, and why not.
func state(r catalogue.Requirement) string {
	switch r.State() {
	case catalogue.Checked:
		return "checked"
	case catalogue.Excluded:
		return "excluded: " + deref(r.ExcludedReason)
	}
	return "untested by this version"
}

func places(r catalogue.Requirement) string {
	var all []string
	for _, s := range r.Sources {
		all = append(all, s.Doc+" "+s.Section)
	}
	return strings.Join(all, ", ")
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// say prints a labelled paragraph, wrapped; nothing when there is no text.
func say(w io.Writer, label, text string) {
	room := explainWidth - explainIndent
	line := ""
	flush := func() {
		fmt.Fprintf(w, "%-*s%s\n", explainIndent, label, line)
		label, line = "", ""
	}
	for _, word := range strings.Fields(text) {
		if line != "" && len([]rune(line))+1+len([]rune(word)) > room {
			flush()
		}
		for len([]rune(word)) > room { // a word that no line holds is cut where it must be
			line, word = string([]rune(word)[:room]), string([]rune(word)[room:])
			flush()
		}
		line = strings.TrimSpace(line + " " + word)
	}
	if line != "" {
		flush()
	}
}
