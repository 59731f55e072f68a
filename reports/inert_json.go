package reports

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"iter"
	"unicode/utf8"
)

// writeIndented writes a document for a person or a program to read.
func writeIndented(w io.Writer, doc any) error {
	text, err := indented("", doc)
	if err == nil {
		_, err = w.Write(append(text, '\n'))
	}
	return err
}

// writeListing writes a document whose last member is an empty list, with the items in
// that list: one after the other, because all together may be long.
func writeListing(w io.Writer, doc any, items iter.Seq[any]) error {
	head, err := indented("", doc)
	if err != nil {
		return err
	}
	const indent, empty = "    ", "[]\n}"
	out := bufio.NewWriter(w) // which keeps its first error for Flush
	out.Write(bytes.TrimSuffix(head, []byte(empty)))
	before, end := "[\n"+indent, empty
	for item := range items {
		text, err := indented(indent, item)
		if err != nil {
			return err
		}
		out.WriteString(before)
		out.Write(text)
		before, end = ",\n"+indent, "\n  ]\n}"
	}
	out.WriteString(end + "\n")
	return out.Flush()
}

// indented is a value as it stands in a document behind that much indent.
func indented(indent string, v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent(indent, "  ")
	err := enc.Encode(v)
	return inertJSON(bytes.TrimSuffix(buf.Bytes(), []byte("\n"))), err
}

// inertJSON escapes what encoding/json lets through: such characters stand in
// strings only, where an escape means the same.
func inertJSON(doc []byte) []byte {
	out := make([]byte, 0, len(doc))
	for len(doc) > 0 {
		r, n := utf8.DecodeRune(doc)
		if r != '\n' && hidden(r) {
			out = append(out, escaped(r)...)
		} else {
			out = append(out, doc[:n]...)
		}
		doc = doc[n:]
	}
	return out
}
