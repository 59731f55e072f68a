package suites

import (
	"fmt"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
)

// followed is a frame with a request behind it, where frames are lines: a server
// that drops the frame answers the request, so that nobody waits for silence.
// Over HTTP each message is a body of its own and gets its own response.
func (b *bench) followed(frame string) probes.Probe {
	if !b.remote() {
		frame += "\n" + string(b.request(fmt.Sprintf(`"%s-%d"`, behind, take(frame)), "tools/list", "").Frame)
	}
	return b.thrown("tools/list", []byte(frame))
}

// behind begins the ids of such requests; each has its own, because answers may
// overtake each other.
const behind = "aqlx-next"

func answersBehind(o probes.Observation) bool {
	answer, _ := probes.ParseValue(o.ReceivedData())
	return strings.HasPrefix(answer.At("id").Text(), behind)
}

// dropped reports whether the answer is that of the request behind the frame.
func dropped(o probes.Observation) bool {
	return o.Outcome == probes.Silent || answersBehind(o)
}

// brokenFrame rules on a frame that is no request, by the code it should get.
func brokenFrame(t trial, code string) Ruling {
	want := "JSON-RPC error " + code
	alive := t.survived()
	switch {
	case alive.verdict != reports.Pass:
		return alive
	case dropped(t.o):
		return Departs(want, "no answer").Noting("dropped in silence, as many servers do").By(t.o)
	case rpcCode(t.o) == code:
		return Conforms().By(t.o, t.next)
	}
	return Departs(want, t.o)
}

// Section mcp/Error Code Guidelines. One broken line must not cost the session:
// what is not JSON belongs to nobody, and everybody else is still there.
var _ = register(Check{
	Requirement: "MCP-RPC-05",
	On:          onMain,
	Lane:        probes.Exclusive,
	Losses:      true,
	Drive: func(s Subject, ask Asking) {
		b := s.bench("frames", ask)
		b.try("broken JSON", b.followed(`{"jsonrpc":"2.0","id":7,"method":`))
	},
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		return brokenFrame(tried(got, "broken JSON"), "-32700")
	},
	Fix: "answer what is not JSON with -32700 and read on",
})

// Section mcp/Error Code Guidelines. JSON that asks nothing is still somebody's
// message; who sent it learns by the code what is missing.
var _ = register(Check{
	Requirement: "MCP-RPC-06",
	On:          onMain,
	Lane:        probes.Exclusive,
	Losses:      true,
	Drive: func(s Subject, ask Asking) {
		b := s.bench("frames", ask)
		b.try("no jsonrpc", b.thrown("tools/list", []byte(strings.Replace(string(b.request(`"aqlx-bare"`, "tools/list", "").Frame), `"jsonrpc":"2.0",`, "", 1))))
		b.try("no method", b.followed(`{"jsonrpc":"2.0","id":"aqlx-idle","params":{}}`))
	},
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		return Worst(brokenFrame(tried(got, "no method"), "-32600"), brokenFrame(tried(got, "no jsonrpc"), "-32600"))
	},
	Fix: "answer objects without jsonrpc or method with -32600 and read on",
})

// Section mcp/List Changed Notifications. Nobody waits for the answer to a
// notification, so whoever reads it takes it for the answer to something else.
var _ = register(Check{
	Requirement: "MCP-RPC-08",
	On:          onMain,
	Lane:        probes.Exclusive,
	Losses:      true,
	Drive: func(s Subject, ask Asking) {
		b := s.bench("ids", ask)
		b.try("notification", b.followed(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"aqlx-none","reason":"never sent"}}`))
	},
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		const want = "no answer to a notification"
		t := tried(got, "notification")
		switch o := t.o; {
		case !t.asked(), o.Outcome == probes.Gone, o.Outcome == probes.Garbled:
			return NotProven("a session that takes a notification", o)
		case o.Outcome == probes.HTTPReject && o.Status < 300, answersBehind(o):
			return Conforms().By(o)
		case o.Status >= 400:
			return Departs(want, o)
		case o.Outcome == probes.Silent:
			return NotProven("an answer to the request behind the notification", o)
		}
		return Violates(want, "an answer").By(t.o)
	},
	Fix: "answer only what has an id",
})
