//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var namesAdapter = regexp.MustCompile(`the checker ended \d+: adapter`)

// The commands of a hints file may be there to start something. What they leave running lives on,
// although it looks like a daemon of the adapter: it forked twice and emptied its environment.
func TestCommandsBesideMayLeaveProcesses(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the servers of the corpus")
	}
	program, folder := built(t, hostileServers), t.TempDir()
	link := func(name string) string {
		path := filepath.Join(folder, name)
		if err := os.Link(program, path); err != nil {
			t.Fatal(err)
		}
		return path
	}
	adapter, commands := link("adapter"), map[string]string{}
	hints := "version: 1\n"
	for _, name := range []string{"hooks.before", "hooks.after", "launch.change_tools"} {
		commands[name] = link(name)
	}
	hints += "hooks: {before: " + commands["hooks.before"] + " launcher orphan, after: " + commands["hooks.after"] + " launcher orphan}\n" +
		"launch: {change_tools: " + commands["launch.change_tools"] + " launcher orphan}\n"
	if err := os.WriteFile(filepath.Join(folder, "aql-conform.yaml"), []byte(hints), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "aql-conform", "--cmd", "sh -c '"+adapter+" launcher orphan; exec refadapter --mode all --features all'", "--run", "MCP-NOTIFY-02")
	cmd.Dir = folder
	said, _ := cmd.CombinedOutput()
	if !namesAdapter.Match(said) {
		t.Errorf("the daemon of the adapter is not named:\n%s", said)
	}
	for _, left := range remaining("", adapter) {
		t.Errorf("the adapter left %s", left)
	}
	for name, path := range commands {
		alive := belonging("", path)
		if len(alive) != 1 {
			t.Errorf("%s has left %q, want one process\n%s", name, alive, said)
		}
		for _, left := range alive {
			pid, line, _ := strings.Cut(left, " ")
			id, err := strconv.Atoi(pid)
			if err != nil || !strings.HasPrefix(line, path) {
				continue // nobody else's process is touched
			}
			if p, err := os.FindProcess(id); err == nil {
				_ = p.Kill()
			}
		}
	}
}
