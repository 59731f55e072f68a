package check

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A course may have 32 lessons, whatever a position can be in all courses. An error that tells the bound that was sent
// is about the document.
func TestBoundByOthers(t *testing.T) {
	position := probes.Parameter{Name: "position", Type: "integer", Raw: probes.ValueOf(map[string]any{"name": "position", "type": "integer", "minimum": 1, "maximum": 10000})}
	course := probes.Parameter{Name: "course_id", Type: "string", Required: true}
	o := probes.Operation{Name: "add_lesson", Category: "CREATE", Parameters: []probes.Parameter{course, position}}
	a := &probes.Adapter{Operations: []probes.Operation{o, {Name: "get_course", Category: "READ", Parameters: []probes.Parameter{course}}}}
	s := model.Subject{Adapter: &model.Adapter{Adapter: a}, Name: o.Name, Op: o, Par: position}
	for told, want := range map[[2]string]bool{
		{"position is from 1 to 32 in this course", `{}`}:                              true,
		{"position is below 10000", `{}`}:                                              false,
		{"position is from 1 to 9999", `{}`}:                                           false,
		{"position is out of range", `{}`}:                                             true,
		{"the course has 32 lessons", `{"expected":32,"received":10000}`}:              true,
		{"position is out of range", `{"received":10000}`}:                             false,
		{"position is out of range", `{"minimum":1,"received":10000}`}:                 false,
		{"position is out of range", `{"minimum":1,"maximum":10000,"received":10000}`}: false,
		{"position is out of range", `{"minimum":1,"maximum":9999,"received":10000}`}:  false,
	} {
		body := `{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"success":false,"error":{"code":"VALIDATION_OUT_OF_RANGE","message":"` + told[0] + `","details":` + told[1] + `}}}}`
		p := probes.Call("main", "mcp_aql_create", o.Name, map[string]any{"course_id": "c", "position": 10000})
		answer := probes.Classify(p, wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: []byte(body)}})
		if got := BoundByOthers(s, probes.ValueOf(10000), answer); got != want {
			t.Errorf("%q: %v, want %v", told, got, want)
		}
	}
}

// Two numbers may be the ends of a range. A number that names an object is none of them.
func TestANumberIsComparedWithNumbers(t *testing.T) {
	number := func(name string, identifies bool) probes.Parameter {
		return probes.Parameter{Name: name, Type: "integer", Identifies: identifies, Raw: probes.ValueOf(map[string]any{"type": "integer"})}
	}
	op := probes.Operation{Name: "create_brew", Category: "CREATE", Parameters: []probes.Parameter{number("litres", false), number("spare", false), number("tank", true)}}
	for name, want := range map[string]bool{"spare": true, "tank": false} {
		call := probes.Call("main", "t", op.Name, map[string]any{"litres": 1, name: 2})
		if got := Compared(op, op.Parameters[0], call); got != want {
			t.Errorf("litres beside %s: %v, want %v", name, got, want)
		}
	}
}
