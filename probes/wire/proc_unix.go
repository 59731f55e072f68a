//go:build unix

package wire

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the program into a process group of its own, so that a signal
// reaches the adapter behind a wrapper such as sh or npx too.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// termGroup asks every process of the group to end.
func termGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }

// killGroup ends every process of the group. It also works after the leader was
// reaped: the group exists as long as one member does.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
