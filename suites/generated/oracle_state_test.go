package generated

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A field that null removed has a value again after an update that gives it one, also where no
// read follows that update at once. A refused update gives it none.
func TestAFieldIsSetAgainWithoutARead(t *testing.T) {
	for envelope, removed := range map[string]bool{
		`{"success":true,"data":{"done":true}}`:                                                  false,
		`{"success":false,"error":{"code":"VALIDATION_INVALID_VALUE","message":"not this one"}}`: true,
	} {
		update := probes.Call("main", "t", "update_note", map[string]any{"note_id": "n", "input": map[string]any{"due": "2029-12-01"}})
		reply := probes.Classify(update, wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":` + envelope + `}}`)}})
		it := &item{removedByNull: map[string]bool{"due": true}, verified: map[string]bool{"due": true}, sent: map[string]bool{}}
		or := &oracle{Adapter: &model.Adapter{}, script: model.Script{Steps: []model.Step{{Operation: "update_note"}}}, got: []probes.Observation{reply}, items: map[int]*item{0: it}}
		or.recordUpdate(0, probes.Operation{Name: "update_note", Category: "UPDATE"}, model.Flaw{})
		if it.removedByNull["due"] != removed {
			t.Errorf("%s: the field counts as removed: %v, want %v", envelope, it.removedByNull["due"], removed)
		}
	}
}

// A creation may take quota_bytes and an update quotaBytes: the update sets what the creation set.
func TestAnUpdateInAnotherStyleOfNames(t *testing.T) {
	update := probes.Call("main", "t", "update_box", map[string]any{"box": "b", "input": map[string]any{"quotaBytes": 264}})
	reply := probes.Classify(update, wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"success":true,"data":{"done":true}}}}`)}})
	for shown, breach := range map[int]bool{264: false, 256: true} {
		before := probes.ValueOf(map[string]any{"quota_bytes": 256})
		it := &item{view: before, removedByNull: map[string]bool{}, verified: map[string]bool{"quota_bytes": true}, sent: map[string]bool{"quota_bytes": true}}
		or := &oracle{Adapter: &model.Adapter{Adapter: &probes.Adapter{}}, script: model.Script{Steps: []model.Step{{Operation: "update_box"}}}, got: []probes.Observation{reply}, items: map[int]*item{0: it}}
		or.recordUpdate(0, probes.Operation{Name: "update_box", Category: "UPDATE"}, model.Flaw{})
		or.judgeMerge(0, it, probes.ValueOf(map[string]any{"quota_bytes": shown}))
		if got := len(or.found) > 0; got != breach {
			t.Errorf("%d is shown: a breach is %v, want %v", shown, got, breach)
		}
	}
}

// An adapter may keep labels as a set in one letter case. What it shows besides is a breach, and so is any change of documented values.
func TestAListThatIsKeptAsASet(t *testing.T) {
	for _, c := range []struct {
		sent, shown []any
		breach      bool
	}{
		{[]any{"k3f9x2abB", "k3f9x2ab", "k3f9x2ab"}, []any{"k3f9x2abb", "k3f9x2ab"}, false},
		{[]any{"k3f9x2ab", "k3f9x2ab"}, []any{"k3f9x2ab"}, false},
		{[]any{"k3f9x2ab", "x"}, []any{"x", "k3f9x2ab"}, true},
		{[]any{"k3f9x2ab", "x"}, []any{"k3f9x2ab"}, true},
		{[]any{"k3f9x2ab"}, []any{"k3f9x2ab", "old"}, true},
		{[]any{"Red", "Red"}, []any{"red"}, true},
	} {
		update := probes.Call("main", "t", "update_box", map[string]any{"box": "b", "input": map[string]any{"labels": c.sent}})
		reply := probes.Classify(update, wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"success":true,"data":{"done":true}}}}`)}})
		it := &item{view: probes.ValueOf(map[string]any{"labels": []any{"old"}}), removedByNull: map[string]bool{}, verified: map[string]bool{"labels": true}, sent: map[string]bool{"labels": true}}
		or := &oracle{Adapter: &model.Adapter{Adapter: &probes.Adapter{}, Nonce: "k3f9x2ab"}, script: model.Script{Steps: []model.Step{{Operation: "update_box"}}}, got: []probes.Observation{reply}, items: map[int]*item{0: it}}
		or.recordUpdate(0, probes.Operation{Name: "update_box", Category: "UPDATE"}, model.Flaw{})
		or.judgeMerge(0, it, probes.ValueOf(map[string]any{"labels": c.shown}))
		if got := len(or.found) > 0; got != c.breach {
			t.Errorf("%v sent, %v shown: a breach is %v, want %v", c.sent, c.shown, got, c.breach)
		}
	}
}

// A field that null removed may have its documented default again, at the top and inside of an object.
func TestNullMayRestoreADefault(t *testing.T) {
	parameter := func(record map[string]any) probes.Parameter {
		return probes.Parameter{Name: record["name"].(string), Type: record["type"].(string), Raw: probes.ValueOf(record)}
	}
	open := parameter(map[string]any{"name": "open", "type": "boolean", "default": false})
	price := parameter(map[string]any{"name": "price", "type": "object", "fields": []any{map[string]any{"name": "currency", "type": "string", "default": "EUR"}}})
	for _, c := range []struct {
		input, after map[string]any
		breach       bool
	}{
		{map[string]any{"open": nil}, map[string]any{"open": false}, false},
		{map[string]any{"open": nil}, map[string]any{"open": true}, true},
		{map[string]any{"price": map[string]any{"currency": nil}}, map[string]any{"open": true, "price": map[string]any{"currency": "EUR"}}, false},
		{map[string]any{"price": map[string]any{"currency": nil}}, map[string]any{"open": true, "price": map[string]any{"currency": "CHF"}}, true},
	} {
		before := probes.ValueOf(map[string]any{"open": true, "price": map[string]any{"currency": "CHF"}})
		made := model.Subject{Op: probes.Operation{Name: "make_box", Parameters: []probes.Parameter{open, price}}}
		it := &item{object: model.TestObject{Maker: made}, verified: map[string]bool{"open": true, "price": true}, sent: map[string]bool{}, pending: &change{input: probes.ValueOf(c.input), before: before}}
		or := &oracle{Adapter: &model.Adapter{Adapter: &probes.Adapter{}}, script: model.Script{Steps: []model.Step{{Operation: "edit"}}}, got: []probes.Observation{{}}, items: map[int]*item{0: it}}
		or.judgeMerge(0, it, probes.ValueOf(c.after))
		if got := len(or.found) > 0; got != c.breach {
			t.Errorf("%v, then %v: a breach is %v, want %v", c.input, c.after, got, c.breach)
		}
	}
}

// What a refused update wanted may be there by an update that succeeded before it, where no read came
// between the two.
func TestTheSameValueTwiceIsNoEffect(t *testing.T) {
	value := func(fields map[string]any) probes.Value { return probes.ValueOf(fields) }
	shown := value(map[string]any{"code": "AA-000"})
	for name, c := range map[string]struct {
		before probes.Value
		breach bool
	}{
		"another state before":    {value(map[string]any{"code": "FE-039"}), true},
		"the field absent before": {value(map[string]any{"note": "x"}), true},
		"the same state before":   {shown, false},
		"no state before":         {probes.Value{}, false},
	} {
		it := &item{view: c.before, verified: map[string]bool{"code": true}}
		or := &oracle{Adapter: &model.Adapter{Adapter: &probes.Adapter{}}, script: model.Script{Steps: []model.Step{{Operation: "edit"}}}, got: []probes.Observation{{}}, items: map[int]*item{0: it}}
		or.judgeNoEffect(0, it, &change{input: shown, refused: true}, shown)
		if got := len(or.found) > 0; got != c.breach {
			t.Errorf("%s: a breach is %v, want %v", name, got, c.breach)
		}
	}
}

// A listing may show objects in short. What its rows leave out is known from the answers to the creation and to
// the updates, and unknown after a write that no answer shows; what they have shown before and lost is missing.
func TestRowsInShort(t *testing.T) {
	row, _ := probes.ParseValue([]byte(`{"id":"1","name":"n"}`))
	full, _ := probes.ParseValue([]byte(`{"id":"1","name":"n","phone":"+1"}`))
	input, _ := probes.ParseValue([]byte(`{"phone":"+2"}`))
	for name, c := range map[string]struct {
		view     probes.Value
		pending  *change
		rows     string // a field that a row has shown before, or that rows document
		phone    string // in the row as it is judged
		verified bool
	}{
		"another field was written": {full, nil, "", "+1", true},
		"the field was written":     {full, &change{input: input}, "", "", false},
		"its state is not known":    {probes.Value{}, nil, "", "", false},
		"a row has shown it before": {full, nil, "phone", "", true},
	} {
		it := &item{view: c.view, pending: c.pending, rows: map[string]bool{c.rows: true}, verified: map[string]bool{"name": true, "phone": true}}
		got := it.inFull(row, func(string) bool { return false })
		if phone := got.At("phone").Text(); phone != c.phone || it.verified["phone"] != c.verified || !it.verified["name"] {
			t.Errorf("%s: phone %q, judged %v", name, phone, it.verified)
		}
		it = &item{view: full, rows: map[string]bool{}, verified: map[string]bool{"phone": true}}
		if got := it.inFull(row, func(field string) bool { return field == "phone" }); !got.Equal(row) || !it.verified["phone"] {
			t.Errorf("a documented field is not missed in %s", got)
		}
	}
}

// Letters with their marks may be composed. Without the marks they are other letters.
func TestComposedLettersAreTheSameText(t *testing.T) {
	for shown, breach := range map[string]bool{"Ene\u0301": false, "En\u00e9": false, "Ene": true} {
		it := &item{verified: map[string]bool{"author": true}, removedByNull: map[string]bool{}}
		it.pending = &change{input: probes.ValueOf(map[string]any{"author": "Ene\u0301"}), before: probes.ValueOf(map[string]any{"author": "Ada"})}
		or := &oracle{Adapter: &model.Adapter{Adapter: &probes.Adapter{}}, script: model.Script{Steps: []model.Step{{Operation: "edit"}}}, got: []probes.Observation{{}}, items: map[int]*item{0: it}}
		or.judgeMerge(0, it, probes.ValueOf(map[string]any{"author": shown}))
		if got := len(or.found) > 0; got != breach {
			t.Errorf("%q: a breach is %v, want %v", shown, got, breach)
		}
	}
}

// One end of a range may not be above the other. A documented bound alone has to be accepted.
func TestEndsOfARangeAreNoBreach(t *testing.T) {
	number := probes.ValueOf(map[string]any{"minimum": 0, "maximum": 15})
	op := probes.Operation{Name: "list_recipes", Category: "READ", Parameters: []probes.Parameter{{Name: "min_abv", Type: "number", Raw: number}, {Name: "max_abv", Type: "number", Raw: number}}}
	plain := probes.Call("main", "t", op.Name, map[string]any{})
	good := probes.Classify(plain, wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"success":true,"data":[]}}}`)}})
	f := &model.Adapter{Adapter: &probes.Adapter{Operations: []probes.Operation{op}}, KnownGood: map[string]model.KnownGood{op.Name: {State: model.Proven, Probe: plain, Reply: good}}}
	for name, c := range map[string]struct {
		params map[string]any
		breach bool
	}{
		"both ends": {map[string]any{"min_abv": 15, "max_abv": 1}, false},
		"one end":   {map[string]any{"min_abv": 15}, true},
	} {
		o := probes.Classify(probes.Call("main", "t", op.Name, c.params), wire.Reply{Class: wire.Answered, Received: wire.Frame{
			Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"success":false,"error":{"code":"VALIDATION_OUT_OF_RANGE","message":"min_abv: too large","details":{"param_name":"min_abv"}}}}}`)}})
		or := &oracle{Adapter: f, script: model.Script{Steps: []model.Step{{Operation: op.Name}}}, got: []probes.Observation{o}}
		or.judgeRefused(0, op)
		if got := len(or.found) > 0; got != c.breach {
			t.Errorf("%s: a breach is %v, want %v", name, got, c.breach)
		}
	}
}

// A code may be stored in upper case. A title that is stored so has lost what the client wrote.
func TestOneCaseIsForCodesAlone(t *testing.T) {
	code := probes.Parameter{Name: "plate", Type: "string", Raw: probes.ValueOf(map[string]any{"name": "plate", "type": "string", "pattern": "^[A-Za-z0-9]+$"})}
	title := probes.Parameter{Name: "title", Type: "string", Raw: probes.ValueOf(map[string]any{"name": "title", "type": "string"})}
	for _, c := range []struct {
		name, shown string
		breach      bool
	}{{"plate", "KL1", false}, {"title", "KL1", true}, {"plate", "KL2", true}} {
		it := &item{object: model.TestObject{Fields: []probes.Parameter{code, title}}, verified: map[string]bool{c.name: true}, removedByNull: map[string]bool{}}
		it.pending = &change{input: probes.ValueOf(map[string]any{c.name: "kl1"}), before: probes.ValueOf(map[string]any{c.name: "old"})}
		or := &oracle{Adapter: &model.Adapter{Adapter: &probes.Adapter{}}, script: model.Script{Steps: []model.Step{{Operation: "edit"}}}, got: []probes.Observation{{}}, items: map[int]*item{0: it}}
		or.judgeMerge(0, it, probes.ValueOf(map[string]any{c.name: c.shown}))
		if got := len(or.found) > 0; got != c.breach {
			t.Errorf("%s is shown as %s: a breach is %v, want %v", c.name, c.shown, got, c.breach)
		}
	}
}

// A time may be stored in another form; another moment is a breach.
func TestATimeMayHaveAnotherForm(t *testing.T) {
	for shown, breach := range map[string]bool{"2027-01-05T09:38:00Z": false, "2027-01-05T10:38:00+01:00": false, "2027-01-05T10:38:00Z": true, "soon": true} {
		it := &item{verified: map[string]bool{"at": true}, removedByNull: map[string]bool{}}
		it.pending = &change{input: probes.ValueOf(map[string]any{"at": "2027-01-05T09:38:00.000Z"}), before: probes.ValueOf(map[string]any{"at": "2026-01-02T03:04:05Z"})}
		or := &oracle{Adapter: &model.Adapter{Adapter: &probes.Adapter{}}, script: model.Script{Steps: []model.Step{{Operation: "edit"}}}, got: []probes.Observation{{}}, items: map[int]*item{0: it}}
		or.judgeMerge(0, it, probes.ValueOf(map[string]any{"at": shown}))
		if got := len(or.found) > 0; got != breach {
			t.Errorf("%s: a breach is %v, want %v", shown, got, breach)
		}
	}
}

// An object whose creation set a flag that no object shows may never have been made: a dry run has many names.
// It is missed after a read has shown it.
func TestRehearsedCreationsAreNotMissed(t *testing.T) {
	update, _ := probes.ParseValue([]byte(`{"code":"A-1"}`))
	gone := probes.Classify(probes.Call("main", "t", "get_plot", map[string]any{"code": "A-1"}), wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"none"}}}}`)}})
	for name, c := range map[string]struct{ flagged, read, missed bool }{
		"made without a flag":          {false, false, true},
		"made with a flag":             {true, false, false},
		"made with a flag, and a read": {true, true, true},
	} {
		plots := model.TestObject{Maker: model.Subject{Name: "create_plot"}, Viewer: probes.Operation{Name: "get_plot"}}
		f := &model.Adapter{Adapter: &probes.Adapter{Operations: []probes.Operation{{Name: "update_plot", Category: "UPDATE"}}}, ObjectKinds: []*model.ObjectKind{{TestObject: plots, StableReads: true}}}
		or := &oracle{Adapter: f, script: model.Script{Steps: []model.Step{{Operation: "update_plot"}}}, got: []probes.Observation{{}}}
		it := &item{object: plots, verified: map[string]bool{"code": true}, flagged: c.flagged, read: c.read, pending: &change{input: update}}
		or.judgeMissing(0, plots.Viewer, it, gone)
		if got := len(or.found) > 0; got != c.missed {
			t.Errorf("%s: missed is %v, want %v", name, got, c.missed)
		}
	}
}

// A dry run may tell the identifier that the next object gets. A removal by that identifier is one of the other object.
func TestARehearsalNamesAnotherObject(t *testing.T) {
	gone := probes.Classify(probes.Call("main", "t", "get_plot", map[string]any{"code": "A-1"}), wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"none"}}}}`)}})
	made := probes.Classify(probes.Call("main", "t", "create_plot", map[string]any{"code": "A-1", "notify": true, "dry_run": true}), wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"success":true,"data":{"code":"A-1"}}}}`)}})
	plots := model.TestObject{Maker: model.Subject{Name: "create_plot"}, Viewer: probes.Operation{Name: "get_plot"}}
	f := &model.Adapter{Adapter: &probes.Adapter{Operations: []probes.Operation{{Name: "delete_plot", Category: "DELETE"}}}, ObjectKinds: []*model.ObjectKind{{TestObject: plots, StableReads: true}}}
	for name, c := range map[string]struct{ one, other, missed bool }{
		"both are made":                 {false, false, true},
		"the object is rehearsed":       {true, false, false},
		"what is removed was rehearsed": {false, true, false},
	} {
		or := &oracle{Adapter: f, script: model.Script{Steps: []model.Step{{}, {Operation: "delete_plot"}}}, got: []probes.Observation{made, {}}}
		it := &item{object: plots, verified: map[string]bool{"code": true}, read: true, rehearsed: c.one, pending: &change{step: 1, target: 7}}
		or.items = map[int]*item{0: it, 7: {rehearsed: c.other}}
		or.judgeMissing(1, plots.Viewer, it, gone)
		if got := len(or.found) > 0; got != c.missed {
			t.Errorf("%s: missed is %v, want %v", name, got, c.missed)
		}
	}
	if !rehearses(made.Probe) || rehearses(probes.Call("main", "t", "create_plot", map[string]any{"dry_run": false})) {
		t.Error("a dry run is not told from a creation")
	}
}

// A listed value may be refused because of another field that the object has already. The refusal names it.
func TestRulesBetweenFieldsAreNoBreach(t *testing.T) {
	kind, _ := probes.ParseValue([]byte(`{"name":"grade","type":"string","enum":["child","adult"]}`))
	fields := []probes.Parameter{{Name: "grade", Type: "string", Raw: kind}, {Name: "loans", Type: "integer"}}
	for message, refused := range map[string]bool{
		"More than 5 loans are for the grade adult": false,
		"Invalid value for 'grade'":                 true,
	} {
		op := probes.Operation{Name: "update_member", Category: "UPDATE", Parameters: []probes.Parameter{{Name: "input", Type: "object"}}}
		up := model.TestObject{Fields: fields, Declared: true}
		up.Name = op.Name
		f := &model.Adapter{Adapter: &probes.Adapter{Operations: []probes.Operation{op}}, ObjectKinds: []*model.ObjectKind{{Updaters: []model.TestObject{up}, Accepted: map[string]bool{"update_member.grade": true}}}}
		o := probes.Classify(probes.Call("main", "t", op.Name, map[string]any{"input": map[string]any{"grade": "child"}}), wire.Reply{Class: wire.Answered, Received: wire.Frame{
			Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"success":false,"error":{"code":"VALIDATION_CONSTRAINT","message":"` + message + `"}}}}`)}})
		or := &oracle{Adapter: f, script: model.Script{Steps: []model.Step{{Operation: op.Name}}}, got: []probes.Observation{o}}
		or.judgeRefused(0, op)
		if got := len(or.found) > 0; got != refused {
			t.Errorf("%s: a breach is %v, want %v", message, got, refused)
		}
	}
}

// The same holds between the fields of an object that a creation is given.
func TestRulesInsideObjectsAreNoBreach(t *testing.T) {
	limits, _ := probes.ParseValue([]byte(`{"name":"Limits","kind":"object","fields":[{"name":"low","type":"number","minimum":0},{"name":"high","type":"number","minimum":0}]}`))
	for message, refused := range map[string]bool{
		"Invalid value for 'limits.low': must be below limits.high":   false,
		"Invalid value for 'limits.low': must be greater than zero 0": true,
	} {
		op := probes.Operation{Name: "create_method", Category: "CREATE", Parameters: []probes.Parameter{{Name: "limits", Type: "Limits"}}}
		sent := probes.Call("main", "t", op.Name, map[string]any{"limits": map[string]any{"low": 0, "high": 0}})
		yes := probes.Classify(sent, wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"success":true,"data":{}}}}`)}})
		f := &model.Adapter{Adapter: &probes.Adapter{Operations: []probes.Operation{op}, Types: []probes.Type{{Name: "Limits", Kind: "object", Details: limits}}},
			KnownGood: map[string]model.KnownGood{op.Name: {State: model.Proven, Probe: sent, Reply: yes}}}
		o := probes.Classify(sent, wire.Reply{Class: wire.Answered, Received: wire.Frame{
			Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"success":false,"error":{"code":"VALIDATION_INVALID_VALUE","message":"` + message + `","details":{"param_name":"limits.low"}}}}}`)}})
		or := &oracle{Adapter: f, script: model.Script{Steps: []model.Step{{Operation: op.Name}}}, got: []probes.Observation{o}}
		or.judgeRefused(0, op)
		if got := len(or.found) > 0; got != refused {
			t.Errorf("%s: a breach is %v, want %v", message, got, refused)
		}
	}
}
