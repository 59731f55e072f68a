//go:build race

package suites

// raced says that the race detector watches, under which everything takes about ten
// times as long.
const raced = true
