package gate

import (
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/vocab"
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
		{"parcel_drop", "DELETE", `{"description":"Delete a parcel (canonical: delete). Refused while it is in a bay."}`, nil, true},
		{"parcel_drop", "DELETE", `{"description":"Delete a parcel with its history."}`, nil, true},
		{"parcel_drop", "DELETE", `{"description":"Delete a route and pay what it is worth"}`, nil, false},
		{"parcel_drop", "DELETE", `{"description":"Delete a parcel and send an email to its owner"}`, nil, false},
		{"withdraw_parcel", "DELETE", `{"description":"Retira un paquete (equivale a delete)"}`, nil, true},
		{"withdraw_parcel", "DELETE", `{"description":"Retire un colis (équivaut à delete)"}`, nil, true},
		{"withdraw_parcel", "DELETE", `{"description":"Withdraw a parcel (DELETE)"}`, nil, false},
		{"withdraw_parcel", "DELETE", `{"description":"Withdraw a parcel, so this is not canonical delete."}`, nil, false},
		{"withdraw_parcel", "DELETE", `{"description":"Withdraw a parcel: never equivalent to delete"}`, nil, false},
		{"withdraw_parcel", "DELETE", `{"description":"Withdraw a parcel. Not equivalent to delete."}`, nil, false},
		{"withdraw_parcel", "DELETE", `{"description":"Withdraw a parcel; canonical: delete, but it pays what it is worth"}`, nil, false},
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

// A record that is opened is made where the description says in the form of section 8.5.3 that this is like
// create. What opens to others, or is bought, is not, nor what is opened in another category as well.
func TestVerbsThatMeanCreate(t *testing.T) {
	const like = `{"description":"Open a %s (like create)"}`
	for _, c := range []struct {
		name, category, record string
		beside                 []probes.Operation
		called                 bool
	}{
		{"ticket_open", "CREATE", like, nil, true},
		{"open_ticket", "CREATE", like, nil, true},
		{"open_ticket", "CREATE", `{"description":"Open a %s (create)"}`, nil, true},
		{"open_ticket", "CREATE", `{"description":"Open a new %s. Similar to create."}`, nil, true},
		{"open_ticket", "CREATE", `{"description":"Open a %s"}`, nil, false},
		{"open_ticket", "CREATE", `{"description":"Open a %s. Similar to create, but calls the owner"}`, nil, false},
		{"open_ticket", "CREATE", `{"description":"Open a %s (like create). Sends an email to its owner"}`, nil, false},
		{"open_ticket", "CREATE", `{"description":"Open a %s (like create)","permissions":{"openWorld":true}}`, nil, false},
		{"open_ticket", "UPDATE", like, nil, false},
		{"open_ticket", "READ", like, nil, false},
		{"open_ticket", "CREATE", like, []probes.Operation{operation("open_gate", "EXECUTE", "gate_id*:string")}, false},
		{"open_ticket_payment", "CREATE", like, nil, false}, {"open_all_tickets", "CREATE", like, nil, false}, {"open_tickets", "CREATE", like, nil, false},
		{"open_position", "CREATE", like, nil, false}, {"open_trade", "CREATE", like, nil, false}, {"open_account", "CREATE", like, nil, false},
		{"open_order", "CREATE", like, nil, false}, {"open_booking", "CREATE", like, nil, false}, {"open_auction", "CREATE", like, nil, false},
		{"open_port", "CREATE", like, nil, false}, {"open_door", "CREATE", like, nil, false}, {"open_valve", "CREATE", like, nil, false}, {"open_session", "CREATE", like, nil, false},
		{"send_ticket", "CREATE", like, nil, false}, {"pay_ticket", "CREATE", like, nil, false}, {"book_ticket", "CREATE", like, nil, false},
		{"start_ticket", "CREATE", like, nil, false}, {"publish_ticket", "CREATE", like, nil, false}, {"ticket_email", "CREATE", like, nil, false},
	} {
		words := vocab.Words(c.name)
		noun := words[len(words)-1]
		if noun == "open" || noun == "email" {
			noun = words[0]
		}
		noun = vocab.Singular(noun)
		o := described(operation(c.name, c.category, "title*:string"), strings.Replace(c.record, "%s", noun, 1))
		life := []probes.Operation{operation("get_"+noun, "READ", noun+"_id*:string"), operation("delete_"+noun, "DELETE", noun+"_id*:string"), o}
		if got, why := rulesOf(everything, append(life, c.beside...)...).Callable(o); got != c.called {
			t.Errorf("%s %s %s: called %v (%s), want %v", c.category, c.name, c.record, got, why, c.called)
		}
	}
}

// A verb may have a part behind its noun. The canonical equivalent in the description tells the noun then, but not
// what the operation does: one that reaches others is not called.
func TestCanonicalEquivalentsTellTheNoun(t *testing.T) {
	for _, c := range []struct {
		makes, says string
		called      bool
	}{
		{"schrijf_kweker_in", "Schrijft een kweker in; gelijk aan 'create_kweker'.", true},
		{"schrijf_kweker_in", "Schrijft een kweker in; gelijk aan `create_kweker`.", true},
		{"schrijf_kweker_in", "Schrijft een kweker in.", false},
		{"schrijf_kweker_in", "Schrijft een kweker in. Zie 'delete_kweker', 'create_kweker' en 'create_koper'.", false},
		{"schrijf_kweker_in", "Schrijft een kweker in; gelijk aan 'delete_kweker'.", false},
		{"stuur_kweker_op", "Stuurt een kweker op; gelijk aan 'create_kweker'.", false},
	} {
		o := described(operation(c.makes, "CREATE", "naam*:string"), `{"description":"`+c.says+`"}`)
		r := rulesOf(everything, o, operation("toon_kweker", "READ", "relatienummer*:integer"), operation("zoek_kwekers", "READ", "naam:string"),
			operation("wijzig_kweker", "UPDATE", "relatienummer*:integer", "input*:object"), operation("schrap_kweker", "DELETE", "relatienummer*:integer"))
		if got, why := r.Callable(o); got != c.called {
			t.Errorf("%s, %q: called %v (%s)", c.makes, c.says, got, why)
		}
	}
}
