package cli

import (
	"context"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/seal"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites"
)

// exampleTime bounds how long the bundled adapter is waited for.
const exampleTime = 10 * time.Second

// exemplify shows an exchange that keeps the requirement and one that breaks it, as the
// bundled adapter has them here and now; nothing where it has no such fault.
func exemplify(ctx context.Context, w io.Writer, id string) {
	breaking, kept, ok := seal.Examples(id)
	if !ok {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, exampleTime)
	defer cancel()
	found, err := breaking.Demonstrate(ctx, suites.All(), id)
	if err != nil || len(found) == 0 || found[0].Verdict == reports.Pass {
		return
	}
	broken := found[0]
	decided := broken.Evidence[len(broken.Evidence)-1]
	say(w, "mend", broken.Fix)
	var conforming *reports.Exchange
	if found, err := kept.Demonstrate(ctx, suites.All(), id); err == nil {
		if like, ok := alike(found, broken.Subject, decided); ok {
			conforming = &like
		}
	}
	illustrate(w, conforming, decided)
	say(w, "", "want "+broken.Want+"; got "+broken.Got)
}

// alike is the exchange of a finding that accuses nobody which is most like another: of
// the same subject where there is one, and asked in the same words.
func alike(kept []reports.Finding, subject string, other reports.Exchange) (like reports.Exchange, ok bool) {
	most := 0
	for _, f := range kept {
		if f.Verdict != reports.Pass {
			return like, false
		}
		for _, x := range f.Evidence {
			score := shared(question(x), question(other))
			if f.Subject == subject {
				score += len(question(other)) // more than any words
			}
			if score > most {
				like, ok, most = x, true, score
			}
		}
	}
	return like, ok
}

// shared counts the words that two questions have in common, less those that one of them
// lacks; at least 1.
func shared(x, y string) int {
	words := func(s string) []string {
		return strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
	}
	n, of := 0, words(y)
	for _, w := range words(x) {
		if slices.Contains(of, w) {
			n++
		} else {
			n--
		}
	}
	return max(n, 1)
}

// question is the question of an exchange as a person would write it.
func question(x reports.Exchange) string {
	if x.Asked != nil {
		return string(x.Asked)
	}
	return string(x.Sent)
}
