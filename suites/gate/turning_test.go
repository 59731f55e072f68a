package gate

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
)

// A listing whose parameters have names that nobody knows is followed to its end: by the number of a page or of a row,
// or by a text that its answers carry. The end is known by the text alone: a filter may look like
// numbered pages.
func TestPagesAreTurnedByTrial(t *testing.T) {
	const all, size = 11, 4
	rows := func(from, n int) string {
		var some []string
		for i := from; i < min(from+n, all); i++ {
			some = append(some, fmt.Sprintf(`{"cita_id":"c%d","peso":%d}`, i, 1+i/5))
		}
		return strings.Join(some, ",")
	}
	number := func(p probes.Probe, name string, usual int) int {
		if v, sent := probes.ValueOf(p.Params()[name]).Float(); sent {
			return int(v)
		}
		return usual
	}
	for name, c := range map[string]struct {
		parameter, record string
		answer            func(p probes.Probe) string
		shown             int
		ended             bool
	}{
		"pages": {"hoja:integer", `{"default":1,"minimum":1}`, func(p probes.Probe) string {
			return `{"filas":[` + rows((number(p, "hoja", 1)-1)*size, size) + `]}`
		}, all, false},
		"rows": {"salto:integer", `{"default":0,"minimum":0}`, func(p probes.Probe) string {
			return `{"filas":[` + rows(number(p, "salto", 0), size) + `]}`
		}, all, false},
		"a token": {"sigue:string", `{}`, func(p probes.Probe) string {
			at := 0
			fmt.Sscanf(probes.ValueOf(p.Params()["sigue"]).Text(), "tras-%d", &at)
			next := fmt.Sprintf("tras-%d", at+size)
			if at+size >= all {
				next = ""
			}
			return fmt.Sprintf(`{"filas":[%s],"orden":"peso","mas":{"sigue":%q}}`, rows(at, size), next)
		}, all, true},
		"a filter": {"peso:integer", `{"minimum":1}`, func(p probes.Probe) string {
			if number(p, "peso", 0) == 2 {
				return `{"filas":[` + rows(5, size) + `]}`
			}
			return `{"filas":[` + rows(1, size) + `]}`
		}, 2 * size, false},
		"the same page": {"hoja:integer", `{}`, func(probes.Probe) string { return `{"filas":[` + rows(0, size) + `]}` }, size, false},
	} {
		op := operation("list_citas", "READ", "cuantas:integer", c.parameter)
		op.Parameters[0].Raw, op.Parameters[1].Raw = value(fmt.Sprintf(`{"default":%d,"maximum":%d}`, size, size)), value(c.record)
		asked := 0
		g := learned(func(p probes.Probe) probes.Observation {
			asked++
			if c := probes.ValueOf(p.Params()["cuantas"]); !c.Is(probes.Absent) && c.Text() != "" {
				t.Errorf("%s: %s", name, p)
			}
			return enveloped(p, `{"success":true,"data":`+c.answer(p)+`}`)
		}, op)
		for range 2 {
			asked = 0
			l := g.pages(t.Context(), probes.Call("main", "mcp_aql_read", op.Name, map[string]any{}), op)
			if len(l.rows) != c.shown || l.ended != c.ended || len(slices.CompactFunc(slices.Clone(l.rows), probes.Value.Equal)) != c.shown {
				t.Errorf("%s: %d rows, at the end %v", name, len(l.rows), l.ended)
			}
		}
		if asked > 5 {
			t.Errorf("%s: %d requests, though the way is known", name, asked)
		}
	}
}

// An answer may name the identifier otherwise than the read does. A read by it proves it. What is proven nowhere and is
// on no page is made a few times and no more.
func TestReceiptsTellIdentifiers(t *testing.T) {
	for name, c := range map[string]struct {
		answer string
		tells  bool
	}{
		"a receipt":         {`{"hecho_en":"2026-03-09","clave":"KEY"}`, true},
		"nothing":           {`{"hecho_en":"2026-03-09"}`, false},
		"a key of somebody": {`{"clave":"c1","otra":7}`, false},
	} {
		made := map[string]string{"c1": "Ana", "c2": "Luis"}
		store := answering(func(p probes.Probe) probes.Observation {
			envelope := `{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"no such chart"}}`
			row := func(key string) string { return fmt.Sprintf(`{"historia":%q,"title":%q}`, key, made[key]) }
			key := probes.ValueOf(p.Params()["historia"]).Text()
			_, there := made[key]
			switch {
			case p.Operation() == "create_chart":
				key = fmt.Sprint("c", len(made)+1)
				made[key] = probes.ValueOf(p.Params()["title"]).Text()
				envelope = `{"success":true,"data":` + strings.ReplaceAll(c.answer, "KEY", key) + `}`
				if len(made) == 3 { // the first one is found
					envelope = `{"success":true,"data":{"historia":"` + key + `"}}`
				}
			case p.Operation() == "list_charts":
				envelope = `{"success":true,"data":[` + row("c1") + "," + row("c2") + `]}`
			case there && p.Operation() == "get_chart":
				envelope = `{"success":true,"data":` + row(key) + `}`
			case there && p.Operation() == "delete_chart":
				delete(made, key)
				envelope = `{"success":true,"data":{}}`
			}
			return enveloped(p, envelope)
		})
		list := operation("list_charts", "READ", "cuantas:integer")
		list.Parameters[0].Raw = value(`{"default":2,"maximum":2}`)
		g := learned(store, operation("create_chart", "CREATE", "title*:string"), operation("get_chart", "READ", "historia*:string"),
			list, operation("delete_chart", "DELETE", "historia*:string"))
		g.unlisted["create_chart"] = true // the listing is not waited for
		passed := 0
		for i := range 2 * mostUnfound {
			p := probes.Call("main", "mcp_aql_create", "create_chart", map[string]any{"title": fmt.Sprintf("aqlc-k3f9x2ab-%d", i)})
			if leave, why := g.Enter(t.Context(), p); why == "" {
				passed++
				leave(store(p))
			}
		}
		left := g.CleanUp(t.Context())
		if c.tells && (passed != 2*mostUnfound || len(left) > 0 || len(made) != 2) || !c.tells && (passed != mostUnfound+1 || len(left) != mostUnfound) {
			t.Errorf("%s: %d made, %d left behind, %d there", name, passed, len(left), len(made))
		}
	}
}

// A part of an identifier may be one of a few values, as the company of a debtor; the whole may not.
func TestEnumsArePartsOfIdentifiers(t *testing.T) {
	of := func(name, category string, with ...string) probes.Operation {
		o := operation(name, category, with...)
		o.Parameters[0].Raw = value(`{"name":"company","type":"string","enum":["DE","AT"]}`)
		return o
	}
	create := of("create_debtor", "CREATE", "company*:string", "title*:string")
	for name, c := range map[string]struct {
		key  []string
		want bool
	}{
		"a company and a number": {[]string{"company*:string", "debtor_no*:integer"}, true},
		"a company":              {[]string{"company*:string"}, false},
	} {
		r := rulesOf(everything, create, of("get_debtor", "READ", c.key...), of("delete_debtor", "DELETE", c.key...), operation("list_debtors", "READ"))
		if _, ok := r.Kind("create_debtor"); ok != c.want {
			t.Errorf("%s: %v", name, ok)
		}
	}
	// A read that lists what has the same identifier proves nothing.
	k := Kind{Make: create, Views: []probes.Operation{of("get_debtors", "READ", "company*:string", "week*:integer")}, Key: []string{"company", "week"}}
	listed := enveloped(probes.Probe{}, `{"success":true,"data":{"items":[{"company":"DE","week":4,"title":"aqlc-1"},{"company":"DE","week":4,"title":"Others"}]}}`)
	if Shows(listed, k, []probes.Value{probes.ValueOf("DE"), probes.ValueOf(4)}, map[string][]string{"title": {"aqlc-1"}}) {
		t.Error("a list is taken for one object")
	}
	status := func(name, category string) probes.Operation {
		o := operation(name, category, "status*:string", "debtor_no*:integer")
		o.Parameters[0].Raw = value(`{"name":"status","type":"string","enum":["open","paid"]}`)
		return o
	}
	if r := rulesOf(everything, create, status("get_debtor", "READ"), status("delete_debtor", "DELETE")); len(r.kinds) > 0 {
		t.Error("a status is taken for a part of an identifier")
	}
}

// Debtors of two companies have the same number. The run makes and removes one of a company, and leaves that of the other.
func TestOthersOfTheSameNumberStay(t *testing.T) {
	of := func(name, category string, with ...string) probes.Operation {
		o := operation(name, category, with...)
		o.Parameters[0].Raw = value(`{"name":"company","type":"string","enum":["DE","AT"]}`)
		return o
	}
	debtors := map[string]string{"AT 2": "Wien", "DE 1": "Kiel", "DE 3": "Bonn"}
	store := answering(func(p probes.Probe) probes.Observation {
		envelope := `{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"no such debtor"}}`
		params := probes.ValueOf(p.Params())
		key := params.At("company").Text() + " " + params.At("debtor_no").String()
		row := func(key string) string {
			return fmt.Sprintf(`{"company":%q,"debtor_no":%s,"title":%q}`, key[:2], key[3:], debtors[key])
		}
		_, there := debtors[key]
		switch {
		case p.Operation() == "create_debtor":
			key = params.At("company").Text() + " 2"
			debtors[key] = params.At("title").Text()
			envelope = `{"success":true,"data":` + row(key) + `}`
		case p.Operation() == "list_debtors":
			var rows []string
			for _, key := range slices.Sorted(maps.Keys(debtors)) {
				rows = append(rows, row(key))
			}
			envelope = `{"success":true,"data":[` + strings.Join(rows, ",") + `]}`
		case there && p.Operation() == "get_debtor":
			envelope = `{"success":true,"data":` + row(key) + `}`
		case there && p.Operation() == "delete_debtor":
			delete(debtors, key)
			envelope = `{"success":true,"data":{}}`
		}
		return enveloped(p, envelope)
	})
	g := learned(store, of("create_debtor", "CREATE", "company*:string", "title*:string"), of("get_debtor", "READ", "company*:string", "debtor_no*:integer"),
		operation("list_debtors", "READ"), of("delete_debtor", "DELETE", "company*:string", "debtor_no*:integer"))
	pass(t, g, store, probes.Call("main", "mcp_aql_create", "create_debtor", map[string]any{"company": "DE", "title": "aqlc-k3f9x2ab"}))
	if debtors["DE 2"] == "" {
		t.Fatal("nothing was made")
	}
	removal := func(company string, number int) probes.Probe {
		return probes.Call("main", "mcp_aql_delete", "delete_debtor", map[string]any{"company": company, "debtor_no": number})
	}
	if _, why := g.Enter(t.Context(), removal("AT", 2)); why == "" {
		t.Error("the debtor of another company may be removed")
	}
	if left := g.CleanUp(t.Context()); len(left) > 0 || len(debtors) != 3 || debtors["AT 2"] == "" {
		t.Errorf("left behind %v, there are %v", left, debtors)
	}
}
