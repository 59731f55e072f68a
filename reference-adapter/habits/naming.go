package habits

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
)

// A naming exchanges the names of the heart and the names on the wire. It is a
// permutation: a name of the heart that the description does not use is as unknown
// on the wire as any other, and an unknown name comes back as it was sent.
type naming struct{ wire, heart map[string]string }

func newNaming(wire map[string]string) naming {
	n := naming{maps.Clone(wire), map[string]string{}}
	for heart, name := range wire {
		n.heart[name] = heart
	}
	for _, name := range slices.Sorted(maps.Values(wire)) {
		if _, known := n.wire[name]; known {
			continue
		}
		last := name // where a chain of renamings ends, its first name begins
		for before, ok := n.heart[last]; ok; before, ok = n.heart[last] {
			last = before
		}
		n.wire[name], n.heart[last] = last, name
	}
	return n
}

// A direction is towards the wire or towards the heart.
type direction bool

const (
	outward direction = true
	inward  direction = false
)

// name translates one name.
func (to direction) name(n naming, name string) string {
	names := n.heart
	if to == outward {
		names = n.wire
	}
	if other, ok := names[name]; ok {
		return other
	}
	return name
}

// A vocabulary is what a description calls the operations, members, types and
// values of the heart. Names that the specification itself gives stay.
type vocabulary struct {
	operations, members, types, values naming
	nouns                              map[string]string
	similar                            map[string]string // operation of the heart -> what its description adds
}

func (v *vocabulary) ToWire(operation string) string  { return outward.name(v.operations, operation) }
func (v *vocabulary) ToHeart(operation string) string { return inward.name(v.operations, operation) }

func (v *vocabulary) ObjectToHeart(from map[string]any) map[string]any { return v.object(from, inward) }

// speak hands a request to the heart in its own words, and the answer back in those
// of the description.
func (v *vocabulary) speak(c adapter.Call, next adapter.Handler) adapter.Envelope {
	c.Body = v.body(c.Body, inward)
	e := next(c)
	if results, ok := e["results"]; ok {
		return v.batch(e, adapter.Array(results))
	}
	return v.reply(e, c.Operation())
}

// body translates a tools/call: a request, or a batch of them.
func (v *vocabulary) body(body map[string]any, to direction) map[string]any {
	out := v.request(body, to)
	entries, ok := body["operations"].([]any)
	if _, single := body["operation"]; !ok || single {
		return out
	}
	list := []any{}
	for _, entry := range entries {
		if o, ok := entry.(map[string]any); ok {
			entry = v.request(o, to)
		}
		list = append(list, entry)
	}
	out["operations"] = list
	return out
}

// request translates one request object.
func (v *vocabulary) request(body map[string]any, to direction) map[string]any {
	out := map[string]any{}
	name, _ := body["operation"].(string)
	renamed := to.name(v.operations, name)
	fixed := protocolOwn[name] || protocolOwn[renamed]
	for key, value := range body {
		switch {
		case key == "operation" && name != "":
			out[key] = renamed
		case key == "params" && adapter.Object(value) != nil:
			out[key] = v.params(adapter.Object(value), to, fixed)
		case key == "operation" || key == "params" || key == "operations" || strings.HasPrefix(key, "_"):
			out[key] = value
		default:
			maps.Copy(out, v.params(map[string]any{key: value}, to, fixed))
		}
	}
	return out
}

// params translates parameters; those of introspect have the names of the
// specification, and one of its values is a name.
func (v *vocabulary) params(params map[string]any, to direction, fixed bool) map[string]any {
	if !fixed {
		return v.object(params, to)
	}
	out := maps.Clone(params)
	if name, ok := params["name"].(string); ok {
		if out["name"] = to.name(v.operations, name); out["name"] == name {
			out["name"] = to.name(v.types, name)
		}
	}
	return out
}

// protocolOwn are the operations whose parameters have the names of the specification.
var protocolOwn = map[string]bool{
	"introspect": true, "execute_agent": true, "record_execution_step": true, "complete_execution": true,
	"abort_execution": true, "confirm_operation": true, "verify_challenge": true,
}

// object translates the names of members and what their values name. What stands in
// free-form members is the client's own. The status of an execution has the name and the
// values of the specification (section 8.4), and so have notifications (section 8.7.1).
func (v *vocabulary) object(from map[string]any, to direction) map[string]any {
	out := map[string]any{}
	_, execution := from["execution_id"]
	for key, value := range from {
		if execution && key == "status" || key == "notifications" {
			out[key] = value
			continue
		}
		name := to.name(v.members, key)
		heart := key
		if to == inward {
			heart = name
		}
		out[name] = v.member(heart, value, to)
	}
	return out
}

func (v *vocabulary) member(heart string, value any, to direction) any {
	switch value := value.(type) {
	case string:
		switch heart {
		case "status":
			return to.name(v.values, value)
		case "field", "group_by", "sum", "avg", "min", "max":
			return to.name(v.members, value)
		}
	case map[string]any:
		switch heart {
		case "metadata":
			return value
		case "aggregations":
			return v.summaries(value, to)
		}
		return v.object(value, to)
	case []any:
		list := []any{}
		for _, item := range value {
			switch item := item.(type) {
			case string:
				if heart == "fields" {
					list = append(list, v.path(item, to))
					continue
				}
				list = append(list, item)
			case map[string]any:
				list = append(list, v.object(item, to))
			default:
				list = append(list, item)
			}
		}
		return list
	}
	return value
}

// path translates the first part of a field path; the others are the client's own.
func (v *vocabulary) path(path string, to direction) string {
	first, rest, nested := strings.Cut(path, ".")
	if first = to.name(v.members, first); nested {
		return first + "." + rest
	}
	return first
}

// summaries translates aggregations: labels are the client's own, groups are values.
func (v *vocabulary) summaries(value map[string]any, to direction) map[string]any {
	out := map[string]any{}
	for label, summary := range value {
		out[label] = v.grouped(summary, to)
	}
	return out
}

func (v *vocabulary) grouped(value any, to direction) any {
	switch value := value.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, inner := range value {
			out[to.name(v.members, to.name(v.values, key))] = v.grouped(inner, to)
		}
		return out
	case []any:
		list := []any{}
		for _, item := range value {
			list = append(list, v.grouped(item, to))
		}
		return list
	case string:
		return to.name(v.values, value)
	}
	return value
}

// quoted matches what a message quotes; snake matches names of several words.
var (
	quoted = regexp.MustCompile(`'([^']*)'`)
	Snake  = regexp.MustCompile(`[a-z]+(?:_[a-z0-9]+)+`)
	valid  = regexp.MustCompile(`(Valid (?:parameters|fields): )(.*)$`)
	worded = regexp.MustCompile(`[A-Za-z]+`)
)

// text translates the names in a text: those in quotes, those of several words, and
// the nouns of the domain.
func (v *vocabulary) text(text string) string {
	text = valid.ReplaceAllStringFunc(text, func(found string) string {
		part := valid.FindStringSubmatch(found)
		names := strings.Split(part[2], ", ")
		for i, name := range names {
			names[i] = "'" + name + "'"
		}
		return part[1] + strings.Join(names, ", ")
	})
	var out strings.Builder
	last := 0
	for _, at := range quoted.FindAllStringIndex(text, -1) {
		out.WriteString(v.prose(text[last:at[0]]))
		out.WriteString("'" + v.Name(text[at[0]+1:at[1]-1]) + "'")
		last = at[1]
	}
	out.WriteString(v.prose(text[last:]))
	return out.String()
}

func (v *vocabulary) prose(text string) string {
	text = Snake.ReplaceAllStringFunc(text, v.Name)
	return worded.ReplaceAllStringFunc(text, func(word string) string {
		if noun, ok := v.nouns[strings.ToLower(word)]; ok {
			if word[0] < 'a' {
				return strings.ToUpper(noun[:1]) + noun[1:]
			}
			return noun
		}
		return word
	})
}

// Name translates a name of any sort towards the wire; a path by its parts.
func (v *vocabulary) Name(name string) string {
	for _, n := range []naming{v.operations, v.types} {
		if other := outward.name(n, name); other != name {
			return other
		}
	}
	parts := strings.Split(name, ".")
	for i, part := range parts {
		if parts[i] = outward.name(v.members, part); parts[i] == part {
			parts[i] = outward.name(v.values, part)
		}
	}
	return strings.Join(parts, ".")
}
