package wire

import (
	"os/exec"
	"sync"
)

// running are the programs that were started and are waited for by who started them.
var running struct {
	mu   sync.RWMutex // held for reading from before a program starts until it is listed
	list sync.Mutex
	cmds map[*exec.Cmd]bool // true: an adapter, which may be ended; false: a command beside it
	any  bool               // an adapter was started since leftovers were ended
}

// launch starts a program and lists it.
func launch(cmd *exec.Cmd, adapter bool) error {
	if adapter {
		adopt()
	}
	running.mu.RLock()
	defer running.mu.RUnlock()
	if err := cmd.Start(); err != nil {
		return err
	}
	running.list.Lock()
	defer running.list.Unlock()
	if running.cmds == nil {
		running.cmds = map[*exec.Cmd]bool{}
	}
	running.cmds[cmd] = adapter
	running.any = running.any || adapter
	return nil
}

// ended takes a program off the list. It has been waited for.
func ended(cmd *exec.Cmd) {
	running.list.Lock()
	defer running.list.Unlock()
	delete(running.cmds, cmd)
}

// listed returns the running programs by their process ids. No other starts meanwhile if
// running.mu is held for writing.
func listed() map[int]bool {
	running.list.Lock()
	defer running.list.Unlock()
	found := map[int]bool{}
	for cmd, adapter := range running.cmds {
		found[cmd.Process.Pid] = adapter
	}
	return found
}

// EndAll kills every adapter that was started and has not ended, and what these have left
// running. It is for a checker that has to exit at once.
func EndAll() {
	running.list.Lock()
	for cmd, adapter := range running.cmds {
		if adapter {
			killGroup(cmd)
		}
	}
	running.list.Unlock()
	EndLeftovers()
}

// Leftovers are the names of processes that adapters left running, one for each process.
type Leftovers struct {
	Ended []string
	Alive []string // those that could not be ended: they belong to another user
}
