package web

import "testing"

// Only a token with a header, claims and a signature is forged.
func TestForged(t *testing.T) {
	const header = "eyJhbGciOiJIUzI1NiJ9" // {"alg":"HS256"}
	for token, want := range map[string]string{
		header + ".e30.Zm9v":  header + ".e30.Am9v",
		header + ".e30.Am9v":  header + ".e30.Bm9v",
		header + ".e30.":      "",
		header + ".e30":       "",
		"at-1.2.3":            "",
		"ghp_0123456789abcde": "",
	} {
		if got, ok := forged(token); got != want || ok != (want != "") {
			t.Errorf("%s: %q %t", token, got, ok)
		}
	}
}
