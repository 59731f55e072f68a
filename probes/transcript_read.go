package probes

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxLine bounds one line of a transcript that is read, in bytes: two frames of the
// greatest kept size in their longest form.
const maxLine = 64 << 20

// A TranscriptError says where a transcript cannot be believed.
type TranscriptError struct {
	Line    int // from 1
	Problem string
	Cut     bool // nothing is wrong before that line: the run or the file ended there
}

func (e *TranscriptError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Problem) }

// ReadTranscript reads and verifies a transcript and returns its entries and its
// digest. It fails with a *TranscriptError that names the first line that is not as
// it was written. Where the end is missing, and nothing else, the error says so and
// what stands before comes with it.
func ReadTranscript(r io.Reader) (entries []Entry, digest string, err error) {
	lines := newLines(r)
	for n := 1; ; n++ {
		text, ended, err := readLine(lines)
		if err != nil {
			return nil, "", &TranscriptError{Line: n, Problem: err.Error()}
		}
		if ended {
			return entries, digest, unfinished(entries, n, len(text) > 0)
		}
		e, link, err := linkedEntry(text, digest)
		if err == nil {
			err = inPlace(n, e, entries)
		}
		if err != nil {
			return nil, "", &TranscriptError{Line: n, Problem: err.Error()}
		}
		entries, digest = append(entries, e), link
	}
}

func newLines(r io.Reader) *bufio.Reader { return bufio.NewReaderSize(r, 1<<20) }

// readLine returns a line with its end; ended says that the file, packed or not, has no
// more whole ones.
func readLine(lines *bufio.Reader) (text []byte, ended bool, err error) {
	text, err = readLong(lines)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return text, true, nil
	}
	return text, false, err
}

// unfinished says what the end of a transcript lacks; nil when it is whole.
func unfinished(entries []Entry, n int, cut bool) error {
	switch {
	case cut:
		return &TranscriptError{n, "the line is cut off", len(entries) > 0 && entries[len(entries)-1].Kind != "foot"}
	case len(entries) == 0:
		return &TranscriptError{Line: 1, Problem: "the transcript is empty"}
	case entries[len(entries)-1].Kind != "foot":
		return &TranscriptError{n, "the end is missing: the run did not finish, or the file is cut off", true}
	}
	return nil
}

// linkedEntry reads the entry of a line and holds its link against the one before.
func linkedEntry(text []byte, before string) (e Entry, link string, err error) {
	raw, link, err := linkedRaw(text, before)
	if err == nil {
		e, err = EntryOf(raw)
	}
	return e, link, err
}

// linkedRaw is linkedEntry without a look at what the entry holds.
func linkedRaw(text []byte, before string) (raw []byte, link string, err error) {
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		return nil, "", fmt.Errorf("no line of a transcript: %w", err)
	}
	if link = linked(before, l.Entry); l.Link != link {
		return nil, "", errors.New("the link does not fit: this line was changed, or one before it is missing or moved")
	}
	return l.Entry, link, nil
}

// EntryOf reads one entry. An error says what this version does not know.
func EntryOf(raw []byte) (Entry, error) {
	var e Entry
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&e); err != nil {
		return e, fmt.Errorf("an entry that this version does not know: %w", err)
	}
	set := map[string]bool{
		"head": e.Head != nil, "plan": e.Plan != nil, "hello": e.Hello != nil, "answer": e.Answer != nil,
		"rest": e.Rest != nil, "event": e.Event != nil, "again": e.Again != nil, "foot": e.Foot != nil,
	}
	if !set[e.Kind] {
		return e, fmt.Errorf("an entry of kind %q without its content", e.Kind)
	}
	return e, nil
}

// inPlace holds the entries to their order: one head first, one foot last.
func inPlace(n int, e Entry, before []Entry) error {
	switch {
	case (n == 1) != (e.Kind == "head"):
		return errors.New("the head of a transcript is its first line, and no other")
	case n > 1 && before[len(before)-1].Kind == "foot":
		return errors.New("something stands behind the end")
	}
	return nil
}

func readLong(r *bufio.Reader) ([]byte, error) {
	var text []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(text)+len(part) > maxLine {
			return nil, fmt.Errorf("longer than %d bytes", maxLine)
		}
		text = append(text, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return text, err
		}
	}
}
