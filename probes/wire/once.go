package wire

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// onceKept is how much of the end of its output Once returns, in bytes.
const onceKept = 8 << 10

// Once runs the program of a target to its end, in a process group of its own and
// without input, and returns the end of what it wrote to standard output and
// error. When ctx ends first, the whole group is killed. What it leaves running in
// the background lives on: a program may be there to start something.
func Once(ctx context.Context, t Target) (output string, err error) {
	// A file and no pipe: the end of a pipe is held open by what lives on.
	written, err := os.CreateTemp("", "aql-conform-*")
	if err != nil {
		return "", fmt.Errorf("keeping the output: %w", err)
	}
	defer os.Remove(written.Name())
	defer written.Close()
	cmd := exec.CommandContext(ctx, t.Command[0], t.Command[1:]...)
	ownGroup(cmd)
	cmd.Cancel = func() error { killGroup(cmd); return nil }
	cmd.Dir, cmd.Env = t.Dir, append(os.Environ(), t.Env...)
	cmd.Stdout, cmd.Stderr = written, written
	err = cmd.Run()
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if info, problem := written.Stat(); problem == nil {
		tail := io.NewSectionReader(written, max(0, info.Size()-onceKept), onceKept)
		kept, _ := io.ReadAll(tail)
		output = string(kept)
	}
	return output, err
}
