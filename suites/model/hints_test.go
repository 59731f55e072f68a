package model

import "testing"

// A fix may name another way before the hint.
func TestHintAskedIsFoundBehindAnotherWay(t *testing.T) {
	for fix, want := range map[string]string{
		AddHint("credentials", "a call"): "credentials",
		"declare _protocol.concurrency, or " + AddHint("attest.concurrency", "where it is"): "attest.concurrency",
	} {
		if got, asked := HintAsked(fix); got != want || !asked {
			t.Errorf("%s: %q %v", fix, got, asked)
		}
	}
	if _, asked := HintAsked("--allow execute"); asked {
		t.Error("a flag asks for no hint")
	}
}
