package schemas

import (
	"slices"
	"strconv"
	"strings"
)

// nowhere stands for a value that cannot be found at its place.
type nowhere struct{}

// value looks up a place in a parsed document.
func value(doc any, at []string) any {
	for _, token := range at {
		switch v := doc.(type) {
		case map[string]any:
			member, ok := v[token]
			if !ok {
				return nowhere{}
			}
			doc = member
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(v) {
				return nowhere{}
			}
			doc = v[i]
		default:
			return nowhere{}
		}
	}
	return doc
}

// A nameIndex finds the object that has a property of a given name; of several,
// the innermost place that holds them all.
type nameIndex struct {
	doc any
	at  map[string][]string
}

func (x *nameIndex) place(name string) []string {
	if x.at == nil {
		x.at = map[string][]string{}
		x.enter(x.doc, nil)
	}
	return x.at[name]
}

func (x *nameIndex) enter(v any, at []string) {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			if before, ok := x.at[name]; ok {
				x.at[name] = before[:shared(before, at)]
			} else {
				x.at[name] = slices.Clone(at)
			}
			x.enter(member, append(at, name))
		}
	case []any:
		for i, item := range v {
			x.enter(item, append(at, strconv.Itoa(i)))
		}
	}
}

// shared is the length of the common beginning of two places.
func shared(a, b []string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

var escaper = strings.NewReplacer("~", "~0", "/", "~1")

func pointer(tokens []string) string {
	var b strings.Builder
	for _, token := range tokens {
		b.WriteByte('/')
		b.WriteString(escaper.Replace(token))
	}
	return b.String()
}

// splitPointer is the inverse of pointer.
func splitPointer(at string) ([]string, bool) {
	tokens := strings.Split(at, "/")[1:]
	for i, token := range tokens {
		if strings.Contains(strings.NewReplacer("~0", "", "~1", "").Replace(token), "~") {
			return nil, false
		}
		tokens[i] = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
	}
	return tokens, true
}
