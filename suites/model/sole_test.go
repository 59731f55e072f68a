package model

import (
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/suites/gate"
)

// A day that no two objects share stays on its day of the week.
func TestOtherDaysFallOnTheSameDayOfTheWeek(t *testing.T) {
	raw, _ := probes.ParseValue([]byte(`{"name":"starts","type":"string","format":"date"}`))
	p := probes.Parameter{Name: "starts", Type: "string", Raw: raw}
	f := &Adapter{Adapter: &probes.Adapter{}, Nonce: "abcd1234", days: map[string]soleDay{"starts": {"2027-03-01", spans[0]}}}
	seen := map[string]bool{}
	for number := 1; number < 200; number++ {
		text := f.otherDay(p, number*1000).Text()
		if day, err := time.Parse(time.DateOnly, text); err != nil || day.Weekday() != time.Monday {
			t.Errorf("%d: %q", number, text)
		}
		seen[text] = true
	}
	if len(seen) < 195 {
		t.Errorf("%d days", len(seen))
	}
	if v := f.otherDay(probes.Parameter{Name: "ends", Type: "string", Raw: raw}, 1000); !v.Is(probes.Absent) {
		t.Errorf("a day that objects may share becomes %s", v)
	}
}

// An adapter may take no day that is far away. Which days it takes, creations tell.
func TestDaysThatAnAdapterTakes(t *testing.T) {
	raw, _ := probes.ParseValue([]byte(`{"name":"starts_at","type":"string","format":"date-time"}`))
	p := probes.Parameter{Name: "starts_at", Type: "string", Raw: raw}
	known := probes.ValueOf("2027-03-01T09:00:00Z")
	for name, c := range map[string]struct {
		last int // year that the adapter takes
		code string
		sole bool
	}{
		"any day":                        {9999, "", true},
		"days before 2200":               {2199, "VALIDATION_INVALID_VALUE", true},
		"days before 2100":               {2099, "VALIDATION_INVALID_VALUE", true},
		"no other day":                   {2000, "VALIDATION_INVALID_VALUE", false},
		"another conflict, whatever day": {2000, "CONFLICT_ROOM_TAKEN", false},
	} {
		f := &Adapter{Adapter: &probes.Adapter{}, Nonce: "abcd1234", days: map[string]soleDay{}, sole: map[string]bool{}}
		number := 0
		sole := f.makeSole("create_visit.starts_at", p, known, func(string) probes.Observation {
			envelope := `{"success":true,"data":{}}`
			for range 30 { // the longest of many
				number++
				if day, err := time.Parse(time.RFC3339, f.otherDay(p, number).Text()); err != nil || day.Year() > c.last {
					envelope = `{"success":false,"error":{"code":"` + c.code + `","message":"no"}}`
				}
			}
			return probes.Classify(probes.Call("main", "t", "create_visit", nil), wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":` + envelope + `}}`)}})
		})
		if sole != c.sole || f.sole["create_visit.starts_at"] != c.sole {
			t.Errorf("%s: days that differ are taken: %v, want %v", name, sole, c.sole)
		}
	}
}

// The entries of a plan name rooms of the run, and not those of the documented example.
func TestReferencesInListsNameObjectsOfTheRun(t *testing.T) {
	f := documented(Permissions{Create: true, Update: true, Delete: true}, fixtures.Hints{}, "CREATE create_room title", "READ get_room room_id", "DELETE delete_room room_id", "CREATE create_plan title")
	f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "abcd1234"}
	raw, _ := probes.ParseValue([]byte(`{"name":"entries","type":"array","required":true,"items":{"type":"object","fields":[{"name":"day","type":"integer"},{"name":"room_id","type":"integer"}]}}`))
	plan := f.Operations[3]
	plan.Parameters = append(plan.Parameters, probes.Parameter{Name: "entries", Type: "array", Required: true, Raw: raw})
	f.provenKeys = map[string]provenKey{"create_room": {gate.Kind{Views: f.Operations[1:2], Key: []string{"room_id"}}, []probes.Value{probes.ValueOf(41)}}}
	example, _ := probes.ParseValue([]byte(`[{"day":101,"room_id":101}]`))
	with, changed := f.withOwn(plan, plan.Parameters[1], example)
	if got := probes.ValueOf(with).Canonical(nil); !changed || got != `[{"day":101,"room_id":41,},]` {
		t.Errorf("%t: %s", changed, got)
	}
	for items, want := range map[string]string{`{"type":"array","minItems":1,"items":{"type":"integer"}}`: "[41,]", `{"type":"array","minItems":2,"items":{"type":"integer"}}`: "[101,102,]"} {
		raw, _ := probes.ParseValue([]byte(items))
		example, _ := probes.ParseValue([]byte(`[101,102]`))
		with, _ := f.withOwn(plan, probes.Parameter{Name: "room_ids", Type: "array", Required: true, Raw: raw}, example)
		if got := probes.ValueOf(with).Canonical(nil); got != want {
			t.Errorf("%s: %s, want %s", items, got, want)
		}
	}
}
