package wire

import (
	"bytes"
	"regexp"
)

// ofRuns begins the texts that a run makes up: they are no secrets of the adapter, and verdicts rest on them.
var ofRuns = []byte("aqlc-")

// believable reports whether what stands behind a name of some kind is a secret: names of fields
// stand before messages about them too.
func believable(value []byte, kind nameKind) bool {
	const longest = 4 << 10
	if len(value) < 4 || len(value) > longest || placeholder(value) || bytes.HasPrefix(value, ofRuns) {
		return false
	}
	digits := bytes.ContainsAny(value, allDigits)
	blank := bytes.ContainsAny(value, " \t\n")
	switch kind {
	case codeName:
		return digits && len(value) <= 64 && !blank
	case doubtfulName:
		return drawnByChance(value)
	case phraseName:
		return true
	}
	return !blank && (digits || mixed(value) || len(value) >= 12 && !bytes.ContainsAny(value, "_"))
}

// drawnByChance reports whether a text looks like no word: it is long, and has letters and digits
// in one word.
func drawnByChance(value []byte) bool {
	const least = 8
	if len(value) < least || placeholder(value) || bytes.ContainsAny(value, " \t\n") {
		return false
	}
	letters := bytes.ContainsFunc(value, func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' })
	return letters && bytes.ContainsAny(value, allDigits) || len(value) >= 16 && mixed(value)
}

// mixed reports whether upper and lower case are mixed as in no name.
func mixed(value []byte) bool {
	changes := 0
	for i := 1; i < len(value); i++ {
		before, now := value[i-1], value[i]
		if before >= 'A' && before <= 'Z' && now >= 'a' && now <= 'z' || before >= 'a' && before <= 'z' && now >= 'A' && now <= 'Z' {
			changes++
		}
	}
	return changes > 3 && changes*4 > len(value)
}

// placeholder reports whether a value says that there is none to be seen, or is one of ours.
func placeholder(value []byte) bool {
	for _, sign := range []string{"aqlx", "[masked]", "***", "…", "...", "${", "{{", "xxxx", "XXXX", "REDACTED", "redacted"} {
		if bytes.Contains(value, []byte(sign)) {
			return true
		}
	}
	return value[0] == '$' || value[0] == '<'
}

// valued is the value of a name, where it is a secret; of a cookie, its values.
func valued(b []byte, from, to int, kind nameKind, within int) []credential {
	if kind != cookieName {
		if !believable(b[from:to], kind) {
			return nil
		}
		return []credential{{from: from, to: to, within: within}}
	}
	var all []credential
	for at := from; at < to; {
		end := to
		if n := bytes.IndexByte(b[at:to], ';'); n >= 0 {
			end = at + n
		}
		if n := bytes.IndexByte(b[at:end], '='); n >= 0 && drawnByChance(b[at+n+1:end]) {
			all = append(all, credential{from: at + n + 1, to: end, within: within})
		}
		at = end + 1
	}
	return all
}

// listedAt returns the secrets of a list: its texts, and those in its objects, but for what describes a secret.
func listedAt(b []byte, at int, kind nameKind, quote byte, depth int) []credential {
	const longest = 4 << 10
	var all []credential
	objects, name := 0, ""
	for i := at + 1; i < len(b) && i < at+longest && (b[i] != ']' || objects > 0); i++ {
		switch from, to, ok := quotedAt(b, i); {
		case b[i] == '{':
			objects++
		case b[i] == '}':
			objects--
		case !ok:
		default:
			i = to + depth
			behind := bytes.TrimLeft(b[min(i+1, len(b)):], " ")
			if objects > 0 && len(behind) > 0 && behind[0] == ':' {
				name = string(b[from:to])
			} else if objects == 0 || !describes.MatchString(name) && !aTime.Match(b[from:to]) {
				all = append(all, valued(b, from, to, kind, levels(quote, depth))...)
			}
		}
	}
	return all
}

// describes matches the names of what tells which secret one is: its identifier, its name, and what is derived from it.
var describes = regexp.MustCompile(`(?:^|[_-])(?:id|name|label|title|type|kind|status|state|description|fingerprint|hash|digest)$|(?:[a-z](?:Id|ID|Name)|Fingerprint|Hash|Digest)$`)

// aTime matches the beginning of a date.
var aTime = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}(?:T|$)`)
