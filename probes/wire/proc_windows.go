//go:build windows

package wire

import "os/exec"

// ownGroup does nothing: Windows has no process groups in this sense, and a
// wrapper's children may outlive it here.
func ownGroup(*exec.Cmd) {}

// termGroup ends the program: Windows has no signal that asks it to.
func termGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

// killGroup ends the program.
func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
