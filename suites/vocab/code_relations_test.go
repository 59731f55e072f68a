package vocab

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"
)

func randomBytes(n int) []byte {
	raw := make([]byte, n)
	_, _ = rand.Read(raw) // never fails
	return raw
}

func codesOf(n int, one func(i int) string) []string {
	var all []string
	for i := range n {
		all = append(all, one(i))
	}
	return all
}

// What a code can carry is read from its letters and its length.
func TestStrengthOfCodes(t *testing.T) {
	for name, c := range map[string]struct {
		one    func(int) string
		enough bool
	}{
		"six digits":        {func(int) string { return fmt.Sprintf("%06d", randomBytes(1)[0]) }, false},
		"32 hex digits":     {func(int) string { return hex.EncodeToString(randomBytes(16)) }, true},
		"hex in groups":     {func(int) string { h := hex.EncodeToString(randomBytes(16)); return h[:8] + "-" + h[8:] }, true},
		"16 hex digits":     {func(int) string { return hex.EncodeToString(randomBytes(8)) }, false},
		"a long fixed word": {func(int) string { return "verification-code-" + hex.EncodeToString(randomBytes(8)) }, false},
		"base32": {func(int) string {
			return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(randomBytes(16))
		}, true},
		"base64":      {func(int) string { return base64.RawURLEncoding.EncodeToString(randomBytes(17)) }, true},
		"zero padded": {func(int) string { return strings.Repeat("0", 58) + hex.EncodeToString(randomBytes(3)) }, false},
	} {
		if bits := Strength(codesOf(20, c.one)); (bits >= WantedBits) != c.enough {
			t.Errorf("%s: %.0f bits", name, bits)
		}
	}
}

// Random codes stand in no relation, whatever they are written in.
func TestRandomCodesAreUnrelated(t *testing.T) {
	now := time.Now().UTC()
	for name, one := range map[string]func() string{
		"hex":    func() string { return hex.EncodeToString(randomBytes(16)) },
		"base32": func() string { return "AQL-" + base32.StdEncoding.EncodeToString(randomBytes(20)) },
		"digits": func() string {
			b := randomBytes(3)
			return fmt.Sprintf("%06d", int(b[0])<<12|int(b[1])<<4|int(b[2])&15)
		},
	} {
		var issues []Issue
		var codes []string
		for i := range 20 {
			id := hex.EncodeToString(randomBytes(16))
			codes = append(codes, one())
			issues = append(issues, Issue{id, codes[i], now.Add(time.Duration(i) * time.Millisecond)})
		}
		if how, found := Derived(issues); found {
			t.Errorf("%s: derived as %s", name, how)
		}
		if CodesInOrder(codes) {
			t.Errorf("%s: in order", name)
		}
		if _, found := RepeatedCode(codes); found {
			t.Errorf("%s: repeated", name)
		}
	}
}

// Codes made of what the agent is told are found out.
func TestDerivedCodesAreFound(t *testing.T) {
	now := time.Now().UTC()
	digest := func(s string) string { d := sha256.Sum256([]byte(s)); return hex.EncodeToString(d[:]) }
	for name, one := range map[string]func(id string, at time.Time) string{
		"sha256 of the id":      func(id string, _ time.Time) string { return digest(id)[:32] },
		"sha256 of the bare id": func(id string, _ time.Time) string { return digest(strings.ReplaceAll(id, "-", "")) },
		"short digest":          func(id string, _ time.Time) string { return strings.ToUpper(digest(id)[:8]) },
		"the id reversed":       func(id string, _ time.Time) string { return backwards(id) },
		"the second":            func(_ string, at time.Time) string { return strconv.FormatInt(at.Unix(), 10) },
		"the second in hex":     func(_ string, at time.Time) string { return strconv.FormatInt(at.Unix(), 16) + "00" },
		"digest of the millisecond": func(_ string, at time.Time) string {
			return digest(strconv.FormatInt(at.Add(-700*time.Millisecond).UnixMilli(), 10))
		},
	} {
		var issues []Issue
		for i := range 20 {
			id, at := fmt.Sprintf("%x-%x", randomBytes(4), randomBytes(4)), now.Add(time.Duration(i)*123*time.Millisecond)
			issues = append(issues, Issue{id, one(id, at), at.Truncate(time.Second)})
		}
		if _, found := Derived(issues); !found {
			t.Errorf("%s: not found", name)
		}
	}
}

// Codes that count up or tell the time are in order; a random part after the order
// is what is left.
func TestOrderOfCodes(t *testing.T) {
	if !CodesInOrder(codesOf(20, func(i int) string { return strconv.Itoa(95 + i) })) {
		t.Error("a counter is not in order")
	}
	if CodesInOrder(codesOf(9, func(i int) string { return strconv.Itoa(i) })) {
		t.Error("nine in order are no proof")
	}
	led := codesOf(20, func(i int) string { return fmt.Sprintf("%08x", 1000+i) + hex.EncodeToString(randomBytes(16)) })
	if !CodesInOrder(led) {
		t.Fatal("codes led by a counter are not in order")
	}
	if bits := Strength(BehindOrder(led)); bits < WantedBits {
		t.Errorf("%.0f bits behind the counter", bits)
	}
	if rest := BehindOrder(codesOf(20, func(i int) string { return fmt.Sprintf("%04d", 1000+i) })); len(rest) > 0 && Strength(rest) >= WantedBits {
		t.Errorf("a counter leaves %v", rest)
	}
	if _, found := RepeatedCode(append(codesOf(19, func(int) string { return hex.EncodeToString(randomBytes(16)) }), "aa", "aa")); !found {
		t.Error("a repeated code is overlooked")
	}
}
