package schemas

import (
	"slices"
	"testing"
)

// Every keyword that can fail has words of its own.
func TestDeparturePhrases(t *testing.T) {
	for _, c := range []struct{ schema, doc, pointer, keyword, want, got string }{
		{`{"type":["string","null"]}`, `1.50`, "", "type", "null or string", "number 1.50"},
		{`{"const":{"a":1}}`, `true`, "", "const", "object with 1 property", "boolean true"},
		{`{"not":{"type":"null"}}`, `null`, "", "not", "a value that does not fit the excluded schema", "null"},
		{`{"maximum":0.1}`, `2`, "", "maximum", "number of at most 0.1", "number 2"},
		{`{"exclusiveMaximum":2}`, `2`, "", "exclusiveMaximum", "number below 2", "number 2"},
		{`{"minimum":0.12345678901234567891}`, `0`, "", "minimum", "number of at least 12345678901234567891/100000000000000000000", "number 0"},
		{`{"multipleOf":0.01}`, `0.005`, "", "multipleOf", "multiple of 0.01", "number 0.005"},
		{`{"maxItems":1}`, `[1,2]`, "", "maxItems", "array of at most 1 item", "array of 2 items"},
		{`{"minProperties":1}`, `{}`, "", "minProperties", "object with at least 1 property", "object with 0 properties"},
		{`{"maxProperties":1}`, `{"a":1,"b":2}`, "", "maxProperties", "object with at most 1 property", "object with 2 properties"},
		{`{"uniqueItems":true}`, `[1,2,1.0]`, "", "uniqueItems", "array without equal items (those at 0 and 2 are)", "array of 3 items"},
		{`{"contains":{"const":1},"minContains":2}`, `[1]`, "", "minContains", "array with at least 2 items that fit", "array of 1 item"},
		{`{"contains":{"const":1},"maxContains":1}`, `[1,1]`, "", "maxContains", "array with at most 1 item that fit", "array of 2 items"},
		{`{"dependentRequired":{"a":["b"]}}`, `{"a":1}`, "", "dependentRequired", `property "b"`, "no such property"},
		{`{"$schema":"http://json-schema.org/draft-07/schema","dependencies":{"a":["b"]}}`, `{"a":1}`, "", "dependencies", `property "b"`, "no such property"},
		{`{"unevaluatedProperties":false}`, `{"a/b~":1}`, "/a~1b~0", "false", "no value at all", "number 1"},
		{`{"oneOf":[{"const":1},{"const":1}]}`, `1`, "", "oneOf", "a value that fits exactly one alternative", "a value that fits alternatives 0 and 1"},
		{`{"anyOf":[{"minLength":2,"pattern":"b"},{"minLength":3,"pattern":"c"}]}`, `"a"`, "", "anyOf", "a value that fits one of 2 alternatives", `string "a"`},
		{`{"anyOf":[{"type":"array"},{"const":"x"}]}`, `1`, "", "anyOf", `array or string "x"`, "number 1"},
		// Of a name that occurs twice, only the innermost place that holds both is known.
		{`{"items":{"propertyNames":{"maxLength":2}}}`, `[{"b":{"long":1}},{"long":1}]`, "", "propertyNames", "only property names that fit", `property name "long"`},
	} {
		p := mustCompile(t, c.schema)
		found, err := p.Check(t.Context(), []byte(c.doc))
		want := []Departure{{Pointer: c.pointer, Keyword: c.keyword, Want: c.want, Got: c.got}}
		if err != nil || !slices.Equal(found, want) {
			t.Errorf("%s on %s\ngot  %+v, %v\nwant %+v", c.schema, c.doc, found, err, want)
		}
	}
}
