package check

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// AuditCommand prints the audit trail of the adapter. Its author names it in the hints file.
const AuditCommand = "audit_cmd"

// auditLag is the time that a trail has to show what happened. Many are written late.
const auditLag = 5 * time.Second

// AuditMissing is the ruling where the hints file names no command for the trail.
func AuditMissing() ruling.Ruling {
	return model.HintMissing(AuditCommand, "a command that prints the audit trail of the adapter")
}

// ReadAudit runs the command for the trail after something happened. One that shows nothing new is
// run once more, later.
func ReadAudit(conn string, ask model.AskFunc, before probes.Observation, step string) probes.Observation {
	o := ask(probes.Command(conn, AuditCommand, nil).Anew(step))
	if len(NewAuditEntries(before, o)) > 0 {
		return o
	}
	ask(probes.Pause(conn, auditLag, step+" (wait)"))
	return ask(probes.Command(conn, AuditCommand, nil).Anew(step + " (later)"))
}

// AuditRead returns the last trail that was read in a step.
func AuditRead(got probes.Answers, step string) probes.Observation {
	if later := got.Step(step + " (later)"); later.Outcome == probes.Result {
		return later
	}
	return got.Step(step)
}

// NewAuditEntries returns the entries that the later of two trails has and the other has not.
func NewAuditEntries(before, after probes.Observation) []string {
	count := map[string]int{}
	for _, e := range auditEntries(before.Output()) {
		count[e]++
	}
	var fresh []string
	for _, e := range auditEntries(after.Output()) {
		if count[e]--; count[e] < 0 {
			fresh = append(fresh, e)
		}
	}
	return fresh
}

const (
	cutTrail     = 60 << 10 // of a longer trail only the end is kept, and its first line is part of one
	longestEntry = 8 << 10  // a longer line is a whole document, in which old and new cannot be told apart
)

// auditEntries splits a trail: into the items of a JSON list, which may be a member of an object,
// else into lines.
func auditEntries(trail string) []string {
	var entries []string
	if v, err := probes.ParseValue([]byte(trail)); err == nil {
		lists := []probes.Value{v}
		for _, m := range v.Members() {
			lists = append(lists, m.Value)
		}
		for _, list := range lists {
			for _, item := range list.Items() {
				entries = append(entries, string(item.Raw()))
			}
		}
		if len(entries) > 0 {
			return entries
		}
	}
	entries = strings.Split(trail, "\n")
	if len(trail) > cutTrail {
		entries = entries[1:]
	}
	return slices.DeleteFunc(entries, func(e string) bool { return strings.TrimSpace(e) == "" || len(e) > longestEntry })
}

var (
	sessionKey = regexp.MustCompile(`(?i)(?:session|\bsid\b)[a-z_-]*["']?(?:\s*[:=]\s*["']?([\w.+/-]+)|[ #]+["']?([\w.+/-]*\d[\w.+/-]*))`)
	noSession  = regexp.MustCompile(`(?i)^(null|none|undefined|unknown|nil|n/a|-)$`)
)

// NamesSession reports whether an audit entry names a session under a usual key.
func NamesSession(entry string) bool {
	found := sessionKey.FindStringSubmatch(entry)
	return found != nil && !noSession.MatchString(found[1]+found[2])
}
