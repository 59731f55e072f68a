package model

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
)

// A page is made larger by a parameter of any name, if no other one can be meant.
func TestPageSizeUnderAnyName(t *testing.T) {
	for parameters, want := range map[string]string{
		`[{"name":"first","type":"integer","maximum":50}]`: "first",
		`[{"name":"per_page","type":"integer","default":20,"maximum":50},{"name":"page","type":"integer","default":1,"maximum":900}]`:          "per_page",
		`[{"name":"limite","type":"number","default":20,"maximum":100},{"name":"desplazamiento","type":"integer","default":0,"maximum":1000}]`: "limite",
		`[{"name":"rows","type":"integer","default":20,"maximum":100},{"name":"radius","type":"integer","default":5,"maximum":60}]`:            "",
		`[{"name":"last","type":"integer","maximum":50}]`:                  "",
		`[{"name":"limit","type":"integer","default":20,"maximum":90000}]`: "",
		`[{"name":"ratio","type":"number","default":2,"maximum":5}]`:       "",
	} {
		raw, err := probes.ParseValue([]byte(parameters))
		if err != nil {
			t.Fatal(err)
		}
		o := probes.Operation{Name: "list_things", Category: "READ"}
		for _, p := range raw.Items() {
			o.Parameters = append(o.Parameters, probes.Parameter{Name: p.At("name").Text(), Type: p.At("type").Text(), Raw: p})
		}
		if name, _, _ := pageSize(o); name != want {
			t.Errorf("%s: %q, want %q", parameters, name, want)
		}
	}
}
