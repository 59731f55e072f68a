package suites

import (
	"regexp"
	"slices"
	"strings"
	"time"

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

// changingTake is the take of the questions around a change of tools, and changingTime
// how long the change and the word of it may each take to arrive.
const (
	changingTake = 85 * specimenStage
	changingTime = 2 * time.Second
)

// Section mcp/List Changed Notifications. Who announces changes is not asked for
// them again.
var _ = register(Check{
	Requirement: "MCP-NOTIFY-02",
	On:          wholeAdapter,
	Lane:        probes.Disposable,
	Drive: func(s Subject, ask Asking) {
		conn, announced := s.Conn+"/changing", announcedChanges(ask(startUp(s))).True()
		if _, given := s.Hint("tool_change_cmd"); !given || !announced {
			return
		}
		start := startUp(s)
		start.Conn = conn
		ask(start)
		list := func(take int) probes.Observation {
			return ask(probes.Request(conn, "tools/list", map[string]any{}).Anew(changingTake + take))
		}
		was := list(0)
		ask(probes.Command(conn, "tool_change_cmd", nil))
		const looks = 4
		for i := 1; i <= looks && sameTools(was, list(i)); i++ {
			ask(probes.Pause(conn, changingTime/looks, changingTake+i))
		}
		if said := ask(probes.Heard(conn, changingTake)); !told(said) {
			ask(probes.Pause(conn, changingTime, changingTake+looks+1))
			ask(probes.Heard(conn, changingTake+1))
		}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		_, given := s.Hint("tool_change_cmd")
		switch {
		case !announcedChanges(got[0]).True():
			return NotApplicable("does not hold: listChanged is announced")
		case !given:
			return unhinted("tool_change_cmd", "a command that changes the tools of the running adapter")
		}
		start, said := got[1], got[len(got)-1]
		lists := slices.DeleteFunc(slices.Clone(got), func(o probes.Observation) bool { return o.Probe.Method != "tools/list" })
		was, is := lists[0], lists[len(lists)-1]
		switch {
		case sameTools(was, is):
			return NotProven("a change of the tools by tool_change_cmd", "the same tools as before").By(is, was)
		case told(said):
			return Conforms().By(is, was)
		case start.Status != 0 || revisionOf(start) >= stateless: // a stream of its own would carry it
			return NotProven("a stream on which the server can push", "none").By(is, was)
		}
		return Violates(toolListChanged+" when the tools change", "none").By(is, was)
	},
	Fix: "send notifications/tools/list_changed when the tools change, or do not announce it",
})

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
