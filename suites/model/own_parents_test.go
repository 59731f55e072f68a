package model

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
)

// A network is an adapter with stations, each of which takes one sensor, or any number of them.
type network struct {
	stations []string // codes
	sensors  []string // codes of their stations
	roomy    bool
	gated    bool // a gate is in front of it
	foreign  int  // requests that put a sensor into a station of others
}

func (n *network) ask(p probes.Probe) probes.Observation {
	at := ValueIn(p, "station").Text()
	switch code := ValueIn(p, "code").Text(); p.Operation() {
	case "add_station":
		n.stations = append(n.stations, code)
		return succeeded(p, fmt.Sprintf(`{"code":%q,"title":%q}`, code, ValueIn(p, "title").Text()))
	case "get_station":
		if slices.Contains(n.stations, code) && code != "GDA02" {
			return succeeded(p, fmt.Sprintf(`{"code":%q,"title":%q}`, code, "aqlc-abcd1234"))
		}
	case "add_sensor":
		switch {
		case at == "GDA02" && n.gated:
			return probes.Observation{Probe: p, Outcome: probes.Unasked, Exit: `the value "GDA02" of station names something that is not ours; --allow create:add_sensor permits it`}
		case at == "GDA02":
			n.foreign++
		case !slices.Contains(n.stations, at):
			return refused(p, "NOT_FOUND_RESOURCE", "there is no station "+at, `{}`)
		case slices.Contains(n.sensors, at) && !n.roomy:
			return refused(p, "CONFLICT_ALREADY_EXISTS", "it has one", `{}`)
		}
		n.sensors = append(n.sensors, at)
		return succeeded(p, fmt.Sprintf(`{"sensor_no":"S-%d","note":%q}`, len(n.sensors), ValueIn(p, "note").Text()))
	}
	return refused(p, "NOT_FOUND_RESOURCE", "no", `{}`)
}

// A sensor lies in a station, which no name tells. It is put into one of the run and not into that of the documented
// example, and each sensor gets a station of its own if no two of them lie in one.
func TestObjectsGetAParentOfTheirOwn(t *testing.T) {
	for _, of := range []struct{ roomy, gated bool }{{false, false}, {true, false}, {true, true}} {
		roomy := of.roomy
		f := documented(Permissions{Create: true, Update: true, Delete: true}, fixtures.Hints{}, "CREATE add_sensor station note", "READ get_sensor sensor_no", "DELETE delete_sensor sensor_no",
			"CREATE add_station code title", "READ get_station code", "DELETE delete_station code")
		form, _ := probes.ParseValue([]byte(`{"type":"string","required":true,"pattern":"^[A-Z]{3}[0-9]{2}$"}`))
		if !of.gated { // a key that is tried unasked holds the mark
			f.Operations[0].Parameters[0].Raw, f.Operations[3].Parameters[0].Raw = form, form
		}
		f.Operations[0].Details, _ = probes.ParseValue([]byte(`{"examples":[{"request":{"params":{"station":"GDA02"}}}]}`))
		f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "abcd1234", Harvest: f.earlierValues}
		if of.gated { // what is listed is tried first
			f.Operations[0].Parameters[0].Identifies = true
			f.Gen.Harvest = func(probes.Operation, probes.Parameter) []probes.Value {
				return []probes.Value{probes.ValueOf("GDA02")}
			}
		}
		unlearned(f)
		n := &network{stations: []string{"GDA02"}, roomy: roomy, gated: of.gated}
		f.findKnownGood(t.Context(), askerFunc(n.ask))
		f.findOneEach(t.Context(), askerFunc(n.ask))
		if got := f.holders["add_sensor"]; got != (holder{"add_station", "station"}) || n.foreign > 0 {
			t.Fatalf("sensors lie in what %q makes, and %d were put into a station of others", got, n.foreign)
		}
		if f.oneEach["add_sensor"] == roomy {
			t.Errorf("with room for more %v, oneEach %v", roomy, f.oneEach)
		}
		var parents OwnParents
		s := Subject{Adapter: f, Name: "add_sensor", Op: f.Operations[0]}
		var in []string
		for _, step := range []string{"one", "two", "two"} {
			o := parents.Ask(f, s.FreshCall(step), n.ask)
			in = append(in, ValueIn(o.Probe, "station").Text()+" "+strings.TrimSuffix(o.Code(), "_ALREADY_EXISTS"))
		}
		if !roomy && (in[0] == in[1] || in[2] != strings.TrimSuffix(in[1], " ")+" CONFLICT") {
			t.Errorf("the sensors lie in %q", in)
		}
	}
}

// A refusal may speak of a parameter by a common word and mean another one: the name of a sensor gets its mark back.
func TestWhatARefusalDoesNotMeanIsPutBack(t *testing.T) {
	f := documented(Permissions{Create: true, Update: true, Delete: true}, fixtures.Hints{}, "CREATE add_sensor name station", "READ get_sensor sensor_no", "DELETE delete_sensor sensor_no",
		"CREATE add_station title", "READ get_station station_no", "DELETE delete_station station_no")
	f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "abcd1234", Harvest: f.earlierValues}
	unlearned(f)
	titles, sensors := map[string]string{}, map[string]string{}
	f.findKnownGood(t.Context(), askerFunc(func(p probes.Probe) probes.Observation {
		switch name := ValueIn(p, "name").Text(); {
		case p.Operation() == "add_sensor" && !strings.Contains(p.String(), "abcd1234"):
			return probes.Observation{Probe: p, Outcome: probes.Unasked, Exit: "what it creates would not carry our mark; --allow create:add_sensor permits it"}
		case p.Operation() == "add_sensor" && titles[ValueIn(p, "station").Text()] != "":
			sensors["S-1"] = name
			return succeeded(p, fmt.Sprintf(`{"sensor_no":"S-1","name":%q}`, name))
		case p.Operation() == "add_station":
			titles["K-7"] = ValueIn(p, "title").Text()
			return succeeded(p, fmt.Sprintf(`{"station_no":"K-7","title":%q}`, titles["K-7"]))
		case p.Operation() == "get_station" && titles[ValueIn(p, "station_no").Text()] != "":
			return succeeded(p, fmt.Sprintf(`{"station_no":"K-7","title":%q}`, titles["K-7"]))
		case p.Operation() == "get_sensor" && sensors[ValueIn(p, "sensor_no").Text()] != "":
			return succeeded(p, fmt.Sprintf(`{"sensor_no":"S-1","name":%q}`, sensors["S-1"]))
		}
		return refused(p, "NOT_FOUND_RESOURCE", "There is no station with that name", `{}`)
	}))
	if good := f.KnownGood["add_sensor"]; good.State != Proven {
		t.Errorf("a sensor is not made: %s, after %s", good.Why, good.Probe)
	}
}

// A library lends each copy once. A loan names its copies in a list, and each loan of the run gets a copy of its own.
func TestWhatIsNamedInAListIsLentOnce(t *testing.T) {
	f := documented(Permissions{Create: true, Update: true, Delete: true}, fixtures.Hints{}, "CREATE add_copy title", "READ get_copy copy", "DELETE delete_copy copy",
		"CREATE add_loan reader copies", "READ get_loan loan", "DELETE delete_loan loan")
	list, _ := probes.ParseValue([]byte(`{"type":"array","required":true,"minItems":1,"items":{"type":"integer"}}`))
	f.Operations[3].Parameters[1].Type, f.Operations[3].Parameters[1].Raw = "array", list
	f.Operations[3].Details, _ = probes.ParseValue([]byte(`{"examples":[{"request":{"params":{"copies":[7,9]}}}]}`))
	f.Operations[1].Parameters[0].Type, f.Operations[2].Parameters[0].Type = "integer", "integer"
	f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "abcd1234", Harvest: f.earlierValues}
	unlearned(f)
	copies, lent := 100, map[string]bool{}
	ask := func(p probes.Probe) probes.Observation {
		switch p.Operation() {
		case "add_copy":
			copies++
			return succeeded(p, fmt.Sprintf(`{"copy":%d,"title":%q}`, copies, ValueIn(p, "title").Text()))
		case "get_copy":
			return succeeded(p, fmt.Sprintf(`{"copy":%s,"title":"aqlc-abcd1234"}`, ValueIn(p, "copy").Raw()))
		case "add_loan":
			if of := ValueIn(p, "copies").String(); !lent[of] && of != "[7,9]" {
				lent[of] = true
				return succeeded(p, fmt.Sprintf(`{"loan":%d,"reader":%q,"copies":%s}`, len(lent), ValueIn(p, "reader").Text(), of))
			}
			return refused(p, "CONFLICT_LENT", "a copy is lent", `{}`)
		}
		return refused(p, "NOT_FOUND_RESOURCE", "no", `{}`)
	}
	f.findKnownGood(t.Context(), askerFunc(ask))
	f.findOneEach(t.Context(), askerFunc(ask))
	s := Subject{Adapter: f, Name: "add_loan", Op: f.Operations[3]}
	if o := (&OwnParents{}).Ask(f, s.FreshCall("next"), ask); !f.oneEach["add_loan"] || !o.Succeeded() || ValueIn(o.Probe, "copies").Items() == nil {
		t.Errorf("one loan of each copy: %v; the next loan: %s", f.oneEach, o.Brief())
	}
}

// A loan names a copy by its number and a reader by the text on a card. A copy is lent once, and a reader has two loans at most. Each
// loan of the run gets a copy of its own, and another reader where that is needed. The objects of others are not tried.
func TestEachThingThatIsNamedMayBeFull(t *testing.T) {
	f := documented(Permissions{Create: true, Update: true, Delete: true}, fixtures.Hints{}, "CREATE add_copy title", "READ get_copy barcode", "DELETE delete_copy barcode",
		"CREATE add_reader name", "READ get_reader card", "DELETE delete_reader card", "CREATE add_loan barcode card", "READ get_loan loan", "DELETE delete_loan loan")
	card, _ := probes.ParseValue([]byte(`{"type":"string","required":true,"pattern":"^R[0-9]{3}$"}`))
	for i, o := range f.Operations {
		for j, p := range o.Parameters {
			switch p.Name {
			case "barcode":
				f.Operations[i].Parameters[j].Type, f.Operations[i].Parameters[j].Identifies = "integer", o.Category == "CREATE"
			case "card":
				f.Operations[i].Parameters[j].Raw, f.Operations[i].Parameters[j].Identifies = card, o.Category == "CREATE"
			}
		}
	}
	f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "abcd1234", Harvest: func(_ probes.Operation, p probes.Parameter) []probes.Value {
		return map[string][]probes.Value{"barcode": {probes.ValueOf(7)}, "card": {probes.ValueOf("R001")}}[p.Name]
	}}
	unlearned(f)
	copies, readers, loans, lent := 100, 100, map[string]int{}, map[string]bool{}
	ask := func(p probes.Probe) probes.Observation {
		of, by := ValueIn(p, "barcode").String(), ValueIn(p, "card").Text()
		switch p.Operation() {
		case "add_copy":
			copies++
			return succeeded(p, fmt.Sprintf(`{"barcode":%d,"title":%q}`, copies, ValueIn(p, "title").Text()))
		case "get_copy":
			return succeeded(p, fmt.Sprintf(`{"barcode":%s,"title":"aqlc-abcd1234"}`, of))
		case "add_reader":
			readers++
			return succeeded(p, fmt.Sprintf(`{"card":"R%d","name":%q}`, readers, ValueIn(p, "name").Text()))
		case "get_reader":
			return succeeded(p, fmt.Sprintf(`{"card":%q,"name":"aqlc-abcd1234"}`, by))
		case "add_loan":
			for _, theirs := range []struct{ name, value string }{{"card", by}, {"barcode", of}} {
				if theirs.value == "7" || len(theirs.value) == 4 && theirs.value < "R100" {
					return probes.Observation{Probe: p, Outcome: probes.Unasked, Exit: fmt.Sprintf("the value %s of %s names something that is not ours; --allow create:add_loan permits it", theirs.value, theirs.name)}
				}
			}
			switch {
			case lent[of]:
				return refused(p, "CONFLICT_STATE", "the copy is lent", `{}`)
			case loans[by] == 2:
				return refused(p, "CONFLICT_STATE", "the reader has two loans", `{}`)
			}
			lent[of], loans[by] = true, loans[by]+1
			return succeeded(p, fmt.Sprintf(`{"loan":%d,"barcode":%s,"card":%q}`, len(lent), of, by))
		case "get_loan":
			return succeeded(p, fmt.Sprintf(`{"loan":%s}`, ValueIn(p, "loan").Raw()))
		}
		return refused(p, "NOT_FOUND_RESOURCE", "no", `{}`)
	}
	f.findKnownGood(t.Context(), askerFunc(ask))
	f.findOneEach(t.Context(), askerFunc(ask))
	s, parents := Subject{Adapter: f, Name: "add_loan", Op: f.Operations[6]}, &OwnParents{}
	for _, step := range []string{"one", "two", "three", "four"} {
		if o := parents.Ask(f, s.FreshCall(step).Anew(step), ask); !o.Succeeded() {
			t.Errorf("%s: %s; known: %s", step, o.Brief(), f.KnownGood["add_loan"].Why)
		}
	}
	if !f.oneEach["add_loan"] {
		t.Errorf("one loan of each copy: %v", f.oneEach)
	}
}

// Two kinds may have keys of one name, and the run gives both the same text. The key of a menu names no recipe.
func TestOwnKeyNamesNoOtherObject(t *testing.T) {
	f := documented(Permissions{Create: true, Delete: true}, fixtures.Hints{}, "CREATE create_menu cle nom", "READ get_menu cle", "DELETE delete_menu cle",
		"CREATE create_recette cle nom", "READ get_recette cle", "DELETE delete_recette cle")
	f.holders, f.refers, f.parents, f.unfit = map[string]holder{}, map[string][]holder{}, map[string]bool{}, map[string]bool{}
	key := probes.ValueOf("aqlc-abcd1234")
	kind, _ := f.Rules.Kind("create_recette")
	f.provenKeys = map[string]provenKey{"create_recette": {kind: kind, values: []probes.Value{key}}}
	f.learnHolder(f.Operations[0], map[string][]probes.Value{"cle": {key}}, map[string]int{}, map[string]bool{})
	if len(f.refers) > 0 || len(f.holders) > 0 {
		t.Errorf("a menu lies in what its own key names: %v, %v", f.refers, f.holders)
	}
}

// A ship of the run does not fit to the first port. The gate permits no other ship, so another port is tried, each value once.
func TestAnotherPartnerIsTried(t *testing.T) {
	text := func(name string) probes.Parameter {
		return probes.Parameter{Name: name, Type: "string", Required: true}
	}
	o := probes.Operation{Name: "create_crossing", Category: "CREATE", Parameters: []probes.Parameter{text("ship_id"), text("port_id"), text("remark")}}
	values := map[string][]probes.Value{
		"ship_id": {probes.ValueOf("ours"), probes.ValueOf("theirs")}, "remark": {probes.ValueOf("a"), probes.ValueOf("b")},
		"port_id": {probes.ValueOf("p1"), probes.ValueOf("p1"), probes.ValueOf("p2")},
	}
	chosen := map[string]int{"ship_id": 1}
	why := `barred: the value "theirs" of ship_id names something that is not ours`
	f := &Adapter{}
	for i, want := range []bool{true, false} {
		if got := f.changesPartner(o, why, values, chosen, nil); got != want {
			t.Errorf("try %d: changed %v, want %v", i+1, got, want)
		}
	}
	if chosen["ship_id"] != 0 || chosen["port_id"] != 2 || chosen["remark"] != 0 {
		t.Errorf("chosen %v, want the ship of the run and the last port", chosen)
	}
}
