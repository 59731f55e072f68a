package check

import (
	"fmt"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/model"
)

// The default of a creation is found under its name in another style. A name with a sign is another one, and an object
// with more than the documented default is another value.
func TestDefaultsInAnotherStyle(t *testing.T) {
	call := probes.Call("main", "create", "create_doc", map[string]any{"title": "aqlc-k3f9x2ab"})
	for _, c := range []struct {
		parameter, made string
		want            reports.Verdict
	}{
		{`{"name":"time_limit","type":"integer","default":30}`, `"timeLimit":30`, reports.Pass},
		{`{"name":"time_limit","type":"integer","default":30}`, `"timeLimit":31`, reports.Fail},
		{`{"name":"rules","type":"object","default":{"pull_request":false}}`, `"rules":{"pullRequest":false}`, reports.Pass},
		{`{"name":"rules","type":"object","default":{"pull_request":false}}`, `"rules":{"pullRequest":true}`, reports.Fail},
		{`{"name":"version","type":"string","default":"1.0"}`, `"_version":1`, reports.NotProven},
		{`{"name":"labels","type":"object","default":{}}`, `"labels":{"team":"core"}`, reports.Fail},
	} {
		raw, _ := probes.ParseValue([]byte(c.parameter))
		p := probes.Parameter{Name: raw.At("name").Text(), Type: raw.At("type").Text(), Raw: raw}
		op := probes.Operation{Name: "create_doc", Category: "CREATE", Tool: "create", Parameters: []probes.Parameter{{Name: "title", Type: "string", Required: true}, p}}
		f := &model.Adapter{Adapter: &probes.Adapter{Operations: []probes.Operation{op}}}
		f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "k3f9x2ab"}
		message := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"success":true,"data":{"title":"aqlc-k3f9x2ab",%s}}}}`, c.made)
		made := probes.Classify(call, wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: []byte(message)}})
		if got := JudgeDefault(model.Subject{Adapter: f, Name: op.Name, Op: op, Par: p}, probes.Answers{made}).Verdict; got != c.want {
			t.Errorf("%s made as %s: %s, want %s", c.parameter, c.made, got, c.want)
		}
	}
}
