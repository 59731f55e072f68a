package mcp

import (
	"strings"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
)

func TestUnansweredRequests(t *testing.T) {
	f := checktest.LivenessAdapter()
	watch, _ := checktest.ChecksOf(Checks, "AQL-3.2-03")
	call := func(op string, params map[string]any) probes.Probe { return probes.Call("main", "read", op, params) }
	sent := wire.Frame{Seq: 1, Dir: wire.Sent, Data: []byte(`{}`), Size: 2}
	for _, c := range []struct {
		why   string
		probe probes.Probe
		reply wire.Reply
		want  reports.Verdict
	}{
		{"introspect silent", call("introspect", nil), wire.Reply{Class: wire.Silent, Sent: sent}, reports.Fail},
		{"unknown operation silent", call("aqlx_no", nil), wire.Reply{Class: wire.Silent, Sent: sent}, reports.Fail},
		{"valid request silent", call("get_note", map[string]any{"note_id": "n1"}), wire.Reply{Class: wire.Silent, Sent: sent}, reports.Warn},
		{"slow operation", call("slow_note", nil), wire.Reply{Class: wire.Silent, Sent: sent}, reports.Warn},
		{"faulty request silent once", call("get_note", nil), wire.Reply{Class: wire.Silent, Sent: sent}, reports.NotProven},
		{"exit", call("get_note", nil), wire.Reply{Class: wire.Gone, Sent: sent, Exit: "exit status 3"}, reports.Fail},
		{"gone before it was sent", call("get_note", nil), wire.Reply{Class: wire.Gone, Sent: wire.Frame{Seq: 1, Dir: wire.Event}}, reports.NotApplicable},
		{"no connection", call("get_note", nil), wire.Reply{Class: wire.Gone}, reports.NotApplicable},
		{"exit on an oversized request", call("get_note", nil), wire.Reply{Class: wire.Gone, Sent: wire.Frame{Dir: wire.Sent, Size: 2 << 20}}, reports.NotApplicable},
		{"exit on deep nesting", call("get_note", nil), wire.Reply{Class: wire.Gone, Sent: wire.Frame{Dir: wire.Sent, Data: []byte(strings.Repeat("[", 70))}}, reports.NotApplicable},
		{"refused by HTTP", call("get_note", nil), wire.Reply{Class: wire.Rejected, Sent: sent, Status: 413}, reports.Pass},
	} {
		if got := watch.Ambient.Watch(f, probes.Classify(c.probe, c.reply)).Verdict; got != c.want {
			t.Errorf("%s: got %s, want %s", c.why, got, c.want)
		}
	}
}

// What an earlier request broke, the next did not break.
func TestGoneBefore(t *testing.T) {
	watch, _ := checktest.ChecksOf(Checks, "AQL-3.2-03")
	o := probes.Classify(probes.Call("main", "read", "get_note", nil), wire.Reply{Class: wire.Gone, Sent: wire.Frame{Dir: wire.Sent}, Exit: "EOF"})
	for late, want := range map[bool]reports.Verdict{false: reports.Fail, true: reports.NotApplicable} {
		o.Late = late
		if got := watch.Ambient.Watch(checktest.LivenessAdapter(), o).Verdict; got != want {
			t.Errorf("late %v: got %s, want %s", late, got, want)
		}
	}
}

func TestSecondAnswers(t *testing.T) {
	for note, want := range map[string]reports.Verdict{
		`second answer to id "aql-7"`:               reports.Fail,
		`answer to unknown id 7`:                    reports.NotApplicable,
		"trailing data after a message on one line": reports.NotApplicable,
		"unreadable line":                           reports.NotApplicable,
	} {
		if got := secondAnswers(nil, []wire.Frame{{Note: note}}).Verdict; got != want {
			t.Errorf("%s: got %s, want %s", note, got, want)
		}
	}
}

// A faulty request counts as unanswered when it was sent twice in vain.
func TestFaultyRequestIsSentTwice(t *testing.T) {
	f := checktest.LivenessAdapter()
	_, drive := checktest.ChecksOf(Checks, "AQL-3.2-03")
	s := model.Subject{Adapter: f, Name: "get_note", Op: f.Operations[0]}
	for silences, want := range []reports.Verdict{reports.Pass, reports.NotProven, reports.Fail} {
		var got probes.Answers
		left := silences
		drive.Drive(s, func(p probes.Probe) probes.Observation {
			o := probes.Observation{Probe: p, Outcome: probes.Failure}
			if left > 0 {
				left, o.Outcome = left-1, probes.Silent
			}
			got = append(got, o)
			return o
		})
		if r := drive.Judge(s, got); r.Verdict != want {
			t.Errorf("%d silences: got %s, want %s", silences, r.Verdict, want)
		}
		if want := []int{5, 6, 2}[silences]; len(got) != want {
			t.Errorf("%d silences: %d requests, want %d", silences, len(got), want)
		}
	}
}

func TestServedAfterRefusals(t *testing.T) {
	f := checktest.LivenessAdapter()
	before := probes.Observation{Outcome: probes.Success, Elapsed: time.Millisecond}
	list := probes.Call("main", "read", "introspect", nil)
	for _, c := range []struct {
		why     string
		o, next probes.Observation
		want    reports.Verdict
	}{
		{"works", probes.Observation{Probe: list, Outcome: probes.Success}, probes.Observation{}, reports.Pass},
		{"silent", probes.Observation{Probe: list, Outcome: probes.Silent}, probes.Observation{}, reports.Fail},
		{"refused", probes.Observation{Probe: list, Outcome: probes.Failure}, probes.Observation{}, reports.Fail},
		{"rate limit", probes.Observation{Probe: list, Outcome: probes.HTTPReject, Status: 429}, probes.Observation{}, reports.NotProven},
		{"slow", probes.Observation{Probe: list, Outcome: probes.Success, Elapsed: 3 * time.Second}, probes.Observation{}, reports.Warn},
		{"expired session", probes.Observation{Probe: list, Outcome: probes.HTTPReject, Status: 404},
			probes.Observation{Probe: list.Over("main/again"), Outcome: probes.Success}, reports.Pass},
		{"another state", probes.Observation{Probe: f.KnownGood["get_note"].Probe, Outcome: probes.Failure}, probes.Observation{}, reports.Pass},
	} {
		if got := stillServed(f, before, c.o, c.next).Verdict; got != c.want {
			t.Errorf("%s: got %s, want %s", c.why, got, c.want)
		}
	}
}

func TestSessionMember(t *testing.T) {
	for protocol, want := range map[string]string{
		`{"session_id":"s1"}`:               "session_id clear",
		`{"sessionId":7}`:                   "sessionId clear",
		`{"session":{"id":"s1"}}`:           "session.id",
		`{"session_key":"k"}`:               "session_key",
		`{"session_timeout":30}`:            "",
		`{"max_sessions":3,"session":"x"}`:  "",
		`{"session_id":null}`:               "",
		`{"capabilities":{"session":true}}`: "",
	} {
		v, _ := probes.ParseValue([]byte(protocol))
		way, clear := check.SessionMember(v)
		got := strings.Join(way, ".")
		if clear {
			got += " clear"
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", protocol, got, want)
		}
	}
}
