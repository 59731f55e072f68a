package reports_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/aql-conform/aql-conform/reports"
)

func document(t *testing.T, r *reports.Report) (raw []byte, doc map[string]any) {
	t.Helper()
	var buf bytes.Buffer
	if err := r.WriteJSON(&buf); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(buf.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes(), doc
}

func keys(m any) []string {
	var out []string
	for k := range m.(map[string]any) {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// Others build on these keys; the list is written out here on purpose.
func TestJSONKeys(t *testing.T) {
	_, doc := document(t, conclude())
	_, stopped := document(t, concluded())
	top := strings.Fields("adapter asked basis categories claim conformanceLevel digest elapsedMs exitCode findings implementation levels modes noClaim " +
		"profile remarks reportVersion requestedLevel revision routing seed specVersion startedAt summary tool version")
	if got := keys(doc); !slices.Equal(got, slices.Sorted(slices.Values(append(top, "reach")))) {
		t.Errorf("keys %q", got)
	}
	if got := keys(stopped); !slices.Equal(got, slices.Sorted(slices.Values(append(top, "conclusion")))) {
		t.Errorf("keys of a run that was not judged: %q", got)
	}
	level := doc["levels"].(map[string]any)["1"].(map[string]any)
	for _, tc := range []struct {
		got  any
		want string
	}{
		{doc["levels"], "1 2"},
		{level, "must normative untested verdict"},
		{level["must"], "failed notApplicable notProven passed"},
		{level["normative"], "failed notApplicable notProven passed"},
		{doc["summary"], "fail findings notApplicable notProven pass skipped warn"},
		{doc["categories"].([]any)[0], "counts name required result"},
	} {
		if got := strings.Join(keys(tc.got), " "); got != tc.want {
			t.Errorf("keys %q, want %q", got, tc.want)
		}
	}
}

func TestJSONCountsAreTrue(t *testing.T) {
	r := reports.Conclude(run(), rows(), findings())
	_, doc := document(t, r)
	worst := map[string]string{}
	for _, f := range doc["findings"].([]any) {
		f := f.(map[string]any)
		if id := f["requirement"].(string); worst[id] == "" {
			worst[id] = f["verdict"].(string) // the first of a requirement decides it
		}
	}
	count := map[string]float64{}
	for _, v := range worst {
		count[v]++
	}
	summary := doc["summary"].(map[string]any)
	for key, verdict := range map[string]string{"pass": "PASS", "fail": "FAIL", "warn": "WARN", "notApplicable": "NOT-APPLICABLE",
		"skipped": "SKIPPED", "notProven": "NOT-PROVEN"} {
		var inAreas float64
		for _, c := range doc["categories"].([]any) {
			inAreas += c.(map[string]any)["counts"].(map[string]any)[key].(float64)
		}
		if summary[key] != count[verdict] || inAreas != count[verdict] {
			t.Errorf("%s: summary %v, areas %v, findings %v", key, summary[key], inAreas, count[verdict])
		}
	}
	if n := len(doc["findings"].([]any)); summary["findings"] != float64(n) {
		t.Errorf("summary says %v findings, there are %d", summary["findings"], n)
	}
}

// A stranger recomputes the digest from the document alone.
func TestDigestFromTheDocument(t *testing.T) {
	r := reports.Conclude(run(), rows(), findings())
	_, doc := document(t, r)
	var lines []string
	for _, f := range doc["findings"].([]any) {
		f := f.(map[string]any)
		subjects, grouped := f["instances"].([]any)
		if !grouped {
			subjects = []any{f["subject"]}
		}
		for _, s := range subjects {
			lines = append(lines, fmt.Sprintf("%s %s %s\n", f["requirement"], f["verdict"], s))
		}
	}
	slices.Sort(lines)
	sum := sha256.Sum256([]byte(strings.Join(slices.Compact(lines), "")))
	if got := hex.EncodeToString(sum[:]); doc["digest"] != got || r.Digest != got {
		t.Errorf("digest %v, recomputed %s", doc["digest"], got)
	}
}

func exchange(t *testing.T, e reports.Exchange) map[string]any {
	t.Helper()
	f := on(core1, reports.Fail)
	f.Evidence = []reports.Exchange{e}
	_, doc := document(t, reports.Conclude(reports.Run{}, []reports.Requirement{core1}, []reports.Finding{f}))
	return doc["findings"].([]any)[0].(map[string]any)["evidence"].([]any)[0].(map[string]any)
}

func TestEvidence(t *testing.T) {
	const limit = 64 << 10
	digest := func(b []byte) string { s := sha256.Sum256(b); return hex.EncodeToString(s[:]) }
	text := []byte(`{"a":"<b>&\u0000"}`)
	broken := []byte("{\"a\":\"\xff\"}")
	long := bytes.Repeat([]byte("é"), limit) // two bytes each: the cut falls between two characters
	odd := append([]byte("x"), long...)      // and here inside one
	longBroken := append(bytes.Repeat([]byte("y"), limit), 0xff)

	if e := exchange(t, reports.Exchange{Sent: text}); e["sent"] != string(text) || e["sentSize"] != nil {
		t.Errorf("text: %v", e)
	}
	e := exchange(t, reports.Exchange{Sent: text})
	for _, absent := range []string{"reply", "replyBase64", "sentBase64", "sentSha256"} {
		if _, there := e[absent]; there {
			t.Errorf("%s stands there without cause: %v", absent, e)
		}
	}
	if e := exchange(t, reports.Exchange{Reply: []byte{}}); e["reply"] != "" {
		t.Errorf("an empty reply is not no reply: %v", e)
	}
	if e := exchange(t, reports.Exchange{Reply: broken}); e["replyBase64"] != base64.StdEncoding.EncodeToString(broken) || e["reply"] != nil {
		t.Errorf("broken UTF-8: %v", e)
	}
	for _, raw := range [][]byte{long, odd} {
		e := exchange(t, reports.Exchange{Reply: raw})
		kept := e["reply"].(string)
		if len(kept) > limit || len(kept) < limit-3 || !strings.HasPrefix(string(raw), kept) || !utf8.ValidString(kept) {
			t.Errorf("cut to %d bytes", len(kept))
		}
		if e["replySize"] != float64(len(raw)) || e["replySha256"] != digest(raw) {
			t.Errorf("size %v, digest %v", e["replySize"], e["replySha256"])
		}
	}
	e = exchange(t, reports.Exchange{Reply: longBroken})
	if kept, _ := base64.StdEncoding.DecodeString(e["replyBase64"].(string)); !bytes.Equal(kept, longBroken[:limit]) || e["replySha256"] != digest(longBroken) {
		t.Errorf("cut to %d bytes, digest %v", len(kept), e["replySha256"])
	}
}

// The document can be shown with cat, and still says what the adapter said.
func TestJSONIsInertAndFaithful(t *testing.T) {
	raw, doc := document(t, everywhere(hostile, reports.Fail))
	for _, c := range string(raw) {
		if c != '\n' && !unicode.IsPrint(c) {
			t.Errorf("%U stands in the document", c)
		}
	}
	want := string([]rune(hostile)) // each broken byte is one replacement character
	for _, f := range doc["findings"].([]any) {
		if f := f.(map[string]any); f["verdict"] == "FAIL" && f["got"] != want {
			t.Errorf("got %q, want %q", f["got"], want)
		}
	}
}

func TestRemarksTellWhatShapedTheVerdict(t *testing.T) {
	r := run()
	r.Basis, r.Interrupted = "normative", true
	_, doc := document(t, reports.Conclude(r, rows(), []reports.Finding{{Requirement: "Z-9", Verdict: reports.Pass}}))
	got := fmt.Sprint(doc["remarks"])
	for _, want := range []string{"introspect was found", "basis normative", "interrupted", `error in the checker: a finding names "Z-9"`} {
		if !strings.Contains(got, want) {
			t.Errorf("remarks do not tell %q: %s", want, got)
		}
	}
}
