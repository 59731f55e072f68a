package routing

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A word that all tools begin with, or that stands behind the category in all of them, is no part of the family.
func TestPrefixedTools(t *testing.T) {
	for _, c := range []struct {
		tools []string
		want  bool
	}{
		{[]string{"desk_read", "desk_create"}, true},
		{[]string{"desk-look", "desk-change"}, true},
		{[]string{"read_toy", "create_toy"}, true},
		{[]string{"executeToy", "deleteToy"}, true},
		{[]string{"read_only", "write_only"}, false},
		{[]string{"box_ops", "shelf_ops"}, false},
		{[]string{"read_toy", "create_box"}, false},
		{[]string{"read", "create"}, false},
		{[]string{"read_toy"}, false},
		{nil, false},
	} {
		f := &model.Adapter{Adapter: &probes.Adapter{AQL: c.tools}}
		if got := prefixedTools(f); slices.Equal(got, c.tools) != c.want && len(c.tools) > 0 || got != nil && !c.want {
			t.Errorf("%v: %v", c.tools, got)
		}
	}
}

// A prefix or suffix of the deployment is around the names of all tools alike.
func TestDocumentedToolBehindAGateway(t *testing.T) {
	for name, c := range map[string]struct {
		tools, documented []string
		want              reports.Verdict
	}{
		"named exactly":              {[]string{"aql_read", "aql_create"}, []string{"aql_read", "aql_create"}, reports.Pass},
		"a prefix on all":            {[]string{"blue_aql_read", "blue_aql_create"}, []string{"aql_read", "aql_create"}, reports.Warn},
		"a suffix on all":            {[]string{"aql_read_blue", "aql_create_blue"}, []string{"aql_read", "aql_create"}, reports.Warn},
		"a prefix lacks in one":      {[]string{"aql_read", "aql_create"}, []string{"read", "aql_create"}, reports.Fail},
		"two prefixes":               {[]string{"a_read", "b_create"}, []string{"read", "create"}, reports.Fail},
		"a tool that does not exist": {[]string{"blue_aql_read", "blue_aql_create"}, []string{"aql_look", "aql_create"}, reports.Fail},
		"two tools begin so":         {[]string{"aql_read", "aql_create"}, []string{"aql", "aql"}, reports.Fail},
	} {
		a := probes.Discover(t.Context(), deployed{c.tools, c.documented}, "main")
		f := &model.Adapter{Adapter: a}
		o, _ := a.Operation("get_box")
		if is := checktest.JudgeOf(t, Checks, "INT-3.3-32")(model.Subject{Adapter: f, Name: o.Name, Op: o}, make(probes.Answers, 1)); is.Verdict != c.want {
			t.Errorf("%s: %v %v, %s is called at %q", name, is.Verdict, is.Got, o.Name, o.Tool)
		}
	}
}

// deployed is an adapter with two operations: the tools that it exposes, and those that it documents.
type deployed struct{ tools, documented []string }

func (d deployed) Ask(_ context.Context, p probes.Probe) probes.Observation {
	said := fmt.Sprintf(`{"tools":[{"name":%q,"inputSchema":{"properties":{"operation":{}}}},{"name":%q,"inputSchema":{"properties":{"operation":{}}}}]}`, d.tools[0], d.tools[1])
	if p.Operation() == "introspect" {
		record := func(name, category, tool string) string {
			return fmt.Sprintf(`{"name":%q,"semantic_category":%q,"mcpTool":%q}`, name, category, tool)
		}
		get, create := record("get_box", "READ", d.documented[0]), record("create_box", "CREATE", d.documented[1])
		said = `{"structuredContent":{"success":true,"data":{"operations":[` + get + `,` + create + `]}}}`
		switch p.Params()["name"] {
		case "get_box":
			said = `{"structuredContent":{"success":true,"data":{"operation":` + get + `}}}`
		case "create_box":
			said = `{"structuredContent":{"success":true,"data":{"operation":` + create + `}}}`
		}
	}
	return probes.Classify(p, wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: []byte(`{"jsonrpc":"2.0","id":1,"result":` + said + `}`)}})
}
