package mcp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// followed is a frame with a request behind it, where frames are lines: a server
// that drops the frame answers the request, so that nobody waits for silence.
// Over HTTP each message is a body of its own and gets its own response.
func followed(b *check.IsolatedSession, frame string) probes.Probe {
	if !b.OverHTTP() {
		frame += "\n" + string(request(b, `"`+idBehind(frame)+`"`, "tools/list", "").Frame)
	}
	return b.RawFrame("tools/list", []byte(frame))
}

// sendFollowed sends such a frame. Where its own answer came first, that of the request behind it may still come.
func sendFollowed(b *check.IsolatedSession, name, frame string) {
	t := b.SendRisky(name, followed(b, frame))
	for i := 0; i < 2 && !b.OverHTTP(); i++ {
		heard := b.Ask(probes.Heard(b.IsolatedConn, probes.Nth(heardAfter+name, i)))
		if answeredBehind(frame, t.Observation, heard) || t.Survived().Verdict != reports.Pass {
			return
		}
		if i == 0 {
			b.Ask(probes.Pause(b.IsolatedConn, b.AnswerTimeout(), "wait for the request behind: "+name))
		}
	}
}

// heardAfter begins the names of the steps that look for the answer to the request behind a frame.
const heardAfter = "heard after: "

func answeredBehind(frame string, answer, heard probes.Observation) bool {
	return answersBehind(answer) || slices.ContainsFunc(heard.Strays(), func(v probes.Value) bool { return v.At("id").Text() == idBehind(frame) })
}

// goesOn rules on the session after such a frame. A server that drops the request behind it works again with the next
// one, but who sent that request waits for ever.
func goesOn(got probes.Answers, name, frame string) ruling.Ruling {
	t := check.RiskyRequestNamed(got, name)
	heard, asked := got.Find(probes.Nth(heardAfter+name, 1)) // the second look alone is after a wait
	if alive := t.Survived(); alive.Verdict != reports.Pass || !asked || answeredBehind(frame, t.Observation, heard) {
		return alive
	}
	return ruling.Violates("an answer to the request on the next line", "none").By(t.Observation, heard)
}

// behind begins the ids of such requests; each has its own, because answers may
// overtake each other.
const behind = "aqlx-next"

func idBehind(frame string) string { return fmt.Sprintf("%s-%d", behind, check.IsolatedNumber(frame)) }

func answersBehind(o probes.Observation) bool {
	answer, _ := probes.ParseValue(o.ReceivedData())
	return strings.HasPrefix(answer.At("id").Text(), behind)
}

// dropped reports whether the answer is that of the request behind the frame.
func dropped(o probes.Observation) bool {
	return o.Outcome == probes.Silent || answersBehind(o)
}

// brokenFrame rules on a frame that is no request, by the code it should get.
func brokenFrame(t check.RiskyRequest, alive ruling.Ruling, code string) ruling.Ruling {
	want := "JSON-RPC error " + code
	switch {
	case alive.Verdict != reports.Pass:
		return alive
	case dropped(t.Observation):
		return ruling.Departs(want, "no answer").Noting("dropped in silence, as many servers do").By(t.Observation)
	case check.RPCCode(t.Observation) == code:
		return ruling.Conforms().By(t.Observation, t.Next)
	}
	return ruling.Departs(want, t.Observation)
}

const noMethod = `{"jsonrpc":"2.0","id":"aqlx-idle","params":{}}`

const brokenJSON = `{"jsonrpc":"2.0","id":7,"method":`

// Section mcp/Error Code Guidelines.
var brokenJsonDoesNotBreakServer = check.Check{
	Requirement: "MCP-RPC-05",
	Rule:        "Text that is not JSON is answered with the parse-error code or ignored without breaking the server.",
	Why:         "A line that is not JSON must not end the session of the other requests.",
	On:          check.MainModeOnly,
	Lane:        probes.Exclusive,
	Handles:     check.Unanswered,
	Drive: func(s model.Subject, ask model.AskFunc) {
		b := check.NewIsolatedSession(s, "frames", ask)
		sendFollowed(b, "broken JSON", brokenJSON)
		for _, frame := range unreadable {
			sendFollowed(b, frame, frame)
		}
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		r := brokenFrame(check.RiskyRequestNamed(got, "broken JSON"), goesOn(got, "broken JSON", brokenJSON), "-32700")
		if r.Verdict == reports.Fail {
			return r
		}
		for _, frame := range unreadable {
			if check.RiskyRequestNamed(got, frame).WasSent() {
				r = ruling.Worst(r, goesOn(got, frame, frame))
			}
		}
		return r
	},
	Fix: "answer what is not JSON with -32700 and read on",
}

// unreadable are no JSON in two other forms: a text, and an object that ends and has a comma too much. Their answers are not judged.
var unreadable = []string{"aqlx is no JSON", `{"jsonrpc":"2.0","id":"aqlx-comma",,"method":"ping"}`}

// noObjects are JSON and no object: a server that looks for a member in one may fall over it. Its answer is not judged.
var noObjects = []string{"42", "null"}

// Section mcp/Error Code Guidelines.
var invalidRequestObjectsAreRefused = check.Check{
	Requirement: "MCP-RPC-06",
	Rule:        "JSON that is not a valid request object is answered with the invalid-request code.",
	Why:         "JSON that is not a request deserves an error as well. Its code tells the sender what is missing.",
	On:          check.MainModeOnly,
	Lane:        probes.Exclusive,
	Handles:     check.Unanswered,
	Drive: func(s model.Subject, ask model.AskFunc) {
		b := check.NewIsolatedSession(s, "frames", ask)
		b.SendRisky("no jsonrpc", b.RawFrame("tools/list", []byte(strings.Replace(string(request(b, `"aqlx-bare"`, "tools/list", "").Frame), `"jsonrpc":"2.0",`, "", 1))))
		sendFollowed(b, "no method", noMethod)
		sendFollowed(b, "broken JSON", brokenJSON)
		for _, frame := range noObjects {
			sendFollowed(b, frame, frame)
		}
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		bare := check.RiskyRequestNamed(got, "no jsonrpc")
		rs := []ruling.Ruling{brokenFrame(check.RiskyRequestNamed(got, "no method"), goesOn(got, "no method", noMethod), "-32600"), brokenFrame(bare, bare.Survived(), "-32600")}
		for _, frame := range noObjects {
			switch t := check.RiskyRequestNamed(got, frame); {
			case !t.WasSent():
			case goesOn(got, "broken JSON", brokenJSON).Verdict == reports.Fail: // such a reader falls over whatever it cannot read
				rs = append(rs, ruling.NotProven("a session that outlives broken JSON", t.Observation).Because("MCP-RPC-05"))
			default:
				rs = append(rs, goesOn(got, frame, frame))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "answer objects without jsonrpc or method with -32600 and read on",
}
