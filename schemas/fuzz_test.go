package schemas

import (
	"encoding/json"
	"errors"
	"testing"
)

// What Check says must hold together: one document, one list; a document that
// fits the whole is a success or a failure and never both.
func FuzzCheck(f *testing.F) {
	for _, seed := range []string{
		`{"success":true,"data":null}`, `{"success":false,"error":{"code":"A","message":"m"}}`,
		`{"success":true,"data":1,"results":[{"index":0,"operation":"a","result":{"success":true,"data":1e400}}]}`,
		`{"success":"yes"}`, `{"success":true,"success":false}`, `[`, `{"success":true,"data":1e999999}`, "\xff", `"\ud800"`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		found, err := Check("operation-result", "", doc)
		if err != nil {
			if !errors.Is(err, ErrBudget) && json.Valid(doc) {
				t.Fatalf("JSON that is neither judged nor over budget: %v", err)
			}
			return
		}
		success, err1 := Check("operation-result", "Success", doc)
		failure, err2 := Check("operation-result", "Failure", doc)
		if err1 != nil || err2 != nil {
			t.Fatalf("the parts are not judged: %v, %v", err1, err2)
		}
		fits := (len(success) == 0) != (len(failure) == 0)
		if (len(found) == 0) != fits {
			t.Fatalf("departures %v, but Success %v and Failure %v", found, success, failure)
		}
	})
}

func FuzzCompile(f *testing.F) {
	for _, seed := range []string{
		`{"type":"object","properties":{"a":{"pattern":"^(?=a)"}}}`, `{"items":[{}]}`, doubling(4), `{"$ref":"#/x","x":{}}`,
		`{"$id":"urn:a:b","$defs":{"a":{"$id":"c","$anchor":"d"}},"$dynamicRef":"#d"}`, `{"$ref":"#/%"}`, `{"$id":"::"}`,
		`{"$schema":"http://json-schema.org/draft-04/schema","id":"#a","dependencies":{"a":["b"],"c":{}}}`,
		`{"$schema":"https://json-schema.org/draft/2019-09/schema","$recursiveRef":"#"}`, `{"$ref":"#/allOf/00","allOf":[{}]}`,
	} {
		f.Add([]byte(seed), []byte(`{"a":["b",{"c":1}]}`))
	}
	known := []error{ErrInvalid, ErrUnsupported, ErrRemote, ErrDangling, ErrBudget}
	f.Fuzz(func(t *testing.T, schema, doc []byte) {
		p, err := Compile(t.Context(), schema)
		if err != nil {
			for _, k := range known {
				if errors.Is(err, k) {
					return
				}
			}
			t.Fatalf("an error of no kind: %v", err)
		}
		if found, err := p.Check(t.Context(), doc); err != nil {
			if !errors.Is(err, ErrBudget) && !errors.Is(err, ErrUnsupported) && json.Valid(doc) {
				t.Fatalf("JSON that is neither judged nor over budget: %v, %v", found, err)
			}
		}
	})
}

func FuzzCompilePattern(f *testing.F) {
	for _, seed := range []string{`^[a-z]+$`, `(?=a)b`, `[`, `\`, `a**`, `(?<n>a)\k<n>`, `[^]`, `\Q(\E`, `(?#`, `(?x)#(`, `a{2,1}`, `\u{110000}`} {
		f.Add(seed, "abc")
	}
	f.Fuzz(func(t *testing.T, pattern, subject string) {
		p, err := CompilePattern(pattern)
		if err != nil {
			if !errors.Is(err, ErrBadPattern) && !errors.Is(err, ErrPatternUnsupported) && !errors.Is(err, ErrBudget) {
				t.Fatalf("an error of no kind: %v", err)
			}
			return
		}
		if ok, err := p.Match(subject); err != nil && (ok || !errors.Is(err, ErrBudget)) {
			t.Fatalf("got %v, %v", ok, err)
		}
	})
}
