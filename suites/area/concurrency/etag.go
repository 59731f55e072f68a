package concurrency

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// nestedTag reports whether an answer has a version tag at any depth.
func nestedTag(v probes.Value) bool {
	below := slices.Clone(v.Items())
	for _, m := range v.Members() {
		below = append(below, m.Value)
	}
	return !probes.VersionTag(v).Is(probes.Absent) || slices.ContainsFunc(below, nestedTag)
}

// advertisesTags reports whether the adapter says that it has version tags.
func advertisesTags(f *model.Adapter) bool { return f.Protocol.At("supports_etag").True() }

// tagSeen reports whether an answer that every run gets carries a version tag.
func tagSeen(f *model.Adapter) bool {
	for _, b := range f.KnownGood {
		if !probes.VersionTagIn(b.Reply.Data()).Is(probes.Absent) {
			return true
		}
	}
	return false
}

// tagging reports whether version tags are offered, in words or deeds.
func tagging(f *model.Adapter) bool { return advertisesTags(f) || tagSeen(f) }

// preconditions are the parameters that make an update depend on a version.
var preconditions = strings.Fields("if_match expected_version etag _etag version")

// Section 9.3.2.
var concurrentChangesHaveVersionControl = check.Check{
	Requirement: "AQL-9.3.2-01",
	Rule:        "Adapters that allow concurrent changes implement optimistic concurrency control.",
	Why:         "Two clients that change the same thing at once undo each other's work without a word, unless one of them is told.",
	On:          model.Given(func(f *model.Adapter) bool { return len(check.EachUpdate(f)) > 0 && declared(f) != "serialized" }, model.IntrospectSubject),
	Ask:         model.Listing,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		takes := slices.ContainsFunc(check.EachUpdate(s.Adapter), func(u model.Subject) bool {
			return slices.ContainsFunc(preconditions, u.Op.HasParameter)
		})
		switch {
		case takes || tagging(s.Adapter):
			return ruling.Conforms()
		case declared(s.Adapter) == "":
			return ruling.NotProven("a declared concurrency", "none")
		case !slices.Contains(concurrencyCategories, declared(s.Adapter)):
			return ruling.NotProven("a defined category of concurrency", declared(s.Adapter)).Because("AQL-9.3.1-02")
		}
		return ruling.Violates("a version tag, if_match or supports_etag", "none, and concurrency "+declared(s.Adapter))
	},
	Fix: "hand out _etag and take if_match in updates",
}

// eachTagged is every UPDATE operation of an adapter that offers version tags.
func eachTagged(f *model.Adapter) []model.Subject {
	if !tagging(f) {
		return nil
	}
	return check.EachUpdate(f)
}

// readerOf returns the READ that shows one of what an operation changes, best one
// whose name says no more than that.
func readerOf(s model.Subject) (reader model.Subject, ok bool) {
	for _, r := range s.ProvenReads() {
		if !s.HasRole(model.ViewerRole, r.Name, s.Name) || !s.NeedsReference(r.Op) {
			continue
		}
		plain := s.IsPlainRead(r.Name)
		if !ok || plain {
			reader, ok = r, true
		}
		if plain {
			break
		}
	}
	return reader, ok
}

// showsChanged reports whether an answer holds a field that an update documents, or none is documented.
func showsChanged(s model.Subject, data probes.Value) bool {
	input, _ := check.InputOf(s.Op)
	fields := s.Fields(input)
	var holds func(v probes.Value) bool
	holds = func(v probes.Value) bool {
		return slices.ContainsFunc(fields, func(p probes.Parameter) bool { return len(model.Named(v, []string{p.Name}).At(p.Name).Raw()) > 0 }) ||
			slices.ContainsFunc(v.Members(), func(m probes.Member) bool { return holds(m.Value) }) || slices.ContainsFunc(v.Items(), holds)
	}
	return len(fields) == 0 || holds(data)
}

// Section 9.3.2.
var mutableResourcesCarryVersionTag = check.Check{
	Requirement: "AQL-9.3.2-02",
	Rule:        "Responses for mutable resources carry _etag or _version.",
	Why:         "A client that reads before it writes needs the version it has read.",
	On:          eachTagged,
	Ask: func(s model.Subject) []probes.Probe {
		if r, ok := readerOf(s); ok {
			return []probes.Probe{r.ValidCall()}
		}
		return model.Listing(s)
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		_, ok := readerOf(s)
		_, untried := tagScriptOf(s)
		switch {
		case !ok:
			return ruling.NotProven("a READ of one object that "+s.Name+" changes", "none with a request that succeeds").By(got[0])
		case !got[0].Succeeded():
			return ruling.NotProven("the object", got[0])
		case !got[0].Data().Is(probes.Object):
			return ruling.NotProven("the object", got[0].Data()).By(got[0])
		case !probes.VersionTagIn(got[0].Data()).Is(probes.Absent):
			return ruling.Conforms().By(got[0])
		case !showsChanged(s, got[0].Data()): // a list of none, where no read shows one
			return ruling.NotProven("a field that "+s.Name+" changes", "none in the answer").By(got[0])
		case nestedTag(got[0].Data()): // of the object or of another one
			return ruling.NotProven("the version tag in the object or one level above it", "a tag further down").By(got[0])
		case !tagSeen(s.Adapter) && untried == nil:
			return ruling.NotProven("a version tag in any answer", "none").By(got[0]).Because("AQL-9.3.3-02")
		}
		return ruling.Violates("_etag or _version in the answer", "neither").By(got[0])
	},
	Fix: "show _etag wherever one object that can be changed is shown",
}

// The steps of the script on version tags.
const (
	tagStart      = "version tag: start"
	currentUpdate = "version tag: update with the current tag"
	secondLook    = "version tag: second look"
	staleUpdate   = "version tag: update with the stale tag"
	otherStale    = "version tag: update of another field with the stale tag"
	freeUpdate    = "version tag: second update without a tag"
	otherUpdate   = "version tag: update of another field without a tag"
	aheadUpdate   = "version tag: update with a tag that was never given"
	idleLook      = "version tag: look after a pause"
	staleRemoval  = "version tag: removal with the stale tag"
)

// idleLooks is how many looks show whether a member goes on by itself: one that counts seconds, as
// expires_in, may stand still between two reads and go on over the update after them.
const idleLooks = 4

// A tagScript changes one object of ours with the version tags that it is shown: with
// the current one, then with one that is no longer current.
type tagScript struct {
	model.TestObject
	text probes.Parameter
}

// tagScriptOf returns the script for an UPDATE operation, or why there is none.
func tagScriptOf(s model.Subject) (tagScript, *ruling.Ruling) {
	sp, why := s.TestObject(s.Name)
	if why != nil {
		return tagScript{}, why
	}
	text, ok := sp.TextField()
	if !ok {
		r := ruling.NotProven("a field that plays the part of text", "none").Mend(sp.FieldHint("text"))
		return tagScript{}, &r
	}
	sp.Base = 0
	return tagScript{sp, text}, nil
}

// word is a text of the object: the mark of the script with an ending.
func (t tagScript) word(ending string) string { return t.ScriptMark("version tag") + ending }

// play changes the object and looks at it after each change.
func (t tagScript) play(ask model.AskFunc) {
	var told probes.Answers
	heard := ask.Into(&told)
	if !check.CreateWithFields(t.TestObject, heard, tagStart, map[string]any{t.text.Name: t.word("")}) {
		return
	}
	if t.lastTag(told).Is(probes.Absent) { // some show it after an update alone
		heard(t.Apply(tagStart+": update without a tag").With("input", map[string]any{t.text.Name: t.word("-plain")}))
	}
	first := t.lastTag(told)
	if first.Is(probes.Absent) {
		return
	}
	update := func(step, word string) probes.Observation {
		p := t.Apply(step).With("input", map[string]any{t.text.Name: word})
		if step != freeUpdate {
			p = p.With("if_match", t.asPrecondition(first))
			p.Stale = true // the first tag may be the documented example
		}
		ask(p)
		return t.ReadUntil(ask, step+": read", func(v probes.Value) bool {
			return v.At(t.text.Name).Text() == word || step == staleUpdate
		})
	}
	var sc tagScene
	sc.changed = update(currentUpdate, t.word("-current"))
	sc.again = ask(t.Read(secondLook)) // what changes between two reads is no effect of the update after them
	sc.after = update(staleUpdate, t.word("-stale"))
	for i, input := range t.otherInputs() {
		p := t.Apply(probes.Nth(otherStale, i)).With("input", input).With("if_match", t.asPrecondition(first))
		p.Stale = true
		ask(p)
	}
	for i := 0; i < idleLooks && len(sc.alsoChanged(t)) > 0; i++ {
		t.Sleep(model.SettleTime / idleLooks)
		sc.idle = append(sc.idle, ask(t.Read(probes.Nth(idleLook, i))))
	}
	freed := update(freeUpdate, t.word("-free"))
	for i, input := range t.otherInputs() {
		if ask(t.Apply(probes.Nth(otherUpdate, i)).With("input", input)).Succeeded() {
			freed = ask(t.Read(probes.Nth(otherUpdate, i) + ": read"))
		}
	}
	if tag, ok := ahead(t.lastTag([]probes.Observation{sc.changed, freed})); ok {
		p := t.Apply(aheadUpdate).With("input", map[string]any{t.text.Name: t.word("-ahead")}).With("if_match", t.asPrecondition(tag))
		p.Stale = true
		if ask(p).Succeeded() {
			ask(t.Read(aheadUpdate + ": read"))
		}
	}
	if removal, ok := t.removal(); ok {
		p := removal.Apply(staleRemoval).With("if_match", t.asPrecondition(first))
		p.Stale = true
		ask(p)
	}
}

// removal is the operation that removes the object of the script, where it documents if_match.
func (t tagScript) removal() (model.TestObject, bool) {
	for _, o := range t.Operations {
		if o.Category != "DELETE" || !o.HasParameter("if_match") {
			continue
		}
		if obj, why := t.Adapter.TestObject(o.Name); why == nil && obj.Maker.Name == t.Maker.Name {
			obj.Base = 0
			return obj, true
		}
	}
	return model.TestObject{}, false
}

// lastTag is the version tag of our object that was shown last.
func (t tagScript) lastTag(told []probes.Observation) (last probes.Value) {
	for _, o := range told {
		if tag := t.tagIn(o); !tag.Is(probes.Absent) {
			last = tag
		}
	}
	return last
}

// tagIn is the version tag that an answer shows of our object. In a listing the first
// tag may be that of anybody's, and an update may show what was before it as well.
func (t tagScript) tagIn(o probes.Observation) probes.Value {
	looked := o.Probe.Operation() == t.Read(tagStart).Operation()
	if tag := probes.VersionTag(t.ObjectIn(o)); looked && (t.Viewer.Name == "" || !tag.Is(probes.Absent)) {
		return tag
	}
	if word := model.ValueIn(o.Probe, "input").At(t.text.Name); word.Is(probes.String) {
		for _, m := range o.Data().Members() {
			if tag := probes.VersionTag(m.Value); m.Value.At(t.text.Name).Equal(word) && !tag.Is(probes.Absent) {
				return tag
			}
		}
	}
	return probes.VersionTagIn(o.Data())
}
