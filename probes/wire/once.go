package wire

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// onceKept is how much of the end of its output Once returns, in bytes.
const onceKept = 64 << 10

// Once runs the program of a target to its end, in a process group of its own and
// without input, and returns the end of what it wrote to standard output and to
// standard error. When ctx ends first, the whole group is killed. What it leaves
// running in the background lives on: a program may be there to start something.
func Once(ctx context.Context, t Target) (output, problems string, err error) {
	// Files and no pipes: the end of a pipe is held open by what lives on.
	var kept [2]*os.File
	for i := range kept {
		if kept[i], err = os.CreateTemp("", "aql-conform-*"); err != nil {
			return "", "", fmt.Errorf("keeping the output: %w", err)
		}
		defer os.Remove(kept[i].Name())
		defer kept[i].Close()
	}
	cmd := exec.CommandContext(ctx, t.Command[0], t.Command[1:]...)
	ownGroup(cmd)
	cmd.Cancel = func() error { killGroup(cmd); return nil }
	cmd.Dir, cmd.Env = t.Dir, environment(t, besideMark)
	cmd.Stdout, cmd.Stderr = kept[0], kept[1]
	before := adoptees()
	if err = launch(cmd, false); err == nil {
		err = cmd.Wait()
		spareSince(before)
		ended(cmd)
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return tail(kept[0]), tail(kept[1]), err
}

// tail returns the end of a file.
func tail(f *os.File) string {
	info, err := f.Stat()
	if err != nil {
		return ""
	}
	text, _ := io.ReadAll(io.NewSectionReader(f, max(0, info.Size()-onceKept), onceKept))
	return string(text)
}
