package probes

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/go-json-experiment/json"
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
	lines, large := newLines(r), &Attic{}
	for {
		texts, rest, err := readLines(lines)
		for _, l := range parsed(texts) {
			n := len(entries) + 1
			if err := l.holds(digest, entries); err != nil {
				return nil, "", &TranscriptError{Line: n, Problem: err.Error()}
			}
			large.Take(l.entry)
			entries, digest = append(entries, l.entry), l.Link
		}
		switch n := len(entries) + 1; {
		case errors.Is(err, io.EOF):
			return entries, digest, unfinished(entries, n, len(rest) > 0)
		case err != nil:
			return nil, "", &TranscriptError{Line: n, Problem: err.Error()}
		}
	}
}

// linesAtOnce is how many bytes of a transcript are read before they are parsed side by
// side.
const linesAtOnce = 1 << 20

// readLines reads the next whole lines. At the end of the file, packed or not, the error
// is io.EOF, and what is left is no whole line.
func readLines(lines *bufio.Reader) (whole [][]byte, rest []byte, err error) {
	for size := 0; size < linesAtOnce; {
		text, ended, err := readLine(lines, nil)
		if err != nil {
			return whole, nil, err
		}
		if ended {
			return whole, text, io.EOF
		}
		whole = append(whole, text)
		size += len(text)
	}
	return whole, nil, nil
}

// A parsedLine is what one line says, or why it says nothing.
type parsedLine struct {
	line
	entry Entry
	wrong error // with the line
	odd   error // with what the entry holds
}

// parsed parses lines, each by itself: what a line says of the one before is not looked at.
func parsed(texts [][]byte) []parsedLine {
	all := make([]parsedLine, len(texts))
	SideBySide(len(texts), runtime.GOMAXPROCS(0), func(i int) {
		l := &all[i]
		if l.line, l.wrong = lineOf(texts[i]); l.wrong == nil {
			l.entry, l.odd = EntryOf(l.Entry)
		}
	})
	return all
}

// holds says what is wrong with a line that follows on others.
func (l parsedLine) holds(before string, entries []Entry) error {
	err := l.wrong
	if err == nil {
		err = l.follows(before)
	}
	if err == nil {
		err = l.odd
	}
	if err == nil {
		err = inPlace(len(entries)+1, l.entry, entries)
	}
	return err
}

func newLines(r io.Reader) *bufio.Reader { return bufio.NewReaderSize(r, 1<<20) }

// readLine returns a line with its end; ended says that the file, packed or not, has no
// more whole ones.
func readLine(lines *bufio.Reader, text []byte) (line []byte, ended bool, err error) {
	text, err = readLong(lines, text)
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

// lineOf reads a line.
func lineOf(text []byte) (l line, err error) {
	if err = json.Unmarshal(text, &l, json.RejectUnknownMembers(true)); err != nil {
		err = fmt.Errorf("not a line of a transcript: %w", plainly(err))
	}
	return l, err
}

// plainLine reads a line as this program writes it, without a copy; any other has no entry.
func plainLine(text []byte) line {
	head, middle, tail := []byte(`{"link":"`), []byte(`","entry":`), []byte("}\n")
	at := len(head) + 2*sha256.Size
	if !bytes.HasPrefix(text, head) || len(text) < at+len(middle)+len(tail) || !bytes.HasPrefix(text[at:], middle) || !bytes.HasSuffix(text, tail) {
		return line{}
	}
	return line{Link: string(text[len(head):at]), Entry: text[at+len(middle) : len(text)-len(tail)]}
}

// follows holds the link of a line against the one before.
func (l line) follows(before string) error {
	if l.Link != linked(before, l.Entry) {
		return errors.New("the chain is broken: this line was changed, or an earlier line is missing or moved")
	}
	return nil
}

// EntryOf reads one entry. An error says what this version does not know.
func EntryOf(raw []byte) (Entry, error) {
	var e Entry
	if err := json.Unmarshal(raw, &e, json.RejectUnknownMembers(true)); err != nil {
		return e, fmt.Errorf("unknown entry: %w", plainly(err))
	}
	set := map[string]bool{
		"head": e.Head != nil, "plan": e.Plan != nil, "hello": e.Hello != nil, "answer": e.Answer != nil,
		"rest": e.Rest != nil, "event": e.Event != nil, "again": e.Again != nil, "foot": e.Foot != nil,
	}
	if !set[e.Kind] {
		return e, fmt.Errorf("entry of kind %q without content", e.Kind)
	}
	return e, nil
}

// plainly is an error of the reader in words that are the same each time, which those of
// the library are not meant to be.
func plainly(err error) error {
	var odd *json.SemanticError
	if !errors.As(err, &odd) {
		return err
	}
	at := fmt.Sprintf("%.100q", odd.JSONPointer) // names may be anything, and long
	if odd.Err == nil {
		return errors.New("wrong type of value at " + at)
	}
	return fmt.Errorf("at %s: %w", at, odd.Err)
}

// inPlace holds the entries to their order: one head first, one foot last.
func inPlace(n int, e Entry, before []Entry) error {
	switch {
	case (n == 1) != (e.Kind == "head"):
		return errors.New("the head must be the first line, and only there")
	case n > 1 && before[len(before)-1].Kind == "foot":
		return errors.New("there is text after the end entry")
	}
	return nil
}

// readLong reads a line into text, or where that has no room.
func readLong(r *bufio.Reader, text []byte) ([]byte, error) {
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
