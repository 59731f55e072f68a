package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// recompute presses each button of a page once, and tells what came of all when none is busy.
const recompute = `(() => {
	const claims = [...document.querySelectorAll(".claim")], outcome = c => c.querySelector(".outcome").dataset.outcome ?? "";
	if (document.readyState !== "complete" || !claims.length) return "";
	for (const c of claims) if (!outcome(c)) c.querySelector(".recompute").click();
	const all = claims.map(c => outcome(c) + " " + c.querySelector(".outcome").textContent);
	return all.some(text => !text.trim() || text.startsWith("RECOMPUTING")) ? "" : "came to: " + all.join("\n");
})()`

// mostJudge bounds what a reader loads, in bytes.
const mostJudge = 4_000_000

// The browser of a reader recomputes a verdict from the transcript, and sees each thing that was forged on
// the site: the level, a cell, the report and the transcript.
func TestBoardRecomputesInABrowser(t *testing.T) {
	if os.Getenv("AQL_CONFORM_WASM") == "" {
		t.Skip("building for WebAssembly takes a minute of a processor: AQL_CONFORM_WASM=1 has it done, and .ci/run does")
	}
	if chromium() == "" {
		t.Skip("no Chromium to look at the board with")
	}
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	if out, err := exec.Command("../../.ci/judge", folder).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	size := len(read(t, at("judge.wasm.xz"))) + len(read(t, at("judge.js")))
	if t.Logf("the judge has %d bytes", size); size > mostJudge {
		t.Errorf("the judge has %d bytes, more than %d: does it import a client again?", size, mostJudge)
	}
	url, _ := serveUntil(t, "AQL-4.6-01.unknown-params-dropped", 0)
	obeyed("--url", url, "--allow", "create,update,delete", "--no-hints", "--seed", "7", "--phases", "none", "--run", "AQL-4.6-*",
		"--transcript", at("run.ndjson"), "--report", "json="+at("report.json"))
	for _, args := range [][]string{
		{"seal", at("report.json"), "--transcript", at("run.ndjson"), "-o", at("sealed.json")},
		{"submit", at("registry"), "--report", at("report.json"), "--transcript", at("run.ndjson"), "--sealed", at("sealed.json")},
		{"board", at("registry"), "-o", at("site"), "--judge", at("judge.wasm.xz")},
	} {
		if code, said := obeyed(args...); code != 0 {
			t.Fatalf("%s: %s", args[0], said)
		}
	}
	server := httptest.NewServer(http.FileServer(http.Dir(at("site"))))
	defer server.Close()
	one := func(pattern string) string {
		t.Helper()
		found, err := filepath.Glob(at("site/" + pattern))
		if err != nil || len(found) != 1 {
			t.Fatalf("%s: %q, %v", pattern, found, err)
		}
		return found[0]
	}
	adapter, row := one("adapter/*.html"), at("site/requirement/AQL-4.6-01.html")
	for _, c := range []struct{ name, page, file, old, new, want string }{
		{"the adapter as it was submitted", adapter, "", "", "", "EQUAL"},
		{"the requirement as it was submitted", row, "", "", "", "EQUAL"},
		{"another level", adapter, adapter, `data-field="verdict">nonconformant`, `data-field="verdict">conformant, level 2`, "FORGED"},
		{"another cell", adapter, adapter, `AQL-4.6-01 <span class="says">FAIL`, `AQL-4.6-01 <span class="says">PASS`, "FORGED"},
		{"another verdict on the requirement", row, row, `<b class="is fail">FAIL`, `<b class="is fail">PASS`, "FORGED"},
		{"another date", adapter, adapter, `data-field="date">20`, `data-field="date">21`, "FORGED"},
		{"another report", adapter, one("run/*/report.json"), `"exitCode": 1`, `"exitCode": 0`, "FORGED"},
		{"another transcript", adapter, one("run/*/run.ndjson"), `mcp-aql-reference-adapter`, `mcp-aql-reference-adaptor`, "FORGED"},
		{"another seal", adapter, one("run/*/sealed.json"), `"payload": "ey`, `"payload": "fy`, "FORGED"},
	} {
		restore := func() {}
		if c.file != "" {
			before := read(t, c.file)
			if !strings.Contains(before, c.old) {
				t.Errorf("%s: %s has no %q", c.name, c.file, c.old)
				continue
			}
			write(t, c.file, []byte(strings.Replace(before, c.old, c.new, 1)))
			restore = func() { write(t, c.file, []byte(before)) }
		}
		address := server.URL + strings.TrimPrefix(c.page, at("site"))
		text, err := visited(address, 2*time.Minute, recompute, "came to: ")
		if err != nil || !strings.Contains(text, "came to: "+c.want+" ") {
			t.Errorf("%s: %v, %s", c.name, err, text)
		}
		t.Logf("%s: %.300s", c.name, text)
		restore()
	}
}
