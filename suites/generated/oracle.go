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

// The oracle judges the answers to a script from the documentation, the update rules and earlier
// answers. It judges a field only after the adapter has returned it as it was sent.

// A Breach is a violation of a requirement in the answers to a script.
type Breach struct {
	Requirement string
	Subject     string // operation, or operation and parameter
	Step        int
	Ruling      ruling.Ruling
}

// Reason identifies a breach: the same requirement and subject in two scripts count as one defect.
func (b Breach) Reason() string {
	return strings.Join([]string{b.Requirement, b.Subject, string(b.Ruling.Verdict)}, " ")
}

// An item is an object that a script created.
type item struct {
	object        model.TestObject
	view          probes.Value    // last observed state; absent before the first
	verified      map[string]bool // fields that were returned as sent
	read          bool            // a READ has shown it: the answer to a dry run shows what is not there
	rehearsed     bool            // its creation was a dry run: another object may get the identifier that the answer told
	flagged       bool            // its creation set a flag that is no field of it: that of a dry run, by whatever name
	sent          map[string]bool // fields that were set
	rows          map[string]bool // fields that a listing has shown of it
	removedByNull map[string]bool // fields that were removed by null
	removed       probes.Observation
	revived       bool    // an update after the removal succeeded
	notFound      bool    // a read after the removal did not find it
	duplicated    bool    // another object was created with the same name
	pending       *change // last write, until a read has shown its effect
}

// A change is a write that the next read must show, or must not show.
type change struct {
	step    int
	reply   probes.Observation
	input   probes.Value
	before  probes.Value
	refused bool
	flaw    model.Flaw
	target  int // step that created the written object
}

type oracle struct {
	*model.Adapter
	script model.Script
	got    []probes.Observation
	items  map[int]*item
	found  []Breach
}

// Breaches judges the answers to a script. It is a pure function of them.
func Breaches(f *model.Adapter, sc model.Script, got probes.Answers) []Breach {
	or := &oracle{Adapter: f, script: sc, got: got, items: map[int]*item{}}
	for i := range min(len(sc.Steps), len(got)) {
		if got[i].Lost() || check.RateLimited(got[i]) || check.HasConflictingEnvelopes(got[i]) {
			break // the adapter did not process this call, so later answers prove nothing
		}
		or.judgeStep(i)
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

// judgeStep judges one step and records its effect.
func (or *oracle) judgeStep(i int) {
	step, o := or.script.Steps[i], or.got[i]
	op, _ := or.Operation(step.Operation)
	why, certain := or.Flaws(o.Probe)
	for name := range step.TopLevel {
		if !strings.HasPrefix(name, "_") {
			certain = false // other checks cover fields next to params
		}
	}
	switch {
	case len(why) > 0 && why[0].Requirement == "": // accepting more than is documented is no violation
	case len(why) > 0 && o.Succeeded():
		or.judgeAccepted(i, op, why[0])
	case len(why) == 0 && certain && o.Refused():
		or.judgeRefused(i, op)
	}
	fl := model.Flaw{}
	if len(why) > 0 {
		fl = why[0]
	}
	switch op.Category {
	case "CREATE":
		or.recordCreation(i, op)
	case "UPDATE":
		or.recordUpdate(i, op, fl)
	case "DELETE":
		or.recordDeletion(i, op, fl)
	case "READ":
		or.judgeRead(i, op)
	}
}

// judgeAccepted rules on an accepted request with a flaw.
func (or *oracle) judgeAccepted(i int, op probes.Operation, why model.Flaw) {
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

// judgeRefused rules on a rejected request that the documentation allows.
func (or *oracle) judgeRefused(i int, op probes.Operation) {
	o := or.got[i]
	judge := func(within string, p probes.Parameter, v probes.Value, beside []probes.Parameter) {
		s := model.Subject{Adapter: or.Adapter, Name: op.Name + "." + within + p.Name, Op: op, Par: p}
		only := check.BlamesOnlyValue(s, o) || within != "" && blamesPath(o, within+p.Name)
		if v.Is(probes.Absent) || v.Is(probes.Null) || !only || or.bound(p, beside, o) {
			return
		}
		if owner := refusedValueRequirement(s, within+p.Name, v, o); owner != "" {
			or.breach(i, owner, s.Name, ruling.Violates(fmt.Sprintf("the documented value %s of %s accepted", check.BriefValue(v), within+p.Name), o))
		}
	}
	if op.Category == "UPDATE" {
		or.judgeRefusedFields(op, model.ValueIn(o.Probe, "input"), judge)
		return
	}
	if b := or.KnownGood[op.Name]; !b.Usable() || b.Reply.Code() == o.Code() {
		return
	}
	for _, p := range op.Parameters {
		v := model.ValueIn(o.Probe, p.Name)
		judge("", p, v, nil)
		fields := or.fieldsIn(p)
		for _, inner := range fields {
			judge(p.Name+".", inner, v.At(inner.Name), fields)
		}
	}
}

// bound reports whether a refusal names a field beside this one, or a value that such a field lists: a rule may bind the two.
func (or *oracle) bound(p probes.Parameter, beside []probes.Parameter, o probes.Observation) bool {
	told := func(word string) bool { return check.WholeWord(word).MatchString(o.Message()) }
	listed := or.EnumOf(p)
	return slices.ContainsFunc(beside, func(q probes.Parameter) bool {
		return q.Name != p.Name && (len(q.Name) > 2 && told(q.Name) || slices.ContainsFunc(or.EnumOf(q), func(v probes.Value) bool {
			return v.Text() != "" && !check.Contains(listed, v) && told(v.Text())
		}))
	})
}

// blamesPath reports whether a validation error names exactly this path.
func blamesPath(o probes.Observation, path string) bool {
	return strings.HasPrefix(o.Code(), "VALIDATION_INVALID_") && o.Details().At("param_name").Text() == path
}

// judgeRefusedFields judges the fields of an update for which another value was accepted, beside those that the object has already.
func (or *oracle) judgeRefusedFields(op probes.Operation, input probes.Value, judge func(string, probes.Parameter, probes.Value, []probes.Parameter)) {
	fields := or.fieldsOfInput(op)
	for _, p := range fields {
		if slices.ContainsFunc(or.ObjectKinds, func(k *model.ObjectKind) bool { return k.Accepted[op.Name+"."+p.Name] }) {
			judge("input.", p, input.At(p.Name), fields)
		}
	}
}

// fieldsOfInput are the declared fields of what an update changes.
func (or *oracle) fieldsOfInput(op probes.Operation) (all []probes.Parameter) {
	for _, kind := range or.ObjectKinds {
		for _, up := range kind.Updaters {
			if up.Name == op.Name && up.Declared {
				all = append(all, up.Fields...)
			}
		}
	}
	return all
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

// refusedValueRequirement returns the requirement that forbids rejecting a documented value; "" if
// the error may have a reason that introspection cannot state.
func refusedValueRequirement(s model.Subject, path string, v probes.Value, o probes.Observation) string {
	kinds, _ := s.Kinds(s.Par.Type)
	demanded := check.DemandedPath(s.Op, s.Par.Name, o)
	switch {
	case probes.IsReference(s.Op, s.Par), check.MeaningWords.MatchString(o.Message()), v.Is(probes.Array) && check.UntoldElements(s), demanded != "" && demanded != path:
		return ""
	case check.WantsOtherType(kinds, s.Par.Name, o), check.WantsOtherType(kinds, path, o):
		return "INT-8.1.1-02"
	case check.HasEnum(s) && (sentBeside(s, o) || check.NamesAnother(s, o) != ""):
		return ""
	case check.HasEnum(s) && s.Par.Raw.At("enum").Is(probes.Array):
		return "INT-3.4.1-01"
	case check.HasEnum(s):
		return "INT-5.2.1-01"
	case check.Compared(s.Op, s.Par, o.Probe) && path == s.Par.Name:
		return ""
	case v.Is(probes.Number) && check.HasNumericBounds(s) && check.AboutSize(o) && !check.BoundByOthers(s, v, o):
		return "INT-3.4.1-02"
	case v.Is(probes.String) && check.HasLengthBounds(s) && check.AboutLength(o):
		return "INT-3.4.1-03"
	case s.Par.Raw.Has("pattern") && (check.FormWords.MatchString(o.Message()) || o.Details().Has("allowed")) && !describes(s.Par, o.Details().At("allowed").Items()):
		return "INT-3.4.1-04"
	case s.Par.Raw.Has("format") && check.FormWords.MatchString(o.Message()):
		return "INT-3.4.1-05"
	case v.Is(probes.Array) && s.Par.Raw.Has("items") && !o.Details().Has("allowed") && check.BlamesType(o):
		return "INT-3.4.1-06"
	}
	return ""
}

// sentBeside reports whether another parameter with listed values was sent: the combination may be
// what is refused, and introspection cannot state combinations.
func sentBeside(s model.Subject, o probes.Observation) bool {
	return slices.ContainsFunc(s.Op.Parameters, func(p probes.Parameter) bool {
		return p.Name != s.Par.Name && !model.ValueIn(o.Probe, p.Name).Is(probes.Absent) && len(s.EnumOf(p)) > 0
	})
}

// recordCreation records a created object, or a second one with the same name.
func (or *oracle) recordCreation(i int, op probes.Operation) {
	step, o := or.script.Steps[i], or.got[i]
	if step.MadeBy > model.NoObject { // same name as an earlier object
		if first := or.items[step.MadeBy]; first != nil && first.pending == nil {
			first.pending = &change{step: i, reply: o, before: first.view, target: i}
			first.duplicated = o.Succeeded()
		}
	}
	obj, why := or.TestObject(op.Name)
	if why != nil || !o.Succeeded() {
		return
	}
	it := &item{object: obj, verified: map[string]bool{}, sent: map[string]bool{}, rows: map[string]bool{}, removedByNull: map[string]bool{}}
	or.items[i] = it
	sent := probes.ValueOf(o.Probe.Params())
	it.observe(sent, obj.FindIn(o.Data()))
	it.rehearsed = rehearses(o.Probe)
	it.flagged = slices.ContainsFunc(sent.Members(), func(m probes.Member) bool {
		field := obj.Declared && slices.ContainsFunc(obj.Fields, func(p probes.Parameter) bool { return p.Name == m.Name })
		return m.Value.True() && !field && !it.view.Has(m.Name)
	})
}

// observe stores the observed object and records which fields are returned as sent.
func (it *item) observe(sent, view probes.Value) {
	if view.Is(probes.Absent) {
		return
	}
	for _, m := range sent.Members() {
		it.sent[m.Name] = true
		if it.removedByNull[m.Name] = m.Value.Is(probes.Null) && (view.At(m.Name).Is(probes.Absent) || view.At(m.Name).Is(probes.Null)); it.removedByNull[m.Name] {
			continue
		}
		if view.At(m.Name).Equal(m.Value) {
			it.verified[m.Name] = true
		}
	}
	it.view = view
}
