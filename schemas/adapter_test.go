package schemas

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func mustCompile(t *testing.T, schema string) *Published {
	t.Helper()
	p, err := Compile(t.Context(), []byte(schema))
	if err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	return p
}

func TestCompileErrors(t *testing.T) {
	for name, c := range map[string]struct {
		schema string
		want   error
	}{
		"not JSON":                      {`{"type":`, ErrInvalid},
		"a string":                      {`"object"`, ErrInvalid},
		"null":                          {`null`, ErrInvalid},
		"unknown type":                  {`{"type":"map"}`, ErrInvalid},
		"draft-04 boolean bound":        {`{"minimum":1,"exclusiveMinimum":true}`, ErrInvalid},
		"tuple items said to be 2020":   {`{"$schema":"https://json-schema.org/draft/2020-12/schema","items":[{}]}`, ErrInvalid},
		"broken pattern":                {`{"properties":{"a":{"pattern":"^[a-z"}}}`, ErrInvalid},
		"ref of a wrong type":           {`{"$ref":5}`, ErrInvalid},
		"format of a wrong type":        {`{"format":5}`, ErrInvalid},
		"$schema of a wrong type":       {`{"$schema":7}`, ErrInvalid},
		"two of one id":                 {`{"$schema":"https://json-schema.org/draft/2020-12/schema","$defs":{"a":{"$id":"x"},"b":{"$id":"x"}}}`, ErrInvalid},
		"unknown dialect":               {`{"$schema":"https://example.com/dialect"}`, ErrUnsupported},
		"draft-03":                      {`{"$schema":"http://json-schema.org/draft-03/schema#"}`, ErrUnsupported},
		"embedded unknown dialect":      {`{"$defs":{"a":{"$id":"x","$schema":"https://example.com/dialect"}}}`, ErrUnsupported},
		"http ref":                      {`{"$ref":"https://example.com/a.json"}`, ErrRemote},
		"relative ref":                  {`{"properties":{"a":{"$ref":"other.json#/x"}}}`, ErrRemote},
		"ref against an id":             {`{"$id":"https://example.com/s/","$ref":"t"}`, ErrRemote},
		"dangling pointer":              {`{"$ref":"#/$defs/none","$defs":{}}`, ErrDangling},
		"dangling anchor":               {`{"items":{"$ref":"#none"}}`, ErrDangling},
		"pointer to no schema":          {`{"$ref":"#/$defs","$defs":[]}`, ErrDangling},
		"pointer into data":             {`{"const":{"a":{}},"items":{"$ref":"#/const/a"}}`, ErrDangling},
		"pointer with a bad escape":     {`{"$ref":"#/a~2b"}`, ErrDangling},
		"dangling in draft-07":          {`{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"$ref":"#/definitions/x"}]}`, ErrDangling},
		"reference to itself":           {`{"$ref":"#"}`, ErrBudget},
		"circle in place":               {`{"$ref":"#/$defs/a","$defs":{"a":{"anyOf":[{"type":"string"},{"$ref":"#/$defs/b"}]},"b":{"not":{"$ref":"#/$defs/a"}}}}`, ErrBudget},
		"huge exponent":                 {`{"maximum":1e1000000}`, ErrBudget},
		"too large":                     {`{"description":"` + strings.Repeat("x", 1<<20) + `"}`, ErrBudget},
		"too deep":                      {strings.Repeat(`{"not":`, 300) + `{}` + strings.Repeat(`}`, 300), ErrBudget},
		"too many subschemas":           {`{"anyOf":[` + strings.Repeat(`{},`, 5000) + `{}]}`, ErrBudget},
		"too long a path":               {`{"properties":{"` + strings.Repeat("k", 5000) + `":{}}}`, ErrBudget},
		"too many strays":               {strays(200), ErrBudget},
		"too long a chain":              {chainOfRefs(200), ErrBudget},
		"pattern of many instructions":  {`{"pattern":"` + strings.Repeat(`.{1000}`, 100) + `"}`, ErrBudget},
		"patterns large together":       {manyPatterns(300), ErrBudget},
		"exponential allOf of two refs": {doubling(26), ErrBudget},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := Compile(t.Context(), []byte(c.schema))
			if !errors.Is(err, c.want) {
				t.Fatalf("got %v, want %v", err, c.want)
			}
			for _, other := range []error{ErrInvalid, ErrUnsupported, ErrRemote, ErrDangling, ErrBudget} {
				if other != c.want && errors.Is(err, other) {
					t.Errorf("%v is also %v", err, other)
				}
			}
			if p.Dialect() != Unsupported {
				t.Errorf("dialect %s of a schema that did not compile", p.Dialect())
			}
		})
	}
}

// doubling is a page of text that stands for 2^n schemas.
func doubling(n int) string {
	var b strings.Builder
	b.WriteString(`{"$ref":"#/$defs/s0","$defs":{`)
	for i := range n {
		fmt.Fprintf(&b, `"s%d":{"allOf":[{"$ref":"#/$defs/s%d"},{"$ref":"#/$defs/s%d"}]},`, i, i+1, i+1)
	}
	fmt.Fprintf(&b, `"s%d":{}}}`, n)
	return b.String()
}

func chainOfRefs(n int) string {
	var b strings.Builder
	b.WriteString(`{"$ref":"#/$defs/s0","$defs":{`)
	for i := range n {
		fmt.Fprintf(&b, `"s%d":{"$ref":"#/$defs/s%d"},`, i, i+1)
	}
	fmt.Fprintf(&b, `"s%d":{}}}`, n)
	return b.String()
}

func strays(n int) string {
	var refs, targets []string
	for i := range n {
		refs = append(refs, fmt.Sprintf(`{"$ref":"#/x-parts/%d"}`, i))
		targets = append(targets, `{}`)
	}
	return `{"anyOf":[` + strings.Join(refs, ",") + `],"x-parts":[` + strings.Join(targets, ",") + `]}`
}

func manyPatterns(n int) string {
	var parts []string
	for i := range n {
		parts = append(parts, fmt.Sprintf(`{"pattern":"%d.{1000}"}`, i))
	}
	return `{"anyOf":[` + strings.Join(parts, ",") + `]}`
}

func TestPublishedCheck(t *testing.T) {
	const closed = `{"type":"object","properties":{"a":{"type":"string"},"$ref":{"type":"string"}},"required":["a"],"additionalProperties":false}`
	for name, c := range map[string]struct {
		schema, doc string
		dialect     Dialect
		want        []string
	}{
		"fits":                   {closed, `{"a":"x","$ref":"#/nowhere"}`, Draft2020, nil},
		"departs":                {closed, `{"a":1,"b":2}`, Draft2020, []string{`/a type string`, `/b additionalProperties no property "b"`}},
		"true":                   {`true`, `1`, Draft2020, nil},
		"false":                  {`false`, `1`, Draft2020, []string{` false no value at all`}},
		"empty":                  {`{}`, `[1]`, Draft2020, nil},
		"tuple without $schema":  {`{"items":[{"type":"string"},{"type":"number"}],"additionalItems":false}`, `["a","b",3]`, Draft07, []string{` additionalItems array with 1 item fewer`, `/1 type number`}},
		"prefixItems":            {`{"prefixItems":[{"type":"string"}],"items":false}`, `[1,2]`, Draft2020, []string{`/0 type string`, `/1 false no value at all`}},
		"draft-04":               {`{"$schema":"http://json-schema.org/draft-04/schema#","minimum":1,"exclusiveMinimum":true}`, `1`, Draft04, []string{` exclusiveMinimum number above 1`}},
		"draft-06":               {`{"$schema":"http://json-schema.org/draft-06/schema","contains":{"const":1}}`, `[2]`, Draft06, []string{` contains array with an item that fits`}},
		"2019-09 recursion":      {`{"$schema":"https://json-schema.org/draft/2019-09/schema","$recursiveAnchor":true,"type":"object","properties":{"c":{"$recursiveRef":"#"}}}`, `{"c":{"c":1}}`, Draft2019, []string{`/c/c type object`}},
		"dynamic anchor":         {`{"$dynamicAnchor":"n","type":"object","properties":{"c":{"$dynamicRef":"#n"}}}`, `{"c":1}`, Draft2020, []string{`/c type object`}},
		"$ref as data":           {`{"const":{"$ref":"file:///nowhere"},"default":{"$ref":"#/no"},"enum":[{"$ref":"file:///nowhere"}],"examples":[{"$ref":"x.json"}]}`, `{"$ref":"file:///nowhere"}`, Draft2020, nil},
		"ref siblings in 2020":   {`{"$ref":"#/$defs/a","maxLength":1,"$defs":{"a":{"type":"string"}}}`, `"xy"`, Draft2020, []string{` maxLength string of at most 1 character`}},
		"ref siblings in 07":     {`{"$schema":"http://json-schema.org/draft-07/schema#","$ref":"#/definitions/a","maxLength":1,"definitions":{"a":{"type":"string"}}}`, `"xy"`, Draft07, nil},
		"local bundle":           {`{"$id":"https://example.com/s","$ref":"t","$defs":{"t":{"$id":"t","type":"array","items":{"$ref":"#e"},"$defs":{"e":{"$anchor":"e","type":"string"}}}}}`, `[1]`, Draft2020, []string{`/0 type string`}},
		"urn bundle":             {`{"$id":"urn:x:s","$ref":"urn:x:t","$defs":{"t":{"$id":"urn:x:t","$ref":"#/$defs/e","$defs":{"e":{"type":"string"}}}}}`, `1`, Draft2020, []string{` type string`}},
		"draft-07 anchor":        {`{"$schema":"http://json-schema.org/draft-07/schema#","definitions":{"a":{"$id":"#a","type":"string"}},"allOf":[{"$ref":"#a"}]}`, `1`, Draft07, []string{` type string`}},
		"unused dangling":        {`{"$defs":{"a":{"$ref":"#/none"},"b":{"$ref":"https://example.com/x"}},"type":"string"}`, `1`, Draft2020, []string{` type string`}},
		"stray":                  {`{"$ref":"#/components/a","components":{"a":{"items":{"type":"string"}}}}`, `[1]`, Draft2020, []string{`/0 type string`}},
		"metaschema":             {`{"properties":{"s":{"$ref":"http://json-schema.org/draft-07/schema#"}}}`, `{"s":{"minLength":-1}}`, Draft2020, []string{`/s/minLength minimum number of at least 0`}},
		"format is a remark":     {`{"$schema":"http://json-schema.org/draft-07/schema#","format":"email"}`, `"nobody"`, Draft07, nil},
		"look-ahead":             {`{"pattern":"^(?=.*\\d)[a-z\\d]+$"}`, `"abc"`, Draft2020, []string{` pattern string that matches ^(?=.*\d)[a-z\d]+$`}},
		"look-ahead fits":        {`{"pattern":"^(?=.*\\d)[a-z\\d]+$"}`, `"abc1"`, Draft2020, nil},
		"recursion":              {`{"type":"object","properties":{"c":{"$ref":"#"}},"additionalProperties":false}`, `{"c":{"c":{"d":1}}}`, Draft2020, []string{`/c/c/d additionalProperties no property "d"`}},
		"union by const":         {`{"oneOf":[{"properties":{"k":{"const":"a"},"v":{"type":"string"}}},{"properties":{"k":{"const":"b"},"w":{"type":"number"}}}]}`, `{"k":"b","w":"x"}`, Draft2020, []string{`/w type number`}},
		"union by type":          {`{"anyOf":[{"type":"string","minLength":3},{"type":"null"}]}`, `"x"`, Draft2020, []string{` minLength string of at least 3 characters`}},
		"union of types":         {`{"anyOf":[{"type":"string"},{"type":"null"}]}`, `1`, Draft2020, []string{` type string or null`}},
		"union of keys":          {`{"anyOf":[{"required":["a"]},{"required":["b"]}]}`, `{}`, Draft2020, []string{` required property "a" or property "b"`}},
		"union, no telling":      {`{"oneOf":[{"minLength":2,"pattern":"^a"},{"minLength":2,"pattern":"^b"}]}`, `"c"`, Draft2020, []string{` minLength string of at least 2 characters`}},
		"two alternatives match": {`{"oneOf":[{"minimum":1},{"minimum":2}]}`, `3`, Draft2020, []string{` oneOf a value that fits exactly one alternative`}},
		"exact numbers":          {`{"properties":{"a":{"maximum":9007199254740992},"b":{"multipleOf":0.01},"c":{"type":"integer"}}}`, `{"a":9007199254740993,"b":4.35,"c":1.0}`, Draft2020, []string{`/a maximum number of at most 9.007199254740992e+15`}},
		"an enum":                {`{"enum":["a",1,null,{}],"minLength":2}`, `"b"`, Draft2020, []string{` enum one of "a", number 1, null, object with 0 properties`, ` minLength string of at least 2 characters`}},
		"an enum beside allOf":   {`{"allOf":[{"type":"string"}],"enum":["a"]}`, `"b"`, Draft2020, []string{` enum one of "a"`}},
		"property names":         {`{"properties":{"x":{"properties":{"y":{"propertyNames":{"maxLength":1}}}},"z":{"type":"string"}}}`, `{"x":{"y":{"long":1}},"z":1}`, Draft2020, []string{`/x/y propertyNames only property names that fit`, `/z type string`}},
	} {
		t.Run(name, func(t *testing.T) {
			p := mustCompile(t, c.schema)
			if p.Dialect() != c.dialect {
				t.Errorf("dialect %s, want %s", p.Dialect(), c.dialect)
			}
			found, err := p.Check(t.Context(), []byte(c.doc))
			if got := short(found); err != nil || !slices.Equal(got, c.want) {
				t.Errorf("got %q, %v\nwant %q", got, err, c.want)
			}
		})
	}
}

// The default loader of the validator reads files, and prints what it found in
// its errors.
func TestNothingIsEverFetched(t *testing.T) {
	const secret = "aql-conform-secret"
	path := filepath.Join(t.TempDir(), "schema.json")
	if err := os.WriteFile(path, []byte(`{"const":"`+secret+`"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("%s was fetched", r.URL)
		fmt.Fprintf(w, `{"const":%q}`, secret)
	}))
	defer server.Close()
	for _, uri := range []string{"file://" + filepath.ToSlash(path), filepath.ToSlash(path), server.URL + "/schema.json"} {
		for keyword, want := range map[string]error{"$ref": ErrRemote, "$dynamicRef": ErrRemote, "$schema": ErrUnsupported} {
			for _, schema := range []string{`{%q:%q}`, `{"properties":{"a":{"$id":"https://example.com/y",%q:%q}}}`, `{"$id":"file:///","items":{"$id":"https://example.com/z",%q:%q}}`} {
				_, err := Compile(t.Context(), fmt.Appendf(nil, schema, keyword, uri))
				if !errors.Is(err, want) {
					t.Errorf("%s %s: got %v, want %v", keyword, uri, err, want)
				}
				if err != nil && strings.Contains(err.Error(), secret) {
					t.Errorf("the file was read: %v", err)
				}
			}
		}
	}
}
