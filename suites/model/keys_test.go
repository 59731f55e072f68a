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
		`2`:                                                   nil,
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

// A creation may answer the identifier and nothing else.
func TestIdentifierMayBeTheWholeAnswer(t *testing.T) {
	k := provenKey{gate.Kind{Key: []string{"plant_id"}}, []probes.Value{probes.ValueOf(17)}}
	if got := k.path(probes.ValueOf(17), "plant_id"); got == nil || len(got) > 0 {
		t.Errorf("the path to a bare identifier is %#v, want an empty one", got)
	}
	made := probes.Operation{Name: "create_slot", Parameters: []probes.Parameter{{Name: "bed_id"}}}
	k = provenKey{gate.Kind{Make: made, Key: []string{"bed_id", "slot_id"}}, []probes.Value{probes.ValueOf(3), probes.ValueOf(3)}}
	if got := k.path(probes.ValueOf(3), "bed_id"); got != nil {
		t.Errorf("the path to what the client chose is %#v, want none", got)
	}
	if got := k.path(probes.ValueOf(3), "slot_id"); got == nil {
		t.Error("no path to the part of an identifier that is the whole answer")
	}
}
