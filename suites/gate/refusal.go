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

const notFree = " is not shown to be free"

// KeyTaken reports whether a creation was refused because of its key alone.
func KeyTaken(why string) bool { return strings.Contains(why, notFree) }

// asOthers ends the reason that a value of a parameter is one of other objects.
func asOthers(name string) string { return " of " + clip(name) + " is that of another object" }

const onOthers = " may have an effect on others"

// AnotherValue reports whether a creation was refused because of the value of a parameter, so that
// another value may pass.
func AnotherValue(why, name string) bool {
	return strings.Contains(why, asOthers(name)) || strings.Contains(why, "the parameter "+clip(name)+onOthers)
}

// notOurs is the reason of a refusal whose value of the parameter identifies something of others.
func notOurs(name string) string { return " of " + name + " names something that is not ours" }

// NamesOthers reports whether a creation was refused because the value of a parameter identifies something of others,
// so that the key of an object of the run may pass.
func NamesOthers(why, name string) bool { return strings.Contains(why, notOurs(name)) }
