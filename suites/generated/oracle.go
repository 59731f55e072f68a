package generated

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// The oracle reads what a script showed. It knows three things: what the adapter
// documents, what the update rules make of an object, and what it was shown
// before. It judges a field only after it has been seen to show what was sent.

// A Breach is a requirement that the answers to a script show broken.
type Breach struct {
	Requirement string
	Subject     string // operation, or operation and parameter
	Step        int
	Ruling      ruling.Ruling
}

// Reason tells breaches apart: two scripts that break the same requirement on the
// same subject show one defect.
func (b Breach) Reason() string {
	return strings.Join([]string{b.Requirement, b.Subject, string(b.Ruling.Verdict)}, " ")
}

// An item is an object that a script made.
type item struct {
	kind    model.TestObject
	view    probes.Value    // as it was last shown; absent before that
	shown   map[string]bool // fields that were seen to hold what was sent
	sent    map[string]bool // fields that we gave a value
	nulled  map[string]bool // fields that null has removed
	removed probes.Observation
	revived bool    // an update after the removal succeeded
	missed  bool    // a look after the removal did not find it
	doubled bool    // another one was made under the same name
	changed *change // the last write, until a look has shown its effect
}

// A change is a write whose effect the next look must show, or must not.
type change struct {
	step    int
	reply   probes.Observation
	input   probes.Value
	before  probes.Value
	refused bool
	flaw    model.Flaw
	on      int // the step that made the object it was applied to
}

type oracle struct {
	*model.Adapter
	script model.Script
	got    []probes.Observation
	items  map[int]*item
	found  []Breach
}

// Breaches judges the answers to a script. It is a pure function of them.
func Breaches(f *model.Adapter, sc model.Script, got []probes.Observation) []Breach {
	or := &oracle{Adapter: f, script: sc, got: got, items: map[int]*item{}}
	for i := range min(len(sc.Steps), len(got)) {
		if got[i].Lost() || check.RateLimited(got[i]) || check.HasConflictingEnvelopes(got[i]) {
			break // what follows was said to an adapter that did not hear this
		}
		or.read(i)
	}
	return or.found
}

func (or *oracle) breach(i int, requirement, subject string, r ruling.Ruling) {
	var evidence []probes.Observation
	for _, o := range or.got[:i+1] {
		if o.Outcome != probes.Unasked {
			evidence = append(evidence, o)
		}
	}
	slices.Reverse(evidence)
	r.Evidence = evidence
	or.found = append(or.found, Breach{requirement, subject, i, r})
}

// read judges one step and takes note of what it shows.
func (or *oracle) read(i int) {
	step, o := or.script.Steps[i], or.got[i]
	op, _ := or.Operation(step.Operation)
	why, certain := or.Flaws(o.Probe)
	for name := range step.TopLevel {
		if !strings.HasPrefix(name, "_") {
			certain = false // fields beside params have rows of their own
		}
	}
	switch {
	case len(why) > 0 && why[0].Requirement == "": // more than the documentation says, which may accept more
	case len(why) > 0 && o.Succeeded():
		or.accepted(i, op, why[0])
	case len(why) == 0 && certain && o.Refused():
		or.refused(i, op)
	}
	fl := model.Flaw{}
	if len(why) > 0 {
		fl = why[0]
	}
	switch op.Category {
	case "CREATE":
		or.made(i, op)
	case "UPDATE":
		or.updated(i, op, fl)
	case "DELETE":
		or.deleted(i, op, fl)
	case "READ":
		or.looked(i, op)
	}
}

// accepted rules on a request that was taken in spite of a flaw.
func (or *oracle) accepted(i int, op probes.Operation, why model.Flaw) {
	o := or.got[i]
	judge := ruling.Violates
	if why.MayBeCoerced || check.HasWarnings(o) {
		judge = ruling.Departs
	}
	subject := op.Name + "." + why.Path
	if strings.HasPrefix(why.Requirement, "AQL-4.6-") {
		subject = op.Name
	}
	or.breach(i, why.Requirement, subject, judge("a refusal of "+why.Description+" for "+why.Path, o))
}

// refused rules on a request that was refused though the documentation allows it.
func (or *oracle) refused(i int, op probes.Operation) {
	o := or.got[i]
	judge := func(within string, p probes.Parameter, v probes.Value) {
		s := model.Subject{Adapter: or.Adapter, Name: op.Name + "." + within + p.Name, Op: op, Par: p}
		if v.Is(probes.Absent) || v.Is(probes.Null) || !check.BlamesOnlyValue(s, o) && !blamesPlace(o, within+p.Name) {
			return
		}
		if owner := refusedRow(s, within+p.Name, v, o); owner != "" {
			or.breach(i, owner, s.Name, ruling.Violates(fmt.Sprintf("the documented value %s of %s accepted", check.BriefValue(v), within+p.Name), o))
		}
	}
	if op.Category == "UPDATE" {
		or.refusedFields(op, model.ValueIn(o.Probe, "input"), judge)
		return
	}
	if b := or.KnownGood[op.Name]; !b.Usable() || b.Reply.Code() == o.Code() {
		return
	}
	for _, p := range op.Parameters {
		v := model.ValueIn(o.Probe, p.Name)
		judge("", p, v)
		for _, inner := range or.fieldsIn(p) {
			judge(p.Name+".", inner, v.At(inner.Name))
		}
	}
}

// blamesPlace reports whether a refusal of a value names the place and no other.
func blamesPlace(o probes.Observation, place string) bool {
	return strings.HasPrefix(o.Code(), "VALIDATION_INVALID_") && o.Details().At("param_name").Text() == place
}

// refusedFields judges the fields of an update that another value of each has
// shown to work.
func (or *oracle) refusedFields(op probes.Operation, input probes.Value, judge func(string, probes.Parameter, probes.Value)) {
	for _, kind := range or.ObjectKinds {
		for _, up := range kind.Updaters {
			for _, p := range up.Fields {
				if up.Name == op.Name && up.Declared && kind.Accepted[op.Name+"."+p.Name] {
					judge("input.", p, input.At(p.Name))
				}
			}
		}
	}
}

// fieldsIn returns the documented fields of a parameter of an object type.
func (or *oracle) fieldsIn(p probes.Parameter) []probes.Parameter {
	t, known := or.Type(p.Type)
	if !known || t.Kind != "object" {
		return nil
	}
	var fields []probes.Parameter
	for _, r := range t.Details.At("fields").Items() {
		fields = append(fields, probes.Parameter{Name: r.At("name").Text(), Type: r.At("type").Text(), Required: r.At("required").True(), Raw: r})
	}
	return fields
}

// refusedRow returns the requirement that a refusal of a documented value breaks;
// "" when the refusal may speak of something that introspection cannot say.
func refusedRow(s model.Subject, place string, v probes.Value, o probes.Observation) string {
	kinds, _ := s.Kinds(s.Par.Type)
	elsewhere := check.DemandedPath(s.Par.Name, o)
	switch {
	case probes.IsReference(s.Op, s.Par), check.MeaningWords.MatchString(o.Message()), elsewhere != "" && elsewhere != place:
		return ""
	case check.WantsOtherType(kinds, s.Par.Name, o), check.WantsOtherType(kinds, place, o):
		return "INT-8.1.1-02"
	case check.HasEnum(s) && s.Par.Raw.At("enum").Is(probes.Array):
		return "INT-3.4.1-01"
	case check.HasEnum(s):
		return "INT-5.2.1-01"
	case v.Is(probes.Number) && check.HasNumericBounds(s) && check.AboutSize(o):
		return "INT-3.4.1-02"
	case v.Is(probes.String) && check.HasLengthBounds(s) && check.AboutLength(o):
		return "INT-3.4.1-03"
	case s.Par.Raw.Has("pattern") && (check.FormWords.MatchString(o.Message()) || o.Details().Has("allowed")):
		return "INT-3.4.1-04"
	case s.Par.Raw.Has("format") && check.FormWords.MatchString(o.Message()):
		return "INT-3.4.1-05"
	case v.Is(probes.Array) && s.Par.Raw.Has("items") && !o.Details().Has("allowed") && (o.Code() == "VALIDATION_INVALID_TYPE" || check.KindWords.MatchString(o.Message())):
		return "INT-3.4.1-06"
	}
	return ""
}

// made takes note of a creation, and of a second one under the same name.
func (or *oracle) made(i int, op probes.Operation) {
	step, o := or.script.Steps[i], or.got[i]
	if step.MadeBy > model.NoObject { // a rival of an earlier object
		if first := or.items[step.MadeBy]; first != nil && first.changed == nil {
			first.changed = &change{step: i, reply: o, before: first.view, on: i}
			first.doubled = o.Succeeded()
		}
	}
	obj, why := or.TestObject(op.Name)
	if why != nil || !o.Succeeded() {
		return
	}
	it := &item{kind: obj, shown: map[string]bool{}, sent: map[string]bool{}, nulled: map[string]bool{}}
	or.items[i] = it
	it.see(probes.ValueOf(o.Probe.Params()), obj.FindIn(o.Data()))
}

// see keeps a view and learns from it which fields show what was sent.
func (it *item) see(sent, view probes.Value) {
	if view.Is(probes.Absent) {
		return
	}
	for _, m := range sent.Members() {
		it.sent[m.Name] = true
		if it.nulled[m.Name] = m.Value.Is(probes.Null) && (view.At(m.Name).Is(probes.Absent) || view.At(m.Name).Is(probes.Null)); it.nulled[m.Name] {
			continue
		}
		if view.At(m.Name).Equal(m.Value) {
			it.shown[m.Name] = true
		}
	}
	it.view = view
}
