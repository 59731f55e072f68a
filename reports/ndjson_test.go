package reports_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
	"unicode"

	"github.com/aql-conform/aql-conform/reports"
)

// Every line stands for itself, and together they say what the JSON report says.
func TestNDJSONSaysWhatJSONSays(t *testing.T) {
	for name, r := range map[string]*reports.Report{
		"judged":     reports.Conclude(run(), rows(), findings()),
		"not judged": concluded(),
		"hostile":    everywhere(hostile+"\n", reports.Fail),
	} {
		_, doc := document(t, r)
		var b bytes.Buffer
		if err := r.WriteNDJSON(&b); err != nil {
			t.Fatal(err)
		}
		for _, c := range b.String() {
			if c != '\n' && !unicode.IsPrint(c) {
				t.Errorf("%s: %U in the stream", name, c)
			}
		}
		lines := bytes.Split(bytes.TrimSuffix(b.Bytes(), []byte("\n")), []byte("\n"))
		var findings []any
		for i, line := range lines {
			var event map[string]any
			if err := json.Unmarshal(line, &event); err != nil {
				t.Fatalf("%s: line %d: %v", name, i+1, err)
			}
			kind := event["event"]
			delete(event, "event")
			switch {
			case i == 0 && kind == "head":
				if got := event["findings"]; got != float64(len(lines)-2) {
					t.Errorf("%s: the head tells of %v findings, %d follow", name, got, len(lines)-2)
				}
				delete(event, "findings")
				fallthrough
			case i == len(lines)-1 && kind == "end":
				for key, got := range event {
					if !reflect.DeepEqual(got, doc[key]) {
						t.Errorf("%s: %s is %v, want %v", name, key, got, doc[key])
					}
				}
			case 0 < i && i < len(lines)-1 && kind == "finding":
				findings = append(findings, event)
			default:
				t.Errorf("%s: line %d is a %v", name, i+1, kind)
			}
		}
		if !reflect.DeepEqual(findings, doc["findings"]) {
			t.Errorf("%s: the findings differ", name)
		}
	}
}
