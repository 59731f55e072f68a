package gate

import (
	"regexp"
	"strings"
)

// A refusal says in a noun phrase why a request is kept back, and after a semicolon the
// flag that would let it pass, where there is one.

// refusal joins the reason and the flag.
func refusal(why, flag string) string {
	if flag == "" {
		return why
	}
	return why + "; " + flag + " permits it"
}

// permitting is the flag that lifts the rules for one operation.
func permitting(kind, operation string) string { return "--allow " + kind + ":" + quoted(operation) }

// plainWord matches what a shell takes as it stands, and a glob as one name.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./-]+$`)

// quoted writes a name so that a shell hands it over as it is and no part of it is a glob.
func quoted(name string) string {
	if plainWord.MatchString(name) {
		return name
	}
	name = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(name)
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}

var unlocking = regexp.MustCompile(`(?s); (--allow .+) permits it$`)

// Unlock returns the flag in a refusal that would let the request pass; "" when there
// is none.
func Unlock(why string) string {
	if m := unlocking.FindStringSubmatch(why); m != nil {
		return m[1]
	}
	return ""
}

// Reason returns a refusal without the flag.
func Reason(why string) string { return unlocking.ReplaceAllString(why, "") }
