package probes

import "testing"

// Values are equal exactly if their canonical texts are, whatever the order of members and the writing of numbers.
func TestEqualAgreesWithCanonical(t *testing.T) {
	texts := []string{`null`, `true`, `false`, `0`, `-0`, `1`, `1.0`, `1e0`, `9007199254740993`, `9007199254740992`, `"1"`, `"a"`, `"\u0061"`, `""`,
		`[]`, `[1]`, `[1.0]`, `[1,2]`, `[2,1]`, `{}`, `{"a":1}`, `{"a":1.0}`, `{"a":1,"b":[2]}`, `{"b":[2.0],"a":1}`, `{"b":[2],"c":1}`,
		`{"b":1,"a":2,"a":3}`, `{"a":2,"a":3,"b":1}`, `{"a":3,"a":2,"b":1}`}
	var equal int
	for _, x := range texts {
		for _, y := range texts {
			v, _ := ParseValue([]byte(x))
			w, _ := ParseValue([]byte(y))
			if want := v.Canonical(nil) == w.Canonical(nil); v.Equal(w) != want {
				t.Errorf("%s and %s: equal %v, want %v", x, y, !want, want)
			} else if want && x != y {
				equal++
			}
		}
	}
	if equal < 14 {
		t.Errorf("%d pairs of different writings are equal", equal)
	}
	if (Value{}).Equal(ValueOf(nil)) || !(Value{}).Equal(Value{}) {
		t.Error("what is absent is equal to itself alone")
	}
}
