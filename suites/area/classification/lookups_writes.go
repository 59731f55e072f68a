package classification

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A store may take an identifier in other letter case or with blanks around it, as long as it does
// so everywhere. What its READ calls absent it must not change: the one who asked relies on it that
// nothing is there.

const (
	mistaken  = "identifier of nothing"
	ownLength = 20 // letters from which a shortened key can be that of no other object
)

// keyOf is the one text that identifies an object of our own, with its parameter in the operation
// and in the READ.
func keyOf(sp model.TestObject, made probes.Observation) (key, name, viewed string, ok bool) {
	if len(sp.IDs) != 1 || len(sp.ViewerIDs) != 1 {
		return "", "", "", false
	}
	name, viewed = slices.Collect(maps.Keys(sp.IDs))[0], slices.Collect(maps.Keys(sp.ViewerIDs))[0]
	v := made.Told(sp.IDs[name]...)
	return v.Text(), name, viewed, v.Is(probes.String) && v.Text() != ""
}

// mistakes are texts that can stand for no object but ours.
func mistakes(sp model.TestObject, key string) []string {
	all := []string{strings.ToUpper(key), strings.ToLower(key), " " + key}
	if strings.Contains(key, sp.Nonce) || len(key) >= ownLength {
		all = append(all, strings.ToValidUTF8(key[:len(key)-1], ""))
	}
	return slices.DeleteFunc(all, func(text string) bool { return text == key })
}

// mistakenScript sends a change or removal under each text that a READ calls absent, and looks at
// our object after each.
func mistakenScript(s model.Subject, ask model.AskFunc) {
	sp, _ := s.TestObject(s.Name)
	script := stepOf(mistaken, s) // no two operations share an object
	creation, _ := sp.Create(script+": created", nil)
	made := ask(creation)
	key, name, viewed, ok := keyOf(sp, made)
	if !made.Succeeded() || !ok || !ask(sp.Read(script+": first read")).Succeeded() {
		return
	}
	for i, text := range mistakes(sp, key) {
		if !nowhere(ask(sp.Read(script+": first read").With(viewed, text).Anew(probes.Nth(script+": read", i)))) {
			continue
		}
		call := sp.Apply(script+": change").With(name, text)
		if s.Op.Category == "UPDATE" {
			field, value := mutation(sp)
			call = call.With("input", map[string]any{field: value})
		}
		ask(call.Anew(probes.Nth(script+": change", i)))
		ask(sp.Read(probes.Nth(script+": read after the change", i)))
	}
}

// nowhere reports whether a READ says that there is nothing.
func nowhere(o probes.Observation) bool {
	return strings.HasPrefix(o.Code(), "NOT_FOUND") && o.Code() != "NOT_FOUND_OPERATION" || o.Succeeded() && o.Data().Is(probes.Null)
}

// reached reports whether a look shows that our object was changed or removed.
func reached(s model.Subject, sp model.TestObject, before, after probes.Observation) bool {
	if s.Op.Category == "DELETE" {
		return nowhere(after)
	}
	field, value := mutation(sp)
	return sp.ObjectIn(after).At(field).Text() == value && sp.ObjectIn(before).At(field).Text() != value
}

func sparesWhatIsAbsent(requirement, category string) check.Check {
	const want = "no effect on an object under an identifier that a READ calls absent"
	return check.Check{
		Requirement: requirement,
		Why:         "A client that was told that nothing is there does not expect that something is changed or removed.",
		On: model.Only(eachOf(category), func(s model.Subject) bool {
			sp, why := s.TestObject(s.Name)
			field, _ := mutation(sp)
			return why == nil && sp.Viewer.Name != "" && (category == "DELETE" || field != "")
		}),
		Lane:  probes.Serial,
		Drive: mistakenScript,
		Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
			sp, _ := s.TestObject(s.Name)
			script := stepOf(mistaken, s)
			made := got.Step(script + ": created")
			if !made.Succeeded() {
				return ruling.NotProven("an object of our own shown by a READ", made).Mend(model.TestObjectHint)
			}
			if _, _, _, ok := keyOf(sp, made); !ok {
				return ruling.NotApplicable("no object of our own that one text identifies")
			}
			before, shown := got.Find(script + ": first read")
			if !shown || !before.Succeeded() {
				return ruling.NotProven("an object of our own shown by a READ", got.Last()).Mend(model.TestObjectHint)
			}
			r := ruling.NotApplicable("the READ calls none of the texts absent")
			for i, o := range got.Under(script + ": change") {
				after := got.Under(script + ": read after the change")[i]
				if o.Succeeded() && !check.AnnouncedPending(s.Adapter, o) && reached(s, sp, before, after) {
					return ruling.Violates(want, fmt.Sprintf("%q accepted for %q", o.Probe.Params()[keyName(sp)], sp.ObjectIn(before).At(keyName(sp)).Text())).By(after, o, before)
				}
				if !nowhere(o) && r.Verdict != reports.Pass {
					r = ruling.NotProven("an answer that nothing is there", o).By(before)
					continue
				}
				r = ruling.Conforms().By(after, o)
			}
			return r
		},
		Fix: "find the object in the same way for every operation, and answer NOT_FOUND_RESOURCE where there is none",
	}
}

func keyName(sp model.TestObject) string {
	for name := range sp.IDs {
		return name
	}
	return ""
}

// Section 8.1.
var (
	updateSparesWhatIsAbsent  = sparesWhatIsAbsent("AQL-8.1-04", "UPDATE")
	removalSparesWhatIsAbsent = sparesWhatIsAbsent("AQL-8.1-06", "DELETE")
)
