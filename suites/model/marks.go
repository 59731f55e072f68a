package model

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/gate"
)

// The mark of the run stands at the beginning of a text. Where each text of a creation has a pattern that does
// not allow it, the mark stands inside of one.

// around is what stands before and behind the mark in the text of a pattern.
type around struct {
	before, behind string
	ok             bool
}

// marked puts the mark into a valid creation that does not have it, if need be inside of a text of a pattern:
// of a parameter that is given, or else of an optional one. In a script it could mend what is wrong on purpose.
func (f *Adapter) marked(o probes.Operation, params map[string]any, mark string) map[string]any {
	params = f.addMark(o, params, mark)
	if o.Category != "CREATE" || strings.Contains(string(probes.ValueOf(params).Raw()), f.Gen.Marker("")) || slices.Contains(Reserved, o.Name) {
		return params
	}
	for _, given := range []bool{true, false} {
		for _, p := range o.Parameters {
			_, set := params[p.Name]
			if set != given || f.fixed(o, p) {
				continue
			}
			in := f.Remember("around the mark "+o.Name+" "+p.Name, func() any {
				before, behind, ok := f.Gen.Around(p)
				return around{before, behind, ok}
			}).(around)
			if in.ok {
				params = maps.Clone(params)
				params[p.Name] = in.before + mark + in.behind
				return params
			}
		}
	}
	params = f.listMark(o, f.bodyMark(o, params, mark), mark)
	if !f.needsMark[o.Name] || strings.Contains(string(probes.ValueOf(params).Raw()), f.Gen.Marker("")) {
		return params
	}
	return f.lettered(o, params)
}

// lettered puts the letters of the run into a text that is given and has no room for the mark. An optional text could reach somebody.
func (f *Adapter) lettered(o probes.Operation, params map[string]any) map[string]any {
	for _, p := range o.Parameters {
		if _, given := params[p.Name]; given {
			if v, made := f.letters(o, p); made {
				params = maps.Clone(params)
				params[p.Name] = v.Go()
				return params
			}
		}
	}
	return params
}

// letters is the text of a parameter with the letters of the run, in the case of the examples where they fit so. It is no address, nor
// the name of a place.
func (f *Adapter) letters(o probes.Operation, p probes.Parameter) (v probes.Value, ok bool) {
	if f.fixed(o, p) || p.Raw.Has("format") {
		return v, false
	}
	if v, ok = f.Gen.Lettered(p); !ok || strings.ContainsAny(v.Text(), "@:/\\") {
		return v, false
	}
	if same := probes.ValueOf(f.letterCase(p.Name)(v.Text())); f.Misfit(p, same) == "" {
		return same, true
	}
	return v, true
}

// fixed reports whether the value of a parameter of a creation says more than a text of ours would.
func (f *Adapter) fixed(o probes.Operation, p probes.Parameter) bool {
	return f.parents[o.Name+"."+p.Name] || f.ClientChosen(o, p) || probes.IsReference(o, p) || len(f.EnumOf(p)) > 0 || len(f.Samples(o.Name, p.Name)) > 0
}

// addMark puts the mark into an optional free-text parameter of a CREATE if no other parameter has
// it, so that the object can be recognized as one of the run.
func (f *Adapter) addMark(o probes.Operation, params map[string]any, mark string) map[string]any {
	if o.Category != "CREATE" || strings.Contains(string(probes.ValueOf(params).Raw()), f.Gen.Marker("")) || slices.Contains(Reserved, o.Name) {
		return params
	}
	for _, p := range o.Parameters {
		kinds, ok := f.Kinds(p.Type)
		free := ok && slices.Equal(kinds, []string{"string"}) && len(f.EnumOf(p)) == 0 && !p.Raw.Has("pattern") && !p.Raw.Has("format")
		if _, given := params[p.Name]; !given && free && !p.Required && !f.parents[o.Name+"."+p.Name] && !probes.IsReference(o, p) && f.Misfit(p, probes.ValueOf(mark)) == "" {
			params = maps.Clone(params)
			params[p.Name] = mark
			return params
		}
	}
	return params
}

// listMark puts the mark into an optional list of texts, where no text of a creation takes it.
func (f *Adapter) listMark(o probes.Operation, params map[string]any, mark string) map[string]any {
	for _, p := range o.Parameters {
		list := []any{mark}
		if _, given := params[p.Name]; !given && listsTexts(p) && !probes.IsReference(o, p) && f.Misfit(p, probes.ValueOf(list)) == "" {
			params = maps.Clone(params)
			params[p.Name] = list
			return params
		}
	}
	if f.needsMark[o.Name] {
		return f.mapMark(o, params, mark)
	}
	return params
}

// bodyMark puts the mark into a required object of a creation without documented fields, in the place of a text that the objects
// in a listing of the kind have. The adapter refuses it where the creation takes no such text.
func (f *Adapter) bodyMark(o probes.Operation, params map[string]any, mark string) map[string]any {
	for _, p := range o.Parameters {
		v := probes.ValueOf(params[p.Name])
		_, declared := f.FieldsOf(p, probes.Operation{})
		if !p.Required || p.Type != "object" || declared || !v.Is(probes.Object) || len(v.Members()) > 0 {
			continue
		}
		if names := f.listedTexts(o); len(names) > 0 {
			params = maps.Clone(params)
			params[p.Name] = map[string]any{names[0]: mark}
			return params
		}
	}
	return params
}

// wantsMark reports whether a creation may be sent with a text of the run alone, and a map or a short text can carry it, and has that carry
// the text from then on. What lies in an object of the run needs none.
func (f *Adapter) wantsMark(o probes.Operation, why string) bool {
	carries := func(p probes.Parameter) bool {
		_, short := f.letters(o, p)
		return takesEntry(p, f.Gen.Marker("")) || p.Required && short
	}
	if f.needsMark[o.Name] || !strings.Contains(why, gate.Unmarked) || !slices.ContainsFunc(o.Parameters, carries) {
		return false
	}
	f.needsMark[o.Name] = true
	return true
}

// markEntry is the name under which a map holds the mark. It says to which object the mark belongs: the one around the map.
const markEntry = "aqlx"

// keepEntry adds to the map that a script gives a creation the entry by which the object is known.
func keepEntry(given, v any) any {
	entry := probes.ValueOf(given).At(markEntry)
	object, ok := v.(map[string]any)
	if !ok || !entry.Is(probes.String) {
		return v
	}
	object = maps.Clone(object)
	object[markEntry] = entry.Text()
	return object
}

// keepNeeded adds to the object that a script gives a creation the members that its documented type demands, as the known-good
// request has them. Without them the creation would be refused.
func (f *Adapter) keepNeeded(p probes.Parameter, given, v any) any {
	good := probes.ValueOf(given)
	object, ok := v.(map[string]any)
	if !good.Is(probes.Object) || !ok {
		return v
	}
	object = maps.Clone(object)
	for _, m := range f.Fields(p) {
		if _, has := object[m.Name]; m.Required && !has && good.Has(m.Name) {
			object[m.Name] = good.At(m.Name).Go()
		}
	}
	return object
}

// mapMark puts the mark into an optional map of texts, such as labels, where no text and no list of a creation takes it.
func (f *Adapter) mapMark(o probes.Operation, params map[string]any, mark string) map[string]any {
	for _, p := range o.Parameters {
		entry := map[string]any{markEntry: mark}
		if _, given := params[p.Name]; !given && takesEntry(p, mark) && f.Misfit(p, probes.ValueOf(entry)) == "" {
			params = maps.Clone(params)
			params[p.Name] = entry
			return params
		}
	}
	return params
}

// Marked returns the text of what the operation makes with a mark: the mark itself, if a text begins with it.
func (s Subject) Marked(mark string) string {
	in := around{}
	for _, text := range probes.ValueOf(s.ValidCall().Params()).Scalars() {
		before, behind, ok := strings.Cut(text, s.Gen.Marker(""))
		if ok && before == "" {
			return mark
		}
		if ok && !in.ok {
			in = around{before, behind, true}
		}
	}
	return in.before + mark + in.behind
}

// ShownMark is the text that tells the test object of a script.
func (obj TestObject) ShownMark(step string) string {
	return obj.Maker.Marked(obj.ScriptMark(step))
}

// OfRun reports whether there is an object of the run at or below a value.
func (f *Adapter) OfRun(v probes.Value) bool {
	if len(ObjectsWith(v, f.Gen.Marker(""))) > 0 {
		return true
	}
	return slices.ContainsFunc(f.Operations, func(o probes.Operation) bool {
		s := Subject{Adapter: f, Name: o.Name, Op: o}
		if o.Category != "CREATE" || !s.KnownGoodRequest().Usable() {
			return false
		}
		before, _, _ := strings.Cut(s.Marked("\x00"), "\x00")
		return before != "" && len(ObjectsWith(v, before+f.Gen.Marker(""))) > 0
	})
}

// findDistinct finds the CREATE operations without a text for the mark of the run that make another object each time. The
// identifiers in two answers differ then, and a READ shows each object by its own.
func (f *Adapter) findDistinct(ctx context.Context, ask probes.Asker) {
	for i, s := range f.Makers() {
		viewer, ids := s.findViewer()
		if !s.unmarked() || viewer.Name == "" {
			continue
		}
		step := probes.Nth("objects without a text of the run: operation", i)
		send := func(p probes.Probe) probes.Observation { return ask.Ask(ctx, p) }
		second := f.apart(send(s.FreshCall(step).Anew(step)), send)
		for _, path := range ids {
			one, other := s.KnownGoodRequest().Reply.Told(path...), second.Told(path...)
			f.distinct[s.Name] = f.distinct[s.Name] || second.Succeeded() && !one.Is(probes.Absent) && !other.Is(probes.Absent) && !one.Equal(other)
		}
	}
}

// numbersApart is how far the numbers of two operations on one kind are from each other. So many operations have numbers of their own: the number
// of a script has room for no more.
const numbersApart, mostApart = 10_000_000, 21

// Apart gives a request of a script another number for each operation of one category on one kind of object. Two updates share no request: what
// is seen after the change of one says nothing of the other.
func (s Subject) Apart(p probes.Probe) probes.Probe {
	if p.Number <= 0 || s.Op.Category == "READ" || s.Op.Category == "CREATE" {
		return p
	}
	if obj, why := s.TestObject(s.Op.Name); why == nil {
		return p.Numbered(p.Number + obj.apart())
	}
	return p
}

// apart is how far the numbers of the operation are from those of the first one of its category on the kind.
func (obj TestObject) apart() int {
	return numbersApart * obj.Remember("script numbers of "+obj.Op.Name, func() any {
		before := 0
		for _, o := range obj.Operations {
			if o.Name == obj.Op.Name {
				break
			}
			if o.Category == obj.Op.Category && o.Category != "CREATE" && obj.HasRole(MakerRole, obj.Maker.Name, o.Name) && !slices.Contains(Reserved, o.Name) {
				before++
			}
		}
		return min(before, mostApart-1)
	}).(int)
}

func (f *Adapter) numberMark(number int) string {
	return f.Gen.Marker(fmt.Sprintf("-%d", number))
}
