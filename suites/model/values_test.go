package model

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
)

// A row of others may name a parent by the very name of the parameter. A creation gets the object of the run all
// the same, since it may name no other.
func TestCreationsNameWhatTheRunMadeFirst(t *testing.T) {
	owner := probes.Parameter{Name: "owner_id", Type: "string", Required: true}
	for category, want := range map[string]string{"CREATE": "OWN-7", "READ": "OWN-1"} {
		f := &Adapter{Adapter: &probes.Adapter{}, scalarsFor: map[string][]int{"ownerid": {0, 1}}, Scalars: []Scalar{
			{op: "list_pets", noun: "pet", key: "owner_id", depth: 3, Value: probes.ValueOf("OWN-1")},
			{op: "create_owner", noun: "owner", key: "id", depth: 5, Value: probes.ValueOf("OWN-7"), Own: true},
		}}
		if got := f.earlierValues(probes.Operation{Name: "x", Category: category}, owner); got[0].Text() != want {
			t.Errorf("%s: %v come first, want %s", category, got, want)
		}
	}
}

// The members of an answer may have another style than the parameters.
func TestValuesAreFoundInAnotherStyle(t *testing.T) {
	party := probes.Parameter{Name: "party_id", Type: "string", Required: true}
	for _, answered := range []string{"party_id", "partyId", "PartyID", "id"} {
		f := &Adapter{Adapter: &probes.Adapter{}, scalarsFor: map[string][]int{}}
		data, _ := probes.ParseValue([]byte(`{"` + answered + `":"PTY-7"}`))
		made := probes.Operation{Name: "create_party", Category: "CREATE"}
		f.collectScalars(made, succeeded(probes.Call("main", "create", made.Name, nil), string(data.Raw())))
		if got := f.earlierValues(probes.Operation{Name: "create_permit", Category: "CREATE"}, party); len(got) != 1 || got[0].Text() != "PTY-7" {
			t.Errorf("%s: %v", answered, got)
		}
	}
}
