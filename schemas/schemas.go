// Package schemas is the law in a form a program can apply: the JSON Schemas
// of one version of the MCP-AQL specification, written for this project, and
// the means to say where a document departs from them. It does the same for
// the schemas that an adapter publishes about itself, which it takes for
// hostile: nothing they say makes it read a file, open a connection, or work
// without end.
//
// It refuses to know what a departure is worth. Whether a closed object with a
// key too many is a FAIL, a WARN or a note is for the requirements to say, and
// so are faults that are gone once a document is parsed: duplicate keys and
// broken UTF-8.
package schemas

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

const (
	version = "v1.0.0-draft"
	suffix  = ".schema.json"
	origin  = "https://github.com/aql-conform/aql-conform/raw/main/schemas/" + version + "/"
)

//go:embed v1.0.0-draft/*.schema.json
var texts embed.FS

// law holds every schema by name and definition; the schema as a whole has the
// definition "".
var law = sync.OnceValue(func() map[string]map[string]*jsonschema.Schema {
	all, err := compileLaw()
	if err != nil {
		panic("schemas: the embedded schemas do not compile: " + err.Error())
	}
	return all
})

// Check says where a JSON document departs from the named schema, or from
// $defs/def of that schema when def is not empty: Check("introspection-response",
// "OperationInfo", doc). No departure means that the document fits. The order
// is that of Departure; a document with more departures than anyone reads
// yields the first 200.
//
// The error is about the question, not about the document's shape: an unknown
// name or def, a document that is not JSON, or one over budget (ErrBudget:
// 16 MiB, 1 000 levels, 500 000 values, numbers of 1 000 characters or with an
// exponent beyond 400).
func Check(name, def string, doc []byte) ([]Departure, error) {
	defs, ok := law()[name]
	if !ok {
		return nil, fmt.Errorf("unknown schema %q: it is one of %s", name, strings.Join(Names(), ", "))
	}
	schema, ok := defs[def]
	if !ok {
		return nil, fmt.Errorf("schema %s has no definition %q", name, def)
	}
	value, err := documentLimits.parse(doc)
	if err != nil {
		return nil, err
	}
	return judge(schema, value)
}

// Names lists the schemas that Check knows, sorted.
func Names() []string {
	return slices.Sorted(maps.Keys(law()))
}

// judge is the one place where a parsed document meets a compiled schema.
func judge(schema *jsonschema.Schema, value any) ([]Departure, error) {
	err := schema.Validate(value)
	var invalid *jsonschema.ValidationError
	switch {
	case err == nil:
		return nil, nil
	case errors.As(err, &invalid):
		return departures(value, invalid)
	default:
		return nil, fmt.Errorf("validate: %w", err)
	}
}

func compileLaw() (map[string]map[string]*jsonschema.Schema, error) {
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(denyAll{})
	// The drafts leave "format" a remark; for the one we use (an expiry that a
	// program must be able to read) the letter counts.
	compiler.AssertFormat()
	defs, err := addTexts(compiler)
	if err != nil {
		return nil, err
	}
	all := make(map[string]map[string]*jsonschema.Schema, len(defs))
	for name, names := range defs {
		all[name] = make(map[string]*jsonschema.Schema, len(names))
		for _, def := range names {
			at := origin + name + suffix
			if def != "" {
				at += "#/$defs/" + def
			}
			if all[name][def], err = compiler.Compile(at); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// addTexts hands the embedded files to the compiler and returns, for each
// schema, the definitions it holds, "" among them.
func addTexts(compiler *jsonschema.Compiler) (map[string][]string, error) {
	files, err := texts.ReadDir(version)
	if err != nil {
		return nil, err
	}
	defs := make(map[string][]string, len(files))
	for _, file := range files {
		text, err := texts.ReadFile(version + "/" + file.Name())
		if err != nil {
			return nil, err
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file.Name(), err)
		}
		if err := compiler.AddResource(origin+file.Name(), doc); err != nil {
			return nil, fmt.Errorf("%s: %w", file.Name(), err)
		}
		name := strings.TrimSuffix(file.Name(), suffix)
		defs[name] = []string{""}
		root, _ := doc.(map[string]any)
		inner, _ := root["$defs"].(map[string]any)
		for def := range inner {
			defs[name] = append(defs[name], def)
		}
	}
	return defs, nil
}

// denyAll keeps the validator off the disk: its own loader would follow a
// file:// reference and print what it found there.
type denyAll struct{}

func (denyAll) Load(url string) (any, error) {
	return nil, fmt.Errorf("%w: %q", ErrRemote, url)
}
