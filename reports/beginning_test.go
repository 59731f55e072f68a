package reports

import (
	"bytes"
	"strings"
	"testing"
)

// A long frame is kept in part, with the digest of the whole, and what is left of a secret at the
// end of the part is not shown.
func TestShorten(t *testing.T) {
	secret := "s3cr3t-of-the-adapter"
	whole := []byte("x" + strings.Repeat("é", keptBytes/2-len(secret)/4) + secret + strings.Repeat("y", keptBytes))
	e := Exchange{Reply: whole, Said: whole, Sent: []byte("short"), ReplySize: len(whole)}
	e.Shorten()
	if cap(e.Reply) > 2*keptBytes || e.ReplySha256 != digestOf(whole) || e.SentSha256 != "" || string(e.Sent) != "short" {
		t.Errorf("kept %d bytes with the digest %q", len(e.Reply), e.ReplySha256)
	}
	e.Mask(func(b []byte) []byte { return bytes.ReplaceAll(b, []byte(secret), []byte("[masked]")) })
	text, _, size, digest := frame(e.Reply, e.ReplySize, e.ReplySha256)
	if strings.Contains(*text+string(e.Said), secret[:1]) || len(*text) != evidenceCap-1 || size != len(whole) || digest != digestOf(whole) {
		t.Errorf("%d bytes of %d, digest %s", len(*text), size, digest)
	}
}
