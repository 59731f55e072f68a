package export

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/catalogue"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Draft returns the lines of a draft hints file: what was discovered, and TODO for what only the
// author knows. A run with the draft sends the same requests as one without it.
func Draft(f *model.Adapter) []string {
	lines := []string{
		"version: 1",
		"",
		"# Values of parameters, by operation. Several values stand in a list, and are",
		"# tried in order.",
	}
	var samples, resources []string
	for _, o := range f.Operations {
		samples = append(samples, draftSamples(f, o)...)
	}
	for _, made := range model.EachMarked(f) {
		resources = append(resources, draftResource(f, made.Name)...)
	}
	lines = append(lines, section("samples", samples)...)
	lines = append(lines, "", "# The operations on each kind of object, and the fields that play a part.")
	lines = append(append(lines, section("resources", resources)...), draftLifecycle(f)...)
	return append(lines, draftAttest(f)...)
}

// draftLifecycle writes the lifecycle hint as a comment: with it, executions are cancelled as well.
func draftLifecycle(f *model.Adapter) []string {
	told := check.LifecycleLines(f)
	if len(told) == 0 {
		return nil
	}
	lines := []string{"", "# TODO What accompanies an execution, so that its states are followed with --allow execute. Add params",
		"# that make one take long, fail or wait, as in long: {seconds: 30}, fail: {...}, pending: {...}.", "# lifecycle:"}
	for _, l := range told {
		lines = append(lines, "#   "+l)
	}
	return lines
}

// section is a key with its lines. Where none says anything, the key is a comment as well: its value
// would be null.
func section(key string, lines []string) []string {
	head := key + ":"
	if !slices.ContainsFunc(lines, func(l string) bool { return !strings.HasPrefix(strings.TrimSpace(l), "#") }) {
		head = "# " + head
	}
	if len(lines) == 0 {
		return []string{head + " nothing was found that the adapter does not say itself"}
	}
	return append([]string{head}, lines...)
}

// draftSamples writes the identifiers that were found and do not belong to the run, and asks for
// values if there are none.
func draftSamples(f *model.Adapter, o probes.Operation) []string {
	b := f.KnownGood[o.Name]
	if b.NeedsSamples != "" {
		lines := []string{"  # TODO " + ruling.Clip(b.Why)}
		for _, l := range check.SampleLines((model.Subject{Adapter: f}), o.Name)[1:] {
			lines = append(lines, "  # "+strings.TrimPrefix(l, "  "))
		}
		return lines
	}
	var lines []string
	for _, p := range o.Parameters {
		v := model.ValueIn(b.Probe, p.Name)
		if b.State == model.Proven && o.Category == "READ" && p.Required && probes.IsReference(o, p) && !isOwn(f, v) && printable(v) {
			lines = append(lines, fmt.Sprintf("    %s: %s", check.YAMLKey(p.Name), yamlValue(v)))
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return append([]string{"  " + check.YAMLKey(o.Name) + ":"}, lines...)
}

// isOwn reports whether a value identifies an object of this run.
func isOwn(f *model.Adapter, v probes.Value) bool {
	return strings.Contains(v.Text(), f.Nonce) ||
		slices.ContainsFunc(f.Scalars, func(l model.Scalar) bool { return l.Own && l.Value.Equal(v) })
}

// printable reports whether a value can be written to a text file.
func printable(v probes.Value) bool {
	return v.Is(probes.Number) || v.Is(probes.String) && strings.IndexFunc(v.Text(), func(r rune) bool { return !unicode.IsPrint(r) }) < 0
}

// yamlValue formats a scalar as YAML for a hints file.
func yamlValue(v probes.Value) string {
	if v.Is(probes.String) {
		return YAMLText(v.Text())
	}
	return string(v.Raw())
}

// YAMLText formats a text as YAML for a hints file, without variable substitution.
func YAMLText(text string) string {
	return string(probes.ValueOf(strings.ReplaceAll(text, "${", "$${")).Raw())
}

// draftResource writes the resource hint of the objects that one operation creates. It omits roles
// that several operations could have.
func draftResource(f *model.Adapter, made string) []string {
	var all []model.TestObject
	update := ""
	for _, o := range f.Operations {
		if obj, why := f.TestObject(o.Name); why == nil && obj.Adapter != nil && obj.Maker.Name == made {
			all = append(all, obj)
			if o.Category == "UPDATE" {
				update = o.Name
			}
		}
	}
	if len(all) == 0 {
		return []string{"  # TODO " + check.YAMLKey(f.Noun(made)) + ": no object could be made with " + check.YAMLKey(made) + " and read back"}
	}
	lines := []string{"  " + check.YAMLKey(f.Noun(made)) + ":", "    create: " + check.YAMLKey(made)}
	role := func(key, operation string) {
		if operation != "" {
			lines = append(lines, fmt.Sprintf("    %s: %s", key, check.YAMLKey(operation)))
		}
	}
	role("read", all[0].Viewer.Name)
	role("list", onlyOperation(all[0].Maker.Views("")))
	role("update", update)
	role("delete", onlyRemoval(f, all[0].Maker.Op))
	if id := identifierLine(all); id != "" {
		lines = append(lines, "    id: "+id)
	}
	return append(lines, draftFields(all)...)
}

// onlyOperation returns the operation of the only probe.
func onlyOperation(ps []probes.Probe) string {
	if len(ps) != 1 {
		return ""
	}
	return ps[0].Operation()
}

// onlyRemoval returns the only operation that could remove the created objects.
func onlyRemoval(f *model.Adapter, made probes.Operation) string {
	var names []string
	for _, d := range f.Operations {
		if d.Category == "DELETE" && f.HasRole(model.RemoverRole, d.Name, made.Name) {
			names = append(names, d.Name)
		}
	}
	if len(names) != 1 {
		return ""
	}
	return names[0]
}

// identifierLine writes the paths of the identifiers in the answer to the creation.
func identifierLine(all []model.TestObject) string {
	paths := map[string]string{}
	for _, obj := range all {
		if obj.Op.Category == "CREATE" {
			obj.IDs = nil // its parameters identify other objects
		}
		for _, ids := range []map[string][]string{obj.IDs, obj.ViewerIDs} {
			for name, path := range ids {
				if slices.ContainsFunc(path, func(step string) bool { return strings.Contains(step, ".") }) {
					return "" // a path cannot contain a dot in a name
				}
				if len(path) > 0 && path[0] != probes.Identity { // which is found without a hint
					paths[name] = strings.Join(path, ".")
				}
			}
		}
	}
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(paths)) {
		pairs = append(pairs, check.YAMLKey(name)+": "+check.YAMLKey(paths[name]))
	}
	if len(pairs) == 0 {
		return ""
	}
	return "{" + strings.Join(pairs, ", ") + "}"
}

// draftFields writes the fields for each role on which all test objects agree.
func draftFields(all []model.TestObject) []string {
	var found, missing []string
	for _, role := range []struct {
		name string
		of   func(model.TestObject) (probes.Parameter, bool)
	}{{"text", model.TestObject.TextField}, {"spare", model.TestObject.SpareField}, {"object", model.TestObject.ObjectField}, {"list", model.TestObject.ListField}} {
		names := map[string]int{}
		for _, obj := range all {
			p, _ := role.of(obj)
			names[p.Name]++
		}
		switch {
		case len(names) > 1: // ambiguous
		case names[""] > 0 && !slices.ContainsFunc(all, func(obj model.TestObject) bool { return obj.FieldHint(role.name) != "" }):
			// no documented field can be one
		case names[""] > 0:
			field := "FIELD"
			if role.name == "list" {
				field = cmp.Or(listShown(all), field)
			}
			missing = append(missing, fmt.Sprintf("    # TODO fields: {%s: %s}  # a field that is %s, if there is one", role.name, field, model.FieldParts[role.name]))
		default:
			found = append(found, role.name+": "+check.YAMLKey(slices.Collect(maps.Keys(names))[0]))
		}
	}
	var lines []string
	if len(found) > 0 {
		lines = append(lines, "    fields: {"+strings.Join(found, ", ")+"}")
	}
	return append(lines, missing...)
}

// listShown returns the first field that an answer to a READ shows as a list of strings; "" if none does.
// Whether it takes any strings is for the author to say.
func listShown(all []model.TestObject) string {
	for _, o := range all[0].Operations {
		items, _, _ := check.Collection(all[0].KnownGood[o.Name].Reply.Data())
		if o.Category != "READ" || o.Name == "introspect" || !all[0].Rules.SameKind(o, all[0].Maker.Op) {
			continue
		}
		for _, item := range items {
			for _, m := range item.Members() {
				if v := m.Value.Items(); len(v) > 0 && !slices.ContainsFunc(v, func(x probes.Value) bool { return !x.Is(probes.String) }) {
					return check.YAMLKey(m.Name)
				}
			}
		}
	}
	return ""
}

// attested says what each statement of the author means.
var attested = map[string]string{
	"claim":          "the level that the documentation claims: level-1, level-2 or no",
	"modes":          "the endpoint modes that the adapter can be started in",
	"non_strict":     "this command starts it so that unknown parameters are accepted",
	"limits":         "the limits of size, length, count and depth are documented",
	"concurrency":    "what happens when two clients change one object is documented",
	"null_semantics": "where null differs from a missing value, that is documented",
	"date_timezone":  "the time zone of dates without a time is documented",
	"string_numbers": "texts that stand for numbers are documented as such",
	"binary":         "binary data in another form than base64 is documented",
	"extensions":     "additions to MCP-AQL, such as further members of answers, are documented",
	"evaluator":      "how the safety loop evaluates risk can be configured",
	"open_world":     "it talks to systems outside, such as the web",
}

// draftAttest writes the attest hints that the checks use, without those of features that are not listed.
func draftAttest(f *model.Adapter) []string {
	lines := []string{"", "# TODO Statements that cannot be checked automatically: yes, no, or the place in the",
		"# documentation, such as docs/limits.md. Leave out what your adapter does not have.", "# attest:"}
	asked := map[string]bool{"evaluator": !slices.ContainsFunc(f.Operations, func(o probes.Operation) bool { return slices.Contains(model.Reserved, o.Name) })}
	for _, r := range catalogue.All() {
		for _, name := range r.Hints {
			hint := check.HintLines(name, check.HintForm(name))
			key := strings.TrimPrefix(name, "attest.")
			if r.State() == catalogue.Checked && hint[0] == "attest:" && !asked[key] {
				asked[key] = true
				lines = append(lines, fmt.Sprintf("# %-24s # %s", hint[1], cmp.Or(attested[key], r.Title)))
			}
		}
	}
	return lines
}
