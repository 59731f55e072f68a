package wire

import (
	"bytes"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// adoption says whether the orphans of adapters become children of this process.
var adoption struct {
	mu      sync.Mutex
	allowed bool
	on      bool
	stop    func()         // ends the reaping
	spared  map[int]string // left by a command beside an adapter: its beginning by its id
}

// prSetChildSubreaper has the kernel hand the orphans among our descendants to us: see prctl(2).
const prSetChildSubreaper = 36

// reapAfter is how long the dead may wait, so that those of a moment are reaped together.
const reapAfter = 20 * time.Millisecond

// AdoptOrphans lets this process become the parent of what adapters leave behind, so that
// EndLeftovers finds processes that forked twice, left their session and emptied their
// environment. It is for a program that starts processes through this package alone: the
// children of any other would be taken for an adapter's.
func AdoptOrphans() {
	adoption.mu.Lock()
	defer adoption.mu.Unlock()
	adoption.allowed = os.Getpid() != 1 // the first process is the parent of all orphans, also of others
}

// adopt begins adoption, unless this process has a child that it did not start: what that one
// leaves could not be told from what an adapter leaves. A program that replaced a shell may
// have such a child.
func adopt() {
	adoption.mu.Lock()
	defer adoption.mu.Unlock()
	if !adoption.allowed || adoption.on {
		return
	}
	ours := listed()
	for pid, began := range children() {
		if _, known := ours[pid]; !known && adoption.spared[pid] != began {
			adoption.allowed = false
			return
		}
	}
	if !subreaper(1) {
		adoption.allowed = false
		return
	}
	adoption.on = true
	died, over := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(died, syscall.SIGCHLD)
	adoption.stop = func() { signal.Stop(died); close(over) }
	go func() {
		for {
			select {
			case <-died:
				<-time.After(reapAfter)
				running.mu.Lock()
				reap()
				running.mu.Unlock()
			case <-over:
				return
			}
		}
	}()
}

// release ends adoption: what is an orphan from now on is nobody's business here.
func release() {
	adoption.mu.Lock()
	defer adoption.mu.Unlock()
	if adoption.on {
		adoption.stop()
		subreaper(0)
		adoption.on = false
	}
}

func subreaper(on uintptr) bool {
	_, _, failed := syscall.RawSyscall(syscall.SYS_PRCTL, prSetChildSubreaper, on, 0)
	return failed == 0
}

// children are the processes whose parent this process is, with their beginnings.
func children() map[int]string {
	mine, found := os.Getpid(), map[int]string{}
	for pid, p := range processes() {
		if p.parent == mine {
			found[pid] = p.began
		}
	}
	return found
}

// adopting reports whether orphans are adopted now, and what is spared.
func adopting() (on bool, spared map[int]string) {
	adoption.mu.Lock()
	defer adoption.mu.Unlock()
	return adoption.on, maps.Clone(adoption.spared)
}

// adoptees are the children that nobody here started; none where orphans are not adopted.
func adoptees() map[int]string {
	if on, _ := adopting(); !on {
		return nil
	}
	ours, found := listed(), children()
	maps.DeleteFunc(found, func(pid int, _ string) bool { _, known := ours[pid]; return known })
	return found
}

// spareSince spares what became a child while a command ran beside the adapter: the command may
// have been there to start it.
func spareSince(before map[int]string) {
	for pid, began := range adoptees() {
		if before[pid] != began {
			adoption.mu.Lock()
			if adoption.spared == nil {
				adoption.spared = map[int]string{}
			}
			adoption.spared[pid] = began
			adoption.mu.Unlock()
		}
	}
}

// reap waits for adopted children that have ended, so that they do not fill the process table.
// running.mu is held for writing: a child of ours that is not listed yet is not to be taken
// from who waits for it. The kernel's list of children spares a look at every process. It may
// leave one out, which then waits for the next time.
func reap() {
	if on, _ := adopting(); !on {
		return
	}
	ours := listed()
	lists, _ := filepath.Glob("/proc/self/task/*/children") // the pattern is sound
	for _, list := range lists {
		text, _ := os.ReadFile(list) // a thread may have ended
		for id := range bytes.FieldsSeq(text) {
			pid, err := strconv.Atoi(string(id))
			if _, known := ours[pid]; err == nil && !known {
				var status syscall.WaitStatus
				_, _ = syscall.Wait4(pid, &status, syscall.WNOHANG, nil)
			}
		}
	}
}
