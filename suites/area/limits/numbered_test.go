package limits

import (
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Who is told to refuse what exceeds the limit has to learn which one.
func TestFindingsNameTheLimit(t *testing.T) {
	advertised, err := probes.ParseValue([]byte(`{"limits": {"max_array_elements": 250}}`))
	if err != nil {
		t.Fatal(err)
	}
	for want, protocol := range map[string]probes.Value{
		"250 elements, as max_array_elements of _protocol says":                                advertised,
		"10000 elements, the default of section 4.7.5, as _protocol has no max_array_elements": {},
	} {
		s := model.Subject{Adapter: &model.Adapter{Adapter: &probes.Adapter{Protocol: protocol}}}
		r := elementLimit.numbered(s, ruling.Violates(tooLargeCode, "success"), "count the elements")
		if !strings.HasSuffix(r.Want, " above "+want) || !strings.HasSuffix(r.Fix, "count the elements: "+want) {
			t.Errorf("want %s; fix %s", r.Want, r.Fix)
		}
		if r := elementLimit.numbered(s, ruling.Violates("an answer", "the adapter gone"), "count the elements"); !strings.HasSuffix(r.Fix, want) || r.Want != "an answer" {
			t.Errorf("of a dead adapter: want %s; fix %s", r.Want, r.Fix)
		}
	}
}
