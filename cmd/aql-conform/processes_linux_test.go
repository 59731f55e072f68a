package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// remaining names the processes that carry a mark in their environment or run a program
// that is of one run alone. What was killed takes a moment to be gone.
func remaining(mark, program string) []string {
	var left []string
	for until := time.Now().Add(2 * time.Second); ; <-time.After(20 * time.Millisecond) {
		if left = belonging(mark, program); len(left) == 0 || time.Now().After(until) {
			return left
		}
	}
}

func belonging(mark, program string) (found []string) {
	all, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range all {
		environment, _ := os.ReadFile(file) // empty for what has ended and was not waited for
		runs, _ := os.Readlink(filepath.Join(filepath.Dir(file), "exe"))
		if program != "" && runs == program || mark != "" && slices.ContainsFunc(bytes.Split(environment, []byte{0}), func(v []byte) bool { return string(v) == mark }) {
			line, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
			found = append(found, fmt.Sprintf("%s %s", filepath.Base(filepath.Dir(file)), bytes.ReplaceAll(line, []byte{0}, []byte(" "))))
		}
	}
	return found
}

// endRemaining ends what runs a program. A checker inside of this process cannot: it does not adopt the
// children of others.
func endRemaining(program string) {
	for _, line := range belonging("", program) {
		pid, _, _ := strings.Cut(line, " ")
		if n, err := strconv.Atoi(pid); err == nil {
			_ = syscall.Kill(n, syscall.SIGKILL)
		}
	}
}

// How often the memory of a process is looked at. The kernel keeps the peak, so what is
// missed is the growth of the last moment.
const memoryLook = 10 * time.Millisecond

// peakMemory watches a process; the function it returns says, after the process has
// ended, how many bytes of memory it had at most. What the kernel tells a parent of its
// ended children is of no use: a child begins with the peak of its parent.
func peakMemory(pid int) func() int64 {
	var peak atomic.Int64
	ended, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		for {
			text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
			if _, after, found := bytes.Cut(text, []byte("VmHWM:")); found {
				var kib int64
				if n, _ := fmt.Fscan(bytes.NewReader(after), &kib); n == 1 {
					peak.Store(kib << 10)
				}
			}
			select {
			case <-ended:
				return
			case <-time.After(memoryLook):
			}
		}
	}()
	return func() int64 {
		close(ended)
		<-over
		return peak.Load()
	}
}
