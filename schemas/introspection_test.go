package schemas

import (
	"strings"
	"testing"
)

const introspection = "introspection-response"

func TestIntrospectionEnvelope(t *testing.T) {
	checkRulings(t, []ruling{
		{introspection, "", `{"success":true,"data":{"operations":[]}}`, nil},
		{introspection, "", `{"success":true,"data":{"operation":null}}`, nil},
		{introspection, "", `{"success":true,"data":{"type":null}}`, nil},
		{introspection, "", `{"success":true,"data":{"types":[{"name":"A","kind":"enum"}]}}`, nil},
		{introspection, "", `{"success":false,"error":{"code":"lower_is_fine_here","message":"m"}}`, nil},
		{introspection, "", `{"success":false,"error":{"code":"A","message":"m","details":{}}}`, []string{
			`/error/details additionalProperties no property "details"`}},
		{introspection, "", `{"success":true,"data":{"types":[]},"_meta":{},"warnings":[]}`, []string{
			`/_meta additionalProperties no property "_meta"`, `/warnings additionalProperties no property "warnings"`}},
		{introspection, "", `{"success":true,"data":{"operations":[],"types":[]}}`, []string{`/data/types additionalProperties no property "types"`}},
		{introspection, "", `{"success":true,"data":{}}`, []string{
			`/data required property "operations" or property "operation" or property "types" or property "type"`}},
		{introspection, "", `{"success":true,"data":[]}`, []string{`/data type object`}},
		{introspection, "", `{"success":true,"data":{"operation":[]}}`, []string{`/data/operation type null or object`}},
	})
}

func TestProtocolMetadata(t *testing.T) {
	const semver = `/version pattern string that matches ^\d+\.\d+\.\d+(-[a-zA-Z0-9.-]+)?$`
	checkRulings(t, []ruling{
		{introspection, "ProtocolMetadata", `{"version":"1.0.0-draft","conformance":"level-2","mode":"all","capabilities":{"batch":true,"mine":"x"},"x":1}`, nil},
		{introspection, "ProtocolMetadata", `{"version":"v1.0.0"}`, []string{semver}},
		{introspection, "ProtocolMetadata", `{"version":"1.0.0+build"}`, []string{semver}},
		{introspection, "ProtocolMetadata", `{"version":"1.0"}`, []string{semver}},
		{introspection, "ProtocolMetadata", `{"mode":"crude","conformance":"full","capabilities":{"batch":"yes"}}`, []string{
			` required property "version"`, `/capabilities/batch type boolean`,
			`/conformance enum one of "level-1", "level-2"`, `/mode enum one of "semantic", "single", "all"`}},
		{introspection, "OperationsListData", `{"_protocol":"1.0.0","operations":[]}`, []string{`/_protocol type object`}},
	})
}

func TestOperations(t *testing.T) {
	const info = `"name":"list_widgets","semantic_category":"READ","endpoint":"read","description":"d"`
	const details = info + `,"mcpTool":"read","permissions":{"readOnly":true,"destructive":false},"parameters":[],"returns":{"name":"W","kind":"object"}`
	checkRulings(t, []ruling{
		{introspection, "OperationInfo", `{` + info + `}`, nil},
		{introspection, "OperationInfo", `{` + info + `,"danger":"safe"}`, []string{`/danger additionalProperties no property "danger"`}},
		{introspection, "OperationInfo", `{"name":null,"semantic_category":"read","endpoint":""}`, []string{
			` required property "description"`, `/endpoint minLength string of at least 1 character`, `/name type string`,
			`/semantic_category enum one of "CREATE", "READ", "UPDATE", "DELETE", "EXECUTE"`}},
		{introspection, "OperationDetails", `{` + details + `}`, nil},
		{introspection, "OperationDetails", `{` + details + `,"examples":[{"request":{}}],"computed_fields":[{"name":"a","type":"x"}],"aggregation_support":{"supported":true},"relationship_capabilities":{"supported":true,"max_depth":1},"lifecycle":{"states":["brewing"]}}`, nil},
		{introspection, "OperationDetails", `{` + details + `,"examples":[{"description":"d"}],"lifecycle":{"states":"running"},"tags":[]}`, []string{
			`/examples/0 required property "request"`, `/lifecycle/states type array`, `/tags additionalProperties no property "tags"`}},
		{introspection, "OperationDetails", `{` + info + `}`, []string{
			` required property "mcpTool"`, ` required property "parameters"`, ` required property "permissions"`, ` required property "returns"`}},
		{introspection, "", `{"success":true,"data":{"operation":{` + strings.Replace(details, "[]", `{"name":"x"}`, 1) + `}}}`, []string{
			`/data/operation/parameters type array`}},
		{introspection, "EndpointPermissions", `{"readOnly":"true"}`, []string{` required property "destructive"`, `/readOnly type boolean`}},
		{introspection, "RelationshipCapabilities", `{"supported":true,"directions":["up"],"max_depth":0}`, []string{
			`/directions/0 enum one of "incoming", "outgoing", "both"`, `/max_depth minimum number of at least 1`}},
		{introspection, "ExecutionState", `"paused"`, []string{` enum one of "pending", "running", "completed", "failed", "cancelled"`}},
	})
}

func TestParameters(t *testing.T) {
	checkRulings(t, []ruling{
		{introspection, "ParameterInfo", `{"name":"a","type":"string | string[]","required":true}`, nil},
		{introspection, "ParameterInfo", `{"name":"a","type":"x","required":false,"default":null,"enum":[],"minimum":-1.5,"minLength":0,"pattern":"[","items":{"any":1},"sensitive":true}`, nil},
		{introspection, "ParameterInfo", `{"name":"a","type":"x"}`, []string{` required property "required"`}},
		{introspection, "ParameterInfo", `{"name":"a","type":["string"],"required":"yes","enum":"a","maxLength":-1,"pattern":5,"shared":true}`, []string{
			`/enum type array`, `/maxLength minimum number of at least 0`, `/pattern type string`, `/required type boolean`,
			`/shared additionalProperties no property "shared"`, `/type type string`}},
	})
}

func TestTypes(t *testing.T) {
	checkRulings(t, []ruling{
		{introspection, "TypeInfo", `{"name":"A","kind":"union","description":"d"}`, nil},
		{introspection, "TypeInfo", `{"name":"A","kind":"enum","values":[]}`, []string{`/values additionalProperties no property "values"`}},
		{introspection, "TypeInfo", `{"name":"A"}`, []string{` required property "kind"`}},
		{introspection, "TypeDetails", `{"name":"A","kind":"enum","values":["a"]}`, nil},
		{introspection, "TypeDetails", `{"name":"A","kind":"object","fields":[]}`, nil},
		{introspection, "TypeDetails", `{"name":"A","kind":"union","members":["string","B"]}`, nil},
		{introspection, "TypeDetails", `{"name":"A","kind":"scalar"}`, nil},
		{introspection, "TypeDetails", `{"name":"A","kind":"interface"}`, []string{`/kind enum one of "enum", "object", "scalar", "union"`}},
		{introspection, "TypeDetails", `{"name":"A"}`, []string{` required property "kind"`}},
		{introspection, "TypeDetails", `{"name":"A","kind":"enum","fields":[]}`, []string{
			` required property "values"`, `/fields additionalProperties no property "fields"`}},
		{introspection, "TypeDetails", `{"name":"A","kind":"object","fields":{"id":"string"}}`, []string{`/fields type array`}},
		{introspection, "TypeDetails", `{"name":"A","kind":"object","fields":[{"name":"id","type":"string"}]}`, []string{
			`/fields/0 required property "required"`}},
		{introspection, "TypeDetails", `{"name":"A","kind":"union","members":[{"name":"B"}]}`, []string{`/members/0 type string`}},
		{introspection, "TypeDetails", `{"name":"A","kind":"scalar","values":null}`, []string{`/values additionalProperties no property "values"`}},
	})
}
