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

// mark stands in the environment of every process that is started, and so in that
// of its children, whatever session or group they put themselves into.
var mark = "AQL_CONFORM_STARTED=" + rand.Text()

// EndLeftovers kills what the processes started so far left running out of reach of
// Close, in groups and sessions of their own, and returns how many there were. A
// child that emptied its environment is not found. All connections have to be closed.
func EndLeftovers() int {
	ended := map[int]bool{}
	for range 20 { // who is killed may have started another one
		found := marked()
		for _, p := range found {
			ended[p.Pid] = true
			_ = p.Kill()
			_ = p.Release()
		}
		if len(found) == 0 {
			break
		}
		<-time.After(10 * time.Millisecond) // until they are gone
	}
	return len(ended)
}

// marked returns the living processes that carry the mark.
func marked() (found []*os.Process) {
	all, _ := filepath.Glob("/proc/[0-9]*") // the pattern is sound
	for _, folder := range all {
		pid, err := strconv.Atoi(filepath.Base(folder))
		if err != nil || pid == os.Getpid() {
			continue
		}
		p, err := os.FindProcess(pid) // holds the process itself: its number may be another's soon
		if err != nil {
			continue
		}
		environment, err := os.ReadFile(filepath.Join(folder, "environ"))
		if err == nil && slices.ContainsFunc(bytes.Split(environment, []byte{0}), func(v []byte) bool { return string(v) == mark }) {
			found = append(found, p)
			continue
		}
		_ = p.Release()
	}
	return found
}
