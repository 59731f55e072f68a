package suites

import (
	"regexp"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// announcedChanges is the flag by which a server announces list-change
// notifications.
func announcedChanges(handshake probes.Observation) probes.Value {
	return handshake.Result().At("capabilities", "tools", "listChanged")
}

// Section mcp/List Changed Notifications. A flag that is neither true nor false
// announces nothing.
var _ = register(Check{
	Requirement: "MCP-NOTIFY-01",
	On:          wholeAdapter,
	Ask:         func(s Subject) []probes.Probe { return []probes.Probe{startUp(s)} },
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		switch flag := announcedChanges(got[0]); flag.Kind() {
		case probes.Absent:
			return NotApplicable("does not hold: capabilities.tools.listChanged is present")
		case probes.Boolean:
			return Conforms()
		default:
			return Departs("listChanged as true or false", "listChanged "+clip(flag.String()))
		}
	},
	Fix: "make capabilities.tools.listChanged a boolean, or leave it out",
})

// Section mcp/List Changed Notifications. Who announces changes is not asked for
// them again.
var _ = register(Check{
	Requirement: "MCP-NOTIFY-02",
	On:          wholeAdapter,
	Ask:         func(s Subject) []probes.Probe { return []probes.Probe{startUp(s)} },
	Judge: func(s Subject, got []probes.Observation) Ruling {
		if !announcedChanges(got[0]).True() {
			return NotApplicable("does not hold: listChanged is announced")
		}
		if _, given := s.Hint("tool_change_cmd"); !given {
			return unhinted("tool_change_cmd", "a command that changes the tools of the running adapter")
		}
		return NotProven("the tools changed while the session is open", "a checker that does not run tool_change_cmd yet")
	},
	Fix: "send notifications/tools/list_changed when the tools change, or do not announce it",
})

var aboutToolList = regexp.MustCompile(`(?i)tools?[/_.-]?list[/_.-]?changed|list[/_.-]?changed[/_.-]?tools?|toolslistchanged`)

const toolListChanged = "notifications/tools/list_changed"

// Section mcp/List Changed Notifications. Clients know it by its name; with an id
// it is a request that none of them answers.
var _ = register(Check{
	Requirement: "MCP-NOTIFY-03",
	Every:       true,
	Watch:       func(*Face, probes.Observation) Ruling { return elsewhere },
	News: func(_ *Face, news []probes.Frame) Ruling {
		rs := []Ruling{}
		for _, f := range news {
			message, _ := probes.ParseValue(f.Data)
			method := message.At("method").Text()
			switch {
			case !aboutToolList.MatchString(strings.ToLower(method)):
			case method != toolListChanged:
				rs = append(rs, Violates("the method "+toolListChanged, method))
			case message.Has("id"):
				rs = append(rs, Violates("a notification", "a request with the id "+message.At("id").String()))
			default:
				rs = append(rs, Conforms())
			}
		}
		if len(rs) == 0 {
			return elsewhere
		}
		return Worst(rs...)
	},
	Fix: "send notifications/tools/list_changed without an id",
})
