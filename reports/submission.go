package reports

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// SubmissionCommands are the command lines that belong to a submission, without secrets.
type SubmissionCommands struct {
	Run    string // makes the run once more
	Judge  string // judges the transcript
	Verify string // checks the seal; empty without one
	Hints  string // digest of the hints file that the run was told; empty without one
}

// Headline is the verdict in one line of inert text.
func (r *Report) Headline() string {
	_, word, rest := r.page(TextOptions{Width: 80}).outcome()
	return Inert(word + " " + rest)
}

// WriteSubmission writes the README of a submission to a registry: what was judged, and
// the commands with which a stranger makes the run again and checks what is claimed.
func WriteSubmission(w io.Writer, r *Report, c SubmissionCommands) error {
	var b bytes.Buffer
	p := r.page(TextOptions{Width: 80})
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	block := func(command string) { line("%s\n", strings.Join(fenced("sh", []string{command}), "\n")) }

	line("# %s\n", code(p.server()))
	line("%s\n", prose(r.Headline()))
	line("| | |\n|---|---|")
	line("| adapter | %s |", tag(r.Run.Adapter))
	for _, l := range r.Levels {
		line("| level %d | **%s**: %s |", l.Number, l.Standing, l.Must)
	}
	line("| run | %s, seed %d, with %s |", timestamp(r.Run.Started), r.Run.Seed, tag(r.Run.Tool))
	line("| verdicts | %s |\n", tag(r.Digest))
	line("The verdict rests on the transcript alone. Judge it again, without the adapter:\n")
	block(c.Judge)
	if c.Verify != "" {
		line("Check the seal, with the public key of whoever submitted it:\n")
		block(c.Verify)
	}
	line("Verify this and every other submission, from the root of the registry:\n")
	block("aql-conform registry .")
	line("Make the run again, with the adapter at hand; the same behaviour gives the same digest of verdicts:\n")
	block(c.Run)
	if c.Hints != "" {
		line("The run was told hints; the file has the sha256 %s.", code(c.Hints))
	}
	_, err := w.Write(b.Bytes())
	return err
}
