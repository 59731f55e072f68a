//go:build race

package suites

import "time"

// raced says that the race detector watches, under which everything takes about ten
// times as long.
const raced = true

// longestAnswer is how long a test waits for one answer.
const longestAnswer = 20 * time.Second
