package suites

import (
	"crypto/sha256"
	"fmt"
)

// Introspected is the sha256, in hexadecimal, of what the adapter says of itself: its
// protocol, operations and types, however the answers were laid out.
func (f *Face) Introspected() string {
	h := sha256.New()
	fmt.Fprintln(h, f.Protocol.Canonical(nil))
	for _, o := range f.Operations {
		fmt.Fprintln(h, o.Summary.Canonical(nil), o.Details.Canonical(nil))
	}
	for _, t := range f.Types {
		fmt.Fprintln(h, t.Summary.Canonical(nil), t.Details.Canonical(nil))
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}
