package gate

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// A word that stands in operations of three categories is a noun, also where it is a verb in
// English. A word that stands in one category is a verb, also where no list has it.
func TestNouns(t *testing.T) {
	three := func(create, read, remove string) []probes.Operation {
		return []probes.Operation{operation(create, "CREATE"), operation(read, "READ"), operation(remove, "DELETE")}
	}
	for _, c := range []struct {
		listed []probes.Operation
		name   string
		noun   string
		effect vocab.Effect
	}{
		{three("plant_add", "plant_get", "plant_remove"), "plant_get", "plant", vocab.NameEffect("get")},
		{three("create_order", "open_order", "remove_order"), "open_order", "order", vocab.NameEffect("open")},
		{three("fose_tofaka", "gena_tofaka", "lita_tofaka"), "gena_tofaka", "tofaka", vocab.None},
		{[]probes.Operation{operation("rollout_start", "EXECUTE"), operation("rollout_cancel", "EXECUTE"), operation("rollout_status", "READ")}, "rollout_status", "status", vocab.Reads},
		{[]probes.Operation{operation("rollout_start", "EXECUTE"), operation("rollout_status", "READ")}, "rollout_status", "status", vocab.NameEffect("rollout_status")},
		{three("flag_create", "flag_get", "flag_delete"), "flag_purge", "flag", vocab.NameEffect("flag_purge")},
		{[]probes.Operation{operation("call_start", "EXECUTE"), operation("call_stop", "EXECUTE"), operation("call_owner", "READ")}, "call_owner", "owner", vocab.NameEffect("call_owner")},
		{[]probes.Operation{operation("open_order", "READ")}, "open_order", "order", vocab.NameEffect("open_order")},
	} {
		r := rulesOf(everything, c.listed...)
		if got := r.Noun(c.name); got != c.noun {
			t.Errorf("%s: noun %q, want %q", c.name, got, c.noun)
		}
		if got := r.nameEffect(operation(c.name, "READ")); got != c.effect {
			t.Errorf("%s: effect %v, want %v", c.name, got, c.effect)
		}
	}
}

// A required parameter that a READ shares with a DELETE of its kind takes an identifier, by any
// name. The key of another kind inside a complete identifier names the parent.
func TestIdentifiers(t *testing.T) {
	r := rulesOf(everything,
		operation("create_shelf", "CREATE", "path*:string"), operation("get_shelf", "READ", "path*:string"), operation("remove_shelf", "DELETE", "path*:string"),
		operation("create_book", "CREATE", "path*:string", "title*:string"), operation("get_book", "READ", "path*:string", "number*:integer"), operation("remove_book", "DELETE", "path*:string", "number*:integer"),
	)
	marked := map[string]bool{}
	for _, o := range r.Operations {
		for _, p := range o.Parameters {
			if p.Identifies {
				marked[o.Name+" "+p.Name] = true
			}
		}
	}
	for name, want := range map[string]bool{"get_book number": true, "remove_shelf path": true, "get_shelf path": true, "create_book title": false} {
		if marked[name] != want {
			t.Errorf("%s identifies an object: %v, want %v", name, marked[name], want)
		}
	}
	book, ok := r.Kind("create_book")
	if !ok || !r.Parent(book, "path") || r.Parent(book, "number") {
		t.Errorf("of the key %v of a book (%v) the parent has path: %v, number: %v", book.Key, ok, r.Parent(book, "path"), r.Parent(book, "number"))
	}
}

// The whole key of a new object is its own, also where other operations refer to the object by it.
// The key of a catalogue that a read of another kind takes may be an object of others.
func TestOwnKey(t *testing.T) {
	library := []probes.Operation{
		operation("create_book", "CREATE", "isbn*:string", "title*:string"), operation("get_book", "READ", "isbn*:string"), operation("remove_book", "DELETE", "isbn*:string"),
		operation("create_loan", "CREATE", "isbn*:string", "reader*:string"), operation("get_loan", "READ", "loan_id*:string"),
	}
	catalogue := operation("get_record", "READ", "isbn*:string")
	for name, c := range map[string]struct {
		operations []probes.Operation
		want       bool
	}{"a library": {library, true}, "a library beside a catalogue": {append(library, catalogue), false}} {
		r := rulesOf(everything, c.operations...)
		book, ok := r.Kind("create_book")
		if !ok || r.ownKey(book, "isbn") != c.want || r.ownKey(book, "title") {
			t.Errorf("%s: isbn is the book's own: %v (%v), want %v", name, r.ownKey(book, "isbn"), ok, c.want)
		}
	}
}

// A noun that is also a verb recurs; the word beside it is the verb, also where nobody knows it.
func TestNounsThatAreVerbsPromiseNothing(t *testing.T) {
	r := rulesOf(everything, operation("get_book", "READ", "isbn*:string"), operation("register_book", "CREATE", "isbn*:string", "title*:string"),
		operation("revise_book", "UPDATE", "isbn*:string", "input*:object"), operation("delete_book", "DELETE", "isbn*:string"), operation("book_flight", "CREATE", "to*:string"))
	for name, want := range map[string]vocab.Effect{"get_book": vocab.Reads, "register_book": vocab.Creates, "revise_book": vocab.None, "book_flight": vocab.Reaches} {
		if o, _ := r.Operation(name); r.nameEffect(o) != want {
			t.Errorf("%s promises %v, want %v", name, r.nameEffect(o), want)
		}
	}
}

// What a READ shows is no verb where the other READ operations are named in the same order. What else is named so may act.
func TestWhatIsShownIsNoVerb(t *testing.T) {
	pay, show, clear := operation("payment_create", "CREATE", "amount*:integer"), operation("payment_show", "READ", "payment_no*:integer"), operation("clear_list", "READ")
	names := map[bool][]string{true: {"member_search", "policy_browse", "count_balance"}, false: {"find_member", "list_claims", "claim_browse"}}
	for behind, others := range names {
		all := []probes.Operation{pay, show, clear}
		for _, name := range others {
			all = append(all, operation(name, "READ"))
		}
		r := rulesOf(everything, all...)
		if got := r.nameEffect(show) == vocab.Reads; got != behind || r.nameEffect(pay) != vocab.Reaches {
			t.Errorf("beside %v payment_show reads: %v; payment_create promises %v", others, got, r.nameEffect(pay))
		}
		for _, act := range []probes.Operation{clear, operation("book_show", "READ", "show_id*:string"), operation("charge_check", "READ"), operation("call_preview", "READ", "call*:string")} {
			if r.nameEffect(act) == vocab.Reads {
				t.Errorf("beside %v %s reads", others, act.Name)
			}
		}
	}
}

// A noun that recurs is no verb where it is the subject of a sentence. Where it takes an object it is one.
func TestNounsAreSubjects(t *testing.T) {
	for text, calls := range map[string]bool{
		"Draft a new issue. Similar to create; issues begin as drafts": true,
		"Draft a new issue. Issues are drafts at first.":               true,
		"Draft a new issue. Issues a refund.":                          false,
		"Draft a new issue. Issues are sent to all subscribers.":       false,
	} {
		create := described(operation("draft_issue", "CREATE", "title*:string"), `{"description":"`+text+`"}`)
		r := rulesOf(everything, create, operation("get_issue", "READ", "issue_no*:integer"), operation("list_issues", "READ"),
			operation("revise_issue", "UPDATE", "issue_no*:integer", "input*:object"), operation("delete_issue", "DELETE", "issue_no*:integer"))
		if ok, why := r.Callable(create); ok != calls {
			t.Errorf("%q: %v %s", text, ok, why)
		}
	}
}

// The noun may stand before a verb that nobody knows. A verb that makes something is none.
func TestNounsBeforeUnknownVerbsRelate(t *testing.T) {
	r := rulesOf(everything, operation("claim_show", "READ", "claim_no*:string"), operation("claim_file", "CREATE", "text*:string"),
		operation("claim_amend", "UPDATE", "claim_no*:string", "input*:object"), operation("claim_withdraw", "DELETE", "claim_no*:string"))
	made, _ := r.Operation("claim_file")
	removal, _ := r.Operation("claim_withdraw")
	if !r.related(made, removal) || r.Noun("claim_file") != "claim" {
		t.Errorf("%v and %v are not related", r.nouns("claim_file"), r.nouns("claim_withdraw"))
	}
	r = rulesOf(everything, operation("get_record", "READ", "record_id*:string"), operation("create_record", "CREATE", "title*:string"),
		operation("delete_record", "DELETE", "record_id*:string"), operation("record_sale", "CREATE", "item*:string"))
	if sale, _ := r.Operation("record_sale"); r.Noun("record_sale") == "record" || r.usable(sale) {
		t.Errorf("record_sale makes a %s", r.Noun("record_sale"))
	}
	r = rulesOf(everything, operation("get_file", "READ", "file_id*:string"), operation("create_file", "CREATE", "title*:string"),
		operation("delete_file", "DELETE", "file_id*:string"), operation("file_sale", "CREATE", "item*:string"))
	if sale, _ := r.Operation("file_sale"); r.usable(sale) {
		t.Errorf("file_sale makes a %s", r.Noun("file_sale"))
	}
}

// A time by which an adapter may find what is there is far from those of others: it lies within none of their spans, and not in one week with
// one of them. All of them are listed, and none stands in an example.
func TestTimesOfUnmarkedObjectsAreNew(t *testing.T) {
	o := described(operation("hold_slot", "CREATE", "room_id*:string", "at*:string"), `{"examples":[{"request":{"operation":"hold_slot","params":{"at":"2027-03-05T19:00:00+01:00"}}}]}`)
	o.Parameters[1].Raw = probes.ValueOf(map[string]any{"name": "at", "format": "date-time"})
	row := probes.ValueOf(map[string]any{"at": "2026-01-02T03:04:05Z"})
	seen := &survey{rows: []probes.Value{row}, texts: map[string]bool{row.At("at").Text(): true}, ended: true}
	for at, free := range map[string]bool{
		"2031-05-06T07:08:09Z": true, "2024-05-06T07:08:09Z": true, "2025-05-06T07:08:09Z": false, "2026-01-02T03:04:05Z": false, "2026-01-02T23:04:05Z": false, "2026-01-12T03:04:05Z": false,
		"2026-07-01T00:00:00Z": false, "2027-03-05T18:00:00Z": false,
	} {
		c := &asked{op: o, call: call{params: probes.ValueOf(map[string]any{"room_id": "r", "at": at})}}
		if busy, _ := seen.busyTime(c); (busy == "") != free {
			t.Errorf("%s is free: %v, want %v", at, !free, free)
		}
		unended, silent := &survey{texts: seen.texts}, &survey{rows: []probes.Value{probes.ValueOf(map[string]any{"added_at": "2019-01-02T03:04:05Z"})}, texts: map[string]bool{"2019-01-02T03:04:05Z": true}, ended: true}
		c.op = operation("hold_slot", "CREATE", "room_id*:string", "at*:string")
		c.op.Parameters[1].Raw = o.Parameters[1].Raw
		for _, s := range []*survey{unended, silent} {
			if busy, _ := s.busyTime(c); busy == "" {
				t.Errorf("%s is free where nobody can tell", at)
			}
		}
	}
}

// A day is no name by which an adapter finds another object; any other text may be one.
func TestDaysAreNoNames(t *testing.T) {
	for format, text := range map[string]bool{"date-time": false, "date": false, "uri": true, "": true} {
		o := operation("hold_slot", "CREATE", "room_id*:string", "at*:string")
		o.Parameters[1].Raw = probes.ValueOf(map[string]any{"name": "at", "format": format})
		c := &asked{op: o, call: call{params: probes.ValueOf(map[string]any{"room_id": "r", "at": "2026-01-02"})}}
		if got := rulesOf(everything, o).text(Kind{Make: o}, c, &probes.Member{Name: "room_id"}); got != text {
			t.Errorf("format %q: a free text %v, want %v", format, got, text)
		}
	}
}

// A text that is named after a kind and has the form of its key names an object, whatever the key is called.
func TestTextsInTheFormOfAKeyRefer(t *testing.T) {
	shaped := func(o probes.Operation, pattern string) probes.Operation {
		o.Parameters[0].Raw = probes.ValueOf(map[string]any{"name": o.Parameters[0].Name, "pattern": pattern})
		return o
	}
	for form, refers := range map[string]bool{"^ARC-[0-9]+$": true, "^[a-z]+$": false} {
		box := shaped(operation("crea_busta", "CREATE", "fondo*:string"), form)
		r := rulesOf(everything, shaped(operation("leggi_fondo", "READ", "codice*:string"), "^ARC-[0-9]+$"), box)
		if got := r.refers(box, box.Parameters[0]); got != refers {
			t.Errorf("%s refers: %v", form, got)
		}
	}
}

// Names that all begin with the same word have the nouns behind it.
func TestNounsBehindADomain(t *testing.T) {
	pallet := operation("depot_pallet_add", "CREATE", "supplier*:integer", "weight:integer")
	for _, c := range []struct {
		beside string
		refers bool
	}{{"depot_pallet_get", true}, {"pallet_get", false}} {
		r := rulesOf(everything, pallet, operation("depot_supplier_get", "READ", "supplier_no*:integer"), operation(c.beside, "READ", "pallet_id*:string"))
		if got := r.refers(pallet, pallet.Parameters[0]); got != c.refers {
			t.Errorf("%s beside: refers %v", c.beside, got)
		}
		if r.refers(pallet, pallet.Parameters[1]) {
			t.Error("a weight refers")
		}
	}
}

// A number with bounds that is named after several objects of a kind whose key is a text is an amount of them.
func TestAmountsAreNoReferences(t *testing.T) {
	for _, c := range []struct {
		name, key, bound string
		refers           bool
	}{{"most_loans", "string", `{"maximum":15}`, false}, {"most_loans", "string", `{}`, true}, {"most_loans", "integer", `{"maximum":15}`, true}, {"last_loan", "string", `{"maximum":15}`, true}} {
		reader := operation("create_reader", "CREATE", c.name+":integer")
		reader.Parameters[0].Raw = value(c.bound)
		r := rulesOf(everything, reader, operation("get_loan", "READ", "loan_id*:"+c.key))
		if got := r.refers(reader, reader.Parameters[0]); got != c.refers {
			t.Errorf("%v: refers %v", c, got)
		}
	}
}

// A state that an object takes from another reaches others, as its record tells. A list that replaces what was there before does not.
func TestStatesThatDisplaceReachOthers(t *testing.T) {
	for _, c := range []struct {
		kind, text string
		value      any
		reaches    bool
	}{
		{"string", "One shelf of the house is active, and activating one retires the one before.", "active", true}, {"boolean", "Pinned; unsets the others", true, true},
		{"string", "Where the shelf is in its life", "active", false}, {"array", "Replaces the previous list", []any{"a"}, false},
	} {
		record := map[string]any{"name": "state", "type": c.kind, "description": c.text}
		if c.kind == "string" {
			record["enum"] = []any{"draft", "active"}
		}
		if got := Reaches(probes.Parameter{Name: "state", Type: c.kind, Raw: probes.ValueOf(record)}, probes.ValueOf(c.value)); got != c.reaches {
			t.Errorf("%s reaches others: %v", c.text, got)
		}
	}
}

// A parent is named by its key, or by its noun before the key.
func TestParentsByNounAndKey(t *testing.T) {
	for name, want := range map[string]bool{"lot_code": true, "code": true, "pot_code": false, "lot_date": false} {
		r := rulesOf(everything,
			operation("create_lot", "CREATE", "code*:string"), operation("get_lot", "READ", "code*:string"), operation("delete_lot", "DELETE", "code*:string"),
			operation("create_reading", "CREATE", name+"*:string", "day*:integer"), operation("get_reading", "READ", name+"*:string", "day*:integer"), operation("delete_reading", "DELETE", name+"*:string", "day*:integer"),
		)
		if k, ok := r.Kind("create_reading"); !ok || r.Parent(k, name) != want {
			t.Errorf("%s: of the key %v the lot is the parent: %v", name, k.Key, !want)
		}
	}
}
