package generate

import (
	"slices"
	"testing"
)

// The sentence of a case names the parameter and what is odd about the value.
func TestEdgesOfKnownRecords(t *testing.T) {
	for _, c := range []struct {
		record, operator, value string
		valid                   bool
		sentence                string
	}{
		{`{"name":"title","type":"string","maxLength":4}`, "too-long", `"aaaaa"`, false, "title one character longer than its documented maximum of 4 characters"},
		{`{"name":"title","type":"string","maxLength":4}`, "too-long-astral", `"𝒜𝒜𝒜𝒜𝒜"`, false, "title one character beyond the basic plane longer than its documented maximum of 4 characters"},
		{`{"name":"title","type":"string","minLength":1,"maxLength":4}`, "too-short", `""`, false, "title one character shorter than its documented minimum of 1 character"},
		{`{"name":"title","type":"string","minLength":0}`, "empty-text", `""`, true, "title empty, as its documentation allows"},
		{`{"name":"n","type":"integer","minimum":1,"maximum":10}`, "above-maximum", `11`, false, "n beyond its documented maximum of 10"},
		{`{"name":"n","type":"number","minimum":1}`, "below-minimum", `0.99`, false, "n beyond its documented minimum of 1"},
		{`{"name":"n","type":"integer","maximum":2.5}`, "above-maximum", `3`, false, "n beyond its documented maximum of 2.5"},
		{`{"name":"n","type":"integer","exclusiveMaximum":3}`, "above-maximum", `3`, false, "n at its documented exclusive maximum of 3"},
		{`{"name":"n","type":"integer","exclusiveMaximum":3}`, "maximum", `2`, true, "n next to its documented exclusive maximum of 3"},
		{`{"name":"n","type":"integer"}`, "number-as-text", `"1"`, false, "n as a text in quotes"},
		{`{"name":"on","type":"boolean"}`, "boolean-as-number", `1`, false, "on as 1 or 0"},
		{`{"name":"s","type":"Status"}`, "recased", `"OPEN"`, false, `s with its listed value "open" in another letter case`},
		{`{"name":"s","type":"Either"}`, "unlisted", `"aqlx_unlisted"`, false, "s with a value that is not listed"},
		{`{"name":"tags","type":"string[]","minItems":2}`, "too-few", `["aqlc-k3f9x2ab"]`, false, "tags with one element fewer than its documented minimum of 2"},
		{`{"name":"at","type":"Point"}`, "field-missing", `{}`, false, "at without its required field x"},
		{`{"name":"at","type":"Point"}`, "number-as-text", `{"x":"1"}`, false, "at.x as a text in quotes"},
		{`{"name":"at","type":"Point[]"}`, "field-missing", `[{}]`, false, "an element of at without its required field x"},
		{`{"name":"s","type":"string","pattern":"^[a-z]{3}$"}`, "array-around", `["aaa"]`, false, "s inside an array"},
		{`{"name":"s","type":"string | null"}`, "null-documented", `null`, true, "s null, as its documentation allows"},
		{`{"name":"s","type":"string","required":true}`, "null", `null`, false, "s null where none is documented"},
	} {
		d, err := generator().Domain(parameter(t, c.record))
		if err != nil {
			t.Fatal(err)
		}
		got := d.Edges()
		if !slices.ContainsFunc(got, func(g Case) bool {
			return g.Operator == c.operator && g.Value.String() == c.value && g.Valid == c.valid && g.Sentence == c.sentence
		}) {
			t.Errorf("%s has no case %s %s %q; it has", c.record, c.operator, c.value, c.sentence)
			for _, g := range got {
				if g.Operator == c.operator {
					t.Errorf("    %s %v %q", g.Value, g.Valid, g.Sentence)
				}
			}
		}
	}
}

// A case that some legal adapter would answer the other way is none.
func TestUncertainEdgesAreLeftOut(t *testing.T) {
	for _, c := range []struct{ record, operator string }{
		{`{"name":"p","type":"string"}`, "empty-text"},                      // nobody said that it may be empty
		{`{"name":"p","type":"string","maxLength":9}`, "empty-text"},        // nor here
		{`{"name":"p","type":"string"}`, "null"},                            // may mean: left out
		{`{"name":"p","type":"string | number"}`, "number-as-text"},         // "5" is a text
		{`{"name":"p","type":"decimal"}`, "number-as-text"},                 // decimals travel as texts
		{`{"name":"p","type":"Partial<Point>"}`, "field-missing"},           // partial
		{`{"name":"input","type":"Point"}`, "field-missing"},                // an update gives what changes
		{`{"name":"p","type":"date"}`, "number-instead"},                    // a date may be a number
		{`{"name":"p","type":"string","maxLength":2}`, "astral"},            // eight bytes
		{`{"name":"p","type":"number","multipleOf":0.1}`, "not-a-multiple"}, // rounding
		{`{"name":"p","type":"string","pattern":"."}`, "pattern"},           // every text matches
		{`{"name":"p","type":"string","enum":["A","a"]}`, "recased"},        // listed as well
		{`{"name":"p","type":"string[]"}`, "empty-array"},                   // nobody said so
		{`{"name":"p","type":"number","minimum":1e300}`, "below-minimum"},   // no reader keeps it
		{`{"name":"p","type":"string","maxLength":100000}`, "too-long"},     // limits on payloads have rows of their own
		{`{"name":"p","type":"set<string>","minItems":2}`, "duplicate"},     // the word set is no promise
		{`{"name":"p","type":"Status | Widget"}`, "unlisted"},               // it may be a Widget
	} {
		d, _ := generator().Domain(parameter(t, c.record))
		for _, g := range d.Edges() {
			if g.Operator == c.operator {
				t.Errorf("%s has the case %s %s %q", c.record, g.Operator, g.Value, g.Sentence)
			}
		}
	}
}

// One element alone is an array of one where arrays are documented beside it.
func TestUnionsAllowWhatAnyArmAllows(t *testing.T) {
	d, err := generator().Domain(parameter(t, `{"name":"p","type":"string | string[]"}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range d.Edges() {
		if first := c.Value.At("0"); !c.Valid && (c.Value.Text() != "" || first.Text() != "" && len(c.Value.Items()) == 1) {
			t.Errorf("%s is said to be forbidden: %s", c.Value, c.Sentence)
		}
	}
}
