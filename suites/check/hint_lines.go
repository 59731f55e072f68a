package check

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
)

// HintForms are example values of hints that are not a simple word, by their keys in the file.
var HintForms = map[string]string{
	"attest.claim":             "level-1",
	"attest.modes":             "[semantic, single]",
	"credentials":              "{operation: NAME, params: {}}",
	"fault_trigger":            "{operation: NAME, params: {}}",
	"big_response":             "{operation: NAME, params: {}}",
	"confirm":                  "{operation: NAME, params: {}, token_param: NAME}",
	"lifecycle":                "{NAME: {status: NAME, cancel: NAME, long: {}}}",
	"load_ceiling":             "100",
	"safety.agent":             "{names: [NAME]}",
	"safety.step_limit":        "5",
	"safety.challenge_timeout": "300s",
	"launch.restart":           "COMMAND",
	"launch.low_rate":          "COMMAND",
	"launch.reconfigure":       "COMMAND",
	"launch.change_tools":      "COMMAND",
	"tokens.narrow":            "COMMAND",
	"tokens.foreign":           "COMMAND",
	AuditCommand:               "COMMAND",
}

// HintLines returns the lines of a hints file for one hint. name is its key, or its name in the
// catalogue; value is YAML.
func HintLines(name, value string) []string {
	var lines []string
	for _, step := range strings.Split(fixtures.KeyOf(name), ".") {
		lines = append(lines, strings.Repeat("  ", len(lines))+step+":")
	}
	lines[len(lines)-1] += " " + value
	return lines
}

// HintsToAdd returns the lines to add to the hints file if the fix asks for a hint.
func HintsToAdd(s model.Subject, fix string) []string {
	name, asked := model.HintAsked(fix)
	part, ofField := model.FieldAsked(fix)
	operation, sampled := strings.CutPrefix(name, "samples.")
	switch {
	case !asked:
		return nil
	case fix == model.TestObjectHint:
		return append(resourceLines(s), "    fields:", "      {text: FIELD, spare: FIELD, object: FIELD, list: FIELD, number: FIELD}")
	case ofField:
		return append(resourceLines(s), "    fields: {"+part+": FIELD}")
	case sampled:
		return SampleLines(s, operation)
	case name == "lifecycle":
		if told := LifecycleLines(s.Adapter); len(told) > 0 {
			return []string{"lifecycle:", "  " + withLong(told[0])}
		}
	}
	return HintLines(name, HintForm(name))
}

// HintForm returns an example value of a hint.
func HintForm(name string) string { return cmp.Or(HintForms[fixtures.KeyOf(name)], "yes") }

// SampleLines returns the lines that ask for a value of every required parameter of an operation.
func SampleLines(s model.Subject, operation string) []string {
	lines := []string{"samples:", "  " + YAMLKey(operation) + ":"}
	o, _ := s.Operation(operation)
	for _, p := range o.Parameters {
		if p.Required {
			lines = append(lines, fmt.Sprintf("    %s: VALUE", YAMLKey(p.Name)))
		}
	}
	return lines
}

// SampleInstead returns the line that gives another value for the one that kept a creation back. A flag
// that permits this creation is the other way.
func SampleInstead(s model.Subject, flag, reason string) string {
	operation, made := strings.CutPrefix(flag, "--allow create:")
	if p := s.ValueBarred(operation, reason); made && p != "" {
		return fmt.Sprintf("samples: {%s: {%s: VALUE}}", YAMLKey(operation), YAMLKey(p))
	}
	return ""
}

// resourceLines returns the lines of the resource hint, filled with the operations that seem to
// belong to the subject's kind of object.
func resourceLines(s model.Subject) []string {
	noun := s.Noun(s.Op.Name)
	lines := []string{"resources:", "  " + YAMLKey(cmp.Or(noun, "thing")) + ":"}
	for _, part := range []struct{ key, category string }{{"create", "CREATE"}, {"read", "READ"}, {"update", "UPDATE"}, {"delete", "DELETE"}} {
		name := "NAME"
		for _, o := range s.OfNoun(noun) {
			exact := part.category != "READ" || strings.HasSuffix(o.Name, "_"+noun)
			if o.Category == part.category && exact && !slices.Contains(model.Reserved, o.Name) {
				name = YAMLKey(o.Name)
				break
			}
		}
		lines = append(lines, fmt.Sprintf("    %s: %s", part.key, name))
	}
	return lines
}

var plainKey = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// YAMLKey quotes a name if YAML would not read it as a string.
func YAMLKey(name string) string {
	odd := slices.Contains([]string{"null", "true", "false", "yes", "no", "on", "off", "y", "n"}, strings.ToLower(name))
	if plainKey.MatchString(name) && !odd {
		return name
	}
	return string(probes.ValueOf(name).Raw())
}
