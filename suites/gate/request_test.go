package gate

import (
	"testing"

	diff "github.com/google/go-cmp/cmp"
)

func TestNamesIn(t *testing.T) {
	for request, want := range map[string][]string{
		`{"operation":"create_x","params":{}}`:                                   {"create_x"},
		`{"name":"t","arguments":{"operations":[{"operation":"a"},{"op":"b"}]}}`: {"a", "b"},
		`{"operation":"a","operation" : "b"}`:                                    {"a", "b"},
		`{"\u006fperation":"create\u005fx"`:                                      {"create_x"},
		"{\x00\"\x00o\x00p\x00\"\x00:\x00\"\x00a\x00\"\x00":                      {"a"},
		`{"Operation":["a"]}`:                                                    {"a"},
		`{"query":"operations","name":"create_x"}`:                               nil,
		`{"text":"{\"operation\":\"create_x\"}"}`:                                nil,
	} {
		if d := diff.Diff(want, namesIn([]byte(request))); d != "" {
			t.Errorf("%q (-want +got):\n%s", request, d)
		}
	}
}
