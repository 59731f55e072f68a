package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// remaining names the processes that carry a mark in their environment. What was
// killed takes a moment to be gone.
func remaining(mark string) []string {
	var left []string
	for until := time.Now().Add(2 * time.Second); ; <-time.After(20 * time.Millisecond) {
		if left = marked(mark); len(left) == 0 || time.Now().After(until) {
			return left
		}
	}
}

func marked(mark string) (found []string) {
	all, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range all {
		environment, err := os.ReadFile(file) // empty for what has ended and was not waited for
		if err == nil && slices.ContainsFunc(bytes.Split(environment, []byte{0}), func(v []byte) bool { return string(v) == mark }) {
			line, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
			found = append(found, fmt.Sprintf("%s %s", filepath.Base(filepath.Dir(file)), bytes.ReplaceAll(line, []byte{0}, []byte(" "))))
		}
	}
	return found
}

// peakMemory is the most memory that the process ever had, in bytes.
func peakMemory(ended *os.ProcessState) int64 {
	usage, ok := ended.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return usage.Maxrss << 10 // Linux counts in KiB
}
