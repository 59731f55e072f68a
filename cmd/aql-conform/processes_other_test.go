//go:build !linux

package main

import "os"

// remaining finds nothing where there is no /proc.
func remaining(string) []string { return nil }

// peakMemory is unknown here.
func peakMemory(*os.ProcessState) int64 { return 0 }
