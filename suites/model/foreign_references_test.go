package model

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
	"github.com/aql-conform/aql-conform/suites/gate"
)

// unlearned gives an adapter the tables of one of which nothing is known.
func unlearned(f *Adapter) {
	f.KnownGood, f.provenKeys, f.scalarsFor, f.Absent = map[string]KnownGood{}, map[string]provenKey{}, map[string][]int{}, map[string]probes.Value{}
	f.parents, f.sole, f.holders, f.refers = map[string]bool{}, map[string]bool{}, map[string]holder{}, map[string][]holder{}
	f.oneEach, f.waits, f.unfit, f.distinct = map[string]bool{}, map[string]map[string]bool{}, map[string]bool{}, map[string]bool{}
}

// learnedBehindGate finds the valid requests of an adapter through a gate.
func learnedBehindGate(t *testing.T, f *Adapter, may Permissions, store askerFunc) {
	t.Helper()
	f.AQL, f.Tools, f.Introspect = []string{"aql"}, []probes.Tool{{Name: "aql"}}, "aql"
	g := gate.New(store, "main", "abcd1234", may, fixtures.Hints{}, nil)
	f.Rules = g.Learn(f.Adapter)
	f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "abcd1234", Harvest: f.earlierValues}
	unlearned(f)
	f.findKnownGood(t.Context(), askerFunc(func(p probes.Probe) probes.Observation {
		leave, why := g.Enter(t.Context(), p)
		if why != "" {
			return probes.Observation{Probe: p, Outcome: probes.Unasked, Exit: why}
		}
		o := store(p)
		leave(o)
		return o
	}))
}

// Identifiers are texts that are counted in each kind: "5" is a folder of the run, and a member of others. No operation
// makes a member. A loan must not be charged to a member of others.
func TestKeysOfAnotherKindAreNotTried(t *testing.T) {
	may := Permissions{Create: true, Update: true, Delete: true}
	f := documented(may, fixtures.Hints{}, "CREATE create_folder title", "READ get_folder folder_id", "DELETE delete_folder folder_id", "READ list_folders",
		"READ get_member member_id", "READ list_members", "CREATE create_loan member_id note", "READ get_loan loan_id", "READ list_loans", "DELETE delete_loan loan_id")
	folders, charged := 4, []string{}
	loans := map[string]string{}
	store := func(p probes.Probe) probes.Observation {
		switch p.Operation() {
		case "create_folder":
			folders++
			return succeeded(p, fmt.Sprintf(`{"folder_id":"%d","title":%q}`, folders, ValueIn(p, "title").Text()))
		case "get_folder":
			if ValueIn(p, "folder_id").Text() == "5" && folders >= 5 {
				return succeeded(p, `{"folder_id":"5","title":"aqlc-abcd1234"}`)
			}
		case "list_folders":
			return succeeded(p, `{"items":[{"folder_id":"1","title":"Old"}],"has_more":false}`)
		case "list_members":
			return succeeded(p, `{"items":[{"member_id":"2","name":"Bob"},{"member_id":"3","name":"Cid"}],"has_more":true}`)
		case "get_member":
			if m := ValueIn(p, "member_id").Text(); m == "2" || m == "3" || m == "5" {
				return succeeded(p, `{"member_id":"`+m+`","name":"Ann"}`)
			}
		case "list_loans":
			return succeeded(p, `{"items":[{"loan_id":"1","member_id":"2","note":"x"}],"has_more":false}`)
		case "create_loan":
			m := ValueIn(p, "member_id").Text()
			charged = append(charged, m)
			id := fmt.Sprint("L", len(charged))
			loans[id] = fmt.Sprintf(`{"loan_id":%q,"member_id":%q,"note":%q}`, id, m, ValueIn(p, "note").Text())
			return succeeded(p, loans[id])
		case "get_loan":
			if l, ok := loans[ValueIn(p, "loan_id").Text()]; ok {
				return succeeded(p, l)
			}
		}
		return refused(p, "NOT_FOUND_RESOURCE", "no", `{}`)
	}
	learnedBehindGate(t, f, may, store)
	if len(charged) > 0 {
		t.Errorf("loans were charged to the members %v, all of others", charged)
	}
}

// A parameter with a dot in its name.
func TestParametersMayHaveADot(t *testing.T) {
	f := documented(Permissions{Create: true, Delete: true}, fixtures.Hints{}, "CREATE create_slot hour address.city note", "READ get_slot hour", "DELETE delete_slot hour")
	f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "abcd1234"}
	f.parents = map[string]bool{}
	mark := f.Gen.Marker("")
	valid := probes.Call("main", "aql", "create_slot", map[string]any{"hour": mark, "address.city": mark, "note": mark})
	f.KnownGood = map[string]KnownGood{"create_slot": {Probe: valid, State: Proven}}
	f.findParents(t.Context(), replying(func(params map[string]any) string {
		if params["address.city"] == mark {
			return `{"success":true,"data":{"hour":"x"}}`
		}
		return `{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"no such city"}}`
	}))
	if !f.parents["create_slot.address.city"] {
		t.Errorf("parents %v", f.parents)
	}
}

// Operations without a noun show identifiers of anything.
func TestAnswersWithoutANounFitNothing(t *testing.T) {
	for _, op := range []string{"search", "browse", "recent", "dashboard", "whoami"} {
		f := &Adapter{Adapter: &probes.Adapter{}, scalarsFor: map[string][]int{}}
		note := probes.Parameter{Name: "id", Type: "string", Required: true}
		collect := func(op, data string) {
			v, _ := probes.ParseValue([]byte(data))
			f.collectScalars(probes.Operation{Name: op, Category: "READ"}, succeeded(probes.Call("main", "read", op, nil), string(v.Raw())))
		}
		collect(op, `{"hits":[{"id":"FOLDER-1"},{"id":"FOLDER-2"},{"id":"USER-3"}],"recent":[{"id":"TAG-4"}]}`)
		collect("list_notes", `{"items":[{"id":"NOTE-7"}]}`)
		got := f.earlierValues(probes.Operation{Name: "get_note", Category: "READ"}, note)
		if len(got) != 1 || got[0].Text() != "NOTE-7" {
			t.Errorf("%s: noun %q, values %v", op, f.Noun(op), got)
		}
	}
}

// A post has a list of free texts called categories and nothing else that carries a mark. There are categories with a code the
// adapter gives as well.
func TestListsOfTextsKeepTheMark(t *testing.T) {
	may := Permissions{Create: true, Update: true, Delete: true}
	f := documented(may, fixtures.Hints{}, "CREATE create_category title", "READ get_category category", "DELETE delete_category category",
		"CREATE create_post categories", "READ get_post post_id", "DELETE delete_post post_id")
	list, _ := probes.ParseValue([]byte(`{"type":"array","required":true,"items":{"type":"string"}}`))
	f.Operations[3].Parameters[0].Type, f.Operations[3].Parameters[0].Raw = "array", list
	posts, cats := map[string]string{}, 0
	store := func(p probes.Probe) probes.Observation {
		switch p.Operation() {
		case "create_category":
			cats++
			return succeeded(p, fmt.Sprintf(`{"category":"C-%d","title":%q}`, cats, ValueIn(p, "title").Text()))
		case "get_category":
			if ValueIn(p, "category").Text() == "C-1" {
				return succeeded(p, `{"category":"C-1","title":"aqlc-abcd1234"}`)
			}
		case "create_post":
			id := fmt.Sprint("P", len(posts)+1)
			posts[id] = fmt.Sprintf(`{"post_id":%q,"categories":%s}`, id, ValueIn(p, "categories"))
			return succeeded(p, posts[id])
		case "get_post":
			if l, ok := posts[ValueIn(p, "post_id").Text()]; ok {
				return succeeded(p, l)
			}
		}
		return refused(p, "NOT_FOUND_RESOURCE", "no", `{}`)
	}
	learnedBehindGate(t, f, may, store)
	k := f.KnownGood["create_post"]
	if k.State != Proven || !strings.Contains(k.Probe.String(), "abcd1234") {
		t.Error("the post does not carry the mark")
	}
}

// The first room of an adapter has the number 1, and so has the position of a shelf, which no two shelves share.
func TestEqualNumbersAreNoReferences(t *testing.T) {
	may := Permissions{Create: true, Update: true, Delete: true}
	f := documented(may, fixtures.Hints{}, "CREATE create_room title", "READ get_room room_no", "DELETE delete_room room_no",
		"CREATE create_shelf label position", "READ get_shelf shelf_id", "DELETE delete_shelf shelf_id")
	number, _ := probes.ParseValue([]byte(`{"type":"integer","required":true}`))
	f.Operations[1].Parameters[0].Type, f.Operations[2].Parameters[0].Type = "integer", "integer"
	f.Operations[3].Parameters[1].Type, f.Operations[3].Parameters[1].Raw = "integer", number
	f.Operations[3].Details, _ = probes.ParseValue([]byte(`{"examples":[{"request":{"params":{"position":1}}}]}`))
	f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "abcd1234", Harvest: f.earlierValues}
	unlearned(f)
	rooms, shelves := 0, map[string]bool{}
	ask := askerFunc(func(p probes.Probe) probes.Observation {
		switch p.Operation() {
		case "create_room":
			rooms++
			return succeeded(p, fmt.Sprintf(`{"room_no":%d,"title":%q}`, rooms, ValueIn(p, "title").Text()))
		case "get_room":
			if n, _ := ValueIn(p, "room_no").Float(); n == 1 && rooms > 0 {
				return succeeded(p, `{"room_no":1,"title":"aqlc-abcd1234"}`)
			}
		case "create_shelf":
			at := ValueIn(p, "position").String()
			if shelves[at] {
				return refused(p, "CONFLICT_ALREADY_EXISTS", "position is taken", `{}`)
			}
			shelves[at] = true
			return succeeded(p, fmt.Sprintf(`{"shelf_id":"S-%d","label":%q,"position":%s}`, len(shelves), ValueIn(p, "label").Text(), at))
		}
		return refused(p, "NOT_FOUND_RESOURCE", "no", `{}`)
	})
	f.findKnownGood(t.Context(), ask)
	f.findOneEach(t.Context(), ask)
	f.findSole(t.Context(), ask)
	if !f.sole["create_shelf.position"] {
		t.Error("the position is not known to be that of one shelf alone")
	}
	s := Subject{Adapter: f, Name: "create_shelf", Op: f.Operations[3]}
	a, b := s.FreshCall("batch 1"), s.FreshCall("batch 2")
	if ValueIn(a, "position").Equal(ValueIn(b, "position")) {
		t.Errorf("two shelves of one batch share a position: %s %s", a, b)
	}
}
