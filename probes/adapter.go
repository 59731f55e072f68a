package probes

import (
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
)

// An Adapter is what one face of an adapter says about itself: the tools of
// tools/list and the answers of introspect, read leniently. A departure met on
// the way is written down, so that the run can go on while the verdict stays
// strict.
type Adapter struct {
	Conn       string        // connection the face answers on
	Tools      []Tool        // every tool listed, helper tools included
	Introspect string        // the tool that answered introspect; empty when none did
	Unified    string        // the tool that takes every operation; empty when there is none
	Protocol   Value         // _protocol of the listing; absent when there is none
	Listed     Observation   // the answer to Listing
	Listings   []Observation // the pages of the listing; Listed is the first
	Unended    bool          // the last page says that there is another, which was not found
	Operations []Operation   // in the order of the listing
	Types      []Type        // in the order of the listing
	Departures []string      // what lenient discovery had to overlook
	AQL        []string      // names of the tools that speak MCP-AQL, in the order of tools/list
	Pages      []Probe       // the tools/list requests that were needed
	Envelope   bool          // some tool answered introspect with an envelope, be it a refusal

	asks  asking          // how introspect is asked here, where not as documented
	lists map[string]bool // tools that answered introspect with a listing
	index atomic.Pointer[index]
}

// An index says where the operations of a listing stand. It is made when it is first
// asked for, and anew for another listing.
type index struct {
	of     []Operation
	places map[string]int
}

// A Tool is one entry of tools/list.
type Tool struct {
	Name string
	Raw  Value
}

// TakesOperation reports whether the tool's schema knows an argument operation, at
// its root or in an arm of a choice.
func (t Tool) TakesOperation() bool { return len(t.operationSchemas()) > 0 }

// operationSchemas returns what the tool's schema says of the argument operation.
func (t Tool) operationSchemas() []Value {
	root := t.Raw.At("inputSchema")
	var found []Value
	visits := 0 // the schema is the adapter's, so its size must not set ours
	var walk func(schema Value, depth int)
	walk = func(schema Value, depth int) {
		if visits++; depth > 4 || visits > 5000 {
			return
		}
		if o := schema.At("properties", "operation"); !o.Is(Absent) {
			found = append(found, o)
		}
		for _, choice := range []string{"oneOf", "anyOf", "allOf"} {
			for _, arm := range schema.At(choice).Items() {
				walk(arm, depth+1)
			}
		}
		if way, local := strings.CutPrefix(schema.At("$ref").Text(), "#/"); local {
			walk(root.At(strings.Split(way, "/")...), depth+1)
		}
	}
	walk(root, 0)
	return found
}

// An Operation is one listed operation with its details.
type Operation struct {
	Name       string
	Category   string // semantic_category of the details or of the listing, else as the operation is grouped
	Endpoint   string // endpoint family of the details, else of the listing
	Tool       string // the tool to call it by, resolved against tools/list
	Summary    Value  // entry of the listing
	Details    Value  // record of the lookup; absent when there was none
	Parameters []Parameter

	Guessed bool // the category is not documented as semantic_category
}

// A Parameter is one documented parameter. Introspection document, section 3.4.
type Parameter struct {
	Name     string
	Type     string
	Required bool
	Raw      Value // the whole record: constraints, default, description

	Identifies bool   // it takes the identifier of an object, as the operations together show
	Shown      string // the member of that object which holds the identifier, where the types tell that it has another name
}

// A Type is one listed type with its details.
type Type struct {
	Name    string
	Kind    string
	Summary Value
	Details Value
}

// TypesListing returns the probe that lists all types.
func (a *Adapter) TypesListing() Probe { return a.Query(map[string]any{"query": "types"}) }

// Query returns an introspect call with the params given.
func (a *Adapter) Query(params map[string]any) Probe {
	return Call(a.Conn, a.Introspect, "introspect", params)
}

// Operation returns the listed operation of that name.
func (a *Adapter) Operation(name string) (Operation, bool) {
	if len(a.Operations) == 0 {
		return Operation{}, false
	}
	x := a.index.Load()
	if x == nil || len(x.of) != len(a.Operations) || &x.of[0] != &a.Operations[0] {
		x = &index{a.Operations, map[string]int{}}
		for i, o := range slices.Backward(a.Operations) {
			x.places[o.Name] = i // of operations listed twice the first one
		}
		a.index.Store(x)
	}
	i, listed := x.places[name]
	if !listed {
		return Operation{}, false
	}
	return a.Operations[i], true
}

// Type returns the listed type of that name.
func (a *Adapter) Type(name string) (Type, bool) {
	i := slices.IndexFunc(a.Types, func(t Type) bool { return t.Name == name })
	if i < 0 {
		return Type{}, false
	}
	return a.Types[i], true
}

// Tool returns the listed tool of that name.
func (a *Adapter) Tool(name string) (Tool, bool) {
	i := slices.IndexFunc(a.Tools, func(t Tool) bool { return t.Name == name })
	if i < 0 {
		return Tool{}, false
	}
	return a.Tools[i], true
}

// Semantic returns the tools that stand for endpoint families: all that speak
// MCP-AQL but the unified one. Section 3.3.
func (a *Adapter) Semantic() []string {
	return slices.DeleteFunc(slices.Clone(a.AQL), func(t string) bool { return t == a.Unified })
}

// Mode returns the endpoint mode seen from outside: semantic, single or all.
func (a *Adapter) Mode() string {
	switch {
	case a.Unified == "":
		return "semantic"
	case len(a.Semantic()) == 0:
		return "single"
	}
	return "all"
}

// Profile returns crude when the semantic tools are the five of the standard
// profile, unified when there is none, else alternative.
func (a *Adapter) Profile() string {
	semantic := a.Semantic()
	if len(semantic) == 0 {
		return "unified"
	}
	for _, t := range semantic {
		if CrudeFamily(t) == "" {
			return "alternative"
		}
	}
	if len(semantic) == 5 {
		return "crude"
	}
	return "alternative"
}

// CrudeFamily returns the category word a standard tool name ends in (create,
// read, update, delete, execute); empty for any other name.
func CrudeFamily(tool string) string {
	for _, family := range []string{"create", "read", "update", "delete", "execute"} {
		if tool == "mcp_aql_"+family || strings.HasSuffix(tool, "_mcp_aql_"+family) {
			return family
		}
	}
	return ""
}

// StandsFor reports whether the endpoint value means the tool: its whole name, or
// the family word it ends in, in any letter case.
func StandsFor(endpoint, tool string) bool {
	e, t := strings.ToLower(endpoint), strings.ToLower(tool)
	return e != "" && (e == t || strings.HasSuffix(t, "_"+e) || strings.HasSuffix(t, "."+e) || strings.HasSuffix(t, "-"+e))
}

// HasParameter reports whether the operation documents a parameter of that name.
func (o Operation) HasParameter(name string) bool {
	return slices.ContainsFunc(o.Parameters, func(p Parameter) bool { return p.Name == name })
}

// ReadParameters reads the parameters of a details record leniently: an array of
// records, else an object keyed by name.
func ReadParameters(details Value) []Parameter {
	records := details.At("parameters")
	if records.Is(Absent) {
		records = details.At("params")
	}
	if properties := records.At("properties"); properties.Is(Object) && records.At("type").Text() == "object" {
		return schemaParameters(properties, records.At("required").Scalars())
	}
	var list []Parameter
	for _, r := range records.Items() {
		list = append(list, parameter(r.At("name").Text(), r))
	}
	for _, m := range records.Members() {
		list = append(list, parameter(m.Name, m.Value))
	}
	return slices.DeleteFunc(list, func(p Parameter) bool { return p.Name == "" })
}

// schemaParameters reads parameters that are documented as one JSON Schema of an object.
func schemaParameters(properties Value, required []string) []Parameter {
	var list []Parameter
	for _, m := range properties.Members() {
		p := parameter(m.Name, m.Value)
		p.Required = slices.Contains(required, m.Name)
		list = append(list, p)
	}
	return list
}

func parameter(name string, r Value) Parameter {
	return Parameter{Name: name, Type: r.At("type").Text(), Required: r.At("required").True(), Raw: r}
}

// referenceName matches the names of parameters whose value only an earlier
// answer can yield.
var referenceName = regexp.MustCompile(`^(id|uuid|key|slug|handle|cursor|after|before|page_token)$|[_-](id|ids|key|ref|token|cursor|uuid)$|[a-z0-9](Id|ID|Ids|IDs|Key|Ref|Token|Cursor|Uuid|UUID)$|^(Id|ID|Uuid|UUID|Key|Slug|Handle|[A-Z0-9_]*_(ID|IDS|KEY|REF|UUID))$`)

// secretName matches the names of texts that are keys of a cipher, and name nothing.
var secretName = regexp.MustCompile(`(?i)(public|private|ssh|gpg|pgp)[_-]?keys?$`)

// IsSecret reports whether the parameter of a creation takes a key of a cipher or another secret, which is made up.
func IsSecret(op Operation, p Parameter) bool {
	return op.Category == "CREATE" && !p.Identifies && (p.Raw.At("sensitive").True() || secretName.MatchString(p.Name))
}

// IsReference reports whether the parameter identifies something that must
// already exist, so that no value can be made up for it.
func IsReference(op Operation, p Parameter) bool {
	if p.Identifies || p.Name == "name" && op.Category != "CREATE" {
		return true
	}
	return !IsSecret(op, p) && referenceName.MatchString(p.Name) || p.Raw.At("format").Text() == "uuid"
}

// echoName matches the name of a text that GraphQL clients send with a mutation and get back with its answer.
var echoName = regexp.MustCompile(`(?i)^client_?mutation_?id$`)

// IsEcho reports whether the parameter takes a text that is answered as it was sent and names nothing.
func IsEcho(p Parameter) bool {
	return echoName.MatchString(p.Name) && !p.Required && p.Type == "string"
}

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
