package model

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
	"github.com/aql-conform/aql-conform/suites/gate"
)

// A creation may take all that an object holds in one parameter, such as input: the body.

// body returns the parameter of a CREATE that holds the fields of the new object, with these fields.
// ok is false where the fields are parameters, or where several parameters could be the body.
func (f *Adapter) body(o probes.Operation) (body probes.Parameter, fields []probes.Parameter, ok bool) {
	if o.Category != "CREATE" {
		return body, nil, false
	}
	for _, p := range o.Parameters {
		inner, declared := f.FieldsOf(p, probes.Operation{})
		if !declared {
			inner = f.takenTexts(o, p)
		}
		if !p.Required || len(inner) == 0 || f.fieldOfUpdate(o, p) {
			continue
		}
		if ok {
			return probes.Parameter{}, nil, false
		}
		body, fields, ok = p, inner, true
	}
	return body, fields, ok
}

// takenTexts are the fields of an object without documented fields that took a text of the run in requests of a creation that
// succeeded.
func (f *Adapter) takenTexts(o probes.Operation, p probes.Parameter) (fields []probes.Parameter) {
	good := f.KnownGood[o.Name]
	if p.Type != "object" || good.State != Proven {
		return nil
	}
	text := func(name string, required bool) {
		fields = append(fields, probes.Parameter{Name: name, Type: "string", Required: required, Raw: probes.ValueOf(map[string]any{"name": name, "type": "string", "required": required})})
	}
	for _, m := range ValueIn(good.Probe, p.Name).Members() {
		if m.Value.Text() == f.Gen.Marker("") {
			text(m.Name, true)
		}
	}
	for _, name := range f.bodyTexts[o.Name] {
		text(name, false)
	}
	return fields
}

// mostBodyTexts bounds the texts that are tried in a body without documented fields.
const mostBodyTexts = 3

// findBodyTexts tries the texts of listed objects in the creations that have a body without documented fields. One that is
// taken and shown is an optional field.
func (f *Adapter) findBodyTexts(ctx context.Context, ask probes.Asker) {
	for i, s := range f.Makers() {
		body, fields, _ := f.body(s.Op)
		if _, declared := f.FieldsOf(body, probes.Operation{}); s.Ruling != nil || len(fields) == 0 || declared {
			continue
		}
		names := slices.DeleteFunc(f.listedTexts(s.Op), func(name string) bool {
			return slices.ContainsFunc(fields, func(p probes.Parameter) bool { return p.Name == name })
		})
		for j, name := range names[:min(len(names), mostBodyTexts)] {
			step := probes.Nth(probes.Nth("texts of a body: operation", i)+": text", j)
			p, text := s.FreshCall(step), s.Gen.Marker(fmt.Sprintf("-text-%d", j))
			object, _ := Native(ValueIn(p, body.Name)).(map[string]any)
			object[name] = text
			o := ask.Ask(ctx, p.With(body.Name, object).Anew(step))
			shown := func(text string) bool { return strings.Contains(string(o.Data().Raw()), text) }
			if o.Succeeded() && (shown(text) || !shown(s.Mark(step))) {
				f.bodyTexts[s.Name] = append(f.bodyTexts[s.Name], name)
			}
		}
	}
}

// listedTexts are the texts of the listed objects of a kind that are another one in each of them, and no identifier and no time.
func (f *Adapter) listedTexts(o probes.Operation) (names []string) {
	kind, _ := f.Rules.Kind(o.Name)
	for _, list := range kind.Lists {
		rows := slices.DeleteFunc(gate.Rows(f.KnownGood[list.Name].Reply.Data()), f.OfRun)
		if len(rows) == 0 {
			continue
		}
		for _, m := range rows[0].Members() {
			_, err := time.Parse(time.DateOnly, m.Value.Text()[:min(len(m.Value.Text()), len(time.DateOnly))])
			shared := slices.ContainsFunc(rows[1:], func(row probes.Value) bool { return row.At(m.Name).Equal(m.Value) || !row.At(m.Name).Is(probes.String) })
			if m.Value.Is(probes.String) && err != nil && !shared && !slices.Contains(kind.Key, m.Name) && !slices.Contains(names, m.Name) {
				names = append(names, m.Name)
			}
		}
	}
	return names
}

// taken are the parameters of an operation, with the fields of its body in place of the body.
func (f *Adapter) taken(o probes.Operation) []probes.Parameter {
	body, fields, ok := f.body(o)
	if !ok {
		return o.Parameters
	}
	rest := slices.DeleteFunc(slices.Clone(o.Parameters), func(p probes.Parameter) bool { return p.Name == body.Name })
	return append(rest, fields...)
}

// with sets a parameter of a creation, or a field of its body.
func (f *Adapter) with(o probes.Operation, p probes.Probe, name string, value any) probes.Probe {
	body, fields, ok := f.body(o)
	if !ok || o.HasParameter(name) || !slices.ContainsFunc(fields, func(q probes.Parameter) bool { return q.Name == name }) {
		return p.With(name, value)
	}
	object, _ := Native(p.Params()[body.Name]).(map[string]any)
	object = maps.Clone(object)
	if object == nil {
		object = map[string]any{}
	}
	object[name] = value
	return p.With(body.Name, object)
}

// anew returns a value of a creation as it is for another object: with another key where the client
// chooses it, and with another mark.
func (s Subject) anew(p probes.Parameter, v probes.Value, number int) probes.Value {
	if s.ClientChosen(s.Op, p) || s.sole[s.Op.Name+"."+p.Name] {
		if fresh := s.freshKey(p, number); !fresh.Is(probes.Absent) {
			return fresh
		}
	}
	if v.Text() == s.Gen.Marker("") {
		if fresh := probes.ValueOf(s.numberMark(number)); s.Misfit(p, fresh) == "" {
			return fresh
		}
	}
	if before, behind, inside := strings.Cut(v.Text(), s.Gen.Marker("")); inside && before != "" {
		if fresh := probes.ValueOf(before + s.numberMark(number) + behind); s.Misfit(p, fresh) == "" {
			return fresh
		}
	}
	if v.At(markEntry).Text() == s.Gen.Marker("") || slices.ContainsFunc(v.Items(), func(item probes.Value) bool { return item.Text() == s.Gen.Marker("") }) {
		list := WithMark(WithoutMark(Native(v), s.Gen.Marker("")), s.numberMark(number))
		if fresh := probes.ValueOf(list); s.Misfit(p, fresh) == "" {
			return fresh
		}
	}
	if fresh := s.numbered(p, v, number); !fresh.Is(probes.Absent) {
		return fresh
	}
	body, fields, ok := s.body(s.Op)
	if !v.Is(probes.Object) {
		return v
	}
	if !ok || body.Name != p.Name {
		return s.withSole(p, v, number)
	}
	object := map[string]any{}
	for _, m := range v.Members() {
		field := probes.Parameter{Name: m.Name}
		if i := slices.IndexFunc(fields, func(q probes.Parameter) bool { return q.Name == m.Name && q.Name != p.Name }); i >= 0 {
			field = fields[i]
		}
		object[m.Name] = Native(m.Value)
		if field.Type != "" && !m.Value.Is(probes.Object) && !s.parents[s.Op.Name+"."+body.Name+"."+m.Name] {
			object[m.Name] = s.anew(field, m.Value, number).Go()
		}
	}
	return probes.ValueOf(object)
}

// withSole gives the fields of an object that no two objects share a value of their own, and the texts that are the mark of the run
// another one.
func (s Subject) withSole(p probes.Parameter, v probes.Value, number int) probes.Value {
	object, _ := Native(v).(map[string]any)
	fields, _ := s.FieldsOf(p, probes.Operation{})
	changed := false
	for _, field := range fields {
		var fresh probes.Value
		switch {
		case !v.Has(field.Name):
		case s.sole[s.fieldID(p, field)]:
			fresh = s.freshKey(field, number)
		case v.At(field.Name).Text() == s.Gen.Marker(""):
			if mark := probes.ValueOf(s.numberMark(number)); s.Misfit(field, mark) == "" {
				fresh = mark
			}
		}
		if !fresh.Is(probes.Absent) {
			object[field.Name], changed = fresh.Go(), true
		}
	}
	if !changed {
		return v
	}
	return probes.ValueOf(object)
}

// numbered returns a text with the number behind the letters of the run: no two people have one address. Other texts have the
// mark, or a form that leaves no room.
func (s Subject) numbered(p probes.Parameter, v probes.Value, number int) probes.Value {
	nonce := s.Gen.Nonce
	at := strings.Index(strings.ToLower(v.Text()), nonce)
	if at < 0 || strings.Contains(v.Text(), s.Gen.Marker("")) || !p.Raw.Has("format") && !probes.IsSecret(s.Op, p) && s.fixed(s.Op, p) {
		return probes.Value{}
	}
	end := at + len(nonce)
	write := strings.Clone
	if letters := v.Text()[at:end]; letters != nonce {
		write = strings.ToUpper
	}
	for _, n := range append([]string{strconv.Itoa(number)}, generate.Short(number)...) {
		if fresh := probes.ValueOf(v.Text()[:end] + write(n) + v.Text()[end:]); s.Misfit(p, fresh) == "" {
			return fresh
		}
	}
	return probes.Value{}
}

// withFreshKeys gives each whole object a key of its own, where the client chooses it: one that was
// seen belongs to another object.
func (f *Adapter) withFreshKeys(o probes.Operation, fields []probes.Parameter, values []probes.Value) []probes.Value {
	values = slices.Clone(values)
	for i, v := range values {
		object, whole := Native(v).(map[string]any)
		for _, field := range fields {
			if key := f.freshKey(field, i%maxFreshKeys); whole && f.ClientChosen(o, field) && v.Has(field.Name) && !key.Is(probes.Absent) {
				object[field.Name] = key.Go()
				values[i] = probes.ValueOf(object)
			}
		}
	}
	return values
}

// mark is the text of a creation that begins with the mark, or else holds it, and differs from that of the
// valid request; "" if there is none.
func (s Subject) mark(number int) (inside string) {
	valid := probes.ValueOf(s.ValidCall().Params()).Scalars()
	for _, text := range probes.ValueOf(s.freshCall(number).Params()).Scalars() {
		switch at := strings.Index(text, s.Gen.Marker("")); {
		case at < 0 || slices.Contains(valid, text):
		case at == 0:
			return text
		case inside == "":
			inside = text
		}
	}
	return inside
}

// withKeys replaces the keys that the client chooses, and what no two objects share, in the parameters of a creation.
func (f *Adapter) withKeys(o probes.Operation, params map[string]any, replace func(p probes.Parameter, v any) any) {
	body, _, _ := f.body(o)
	for _, p := range f.taken(o) {
		if !f.ClientChosen(o, p) && !f.sole[o.Name+"."+p.Name] {
			continue
		}
		for _, holder := range []any{params, params[body.Name]} {
			if fields, ok := holder.(map[string]any); ok && fields[p.Name] != nil {
				fields[p.Name] = replace(p, fields[p.Name])
			}
		}
	}
	for _, p := range o.Parameters {
		object, _ := params[p.Name].(map[string]any)
		fields, _ := f.FieldsOf(p, probes.Operation{})
		for _, field := range fields {
			if f.sole[o.Name+"."+p.Name+"."+field.Name] && object[field.Name] != nil {
				object[field.Name] = replace(field, object[field.Name])
			}
		}
	}
}
