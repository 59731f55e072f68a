package descriptions

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// secretName matches parameters that obviously hold a secret; tokens that only
// mark a place in a list or a consent do not.
var (
	secretName = regexp.MustCompile(`(?i)(^|_)(password|passwd|passphrase|secret|client_secret|api_?key|private_key|credentials?|token)$`)
	placeToken = regexp.MustCompile(`(?i)(^|_)(page|next|previous|prev|confirmation|continuation|cursor|resume|sync|pagination|csrf|max|min)_?tokens?$`)
)

// Introspection document, section 3.4.1.
var secretParametersAreMarkedSensitive = check.Check{
	Requirement: "INT-3.4.1-08",
	Rule:        "Parameters that obviously hold secrets carry sensitive:true.",
	Why:         "Values that are not marked are shown, logged and stored.",
	On: model.Only(model.EachParameter, func(s model.Subject) bool {
		return secretName.MatchString(s.Par.Name) && !placeToken.MatchString(s.Par.Name)
	}),
	Ask: model.Details,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		switch mark := s.Par.Raw.At("sensitive"); {
		case mark.True():
			return ruling.Conforms()
		case !check.MissingOr(mark, probes.Boolean):
			return ruling.NotProven("a boolean sensitive", mark).Because("INT-3.4-04")
		default:
			return ruling.Violates("sensitive true", mark)
		}
	},
	Fix: "mark parameters that hold secrets with sensitive: true",
}

// inside says how a compound parameter's inside is described, or what is missing.
func inside(s model.Subject) (missing string) {
	e, err := probes.ParseType(s.Par.Type)
	if err != nil {
		return ""
	}
	arms := []probes.TypeExpr{e}
	if e.Form == probes.UnionOf {
		arms = e.Parts
	}
	for _, arm := range arms {
		switch {
		case arm.Form != probes.Primitive:
		case arm.Name == "array" && !s.Par.Raw.Has("items"):
			return "items"
		case arm.Name == "object" && !s.Par.Raw.Has("properties") && !s.Par.Raw.Has("fields") && !saysMore(s.Par):
			return "a named type, or a description of the keys"
		}
	}
	return ""
}

// saysMore reports whether a description says more than the name does.
func saysMore(p probes.Parameter) bool {
	own := check.ContentWords(strings.ReplaceAll(p.Name, "_", " "))
	text := p.Raw.At("description").Text()
	rest := slices.DeleteFunc(check.ContentWords(text), func(w string) bool {
		return slices.Contains(own, w) || check.IsPlaceholder(w) || w == "object"
	})
	return len(rest) > 0 || strings.IndexFunc(text, func(r rune) bool { return r > 0x2e80 }) >= 0
}

// Introspection document, section 8.1.2.
var featureParametersAreFullyDescribed = check.Check{
	Requirement: "INT-8.1.2-04",
	Rule:        "Generic feature parameters such as fields, limit or filter are listed with complete type information.",
	Why:         "Clients find a feature that is announced without its form, but cannot use it.",
	On:          model.Only(model.EachParameter, func(s model.Subject) bool { return check.CrossCutting[s.Par.Name] != "" && s.Op.Name != "introspect" }),
	Ask:         model.Details,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		switch missing := inside(s); {
		case s.Par.Type == "":
			return ruling.NotProven("a type of "+s.Name, s.Par.Raw.At("type")).Because("INT-3.4-02")
		case missing != "":
			return ruling.Violates(missing, "the bare type "+s.Par.Type)
		}
		return ruling.Conforms()
	},
	Fix: "document items for arrays, and a named type or the keys for objects",
}

// lockedWords match texts that call a field read-only; lockedCode error codes.
var (
	lockedWords = regexp.MustCompile(`(?i)\b(read[- ]?only|immutable|append[- ]?only|never changes?|cannot (?:be )?(?:change|modif|updat|edit|set)|not (?:be )?(?:editable|updatable|writable|changeable)|fixed|set by the (?:server|system)|generated|unchangeable)`)
	lockedCode  = regexp.MustCompile(`READ_?ONLY|APPEND_?ONLY|IMMUTABLE|PROTECTED`)
)

// eachChanging is every UPDATE operation that can be tried on an object of our own.
func eachChanging(f *model.Adapter) []model.Subject {
	var all []model.Subject
	for _, s := range model.EachListed(f) {
		if s.Op.Category != "UPDATE" || slices.Contains(model.Reserved, s.Name) {
			continue
		}
		if _, why := f.TestObject(s.Name); why != nil {
			s = s.WithRuling(*why)
		}
		all = append(all, s)
	}
	return all
}

// candidates returns the fields of a shown object that a change may be refused
// for: those that introspection does not call read-only, with another value of
// their kind.
func candidates(sp model.TestObject, shown probes.Value) map[string]any {
	trial := map[string]any{}
	for _, m := range shown.Members() {
		if _, id := sp.IDs[m.Name]; id || locked(sp, m.Name) {
			continue
		}
		switch {
		case m.Value.Is(probes.String) && check.UTCDatePattern.MatchString(m.Value.Text()):
			trial[m.Name] = "2026-01-02T03:04:05Z"
		case m.Value.Is(probes.Boolean):
			trial[m.Name] = !m.Value.True()
		}
	}
	return trial
}

// locked reports whether introspection says of the object's own types, or in the
// operation's record, that a field of this name cannot be changed.
func locked(sp model.TestObject, name string) bool {
	says := func(r probes.Value) bool {
		return r.At("name").Text() == name && (r.At("readOnly").True() || lockedWords.MatchString(r.At("description").Text()))
	}
	for _, t := range sp.Types {
		own := t.Name == sp.Op.Details.At("returns", "name").Text() || check.FoldName(t.Name) == check.FoldName(sp.Noun(sp.Op.Name))
		for _, p := range sp.Op.Parameters {
			own = own || slices.Contains(check.TypeLeaves(p.Type), t.Name)
		}
		if own && slices.ContainsFunc(t.Details.At("fields").Items(), says) {
			return true
		}
	}
	texts := check.Description(sp.Subject)
	for _, p := range sp.Op.Parameters {
		texts += "\n" + p.Raw.At("description").Text()
	}
	return check.WholeWord(name).MatchString(texts) && lockedWords.MatchString(texts)
}

// Introspection document, section 8.2.2.
var protectedFieldsAreDocumented = check.Check{
	Requirement: "INT-8.2.2-01",
	Rule:        "Read-only and append-only fields are documented as such.",
	Why:         "A model that sends a read-only field without knowing it loses the whole update.",
	On:          eachChanging,
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		sp, _ := s.TestObject(s.Name)
		made, _ := sp.Create("protected fields: created", nil)
		if !ask(made).Succeeded() {
			return
		}
		shown := sp.ObjectIn(ask(sp.Read("protected fields: read")))
		for i, name := range check.SortedKeys(candidates(sp, shown)) {
			ask(sp.Apply(probes.Nth("protected fields: change", i)).With("input", map[string]any{name: candidates(sp, shown)[name]}))
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		sp, _ := s.TestObject(s.Name)
		read, sent := got.Find("protected fields: read")
		switch {
		case !sent:
			return ruling.NotProven("an object of our own that can be read back", got[0])
		case !read.Succeeded(): // it showed no fields, so no change followed
			return ruling.NotProven("an object of our own that can be read back", read)
		}
		rs := []ruling.Ruling{ruling.Conforms().By(read)}
		for _, o := range got.Under("protected fields: change") {
			name := model.ValueIn(o.Probe, "input").Names()[0]
			updatable := !sp.Declared || slices.ContainsFunc(sp.Fields, func(p probes.Parameter) bool { return p.Name == name })
			reason := lockedCode.MatchString(o.Code()) || strings.HasPrefix(o.Code(), "VALIDATION_") && lockedWords.MatchString(o.Message())
			if o.Refused() && reason && updatable && o.Code() != "VALIDATION_UNKNOWN_FIELD" && o.Code() != "VALIDATION_UNKNOWN_PARAM" {
				rs = append(rs, ruling.Violates("the field "+name+" documented as read-only", o).By(read))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "say in the description of the field that it is read-only, or leave it out of the input type",
}

// Introspection document, section 8.2.2.
var requiredNestingIsDocumented = check.Check{
	Requirement: "INT-8.2.2-02",
	Rule:        "Mandatory nesting of values is documented.",
	Why:         "A correct value in the wrong place is rejected.",
	On:          check.EachSendable,
	Drive:       check.AskOptionals,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		rs := []ruling.Ruling{ruling.NotApplicable("no error demands another place for a value")}
		for _, o := range got {
			for _, name := range check.SortedKeys(o.Probe.Params()) {
				place := check.DemandedPath(s.Op, name, o)
				switch {
				case place == "" || !s.Op.HasParameter(name) || o.Succeeded():
				case strings.Contains(introspected(s), place):
					rs = append(rs, ruling.Conforms().By(o))
				default:
					rs = append(rs, ruling.Violates("the place "+place+" in introspection", o))
				}
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "document where the value has to stand",
}

// introspected is all the record of an operation says, as text.
func introspected(s model.Subject) string {
	return check.Description(s) + "\n" + strings.Join(s.Op.Details.At("parameters").Scalars(), "\n")
}
