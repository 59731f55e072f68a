package descriptions

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
)

// An exception is noted in a sentence, in any number, or in a member of a record. The list of values is no note.
func TestExceptionsAreNoted(t *testing.T) {
	value := func(text string) probes.Value { v, _ := probes.ParseValue([]byte(text)); return v }
	for _, c := range []struct {
		par, details string
		want         bool
	}{
		{`{"enum":["box","label"],"default":"label"}`, `{"parameters":["label"],"examples":["label"]}`, false},
		{`{"enum":["box","label"],"description":"Labels have no notes."}`, `{}`, true},
		{`{"enum":["box","label"],"not_for":["label"]}`, `{}`, true},
		{`{"enum":["box","label"]}`, `{"description":"Lists notes, but not those of a label."}`, true},
		{`{"enum":["box","label"]}`, `{"not_applicable_to":["label"]}`, true},
		{`{"enum":["box","label"],"description":"What is labelled"}`, `{}`, false},
	} {
		s := model.Subject{Op: probes.Operation{Name: "list_notes", Details: value(c.details)}, Par: probes.Parameter{Name: "element_type", Raw: value(c.par)}}
		if got := excepted(s, probes.ValueOf("label")); got != c.want {
			t.Errorf("%s %s: noted %v", c.par, c.details, got)
		}
	}
}

// A warning names the parameter in its message or in its details. One on a value means no parameter.
func TestWarningsNameTheParameter(t *testing.T) {
	op := probes.Operation{Name: "create_box", Parameters: []probes.Parameter{{Name: "color"}, {Name: "size"}}}
	o := probes.Observation{Probe: probes.Call("main", "create", "create_box", map[string]any{"color": "grey", "size": "big"})}
	for warning, want := range map[string]string{
		`{"code":"DEPRECATED_PARAM","message":"Parameter 'color' is deprecated; use 'size' instead"}`:                                                 "color",
		`{"code":"DEPRECATED","message":"color is deprecated"}`:                                                                                       "color",
		`{"code":"DEPRECATED_PARAM","message":"Parameter color ('grey') is deprecated; its value is ignored"}`:                                        "color",
		`{"code":"DEPRECATED","message":"color is deprecated, and its value grey is ignored"}`:                                                        "color",
		`{"code":"DEPRECATED_PARAMETER","message":"Something of this request is deprecated.","details":{"parameter":"color"}}`:                        "color",
		`{"code":"DEPRECATED","message":"A parameter is deprecated.","details":{"param_name":"color","replacement":"size"}}`:                          "color",
		`{"code":"DEPRECATED","message":"A parameter is deprecated.","details":{"deprecatedParameter":"size"}}`:                                       "size",
		`{"code":"DEPRECATED","message":"A parameter is deprecated.","details":{"replacement":"size"}}`:                                               "",
		`{"code":"DEPRECATED_OPERATION","message":"create_box is deprecated.","details":{"parameter":"color"}}`:                                       "",
		`{"code":"DEPRECATED_VALUE","message":"The value 'grey' of color is deprecated; use 'brown' instead."}`:                                       "",
		`{"code":"DEPRECATED","message":"Value grey of parameter 'color' is deprecated"}`:                                                             "",
		`{"code":"DEPRECATED","message":"Deprecated value for color: grey"}`:                                                                          "",
		`{"code":"DEPRECATED","message":"color 'grey' is deprecated; use 'brown'"}`:                                                                   "",
		`{"code":"DEPRECATED","message":"color (here: grey) is deprecated; use shade."}`:                                                              "color",
		`{"code":"DEPRECATED","message":"The value of color is read no more: color is deprecated, use shade."}`:                                       "color",
		`{"code":"DEPRECATED","message":"color was given. This is deprecated."}`:                                                                      "color",
		`{"code":"DEPRECATED","message":"color was given. Its use is deprecated."}`:                                                                   "color",
		`{"code":"DEPRECATED","message":"color was given; the parameter is deprecated."}`:                                                             "color",
		`{"code":"DEPRECATED_PARAM","message":"color was given; the old name is deprecated."}`:                                                        "color",
		`{"code":"DEPRECATED","message":"Deprecated parameter: color=grey"}`:                                                                          "color",
		`{"code":"DEPRECATED_VALUE","message":"color (grey) is deprecated."}`:                                                                         "",
		`{"code":"DEPRECATED","message":"Deprecated colour: color=grey."}`:                                                                            "",
		`{"code":"DEPRECATED","message":"color: grey is deprecated."}`:                                                                                "",
		`{"code":"DEPRECATED","message":"The parameter color no longer takes grey: this choice is deprecated."}`:                                      "",
		`{"code":"DEPRECATION_NOTICE","message":"From 2027 color will be an array; the single text is deprecated."}`:                                  "",
		`{"code":"DEPRECATED_VALUE","message":"The grey of a box is deprecated.","details":{"parameter":"color"}}`:                                    "",
		`{"code":"DEPRECATED_PARAMETER","message":"A parameter of this request is deprecated.","details":{"parameter":"color","param_name":"color"}}`: "color",
	} {
		v, _ := probes.ParseValue([]byte(warning))
		if got := deprecatedParameter(op, o, v); got != want {
			t.Errorf("%s: got %q, want %q", warning, got, want)
		}
	}
}

// A notice of deprecation may be in another language, or in the description of the operation.
func TestNoticesOfDeprecation(t *testing.T) {
	for _, c := range []struct {
		parameter, operation string
		want                 bool
	}{
		{"Obsoleta: use text en su lugar", "", true},
		{"En desuso; utilice text", "", true},
		{"устарело, вместо него text", "", true},
		{"Text that is wanted; goes away with version 2", "", true},
		{"Text that is wanted", "List the notes. The parameter phrase is deprecated; use text", true},
		{"Text that is wanted", "List the notes. Paging by page is deprecated; use after", false},
		{"Text that is wanted", "List the notes that have the phrase", false},
		{"Text that is wanted", "List the notes by phrase; the legacy index is not read", false},
		{"Rate of depreciation", "", false},
	} {
		record := probes.ValueOf(map[string]any{"name": "phrase", "description": c.parameter})
		op := probes.Operation{Details: probes.ValueOf(map[string]any{"description": c.operation})}
		if got := marked(record) || markedBeside(op, "phrase"); got != c.want {
			t.Errorf("%s, %s: %v, want %v", c.parameter, c.operation, got, c.want)
		}
	}
}
