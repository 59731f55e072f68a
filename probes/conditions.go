package probes

import (
	"regexp"
	"slices"
	"strings"
)

// A change may require more than its object and the new values: the token of a confirmation, or the version that
// the object has now.

var tokenParameter = regexp.MustCompile(`(?i)^_?confirm(ation)?(_?token)?$`)

// TakesToken reports whether a parameter of this name takes the token of a confirmation.
func TakesToken(name string) bool { return tokenParameter.MatchString(name) }

// TokenNames are the names under which the token of a confirmation may be sent back: the
// documented one, else those that the texts name. Operations document, section 7.5.3.
func (o Operation) TokenNames() []string {
	for _, p := range o.Parameters {
		if p.Type == "string" && TakesToken(p.Name) {
			return []string{p.Name}
		}
	}
	return []string{"_confirmation", "confirmation_token"}
}

// ConfirmationToken is the token that a refusal offers for a confirmation; absent when it
// offers none.
func (o Observation) ConfirmationToken() Value {
	if o.Code() != "CONFIRMATION_REQUIRED" {
		return Value{}
	}
	for _, v := range []Value{o.Details().At("confirmation_token"), o.Envelope().At("confirmation", "token")} {
		if v.Is(String) {
			return v
		}
	}
	return Value{}
}

// preconditions are the names, without separators, of parameters that take the version which an object must
// have for a change of it. Section 9.3.2 names the first.
var preconditions = strings.Fields("ifmatch etag expectedetag expectedversion expectedrevision")

// Precondition returns the parameter in which a change or a removal requires the version that its object has now.
// Its name says so, or its description names the member that shows the version, or the refusal of an old one.
func (o Operation) Precondition() (p Parameter, ok bool) {
	if o.Category != "UPDATE" && o.Category != "DELETE" {
		return Parameter{}, false
	}
	i := slices.IndexFunc(o.Parameters, func(p Parameter) bool {
		name := strings.ToLower(strings.ReplaceAll(strings.ReplaceAll(p.Name, "_", ""), "-", ""))
		says := slices.ContainsFunc([]string{"_version", "_etag", "CONFLICT_VERSION_MISMATCH"}, func(word string) bool {
			return strings.Contains(p.Raw.At("description").Text(), word)
		})
		return p.Required && slices.Contains([]string{"string", "integer", "number"}, p.Type) && (says || slices.Contains(preconditions, name))
	})
	if i < 0 {
		return Parameter{}, false
	}
	return o.Parameters[i], true
}

// VersionTags are the names that the version tag of an object may have. Section 9.3.2.
var VersionTags = []string{"_etag", "_version"}

// VersionTag returns the version tag of an object, which is a text or a number. Section 9.3.2.
func VersionTag(object Value) Value {
	for _, name := range VersionTags {
		if tag := object.At(name); tag.Is(String) || tag.Is(Number) {
			return tag
		}
	}
	return Value{}
}

// VersionTagIn returns the version tag in data: of an object, or of an object one level below it.
func VersionTagIn(data Value) Value {
	places := []Value{data}
	for _, m := range data.Members() {
		places = append(places, m.Value)
		places = append(places, m.Value.Items()...)
	}
	for _, place := range places {
		if tag := VersionTag(place); !tag.Is(Absent) {
			return tag
		}
	}
	return Value{}
}
