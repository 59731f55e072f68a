//go:build !linux

package main

// counted reads what Linux counts.
func counted() {}
