package probes

// A Kind is the JSON type of a Value.
type Kind string

// The kinds of a Value. Absent is the kind of a member that is not there, which
// is another thing than a member that is null.
const (
	Absent  Kind = "absent"
	Null    Kind = "null"
	Boolean Kind = "boolean"
	Number  Kind = "number"
	String  Kind = "string"
	Array   Kind = "array"
	Object  Kind = "object"
)

// A Value is one JSON value as it stood on the wire: members in order,
// duplicates kept, numbers unparsed. The zero Value is absent. Judges read
// Values because a typed decoder hides duplicate keys, null fillers, missing
// members and numbers beyond 2^53. A Value is a pointer's worth of memory: a run
// holds millions, and hands them about.
type Value struct{ *node }

// A node is what a Value holds. The first byte tells the kind.
type node struct {
	raw    []byte
	text   string  // of a string
	inside *inside // of an object or an array; nil for an empty one
}

// inside is what stands between braces or brackets.
type inside struct {
	members []Member
	items   []Value
}

// A Member is one name and value of an object.
type Member struct {
	Name  string
	Value Value
}
