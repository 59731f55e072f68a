package limits

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A limit is one row of the table in section 4.7.5.
type limit struct {
	member      string   // of _protocol.limits
	standard    int      // the default
	least, most int      // the configurable range
	floor       int      // least, with 1 KB read as 1000 bytes
	words       []string // one of which a refusal speaks of
	loose       []string // words that tell as much in details, where they stand alone
}

// The limits of section 4.7.5.
var (
	requestLimit  = limit{"max_request_size", 1 << 20, 64 << 10, 10 << 20, 64_000, []string{"request", "body"}, []string{"payload", "size", "message"}}
	responseLimit = limit{"max_response_size", 10 << 20, 1 << 20, 100 << 20, 1_000_000, []string{"response"}, []string{"result"}}
	stringLimit   = limit{"max_string_length", 1 << 20, 64 << 10, 10 << 20, 64_000, []string{"string", "text"}, []string{"length"}}
	elementLimit  = limit{"max_array_elements", 10_000, 100, 100_000, 100, []string{"array", "element", "item"}, []string{"list"}}
	depthLimit    = limit{"max_nesting_depth", 32, 8, 64, 8, []string{"nest", "depth", "deep"}, []string{"level"}}
	limits        = []limit{requestLimit, responseLimit, stringLimit, elementLimit, depthLimit}
)

// of returns the limit a face advertises.
func (l limit) of(f *model.Adapter) (n int, advertised bool) {
	v, ok := f.Protocol.At("limits", l.member).Float()
	if !ok || v < 1 || v > 1<<31 {
		return 0, false
	}
	return int(v), true
}

// beyond are values above the limit, to be tried in turn until one is refused: of
// an advertised limit the value with a margin, of any other one that with the
// default and then, because limits may be configured, with the end of the range.
func (l limit) beyond(f *model.Adapter) []int {
	margin := func(n int) int {
		if l.member == depthLimit.member {
			return n + 4 // the root from which levels count is disputed by up to 3
		}
		return n + n/20 + 1
	}
	n, advertised := l.of(f)
	if !advertised {
		n = l.standard
	}
	if n >= l.most {
		return []int{margin(n)}
	}
	return []int{margin(n), margin(l.most)}
}

// units are what the limits count.
var units = map[string]string{
	requestLimit.member: "bytes", responseLimit.member: "bytes", stringLimit.member: "bytes", elementLimit.member: "elements", depthLimit.member: "levels",
}

// said is the limit in words, with its number and where that comes from.
func (l limit) said(f *model.Adapter) string {
	if n, advertised := l.of(f); advertised {
		return fmt.Sprintf("%d %s, as %s of _protocol says", n, units[l.member], l.member)
	}
	return fmt.Sprintf("%d %s, the default of section 4.7.5, as _protocol has no %s", l.standard, units[l.member], l.member)
}

// numbered adds to a ruling that accuses which limit was exceeded.
func (l limit) numbered(s model.Subject, r ruling.Ruling, fix string) ruling.Ruling {
	if r.Verdict != reports.Fail && r.Verdict != reports.Warn || r.Fix != "" {
		return r
	}
	if r.Want == tooLargeCode {
		r.Want += " above " + l.said(s.Adapter)
	}
	return r.Mend(fix + ": " + l.said(s.Adapter))
}

// bounding is a limiting check on one limit, whose number the rulings name.
func bounding(l limit, row string, ask func(b *check.IsolatedSession), judge func(s model.Subject, got probes.Answers) ruling.Ruling, fix string) check.Check {
	return limiting(row, ask, func(s model.Subject, got probes.Answers) ruling.Ruling {
		r := l.numbered(s, judge(s, got), fix)
		if strings.HasPrefix(r.Want, tooLargeCode) && r.Fix != "" && len(r.Evidence) > 0 { // the name of the step ends with the size
			words := strings.Fields(r.Evidence[0].Probe.Step)
			if n, err := strconv.Atoi(words[len(words)-1]); err == nil {
				r.Got += fmt.Sprintf(" for %d %s", n, units[l.member])
				if steps := l.beyond(s.Adapter); len(steps) == 2 && n >= steps[1] {
					r.Got += fmt.Sprintf(", above %d, the largest limit of section 4.7.5", l.most)
				}
			}
		}
		return r
	}, fix)
}

// largest is the size above which nothing is sent.
const largest = 12_000_000

// tooLarge reports whether an answer is the refusal that section 4.7.5 demands.
func tooLarge(o probes.Observation) bool { return o.Code() == "VALIDATION_PAYLOAD_TOO_LARGE" }

const tooLargeCode = "error VALIDATION_PAYLOAD_TOO_LARGE"

// padded is an easy lookup with metadata of about n bytes, in strings below any
// limit of strings and arrays below any limit of elements.
func padded(s model.Subject, n int) probes.Probe {
	return sunk(check.SimpleLookup(s).Top("_aqlx_pad", check.Placeholder), padding(n))
}

// padding is a JSON value of about n bytes.
func padding(n int) []byte {
	text := bytes.Repeat([]byte("a"), min(n, 50_000))
	b := append(make([]byte, 0, n+n/100+16), "[["...)
	for i := 0; n > 0; i++ {
		if i > 0 {
			b = append(b, map[bool]string{true: "],[", false: ","}[i%50 == 0]...)
		}
		b = append(append(append(b, '"'), text[:min(n, len(text))]...), '"')
		n -= len(text)
	}
	return append(b, "]]"...)
}

// lookupLong is a lookup of a name of n letters.
func lookupLong(s model.Subject, n int) probes.Probe {
	return sunk(s.Lookup("operations", check.Placeholder), append(append([]byte{'"'}, bytes.Repeat([]byte("a"), n)...), '"'))
}

// A nesting is one way to nest.
type nesting struct {
	name        string
	open, close [2]string // of odd and even levels
}

// nestings are the three ways: objects, arrays, both by turns.
var nestings = []nesting{
	{"objects", [2]string{`{"a":`, `{"a":`}, [2]string{"}", "}"}},
	{"arrays", [2]string{"[", "["}, [2]string{"]", "]"}},
	{"objects and arrays by turns", [2]string{`{"a":`, "["}, [2]string{"}", "]"}},
}

// nest writes a value of n nested levels.
func (sh nesting) nest(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		b.WriteString(sh.open[i%2])
	}
	b.WriteString("0")
	for i := n - 1; i >= 0; i-- {
		b.WriteString(sh.close[i%2])
	}
	return b.Bytes()
}

// deep is an easy lookup whose arguments are n levels deep, the arguments object
// being the first.
func deep(s model.Subject, sh nesting, n int) probes.Probe {
	return sunk(check.SimpleLookup(s).Top("_aqlx_pad", check.Placeholder), sh.nest(n-1))
}

// deepIn puts the levels into a documented parameter, which stands two levels below
// the arguments object.
func deepIn(v check.CarrierParameter, sh nesting, n int) probes.Probe {
	return sunk(v.With(check.Placeholder), sh.nest(n-3))
}

// sunk is a call with JSON in its spot that may be deeper than a reader takes.
func sunk(p probes.Probe, json []byte) probes.Probe {
	q := check.RawCall(p)
	return q.WithRaw(bytes.Replace(q.Raw(), []byte(`"`+check.Placeholder+`"`), json, 1))
}

// consent reports whether large requests may be sent: a process that we started
// is ours to try, a server that others use is not.
func consent(b *check.IsolatedSession) bool { return !b.OverHTTP() || b.May.Writes() }

// noConsent rules where it is missing.
func noConsent() ruling.Ruling {
	return ruling.NotProven("permission for large requests", "none over HTTP").Mend("--allow create,delete, or run the adapter as a command")
}
