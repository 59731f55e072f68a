package reports_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/reports"
)

// A browser is a headless Chromium, driven over the pipes of its debugging protocol.
type browser struct {
	t          *testing.T
	to         *os.File
	from       *bufio.Reader
	session    string
	asked      int
	complaints []string // what the console says of the page
}

// message is what the browser says: the answer to a call, or an event.
type message struct {
	ID     int
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  json.RawMessage
}

// newBrowser starts one; a machine without Chromium skips the test.
func newBrowser(t *testing.T) *browser {
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil && program == "" {
			program = found
		}
	}
	if program == "" || testing.Short() {
		t.Skip("no Chromium to look at the page with")
	}
	theirs, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	from, ours, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	cmd := exec.CommandContext(ctx, program, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--user-data-dir="+t.TempDir(), "--remote-debugging-pipe", "about:blank")
	cmd.ExtraFiles = []*os.File{theirs, ours} // descriptors 3 and 4
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	theirs.Close()
	ours.Close()
	b := &browser{t: t, to: to, from: bufio.NewReader(from)}
	t.Cleanup(func() {
		b.session = ""
		b.call("Browser.close", nil, nil)
		cmd.Wait()
		cancel()
		to.Close()
		from.Close()
	})
	var target struct{ TargetID string }
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log"} {
		b.call(domain+".enable", nil, nil)
	}
	return b
}

// call asks the browser and reads on until it answers.
func (b *browser) call(method string, params, result any) {
	b.t.Helper()
	b.asked++
	question := map[string]any{"id": b.asked, "method": method, "params": params}
	if params == nil {
		question["params"] = map[string]any{}
	}
	if b.session != "" {
		question["sessionId"] = b.session
	}
	raw, err := json.Marshal(question)
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.to.Write(append(raw, 0)); err != nil {
		b.t.Fatalf("%s: %v", method, err)
	}
	answer := b.await(func(m message) bool { return m.ID == b.asked })
	if answer.Error != nil {
		b.t.Fatalf("%s: %s", method, answer.Error)
	}
	if result != nil {
		if err := json.Unmarshal(answer.Result, result); err != nil {
			b.t.Fatalf("%s: %v in %s", method, err, answer.Result)
		}
	}
}

// await reads messages until one is as wanted and keeps what the console says.
func (b *browser) await(wanted func(message) bool) message {
	b.t.Helper()
	for {
		raw, err := b.from.ReadBytes(0)
		if err != nil {
			b.t.Fatalf("the browser ended: %v", err)
		}
		var m message
		if err := json.Unmarshal(raw[:len(raw)-1], &m); err != nil {
			b.t.Fatal(err)
		}
		if slices.Contains([]string{"Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"}, m.Method) {
			b.complaints = append(b.complaints, string(m.Params))
		}
		if wanted(m) {
			return m
		}
	}
}

// open shows a page at an address that ends with suffix.
func (b *browser) open(page, suffix string) {
	b.t.Helper()
	path := filepath.Join(b.t.TempDir(), "report.html")
	if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
		b.t.Fatal(err)
	}
	b.call("Page.navigate", map[string]any{"url": (&url.URL{Scheme: "file", Path: path}).String() + suffix}, nil)
	b.await(func(m message) bool { return m.Method == "Page.loadEventFired" })
}

// resize makes the window so wide.
func (b *browser) resize(width int) {
	b.t.Helper()
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false}, nil)
}

// eval runs a script in the page and returns its text.
func (b *browser) eval(script string) string {
	b.t.Helper()
	var out struct {
		Result           struct{ Value any }
		ExceptionDetails json.RawMessage
	}
	b.call("Runtime.evaluate", map[string]any{"expression": script, "awaitPromise": true, "returnByValue": true}, &out)
	if out.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", script, out.ExceptionDetails)
	}
	return fmt.Sprint(out.Result.Value)
}

// filter sets a field as a reader does and says which requirements are left.
func (b *browser) filter(field, value string) string {
	b.t.Helper()
	return b.eval(fmt.Sprintf(`new Promise(done => {
		const shown = document.getElementById("shown"), field = document.getElementById(%q);
		shown.textContent = "waiting";
		new MutationObserver((_, o) => { o.disconnect(); done(%s); }).observe(shown, {childList: true, characterData: true, subtree: true});
		field.value = %q;
		field.dispatchEvent(new Event("input", {bubbles: true}));
	})`, field, visible, value))
}

const visible = `[...document.querySelectorAll("article")].filter(a => !a.closest("[hidden]")).map(a => a.id).join(" ")`

func TestHTMLInABrowser(t *testing.T) {
	b := newBrowser(t)
	b.open(page(t, reports.Conclude(run(), rows(), findings())), "")
	if got := strings.Fields(b.eval(visible)); len(got) != len(rows()) {
		t.Errorf("%d requirements at first: %q", len(got), got)
	}
	for _, step := range []struct{ field, value, want string }{
		{"verdict", "WARN", "AQL-6.2.1-01 INT-3.4-05"},
		{"area", "types", "INT-3.4-05"},
		{"verdict", "", "AQL-7.3-03 INT-3.4-05 AQL-7.3-04"},
		{"text", "object ARRAY", "AQL-7.3-03"},
		{"area", "", "AQL-7.3-03"},
		{"text", "nobody wrote this", ""},
	} {
		if got := b.filter(step.field, step.value); got != step.want {
			t.Errorf("%s %q leaves %q, want %q", step.field, step.value, got, step.want)
		}
		left := len(strings.Fields(step.want))
		if got := b.eval(`[...document.querySelectorAll("nav b[data-count]")].reduce((n, b) => n + parseInt(b.textContent), 0)`); got != fmt.Sprint(left) {
			t.Errorf("%s %q: the counts add up to %s, want %d", step.field, step.value, got, left)
		}
	}
	got := b.eval(`new Promise(done => { addEventListener("hashchange", () => done(document.getElementById("AQL-4.6-01").checkVisibility())); location.hash = "AQL-4.6-01"; })`)
	if got != "true" {
		t.Error("a link does not show a requirement that the filter hid")
	}
	if len(b.complaints) > 0 {
		t.Errorf("the console says %q", b.complaints)
	}
}

func TestHTMLFilterInTheAddress(t *testing.T) {
	b := newBrowser(t)
	b.open(page(t, reports.Conclude(run(), rows(), findings())), "?verdict=SKIPPED")
	if got := b.eval(visible); got != "AQL-4.3-01" {
		t.Errorf("the address leaves %q", got)
	}
}

// The hostile page runs nothing and asks for nothing; the console would say so.
func TestHTMLHostileInABrowser(t *testing.T) {
	b := newBrowser(t)
	b.open(page(t, everywhere(`"></pre><img src=https://evil.test/x onerror=owned=1><script>owned=1</script>`+hostile, reports.Fail)), "")
	if got := b.eval(`typeof owned + document.images.length + performance.getEntriesByType("resource").length`); got != "undefined00" {
		t.Errorf("the page ran or fetched something: %s", got)
	}
	if len(b.complaints) > 0 {
		t.Errorf("the console says %q", b.complaints)
	}
}

func TestHTMLWithManyFindings(t *testing.T) {
	b := newBrowser(t)
	var many []reports.Finding
	for i := range 5000 {
		many = append(many, reports.Finding{Requirement: "AQL-4.6-01", Verdict: reports.Fail, Subject: fmt.Sprintf("op_%04d", i),
			Want: "a refusal", Got: fmt.Sprintf("kind %c%c%c", 'a'+i%26, 'a'+i/26%26, 'a'+i/676),
			Evidence: []reports.Exchange{{Frames: []int{i}, Sent: []byte(`{"a":1}`), Reply: []byte(`{"b":2}`), Elapsed: time.Duration(i) * time.Microsecond}}})
	}
	b.open(page(t, reports.Conclude(run(), rows(), many)), "")
	began := time.Now()
	b.filter("text", "op_4711")
	if got := b.eval(`[...document.querySelectorAll(".finding")].filter(f => f.checkVisibility()).length`); got != "1" {
		t.Errorf("%s findings are left, want 1", got)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("the filter took %s", took)
	}
}
