package wire

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

var veilKey = []byte("a key for tests")

// A pseudonym looks like what it stands for: of the same alphabet, the same where all
// are, and what says its kind is kept.
func TestPseudonyms(t *testing.T) {
	c := newCipher(veilKey)
	for code, shape := range map[string]string{
		"482913":                               `^\d{6}$`,
		"K5QXG43UMVZXIZLSEBQXG43UMVZXIZLS":     `^[A-Z2-7]{32}$`,
		"9f86d081884c7d659a2feaa0c55ad015":     `^[0-9a-f]{32}$`,
		"f47ac10b-58cc-4372-a567-0e02b2c3d479": `^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$`,
		"0110100110010110":                     `^[01]{16}$`,
		"12-ab EF/gz":                          `^\d\d-[a-f]{2} [A-F]{2}/[g-z]{2}$`,
		"sk_live_4eC39HqLyjWDarjt":             `^sk_live_\d[a-f][A-F]\d\d[G-Z][g-z][G-Z][g-z]{2}[G-Z][A-F][a-f][g-z][g-z][g-z]$`,
		"conf_7FA2-kXq91":                      `^conf_\d[A-F][A-F]\d-[g-z][G-Z][g-z]\d\d$`,
		"correct-horse-battery":                `^[a-f][g-z]{3}[a-f][a-f][g-z]-[g-z]{4}[a-f]-`,
		"eyJhbGciOiJI.eyJzdWIiOiIx.c2ln":       `^eyJ\w{9}\.eyJ\w{9}\.\w{4}$`,
	} {
		got := c.pseudonym(code, 0)
		if got == code || !regexp.MustCompile(shape).MatchString(got) || c.pseudonym(code, 0) != got {
			t.Errorf("%s becomes %s, want %s", code, got, shape)
		}
	}
	one, other := c.pseudonym("AB12CD34EF56GH", 4), c.pseudonym("AB12CX34EF57GH", 4)
	if one[:5] != "AB12"+other[4:5] || one[6:11] != other[6:11] || one[:4] != "AB12" {
		t.Errorf("what two codes share is not shared by %s and %s", one, other)
	}
}

// However a secret is written, its pseudonym is written the same way.
func TestVeilKnowsEveryWriting(t *testing.T) {
	v := NewVeil(veilKey, false)
	const code, token = `Kd5-93xQ-72bM-w1`, `confirm:7f3a+19/c2é"0d`
	v.Hide(code, 0)
	v.Hide(token, 0)
	quote := func(s string) string { b, _ := json.Marshal(s); return string(b) }
	writings := map[string]func(string) string{
		"as it is":   func(s string) string { return s },
		"JSON":       quote,
		"JSON twice": func(s string) string { return quote(quote(s)) },
		"upper case": strings.ToUpper,
		"apart":      func(s string) string { return strings.ReplaceAll(s, "-", " ") },
		"together":   func(s string) string { return strings.ReplaceAll(s, "-", "") },
		"in lines":   func(s string) string { return quote(strings.ReplaceAll(s, "-", "\n")) },
		"URL":        url.QueryEscape,
		"hex":        func(s string) string { return hex.EncodeToString([]byte(s)) },
		"HEX":        func(s string) string { return strings.ToUpper(hex.EncodeToString([]byte(s))) },
		"in percents": func(s string) string {
			return "%" + strings.Join(regexp.MustCompile("..").FindAllString(hex.EncodeToString([]byte(s)), -1), "%")
		},
		"bytes": func(s string) string {
			return `{"base64":"` + base64.StdEncoding.EncodeToString([]byte("\xff"+s)) + `"}`
		},
		"escapes": func(s string) string { return `\u004` + hex.EncodeToString([]byte(s[:1]))[1:] + s[1:] },
	}
	for name, written := range writings {
		for _, secret := range []string{code, token} {
			if secret == token && strings.Contains("apart together escapes in lines upper case in percents", name) {
				continue // those of a code alone
			}
			stand := v.stands[secret]
			got := string(v.Over([]byte("x "+written(secret)+" y"), false))
			if want := "x " + written(stand) + " y"; got != want {
				t.Errorf("%s: %q becomes %q, want %q", name, written(secret), got, want)
			}
		}
	}
	stand := v.stands[code]
	if got := string(v.Over([]byte(backwards(code)), false)); got != backwards(stand) {
		t.Errorf("backwards it becomes %q, want %q", got, backwards(stand))
	}
	if got := string(v.Over([]byte(code[:11]), true)); got != stand[:11] {
		t.Errorf("its part becomes %q, want %q", got, stand[:11])
	}
	if got := string(v.Over([]byte(code[:11]), false)); got != code[:11] {
		t.Errorf("what is no code becomes %q", got)
	}
}

// A short code is exchanged where it is a word, and under a narrow veil where it is a
// text of its own; nothing else changes.
func TestVeilSparesChance(t *testing.T) {
	wide, narrow := NewVeil(veilKey, false), NewVeil(veilKey, true)
	for _, v := range []*Veil{wide, narrow} {
		v.Hide("7391", 0)
		v.Hide("true", 0)
		v.Hide("8-15", 0)
	}
	const line = `{"a":"7391","b":17391,"c":true,"d":"is 7391.","e":"{\"f\":\"true\",\"g\":73912}","h":"8-15","i":"815","n": 7391}`
	s, w, p := wide.stands["7391"], wide.stands["true"], wide.stands["8-15"]
	if got, want := string(wide.Over([]byte(line), false)), `{"a":"`+s+`","b":17391,"c":`+w+`,"d":"is `+s+`.","e":"{\"f\":\"`+w+`\",\"g\":73912}","h":"`+p+`","i":"815","n": `+s+`}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := string(narrow.Over([]byte(line), false)), `{"a":"`+s+`","b":17391,"c":true,"d":"is `+s+`.","e":"{\"f\":\"`+w+`\",\"g\":73912}","h":"`+p+`","i":"815","n": 7391}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// What is made of a secret is made of its pseudonym; what has no letters has none.
func TestVeilOfKin(t *testing.T) {
	v := NewVeil(veilKey, false)
	v.Hide("AbCdEfGh12", 0, strings.ToLower, backwards)
	if got := string(v.Over([]byte("abcdefgh12 21hGfEdCbA"), false)); got != strings.ToLower(v.stands["AbCdEfGh12"])+" "+backwards(v.stands["AbCdEfGh12"]) {
		t.Error(got)
	}
	v.Hide("--", 0)
	if len(v.Left()) != 1 || string(v.Over([]byte("--"), false)) != "--" {
		t.Error(v.Left())
	}
}

// A long line is read in stretches. A secret is found wherever they meet, however it is written, also
// behind a long part without letters.
func TestVeilOverLongLines(t *testing.T) {
	v := NewVeil(veilKey, false)
	const code, pin = "Kd5-93xQ-72bM-w1", "4711"
	v.Hide(code, 0)
	v.Hide(pin, 0)
	coded := ""
	for _, b := range []byte(code) {
		coded += `\u00` + hex.EncodeToString([]byte{b})
	}
	for _, filler := range []string{"x", "é", " ", `\n`, "ab ", `\u0041`} {
		for _, written := range []string{code, coded, `"` + pin + `"`} {
			for shift := 0; shift < 2*len(written)+2; shift += 1 + len(written)/6 {
				before := strings.Repeat(filler, (stretch-2*len(written)+shift)/len(filler))
				line := before + " " + written + " " + strings.Repeat(filler, stretch/len(filler)) + " " + written
				got := string(v.Over([]byte(line), false))
				if want := string(v.Over([]byte(" "+written+" "), false)); want == " "+written+" " || strings.Count(got, want) != 1 || strings.Contains(got, written) || len(got) != len(line) || !strings.HasPrefix(got, before) {
					t.Fatalf("%s behind %d bytes of %q: stays", written, len(before), filler)
				}
			}
		}
	}
}

// A long secret, such as a file of keys, is exchanged from its beginning to its end.
func TestVeilOverLongSecret(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{mostOfSecret + 1, 2*mostOfSecret + 5, longestSecret} {
		secret := make([]byte, size)
		for i := range secret {
			secret[i] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/"[r.IntN(64)]
		}
		v := NewVeil(veilKey, false)
		v.Hide(string(secret), 0)
		got := string(v.Over(fmt.Appendf(nil, `{"echo":"%s"}`, secret), true))
		for i := 0; i+24 <= size; i += 8 {
			if strings.Contains(got, string(secret[i:i+24])) {
				t.Fatalf("of %d bytes, those from %d stay", size, i)
			}
		}
	}
}

// What an adapter makes endless is exchanged as far as a secret may reach, in little memory.
func TestVeilOverEndlessSecret(t *testing.T) {
	for _, unit := range []string{"s", "a1b2c3d4e5f6", "é7"} {
		secret := strings.Repeat(unit, 900<<10/len(unit))
		v := NewVeil(veilKey, false)
		v.Hide(secret, 0)
		if got := string(v.Over([]byte(secret), true)); strings.HasPrefix(got, secret[:mostOfSecret/2]) || len(v.cipher.tables) > 8*longestSecret {
			t.Errorf("%.20s stays", secret)
		}
	}
}
