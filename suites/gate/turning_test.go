package gate

import (
	"fmt"
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
