package model

import (
	"reflect"
	"testing"

	"github.com/aql-conform/aql-conform/probes/generate"
)

// A later round has other marks and keys, and is the same each time.
func TestRounds(t *testing.T) {
	f := &Adapter{Gen: &generate.Generator{Nonce: "abcdefgh"}}
	again := f.InRound(1)
	if again != f.InRound(1) || again.numberMark(7) == f.numberMark(7) || again.numberMark(7) == f.InRound(2).numberMark(7) {
		t.Errorf("%s, %s, %s", f.numberMark(7), again.numberMark(7), f.InRound(2).numberMark(7))
	}
	// InRound copies each field but the caches. A new one has to be added to it.
	if n := reflect.TypeFor[Adapter]().NumField(); n != 29 {
		t.Errorf("an Adapter has %d fields", n)
	}
}
