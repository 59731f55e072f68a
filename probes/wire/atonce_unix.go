//go:build unix

package wire

import (
	"io"
	"syscall"
	"time"
)

// atOnce returns what writes to a pipe of the system without ever waiting for its reader,
// and says how much it took; nil where w is none.
func atOnce(w io.Writer) func(line []byte) int {
	f, ok := w.(interface {
		syscall.Conn
		SetWriteDeadline(time.Time) error
	})
	if !ok || f.SetWriteDeadline(time.Time{}) != nil { // a file that would block the thread
		return nil
	}
	conn, err := f.SyscallConn()
	if err != nil {
		return nil
	}
	return func(line []byte) (n int) {
		_ = conn.Write(func(fd uintptr) bool {
			n, _ = syscall.Write(int(fd), line)
			return true
		})
		return max(0, n)
	}
}
