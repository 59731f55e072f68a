package reports

import (
	"bytes"
	"encoding/json"
	"io"
	"unicode/utf8"
)

// writeIndented writes a document for a person or a program to read.
func writeIndented(w io.Writer, doc any) error {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(doc); err != nil {
		return err
	}
	_, err := w.Write(inertJSON(buf.Bytes()))
	return err
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
