package descriptions

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
)

// deprecatedParameter returns the parameter that a warning calls deprecated; "" when it speaks of
// something else.
func deprecatedParameter(op probes.Operation, o probes.Observation, warning probes.Value) string {
	message, details := warning.At("message").Text(), warning.At("details")
	code := strings.ReplaceAll(warning.At("code").Text(), "_", " ")
	text := code + ": " + message
	if !outdated.MatchString(text) || details.At("type").Text() == "operation" {
		return ""
	}
	sent := o.Probe.Params()
	if item := details.At("deprecated_item").Text(); item != "" {
		if _, given := sent[item]; given {
			return item
		}
		return ""
	}
	name := namedInMessage(op, sent, message)
	if name == "" && saysParameter.MatchString(text) {
		name = namedInDetails(sent, details)
	}
	if name != "" && !parameterIsSubject(name, code, message) && (valueIsMeant(text, name, probes.ValueOf(sent[name])) || anotherIsSubject(name, code, message)) {
		return ""
	}
	return name
}

// namedInMessage returns the parameter that the message of a warning names. Of several in the request, some are
// what to use instead: it means the one that is marked, or else the first.
func namedInMessage(op probes.Operation, sent map[string]any, message string) string {
	ofOperation := regexp.MustCompile(`(?i)\boperation\W+` + regexp.QuoteMeta(op.Name) + `\W+(?:is |was |has been |are )?(?:now )?deprecated`)
	whole := len(message) // what is named behind a notice on the operation is what to use instead
	if notice := ofOperation.FindStringIndex(message); notice != nil {
		whole = notice[0]
	}
	first, at := "", whole
	for _, name := range check.SortedKeys(sent) {
		found := check.WholeWord(name).FindStringIndex(message)
		if found == nil || found[0] >= whole {
			continue
		}
		if i := slices.IndexFunc(op.Parameters, func(p probes.Parameter) bool { return p.Name == name }); i >= 0 && marked(op.Parameters[i].Raw) {
			return name
		}
		if found[0] < at {
			first, at = name, found[0]
		}
	}
	if m := quotedParameter.FindStringSubmatchIndex(message); first == "" && m != nil && m[0] < whole {
		return message[m[2]:m[3]]
	}
	return first
}

// namedInDetails returns the parameter of the request that the details of a warning on a parameter name in param_name, as those of
// errors do, or in a member that is called parameter.
func namedInDetails(sent map[string]any, details probes.Value) string {
	for _, m := range details.Members() {
		member := strings.NewReplacer("deprecated", "", "name", "", "_", "").Replace(strings.ToLower(m.Name))
		if _, given := sent[m.Value.Text()]; given && (member == "param" || member == "parameter") {
			return m.Value.Text()
		}
	}
	return ""
}

var (
	// quotedParameter matches the name of a parameter that a warning quotes.
	quotedParameter = regexp.MustCompile("(?i)\\bparameter ['\"`](\\w+)['\"`]")
	saysParameter   = regexp.MustCompile(`(?i)\bparam(?:eter)?s?\b`)
	// saysValue matches a notice on a value: the word stands before the notice, in the same sentence, or directly behind it.
	saysValue = regexp.MustCompile(`(?i)\bvalues?\b[^.;]*` + outdated.String() + `|` + outdated.String() + `\s+values?\b`)
)

// valueIsMeant reports whether a warning calls a value of a parameter deprecated, and not the parameter: it says so, or it names no parameter
// and the value that was sent, before the notice or directly behind the name.
func valueIsMeant(text, name string, sent probes.Value) bool {
	if saysValue.MatchString(text) {
		return true
	}
	if sent.Text() == "" || saysParameter.MatchString(text) {
		return false
	}
	notice := outdated.FindAllStringIndex(text, -1)
	before := text[:notice[len(notice)-1][0]]
	pair := regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(name) + `\b\W?\s*[=:]\s*\W?` + regexp.QuoteMeta(sent.Text()) + `(?:\W|$)`)
	return check.WholeWord(sent.Text()).MatchString(before) || pair.MatchString(text)
}

// parameterIsSubject reports whether the message has a clause that begins with the parameter and goes on with the notice. An aside in
// parentheses may stand between them. A code that speaks of a value tells of what is meant more plainly.
func parameterIsSubject(name, code, message string) bool {
	clause := regexp.MustCompile(`(?i)(?:^|[.:;,–—-]\s+)(?:the\s+)?(?:param(?:eter)?\s+)?\W?` + regexp.QuoteMeta(name) + `\b\W?\s*(?:\([^()]*\)\s*)?(?:(?:is|was|has been|will be)\s+)?(?:now\s+)?` + outdated.String())
	return !saysValue.MatchString(code) && clause.MatchString(message)
}

var (
	clauseEnd = regexp.MustCompile(`[.:;]\s+`)
	// referring matches what stands before a notice without a subject, or with a pronoun for what was named before.
	referring = regexp.MustCompile(`(?i)\bits?\b|^\W*(?:(?:this|that|they|which|and|is|are|was|were|has|have|will|be|been|now)\W+)*$`)
)

// anotherIsSubject reports whether the notice stands in a later clause than the parameter, and this clause has a subject of its own: "color
// becomes a list; the single text is deprecated".
func anotherIsSubject(name, code, message string) bool {
	notice := outdated.FindStringIndex(message)
	if notice == nil || saysParameter.MatchString(code) {
		return false
	}
	clauses := clauseEnd.Split(message[:notice[0]], -1)
	last := len(clauses) - 1
	named := check.WholeWord(name).MatchString
	return named(strings.Join(clauses[:last], " ")) && !named(clauses[last]) && !saysParameter.MatchString(clauses[last]) && !referring.MatchString(clauses[last])
}
