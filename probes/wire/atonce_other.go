//go:build !unix

package wire

import "io"

// atOnce is for systems whose pipes can be asked not to wait.
func atOnce(io.Writer) func(line []byte) int { return nil }
