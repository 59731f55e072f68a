package gate

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// An adapter may mark an operation as dangerous. The texts know several spellings and
// adapters know more, so a member is known by its words. A mark makes an operation more
// dangerous than its category; nothing makes it less so.

// Members that are a mark where they are true, or false.
var (
	marksWhenTrue  = strings.Fields("dangerous danger destructive destructivehint isdestructive irreversible requiresconfirmation confirmationrequired needsconfirmation hassideeffects sideeffects sideeffect mutates mutating unsafe openworld openworldhint")
	marksWhenFalse = strings.Fields("readonly readonlyhint isreadonly safe reversible")
	levelMembers   = strings.Fields("dangerlevel level risk risklevel severity")
)

// usualFor are the marks that say no more than a category does. The object that is
// changed or removed is our own, so its removal may be destructive and may ask for a
// confirmation.
var usualFor = map[string][]string{
	"CREATE":  strings.Fields("readonly readonlyhint isreadonly mutates mutating hassideeffects sideeffects sideeffect"),
	"UPDATE":  strings.Fields("readonly readonlyhint isreadonly mutates mutating destructive destructivehint isdestructive hassideeffects sideeffects sideeffect"),
	"DELETE":  strings.Fields("readonly readonlyhint isreadonly mutates mutating destructive destructivehint isdestructive irreversible reversible requiresconfirmation confirmationrequired needsconfirmation hassideeffects sideeffects sideeffect"),
	"EXECUTE": strings.Fields("readonly readonlyhint isreadonly mutates mutating destructive destructivehint isdestructive hassideeffects sideeffects sideeffect"),
}

// dangers are the levels of danger by their rank; a number is the rank itself. What is
// not among the words is the worst.
var dangers = map[string]int{
	"": 0, "none": 0, "no": 0, "safe": 0, "low": 1, "minimal": 1, "info": 1, "reversible": 1, "medium": 2, "moderate": 2, "destructive": 2,
}

// bearable is the highest rank of danger that goes without permission, by category: READ
// does nothing, CREATE can be taken back, and what is changed or removed is our own.
var bearable = map[string]int{"CREATE": 1, "UPDATE": 2, "DELETE": 2, "EXECUTE": 2}

// markOf returns the member by which an adapter marks an operation as more dangerous
// than its category says; "" when there is none.
func markOf(o probes.Operation) string {
	for _, record := range []probes.Value{o.Details, o.Summary} {
		if mark := markIn(o.Category, record, 0); mark != "" {
			return mark
		}
	}
	return ""
}

// places are members of a record below which marks may stand; parameters and examples
// have members of these names too, and those are no marks.
var places = strings.Fields("permissions annotations danger dangerlevel hints safety security meta risk flags metadata")

func markIn(category string, record probes.Value, depth int) string {
	for _, m := range record.Members() {
		name := strings.Join(vocab.Words(m.Name), "")
		usual := slices.Contains(usualFor[category], name)
		switch {
		case m.Value.Is(probes.Object):
			if depth < 2 && slices.Contains(places, name) {
				if mark := markIn(category, m.Value, depth+1); mark != "" {
					return m.Name + "." + mark
				}
			}
		case slices.Contains(levelMembers, name) && (depth > 0 || name != "level"), name == "danger" && (m.Value.Is(probes.String) || m.Value.Is(probes.Number)):
			if rankOf(m.Value) > bearable[category] {
				return fmt.Sprintf("%s %s", m.Name, m.Value)
			}
		case usual:
		case slices.Contains(marksWhenTrue, name) && yes(m.Value), slices.Contains(marksWhenFalse, name) && no(m.Value):
			return fmt.Sprintf("%s %s", m.Name, m.Value)
		}
	}
	return ""
}

// rankOf is the rank of a level of danger, 4 where it is not understood.
func rankOf(v probes.Value) int {
	if n, ok := v.Float(); ok {
		return int(n)
	}
	if v.Is(probes.Boolean) {
		return map[bool]int{true: 4}[v.True()]
	}
	word := strings.ToLower(strings.TrimSpace(v.Text()))
	if n, known := dangers[word]; known {
		return n
	}
	if v.Is(probes.Null) {
		return 0
	}
	return 4
}

// yes reports whether a value means true: adapters write it as a text or a number too.
func yes(v probes.Value) bool {
	n, number := v.Float()
	text := strings.ToLower(strings.TrimSpace(v.Text()))
	return v.True() || number && n != 0 || v.Is(probes.String) && !slices.Contains([]string{"", "false", "no", "none", "0", "off", "never"}, text) || len(v.Items()) > 0
}

// no reports whether a value means false.
func no(v probes.Value) bool {
	n, number := v.Float()
	text := strings.ToLower(strings.TrimSpace(v.Text()))
	return v.False() || number && n == 0 || v.Is(probes.String) && slices.Contains([]string{"false", "no", "0", "off", "never"}, text)
}

// barredRemoval names the operation that would remove what another one makes, and says what of it keeps it from being called.
func (r *Rules) barredRemoval(made probes.Operation) (name, why string) {
	for _, d := range r.Operations {
		if d.Category != "DELETE" || !r.related(made, d) || r.Denies(d.Name) || r.usable(d) {
			continue
		}
		if _, _, acts := r.acts(d); acts && r.suspicion(d) != "" {
			return d.Name, r.suspicion(d)
		}
	}
	return "", ""
}

// outward are words in the names of parameters that make a creation act on others.
var outward = strings.Fields("notify notifications invite invites invitation invitations recipient recipients attendees assignee assignees reviewer reviewers webhook callback subscribers broadcast")

// displaces matches what a record says of a state that one object takes from another.
var displaces = regexp.MustCompile(`(?i)\b(retir|archiv|deactivat|clos|replac|unset|clear|remov|demot|releas|supersed|displac)\w*\b[^.]{0,40}\b(one before|before it|earlier|previous|others?|former)\b` +
	`|\b(only|at most) one\b[^.]{0,40}\b(active|open|current|default|primary|at a time|at once)\b`)

// displacing reports whether the record of an update says that a flag or a state of the object has an effect on others.
func (r *Rules) displacing(o probes.Operation, of probes.Parameter, v probes.Value) bool {
	chosen := v.True() || slices.ContainsFunc(r.EnumOf(of), v.Equal)
	return chosen && displaces.MatchString(o.Details.At("description").Text())
}

// Exclusive reports whether a value is a state that only one object can have.
func Exclusive(v probes.Value) bool {
	return slices.ContainsFunc(vocab.Words(v.Text()), func(w string) bool { return slices.Contains(exclusive, w) })
}

// exclusive are words in the names of parameters that only one object can have set.
var exclusive = strings.Fields("default primary current exclusive main")

// Reaches reports whether a parameter makes a creation act beyond the new object. A dry run does less than the creation.
func Reaches(p probes.Parameter, v probes.Value) bool {
	if vocab.IsDryRun(p.Name) || v.False() || v.Is(probes.Null) || v.Is(probes.Array) && len(v.Items()) == 0 || v.Is(probes.String) && v.Text() == "" {
		return false
	}
	if chosen := p.Type == "boolean" || p.Raw.Has("enum"); chosen && displaces.MatchString(p.Raw.At("description").Text()) {
		return true
	}
	return slices.ContainsFunc(vocab.Words(p.Name), func(w string) bool {
		return slices.Contains(outward, w) || v.True() && (slices.Contains(exclusive, w) || w != "publish" && vocab.EffectOf(w) == vocab.Reaches)
	})
}

// MayReach reports whether a name of which no record tells anything may mean an effect beyond the store, or a removal.
func MayReach(name string) bool {
	return slices.ContainsFunc(vocab.Words(name), func(w string) bool {
		return slices.Contains(outward, w) || slices.Contains(graveWords, w) || vocab.EffectOf(w) >= vocab.Removes
	})
}
