package probes

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// answering is the answer of an adapter that takes a request, or wants a rest.
func answering(rest time.Duration) Observation {
	said := `{"success":true,"data":{}}`
	if rest > 0 {
		said = fmt.Sprintf(`{"success":false,"error":{"code":"RATE_LIMIT_EXCEEDED","message":"later","details":{"retry_after_seconds":%f}}}`, rest.Seconds())
	}
	return Classify(Call("page", "notes_read", "list_notes", nil), wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":` + said + `}}`)}})
}

// An adapter is asked about as often as it takes requests, also after a time in which the
// run asked seldom, and few requests are refused.
func TestPaceOfAnAdapter(t *testing.T) {
	const window = 10 * time.Second
	inWindow, began := 0, time.Time{}
	tokens, filled := 30.0, time.Time{}
	for name, c := range map[string]struct {
		rest          func(number int) time.Duration // zero: it takes the request
		least, refuse float64                        // answers in a second; share of the requests
	}{
		"one of 41 is refused": {func(n int) time.Duration {
			if n%41 == 0 {
				return 10 * time.Millisecond
			}
			return 0
		}, 250, 0.03},
		"one of 41 is refused, for a quarter of a second": {func(n int) time.Duration {
			if n%41 == 0 {
				return 250 * time.Millisecond
			}
			return 0
		}, 50, 0.03},
		"30 in a second, with room for 30": {func(n int) time.Duration {
			if n > 1 {
				tokens = min(30, tokens+30*time.Since(filled).Seconds())
			}
			if filled = time.Now(); tokens < 1 {
				return 200 * time.Millisecond
			}
			tokens--
			return 0
		}, 25, 0.02},
		"300 in each ten seconds": {func(int) time.Duration {
			if time.Since(began) >= window {
				inWindow, began = 0, time.Now()
			}
			if inWindow++; inWindow > 300 {
				return time.Until(began.Add(window))
			}
			return 0
		}, 27, 0.005},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var p pace
				sent, refused := 0, 0
				ask := func(took time.Duration) {
					p.ask(t.Context(), func() Observation {
						if err := p.turn(t.Context(), false); err != nil {
							t.Fatal(err)
						}
						time.Sleep(took)
						sent++
						rest := c.rest(sent)
						if rest > 0 {
							refused++
						}
						return answering(rest)
					})
				}
				for range 200 {
					ask(50 * time.Millisecond)
				}
				const asked = 5000
				from := time.Now()
				for range asked {
					ask(time.Millisecond)
				}
				perSecond, share := asked/time.Since(from).Seconds(), float64(refused)/float64(sent)
				if perSecond < c.least || share > c.refuse {
					t.Errorf("%.0f answers in a second, want %.0f; %.4f refused, want %.4f at most; waited %v", perSecond, c.least, share, c.refuse, p.waited)
				}
			})
		})
	}
}
