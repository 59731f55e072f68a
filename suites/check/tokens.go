package check

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// EndSession ends a connection and gives the adapter a moment to notice. It takes
// three takes.
func EndSession(ask model.AskFunc, conn string, abrupt bool, take int) {
	ask(probes.Request(conn, "initialize", nil).Anew(take))
	ask(probes.Leave(conn, abrupt, take+1))
	ask(probes.Pause(conn, 500*time.Millisecond, take+2))
}

// SessionEnded rules on a session that endSession was to end: a server over HTTP may
// keep none, or not let a client end it.
func SessionEnded(got []probes.Observation, take int) (why ruling.Ruling, ok bool) {
	hello, _ := At(got, take)
	left, _ := At(got, take+1)
	overHTTP := slices.ContainsFunc(got, func(o probes.Observation) bool { return o.Status != 0 })
	switch kept := left.Result().At("kept"); {
	case overHTTP && hello.Session == "":
		return ruling.NotProven("an Mcp-Session-Id", "a server that may keep no sessions").By(hello), false
	case !kept.Is(probes.Absent):
		return ruling.NotProven("a session that a client can end", kept.Text()).By(hello), false
	}
	return ruling.Ruling{}, true
}

// Forged is the token that is made of one that was issued.
func Forged(token string) string { return ForgedFrom(token, 41) }

// ForgedFrom is a token of the shape of one that was issued: its first part stays, the
// letters and digits of the rest are drawn anew.
func ForgedFrom(token string, seed uint64) string {
	draw := rand.New(rand.NewPCG(seed, uint64(len(token))))
	body := strings.LastIndexAny(token[:max(0, min(len(token)-8, 16))], "_.:") + 1
	text := []byte(token)
	for i := body; i < len(text); i++ {
		switch c := text[i]; {
		case c >= '0' && c <= '9':
			text[i] = byte('0' + draw.IntN(10))
		case c >= 'a' && c <= 'f':
			text[i] = byte('a' + draw.IntN(6))
		case c >= 'g' && c <= 'z':
			text[i] = byte('g' + draw.IntN(20))
		case c >= 'A' && c <= 'Z':
			text[i] = byte('A' + draw.IntN(26))
		}
	}
	return string(text)
}

// Collected are the challenges of the consent scene with their codes, in order.
func Collected(s model.Subject, got []probes.Observation) []vocab.Issue {
	told := map[string]time.Time{}
	var all []vocab.Issue
	for _, a := range Tell(s, got).In(ConsentScene, 0).Acts {
		for _, n := range a.Directive.At("notifications").Items() {
			if at, err := time.Parse(time.RFC3339, n.At("timestamp").Text()); err == nil {
				told[n.At("metadata", "verificationId").Text()] = at
			}
		}
		if a.What == CodeShown && a.Code != "" {
			all = append(all, vocab.Issue{Challenge: a.Challenge, Code: a.Code, Told: told[a.Challenge]})
		}
	}
	return all
}

func CodesIn(issues []vocab.Issue) []string {
	var all []string
	for _, i := range issues {
		all = append(all, i.Code)
	}
	return all
}

// Sampled rules where there are too few codes to say anything of how they are made.
func Sampled(s model.Subject, got []probes.Observation) ([]vocab.Issue, *ruling.Ruling) {
	issues := Collected(s, got)
	if len(issues) >= ManyCodes {
		return issues, nil
	}
	r := ruling.NotProven(fmt.Sprintf("%d codes", ManyCodes), len(issues)).Because("AQL-8.8.2-11")
	switch _, _, _, why := Tell(s, got).Challenged(); {
	case why != nil:
		r = *why
	case len(issues) == 0:
		r = ruling.NotProven("a code from safety.code_cmd", "none").Because("AQL-8.8.2-05")
	}
	return nil, &r
}

// Malformed reports whether an attempt was refused for its form.
func Malformed(o probes.Observation) bool {
	return o.RefusedBelow() || len(o.Code()) > 11 && o.Code()[:11] == "VALIDATION_"
}

// tellsSecret matches parameters that carry secrets whether or not they are
// marked; tokens that only lead to the next page or confirm are none.
var (
	tellsSecret = regexp.MustCompile(`(?i)(?:^|_)(?:password|passwd|passphrase|secret|api_?key|access_key|secret_key|private_key|credentials?|(?:access|auth|bearer|refresh|api|session|bot|oauth)_token|otp|pin_code)$|^token$`)
	tellsPage   = regexp.MustCompile(`(?i)^(?:page|next|continuation|sync|confirmation|cursor)_token$`)
)

// Sensitive reports whether a parameter is secret by its flag or by its name.
// Introspection document, section 3.4.
func Sensitive(p probes.Parameter) bool {
	if p.Raw.At("sensitive").True() {
		return true
	}
	return !p.Raw.Has("sensitive") && tellsSecret.MatchString(p.Name) && !tellsPage.MatchString(p.Name)
}
