package schemas

import (
	"maps"
	"slices"
	"strconv"
)

// How a keyword relates the schemas it holds to the value being judged.
type relation int

const (
	inPlace relation = iota
	nested
	stored // judges nothing until referred to
)

// How a keyword holds schemas.
type holding int

const (
	one holding = iota
	many
	named
	oneOrMany
)

// applicators are the keywords of all dialects that hold schemas. One that a
// dialect does not know is walked all the same: that costs a little care and
// can accuse nobody. What stands under any other keyword is data; a "$ref"
// there refers to nothing.
var applicators = map[string]struct {
	relation relation
	holding  holding
}{
	"allOf": {inPlace, many}, "anyOf": {inPlace, many}, "oneOf": {inPlace, many},
	"not": {inPlace, one}, "if": {inPlace, one}, "then": {inPlace, one}, "else": {inPlace, one},
	"dependentSchemas": {inPlace, named}, "dependencies": {inPlace, named},
	"properties": {nested, named}, "patternProperties": {nested, named}, "additionalProperties": {nested, one},
	"propertyNames": {nested, one}, "unevaluatedProperties": {nested, one},
	"items": {nested, oneOrMany}, "prefixItems": {nested, many}, "additionalItems": {nested, one},
	"contains": {nested, one}, "unevaluatedItems": {nested, one},
	"contentSchema": {stored, one}, "$defs": {stored, named}, "definitions": {stored, named},
}

// dataKeywords hold values that may look like schemas and are none.
var dataKeywords = []string{"const", "default", "enum", "examples"}

type heldSchema struct {
	token  string // what follows the keyword in a JSON Pointer
	schema any
}

// hold lists the schemas below a keyword in a fixed order. What has the wrong
// shape is left for the metaschema to refuse.
func hold(how holding, value any) []heldSchema {
	var held []heldSchema
	switch v := value.(type) {
	case []any:
		if how != many && how != oneOrMany {
			return nil
		}
		for i, schema := range v {
			held = append(held, heldSchema{"/" + strconv.Itoa(i), schema})
		}
	case map[string]any:
		if how == one || how == oneOrMany {
			return []heldSchema{{"", v}}
		}
		if how != named {
			return nil
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			// "dependencies" holds lists of names beside schemas.
			if _, isList := v[name].([]any); !isList {
				held = append(held, heldSchema{"/" + escaper.Replace(name), v[name]})
			}
		}
	case bool:
		if how == one || how == oneOrMany {
			return []heldSchema{{"", v}}
		}
	}
	return held
}
