package mcp

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Section mcp/Capability Declaration.
var toolsCapabilityIsDeclared = check.Check{
	Requirement: "MCP-LIST-01",
	Rule:        "An adapter that exposes tools declares the tools capability.",
	Why:         "A client asks for tools only where the start-up result declares them, so undeclared tools do not exist for it.",
	On:          model.WholeAdapter,
	Ask: func(s model.Subject) []probes.Probe {
		return []probes.Probe{check.Handshake(s), s.Pages[0].As("tool list")}
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		declared := got[0].Result().At("capabilities")
		switch {
		case !declared.Is(probes.Object):
			return ruling.NotProven("capabilities in the start-up result", got[0]).Because("MCP-LIFE-01")
		case declared.At("tools").Is(probes.Object):
			return ruling.Conforms()
		case !check.HasToolList(got.Step("tool list")):
			return ruling.NotProven("a tools/list that works", got.Step("tool list")).Because("AQL-2.1-01")
		}
		return ruling.Violates("an object at capabilities.tools", "capabilities "+ruling.Clip(declared.String())).By(got...)
	},
	Fix: "declare \"tools\": {} in the capabilities of initialize",
}

// Section mcp/Tools List Response.
var toolListIsArrayOfObjects = check.Check{
	Requirement: "MCP-LIST-02",
	Rule:        "tools/list returns a result whose tools member is an array of tool objects.",
	Why:         "A client finds the tools of a server only in this array.",
	On:          model.WholeAdapter,
	Ask: func(s model.Subject) []probes.Probe {
		return []probes.Probe{s.Pages[0], probes.Request(s.Conn, "tools/list", nil).As("tool list without params")}
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		const want = "an array of tool objects at result.tools"
		empty, bare := got[0], got.Step("tool list without params")
		switch {
		case empty.Deferred():
			return ruling.NotProven(want, empty).Mend("supply the credentials the server asks for")
		case empty.RefusedBelow() && bare.RefusedBelow():
			return ruling.NotProven(want, empty).Because("AQL-2.1-01")
		case !check.HasToolList(empty):
			return ruling.Violates(want, shapeOf(empty)).By(empty)
		case bare.RefusedBelow():
			return ruling.Departs(want+" also without params", bare)
		case !check.HasToolList(bare):
			return ruling.Violates(want+" also without params", shapeOf(bare)).By(bare)
		}
		return ruling.Conforms()
	},
	Fix: "answer tools/list with {\"tools\":[…]}, with and without params",
}

// shapeOf says what stands in place of an array of tools.
func shapeOf(page probes.Observation) string {
	switch tools := page.Result().At("tools"); {
	case page.Outcome != probes.Result:
		return page.Brief()
	case tools.Is(probes.Array):
		return "an array with other entries than objects"
	default:
		return "result.tools " + string(tools.Kind())
	}
}

// Section mcp/Pagination Support.
var toolListCursorsLeadToAll = check.Check{
	Requirement: "MCP-LIST-03",
	Rule:        "A continuation token returned by tools/list is a string that fetches the next page when sent back as cursor.",
	Why:         "A cursor that is ignored or of another type hides every tool behind the first page, or sends the client round for ever.",
	On:          model.WholeAdapter,
	Ask:         model.ToolPages,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if first := got[0].Result().At("nextCursor"); first.Is(probes.Absent) || first.Is(probes.Null) {
			return ruling.NotApplicable("does not hold: the first tools/list page has nextCursor")
		}
		rs := []ruling.Ruling{ruling.Conforms()}
		cursors, pages, entries := map[string]bool{}, map[string]bool{}, map[string]string{}
		for i, page := range got {
			next, content := page.Result().At("nextCursor"), page.Result().At("tools").Canonical(nil)
			switch {
			case page.Deferred():
				return ruling.NotProven(fmt.Sprintf("page %d of tools/list", i+1), page)
			case !check.HasToolList(page):
				return ruling.Violates(fmt.Sprintf("an array of tools on page %d", i+1), shapeOf(page)).By(page)
			case i > 0 && pages[content] && (cursors[next.Text()] || len(page.Result().At("tools").Items()) > 0):
				return ruling.Violates("another page for the cursor", "a page that was served before").By(page)
			case !next.Is(probes.String) && !next.Is(probes.Absent) && !next.Is(probes.Null):
				return ruling.Violates("a nextCursor that is a string", next).By(page)
			case next.Is(probes.String) && cursors[next.Text()]:
				rs = append(rs, ruling.Departs("a cursor of its own on each page", "cursor "+next.String()+" again").By(page))
			case next.Is(probes.String) && i == len(got)-1 && len(s.Tools) > probes.MaxTools:
				rs = append(rs, ruling.NotProven("the last page of tools", fmt.Sprintf("%d tools on %d pages, and more", len(s.Tools), len(got))))
			case next.Is(probes.String) && i == len(got)-1:
				return ruling.Violates("pages that end", fmt.Sprintf("a further cursor on page %d", len(got))).By(page)
			}
			rs = append(rs, repeated(page, entries)...)
			pages[content] = true
			if next.Is(probes.String) {
				cursors[next.Text()] = true
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "serve the page that the cursor names and leave nextCursor out of the last one",
}

// repeated rules on the tools of a page that an earlier page has listed word for
// word; entries is what was listed so far, by name.
func repeated(page probes.Observation, entries map[string]string) []ruling.Ruling {
	var rs []ruling.Ruling
	here := map[string]string{}
	for _, entry := range page.Result().At("tools").Items() {
		name, content := entry.At("name").Text(), entry.Canonical(nil)
		if entries[name] == content {
			rs = append(rs, ruling.Departs("each tool on one page", "the tool "+name+" again").By(page))
		}
		here[name] = content
	}
	for name, content := range here {
		entries[name] = content
	}
	return rs
}

var bareNumber = regexp.MustCompile(`^[0-9]+$`)

// Section mcp/Pagination Support.
var foreignToolListCursorIsRefused = check.Check{
	Requirement: "MCP-LIST-04",
	Rule:        "A continuation token the server never issued is refused as invalid parameters.",
	Why:         "A server that takes a made-up cursor for the first page turns a client's mistake into a loop.",
	On:          model.WholeAdapter,
	Drive: func(s model.Subject, ask model.AskFunc) {
		issued := ask(s.Pages[0]).Result().At("nextCursor")
		if !issued.Is(probes.String) {
			return
		}
		ask(probes.Request(s.Conn, "tools/list", map[string]any{"cursor": "aqlx_cursor_" + s.Nonce}).As("foreign cursor"))
		if bareNumber.MatchString(issued.Text()) { // a decoder may ignore what stands behind any other
			ask(probes.Request(s.Conn, "tools/list", map[string]any{"cursor": issued.Text() + "9"}).As("cursor with a digit more"))
		}
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		longer, counted := got.Find("cursor with a digit more")
		switch foreign, sent := got.Find("foreign cursor"); {
		case !sent:
			return ruling.NotApplicable("does not hold: tools/list is paged")
		case foreign.Deferred():
			return ruling.NotProven("JSON-RPC error -32602", foreign)
		case foreign.RPCError().At("code").String() != "-32602":
			return ruling.Violates("JSON-RPC error -32602", foreign).By(got[0])
		case counted && longer.Result().At("tools").Is(probes.Array):
			return ruling.Violates("JSON-RPC error -32602 for a number that was never issued", longer).By(got[0], foreign)
		default:
			return ruling.Conforms().By(foreign)
		}
	},
	Fix: "refuse cursors the server never issued with -32602",
}

// Section mcp/Tools List Response.
var repeatedToolListsAreEqual = check.Check{
	Requirement: "MCP-LIST-05",
	Rule:        "Repeating tools/list without a change in between yields the same tools in the same order.",
	Why:         "Hosts cache the list and put it into prompts; an order that changes by itself costs them the cache.",
	On:          model.WholeAdapter,
	Handles:     check.Unanswered,
	Drive: func(s model.Subject, ask model.AskFunc) {
		ask(check.Handshake(s))
		for i := range 3 {
			walkTools(s, ask, s.Conn, probes.Nth(toolWalk, i))
		}
		walkTools(s, ask, s.Conn+"/2", otherToolWalk)
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		first, again, third := toolTexts(got, probes.Nth(toolWalk, 0)), toolTexts(got, probes.Nth(toolWalk, 1)), toolTexts(got, probes.Nth(toolWalk, 2))
		abroad := toolTexts(got, otherToolWalk)
		start, end := got.Step(probes.Nth(toolWalk, 0)+": page 1"), last(got.Under(otherToolWalk))
		few := got.Under("repeated tool list")
		few = few[:min(len(few), 4)]
		announces := got[0].Result().At("capabilities", "tools", "listChanged").True()
		switch {
		case first == nil || again == nil || third == nil:
			return ruling.NotProven("three answers of tools/list to compare", "fewer").Because("MCP-LIST-02")
		case differ(first, again) != "" && announces && differ(again, third) == "":
			return ruling.NotProven("a tool list that does not change", "a change the server may have announced").By(few...)
		case differ(first, again) != "":
			return ruling.Violates("the same tools as before", differ(first, again)).By(few...)
		case differ(again, third) != "":
			return ruling.Violates("the same tools as before", differ(again, third)).By(few...)
		case abroad == nil:
			return ruling.NotProven("tools/list on a second connection", end)
		case differ(first, abroad) != "":
			return ruling.Violates("the same tools on another connection", differ(first, abroad)).By(start, end)
		}
		return ruling.Conforms().By(start, end)
	},
	Fix: "list the tools in a fixed order",
}

// The walks through the tool list: three on one connection, and one on another.
const (
	toolWalk      = "repeated tool list: walk"
	otherToolWalk = "repeated tool list: walk on another connection"
)

// walkTools requests as many pages as discovery needed. It follows the cursors of its own pages.
func walkTools(s model.Subject, ask model.AskFunc, conn, walk string) {
	params := map[string]any{}
	for i := range s.Pages {
		cursor := ask(probes.Request(conn, "tools/list", params).Anew(probes.Nth(walk+": page", i))).Result().At("nextCursor")
		if !cursor.Is(probes.String) {
			return
		}
		params = map[string]any{"cursor": cursor.Text()}
	}
}

// toolTexts returns name and schemas of each tool of one walk; nil if a page cannot be read.
func toolTexts(got probes.Answers, walk string) []string {
	texts := []string{}
	for _, o := range got.Under(walk) {
		if !check.HasToolList(o) {
			return nil
		}
		for _, t := range o.Result().At("tools").Items() {
			texts = append(texts, t.At("name").String()+"\x00"+t.At("inputSchema").Canonical(nil)+t.At("outputSchema").Canonical(nil))
		}
	}
	return texts
}

// last returns the last of several answers.
func last(answers probes.Answers) probes.Observation { return answers[len(answers)-1] }

// differ says in what two walks differ; empty when they agree.
func differ(x, y []string) string {
	if strings.Join(x, "\x01") == strings.Join(y, "\x01") {
		return ""
	}
	if len(x) != len(y) {
		return fmt.Sprintf("%d tools instead of %d", len(y), len(x))
	}
	known := map[string]int{}
	for _, text := range x {
		known[text]++
	}
	for _, text := range y {
		if known[text]--; known[text] < 0 {
			name, _, _ := strings.Cut(text, "\x00")
			return "another tool or schema " + name
		}
	}
	return "the same tools in another order"
}
