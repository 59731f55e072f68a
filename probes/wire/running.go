package wire

import (
	"os/exec"
	"sync"
)

// running are the programs that were started and have not ended, for EndAll.
var running struct {
	mu   sync.Mutex
	cmds map[*exec.Cmd]bool
}

func began(cmd *exec.Cmd) {
	running.mu.Lock()
	defer running.mu.Unlock()
	if running.cmds == nil {
		running.cmds = map[*exec.Cmd]bool{}
	}
	running.cmds[cmd] = true
}

func ended(cmd *exec.Cmd) {
	running.mu.Lock()
	defer running.mu.Unlock()
	delete(running.cmds, cmd)
}

// EndAll kills every program that was started and has not ended, and what these have left
// running. It is for a checker that has to exit at once.
func EndAll() {
	running.mu.Lock()
	for cmd := range running.cmds {
		killGroup(cmd)
	}
	running.mu.Unlock()
	EndLeftovers()
}
