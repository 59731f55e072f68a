package concurrency

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// inTime are updates in a step that succeed, sent and answered at these places of the record.
func inTime(step string, places ...[2]int) []probes.Observation {
	var all []probes.Observation
	for i, at := range places {
		o := checktest.AnswerWithData(probes.Call("main", "mcp_aql", "update_note", nil).Anew(probes.Nth(step, i)), nil)
		o.Sent.Seq, o.Received.Seq = at[0], at[1]
		all = append(all, o)
	}
	return all
}

// What came one by one shows nothing of what comes at once.
func TestOnlyRequestsInFlightProveConcurrency(t *testing.T) {
	const step = "parallel keys: update in flight"
	apart, crossed := inTime(step, [2]int{1, 2}, [2]int{3, 4}, [2]int{5, 6}), inTime(step, [2]int{2, 6}, [2]int{1, 3}, [2]int{4, 5})
	if overlapping(apart) || overlapping(apart[:1]) || overlapping(nil) || !overlapping(crossed) {
		t.Errorf("overlapping: apart %v, alone %v, crossed %v", overlapping(apart), overlapping(apart[:1]), overlapping(crossed))
	}
	kept := probes.ValueOf(map[string]any{"start": 1, "calm": 1, "k0": 0, "k1": 1, "k2": 2})
	conflict := inTime(step, [2]int{1, 4}, [2]int{2, 5}, [2]int{3, 6})
	for i := range conflict {
		conflict[i] = checktest.AnswerWithEnvelope(t, conflict[i].Probe, `{"success":false,"error":{"code":"CONFLICT_VERSION_MISMATCH","message":"stale"}}`)
		conflict[i].Sent.Seq, conflict[i].Received.Seq = 1+i, 4+i
	}
	for name, c := range map[string]struct {
		got  ruling.Ruling
		want reports.Verdict
	}{
		"keys of updates at once":    {keptKeys(kept, crossed), reports.Pass},
		"keys of updates in turn":    {keptKeys(kept, apart), reports.NotProven},
		"a key lost":                 {keptKeys(probes.ValueOf(map[string]any{"k0": 0, "k2": 2}), crossed), reports.Fail},
		"nothing but conflicts":      {keptKeys(kept, conflict), reports.NotProven},
		"a race that is none":        {raceRuling(oneWinner(t, [2]int{1, 2}, [2]int{3, 4})), reports.NotProven},
		"a race with one winner":     {raceRuling(oneWinner(t, [2]int{1, 3}, [2]int{2, 4})), reports.Pass},
		"a race with two winners":    {raceRuling(race([2]int{2, 6}, [2]int{1, 3})), reports.Fail},
		"two winners though in turn": {raceRuling(race([2]int{1, 2}, [2]int{3, 4})), reports.Fail},
	} {
		if c.got.Verdict != c.want {
			t.Errorf("%s: ruled %s (want %s, got %s), want %s", name, c.got.Verdict, c.got.Want, c.got.Got, c.want)
		}
	}
}

// race is one round of two updates that win.
func race(first, second [2]int) []probes.Observation {
	return inTime(racingRound(0)+": update", first, second)
}

// oneWinner is one round of two updates, of which the first wins.
func oneWinner(t *testing.T, first, second [2]int) []probes.Observation {
	t.Helper()
	both := race(first, second)
	both[1] = checktest.AnswerWithEnvelope(t, both[1].Probe, `{"success":false,"error":{"code":"CONFLICT_VERSION_MISMATCH","message":"stale"}}`)
	both[1].Sent.Seq, both[1].Received.Seq = second[0], second[1]
	return both
}

// A description speaks of concurrency when it speaks of requests.
func TestProseAboutConcurrency(t *testing.T) {
	for text, want := range map[string]bool{
		"Requests are serialized.":                                true,
		"All calls to this adapter are serialised per note.":      true,
		"Handles requests one at a time, in order of arrival":     true,
		"Takes one request at a time":                             true,
		"Serializes all writes":                                   true,
		"Up to 8 requests run concurrently":                       true,
		"Concurrent updates of one note are refused":              true,
		"Reads run in parallel with other operations":             true,
		"Returns the note serialized as JSON":                     false,
		"Searches all folders in parallel":                        false,
		"List notes in order of arrival":                          false,
		"Set the number of concurrent viewers of a film":          false,
		"Lists what was planned. Everything is shown in parallel": false,
	} {
		if got := namesConcurrency.MatchString(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
