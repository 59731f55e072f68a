package classification

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// verbCategory is the category that section 8.2 gives operations by their first
// word. Words that more than one category may claim are left out.
var verbCategory = map[string]string{
	"get": "READ", "list": "READ", "search": "READ", "find": "READ", "count": "READ",
	"create": "CREATE", "add": "CREATE", "upload": "CREATE", "register": "CREATE",
	"update": "UPDATE", "edit": "UPDATE", "set": "UPDATE", "rename": "UPDATE", "move": "UPDATE",
	"delete": "DELETE", "remove": "DELETE", "purge": "DELETE", "drop": "DELETE", "clear": "DELETE",
	"execute": "EXECUTE", "run": "EXECUTE", "start": "EXECUTE", "stop": "EXECUTE", "cancel": "EXECUTE",
}

// alsoFits are categories a verb may be found in without a word about it: to add a
// tag to a note changes the note, run_report may only read, and what may not exist yet is
// better created than updated (section 8.3).
var alsoFits = map[string][]string{"add": {"UPDATE"}, "remove": {"UPDATE"}, "clear": {"UPDATE"}, "upload": {"UPDATE"}, "set": {"CREATE"}, "update": {"CREATE"}, "run": {"READ"}, "execute": {"READ"}, "cancel": {"UPDATE", "DELETE"}, "stop": {"UPDATE"}, "start": {"CREATE", "UPDATE"}}

// categorised leaves the operations open whose category is a guess: nobody documented it, so a
// verb cannot disagree with it.
func categorised(on func(*model.Adapter) []model.Subject) func(*model.Adapter) []model.Subject {
	return func(f *model.Adapter) []model.Subject {
		all := on(f)
		for i, s := range all {
			if s.Op.Guessed {
				all[i] = s.WithRuling(ruling.NotProven("a documented semantic_category", "none").Because("AQL-6.1-01"))
			}
		}
		return all
	}
}

// madeHere reports whether a CREATE of the adapter makes what the operation is named after. Where
// making it changes only the adapter, so does removing it.
func madeHere(s model.Subject) bool {
	return slices.ContainsFunc(s.OfNoun(s.Noun(s.Name)), func(o probes.Operation) bool { return o.Category == "CREATE" && !o.Guessed })
}

// Section 8.2.
var verbsAndCategoriesGoTogether = check.Check{
	Requirement: "AQL-8.2-01",
	Rule:        "Operations named like the classification examples carry the category shown there.",
	Why:         "Name and category say the same thing to two readers: the name to the model, the category to whoever grants permissions.",
	On: categorised(model.Only(model.EachDomain, func(s model.Subject) bool {
		return verbCategory[s.Verb(s.Name)] != "" && !slices.Contains(model.Reserved, s.Name) && check.CanonicalVerbs[s.Op.Category] != nil
	})),
	Ask: check.ListingAndDetails,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		verb := s.Verb(s.Name)
		want := verbCategory[verb]
		outward := s.Op.Category == "EXECUTE" && want != "READ" && !(want == "DELETE" && madeHere(s)) // section 8.3 prefers EXECUTE where something outside is acted on
		if s.Op.Category != want && !outward && !slices.Contains(alsoFits[verb], s.Op.Category) {
			return ruling.Violates("the category "+want+" for "+verb, s.Op.Category)
		}
		return ruling.Conforms()
	},
	Fix: "classify the operation by what it does, and name it accordingly",
}

// shownDanger returns the danger level introspection shows for an operation.
func shownDanger(s model.Subject) probes.Value {
	if level := check.DangerLevel(s.Op.Details); !level.Is(probes.Absent) {
		return level
	}
	return check.DangerLevel(s.Op.Summary)
}

// exposesLevel reports whether a member called danger tells a level; it may be a
// mere mark, or an object with other things to say.
func exposesLevel(level probes.Value) bool {
	if level.Is(probes.Object) {
		return !check.DangerLevel(level).Is(probes.Absent) || level.Has("level")
	}
	return !level.Is(probes.Absent) && !level.Is(probes.Null) && !level.Is(probes.Boolean)
}

func judgeDanger(level probes.Value) ruling.Ruling {
	word := level
	if level.Is(probes.Object) {
		word = check.DangerLevel(level)
		if word.Is(probes.Absent) {
			word = level.At("level")
		}
	}
	if !slices.Contains(check.DangerLevels, word.Text()) {
		return ruling.Violates("one of "+strings.Join(check.DangerLevels, ", "), level)
	}
	return ruling.Conforms()
}

// Appendix D.
var dangerLevelsUseDefinedWords = check.Check{
	Requirement: "AQL-D-04",
	Rule:        "Danger classifications, where shown, use the schema values.",
	Why:         "Clients decide by the defined values, so they must be used in errors as well as in introspection.",
	Ambient: &check.Ambient{Watch: func(f *model.Adapter, o probes.Observation) ruling.Ruling {
		levels := []probes.Value{check.DangerLevel(o.Details())}
		for _, record := range append(o.Data().At("operations").Items(), o.Data().At("operation")) {
			explained := !record.Has("danger_level") && len(strings.Fields(record.At("danger").Text())) > 1 // what the danger is, no level
			if o.Probe.Operation() == "introspect" && !explained {
				levels = append(levels, check.DangerLevel(record))
			}
		}
		var rs []ruling.Ruling
		for _, level := range levels {
			if exposesLevel(level) {
				rs = append(rs, judgeDanger(level))
			}
		}
		if len(rs) == 0 {
			return ruling.NotApplicable("")
		}
		return ruling.Worst(rs...)
	}},
	Fix: "use safe, reversible, destructive, dangerous or forbidden",
}

// announces reports whether _protocol.capabilities says that a feature is there.
func announces(f *model.Adapter, capability string) bool {
	return f.Protocol.At("capabilities", capability).True()
}

// tells reports whether a mark or level of danger says anything; null and what is empty do not.
func tells(v probes.Value) bool {
	return v.Is(probes.Boolean) || slices.ContainsFunc(v.Scalars(), func(text string) bool { return strings.TrimSpace(text) != "" })
}

// dangerShown returns the levels and marks of danger that introspection or an error shows for the operation.
func dangerShown(s model.Subject) []probes.Value {
	all := []probes.Value{shownDanger(s), s.Op.Details.At("dangerous"), s.Op.Summary.At("dangerous")}
	return slices.DeleteFunc(all, func(v probes.Value) bool { return !tells(v) })
}

// dangerTold matches a description that classifies its operation. The word danger alone may be about anything.
var dangerTold = regexp.MustCompile(`(?i)danger(ous)?[ _-]*(level|class|rating|mark|operation)|danger(ous)?\s*[:=]|\bis (very |highly )?dangerous`)

// classifies reports whether the operation is classified. That it is not dangerous is a classification too, but says
// nothing where removals are listed and no operation is said to be dangerous.
func classifies(s model.Subject) bool {
	level := append(dangerShown(s), check.DangerLevel(s.KnownGood[s.Name].Reply.Details()))
	removes := slices.ContainsFunc(s.Operations, func(o probes.Operation) bool { return o.Category == "DELETE" })
	return dangerTold.MatchString(check.Description(s)) ||
		slices.ContainsFunc(level, func(v probes.Value) bool { return tells(v) && (!v.False() || !removes) })
}

// Introspection document, section 4.1.1.
var announcedDangerClassificationIsShown = check.Check{
	Requirement: "INT-4.1.1-19",
	Rule:        "An adapter that announces danger classification shows it in introspection.",
	Why:         "A capability is announced so that a client can rely on it.",
	On:          model.Given(func(f *model.Adapter) bool { return announces(f, "dangerous_operations") }, model.WholeAdapter),
	Ask: func(s model.Subject) []probes.Probe {
		ps := model.Listing(s)
		for _, o := range s.Operations {
			ps = append(ps, s.Lookup("operations", o.Name))
		}
		return ps
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		classified := slices.ContainsFunc(s.Types, func(t probes.Type) bool { return strings.Contains(strings.ToLower(t.Name), "danger") })
		for _, t := range model.EachListed(s.Adapter) {
			classified = classified || classifies(t)
			if level := shownDanger(t); t.Op.Category == "DELETE" && (level.Text() == "safe" || level.At("level").Text() == "safe") {
				return ruling.Violates("another danger level than safe for "+t.Name, level).By(got[0])
			}
		}
		untold := slices.IndexFunc(s.Operations, func(o probes.Operation) bool { return !o.Details.Is(probes.Object) })
		if !classified && untold >= 0 {
			return ruling.NotProven("the details of each operation", "none of "+s.Operations[untold].Name).Because("AQL-7.3-02")
		}
		if !classified {
			return ruling.Violates("an operation whose danger is classified", "none").By(got[0])
		}
		return ruling.Conforms()
	},
	Fix: "show danger levels in introspection, or take dangerous_operations out of capabilities",
}

// Operations document, section 5.1.
var dangerMarkIsBoolean = check.Check{
	Requirement: "OPS-5.1-08",
	Rule:        "A dangerous marker, where exposed, is a boolean.",
	Why:         "Clients test the flag as a boolean and do not interpret its text.",
	On: model.Only(model.EachDetailed, func(s model.Subject) bool {
		return s.Op.Details.Has("dangerous") && !s.Op.Details.At("dangerous").Is(probes.Null)
	}),
	Ask: model.Details,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		if mark := s.Op.Details.At("dangerous"); !mark.Is(probes.Boolean) {
			return ruling.Violates("dangerous true or false", mark)
		}
		return ruling.Conforms()
	},
	Fix: "write dangerous as a boolean",
}

// seriousWords are words of names that promise more than one object's worth of
// harm.
var seriousWords = strings.Fields("bulk force purge drop truncate reset wipe")

// serious reports whether an operation has serious consequences by its name or by
// asking for confirmation.
func serious(s model.Subject) bool {
	words := strings.Split(s.Name, "_")
	named := slices.ContainsFunc(seriousWords, func(w string) bool { return slices.Contains(words, w) })
	return named && s.Op.Category != "READ" || strings.HasPrefix(s.Name, "delete_all") || s.KnownGoodRequest().Reply.Code() == "CONFIRMATION_REQUIRED"
}

// Operations document, section 6.4.
var seriousOperationsAreMarkedDangerous = check.Check{
	Requirement: "OPS-6.4-01",
	Rule:        "Operations with serious consequences are marked dangerous.",
	Why:         "A client that sees the mark can ask a person before the call.",
	On:          model.Only(model.EachDetailed, serious),
	Ask:         check.ListingAndDetails,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		if len(dangerShown(s)) == 0 {
			return ruling.Violates("dangerous, danger or danger_level", "none")
		}
		return ruling.Conforms()
	},
	Fix: "mark the operation as dangerous in its details",
}
