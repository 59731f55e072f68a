package model

import (
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
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

// A code of few forms meets that of somebody else: another one is drawn.
func TestDrawnKeysOfOthersAreDrawnAnew(t *testing.T) {
	for name, want := range map[string]bool{"code": true, "depot_code": false} { // what the client chooses, and what names another object
		f := documented(Permissions{Create: true, Update: true, Delete: true}, fixtures.Hints{},
			"CREATE create_vat code depot_code title", "READ get_vat code", "READ list_vats", "UPDATE update_vat code input", "DELETE delete_vat code", "CREATE create_depot code title", "READ get_depot depot_code")
		f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "abcd1234", Match: newPatternMatcher()}
		for i := range f.Operations[0].Parameters[:2] {
			f.Operations[0].Parameters[i].Raw, _ = probes.ParseValue([]byte(`{"type":"string","required":true,"pattern":"^VAT-[0-9]{2}$"}`))
		}
		values, chosen := map[string][]probes.Value{name: {probes.ValueOf("VAT-04")}}, map[string]int{}
		got := f.nextFree(f.Operations[0], `the value "VAT-04" of `+name+" names something that is not ours", values, chosen)
		if now := values[name][chosen[name]].Text(); got != want || (now == "VAT-04") == want {
			t.Errorf("%s: %v, %s", name, got, now)
		}
	}
}

// The slug of a new page names the page, where no operation finds anything by a slug: the mark of the run is tried in
// place of an example that others have. What takes an identifier gets no made-up one.
func TestMarksNameNobody(t *testing.T) {
	for _, c := range []struct {
		read, name string
		want       bool
	}{{"get_page page_no", "slug", true}, {"get_page slug", "slug", false}, {"get_page page_no", "author_id", false}} {
		f := documented(Permissions{Create: true}, fixtures.Hints{}, "CREATE create_page "+c.name, "READ "+c.read, "DELETE delete_page page_no")
		f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "abcd1234"}
		values := map[string][]probes.Value{c.name: {probes.ValueOf("home"), probes.ValueOf("about")}}
		chosen := map[string]int{}
		why := `the value "home" of ` + c.name + " names something that is not ours"
		got := f.nextFree(f.Operations[0], why, values, chosen)
		if marked := values[c.name][chosen[c.name]].Text() == f.Gen.Marker(""); got != c.want || marked != c.want {
			t.Errorf("%v: %v, %v", c, got, values)
		}
		if f.nextFree(f.Operations[0], why, values, chosen) {
			t.Errorf("%v: the mark is tried twice", c)
		}
	}
}
