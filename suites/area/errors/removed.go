package errors

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// An object of ours that was removed does not exist, and its identifier is well-formed: a READ took
// it while the object was there.

const removedScript = "removed resource"

// eachRemoval is every DELETE that can be tried on an object of ours.
func eachRemoval(f *model.Adapter) []model.Subject {
	return model.Only(model.EachListed, func(s model.Subject) bool {
		if s.Op.Category != "DELETE" || slices.Contains(model.Reserved, s.Name) {
			return false
		}
		_, why := f.TestObject(s.Name)
		return why == nil
	})(f)
}

// updatesOf are the UPDATEs of the kind with a change each, by step.
func updatesOf(s model.Subject, sp model.TestObject) map[string]probes.Probe {
	changes := map[string]probes.Probe{}
	for i, o := range s.Operations {
		u, why := s.TestObject(o.Name)
		if o.Category != "UPDATE" || why != nil || u.Maker.Name != sp.Maker.Name {
			continue
		}
		field, value, ok := u.ValidChange(sp.ScriptMark(removedScript) + "-new")
		input := map[string]any{field.Name: value}
		if known := u.KnownGoodRequest(); !ok && known.Usable() {
			input, ok = known.Probe.Params()["input"].(map[string]any)
		}
		fits := func(p probes.Parameter) bool { return p.Name == "input" && s.Misfit(p, probes.ValueOf(input)) == "" }
		more := func(p probes.Parameter) bool { _, set := input[p.Name]; return p.Required && !set }
		if ok && slices.ContainsFunc(o.Parameters, fits) && !slices.ContainsFunc(u.Fields, more) { // else a refusal of the value is right
			step := probes.Nth("update", i)
			changes[step] = u.Apply(step).With("input", input)
		}
	}
	return changes
}

// The steps behind an update of what was removed: a look whether it is there again, and the same update of what never was.
const (
	lookedFor = ", looked for"
	ofNothing = ", of nothing"
)

// afterRemoval asks for the object of the script again: by the READ, by each UPDATE of its kind that could change it
// before, and by the DELETE.
func afterRemoval(s model.Subject, sp model.TestObject, updates map[string]probes.Probe, ask model.AskFunc) {
	ask(sp.Read(removedScript + ": after: read"))
	for _, step := range slices.Sorted(maps.Keys(updates)) {
		at := removedScript + ": after: " + step
		if nothing, ok := aboutNothing(s, updates[step]); ask(updates[step].Anew(at)).Succeeded() && ok {
			ask(sp.Read(at + lookedFor))
			ask(nothing.Anew(at + ofNothing))
		}
	}
	ask(sp.Apply(removedScript + ": after: removal"))
}

// aboutNothing is an update with an identifier that no object has, as a READ says.
func aboutNothing(s model.Subject, p probes.Probe) (probes.Probe, bool) {
	u, why := s.TestObject(p.Operation())
	if why != nil || len(u.IDs) == 0 {
		return p, false
	}
	for _, q := range u.Op.Parameters {
		if absent, known := s.Absent[s.AbsentKey(u.Op, q)]; known && u.IDs[q.Name] != nil {
			return p.With(q.Name, absent.Go()), true
		}
	}
	return p, false
}

// takesUpdate reports whether an update of what was removed succeeds although a READ finds nothing before and after it, and the
// same update of what never was is told that there is none. Where descriptions tell of a trash, the update has to document its refusal.
func takesUpdate(s model.Subject, got probes.Answers, o, look probes.Observation) bool {
	again, nothing := got.Step(o.Probe.Step+lookedFor), got.Step(o.Probe.Step+ofNothing)
	u, _ := s.Operation(o.Probe.Operation())
	prose := u.Details.At("description").Text() + " " + s.Op.Details.At("description").Text()
	if restorable.MatchString(prose) && !documentsAbsence(u) && !strings.Contains(prose, "NOT_FOUND") {
		return false
	}
	return o.Succeeded() && !check.AnnouncedPending(s.Adapter, o) && look.Code() == "NOT_FOUND_RESOURCE" && again.Code() == look.Code() && nothing.Code() == look.Code()
}

// restorable matches what is said of objects that are kept after their removal: an update may reach them.
var restorable = regexp.MustCompile(`(?i)trash|\bbin\b|recycl|restor|recover|undelet|archiv|soft|(delet|remov)ed (one|object|item|note)|papelera|restaur|recuper|corbeille|cestino|ripristin|papierkorb|wiederher|reaktiv|zurück|weich|lixeira|prullenbak|herstel|papperskorg|корзин|восстан|ゴミ箱|復元`)

var repeatable = regexp.MustCompile(`(?i)idempot|already|if (it |they )?exist|no.?op\b|missing|absent|not exist|no error|twice|again`)

// repeatsRemoval reports whether the DELETE says of an object that is gone what it said when it
// removed it. One that documents so, or answers nothing that tells of a removal, is repeatable.
func repeatsRemoval(s model.Subject, o, removal probes.Observation) bool {
	if o.Probe.Operation() != s.Name || !o.Succeeded() {
		return false
	}
	told := o.Data().Is(probes.Object) && len(o.Data().Members()) > 0
	return told && check.StableData(o) == check.StableData(removal) && !repeatable.MatchString(s.Op.Details.String())
}

// documentsAbsence reports whether an operation documents the error NOT_FOUND_RESOURCE.
func documentsAbsence(o probes.Operation) bool { return holdsText(o.Details, "NOT_FOUND_RESOURCE") }

// holdsText reports whether a value holds a member of this name or this text, at any depth.
func holdsText(v probes.Value, text string) bool {
	return v.Is(probes.String) && v.Text() == text ||
		slices.ContainsFunc(v.Items(), func(item probes.Value) bool { return holdsText(item, text) }) ||
		slices.ContainsFunc(v.Members(), func(m probes.Member) bool { return m.Name == text || holdsText(m.Value, text) })
}

// soleReference reports whether a parameter is the only one that names something, and no other is required: an error that
// tells of an absent resource can tell of nothing else. Whoever documents null means it.
func soleReference(o probes.Operation, p probes.Parameter) bool {
	prose := o.Details.At("description").Text() + " " + o.Details.At("returns", "description").Text()
	return !strings.Contains(prose, "null") && !slices.ContainsFunc(o.Parameters, func(q probes.Parameter) bool {
		return q.Name != p.Name && (q.Required || probes.IsReference(o, q))
	})
}

// takesAbsence reports whether the DELETE succeeds for an object that is gone, against the error that it documents. One that
// says in a flag that nothing was removed, or explains its error in its description, is repeatable.
func takesAbsence(s model.Subject, o, removal, look probes.Observation) bool {
	prose := s.Op.Details.At("description").Text()
	unsaid := slices.ContainsFunc(removal.Data().Members(), func(m probes.Member) bool { return m.Value.True() && o.Data().At(m.Name).False() })
	return o.Probe.Operation() == s.Name && o.Succeeded() && look.Code() == "NOT_FOUND_RESOURCE" && documentsAbsence(s.Op) &&
		!unsaid && !repeatable.MatchString(prose) && !strings.Contains(prose, "NOT_FOUND")
}

// Operations document, section 8.1.
var removedResourceHasTheDefinedCode = check.Check{
	Requirement: "OPS-8.1-03",
	Why:         "Each operation looks up its object by itself. A client that is told of a bad value keeps changing a value that is correct.",
	On:          eachRemoval,
	Lane:        probes.Serial,
	Handles:     check.Blocked,
	Drive: func(s model.Subject, ask model.AskFunc) {
		sp, _ := s.TestObject(s.Name)
		if !check.CreateWithFields(sp, ask, removedScript, nil) {
			return
		}
		updates := updatesOf(s, sp)
		for _, step := range slices.Sorted(maps.Keys(updates)) {
			if !ask(updates[step].Anew(removedScript + ": before: " + step)).Succeeded() {
				delete(updates, step)
			}
		}
		if ask(sp.Apply(removedScript + ": removal")).Succeeded() {
			sp.ReadUntil(ask, removedScript+": gone", func(v probes.Value) bool { return v.Is(probes.Absent) })
			afterRemoval(s, sp, updates, ask)
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		sp, _ := s.TestObject(s.Name)
		before, removal := got.Step(removedScript+": first read"), got.Step(removedScript+": removal")
		look := got.Step(removedScript + ": after: read")
		switch {
		case sp.ObjectIn(before).Is(probes.Absent) || !removal.Succeeded():
			return ruling.NotProven("an object of our own that was read and removed", got.Last()).Mend(model.TestObjectHint)
		case look.Succeeded() && !sp.ObjectIn(look).Is(probes.Absent):
			return ruling.NotApplicable("what is removed can still be read")
		}
		var rs []ruling.Ruling
		for _, o := range got.Under(removedScript + ": after") {
			switch {
			case strings.HasSuffix(o.Probe.Step, lookedFor), strings.HasSuffix(o.Probe.Step, ofNothing):
			case takesUpdate(s, got, o, look):
				rs = append(rs, ruling.Departs("error NOT_FOUND_RESOURCE, as "+o.Probe.Operation()+" answers what never was", o).By(removal, look))
			case repeatsRemoval(s, o, removal) && strings.HasPrefix(look.Code(), "NOT_FOUND_"):
				rs = append(rs, ruling.Departs("error NOT_FOUND_RESOURCE", "the same answer as to the removal before").By(o, removal, look))
			case takesAbsence(s, o, removal, look):
				rs = append(rs, ruling.Departs("error NOT_FOUND_RESOURCE, which "+s.Name+" documents", o).By(removal, look))
			case o.Succeeded(), o.Outcome == probes.Unasked:
			case !o.Refused() || o.Deferred():
				rs = append(rs, ruling.NotProven("an answer about a resource that does not exist", o))
			case o.Code() == "NOT_FOUND_RESOURCE":
				rs = append(rs, ruling.Conforms().By(o, removal))
			case o.Code() == "": // how a failure tells its code has requirements of its own
				root := "AQL-5.1-06"
				if !o.Envelope().At("error").Is(probes.Object) {
					root = "AQL-5.1-04"
				}
				rs = append(rs, ruling.NotProven("a failure with a code", o).By(removal).Because(root))
			case strings.HasPrefix(o.Code(), "NOT_FOUND_"), strings.HasPrefix(o.Code(), "CONFLICT_"):
				rs = append(rs, ruling.Departs("error NOT_FOUND_RESOURCE", o).By(removal))
			default:
				rs = append(rs, ruling.Violates("error NOT_FOUND_RESOURCE", o).By(removal, before))
			}
		}
		if len(rs) == 0 {
			return ruling.NotApplicable("absence is answered with success")
		}
		return ruling.Worst(rs...)
	},
	Fix: "answer a resource that does not exist with NOT_FOUND_RESOURCE, on every operation",
}
