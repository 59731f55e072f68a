package probes

import (
	"fmt"
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Generator makes parameter values from introspection alone: harvested
// identifiers, published examples, defaults, enum members, and values built from
// type and constraints. Everything it invents carries the run's nonce.
type Generator struct {
	Adapter *Adapter
	Nonce   string // 8 characters of the run
	Harvest func(op Operation, p Parameter) []Value
	Hints   func(op, param string) []Value
}

// referenceName matches the names of parameters whose value only an earlier
// answer can yield.
var referenceName = regexp.MustCompile(`^(id|uuid|key|slug|handle|cursor|after|before|page_token)$|_(id|ids|key|ref|token|cursor|uuid)$`)

// IsReference reports whether the parameter identifies something that must
// already exist, so that no value can be made up for it.
func IsReference(op Operation, p Parameter) bool {
	if p.Name == "name" && op.Category != "CREATE" {
		return true
	}
	return referenceName.MatchString(p.Name) || p.Raw.At("format").Text() == "uuid"
}

// Values returns the values to try for a parameter, best first; each fits the
// parameter's own record. Empty means that nothing fitting could be made.
func (g *Generator) Values(op Operation, p Parameter) []Value {
	var all []Value
	add := func(vs ...Value) {
		for _, v := range vs {
			known := slices.ContainsFunc(all, func(w Value) bool { return w.Canonical(nil) == v.Canonical(nil) })
			if !known && !v.Is(Absent) && g.Adapter.Misfit(p, v) == "" {
				all = append(all, v)
			}
		}
	}
	if g.Hints != nil {
		add(g.Hints(op.Name, p.Name)...)
	}
	reference := IsReference(op, p)
	if reference {
		if g.Harvest != nil {
			add(g.Harvest(op, p)...)
		}
		return all
	}
	if op.Category == "CREATE" && p.Type == "string" && !p.Raw.Has("enum") {
		add(g.synthesize(p)...) // what we create carries our own mark wherever it can
	}
	if op.Category != "DELETE" {
		for _, example := range op.Details.At("examples").Items() {
			add(example.At("request", "params", p.Name))
		}
	}
	add(p.Raw.At("default"))
	add(g.enumOf(p)...)
	add(g.synthesize(p)...)
	return all
}

// enumOf returns the values the record or its enum type allows.
func (g *Generator) enumOf(p Parameter) []Value { return g.Adapter.EnumOf(p) }

// EnumOf returns the values the parameter's own enum or its enum type allows.
func (a *Adapter) EnumOf(p Parameter) []Value {
	if inline := p.Raw.At("enum"); inline.Is(Array) {
		return inline.Items()
	}
	if t, ok := a.Type(p.Type); ok && t.Kind == "enum" {
		return t.Details.At("values").Items()
	}
	return nil
}

// Marker returns a string no other run uses; it tells our own objects from those
// of others.
func (g *Generator) Marker(suffix string) string { return "aqlc-" + g.Nonce + suffix }

func (g *Generator) synthesize(p Parameter) []Value {
	e, err := ParseType(p.Type)
	if err != nil {
		return nil
	}
	return g.build(e, p.Raw, 0)
}

func (g *Generator) build(e TypeExpr, r Value, depth int) []Value {
	if depth > 6 {
		return nil
	}
	switch e.Form {
	case Literal:
		if literalKind(e.Name) == "string" {
			return []Value{ValueOf(e.Name)}
		}
		v, _ := ParseValue([]byte(e.Name))
		return []Value{v}
	case ListOf:
		inner := g.build(e.Parts[0], Value{}, depth+1)
		if len(inner) == 0 {
			return []Value{ValueOf([]any{})}
		}
		return []Value{arrayOf(inner[0])}
	case MapOf:
		return []Value{ValueOf(map[string]any{})}
	case UnionOf:
		var all []Value
		for _, part := range e.Parts {
			all = append(all, g.build(part, r, depth+1)...)
		}
		return all
	case Named:
		return g.buildNamed(e.Name, r, depth)
	}
	return g.buildPrimitive(e.Name, r, depth)
}

func arrayOf(v Value) Value {
	a, _ := ParseValue([]byte("[" + string(v.Raw()) + "]"))
	return a
}

func (g *Generator) buildNamed(name string, r Value, depth int) []Value {
	if alias := Alias(name); alias != "" {
		return g.buildPrimitive(alias, r, depth)
	}
	t, _ := g.Adapter.Type(name)
	switch t.Kind {
	case "enum":
		return t.Details.At("values").Items()
	case "object":
		object := map[string]any{}
		for _, f := range t.Details.At("fields").Items() {
			if !f.At("required").True() {
				continue
			}
			e, err := ParseType(f.At("type").Text())
			if err != nil {
				return nil
			}
			if values := g.build(e, f, depth+1); len(values) > 0 {
				object[f.At("name").Text()] = values[0].goValue()
			}
		}
		return []Value{ValueOf(object)}
	case "union":
		var all []Value
		for _, m := range t.Details.At("members").Items() {
			if e, err := ParseType(m.Text()); err == nil {
				all = append(all, g.build(e, r, depth+1)...)
			}
		}
		return all
	}
	return nil
}

func (v Value) goValue() any {
	if v.Is(Absent) {
		return nil
	}
	return rawJSON(v.raw)
}

type rawJSON []byte

func (r rawJSON) MarshalJSON() ([]byte, error) { return r, nil }

// Go returns the value in a form that can stand in Args.
func (v Value) Go() any { return v.goValue() }

func (g *Generator) buildPrimitive(word string, r Value, depth int) []Value {
	switch word {
	case "boolean":
		return []Value{ValueOf(true), ValueOf(false)}
	case "integer", "number":
		return []Value{ValueOf(wholeWithin(r))}
	case "string":
		return g.strings(r)
	case "array":
		items := r.At("items")
		if e, err := ParseType(items.At("type").Text()); err == nil && items.Is(Object) {
			if inner := g.build(e, items, depth+1); len(inner) > 0 {
				return []Value{arrayOf(inner[0])}
			}
		}
		return []Value{ValueOf([]any{}), ValueOf([]any{"aqlc"})}
	case "object", "any":
		return []Value{ValueOf(map[string]any{})}
	case "null":
		return nil
	}
	return nil
}

// wholeWithin returns an integer inside [minimum, maximum], preferring small
// positive ones, because large numbers tend to mean large work.
func wholeWithin(r Value) int64 {
	low, hasLow := r.At("minimum").Float()
	high, hasHigh := r.At("maximum").Float()
	n := 1.0
	if hasLow {
		n = math.Max(n, math.Ceil(low))
	}
	if hasHigh && n > high {
		n = math.Floor(high)
	}
	return int64(n)
}

// formats are values for the format words of section 3.4.1 of the introspection
// document; none of them points outside the documentation ranges.
var formats = map[string]string{
	"date-time": "2026-01-02T03:04:05Z", "date": "2026-01-02", "time": "03:04:05Z", "duration": "PT1H",
	"email": "aqlc.%s@example.com", "uri": "https://example.com/aqlc/%s", "url": "https://example.com/aqlc/%s",
	"hostname": "example.com", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "byte": "YXFsYw==",
}

func (g *Generator) strings(r Value) []Value {
	if pattern := r.At("pattern").Text(); pattern != "" {
		if re, err := regexp.Compile(pattern); err == nil && g.markable(r) && re.MatchString(g.Marker("")) {
			return []Value{ValueOf(g.Marker(""))}
		}
		s, ok := MatchFor(pattern, lengthOf(r, "minLength", 0), lengthOf(r, "maxLength", 64))
		if !ok {
			return nil
		}
		return []Value{ValueOf(s)}
	}
	if f, ok := formats[r.At("format").Text()]; ok {
		if strings.Contains(f, "%s") {
			f = fmt.Sprintf(f, g.Nonce)
		}
		return []Value{ValueOf(f)}
	}
	s := g.Marker("")
	if low := lengthOf(r, "minLength", 0); len(s) < low {
		s += strings.Repeat("x", low-len(s))
	}
	if high := lengthOf(r, "maxLength", len(s)); len(s) > high {
		s = s[:high]
	}
	return []Value{ValueOf(s)}
}

// markable reports whether the run's mark fits the documented lengths.
func (g *Generator) markable(r Value) bool {
	n := len(g.Marker(""))
	return lengthOf(r, "minLength", 0) <= n && n <= lengthOf(r, "maxLength", n)
}

// lengthOf reads a length limit; values beyond a megabyte are not worth building.
func lengthOf(r Value, name string, otherwise int) int {
	n, ok := r.At(name).Float()
	if !ok || n < 0 || n > 1<<20 {
		return otherwise
	}
	return int(n)
}

// MatchFor returns a string that the whole pattern matches, with a length within
// the bounds; ok is false when RE2 cannot read the pattern or none was found.
func MatchFor(pattern string, low, high int) (s string, ok bool) {
	pattern = regexp.MustCompile(`\\u([0-9a-fA-F]{4})`).ReplaceAllString(pattern, `\x{$1}`)
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return "", false
	}
	whole, err := regexp.Compile(`^(?:` + pattern + `)$`)
	if err != nil {
		return "", false
	}
	for extra := 0; extra <= max(low, 1) && extra < 4096; extra++ {
		grow := extra
		s = expand(tree, &grow)
		if utf8.RuneCountInString(s) >= low && utf8.RuneCountInString(s) <= high && whole.MatchString(s) {
			return s, true
		}
	}
	return "", false
}

// expand writes the shortest match of the tree, repeating what may repeat as long
// as grow lasts.
func expand(t *syntax.Regexp, grow *int) string {
	switch t.Op {
	case syntax.OpLiteral:
		return string(t.Rune)
	case syntax.OpCharClass:
		return string(printable(t.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return "a"
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		return expandRepeat(t, grow)
	case syntax.OpCapture, syntax.OpConcat:
		var b strings.Builder
		for _, sub := range t.Sub {
			b.WriteString(expand(sub, grow))
		}
		return b.String()
	case syntax.OpAlternate:
		return expand(t.Sub[0], grow)
	}
	return ""
}

func expandRepeat(t *syntax.Regexp, grow *int) string {
	low, high := 0, 1<<12
	switch t.Op {
	case syntax.OpPlus:
		low = 1
	case syntax.OpQuest:
		high = 1
	case syntax.OpRepeat:
		low = t.Min
		if t.Max >= 0 {
			high = t.Max
		}
	}
	more := min(*grow, high-low)
	*grow -= more
	var b strings.Builder
	for range low + more {
		none := 0
		b.WriteString(expand(t.Sub[0], &none))
	}
	return b.String()
}

// printable picks the friendliest rune of a character class.
func printable(class []rune) rune {
	for _, want := range "a0A_-" {
		for i := 0; i+1 < len(class); i += 2 {
			if class[i] <= want && want <= class[i+1] {
				return want
			}
		}
	}
	for i := 0; i+1 < len(class); i += 2 {
		if class[i+1] >= ' ' {
			return max(class[i], ' ')
		}
	}
	return 'a'
}

// Misfit says in a few words why the value does not fit the parameter's record,
// or "" when it does as far as the record is understood.
func (a *Adapter) Misfit(p Parameter, v Value) string {
	if kinds, ok := a.Kinds(p.Type); ok && !slices.ContainsFunc(kinds, func(k string) bool { return kindFits(k, v) }) {
		return "another type than " + p.Type
	}
	if enum := a.EnumOf(p); len(enum) > 0 && v.Is(String) {
		if !slices.ContainsFunc(enum, func(e Value) bool { return e.Canonical(nil) == v.Canonical(nil) }) {
			return "outside the enum"
		}
	}
	if f, ok := v.Float(); ok {
		if low, has := p.Raw.At("minimum").Float(); has && f < low {
			return "below minimum " + strconv.FormatFloat(low, 'g', -1, 64)
		}
		if high, has := p.Raw.At("maximum").Float(); has && f > high {
			return "above maximum " + strconv.FormatFloat(high, 'g', -1, 64)
		}
	}
	if v.Is(String) {
		n := utf8.RuneCountInString(v.Text())
		if low, has := p.Raw.At("minLength").Float(); has && float64(n) < low {
			return "shorter than minLength"
		}
		if high, has := p.Raw.At("maxLength").Float(); has && float64(n) > high {
			return "longer than maxLength"
		}
		if re, err := regexp.Compile(p.Raw.At("pattern").Text()); err == nil && !re.MatchString(v.Text()) {
			return "not matching the pattern"
		}
	}
	return ""
}

func kindFits(kind string, v Value) bool {
	switch kind {
	case "integer":
		return v.Whole()
	case "any":
		return true
	}
	return string(v.Kind()) == kind
}

// AbsentIdentifier returns a value in the documented form of an identifier that
// nothing should have; a READ has to confirm that before it is relied on.
// like is an existing identifier, when one is known.
func (g *Generator) AbsentIdentifier(p Parameter, like Value) Value {
	kinds, _ := g.Adapter.Kinds(p.Type)
	switch {
	case like.Is(Number), like.Is(Absent) && slices.ContainsFunc(kinds, func(k string) bool { return k == "integer" || k == "number" }):
		return ValueOf(987654321)
	case p.Raw.At("format").Text() == "uuid", looksLikeUUID(like.Text()):
		return ValueOf("00000000-0000-4000-8000-" + hexOf(g.Nonce))
	case p.Raw.Has("pattern"):
		if s, ok := MatchFor(p.Raw.At("pattern").Text(), max(lengthOf(p.Raw, "minLength", 0), 12), lengthOf(p.Raw, "maxLength", 64)); ok {
			return ValueOf(s)
		}
		return Value{}
	}
	return ValueOf(g.Marker("-absent"))
}

func looksLikeUUID(s string) bool {
	return len(s) == 36 && strings.Count(s, "-") == 4
}

// hexOf folds a nonce into twelve hexadecimal digits.
func hexOf(nonce string) string {
	return fmt.Sprintf("%012x", []byte(nonce))[:12]
}
