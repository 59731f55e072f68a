package schemas

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
)

const (
	maxSubschemas = 5000
	// The compiler names each subschema by its whole path.
	maxPointer = 4 << 10
	// For each reference to a place that no keyword makes a schema, the
	// compiler copies all it knows of the document.
	maxStrays = 100
)

// A survey is what is known of a hostile schema before a compiler sees it: its
// subschemas, what names them, and which leads to which.
type survey struct {
	doc       any
	nodes     map[string]*node     // by JSON Pointer
	resources map[string]*resource // by absolute URI without fragment
	dynamic   map[string][]string  // pointers of the bearers of a $dynamicAnchor
	strays    int
}

// A node is one subschema. Boolean schemas are nodes without an object.
type node struct {
	at       string
	object   map[string]any
	resource *resource
	inPlace  []string // subschemas that judge the same value
	nested   []string // subschemas that judge a part of the value
}

// A resource is the document, or a part of it with an identity of its own.
type resource struct {
	at      string
	uri     *url.URL
	grammar *grammar
	anchors map[string]string
}

// surveySchema walks a schema by its keywords. References are for follow.
func surveySchema(g *grammar, doc any) (*survey, error) {
	s := &survey{doc: doc, nodes: map[string]*node{}, resources: map[string]*resource{}, dynamic: map[string][]string{}}
	base, err := url.Parse(home)
	if err != nil {
		return nil, err
	}
	root := &resource{uri: base, grammar: g, anchors: map[string]string{}}
	s.resources[home] = root
	return s, s.collect("", doc, root)
}

// collect enters a subschema and all below it.
func (s *survey) collect(at string, value any, within *resource) error {
	if _, ok := s.nodes[at]; ok {
		return nil
	}
	if len(s.nodes) == maxSubschemas {
		return fmt.Errorf("%w: more than %d subschemas", ErrBudget, maxSubschemas)
	}
	if len(at) > maxPointer {
		return fmt.Errorf("%w: a subschema has a path of %d bytes, at most %d", ErrBudget, len(at), maxPointer)
	}
	n := &node{at: at, resource: within}
	s.nodes[at] = n
	n.object, _ = value.(map[string]any)
	if n.object == nil {
		return nil
	}
	if err := s.identify(n); err != nil {
		return err
	}
	for _, keyword := range slices.Sorted(maps.Keys(n.object)) {
		how, ok := applicators[keyword]
		if !ok {
			continue
		}
		for _, held := range hold(how.holding, n.object[keyword]) {
			below := at + "/" + keyword + held.token
			switch how.relation {
			case inPlace:
				n.inPlace = append(n.inPlace, below)
			case nested:
				n.nested = append(n.nested, below)
			}
			if err := s.collect(below, held.schema, n.resource); err != nil {
				return err
			}
		}
	}
	return nil
}

// identify registers the names a subschema gives itself.
func (s *survey) identify(n *node) error {
	g, err := n.grammar()
	if err != nil {
		return err
	}
	id, _ := n.object[g.id].(string)
	_, hasRef := n.object["$ref"]
	if g.refAlone && hasRef {
		return nil
	}
	name, fragment, _ := strings.Cut(id, "#")
	if name != "" {
		uri, err := join(n.resource.uri, name)
		if err != nil {
			return fmt.Errorf("%w: %s at %q is no URI", ErrInvalid, g.id, n.at)
		}
		n.resource = &resource{at: n.at, uri: uri, grammar: g, anchors: map[string]string{}}
		if _, taken := s.resources[uri.String()]; !taken {
			s.resources[uri.String()] = n.resource
		}
	}
	if g.refAlone {
		if fragment != "" {
			n.resource.anchors[fragment] = n.at
		}
		return nil
	}
	if anchor, ok := n.object["$anchor"].(string); ok {
		n.resource.anchors[anchor] = n.at
	}
	if anchor, ok := n.object["$dynamicAnchor"].(string); ok {
		n.resource.anchors[anchor] = n.at
		s.dynamic[anchor] = append(s.dynamic[anchor], n.at)
	}
	return nil
}

// grammar tells how to read a subschema: an embedded resource may be written in
// a dialect of its own.
func (n *node) grammar() (*grammar, error) {
	g := n.resource.grammar
	uri, ok := n.object["$schema"].(string)
	if !ok {
		return g, nil
	}
	own := grammarOf(uri)
	if own == nil {
		return nil, fmt.Errorf("%w: $schema at %q names the dialect %s", ErrUnsupported, n.at, quote(uri))
	}
	if _, ok := n.object[own.id]; ok || n.at == "" {
		return own, nil
	}
	return g, nil
}

// plant makes every subschema call the watch before it works: through a format
// in place of its own (see Published), and with a long enum moved behind that,
// since the validator compares before it looks at formats. Planting twice is
// planting once; what is malformed is left to be refused.
func (s *survey) plant(format string) {
	for _, n := range s.nodes {
		if n.object == nil {
			continue
		}
		if had, ok := n.object["format"]; ok {
			if _, ok := had.(string); !ok {
				continue
			}
		}
		n.object["format"] = format
		values, isList := n.object["enum"].([]any)
		all, _ := n.object["allOf"].([]any)
		if _, ok := n.object["allOf"]; isList && (!ok || len(all) > 0) {
			delete(n.object, "enum")
			n.object["allOf"] = append(all, map[string]any{"enum": values})
		}
	}
}
