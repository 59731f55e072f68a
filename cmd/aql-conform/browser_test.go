package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/fixtures/portion"
)

// chromium is the program of a real browser; empty where there is none.
func chromium() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if program, err := exec.LookPath(name); err == nil {
			return program
		}
	}
	return ""
}

// click opens an address in a headless Chromium, presses the button, and ends when the browser has
// come back to the checker.
func click(address string) int {
	if err := clicked(address); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func clicked(address string) error {
	_, err := visited(address, 10*time.Second, `(() => {
		const button = document.getElementById("allow");
		if (button) button.click();
		return document.body ? document.body.innerText : "";
	})()`, "You are signed in")
	return err
}

// visited opens an address in a headless Chromium and runs a script in the page again and again, until
// its text holds what is wanted.
func visited(address string, wait time.Duration, script, wanted string) (text string, err error) {
	profile, err := os.MkdirTemp("", "aql-conform-browser-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(profile)
	theirs, to, err := os.Pipe()
	if err != nil {
		return "", err
	}
	from, ours, err := os.Pipe()
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), wait+time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, chromium(), "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--user-data-dir="+profile, "--remote-debugging-pipe", "about:blank")
	cmd.ExtraFiles = []*os.File{theirs, ours} // descriptors 3 and 4
	if err := cmd.Start(); err != nil {
		return "", err
	}
	theirs.Close()
	ours.Close()
	defer cmd.Wait()
	b := &debugged{to: to, from: bufio.NewReader(from)}
	defer b.call("Browser.close", nil)
	target, err := b.call("Target.createTarget", map[string]any{"url": address})
	if err != nil {
		return "", err
	}
	attached, err := b.call("Target.attachToTarget", map[string]any{"targetId": target["targetId"], "flatten": true})
	if err != nil {
		return "", err
	}
	b.session, _ = attached["sessionId"].(string)
	defer func() { b.session = "" }()                                                                 // before the browser is closed
	for until := time.Now().Add(wait); time.Now().Before(until); time.Sleep(100 * time.Millisecond) { // a page loads when it does
		said, err := b.call("Runtime.evaluate", map[string]any{"returnByValue": true, "expression": script})
		if err != nil {
			return "", err
		}
		result, _ := said["result"].(map[string]any)
		if text, _ = result["value"].(string); strings.Contains(text, wanted) {
			return text, nil
		}
	}
	return text, fmt.Errorf("the page at %s does not come to %q: %.500s", address, wanted, text)
}

// A debugged browser answers calls of its debugging protocol.
type debugged struct {
	to      *os.File
	from    *bufio.Reader
	session string
	asked   int
}

func (b *debugged) call(method string, params map[string]any) (map[string]any, error) {
	b.asked++
	question := map[string]any{"id": b.asked, "method": method}
	if params != nil {
		question["params"] = params
	}
	if b.session != "" {
		question["sessionId"] = b.session
	}
	raw, err := json.Marshal(question)
	if err != nil {
		return nil, err
	}
	if _, err := b.to.Write(append(raw, 0)); err != nil {
		return nil, err
	}
	for {
		raw, err := b.from.ReadBytes(0)
		if err != nil {
			return nil, fmt.Errorf("the browser ended: %w", err)
		}
		var m struct {
			ID     int
			Result map[string]any
			Error  json.RawMessage
		}
		if err := json.Unmarshal(raw[:len(raw)-1], &m); err != nil {
			return nil, err
		}
		if m.ID == b.asked {
			if m.Error != nil && !strings.Contains(string(m.Error), "navigated") { // the context of a page that is left
				return nil, fmt.Errorf("%s: %s", method, m.Error)
			}
			return m.Result, nil
		}
	}
}

// A person signs in with a real browser.
func TestSignInWithChromium(t *testing.T) {
	portion.Long(t)
	if chromium() == "" {
		t.Skip("no Chromium to sign in with")
	}
	t.Setenv("BROWSER", "clicker")
	code, said := obeyed("--url", (&teller{}).serve(t, time.Hour), "--oauth", "browser", "--no-hints", "--run", "authorization")
	if code != 5 || !strings.Contains(said, "MCP-AUTH-10") || strings.Contains(said, "FAIL") {
		t.Errorf("exit code %d: %s", code, said)
	}
}
