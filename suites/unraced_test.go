//go:build !race

package suites

import (
	"time"
)

// raced says that the race detector watches.
const raced = false

// longestAnswer is how long a test waits for one answer.
const longestAnswer = 3 * time.Second
