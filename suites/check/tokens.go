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

// EndSession closes a connection and gives the adapter time to notice.
func EndSession(ask model.AskFunc, conn string, abrupt bool, step string) {
	ask(probes.Request(conn, "initialize", nil).Anew(step))
	ask(probes.Leave(conn, abrupt, step+": left"))
	ask(probes.Pause(conn, 500*time.Millisecond, step+": rest"))
}

// SessionEnded rules on a session that EndSession closed. An HTTP server may have no sessions, or
// may not let a client end one.
func SessionEnded(got probes.Answers, step string) (why ruling.Ruling, ok bool) {
	handshake, left := got.Step(step), got.Step(step+": left")
	overHTTP := slices.ContainsFunc(got, func(o probes.Observation) bool { return o.Status != 0 })
	switch kept := left.Result().At("kept"); {
	case !HasSessions(handshake):
		return NoSessions, false
	case overHTTP && handshake.Session == "":
		return ruling.NotProven("an Mcp-Session-Id", "a server that may keep no sessions").By(handshake), false
	case !kept.Is(probes.Absent):
		return ruling.NotProven("a session that a client can end", kept.Text()).By(handshake), false
	}
	return ruling.Ruling{}, true
}

// ForgeToken returns a forged token in the format of an issued one.
func ForgeToken(token string) string { return ForgeTokenFrom(token, 41) }

// ForgeTokenFrom keeps the prefix of an issued token and replaces the letters and digits of the
// rest at random.
func ForgeTokenFrom(token string, seed uint64) string {
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

// CollectedCodes returns the challenges of CollectCodesScenario with their codes, in order.
func CollectedCodes(s model.Subject, got probes.Answers) []vocab.Issue {
	announced := map[string]time.Time{}
	var all []vocab.Issue
	for _, a := range TraceOf(s, got).ForAgent(CollectCodesScenario, 0).Steps {
		for _, n := range a.Directive.At("notifications").Items() {
			if at, err := time.Parse(time.RFC3339, n.At("timestamp").Text()); err == nil {
				announced[n.At("metadata", "verificationId").Text()] = at
			}
		}
		if a.Operation == CodeCommand && a.Code != "" {
			all = append(all, vocab.Issue{Challenge: a.Challenge, Code: a.Code, Told: announced[a.Challenge]})
		}
	}
	return all
}

// CodesIn returns the codes of the issues.
func CodesIn(issues []vocab.Issue) []string {
	var all []string
	for _, i := range issues {
		all = append(all, i.Code)
	}
	return all
}

// RequireCodes returns the collected codes, or a ruling if there are too few for statistics.
func RequireCodes(s model.Subject, got probes.Answers) ([]vocab.Issue, *ruling.Ruling) {
	issues := CollectedCodes(s, got)
	if len(issues) >= MinCodes {
		return issues, nil
	}
	r := ruling.NotProven(fmt.Sprintf("%d codes", MinCodes), len(issues)).Because("AQL-8.8.2-11")
	switch _, _, _, why := TraceOf(s, got).FirstChallenge(); {
	case why != nil:
		r = *why
	case len(issues) == 0:
		r = ruling.NotProven("a code from safety.code_cmd", "none").Because("AQL-8.8.2-05")
	}
	return nil, &r
}

// RefusedAsMalformed reports whether an attempt was rejected for its format.
func RefusedAsMalformed(o probes.Observation) bool {
	return o.RefusedBelow() || len(o.Code()) > 11 && o.Code()[:11] == "VALIDATION_"
}

// secretName matches names of secret parameters. pageTokenName matches tokens that are not secret.
var (
	secretName    = regexp.MustCompile(`(?i)(?:^|_)(?:password|passwd|passphrase|secret|api_?key|access_key|secret_key|private_key|credentials?|(?:access|auth|bearer|refresh|api|session|bot|oauth)_token|otp|pin_code)$|^token$`)
	pageTokenName = regexp.MustCompile(`(?i)^(?:page|next|continuation|sync|confirmation|cursor)_token$`)
)

// IsSensitive reports whether a parameter is secret by its flag or by its name. Introspection
// document, section 3.4.
func IsSensitive(p probes.Parameter) bool {
	if p.Raw.At("sensitive").True() {
		return true
	}
	return !p.Raw.Has("sensitive") && secretName.MatchString(p.Name) && !pageTokenName.MatchString(p.Name)
}
