package generate

import (
	"regexp"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
)

// The mark stands inside of a text of a pattern where there is room for it, and nowhere else.
func TestMarkStandsInsideOfAPattern(t *testing.T) {
	g := &Generator{Adapter: &probes.Adapter{}, Nonce: "k3f9x2ab"}
	for _, c := range []struct {
		pattern string
		most    int
		want    bool
	}{
		{`^[A-Z][a-z]+ [a-z]+( .+)?$`, 80, true},
		{`^[A-Z]{2}-.+$`, 40, true},
		{`^[a-z0-9/-]+\\.txt$`, 60, true},
		{`^[A-Z][a-z]+ [a-z]+( .+)?$`, 20, false}, // no room
		{`^[A-Z]{2}-[0-9]{3}$`, 80, false},
		{`^[^@ ]+@[^@ ]+$`, 80, false}, // somebody may have the address
		{`^https?://.+$`, 80, false},
	} {
		record := probes.ValueOf(map[string]any{"name": "taxon", "type": "string", "pattern": strings.ReplaceAll(c.pattern, `\\`, `\`), "maxLength": c.most})
		p := probes.Parameter{Name: "taxon", Type: "string", Raw: record}
		before, behind, ok := g.Around(p)
		if ok != c.want {
			t.Errorf("%s of %d: %v, want %v", c.pattern, c.most, ok, c.want)
		}
		for _, number := range []string{"", "-7", "-12345"} {
			text := before + g.Marker(number) + behind
			if ok && (len(text) > c.most || !regexp.MustCompile(record.At("pattern").Text()).MatchString(text)) {
				t.Errorf("%s: %q does not fit", c.pattern, text)
			}
		}
	}
}

// The letters of the run stand in a text of a pattern that has no room for the mark.
func TestLettersStandInsideOfAPattern(t *testing.T) {
	g := &Generator{Adapter: &probes.Adapter{}, Nonce: "k3f9x2ab"}
	for pattern, want := range map[string]bool{
		`^ssh-ed25519 [A-Za-z0-9+/]{20,400}={0,2}( \S.*)?$`: true,
		`^[a-z0-9]{8,64}$`: true,
		`^[0-9]{6}$`:       false,
		`^[A-Z]{2}-.{4}$`:  false, // no room
	} {
		p := probes.Parameter{Name: "public_key", Type: "string", Raw: probes.ValueOf(map[string]any{"type": "string", "pattern": pattern, "maxLength": 500})}
		v, ok := g.Lettered(p)
		if ok != want || ok && (Misfit(g.Adapter, p, v) != "" || !strings.Contains(v.Text(), g.Nonce)) {
			t.Errorf("%s: %s, %v", pattern, v, ok)
		}
	}
}

// A short text has room for the letters of the run and two more. Upper case will do where nothing else is allowed.
func TestLettersFitShortTexts(t *testing.T) {
	g := &Generator{Adapter: &probes.Adapter{}, Nonce: "k3f9x2ab"}
	for _, c := range []struct {
		pattern string
		most    int
		want    bool
	}{
		{"", 12, true}, {"", 10, true}, {"", 9, false}, {`^[A-Za-z0-9 ]+$`, 12, true}, {`^[A-Z0-9]{1,12}$`, 12, true}, {`^[a-z]+$`, 12, false},
	} {
		record := map[string]any{"type": "string", "maxLength": c.most}
		if c.pattern != "" {
			record["pattern"] = c.pattern
		}
		p := probes.Parameter{Name: "label", Type: "string", Raw: probes.ValueOf(record)}
		v, ok := g.Lettered(p)
		if ok != c.want || ok && (Misfit(g.Adapter, p, v) != "" || !strings.Contains(strings.ToLower(v.Text()), g.Nonce) || len(v.Text()) > c.most-leastShort) {
			t.Errorf("%s of %d: %s, %v", c.pattern, c.most, v, ok)
		}
	}
	for i, n := range Short(4711) {
		if len(n) != mostShort-i {
			t.Errorf("short numbers %q", Short(4711))
		}
	}
}
