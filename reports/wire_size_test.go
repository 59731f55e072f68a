package reports

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// A recorder keeps the beginning of a long message. Every report says how long it was on the wire.
func TestEvidenceTellsTheSizeOnTheWire(t *testing.T) {
	e := Exchange{Sent: bytes.Repeat([]byte("a"), 100_000), SentSize: 11_010_049, Reply: []byte("{}")}
	f := Finding{Requirement: "C-1", Verdict: Fail, Evidence: []Exchange{e}}
	_, _, size, _ := frame(e.Sent, e.SentSize, "")
	lines := strings.Join(slices.Concat(told(f, Requirement{}), []string{cut(e.Sent, e.SentSize, 1000), readable(e.Sent, e.SentSize)}), "\n")
	if n := strings.Count(lines, "11010049 bytes"); n != 3 || strings.Contains(lines, "100000 bytes") || size != 11_010_049 {
		t.Errorf("%d times the size on the wire, %d in JSON", n, size)
	}
}
