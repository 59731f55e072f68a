package suites

import (
	"context"
	"time"
)

// schemaBudget bounds the work on one adapter-supplied schema; a schema that
// needs more is hostile or broken.
const schemaBudget = 2 * time.Second

func budget() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), schemaBudget)
}
