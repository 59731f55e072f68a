package reports

import (
	"bytes"
	"io"
	"os"
	"testing"
)

func seeds(f *testing.F, names ...string) {
	for _, name := range names {
		raw, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
}

// Whatever stands in a file, it is a report or refused. A report can be written in all formats,
// merged with itself and compared with itself; what is written as JSON is read as the same.
func FuzzReadJSON(f *testing.F) {
	seeds(f, "concluded.json")
	f.Add([]byte(smallReport))
	f.Fuzz(func(t *testing.T, raw []byte) {
		p, err := ReadJSON(bytes.NewReader(raw))
		if err != nil {
			return
		}
		_, _, _ = Merge([]Part{p, p})
		_ = MergeReach([]Part{p, p})
		r := Conclude(p.Run, nil, p.Findings)
		if p.Baseline != nil {
			r.Accept(*p.Baseline)
		}
		_, _ = Compare(r, r)
		for _, format := range Formats() {
			if err := Write(format, io.Discard, r); err != nil && format != "evidence" && format != "json" {
				t.Errorf("%s: %v", format, err)
			}
		}
		var first, again bytes.Buffer
		if r.WriteJSON(&first) != nil {
			return
		}
		q, err := ReadJSON(bytes.NewReader(first.Bytes()))
		if err != nil {
			t.Fatalf("what was written is not read: %v", err)
		}
		if err := Conclude(q.Run, nil, q.Findings).WriteJSON(&again); err != nil {
			t.Errorf("written once, and not again: %v", err)
		}
	})
}

// smallReport is a report with most of its members; the others are in the files. Small inputs are
// changed in more ways at the same time.
const smallReport = `{"reportVersion":"` + ReportVersion + `","tool":"t","adapter":"a","implementation":"i","version":"1","revision":"r","modes":["single"],"profile":"p",` +
	`"specVersion":"s","seed":1,"requestedLevel":1,"basis":"all","startedAt":"2026-01-02T03:04:05Z","elapsedMs":1.5,"asked":1,"exitCode":1,"digest":"d",` +
	`"levels":[{"level":1}],"remarks":["x"],"findings":[{"requirement":"AQL-4.6-01","verdict":"FAIL","subject":"get_note","want":"w","got":"g","instances":["a","b"],` +
	`"evidence":[{"frames":[1,2],"conn":"main","outcome":"o","elapsedMs":2,"sent":"s","replyBase64":"/w=="}]}]}`

// Whatever stands in a file, it is a selftest or refused.
func FuzzReadSelftest(f *testing.F) {
	seeds(f, "refuted.json")
	f.Add([]byte(`{"selftestVersion":"1","rows":[]}`))
	f.Fuzz(func(_ *testing.T, raw []byte) {
		if s, err := ReadSelftest(raw); err == nil {
			_ = s.WriteJSON(io.Discard)
		}
	})
}

// Whatever stands in a file of strangers, what is read can be summed up.
func FuzzReadStrangers(f *testing.F) {
	f.Add([]byte(`{"seed":1,"false":[{"verdict":"FAIL"}],"faults":[{"id":"a","foundHinted":true}]}` + "\n" + `{"seed":`))
	f.Fuzz(func(_ *testing.T, raw []byte) {
		all, _ := ReadStrangers(bytes.NewReader(raw))
		var c zooCount
		for _, s := range all {
			c.missed = map[string]int{}
			c.add(s)
		}
	})
}
