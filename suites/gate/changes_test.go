package gate

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
)

// An update must not take the only text away by which an object is known. One that an adapter has to keep may
// be tried, and what lies in an object of ours is known by that.
func TestTheLastMarkStays(t *testing.T) {
	made := operation("create_berth", "CREATE", "harbour_id*:string", "code*:string", "notes:string", "pilot:string")
	for name, c := range map[string]struct {
		fields, home map[string][]string
		params       string
		kept         bool // back
	}{
		"the only one":           {map[string][]string{"notes": {"aqlc"}}, nil, `{"id":1,"input":{"notes":null}}`, true},
		"the only one, outside":  {map[string][]string{"notes": {"aqlc"}}, nil, `{"id":1,"notes":null}`, true},
		"one of two":             {map[string][]string{"notes": {"aqlc"}, "pilot": {"aqlc"}}, nil, `{"id":1,"input":{"notes":null}}`, false},
		"both":                   {map[string][]string{"notes": {"aqlc"}, "pilot": {"aqlc"}}, nil, `{"id":1,"input":{"notes":null,"pilot":null}}`, true},
		"a required one":         {map[string][]string{"code": {"aqlc"}}, nil, `{"id":1,"input":{"code":null}}`, false},
		"another":                {map[string][]string{"notes": {"aqlc"}}, nil, `{"id":1,"input":{"pilot":null}}`, false},
		"a text instead":         {map[string][]string{"notes": {"aqlc"}}, nil, `{"id":1,"input":{"notes":"x"}}`, false},
		"in an object of ours":   {map[string][]string{"notes": {"aqlc"}}, map[string][]string{"harbour_id": {"h9"}}, `{"id":1,"input":{"notes":null}}`, false},
		"nothing to be known by": {map[string][]string{}, nil, `{"id":1,"input":{"notes":null}}`, false},
	} {
		g := &Gate{}
		asks := &asked{op: probes.Operation{Name: "update_berth", Category: "UPDATE"}, call: call{params: value(c.params)},
			object: &object{kind: Kind{Make: made}, fields: c.fields, home: c.home}}
		if why := g.bare(asks); (why != "") != c.kept {
			t.Errorf("%s: kept back because %q", name, why)
		}
		if len(c.home) > 0 {
			g.ledger = noLedger{}
			g.changing(asks)
			if got := asks.object.entry().Fields; len(c.fields["harbour_id"]) != 1 || len(got) != 1 || got["harbour_id"] != nil {
				t.Errorf("%s: known by %v, and in the ledger by %v", name, c.fields, got)
			}
		}
	}
}

// A mark that lies in a map of texts goes with the map.
func TestTheLastMarkStaysInItsMap(t *testing.T) {
	made := operation("create_berth", "CREATE", "code*:string", "labels:object")
	for params, kept := range map[string]bool{
		`{"input":{"labels":null}}`: true, `{"input":{"labels":{"aqlx":null}}}`: true, `{"input":{"labels":{"team":null}}}`: false, `{"input":{"labels":{"aqlx":"aqlc-2"}}}`: false,
	} {
		asks := &asked{op: probes.Operation{Name: "update_berth", Category: "UPDATE"}, call: call{params: value(params)},
			object: &object{kind: Kind{Make: made}, params: value(`{"code":"B1","labels":{"aqlx":"aqlc","labels":"x"}}`), fields: map[string][]string{"aqlx": {"aqlc"}}}}
		if why := (&Gate{}).bare(asks); (why != "") != kept {
			t.Errorf("%s: kept back because %q", params, why)
		}
	}
}

// Two updates may take the marks away one after the other. A text that is set anew is a mark again.
func TestMarksAreRemovedOneByOne(t *testing.T) {
	o := &object{kind: Kind{Make: operation("create_berth", "CREATE", "notes:string", "pilot:string")}, fields: map[string][]string{"notes": {"aqlc"}, "pilot": {"aqlc"}}}
	g := &Gate{ledger: noLedger{}}
	for _, c := range []struct {
		params string
		kept   bool // back
	}{
		{`{"input":{"notes":null}}`, false}, {`{"input":{"pilot":null}}`, true}, {`{"input":{"notes":"aqlc-2"}}`, false}, {`{"input":{"pilot":null}}`, false},
	} {
		asks := &asked{op: probes.Operation{Name: "update_berth", Category: "UPDATE"}, call: call{params: value(c.params)}, object: o}
		if why := g.bare(asks); (why != "") != c.kept {
			t.Errorf("%s: kept back because %q", c.params, why)
		} else if why == "" {
			g.changing(asks)
		}
	}
}
