package gate

import (
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
)

// A verb that ends what stands is taken for a removal where the description says in the form
// of section 8.5.3 that it is similar to delete. A verb that promises an outward effect is
// not, whatever the description says.
func TestVerbsThatMeanDelete(t *testing.T) {
	const note = `{"description":"%s a parcel for good. Similar to delete; named in the language of its users"}`
	about := func(first string) string { return strings.Replace(note, "%s", first, 1) }
	parcel := operation("get_parcel", "READ", "parcel_id*:string")
	for _, c := range []struct {
		name, category, record string
		beside                 []probes.Operation
		called                 bool
	}{
		{"withdraw_parcel", "DELETE", about("Delete"), nil, true},
		{"parcel_withdraw", "DELETE", about("Withdraws"), nil, true},
		{"withdraw_parcel", "DELETE", `{"description":"Withdraw a parcel for good (like delete)"}`, nil, true},
		{"withdraw_parcel", "DELETE", `{"description":"Withdraw a parcel, like delete parcels in transit"}`, nil, false},
		{"cancel_parcel", "DELETE", `{"description":"Cancel a parcel. Similar to delete."}`, nil, true},
		{"withdraw_parcel", "DELETE", `{"description":"Delete a parcel"}`, nil, false},
		{"withdraw_parcel", "DELETE", `{"description":"Similar to delete, but pays what it is worth"}`, nil, false},
		{"withdraw_parcel", "DELETE", `{"description":"Delete a parcel. Similar to delete. Sends an email to its owner"}`, nil, false},
		{"withdraw_parcel", "DELETE", `{"description":"Similar to delete","permissions":{"openWorld":true}}`, nil, false},
		{"withdraw_parcel", "UPDATE", about("Delete"), nil, false},
		{"withdraw_parcel", "READ", about("Delete"), nil, false},
		{"withdraw_parcel", "DELETE", about("Delete"), []probes.Operation{operation("withdraw_cash", "EXECUTE", "amount*:integer")}, false},
		{"parcel_drop", "DELETE", `{"description":"Throw a parcel away (like delete). Not in transit."}`, nil, true},
		{"parcel_drop", "DELETE", `{"description":"Drop a parcel"}`, nil, false},
		{"parcel_drop_all", "DELETE", about("Drop"), nil, false},
		{"parcel_purge", "DELETE", about("Purge"), nil, false},
		{"withdraw_all_parcels", "DELETE", about("Delete"), nil, false},
		{"withdraw_payment", "DELETE", about("Delete"), []probes.Operation{operation("get_payment", "READ", "parcel_id*:string")}, false},
		{"send_parcel", "DELETE", about("Delete"), nil, false},
		{"pay_parcel", "DELETE", about("Delete"), nil, false},
		{"publish_parcel", "DELETE", about("Delete"), nil, false},
		{"charge_parcel", "DELETE", about("Delete"), nil, false},
		{"execute_parcel", "DELETE", about("Delete"), nil, false},
		{"email_parcel", "DELETE", about("Delete"), nil, false},
		{"ship_parcel", "DELETE", about("Delete"), nil, false},
		{"send_and_withdraw_parcel", "DELETE", about("Delete"), nil, false},
	} {
		o := described(operation(c.name, c.category, "parcel_id*:string"), c.record)
		got, why := rulesOf(everything, append([]probes.Operation{parcel, o}, c.beside...)...).Callable(o)
		if got != c.called {
			t.Errorf("%s %s %s: called %v (%s), want %v", c.category, c.name, c.record, got, why, c.called)
		}
	}
	guessed := described(operation("withdraw_parcel", "DELETE", "parcel_id*:string"), about("Delete"))
	guessed.Guessed = true
	if ok, _ := rulesOf(everything, parcel, guessed).Callable(guessed); ok {
		t.Error("a guessed category is taken for a documented one")
	}
	many := described(operation("withdraw_parcel", "DELETE", "parcel_id:string", "older_than_days*:integer"), about("Delete"))
	if ok, _ := rulesOf(everything, parcel, many).Callable(many); ok {
		t.Error("an operation that may act on many is called")
	}
}
