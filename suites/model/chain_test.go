package model

import (
	"fmt"
	"slices"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
)

// A check lies in a machine, and a machine in a depot. Each creation waits for the one behind it, in whatever order they are listed, and
// nothing is put into what others have.
func TestChainsOfParentsAreMade(t *testing.T) {
	may := Permissions{Create: true, Update: true, Delete: true}
	of := map[string][]string{
		"check":   {"CREATE create_check machine_id note", "READ get_check check_id", "READ list_checks", "DELETE delete_check check_id"},
		"machine": {"CREATE create_machine depot_id note", "READ get_machine machine_id", "READ list_machines", "DELETE delete_machine machine_id"},
		"depot":   {"CREATE create_depot note", "READ get_depot depot_id", "READ list_depots", "DELETE delete_depot depot_id"},
	}
	in := map[string]string{"check": "machine", "machine": "depot"}
	for _, order := range [][]string{{"check", "machine", "depot"}, {"machine", "check", "depot"}, {"depot", "machine", "check"}} {
		f := documented(may, fixtures.Hints{}, slices.Concat(of[order[0]], of[order[1]], of[order[2]])...)
		rows, foreign := map[string][]string{}, 0 // by kind; the first one is that of others
		show := func(kind string, i int) string {
			place := ""
			if parent := in[kind]; parent != "" {
				place = fmt.Sprintf(`,"%s_id":"%s-%d"`, parent, parent, min(i, 1)+1)
			}
			return fmt.Sprintf(`{"%s_id":"%s-%d","note":%q%s}`, kind, kind, i+1, rows[kind][i], place)
		}
		for kind := range of {
			rows[kind] = []string{"theirs"}
		}
		learnedBehindGate(t, f, may, func(p probes.Probe) probes.Observation {
			for kind := range of {
				switch parent := in[kind]; p.Operation() {
				case "create_" + kind:
					if at := ValueIn(p, parent+"_id").Text(); parent != "" && at == parent+"-1" {
						foreign++
					} else if parent != "" && (at != parent+"-2" || len(rows[parent]) < 2) {
						return refused(p, "NOT_FOUND_RESOURCE", "no such "+parent, `{}`)
					}
					rows[kind] = append(rows[kind], ValueIn(p, "note").Text())
					return succeeded(p, show(kind, len(rows[kind])-1))
				case "list_" + kind + "s":
					return succeeded(p, `{"items":[`+show(kind, 0)+`],"has_more":false}`)
				case "get_" + kind:
					for i := range rows[kind] {
						if ValueIn(p, kind+"_id").Text() == fmt.Sprintf("%s-%d", kind, i+1) {
							return succeeded(p, show(kind, i))
						}
					}
				}
			}
			return refused(p, "NOT_FOUND_RESOURCE", "no such object", `{}`)
		})
		for kind := range of {
			if known := f.KnownGood["create_"+kind]; known.State != Proven || foreign > 0 {
				t.Errorf("%v: create_%s is %v (%s), and %d were put into what others have", order, kind, known.State, known.Why, foreign)
			}
		}
	}
}
