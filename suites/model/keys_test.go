package model

import (
	"slices"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/gate"
)

// Many members of a new object have a small number for a value. The first plant with the
// number 1 had the version 1 as well, and the version was taken for the identifier of later plants.
func TestIdentifierIsNoOtherMemberOfItsValue(t *testing.T) {
	k := provenKey{gate.Kind{Key: []string{"plant_id"}}, []probes.Value{probes.ValueOf(1)}}
	for text, want := range map[string][]string{
		`{"_version": 1, "plant_id": 1}`:                      {"plant_id"},
		`{"count": 1, "plant": {"version": 1, "plantId": 1}}`: {"plant", "plantId"},
		`{"count": 1, "plant": {"version": 1, "id": 1}}`:      {"plant", "id"},
		`{"reference": 1}`:                                    {"reference"},
		`{"reference": 2}`:                                    nil,
	} {
		v, err := probes.ParseValue([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := k.path(v, "plant_id"); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}
