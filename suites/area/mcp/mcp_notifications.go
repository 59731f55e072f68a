package mcp

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Section mcp/List Changed Notifications.
var listChangeFlagIsBoolean = check.Check{
	Requirement: "MCP-NOTIFY-01",
	Rule:        "The listChanged flag, if given, is boolean.",
	Why:         "A flag that is neither true nor false announces nothing.",
	On:          model.WholeAdapter,
	Ask:         func(s model.Subject) []probes.Probe { return []probes.Probe{check.Handshake(s)} },
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		switch flag := check.ListChangedFlag(got[0]); flag.Kind() {
		case probes.Absent:
			return ruling.NotApplicable("does not hold: capabilities.tools.listChanged is present")
		case probes.Boolean:
			return ruling.Conforms()
		default:
			return ruling.Departs("listChanged as true or false", "listChanged "+ruling.Clip(flag.String()))
		}
	},
	Fix: "make capabilities.tools.listChanged a boolean, or leave it out",
}

// changingTime is the time limit for a change of the tools, and for its notification.
const changingTime = 2 * time.Second

// Section mcp/List Changed Notifications.
var announcedListChangesAreNotified = check.Check{
	Requirement: "MCP-NOTIFY-02",
	Rule:        "A server that announces list-change support sends the notification when its tools change.",
	Why:         "Clients do not poll a server that announces changes.",
	On:          model.WholeAdapter,
	Lane:        probes.Disposable,
	Drive: func(s model.Subject, ask model.AskFunc) {
		conn, announced := probes.InSession(s.Conn+"/changing"), check.ListChangedFlag(ask(check.Handshake(s))).True()
		if _, given := s.Hint("tool_change_cmd"); !given || !announced {
			return
		}
		start := check.Handshake(s)
		start.Conn = conn
		ask(start.As("change of tools: handshake"))
		list := func(step string) probes.Observation {
			return ask(probes.Request(conn, "tools/list", map[string]any{}).Anew(step))
		}
		was := list("change of tools: list before")
		ask(probes.Command(conn, "tool_change_cmd", nil))
		const looks = 4
		for i := 0; i < looks && sameTools(was, list(probes.Nth("change of tools: list after", i))); i++ {
			ask(probes.Pause(conn, changingTime/looks, probes.Nth("change of tools: wait for the change", i)))
		}
		if said := ask(probes.Heard(conn, "change of tools: messages 1")); !told(said) {
			ask(probes.Pause(conn, changingTime, "change of tools: wait for the notification"))
			ask(probes.Heard(conn, "change of tools: messages 2"))
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		_, given := s.Hint("tool_change_cmd")
		switch {
		case !check.ListChangedFlag(got[0]).True():
			return ruling.NotApplicable("does not hold: listChanged is announced")
		case !given:
			return model.HintMissing("tool_change_cmd", "a command that changes the tools of the running adapter")
		}
		start, said := got.Step("change of tools: handshake"), last(got.Under("change of tools: messages"))
		was, is := got.Step("change of tools: list before"), last(got.Under("change of tools: list after"))
		switch {
		case sameTools(was, is):
			return ruling.NotProven("a change of the tools by tool_change_cmd", "the same tools as before").By(is, was)
		case told(said):
			return ruling.Conforms().By(is, was)
		case start.Status != 0 || check.RevisionOf(start) >= check.StatelessRevision: // a stream of its own would carry it
			return ruling.NotProven("a stream on which the server can push", "none").By(is, was)
		}
		return ruling.Violates(toolListChanged+" when the tools change", "none").By(is, was)
	},
	Fix: "send notifications/tools/list_changed when the tools change, or do not announce it",
}

// sameTools reports whether two answers list the same tools.
func sameTools(x, y probes.Observation) bool {
	names := func(o probes.Observation) []string {
		var all []string
		for _, t := range o.Result().At("tools").Items() {
			all = append(all, t.At("name").Text())
		}
		slices.Sort(all)
		return all
	}
	return slices.Equal(names(x), names(y))
}

// told reports whether a change of the tools was among what was heard.
func told(heard probes.Observation) bool {
	return slices.ContainsFunc(heard.Messages(), func(m probes.Value) bool { return m.At("method").Text() == toolListChanged })
}

var aboutToolList = regexp.MustCompile(`(?i)tools?[/_.-]?list[/_.-]?changed|list[/_.-]?changed[/_.-]?tools?|toolslistchanged`)

const toolListChanged = "notifications/tools/list_changed"

// Section mcp/List Changed Notifications.
var listChangeMessagesAreNotifications = check.Check{
	Requirement: "MCP-NOTIFY-03",
	Rule:        "List-change messages are notifications with the exact method name and no id.",
	Why:         "Clients recognize a notification by its method. With an id it would be a request, which no client answers.",
	Ambient: &check.Ambient{
		AllRequests: true,
		Watch:       func(*model.Adapter, probes.Observation) ruling.Ruling { return check.Irrelevant },
		Notifications: func(_ *model.Adapter, news []probes.Frame) ruling.Ruling {
			rs := []ruling.Ruling{}
			for _, f := range news {
				message, _ := probes.ParseValue(f.Data)
				method := message.At("method").Text()
				switch {
				case !aboutToolList.MatchString(strings.ToLower(method)):
				case method != toolListChanged:
					rs = append(rs, ruling.Violates("the method "+toolListChanged, method))
				case message.Has("id"):
					rs = append(rs, ruling.Violates("a notification", "a request with the id "+message.At("id").String()))
				default:
					rs = append(rs, ruling.Conforms())
				}
			}
			if len(rs) == 0 {
				return check.Irrelevant
			}
			return ruling.Worst(rs...)
		},
	},
	Fix: "send notifications/tools/list_changed without an id",
}
