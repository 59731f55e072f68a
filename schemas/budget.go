package schemas

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// ErrBudget means that a question was not answered because answering it could
// cost too much: a document too large or too deep, a schema that expands
// without end, a match that took too long. It is never a verdict.
var ErrBudget = errors.New("over budget")

// limits bound one JSON document before anything is built from it.
type limits struct {
	bytes  int
	depth  int
	values int
	// weight bounds the sum of the depths of all values: each fault copies the
	// path to its value, so a document both deep and wide costs their product.
	weight int
}

var (
	documentLimits = limits{bytes: 16 << 20, depth: 1000, values: 500_000, weight: 8_000_000}
	// An instance is checked against a schema that may nest its own references
	// at every level, and the stack of the validator is their product. Its
	// "uniqueItems" can be made to compare every item with every other.
	instanceLimits = limits{bytes: 16 << 20, depth: 512, values: 100_000, weight: 2_000_000}
	schemaLimits   = limits{bytes: 1 << 20, depth: 256, values: 200_000, weight: 4_000_000}
)

const (
	// A number with a huge exponent is a few bytes on the wire and megabytes
	// as a rational, which is what exact comparison needs.
	maxExponent = 400
	maxDigits   = 1000
)

// parse turns a document into values with exact numbers. The error wraps
// ErrBudget, or says why the bytes are not JSON.
func (l limits) parse(doc []byte) (any, error) {
	if err := l.weigh(doc); err != nil {
		return nil, err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
	if err != nil {
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	return value, nil
}

// weigh reads the bytes once and builds nothing. It need not know the grammar:
// what is not JSON fails later, and until then it only has to count no less
// than a parser would.
func (l limits) weigh(doc []byte) error {
	if len(doc) > l.bytes {
		return fmt.Errorf("%w: %d bytes, at most %d", ErrBudget, len(doc), l.bytes)
	}
	depth, values, weight := 0, 1, 0
	for i := 0; i < len(doc); i++ {
		switch c := doc[i]; {
		case c == '"':
			i = endOfString(doc, i)
		case c == '[' || c == '{':
			depth++
			values++
			weight += depth
		case c == ']' || c == '}':
			depth--
		case c == ',':
			values++
			weight += depth
		case c == '-' || isDigit(c):
			end := endOfNumber(doc, i)
			if err := weighNumber(doc[i:end]); err != nil {
				return err
			}
			i = end - 1
		}
		if depth > l.depth {
			return fmt.Errorf("%w: nested deeper than %d levels", ErrBudget, l.depth)
		}
		if values > l.values || weight > l.weight {
			return fmt.Errorf("%w: too many values (%d by byte %d)", ErrBudget, values, i)
		}
	}
	return nil
}

func weighNumber(literal []byte) error {
	if len(literal) > maxDigits {
		return fmt.Errorf("%w: a number of %d characters, at most %d", ErrBudget, len(literal), maxDigits)
	}
	e := bytes.IndexAny(literal, "eE")
	if e < 0 {
		return nil
	}
	exponent := 0
	for _, c := range literal[e+1:] {
		if !isDigit(c) {
			continue
		}
		if exponent = exponent*10 + int(c-'0'); exponent > maxExponent {
			return fmt.Errorf("%w: the number %s has an exponent beyond %d", ErrBudget, shorten(string(literal)), maxExponent)
		}
	}
	return nil
}

// endOfString returns the index of the closing quote, or of the last byte.
func endOfString(doc []byte, open int) int {
	for i := open + 1; i < len(doc); i++ {
		switch doc[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(doc) - 1
}

func endOfNumber(doc []byte, start int) int {
	for i := start; i < len(doc); i++ {
		if c := doc[i]; !isDigit(c) && c != '-' && c != '+' && c != '.' && c != 'e' && c != 'E' {
			return i
		}
	}
	return len(doc)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
