package session

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/suites/model"
)

// How much of what an adapter wrote is shown beside a conclusion.
const (
	shownStderr = 10 // last lines
	shownStdout = 3  // first lines
	shownTools  = 64 // columns of names
	shownAnswer = 200
)

// unreachable concludes that no connection came about.
func (s *Session) unreachable(t Target, err error) {
	s.run.Conclusion = s.withoutSecrets(fmt.Sprintf("no connection to %s: %v", t.shown, err))
	var start *wire.StartError
	if !errors.As(err, &start) {
		return
	}
	advice := "the command must start an MCP server over stdio; --start-timeout allows more time"
	switch start.Stage {
	case "start":
		s.run.Conclusion = s.withoutSecrets(fmt.Sprintf("could not start the adapter: %v", err))
		advice = "check the path and its permissions; --cwd sets the folder"
	case "token":
		s.run.Conclusion = s.withoutSecrets(fmt.Sprintf("no token for %s: %v", t.shown, err))
		advice = "run the token command by hand, or sign in with --oauth"
		if s.flags.OAuth != "" {
			advice = "register a client and name it with --oauth-client, or get a token yourself and use --token-cmd"
		}
	case "connect":
		s.run.Conclusion = s.withoutSecrets(fmt.Sprintf("could not connect: %v", err))
		advice = "check the address and its port, and that the server runs"
	case "handshake":
		s.run.Conclusion = s.withoutSecrets(fmt.Sprintf("no MCP session: %v", err))
		switch {
		case t.URL != "":
			advice = refusedAdvice(err.Error())
		case start.Stdout != "":
			advice = "write only JSON-RPC to stdout, and logs to stderr"
		case start.Exit != "":
			advice = "start the command by hand, in the same folder (--cwd) and environment (-e); it must wait for requests on stdin"
		}
	}
	heading := "stdout is not JSON-RPC; it begins with:"
	if t.URL != "" {
		heading = "the answer is not JSON-RPC; it begins with:"
	}
	s.quote(heading, firstLines(s.withoutSecrets(start.Stdout), shownStdout))
	s.quote("stderr ends with:", lastLines(s.withoutSecrets(start.Stderr), shownStderr))
	s.run.Detail = append(s.run.Detail, "next: "+advice)
}

// refusedAdvice is what to do where an address answers and no session comes about, by the first HTTP status.
func refusedAdvice(err string) string {
	status := statusOf.FindStringSubmatch(err)
	switch {
	case status == nil:
		return "check that the address is an MCP endpoint over HTTP"
	case status[1] == "401", status[1] == "403":
		return "send credentials with --header, --token-cmd or --oauth"
	case status[1] == "404", status[1] == "405":
		return "check the path of the address: many servers answer at /mcp"
	case status[1][0] == '5':
		return "look into the log of the server: it failed"
	}
	return "check that the address is an MCP endpoint; send credentials with --header, --token-cmd or --oauth"
}

// statusOf matches the status of a refusal.
var statusOf = regexp.MustCompile(`HTTP (\d{3})`)

// judgeable reports whether anything on the other side can be judged, and
// concludes why not. An MCP server that is no adapter deserves one sentence, not
// forty failures.
func (s *Session) judgeable(f *model.Adapter) bool {
	if f.SpeaksAQL() {
		return true
	}
	seen := slices.Collect(s.engine.Record().All())
	if lost, ok := unanswered(seen); ok {
		s.run.Conclusion = s.withoutSecrets(fmt.Sprintf("the adapter did not answer %s: %s", asked(lost.Probe), lost.Brief()))
		s.quote("stderr ends with:", lastLines(s.withoutSecrets(s.engine.Stderr("main")), shownStderr))
		s.run.Detail = append(s.run.Detail, "next: allow more time for each call with --timeout")
		return false
	}
	introspect := slices.IndexFunc(seen, func(o probes.Observation) bool { return o.Probe.Operation() == "introspect" })
	next := `next: make one tool answer {"operation":"introspect","params":{"query":"operations"}}; see section 7 of the specification`
	list := slices.IndexFunc(seen, func(o probes.Observation) bool { return o.Probe.Method == "tools/list" })
	switch {
	case len(f.Tools) > 0 && introspect < 0:
		s.run.Conclusion = fmt.Sprintf("not an MCP-AQL adapter: none of its %s takes a parameter operation", counted(len(f.Tools), "tool"))
		next = `next: add a tool, such as mcp_aql, that takes {"operation": NAME, "params": {...}} and answers the operation introspect; see section 7 of the specification`
	case len(f.Tools) > 0:
		s.run.Conclusion = fmt.Sprintf("not an MCP-AQL adapter: none of its %s answers introspect", counted(len(f.Tools), "tool"))
		if len(f.Tools) == 1 {
			s.run.Conclusion = "not an MCP-AQL adapter: its tool does not answer introspect"
		}
	case list >= 0 && seen[list].RefusedBelow():
		s.run.Conclusion = "not an MCP-AQL adapter: tools/list is answered with " + seen[list].Brief()
		next = "next: let tools/list succeed for a new client; a server may need a restart, or a session for each client"
	default:
		s.run.Conclusion = "not an MCP-AQL adapter: it lists no tools (AQL-2.1-01)"
	}
	s.run.Conclusion = s.withoutSecrets(s.run.Conclusion)
	if len(f.Tools) > 0 {
		s.run.Detail = append(s.run.Detail, "tools: "+firstTools(f.Tools))
		if i := slices.IndexFunc(seen, func(o probes.Observation) bool { return o.Probe.Method == "" && o.Outcome == probes.Unasked }); i >= 0 {
			s.run.Detail = append(s.run.Detail, s.withoutSecrets("not asked: "+seen[i].Exit))
		}
	}
	if introspect >= 0 {
		o := seen[introspect]
		s.run.Detail = append(s.run.Detail, "sent  "+o.Probe.Tool+" "+string(o.Probe.Arguments()), "got   "+s.withoutSecrets(beginning(o)),
			`want  {"success":true,"data":{"operations":[...]}}`, "see   aql-conform explain AQL-7.2-04")
	}
	s.run.Detail = append(s.run.Detail, next)
	return false
}

// beginning is the text of an answer, as far as one line shows it.
func beginning(o probes.Observation) string {
	text := o.Result().At("content", "0", "text").Text()
	if text == "" {
		text = o.Brief()
	}
	return string([]rune(text)[:min(shownAnswer, len([]rune(text)))])
}

// unanswered returns a question that got no answer and so leaves open whether
// this is an adapter: tools/list, or introspect where no tool answered it in any
// way. A slow tool among others that know no introspect leaves nothing open, and so
// does one that is not asked because its name promises an effect.
func unanswered(seen []probes.Observation) (lost probes.Observation, found bool) {
	answers := 0
	for _, o := range seen {
		switch {
		case o.Outcome == probes.Unasked && !o.Beyond():
		case !o.Lost():
			if o.Probe.Method == "" {
				answers++
			}
		case o.Probe.Method != "":
			return o, true
		case !found:
			lost, found = o, true
		}
	}
	return lost, found && answers == 0
}

// asked names a question in a sentence.
func asked(p probes.Probe) string {
	if p.Method != "" {
		return p.Method
	}
	return fmt.Sprintf("%s on %s", p.Operation(), p.Tool)
}

// firstTools names tools until the line is full.
func firstTools(tools []probes.Tool) string {
	list := ""
	for i, t := range tools {
		more := fmt.Sprintf("%s and %d more", list, len(tools)-i)
		next := strings.TrimPrefix(list+", "+t.Name, ", ")
		if i > 0 && len(next)+len(" and 999 more") > shownTools {
			return more
		}
		list = next
	}
	return list
}

// quote adds what the adapter wrote to the detail, secrets hidden.
func (s *Session) quote(heading string, lines []string) {
	if len(lines) == 0 {
		return
	}
	s.run.Detail = append(s.run.Detail, heading)
	for _, l := range lines {
		s.run.Detail = append(s.run.Detail, "> "+s.withoutSecrets(l)) // a runner of workflows obeys what begins a line
	}
}

func lines(text string) []string {
	text = strings.TrimRight(text, " \t\r\n")
	if text == "" {
		return nil
	}
	return strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
}

func firstLines(text string, n int) []string {
	all := lines(text)
	return all[:min(len(all), n)]
}

func lastLines(text string, n int) []string {
	all := lines(text)
	return all[max(0, len(all)-n):]
}

// counted writes "1 tool", "3 tools".
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
