package gate

import (
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
)

// library is an adapter in which books are lent: a loan has a removal by its code, and no read but the
// listing of all loans.
func library(more ...probes.Operation) *probes.Adapter {
	of := func(name string, fields ...string) probes.Type {
		var all []map[string]any
		for _, f := range fields {
			name, kind, _ := strings.Cut(f, ":")
			if item, list := strings.CutSuffix(kind, "[]"); list {
				all = append(all, map[string]any{"name": name, "type": "array", "items": map[string]any{"type": item}})
				continue
			}
			all = append(all, map[string]any{"name": name, "type": kind})
		}
		return probes.Type{Name: name, Kind: "object", Details: probes.ValueOf(map[string]any{"name": name, "kind": "object", "fields": all})}
	}
	returning := func(o probes.Operation, name string) probes.Operation {
		return described(o, `{"returns":{"name":"`+name+`"}}`)
	}
	return &probes.Adapter{Conn: "main", Introspect: "mcp_aql_read", AQL: []string{"mcp_aql_read", "mcp_aql_create", "mcp_aql_update", "mcp_aql_delete"},
		Tools: []probes.Tool{{Name: "mcp_aql_read"}, {Name: "mcp_aql_create"}, {Name: "mcp_aql_update"}, {Name: "mcp_aql_delete"}},
		Types: []probes.Type{of("Book", "book_code:string", "title:string"), of("Loan", "loan_code:string", "book_code:string", "reader:string"), of("Loans", "loans:Loan[]", "page:integer")},
		Operations: append([]probes.Operation{
			returning(operation("create_book", "CREATE", "book_code*:string", "title*:string"), "Book"), returning(operation("get_book", "READ", "book_code*:string"), "Book"),
			operation("delete_book", "DELETE", "book_code*:string"), returning(operation("hand_book", "CREATE", "loan_code*:string", "book_code*:string", "reader*:string"), "Loan"),
			returning(operation("list_loans", "READ"), "Loans"), operation("delete_loan", "DELETE", "loan_code*:string"),
		}, more...)}
}

// What a creation makes is told by its documented type before its noun is.
func TestCreationsBelongToWhatTheyMake(t *testing.T) {
	r := NewRules(library(), everything, fixtures.Hints{})
	k, ok := r.Kind("hand_book")
	if !ok || k.Remove.Name != "delete_loan" || !k.Plain() || k.Views[0].Name != "list_loans" {
		t.Errorf("hand_book makes what %s removes and %v shows", k.Remove.Name, k.Views)
	}
	if o, _ := r.Operation("hand_book"); !parameter(o, "book_code").Identifies {
		t.Error("book_code of hand_book takes no identifier")
	}
	if k, _ := r.Kind("create_book"); k.Remove.Name != "delete_book" {
		t.Errorf("create_book makes what %s removes", k.Remove.Name)
	}
	edges := library()
	edges.Types[2] = probes.Type{Name: "Loans", Kind: "object", Details: probes.ValueOf(map[string]any{"fields": []any{map[string]any{"name": "edges", "type": "array", "items": map[string]any{"type": "Edge"}}}})}
	edges.Types = append(edges.Types, probes.Type{Name: "Edge", Kind: "object", Details: probes.ValueOf(map[string]any{"fields": []any{
		map[string]any{"name": "cursor", "type": "string"}, map[string]any{"name": "node", "type": "Loan"}}})})
	if k, _ := NewRules(edges, everything, fixtures.Hints{}).Kind("hand_book"); k.Remove.Name != "delete_loan" {
		t.Errorf("the nodes of edges are not taken for rows: %s", k.Remove.Name)
	}
	for fields, plain := range map[string]bool{`{"name":"loan_code","type":"string"},{"name":"reader","type":"string"}`: true, `{"name":"loan_code","type":"string"}`: false,
		`{"name":"loan_code","type":"string"},{"name":"reader","type":"string"},{"name":"debts","type":"integer"}`: false} {
		short := library(described(operation("make_loan", "CREATE", "reader*:string"), `{"returns":{"name":"Loan"}}`))
		details, _ := probes.ParseValue([]byte(`{"fields":[` + fields + `]}`))
		short.Types = append(short.Types, probes.Type{Name: "ShortLoan", Kind: "object", Details: details})
		short.Types[2].Details, _ = probes.ParseValue([]byte(`{"fields":[{"name":"loans","type":"array","items":{"type":"ShortLoan"}}]}`))
		if k, _ := NewRules(short, everything, fixtures.Hints{}).Kind("make_loan"); k.Plain() != plain {
			t.Errorf("rows with %s are loans in short: %v", fields, k.Plain())
		}
	}
	two := NewRules(library(operation("delete_borrowing", "DELETE", "loan_code*:string")), everything, fixtures.Hints{})
	if k, _ := two.Kind("hand_book"); k.Remove.Name == "delete_loan" || k.Remove.Name == "delete_borrowing" {
		t.Errorf("one of two removals was chosen: %s", k.Remove.Name)
	}
}

// An object that only a listing shows is made in what is ours under a key of the run's own, while the whole
// of the listing is seen, and goes only where the listing has shown it with the mark.
func TestPlainKindsTouchNothingOfOthers(t *testing.T) {
	mine := `{"loan_code":"aqlc-k3f9x2ab","book_code":"aqlc-k3f9x2ab","reader":"aqlc-k3f9x2ab"}`
	const theirs = `{"loan_code":"L1","book_code":"B1","reader":"ann"}`
	rows, more, book := theirs, "false", false
	store := answering(func(p probes.Probe) probes.Observation {
		envelope := `{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"no such object"}}`
		code := probes.ValueOf(p.Params()).At("book_code").Text()
		switch {
		case p.Operation() == "create_book", p.Operation() == "get_book" && code == "aqlc-k3f9x2ab" && book:
			book = true
			envelope = `{"success":true,"data":{"book_code":"aqlc-k3f9x2ab","title":"aqlc-k3f9x2ab"}}`
		case p.Operation() == "get_book" && code == "B1":
			envelope = `{"success":true,"data":{"book_code":"B1","title":"old"}}`
		case p.Operation() == "list_loans":
			envelope = `{"success":true,"data":{"loans":[` + rows + `],"has_more":` + more + `}}`
		case p.Operation() == "hand_book":
			envelope = `{"success":true,"data":` + mine + `}`
		}
		return enveloped(p, envelope)
	})
	hand := func(loan, book string) probes.Probe {
		return probes.Call("main", "mcp_aql_create", "hand_book", map[string]any{"loan_code": loan, "book_code": book, "reader": "aqlc-k3f9x2ab"})
	}
	remove := func(code any) probes.Probe {
		return probes.Call("main", "mcp_aql_delete", "delete_loan", map[string]any{"loan_code": code})
	}
	own := "aqlc-k3f9x2ab"
	for name, c := range map[string]struct {
		before, after string // rows around the creation
		more          string
		made, then    probes.Probe
		want          string // why the second request does not pass; empty where it does
	}{
		"an own loan goes":                      {theirs, theirs + "," + mine, "false", hand(own, own), remove(own), ""},
		"a second loan is made":                 {theirs, theirs + "," + mine, "false", hand(own, own), hand(own+"-2", own), ""},
		"none after one that is hidden":         {theirs, theirs, "false", hand(own, own), hand(own+"-2", own), "no listing shows what hand_book has made"},
		"a loan of others stays":                {theirs, theirs + "," + mine, "false", hand(own, own), remove("L1"), "the run made nothing with the loan_code"},
		"a hidden loan of others stays":         {theirs, theirs + "," + mine, "false", hand(own, own), remove("L2"), "the run made nothing with the loan_code"},
		"another form stays":                    {theirs, theirs + "," + mine, "false", hand(own, own), remove(7), "no read tells what the loan_code 7 names"},
		"what does not exist is asked to go":    {theirs, theirs + "," + mine, "false", hand(own, own), remove(own + "-absent"), ""},
		"a book of others is not lent":          {theirs, theirs + "," + mine, "false", hand(own, own), hand(own+"-2", "B1"), "names something that is not ours"},
		"a code that others may have":           {theirs, theirs + "," + mine, "false", hand(own, own), hand("L2", own), notFree},
		"none where more is there than is seen": {theirs, theirs + "," + mine, "true", hand(own, own), hand(own+"-2", own), "does not tell whether there is such an object"},
		"none where rows have no code":          {theirs, theirs + "," + mine + `,{"reader":"bob"}`, "false", hand(own, own), hand(own+"-2", own), "does not tell whether there is such an object"},
	} {
		rows, more, book = c.before, "false", false
		g := New(store, "main", "k3f9x2ab", everything, fixtures.Hints{}, nil)
		g.Learn(library())
		for _, p := range []probes.Probe{probes.Call("main", "mcp_aql_create", "create_book", map[string]any{"book_code": own, "title": own}), c.made} {
			leave, why := g.Enter(t.Context(), p)
			if why != "" {
				t.Fatalf("%s: %s: %s", name, p.Operation(), why)
			}
			if p.Operation() == "hand_book" {
				rows = c.after
			}
			leave(store(p))
		}
		more = c.more
		_, why := g.Enter(t.Context(), c.then)
		if (c.want == "") != (why == "") || !strings.Contains(why, c.want) {
			t.Errorf("%s: %q, want %q", name, why, c.want)
		}
	}
}
