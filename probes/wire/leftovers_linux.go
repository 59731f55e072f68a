package wire

import (
	"bytes"
	"crypto/rand"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

// These stand in the environment of every adapter, and of every command beside it, and so in
// those of their children, whatever session or group they put themselves into.
var (
	mark       = "AQL_CONFORM_STARTED=" + rand.Text()
	besideMark = "AQL_CONFORM_BESIDE=" + rand.Text()
)

// A kin is a process as /proc shows it.
type kin struct {
	parent int
	state  byte
	name   string
	began  string // since the boot, which tells it from a later process of the same id
}

const (
	endTime = 2 * time.Second // for a process to die, or to be found while it replaces itself
	lookAt  = 5 * time.Millisecond
)

// EndLeftovers kills what adapters started so far left running out of reach of Close, in groups
// and sessions of their own, and returns the names. A process that emptied its environment is
// found if AdoptOrphans was called before. All connections have to be closed. What a command
// beside the adapter left running lives on.
func EndLeftovers() (found Leftovers) {
	running.mu.Lock() // nothing starts meanwhile
	defer running.mu.Unlock()
	if !running.any {
		return found
	}
	running.any = false
	seen, until := map[string]string{}, time.Now().Add(endTime)
	var alive map[string]string
	for quiet := 0; quiet < 2 && time.Now().Before(until); { // who replaces itself may hide from one look
		reap()
		alive = map[string]string{}
		for pid, p := range leftover(processes()) {
			key := strconv.Itoa(pid) + " " + p.began
			seen[key], alive[key] = p.name, p.name
			if handle, err := os.FindProcess(pid); err == nil {
				if now, there := look(pid); there && now.began == p.began { // its number may be another's by now
					_ = handle.Kill()
				}
				_ = handle.Release()
			}
		}
		if quiet++; len(alive) > 0 {
			quiet = 0
		}
		<-time.After(lookAt)
	}
	release()
	for key, name := range seen {
		if _, lives := alive[key]; lives {
			found.Alive = append(found.Alive, name)
		} else {
			found.Ended = append(found.Ended, name)
		}
	}
	slices.Sort(found.Ended)
	slices.Sort(found.Alive)
	return found
}

// leftover picks what an adapter left running: what carries the mark, and what descends from
// this process where it adopts orphans. Commands beside the adapter, and what they left, are
// spared with all that descends from them.
func leftover(all map[int]kin) map[int]kin {
	started := listed()
	adopts, left := adopting()
	spared := func(pid int, p kin) bool {
		adapter, ours := started[pid]
		return ours && !adapter || left[pid] == p.began
	}
	mine, found := os.Getpid(), map[int]kin{}
	for pid, p := range all {
		if pid == mine || p.state == 'Z' || p.state == 'X' {
			continue
		}
		environment := environ(pid)
		take := slices.Contains(environment, mark)
		for at, up := pid, p; !slices.Contains(environment, besideMark); {
			if spared(at, up) {
				take = false
				break
			}
			if up.parent == mine {
				take = take || adopts
				break
			}
			next, known := all[up.parent]
			if !known || up.parent == at {
				break
			}
			at, up = up.parent, next
		}
		if take {
			found[pid] = p
		}
	}
	return found
}

// environ is the environment with which a process began; empty where it may not be read.
func environ(pid int) (variables []string) {
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	for v := range bytes.SplitSeq(text, []byte{0}) {
		variables = append(variables, string(v))
	}
	return variables
}

// processes are those that /proc lists.
func processes() map[int]kin {
	folders, _ := filepath.Glob("/proc/[0-9]*") // the pattern is sound
	all := make(map[int]kin, len(folders))
	for _, folder := range folders {
		if pid, err := strconv.Atoi(filepath.Base(folder)); err == nil {
			if p, there := look(pid); there {
				all[pid] = p
			}
		}
	}
	return all
}

// look reads what /proc says of one process: its id, its name in parentheses, and numbers. The
// name may hold anything.
func look(pid int) (p kin, there bool) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	from, to := bytes.IndexByte(text, '('), bytes.LastIndexByte(text, ')')
	if err != nil || from < 0 || to < from {
		return p, false
	}
	fields := bytes.Fields(text[to+1:])
	if len(fields) < 20 {
		return p, false
	}
	p.parent, err = strconv.Atoi(string(fields[1]))
	p.state, p.name, p.began = fields[0][0], string(text[from+1:to]), string(fields[19])
	return p, err == nil
}
