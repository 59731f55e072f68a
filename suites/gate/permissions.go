package gate

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
)

// Permissions say what may be done to an adapter beyond reading it. A kind of
// operation that is permitted is opened and no rule is lifted; a name lifts the rules
// for the operations that it matches.
type Permissions struct {
	Create, Update, Delete, Execute bool

	// Named are globs such as "create:send_*", by the kind of operation.
	Named []string

	// ReadOnly keeps back every request that names an operation of another category
	// than READ, also one that an adapter has to refuse: a wrong one might not.
	ReadOnly bool
	Limit    *WriteLimit // nil: none, or what the hints say; faces of one run share it

	// DryRun keeps back the same, but leaves the plan as the other permissions make it.
	DryRun bool
}

// Permitted are permissions in the form in which they are written down.
type Permitted struct {
	Create    bool     `json:"create,omitempty"`
	Update    bool     `json:"update,omitempty"`
	Delete    bool     `json:"delete,omitempty"`
	Execute   bool     `json:"execute,omitempty"`
	Named     []string `json:"named,omitempty"`
	ReadOnly  bool     `json:"readOnly,omitempty"`
	MaxWrites int      `json:"maxWrites,omitempty"`
	LimitedBy string   `json:"limitedBy,omitempty"`
}

// Permitted returns the permissions to write down.
func (p Permissions) Permitted() Permitted {
	w := Permitted{Create: p.Create, Update: p.Update, Delete: p.Delete, Execute: p.Execute, Named: p.Named, ReadOnly: p.ReadOnly}
	if p.Limit != nil {
		w.MaxWrites, w.LimitedBy = p.Limit.most, p.Limit.by
	}
	return w
}

// Permissions returns the permissions that were written down.
func (w Permitted) Permissions() Permissions {
	p := Permissions{Create: w.Create, Update: w.Update, Delete: w.Delete, Execute: w.Execute, Named: w.Named, ReadOnly: w.ReadOnly}
	if w.LimitedBy != "" {
		p.Limit = NewWriteLimit(w.MaxWrites, w.LimitedBy)
	}
	return p
}

// Writes reports whether objects of our own may be made and removed again.
func (p Permissions) Writes() bool { return p.Create && p.Delete }

// opens reports whether operations of a kind may be called at all.
func (p Permissions) opens(kind string) bool {
	return map[string]bool{"read": true, "create": p.Create && p.Delete, "update": p.Update, "delete": p.Delete, "execute": p.Execute}[kind]
}

// missing are the kinds that have to be opened before operations of a kind may be called:
// what is created has to be removed again.
func (p Permissions) missing(kind string) []string {
	if kind != "create" {
		return []string{kind}
	}
	var all []string
	if !p.Create {
		all = append(all, "create")
	}
	if !p.Delete {
		all = append(all, "delete")
	}
	return all
}

// names reports whether the operator lifted the rules for an operation of a kind.
func (p Permissions) names(kind, operation string) bool {
	for _, named := range p.Named {
		of, glob, _ := strings.Cut(named, ":")
		if ok, _ := path.Match(glob, operation); ok && of == kind {
			return true
		}
	}
	return false
}

// A WriteLimit bounds how many different writing calls a run sends over all its faces.
// Each call of a batch counts. The removal of what the run made does not count.
type WriteLimit struct {
	most  int
	by    string
	mu    sync.Mutex
	taken int
	sent  map[string]bool // by key of the request, since equal requests are sent once
}

// NewWriteLimit returns a limit of that many calls. by names what set it.
func NewWriteLimit(most int, by string) *WriteLimit {
	return &WriteLimit{most: most, by: by, sent: map[string]bool{}}
}

// take counts the writing calls of a request in, or says why there is no room for them.
func (l *WriteLimit) take(p probes.Probe, writes int) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch key := p.Key(); {
	case l.sent[key]:
		return ""
	case l.taken+writes > l.most:
		return fmt.Sprintf("the limit of %s %d is reached", l.by, l.most)
	default:
		l.sent[key] = true
		l.taken += writes
		return ""
	}
}

// Names reports whether the operator named an operation that is not listed.
func (p Permissions) Names(operation string) bool {
	for _, kind := range []string{"read", "create", "update", "delete", "execute"} {
		if p.names(kind, operation) {
			return true
		}
	}
	return false
}

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

// written reports whether the author wrote down this very call as one that is to be made.
func (r *Rules) written(c *asked) bool {
	for _, told := range []fixtures.Call{r.Hints.Credentials, r.Hints.FaultTrigger, r.Hints.BigResponse} {
		if told.Operation != c.op.Name || told.Operation == "" || !c.params.Is(probes.Object) {
			continue
		}
		params := map[string]any{}
		for name, raw := range told.Params {
			params[name] = raw
		}
		if probes.ValueOf(params).Equal(c.params) {
			return true
		}
	}
	return false
}
