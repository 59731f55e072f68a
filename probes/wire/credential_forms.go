package wire

import (
	"bytes"
	"strings"
)

// A credentialForm is how the credentials of one issuer begin and go on. The facts are those that
// secret scanners go by.
type credentialForm struct {
	label    string          // what all of them begin with
	within   func(byte) bool // what they go on with
	least    int             // bytes behind the label
	doubtful bool            // the label is a word too: a digit has to follow
	open     bool            // the label is no part of the credential
}

// credentialForms, by the first byte of the label.
var credentialForms = func() (forms [256][]credentialForm) {
	add := func(within func(byte) bool, least int, doubtful, open bool, labels ...string) {
		for _, l := range labels {
			forms[l[0]] = append(forms[l[0]], credentialForm{l, within, least, doubtful, open})
		}
	}
	add(wordByte, 20, false, false, "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "npm_", "hf_", "rubygems_", "glsa_", "dckr_pat_", "pscale_tkn_", "lin_api_", "figd_", "ntn_", "ATATT3x", "sntrys_")
	add(wordByte, 10, false, false, "sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_", "sbp_", "squ_", "sqp_", "sqa_", "shpat_", "shpss_", "shpca_", "shppa_", "dop_v1_", "doo_v1_", "dor_v1_")
	add(dashedByte, 16, false, false, "glpat-", "gldt-", "glrt-", "glptt-", "glcbt-", "GOCSPX-", "PMAK-", "NRAK-", "xkeysib-", "sq0atp-", "sq0csp-", "dp.pt.", "pypi-AgE", "ya29.", "hvs.", "hvb.", "hvr.")
	add(dashedByte, 10, true, false, "xoxa-", "xoxb-", "xoxe-", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xapp-")
	add(dashedByte, 30, false, false, "AIza")
	add(dashedByte, 20, true, false, "sk-", "dapi")
	add(upperByte, 12, true, false, "AKIA", "ASIA", "ABIA", "ACCA")
	add(upperByte, 40, false, false, "AGE-SECRET-KEY-1")
	add(dottedByte, 40, true, false, "SG.")
	add(pathByte, 16, true, true, "https://hooks.slack.com/services/", "https://hooks.slack.com/workflows/", "https://discord.com/api/webhooks/", "https://discordapp.com/api/webhooks/", "https://api.telegram.org/bot")
	add(codedByte, 8, true, true, "Bearer ", "bearer ", "BEARER ", "Basic ", "basic ", "Bot ")
	return forms
}()

func wordByte(b byte) bool   { return alphanumeric(b) || b == '_' }
func dashedByte(b byte) bool { return wordByte(b) || b == '-' }
func dottedByte(b byte) bool { return dashedByte(b) || b == '.' }
func pathByte(b byte) bool   { return dashedByte(b) || b == '/' || b == ':' }
func codedByte(b byte) bool  { return dottedByte(b) || b == '+' || b == '/' || b == '=' || b == '~' }
func upperByte(b byte) bool  { return b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' }

// labelOf is the label of a credential, which its pseudonym keeps.
func labelOf(text string) string {
	if text == "" {
		return ""
	}
	for _, f := range credentialForms[text[0]] {
		if !f.open && strings.HasPrefix(text, f.label) {
			return f.label
		}
	}
	return ""
}

// formedAt returns where the credential is that begins with the i-th byte by its form.
func formedAt(b []byte, i int) (from, to int, ok bool) {
	for _, f := range credentialForms[b[i]] {
		if !bytes.HasPrefix(b[i:], []byte(f.label)) {
			continue
		}
		from, to = i+len(f.label), i+len(f.label)
		for to < len(b) && f.within(b[to]) {
			to++
		}
		for to > from && (b[to-1] == '.' || b[to-1] == '-' || b[to-1] == ':') { // of the sentence
			to--
		}
		if to-from < f.least || f.doubtful && !bytes.ContainsAny(b[from:to], allDigits) {
			continue
		}
		if !f.open {
			from = i
		}
		return from, to, true
	}
	return signedAt(b, i)
}

// signedAt is formedAt for signed tokens: three parts, of which the first is a JSON object.
func signedAt(b []byte, i int) (from, to int, ok bool) {
	const least = 20
	if !bytes.HasPrefix(b[i:], []byte("eyJ")) {
		return 0, 0, false
	}
	for to = i; to < len(b) && dottedByte(b[to]); {
		to++
	}
	return i, to, to-i >= least && bytes.Count(b[i:to], []byte(".")) >= 2
}

// A nameKind says how sure a name is that a secret stands behind it.
type nameKind int

const (
	plainName    nameKind = iota
	secretName            // whatever stands there
	doubtfulName          // what looks drawn by chance
	codeName              // what has a digit
	phraseName            // words too
	cookieName            // the values in it
)

// Names whose last word says it alone, and those whose last two words do.
var (
	loneNames = map[string]nameKind{
		"password": secretName, "passwd": secretName, "pwd": secretName, "passcode": secretName, "secret": secretName, "apikey": secretName, "apitoken": secretName,
		"accesstoken": secretName, "credential": secretName, "credentials": secretName, "authorization": doubtfulName, "token": doubtfulName, "jwt": doubtfulName,
		"otp": codeName, "totp": codeName, "hotp": codeName, "pin": codeName, "passphrase": phraseName, "cookie": cookieName, "pass": doubtfulName, "signature": doubtfulName, "sig": doubtfulName,
	}
	keyOwners   = words("api access secret private signing encryption master shared account auth session license ssh consumer service storage hmac webhook client")
	tokenOwners = words("access refresh id auth session bearer api bot oauth csrf xsrf reset invite security service deploy personal user admin signin login device registration verification")
	openTokens  = words("page next prev previous continuation sync cursor progress confirmation confirm max min start end first last stop type count total input output prompt completion used")
	codeOwners  = words("challenge verification time mfa 2fa factor recovery backup security auth authorization login pin otp unlock activation sms totp")
	codePlurals = words("codes passwords secrets tokens keys")
)

func words(list string) map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(list) {
		all[w] = true
	}
	return all
}

// kindOfName says what a name tells of the value behind it.
func kindOfName(name []byte) nameKind {
	last, before := lastWords(name)
	if codePlurals[last] {
		last = strings.TrimSuffix(last, "s")
	}
	switch last {
	case "token":
		switch {
		case tokenOwners[before]:
			return secretName
		case openTokens[before]:
			return plainName
		}
		return doubtfulName
	case "key":
		if keyOwners[before] {
			return secretName
		}
		return plainName
	case "code":
		if codeOwners[before] {
			return codeName
		}
		return plainName
	}
	return loneNames[last]
}

// lastWords are the last two words of a name in any common style, in lower case.
func lastWords(name []byte) (last, before string) {
	var all [2]string
	word := []byte{}
	flush := func() {
		if len(word) > 0 {
			all[0], all[1], word = all[1], strings.ToLower(string(word)), word[:0]
		}
	}
	for i, c := range name {
		upper := c >= 'A' && c <= 'Z'
		follows := i > 0 && (name[i-1] >= 'a' && name[i-1] <= 'z' || name[i-1] >= '0' && name[i-1] <= '9')
		if upper && follows || !alphanumeric(c) {
			flush()
		}
		if alphanumeric(c) {
			word = append(word, c)
		}
	}
	flush()
	return all[1], all[0]
}
