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
	text := strings.ReplaceAll(warning.At("code").Text(), "_", " ") + ": " + message
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
	if name != "" && valueIsMeant(text, probes.ValueOf(sent[name])) {
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

// valueIsMeant reports whether a warning calls a value of a parameter deprecated, and not the parameter: it says so, or it names the value
// that was sent before the notice, and no parameter.
func valueIsMeant(text string, sent probes.Value) bool {
	notice := outdated.FindAllStringIndex(text, -1)
	before := text[:notice[len(notice)-1][0]]
	named := sent.Text() != "" && check.WholeWord(sent.Text()).MatchString(before)
	return saysValue.MatchString(text) || named && !saysParameter.MatchString(text)
}
