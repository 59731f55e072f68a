package suites

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// verbCategory is the category that section 8.2 gives operations by their first
// word. Words that more than one category may claim are left out.
var verbCategory = map[string]string{
	"get": "READ", "list": "READ", "search": "READ", "find": "READ", "count": "READ",
	"create": "CREATE", "add": "CREATE", "upload": "CREATE", "register": "CREATE",
	"update": "UPDATE", "edit": "UPDATE", "set": "UPDATE", "rename": "UPDATE", "move": "UPDATE",
	"delete": "DELETE", "remove": "DELETE", "purge": "DELETE", "drop": "DELETE",
	"execute": "EXECUTE", "run": "EXECUTE", "start": "EXECUTE", "stop": "EXECUTE", "cancel": "EXECUTE",
}

// alsoFits are categories a verb may be found in without a word about it: to add a
// tag to a note changes the note, run_report may only read.
var alsoFits = map[string][]string{"add": {"UPDATE"}, "remove": {"UPDATE"}, "register": {"EXECUTE"}, "upload": {"UPDATE"}, "purge": {"EXECUTE"}, "set": {"CREATE"}, "run": {"READ"}, "execute": {"READ"}, "cancel": {"UPDATE", "DELETE"}, "stop": {"UPDATE"}, "start": {"CREATE", "UPDATE"}}

// Section 8.2. Name and category say the same thing to two readers: the name to
// the model, the category to whoever grants permissions.
var _ = register(Check{
	Requirement: "AQL-8.2-01",
	On: only(eachDomain, func(s Subject) bool {
		return verbCategory[Verb(s.Name)] != "" && !slices.Contains(reserved, s.Name) && canonical[s.Op.Category] != nil
	}),
	Ask: listingAndDetails,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		verb := Verb(s.Name)
		if want := verbCategory[verb]; s.Op.Category != want && !slices.Contains(alsoFits[verb], s.Op.Category) {
			return Violates("the category "+want+" for "+verb, s.Op.Category)
		}
		return Conforms()
	},
	Fix: "classify the operation by what it does, and name it accordingly",
})

// dangerWords are the danger levels of appendix D.
var dangerWords = strings.Fields("safe reversible destructive dangerous forbidden")

// dangerLevel returns the danger level a record or error shows, absent when it
// shows none.
func dangerLevel(v probes.Value) probes.Value {
	for _, level := range []probes.Value{v.At("danger_level"), v.At("danger", "level"), v.At("danger")} {
		if !level.Is(probes.Absent) {
			return level
		}
	}
	return probes.Value{}
}

// shownDanger returns the danger level introspection shows for an operation.
func shownDanger(s Subject) probes.Value {
	if level := dangerLevel(s.Op.Details); !level.Is(probes.Absent) {
		return level
	}
	return dangerLevel(s.Op.Summary)
}

// exposesLevel reports whether a member called danger tells a level; it may be a
// mere mark, or an object with other things to say.
func exposesLevel(level probes.Value) bool {
	if level.Is(probes.Object) {
		return !dangerLevel(level).Is(probes.Absent) || level.Has("level")
	}
	return !level.Is(probes.Absent) && !level.Is(probes.Null) && !level.Is(probes.Boolean)
}

func judgeDanger(level probes.Value) Ruling {
	word := level
	if level.Is(probes.Object) {
		word = dangerLevel(level)
		if word.Is(probes.Absent) {
			word = level.At("level")
		}
	}
	if !slices.Contains(dangerWords, word.Text()) {
		return Violates("one of "+strings.Join(dangerWords, ", "), level)
	}
	return Conforms()
}

// Appendix D. A word of one's own tells nothing to a client that decides by it; the
// words count in errors as in introspection.
var _ = register(Check{
	Requirement: "AQL-D-04",
	Watch: func(f *Face, o probes.Observation) Ruling {
		levels := []probes.Value{dangerLevel(o.Details())}
		for _, record := range append(o.Data().At("operations").Items(), o.Data().At("operation")) {
			if o.Probe.Operation() == "introspect" {
				levels = append(levels, dangerLevel(record))
			}
		}
		var rs []Ruling
		for _, level := range levels {
			if exposesLevel(level) {
				rs = append(rs, judgeDanger(level))
			}
		}
		if len(rs) == 0 {
			return NotApplicable("")
		}
		return Worst(rs...)
	},
	Fix: "use safe, reversible, destructive, dangerous or forbidden",
})

// announces reports whether _protocol.capabilities says that a feature is there.
func announces(f *Face, capability string) bool {
	return f.Protocol.At("capabilities", capability).True()
}

// marksDanger reports whether introspection marks the operation as dangerous in
// any of the ways adapters do.
func marksDanger(s Subject) bool {
	return !shownDanger(s).Is(probes.Absent) || s.Op.Details.Has("dangerous") || s.Op.Summary.Has("dangerous") ||
		strings.Contains(strings.ToLower(description(s)), "danger")
}

// Introspection document, section 4.1.1. A capability is announced so that a client
// can rely on it.
var _ = register(Check{
	Requirement: "INT-4.1.1-19",
	On:          given(func(f *Face) bool { return announces(f, "dangerous_operations") }, wholeAdapter),
	Ask: func(s Subject) []probes.Probe {
		ps := listing(s)
		for _, o := range s.Operations {
			ps = append(ps, s.Lookup("operations", o.Name))
		}
		return ps
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		classified := slices.ContainsFunc(s.Types, func(t probes.Type) bool { return strings.Contains(strings.ToLower(t.Name), "danger") })
		for _, t := range eachListed(s.Face) {
			classified = classified || marksDanger(t) || !dangerLevel(s.Baselines[t.Name].Reply.Details()).Is(probes.Absent)
			if level := shownDanger(t); t.Op.Category == "DELETE" && (level.Text() == "safe" || level.At("level").Text() == "safe") {
				return Violates("another danger level than safe for "+t.Name, level).By(got[0])
			}
		}
		untold := slices.IndexFunc(s.Operations, func(o probes.Operation) bool { return !o.Details.Is(probes.Object) })
		if !classified && untold >= 0 {
			return NotProven("the details of each operation", "none of "+s.Operations[untold].Name).Because("AQL-7.3-02")
		}
		if !classified {
			return Violates("an operation whose danger is classified", "none").By(got[0])
		}
		return Conforms()
	},
	Fix: "show danger levels in introspection, or take dangerous_operations out of capabilities",
})

// Operations document, section 5.1. A client tests the mark and does not read it.
var _ = register(Check{
	Requirement: "OPS-5.1-08",
	On: only(eachDetailed, func(s Subject) bool {
		return s.Op.Details.Has("dangerous") && !s.Op.Details.At("dangerous").Is(probes.Null)
	}),
	Ask: details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		if mark := s.Op.Details.At("dangerous"); !mark.Is(probes.Boolean) {
			return Violates("dangerous true or false", mark)
		}
		return Conforms()
	},
	Fix: "write dangerous as a boolean",
})

// seriousWords are words of names that promise more than one object's worth of
// harm.
var seriousWords = strings.Fields("bulk force purge drop truncate reset wipe")

// serious reports whether an operation has serious consequences by its name or by
// asking for confirmation.
func serious(s Subject) bool {
	words := strings.Split(s.Name, "_")
	named := slices.ContainsFunc(seriousWords, func(w string) bool { return slices.Contains(words, w) })
	return named && s.Op.Category != "READ" || strings.HasPrefix(s.Name, "delete_all") || s.Baseline().Reply.Code() == "CONFIRMATION_REQUIRED"
}

// Operations document, section 6.4. Who sees the mark can ask a person first.
var _ = register(Check{
	Requirement: "OPS-6.4-01",
	On:          only(eachDetailed, serious),
	Ask:         listingAndDetails,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		if shownDanger(s).Is(probes.Absent) && !s.Op.Details.Has("dangerous") && !s.Op.Summary.Has("dangerous") {
			return Violates("dangerous, danger or danger_level", "none")
		}
		return Conforms()
	},
	Fix: "mark the operation as dangerous in its details",
})
