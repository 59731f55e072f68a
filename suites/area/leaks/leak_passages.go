package leaks

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// A passage is one text of an error answer and who wrote it.
type passage struct {
	text   string
	place  string // where it stands, for the note of a finding
	author author
}

// speaks reports whether the text says something in words.
func (p passage) speaks() bool {
	words := 0
	for range strings.FieldsSeq(p.text) {
		if words++; words > 2 {
			return true
		}
	}
	return false
}

// An author of a text. What an upstream or a layer below the adapter writes is
// its own fault only in part.
type author int

const (
	adapterText  author = iota
	upstreamText        // relayed in details.upstream_error
	sdkText             // a tool result without an envelope: the SDK wrapped what the adapter threw, or refused
	rpcText             // a JSON-RPC error
	httpText            // the body of an HTTP refusal
)

// eachErrorText visits every text of an answer that speaks of an error: code,
// message and details of failures, in a batch too, warnings, and the words of the
// layers below. What a success says is data. Of an answer no more text is visited
// than one error may have.
func eachErrorText(o probes.Observation, visit func(passage)) {
	left := vocab.MaxLeakText
	say := func(by author, place, text string) {
		text = vocab.Bounded(text, left)
		left -= len(text)
		visit(passage{text, place, by})
	}
	add := func(by author, place string, v probes.Value) {
		eachString(v, 0, func(text string) { say(by, place, text) })
	}
	e := o.Envelope()
	add(adapterText, "warnings", e.At("warnings"))
	switch o.Outcome {
	case probes.Failure:
		reasonTexts(e.At("error"), add)
		for _, item := range o.Result().At("content").Items() {
			if text := item.At("text").Text(); !strings.HasPrefix(strings.TrimSpace(text), "{") {
				add(adapterText, "content", item.At("text"))
			}
		}
	case probes.Success:
		for _, r := range e.At("results").Items() {
			reasonTexts(r.At("result", "error"), add)
		}
	case probes.ToolText:
		if o.Result().At("isError").True() {
			add(sdkText, "content", o.Result().At("content"))
		}
	case probes.RPCError:
		add(rpcText, "the JSON-RPC error", o.RPCError())
	case probes.HTTPReject:
		say(httpText, "the HTTP body", string(o.ReceivedData()))
	}
}

// reasonTexts reads the error member of a failure. Section 5.3.
func reasonTexts(reason probes.Value, add func(by author, place string, v probes.Value)) {
	add(adapterText, "error.message", reason.At("message"))
	add(adapterText, "error.code", reason.At("code"))
	if details := reason.At("details"); details.Is(probes.Object) {
		for _, m := range details.Members() {
			by := adapterText
			if m.Name == "upstream_error" {
				by = upstreamText
			}
			add(by, "error.details."+m.Name, m.Value)
			frameRecords(m, func(text string) { add(by, "error.details."+m.Name, probes.ValueOf(text)) })
		}
	} else {
		add(adapterText, "error.details", details)
	}
}

// eachString visits the strings at most six levels down; the lines of a list of
// strings, as stacks come, are one text.
func eachString(v probes.Value, depth int, visit func(string)) {
	if depth > 6 {
		return
	}
	switch v.Kind() {
	case probes.String:
		visit(v.Text())
	case probes.Array:
		var lines []string
		for _, item := range v.Items() {
			if item.Is(probes.String) {
				lines = append(lines, item.Text())
			} else {
				eachString(item, depth+1, visit)
			}
		}
		if lines != nil {
			visit(strings.Join(lines, "\n"))
		}
	case probes.Object:
		for _, m := range v.Members() {
			eachString(m.Value, depth+1, visit)
			frameRecords(m, visit)
		}
	}
}

// Members of a stack and of its records, by their names. A line with a function alone, or with a file alone, may be one of a timetable or
// of a film where the list is not called a stack.
var (
	stackMember  = regexp.MustCompile(`(?i)^(?:error_?)?(?:stack|stack_?trace|trace_?back|back_?trace|stack_?frames)$`)
	framesMember = regexp.MustCompile(`(?i)^(?:trace|frames)$`)
	fileMember   = regexp.MustCompile(`(?i)^(?:file|file_?name|module)$`)
	codeMember   = regexp.MustCompile(`(?i)^(?:function|method|func)$`)
)

// frameRecords visits a list of records in the member of a stack with its name: a
// logger that writes JSON parts each frame into members, and none of them alone
// looks like a frame.
func frameRecords(m probes.Member, visit func(string)) {
	records := m.Value.Items()
	if len(records) == 0 || !records[0].Is(probes.Object) {
		return
	}
	has := func(name *regexp.Regexp) bool { return slices.ContainsFunc(records[0].Names(), name.MatchString) }
	if stackMember.MatchString(m.Name) || framesMember.MatchString(m.Name) && has(fileMember) && has(codeMember) {
		visit(`"` + m.Name + `":` + string(m.Value.Raw()))
	}
}
