package schemas

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
)

const (
	// How often one value may be judged, and through how many schemas in a row,
	// before the schema descends into it. Both multiply with the instance.
	maxExpansion = 100_000
	maxChain     = 64
)

// follow resolves every reference that can be reached from the root. One in a
// definition that nothing uses harms nobody.
func (s *survey) follow() error {
	seen := map[string]bool{"": true}
	for queue := []string{""}; len(queue) > 0; queue = queue[1:] {
		n := s.nodes[queue[0]]
		if err := s.resolve(n); err != nil {
			return err
		}
		for _, next := range slices.Concat(n.inPlace, n.nested) {
			if !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	return nil
}

// resolve adds the targets of a node's references to its neighbours.
func (s *survey) resolve(n *node) error {
	if ref, ok := n.object["$ref"].(string); ok {
		if n.resource.grammar.refAlone {
			n.inPlace, n.nested = nil, nil
		}
		if err := s.enter(n, ref); err != nil {
			return err
		}
	}
	if ref, ok := n.object["$recursiveRef"].(string); ok && n.resource.grammar.dialect == Draft2019 {
		// It means the outermost resource that agrees to be meant.
		n.inPlace = append(n.inPlace, "")
		if err := s.enter(n, ref); err != nil {
			return err
		}
	}
	if ref, ok := n.object["$dynamicRef"].(string); ok && n.resource.grammar.dialect == Draft2020 {
		if err := s.enter(n, ref); err != nil {
			return err
		}
		_, anchor, _ := strings.Cut(ref, "#")
		n.inPlace = append(n.inPlace, s.dynamic[anchor]...)
	}
	// A second way to the same schema is followed again, a name for it is not.
	slices.Sort(n.nested)
	n.nested = slices.Compact(n.nested)
	return nil
}

// enter finds the target of one reference and makes it a neighbour of n.
func (s *survey) enter(n *node, ref string) error {
	name, fragment, _ := strings.Cut(ref, "#")
	fragment, err := url.PathUnescape(fragment)
	if err != nil {
		return fmt.Errorf("%w: the reference %s at %q is no URI", ErrInvalid, quote(ref), n.at)
	}
	uri, err := join(n.resource.uri, name)
	if err != nil {
		return fmt.Errorf("%w: the reference %s at %q is no URI", ErrInvalid, quote(ref), n.at)
	}
	target, ok := s.resources[uri.String()]
	switch {
	case !ok && grammarOf(uri.String()) != nil:
		return nil // the metaschemas come with the compiler
	case !ok:
		return fmt.Errorf("%w: %s at %q", ErrRemote, quote(ref), n.at)
	}
	at, ok := target.at+fragment, true
	if fragment != "" && fragment[0] != '/' {
		at, ok = target.anchors[fragment]
	}
	if !ok {
		return fmt.Errorf("%w: %s at %q names no anchor", ErrDangling, quote(ref), n.at)
	}
	n.inPlace = append(n.inPlace, at)
	return s.locate(at, ref, n)
}

// locate makes sure that a pointer leads to a schema. Keywords do not make one
// of everything a reference may point at: "#/components/thing" is common.
func (s *survey) locate(at, ref string, from *node) error {
	if _, ok := s.nodes[at]; ok {
		return nil
	}
	dangling := fmt.Errorf("%w: %s at %q", ErrDangling, quote(ref), from.at)
	tokens, ok := splitPointer(at)
	if !ok {
		return dangling
	}
	target := value(s.doc, tokens)
	switch target.(type) {
	case map[string]any, bool:
	default:
		return dangling
	}
	owner := s.nodes[""]
	for up := at; up != ""; up = up[:strings.LastIndexByte(up, '/')] {
		if n, ok := s.nodes[up]; ok {
			owner = n
			break
		}
	}
	keyword, _, _ := strings.Cut(at[len(owner.at)+1:], "/")
	if slices.Contains(dataKeywords, keyword) {
		return fmt.Errorf("%w, to a value that is no schema", dangling)
	}
	if s.strays++; s.strays > maxStrays {
		return fmt.Errorf("%w: more than %d references to places that no keyword makes a schema", ErrBudget, maxStrays)
	}
	return s.collect(at, target, owner.resource)
}

// expand refuses a schema that judges one value too often. References share
// their targets, so a page of text can stand for more work than there is time.
func (s *survey) expand() error {
	e := &expansion{survey: s, cost: map[string]int{}, chain: map[string]int{}}
	for _, at := range slices.Sorted(maps.Keys(s.nodes)) {
		if err := e.visit(at); err != nil {
			return err
		}
	}
	return nil
}

type expansion struct {
	*survey
	cost  map[string]int // how often a value is judged on behalf of a node; 0 while that is being found out
	chain map[string]int // how many schemas judge it one inside the other
}

func (e *expansion) visit(at string) error {
	if cost, ok := e.cost[at]; ok {
		if cost == 0 {
			return fmt.Errorf("%w: the schema at %q refers to itself without end", ErrBudget, at)
		}
		return nil
	}
	e.cost[at] = 0
	cost, chain := 1, 1
	for _, next := range e.nodes[at].inPlace {
		if err := e.visit(next); err != nil {
			return err
		}
		cost = min(cost+e.cost[next], maxExpansion+1)
		chain = max(chain, e.chain[next]+1)
	}
	if cost > maxExpansion {
		return fmt.Errorf("%w: the schema at %q expands to more than %d schemas for one value", ErrBudget, at, maxExpansion)
	}
	if chain > maxChain {
		return fmt.Errorf("%w: the schema at %q runs through more than %d schemas for one value", ErrBudget, at, maxChain)
	}
	e.cost[at], e.chain[at] = cost, chain
	return nil
}

// join resolves a reference without fragment.
func join(base *url.URL, ref string) (*url.URL, error) {
	if ref == "" {
		return base, nil
	}
	parsed, err := url.Parse(ref)
	if err != nil {
		return nil, err
	}
	joined := base.ResolveReference(parsed)
	// Opaque URIs (urn:) have no path to join with; ResolveReference would drop
	// the base.
	if !parsed.IsAbs() && base.Opaque != "" {
		joined.Opaque = base.Opaque
	}
	return joined, nil
}
