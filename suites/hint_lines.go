package suites

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
)

// inHints stands between the name of a hint and what it should say, in a fix that
// is a hint to give.
const inHints = " in the hints file: "

// shapes are values that show the form of a hint; the form of others is a word.
var shapes = map[string]string{
	"attest.claim":             "level-1",
	"modes":                    "[semantic, single]",
	"credentials":              "{operation: NAME, params: {}}",
	"fault_trigger":            "{operation: NAME, params: {}}",
	"big_response":             "{operation: NAME, params: {}}",
	"confirm":                  "{operation: NAME, params: {}, token_param: NAME}",
	"lifecycle":                "{NAME: {status: NAME, cancel: NAME, long: {}}}",
	"load_ceiling":             "100",
	"safety.agent":             "{names: [NAME]}",
	"safety.step_limit":        "5",
	"safety.challenge_timeout": "300s",
	"restart":                  "COMMAND",
	"low_rate_launch":          "COMMAND",
	"reconfigure_cmd":          "COMMAND",
	"tool_change_cmd":          "COMMAND",
}

// hintLines writes one hint, named as in the catalogue, as the lines of a hints
// file. The value is YAML.
func hintLines(name, value string) []string {
	key, ok := fixtures.Place(name)
	if !ok {
		key = name
	}
	var lines []string
	for _, step := range strings.Split(key, ".") {
		lines = append(lines, strings.Repeat("  ", len(lines))+step+":")
	}
	lines[len(lines)-1] += " " + value
	return lines
}

// addition is what to add to the hints file where a fix asks for a hint.
func (s Subject) addition(fix string) []string {
	name, _, asked := strings.Cut(fix, inHints)
	operation, sampled := strings.CutPrefix(name, "samples.")
	switch {
	case !asked:
		return nil
	case name == "resource":
		return s.resourceLines()
	case sampled:
		return s.sampleLines(operation)
	}
	return hintLines(name, formOf(name))
}

// formOf is a value that shows the form of a hint.
func formOf(name string) string { return cmp.Or(shapes[name], "yes") }

// sampleLines asks for a value of every required parameter of an operation.
func (s Subject) sampleLines(operation string) []string {
	lines := []string{"samples:", "  " + yamlKey(operation) + ":"}
	o, _ := s.Operation(operation)
	for _, p := range o.Parameters {
		if p.Required {
			lines = append(lines, fmt.Sprintf("    %s: VALUE", yamlKey(p.Name)))
		}
	}
	return lines
}

// resourceLines names the operations that seem to act on the subject's kind of
// object, and asks for the rest.
func (s Subject) resourceLines() []string {
	lines := []string{"resources:", "  " + yamlKey(cmp.Or(Noun(s.Op.Name), "thing")) + ":"}
	for _, part := range []struct{ key, category string }{{"create", "CREATE"}, {"read", "READ"}, {"update", "UPDATE"}, {"delete", "DELETE"}} {
		name := "NAME"
		for _, o := range s.Operations {
			exact := part.category != "READ" || strings.HasSuffix(o.Name, "_"+Noun(s.Op.Name))
			if o.Category == part.category && Noun(o.Name) == Noun(s.Op.Name) && exact && !slices.Contains(reserved, o.Name) {
				name = yamlKey(o.Name)
				break
			}
		}
		lines = append(lines, fmt.Sprintf("    %s: %s", part.key, name))
	}
	return append(lines, "    fields:", "      {text: FIELD, spare: FIELD, object: FIELD, list: FIELD, number: FIELD}")
}

var plainKey = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// yamlKey writes a name so that YAML reads it as that name.
func yamlKey(name string) string {
	odd := slices.Contains([]string{"null", "true", "false", "yes", "no", "on", "off", "y", "n"}, strings.ToLower(name))
	if plainKey.MatchString(name) && !odd {
		return name
	}
	return string(probes.ValueOf(name).Raw())
}
