//go:build !race

package suites

// raced says that the race detector watches.
const raced = false
