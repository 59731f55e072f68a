package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures/portion"
)

// A place is where a value stands in a document: names of members and indexes.
type place []any

func (p place) String() string {
	var b strings.Builder
	for _, step := range p {
		fmt.Fprintf(&b, ".%v", step)
	}
	return b.String()
}

// placesOf lists every value of a document, and the document itself first.
func placesOf(v any, at place) []place {
	all := []place{at}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			all = append(all, placesOf(v[name], append(slices.Clone(at), name))...)
		}
	case []any:
		for i := range v {
			all = append(all, placesOf(v[i], append(slices.Clone(at), i))...)
		}
	}
	return all
}

// changedAt is a copy of a document in which the value at a place is what change makes of it.
func changedAt(v any, at place, change func(any) any) any {
	if len(at) == 0 {
		return change(v)
	}
	switch v := v.(type) {
	case map[string]any:
		out := maps.Clone(v)
		out[at[0].(string)] = changedAt(out[at[0].(string)], at[1:], change)
		return out
	case []any:
		out := slices.Clone(v)
		out[at[0].(int)] = changedAt(out[at[0].(int)], at[1:], change)
		return out
	}
	return v
}

// forgeries are what a forger may do to a value.
var forgeries = map[string]func(any) any{
	"other": func(v any) any {
		switch v := v.(type) {
		case string:
			return v + "x"
		case json.Number:
			return "9" + v
		case bool:
			return !v
		case map[string]any:
			return changedAt(v, place{"forged"}, func(any) any { return true })
		case []any:
			return append(slices.Clone(v), "forged")
		}
		return "forged"
	},
	"emptied": func(v any) any {
		switch v := v.(type) {
		case string:
			return ""
		case json.Number:
			return json.Number("0")
		case bool:
			return !v
		case map[string]any:
			return map[string]any{}
		case []any:
			return []any{}
		}
		return false
	},
	"another kind": func(v any) any {
		if v == nil {
			return []any{}
		}
		return nil
	},
}

// indexes are the positions in a place.
var indexes = regexp.MustCompile(`\.\d+`)

func decoded(t *testing.T, text string) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	must(t, d.Decode(&v))
	return v
}

// Every value of a report is changed in turn, and the report is sealed anew by its own key. The
// transcript refutes each change.
func TestEveryChangeOfAReportIsRefuted(t *testing.T) {
	portion.Long(t)
	folder := t.TempDir()
	whole := sealedIn(t, folder, "--run", "AQL-4.6-01")
	report := decoded(t, read(t, whole.report))
	kinds := map[string]place{} // one for all that differ by an index alone
	for _, at := range placesOf(report, nil) {
		kinds[indexes.ReplaceAllString(at.String(), ".*")] = at
	}
	t.Logf("%d kinds of values", len(kinds))
	for i, kind := range slices.Sorted(maps.Keys(kinds)) {
		at := kinds[kind]
		if !portion.OneOf(i, 8) {
			continue
		}
		for name, change := range forgeries {
			changed := changedAt(report, at, change)
			if asJSON(t, changed) == asJSON(t, report) || kind == ".tool" && name == "other" { // which names another version
				continue
			}
			forged := sealedRun{whole.transcript, filepath.Join(folder, "forged.json"), filepath.Join(folder, "forged.sealed.json")}
			write(t, forged.report, []byte(asJSON(t, changed)))
			code, said := obeyed("seal", forged.report, "--transcript", forged.transcript, "-o", forged.sealed)
			if code == 0 {
				code, said = obeyed("verify", forged.sealed, "--transcript", forged.transcript)
			}
			if code != 1 && code != 3 {
				t.Errorf("%s, %s: exit %d\n%.300s", at, name, code, said)
			}
		}
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	must(t, err)
	return string(raw)
}

// A document that two readers can read in two ways is none. What stands behind a document or beside
// what was packed is no part of it, and it is refused as well.
func TestAmbiguousFilesAreRefused(t *testing.T) {
	folder := t.TempDir()
	whole := sealedIn(t, folder, "--run", "AQL-4.6-01")
	at := func(name string) string { return filepath.Join(folder, name) }
	packed := func(members ...string) string {
		var b bytes.Buffer
		for _, m := range members {
			z := gzip.NewWriter(&b)
			_, _ = z.Write([]byte(m))
			must(t, z.Close())
		}
		return b.String()
	}
	commented := func(text string) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Comment, z.Extra = "certified", []byte("certified")
		_, _ = z.Write([]byte(text))
		must(t, z.Close())
		return b.String()
	}
	transcript, report, sealed := read(t, whole.transcript), read(t, whole.report), read(t, whole.sealed)
	write(t, at("packed.ndjson.gz"), []byte(packed(transcript)))
	if code, said := obeyed("verify", whole.sealed, "--transcript", at("packed.ndjson.gz")); code != 0 {
		t.Fatalf("packed: exit %d %s", code, said)
	}
	for name, text := range map[string]string{
		"an empty member behind": packed(transcript, ""), "an empty member before": packed("", transcript), "two members": packed(transcript[:100], transcript[100:]),
		"bytes behind": packed(transcript) + "certified", "a comment": commented(transcript),
	} {
		write(t, at("forged.ndjson.gz"), []byte(text))
		if code, said := obeyed("verify", whole.sealed, "--transcript", at("forged.ndjson.gz")); code != 3 {
			t.Errorf("transcript with %s: exit %d %.300s", name, code, said)
		}
	}
	for name, edit := range map[string]func(string) string{
		"a member twice":            swap(`"exitCode": 1`, `"exitCode": 0, "exitCode": 1`),
		"a member in two cases":     swap(`"exitCode": 1`, `"EXITCODE": 0, "exitCode": 1`),
		"a member twice, deep":      swap(`"verdict": "FAIL"`, `"verdict": "PASS", "verdict": "FAIL"`),
		"a member twice, by escape": swap(`"verdict": "FAIL"`, `"verd\u0069ct": "PASS", "verdict": "FAIL"`),
		"a document behind":         func(s string) string { return s + `{"exitCode": 0}` },
		"invalid UTF-8":             swap(`"version": "`, "\"version\": \"\xff"),
	} {
		if edit(report) == report {
			t.Fatalf("%s: the edit changes nothing", name)
		}
		write(t, at("forged.json"), []byte(edit(report)))
		code, said := obeyed("seal", at("forged.json"), "--transcript", whole.transcript, "-o", at("forged.sealed.json"))
		if code == 0 {
			code, said = obeyed("verify", at("forged.sealed.json"), "--transcript", whole.transcript)
		}
		if code != 1 && code != 3 {
			t.Errorf("report with %s: exit %d %.300s", name, code, said)
		}
		if code, said := obeyed("submit", at("registry"), "--report", at("forged.json"), "--transcript", whole.transcript); code != 3 {
			t.Errorf("submit a report with %s: exit %d %.300s", name, code, said)
		}
	}
	for name, edit := range map[string]func(string) string{
		"a member twice":    swap(`"payloadType"`, `"payloadType": "x", "payloadType"`),
		"a document behind": func(s string) string { return s + `{}` },
	} {
		write(t, at("forged.sealed.json"), []byte(edit(sealed)))
		if code, said := obeyed("verify", at("forged.sealed.json"), "--transcript", whole.transcript); code == 0 {
			t.Errorf("envelope with %s: exit %d %.300s", name, code, said)
		}
	}
}
