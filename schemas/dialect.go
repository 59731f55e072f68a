package schemas

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A Dialect is a version of JSON Schema.
type Dialect string

// The dialects that Compile reads, and the word for all others.
const (
	Draft2020   Dialect = "2020-12"
	Draft2019   Dialect = "2019-09"
	Draft07     Dialect = "draft-07"
	Draft06     Dialect = "draft-06"
	Draft04     Dialect = "draft-04"
	Unsupported Dialect = "unsupported"
)

// grammar is what the survey of a schema must know of its dialect.
type grammar struct {
	dialect Dialect
	draft   *jsonschema.Draft
	id      string // the keyword that names a resource
	// refAlone: "$ref" hides everything beside it, and "#name" as an id is
	// what later became "$anchor".
	refAlone bool
}

var grammars = map[string]*grammar{
	"json-schema.org/draft/2020-12/schema": {Draft2020, jsonschema.Draft2020, "$id", false},
	"json-schema.org/draft/2019-09/schema": {Draft2019, jsonschema.Draft2019, "$id", false},
	"json-schema.org/draft-07/schema":      {Draft07, jsonschema.Draft7, "$id", true},
	"json-schema.org/draft-06/schema":      {Draft06, jsonschema.Draft6, "$id", true},
	"json-schema.org/draft-04/schema":      {Draft04, jsonschema.Draft4, "id", true},
}

var (
	newest = grammars["json-schema.org/draft/2020-12/schema"]
	common = grammars["json-schema.org/draft-07/schema"]
)

// grammarOf finds the grammar that a "$schema" names; nil when it is unknown.
func grammarOf(uri string) *grammar {
	name := withoutScheme(strings.TrimSuffix(uri, "#"))
	if name == "json-schema.org/schema" {
		return newest
	}
	return grammars[name]
}

func withoutScheme(uri string) string {
	if rest, ok := strings.CutPrefix(uri, "http://"); ok {
		return rest
	}
	return strings.TrimPrefix(uri, "https://")
}

// compileAny compiles a schema in the dialect it names, or in the first of the
// usual ones in which it makes sense.
func compileAny(raw []byte) (*Published, error) {
	doc, err := schemaLimits.parse(raw)
	if errors.Is(err, ErrBudget) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	candidates, err := candidatesFor(doc)
	if err != nil {
		return nil, err
	}
	var first error
	for _, g := range candidates {
		// Compiling plants the watch into its document: each attempt needs its own.
		if doc, err = schemaLimits.parse(raw); err != nil {
			return nil, err
		}
		published, err := compileAs(g, doc)
		if err == nil {
			return published, nil
		}
		// A schema in one dialect that dangles there says more than no schema in another.
		if !errors.Is(err, ErrInvalid) {
			return nil, err
		}
		first = cmp.Or(first, err)
	}
	return nil, first
}

func candidatesFor(doc any) ([]*grammar, error) {
	root, _ := doc.(map[string]any)
	named, ok := root["$schema"]
	if !ok {
		return []*grammar{newest, common}, nil
	}
	uri, ok := named.(string)
	if !ok {
		return nil, fmt.Errorf("%w: $schema is %s, not the name of a dialect", ErrInvalid, describe(named))
	}
	if g := grammarOf(uri); g != nil {
		return []*grammar{g}, nil
	}
	return nil, fmt.Errorf("%w: $schema names the dialect %s", ErrUnsupported, quote(uri))
}

// home is where a published schema stands when it does not say so itself. No
// loader knows this scheme.
const home = "mem:///published.json"

func compileAs(g *grammar, doc any) (published *Published, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			published, err = nil, fmt.Errorf("%w: the compiler broke on it: %v", ErrUnsupported, fault)
		}
	}()
	surveyed, err := surveySchema(g, doc)
	if err != nil {
		return nil, err
	}
	published = &Published{dialect: g.dialect, watch: &watch{ctx: context.Background(), left: math.MaxInt}, turn: make(chan struct{}, 1)}
	patterns := &patternSet{watch: published.watch, known: map[string]*watchedPattern{}}
	compiler := newCompiler(g, published.watch, patterns)
	surveyed.plant(checkpoint)
	if err := compiler.AddResource(home, doc); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	// Asking for a place that does not exist makes the compiler hold the
	// document against its metaschema and stop there: whether it is a schema
	// comes before where its references lead.
	_, err = compiler.Compile(home + "#/" + checkpoint)
	if notFound := new(jsonschema.JSONPointerNotFoundError); !errors.As(err, &notFound) {
		return nil, patterns.explain(g, err)
	}
	if err := surveyed.follow(); err != nil {
		return nil, err
	}
	if err := surveyed.expand(); err != nil {
		return nil, err
	}
	surveyed.plant(checkpoint) // now also into what only references lead to
	if published.schema, err = compiler.Compile(home); err != nil {
		return nil, patterns.explain(g, err)
	}
	return published, nil
}

func newCompiler(g *grammar, w *watch, patterns *patternSet) *jsonschema.Compiler {
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(denyAll{})
	compiler.DefaultDraft(g.draft)
	compiler.UseRegexpEngine(patterns.compile)
	compiler.AssertFormat()
	compiler.RegisterFormat(&jsonschema.Format{Name: checkpoint, Validate: func(any) error {
		w.step()
		return nil
	}})
	return compiler
}

// checkpoint is the format that is planted into every subschema.
const checkpoint = "aql-conform-checkpoint"

// explain turns an error of the compiler into one of ours.
func (s *patternSet) explain(g *grammar, err error) error {
	var mismatch *jsonschema.SchemaValidationError
	var unloaded *jsonschema.LoadURLError
	switch {
	case s.overBudget != nil:
		return s.overBudget
	case errors.As(err, &unloaded):
		return fmt.Errorf("%w: %s", ErrRemote, quote(unloaded.URL))
	case errors.As(err, &mismatch):
		return explainMismatch(g, mismatch)
	}
	return fmt.Errorf("%w as %s: %s", ErrInvalid, g.dialect, strings.ReplaceAll(err.Error(), home, ""))
}

func explainMismatch(g *grammar, err *jsonschema.SchemaValidationError) error {
	var tree *jsonschema.ValidationError
	if errors.As(err.Err, &tree) {
		if all, err := departures(nil, tree); err == nil && len(all) > 0 {
			return fmt.Errorf("%w as %s at %q: want %s", ErrInvalid, g.dialect, all[0].Pointer, all[0].Want)
		}
	}
	return fmt.Errorf("%w as %s", ErrInvalid, g.dialect)
}

// patternSet compiles the patterns of one schema and bounds them together: each
// may be small and all of them large.
type patternSet struct {
	*watch
	known        map[string]*watchedPattern
	instructions int
	overBudget   error
}

const maxSchemaInstructions = 200_000

func (s *patternSet) compile(source string) (jsonschema.Regexp, error) {
	if s.overBudget != nil {
		return nil, s.overBudget
	}
	// The compiler asks once for the metaschema and once for itself.
	if p, ok := s.known[source]; ok {
		return p, nil
	}
	pattern, err := CompilePattern(source)
	switch {
	case errors.Is(err, ErrPatternUnsupported):
		// Without a pattern, but the rest of the schema is still of use.
	case err == nil:
		if s.instructions += pattern.instructions; s.instructions > maxSchemaInstructions {
			s.overBudget = fmt.Errorf("%w: its patterns are too large together", ErrBudget)
			return nil, s.overBudget
		}
	case errors.Is(err, ErrBudget):
		s.overBudget = err
		return nil, err
	default:
		return nil, err
	}
	p := &watchedPattern{watch: s.watch, source: source, pattern: pattern}
	s.known[source] = p
	return p, nil
}
