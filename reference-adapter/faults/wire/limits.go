package wire

import (
	"bytes"
	"math"
	"regexp"
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// limitFaults enforce other limits than they advertise, or none (spec 4.7.5).
var limitFaults = []seam.Fault{
	{ID: "AQL-4.7.5-01", Variant: "no-request-limit", Defect: "requests of any size are processed",
		Hooks: enforcing(func(l *adapter.Limits) { l.Request = math.MaxInt })},
	{ID: "AQL-4.7.5-02", Variant: "no-response-limit", Defect: "2 MiB is advertised as the limit of answers, the lookup of type ExportList has more",
		Hints: map[string]string{"big_response": `{"op":"introspect","params":{"query":"types","name":"ExportList"}}`},
		Hooks: seam.Both(advertising("max_response_size", 2<<20), seam.Introspected("types", true, func(_ adapter.Call, data map[string]any) {
			if adapter.Object(data["type"])["name"] == "ExportList" {
				data["padding"] = strings.Repeat("one more export. ", 140_000)
			}
		}))},
	{ID: "AQL-4.7.5-02", Variant: "listing-beyond-response-limit", Defect: "1 MiB is advertised as the limit of answers, and listings of any size are sent",
		Hooks: advertising("max_response_size", 1<<20)},
	{ID: "AQL-4.7.5-03", Variant: "no-string-limit", Defect: "only the total size is checked, so one long string passes",
		Hooks: enforcing(func(l *adapter.Limits) { l.Text = math.MaxInt })},
	{ID: "AQL-4.7.5-04", Variant: "no-array-limit", Defect: "array elements are not counted",
		Hooks: enforcing(func(l *adapter.Limits) { l.Elements = math.MaxInt })},
	{ID: "AQL-4.7.5-03", Variant: "string-in-object-not-measured", Defect: "strings inside metadata may have any length",
		Hooks: inMetadata(withoutLongText)},
	{ID: "AQL-4.7.5-03", Variant: "string-in-change-not-measured", Defect: "update_note takes texts of any length in input",
		Hooks: inChange(false)},
	{ID: "AQL-4.7.5-03", Variant: "element-in-change-not-measured", Defect: "update_note does not measure the elements of arrays in input",
		Hooks: inChange(true)},
	{ID: "AQL-4.7.5-04", Variant: "array-in-object-not-counted", Defect: "the elements of arrays inside metadata are not counted",
		Hooks: inMetadata(withoutLongArray)},
	{ID: "AQL-4.7.5-05", Variant: "no-depth-limit", Defect: "nesting is not limited",
		Hooks: enforcing(func(l *adapter.Limits) { l.Depth = math.MaxInt })},
	{ID: "AQL-4.7.5-05", Variant: "depth-in-object-not-counted", Defect: "create_note does not count the levels of objects inside metadata",
		Hooks: inMetadata(func(raw []byte) []byte {
			if !bytes.Contains(raw, []byte(`"create_note"`)) {
				return raw
			}
			return deepObject.ReplaceAllFunc(raw, func(deep []byte) []byte {
				opened, closed := bytes.Count(deep, []byte(`{"a":`)), bytes.Count(deep, []byte("}"))-1
				return append([]byte("{}"), bytes.Repeat([]byte("}"), closed-opened)...)
			})
		})},
	{ID: "AQL-4.7.5-05", Variant: "recursive-decoder-crash", Defect: "depth 5000 overflows the stack",
		Hooks: adapter.Hooks{Fatal: func(message, answer []byte) bool { return answer == nil && adapter.Depth(message) > 4000 }}},
	{ID: "AQL-4.7.5-06", Variant: "limit-error-anonymous", Defect: "VALIDATION_PAYLOAD_TOO_LARGE comes without details and with the message Payload too large",
		Hooks: seam.Results(seam.FailedWith("VALIDATION_PAYLOAD_TOO_LARGE"), reshaped(func(e map[string]any) {
			adapter.Object(e["error"])["message"] = "Payload too large"
			delete(adapter.Object(e["error"]), "details")
		}))},
	{ID: "AQL-4.7.5-07", Variant: "limits-nowhere-documented", Defect: "neither introspection nor attestation names any limit",
		Hints: map[string]string{"attest.limits": "no"}, Hooks: seam.Protocol(seam.Drop("limits"))},
	{ID: "AQL-4.7.5-08", Variant: "limits-not-exposed", Defect: "_protocol has no limits", Hooks: seam.Protocol(seam.Drop("limits"))},
	{ID: "AQL-4.7.5-09", Variant: "depth-limit-128", Defect: "max_nesting_depth 128 is advertised and enforced",
		Hooks: seam.Both(advertising("max_nesting_depth", 128), enforcing(func(l *adapter.Limits) { l.Depth = 128 }))},
	{ID: "AQL-4.7.5-10", Variant: "arrays-not-counted", Defect: "three levels of arrays that hold only arrays do not count towards the depth",
		Hooks: adapter.Hooks{Arguments: flattened}},
	{ID: "AQL-4.7.5-11", Variant: "string-limit-1kb", Defect: "strings above 1 KB are refused as too large",
		Hooks: enforcing(func(l *adapter.Limits) { l.Text = 1 << 10 })},
	{ID: "AQL-4.7.5-12", Variant: "limit-advertised-not-enforced", Defect: "640 KiB of request are advertised, 8 MiB enforced",
		Hooks: enforcing(func(l *adapter.Limits) { l.Request = 8 << 20 })},
	{ID: "AQL-4.7.5-12", Variant: "elements-advertised-not-enforced", Defect: "10,000 array elements are advertised, 80,000 enforced",
		Hooks: enforcing(func(l *adapter.Limits) { l.Elements = 80_000 })},
	{ID: "AQL-4.7.5-13", Variant: "payload-error-exits", Defect: "the process exits on an error about the size of a request",
		Hooks: adapter.Hooks{Fatal: func(_, answer []byte) bool { return sizeRefused.Match(answer) }}},
}

// nearLimitFaults enforce limits that are off by little, or refuse in another way.
var nearLimitFaults = []seam.Fault{
	{ID: "AQL-4.7.5-12", Variant: "last-element-refused", Defect: "10,000 array elements are advertised, 9,999 taken",
		Hooks: enforcing(func(l *adapter.Limits) { l.Elements-- })},
	{ID: "AQL-4.7.5-12", Variant: "one-element-more", Defect: "10,000 array elements are advertised, 10,001 taken",
		Hooks: enforcing(func(l *adapter.Limits) { l.Elements++ })},
	{ID: "AQL-4.7.5-12", Variant: "last-byte-of-string-refused", Defect: "a string as long as advertised is refused",
		Hooks: enforcing(func(l *adapter.Limits) { l.Text-- })},
	{ID: "AQL-4.7.5-12", Variant: "one-byte-more-of-string", Defect: "a string one byte longer than advertised is taken",
		Hooks: enforcing(func(l *adapter.Limits) { l.Text++ })},
	{ID: "AQL-4.7.5-12", Variant: "string-limit-halfway", Defect: "strings 4 percent longer than advertised are taken",
		Hooks: enforcing(func(l *adapter.Limits) { l.Text += l.Text / 25 })},
	{ID: "AQL-4.7.5-12", Variant: "request-limit-short", Defect: "requests above 95 percent of the advertised size are refused",
		Hooks: enforcing(func(l *adapter.Limits) { l.Request -= l.Request / 20 })},
	{ID: "AQL-4.7.5-12", Variant: "request-limit-long", Defect: "requests 4 percent larger than advertised are taken",
		Hooks: enforcing(func(l *adapter.Limits) { l.Request += l.Request / 25 })},
	{ID: "AQL-4.7.5-10", Variant: "deepest-level-refused", Defect: "32 levels are advertised, 31 taken",
		Hooks: enforcing(func(l *adapter.Limits) { l.Depth-- })},
	{ID: "AQL-4.7.5-01", Variant: "request-misvalued", Defect: "a request that is too large has the code VALIDATION_INVALID_VALUE", Hooks: excess("request_size")},
	{ID: "AQL-4.7.5-02", Variant: "answer-misvalued", Defect: "1 MiB is the limit of answers, and a listing that exceeds it is refused with VALIDATION_INVALID_VALUE",
		Hooks: seam.Both(advertising("max_response_size", 1<<20), seam.Both(enforcing(func(l *adapter.Limits) { l.Response = 1 << 20 }), excess("response_size")))},
	{ID: "AQL-4.7.5-03", Variant: "string-misvalued", Defect: "a string that is too long has the code VALIDATION_INVALID_VALUE", Hooks: excess("string_length")},
	{ID: "AQL-4.7.5-04", Variant: "array-misvalued", Defect: "an array with too many elements has the code VALIDATION_INVALID_VALUE", Hooks: excess("array_elements")},
	{ID: "AQL-4.7.5-05", Variant: "depth-misvalued", Defect: "what is nested too deep has the code VALIDATION_INVALID_VALUE", Hooks: excess("nesting_depth")},
	{ID: "AQL-4.7.5-06", Variant: "another-limit-named", Defect: "an array with too many elements is refused as nested too deep",
		Hooks: seam.Results(exceeding("array_elements"), reshaped(func(e map[string]any) {
			adapter.Object(e["error"])["message"] = "Limit 'nesting_depth' exceeded"
			details := adapter.Object(adapter.Object(e["error"])["details"])
			details["limit_type"], details["unit"] = "nesting_depth", "levels"
		}))},
}

// exceeding picks the refusals of what exceeds one limit.
func exceeding(kind string) func(map[string]any, adapter.Envelope) bool {
	return func(_ map[string]any, e adapter.Envelope) bool {
		return adapter.Object(adapter.Object(e["error"])["details"])["limit_type"] == kind
	}
}

// excess refuses what exceeds a limit with another code.
func excess(kind string) adapter.Hooks {
	return seam.Results(exceeding(kind), reshaped(func(e map[string]any) { adapter.Object(e["error"])["code"] = "VALIDATION_INVALID_VALUE" }))
}

// sizeRefused matches a refusal for the size of the request, also inside a text.
var sizeRefused = regexp.MustCompile(`limit_type\\*":\s*\\*"request_size`)

func enforcing(change func(l *adapter.Limits)) adapter.Hooks { return adapter.Hooks{Limits: change} }

// advertising changes what _protocol says about one limit.
func advertising(name string, value int) adapter.Hooks {
	return seam.Protocol(func(p map[string]any) { seam.Set(name, value)(adapter.Object(p["limits"])) })
}

// flattened takes three levels from arrays that are nested deeply in nothing but
// arrays.
func flattened(raw []byte) []byte {
	const run = 16 // nobody nests data like this
	if !bytes.Contains(raw, bytes.Repeat([]byte("["), run)) || !bytes.Contains(raw, bytes.Repeat([]byte("]"), run)) {
		return raw
	}
	raw = bytes.Replace(raw, []byte("[[[["), []byte("["), 1)
	return bytes.Replace(raw, []byte("]]]]"), []byte("]"), 1)
}

// inMetadata rewrites requests that give metadata.
func inMetadata(rewrite func(raw []byte) []byte) adapter.Hooks {
	return adapter.Hooks{Arguments: func(raw []byte) []byte {
		if !bytes.Contains(raw, []byte(`"metadata":{`)) {
			return raw
		}
		return rewrite(raw)
	}}
}

// inChange shortens a long text in the input of update_note: the last element of an array, or any other text.
func inChange(element bool) adapter.Hooks {
	return adapter.Hooks{Arguments: func(raw []byte) []byte {
		if !bytes.Contains(raw, []byte(`"update_note"`)) || bytes.Contains(raw, []byte(`aaa"]`)) != element {
			return raw
		}
		return withoutLongText(raw)
	}}
}

var deepObject = regexp.MustCompile(`(?:\{"a":){30,}\{\}\}{30,}`)

var longArray = regexp.MustCompile(`\[(?:0,){100,}0\]`)

func withoutLongArray(raw []byte) []byte { return longArray.ReplaceAll(raw, []byte("[0]")) }

func withoutLongText(raw []byte) []byte {
	from := bytes.Index(raw, bytes.Repeat([]byte("a"), 50_000))
	if from < 0 {
		return raw
	}
	rest := bytes.TrimLeft(raw[from:], "a")
	return append(raw[:from:from], rest...)
}
