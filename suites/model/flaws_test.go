package model

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
)

// A listed value with a blank behind it, or in another case, may be taken for the listed one, also as an element of a list.
func TestNearlyListedValues(t *testing.T) {
	f := &Adapter{Adapter: &probes.Adapter{}}
	list, _ := probes.ParseValue([]byte(`{"type":"array","items":{"type":"string","enum":["host","site"]}}`))
	one, _ := probes.ParseValue([]byte(`{"type":"string","enum":["host","site"]}`))
	for value, want := range map[string]bool{`"host "`: true, `"HOST"`: true, `"rack"`: false, `["host "]`: true, `["host","SITE"]`: true, `["host","rack"]`: false, `[]`: false} {
		v, _ := probes.ParseValue([]byte(value))
		p := probes.Parameter{Name: "order_by", Type: "string", Raw: one}
		if v.Is(probes.Array) {
			p = probes.Parameter{Name: "order_by", Type: "array", Raw: list}
		}
		if got := f.nearlyListed(p, v); got != want {
			t.Errorf("%s: %v", value, got)
		}
	}
}
