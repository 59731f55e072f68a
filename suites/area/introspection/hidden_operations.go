package introspection

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Names to try that no introspection shows: reads of the customary kind for what
// the adapter deals in, and what developers leave behind.
var (
	readVerbs = strings.Fields("get list search find count export")
	forgotten = strings.Fields("debug_dump debug_info dump_state get_config get_status get_version list_operations health_check ping help")
	quoted    = regexp.MustCompile(`["'` + "`" + `]?operation["'` + "`" + `]?\s*[:=]\s*["'` + "`" + `]([a-z][a-z0-9_]*)["'` + "`" + `]`)
)

// maxNouns bounds the invented names to about a hundred.
const maxNouns = 12

// mayTry reports whether an unlisted name may be sent: one that promises an effect only
// where the operator names it, because such an operation may exist.
func mayTry(f *model.Adapter, name string) bool {
	switch {
	case slices.Contains(model.Reserved, name):
		return f.May.Execute
	case model.NameImpliesEffect(name):
		return f.Rules.Permits(name)
	}
	return true
}

// categoryOf returns the category whose tables hold the verb; READ for others.
func categoryOf(verb string) string {
	for _, table := range []map[string][]string{check.CanonicalVerbs, check.AdditionalVerbs, check.SynonymVerbs} {
		for c, verbs := range table {
			if slices.Contains(verbs, verb) {
				return c
			}
		}
	}
	return "READ"
}

// printed returns the operation names in tool schemas, tool descriptions and
// examples.
func printed(f *model.Adapter) []string {
	var names []string
	for _, t := range f.Tools {
		if !slices.Contains(f.AQL, t.Name) {
			continue
		}
		names = append(names, check.OperationEnum(t.Raw.At("inputSchema"))...)
		for _, text := range append(t.Raw.At("inputSchema").Scalars(), t.Raw.At("description").Text(), string(t.Raw.At("inputSchema", "examples").Raw())) {
			for _, m := range quoted.FindAllStringSubmatch(text, -1) {
				names = append(names, m[1])
			}
		}
	}
	for _, o := range f.Operations {
		for _, e := range o.Details.At("examples").Items() {
			names = append(names, e.At("request", "operation").Text())
		}
	}
	return unlisted(f, names)
}

// unlisted keeps the snake case names that the listing lacks, each once, sorted.
func unlisted(f *model.Adapter, names []string) []string {
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(n string) bool {
		_, listed := f.Operation(n)
		return listed || n == "introspect" || !check.SnakeCase.MatchString(n)
	})
}

// nounsOf returns what the listing deals in.
func nounsOf(f *model.Adapter) (nouns []string) {
	for _, o := range f.Operations {
		_, noun, _ := strings.Cut(o.Name, "_")
		for _, n := range []string{noun, model.Singular(noun)} {
			if n != "" && len(nouns) < maxNouns && !slices.Contains(nouns, n) && !slices.Contains(model.Reserved, o.Name) {
				nouns = append(nouns, n)
			}
		}
	}
	return nouns
}

// invented returns names made from what the listing deals in.
func invented(f *model.Adapter) []string {
	names := slices.Clone(forgotten)
	for _, noun := range nounsOf(f) {
		for _, verb := range append([]string{"create", "update"}, readVerbs...) {
			names = append(names, verb+"_"+noun)
		}
	}
	return unlisted(f, append(names, model.Reserved...))
}

// host returns the tool on which an operation of that name would be found.
func host(f *model.Adapter, name string) string {
	for _, o := range f.Operations {
		if o.Category == categoryOf(f.Verb(name)) && o.Name != "introspect" && o.Tool != "" && o.Tool != f.Unified {
			return o.Tool
		}
	}
	if f.Unified != "" && categoryOf(f.Verb(name)) != "READ" {
		return f.Unified
	}
	return f.Introspect
}

// eachUnlisted is every name that might be a hidden operation.
func eachUnlisted(f *model.Adapter) []model.Subject {
	if len(f.Operations) == 0 {
		return nil
	}
	var all []model.Subject
	shown := printed(f)
	for _, name := range append(slices.Clone(shown), invented(f)...) {
		s := model.Subject{Adapter: f, Name: name}
		switch {
		case slices.ContainsFunc(all, func(t model.Subject) bool { return t.Name == name }):
			continue
		case !mayTry(f, name) && !slices.Contains(shown, name):
			continue
		case !mayTry(f, name):
			s = s.WithRuling(ruling.NotProven("permission to call "+name+", which is printed but not listed", "none").Mend("--allow " + strings.ToLower(categoryOf(f.Verb(name))) + ":" + name))
		}
		all = append(all, s)
	}
	return all
}

// hunt returns a request for a name that does not exist and then one for the candidate. An adapter
// that answers the second otherwise knows the candidate.
func hunt(f *model.Adapter, step, name string) []probes.Probe {
	control := probes.Call(f.Conn, host(f, name), f.Verb(name)+"_aqlx_"+f.Nonce, map[string]any{"aqlx_" + f.Nonce: 1})
	return []probes.Probe{control.As(step + ": control"), control.Top("operation", name).As(step + ": candidate")}
}

// concealed rules on one candidate.
func concealed(s model.Subject, name string, control, o probes.Observation, shown bool) ruling.Ruling {
	alike := o.Outcome == control.Outcome && o.Code() == control.Code() || o.Code() == "NOT_FOUND_OPERATION" || o.RefusedBelow() && control.RefusedBelow()
	recognised := o.Succeeded() || strings.HasPrefix(o.Code(), "VALIDATION_") || o.Code() == "NOT_FOUND_RESOURCE" || strings.HasPrefix(o.Code(), "CONFLICT_")
	switch {
	case control.Succeeded():
		return ruling.NotProven("a refusal of a name that does not exist", control).Because("AQL-3.2-01")
	case alike && shown:
		return ruling.Departs("only operations that exist in schemas, descriptions and examples", name).By(o)
	case alike:
		return ruling.Conforms().By(o)
	case strings.HasPrefix(o.Code(), "PERMISSION_"):
		return ruling.Departs("the answer that "+control.Probe.Operation()+" gets: "+control.Brief(), o).By(control).Noting("it may be hidden from this identity")
	case !recognised:
		return ruling.NotProven("the answer that "+control.Probe.Operation()+" gets: "+control.Brief(), o).By(control)
	case s.Unended:
		return ruling.NotProven("a listing that was read to its end", s.Listings[len(s.Listings)-1].Data()).Because("INT-8.3-04")
	case slices.Contains(model.Reserved, name) || aliasOf(s.Adapter, name) != "":
		return ruling.Departs("each operation that works in the listing", o).By(control).Noting(strings.TrimSpace("an alias " + aliasOf(s.Adapter, name)))
	}
	return ruling.Violates("the answer that "+control.Probe.Operation()+" gets: "+control.Brief(), o).By(control)
}

// aliasOf returns the listed operation that a name means in other words: the same
// noun with the same verb or a synonym of it.
func aliasOf(f *model.Adapter, name string) string {
	for _, o := range f.Operations {
		if f.Noun(o.Name) != f.Noun(name) {
			continue
		}
		if f.Verb(o.Name) == f.Verb(name) {
			return o.Name
		}
		for _, group := range append(check.InterchangeableVerbs[o.Category], []string{"search", "find", "list"}) {
			if slices.Contains(group, f.Verb(o.Name)) && slices.Contains(group, f.Verb(name)) {
				return o.Name
			}
		}
	}
	return ""
}

// hunting returns the check of all candidates that promise an effect, or of those
// that do not.
func hunting(lane probes.Lane, effect bool) check.Check {
	return check.Check{
		Requirement: "AQL-10.2-02",
		On: model.Only(eachUnlisted, func(s model.Subject) bool {
			return effect == (model.NameImpliesEffect(s.Name) || slices.Contains(model.Reserved, s.Name))
		}),
		Lane: lane,
		Ask:  func(s model.Subject) []probes.Probe { return hunt(s.Adapter, "hunt", s.Name) },
		Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
			return concealed(s, s.Name, got[0], got.Step("hunt: candidate"), slices.Contains(printed(s.Adapter), s.Name))
		},
		Fix: "list the operation, or remove it",
	}
}

// Section 10.2.
var everyExecutableOperationIsListed = hunting(probes.Parallel, false).WithReason(
	"What works unseen cannot be judged, guarded or documented.")

// Section 10.2.
var everyOperationWithAnEffectIsListed = hunting(probes.Serial, true).WithReason(
	"The same for names that promise an effect, one after the other.")

// lookedUp returns the usual names of operations on what the listing deals in. To look one up calls nothing, so names
// that promise an effect are among them.
func lookedUp(f *model.Adapter) (names []string) {
	for _, noun := range nounsOf(f) {
		for _, verb := range strings.Fields("create get list update delete") {
			names = append(names, verb+"_"+noun)
		}
	}
	return unlisted(f, names)
}

// Section 10.2.
var everyDetailedOperationIsListed = check.Check{
	Requirement: "AQL-10.2-02",
	On:          model.IntrospectSubject,
	Ask: func(s model.Subject) []probes.Probe {
		ps := []probes.Probe{s.Lookup("operations", "aqlx_"+s.Nonce)}
		for _, name := range lookedUp(s.Adapter) {
			ps = append(ps, s.Lookup("operations", name).As("details of "+name))
		}
		return ps
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		rs := []ruling.Ruling{ruling.Conforms().By(got[0])}
		detailed := func(o probes.Observation, name string) bool { return o.Data().At("operation", "name").Text() == name }
		for _, name := range lookedUp(s.Adapter) {
			o := got.Step("details of " + name)
			switch {
			case !detailed(o, name):
			case detailed(got[0], "aqlx_"+s.Nonce):
				return ruling.NotProven("no details of a name that does not exist", got[0]).Because("INT-4.3-01")
			case s.Unended:
				rs = append(rs, ruling.NotProven("a listing that was read to its end", s.Listings[len(s.Listings)-1].Data()).Because("INT-8.3-04"))
			case aliasOf(s.Adapter, name) != "":
				rs = append(rs, ruling.Departs("each operation that has details in the listing", name).By(o).Noting("an alias "+aliasOf(s.Adapter, name)))
			default:
				rs = append(rs, ruling.Violates("each operation that has details in the listing", name).By(o))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "list the operation, or remove it",
}.WithReason("An operation with details works for whoever guesses its name.")

// Section 10.2.
var refusalsNameNoHiddenOperation = check.Check{
	Requirement: "AQL-10.2-02",
	Rule:        "The listing is complete: the adapter executes no operation that introspection does not show.",
	Why:         "A refusal that names what is available may name more than the listing does.",
	On:          model.IntrospectSubject,
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		names := ask(check.UnknownOperation(s.Adapter, s.Introspect)).Details().At("available").Scalars()
		hunts := 0
		for _, name := range unlisted(s.Adapter, names) {
			if mayTry(s.Adapter, name) {
				for _, p := range hunt(s.Adapter, probes.Nth("hunt", hunts), name) {
					ask(p)
				}
				hunts++
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		rs := []ruling.Ruling{ruling.Conforms().By(got[0])}
		for i := 0; got.Has(probes.Nth("hunt", i) + ": candidate"); i++ {
			control, candidate := got.Step(probes.Nth("hunt", i)+": control"), got.Step(probes.Nth("hunt", i)+": candidate")
			rs = append(rs, concealed(s, candidate.Probe.Operation(), control, candidate, true))
		}
		return ruling.Worst(rs...)
	},
	Fix: "list the operation, or remove it",
}
