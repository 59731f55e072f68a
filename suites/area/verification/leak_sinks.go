package verification

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A leak place is where a code may come out; each has a requirement of its own.
type leakPlace int

const (
	inAnswer leakPlace = iota
	inMeta
	inLog
	inVerifyError
)

// A leakSink is one text that came over the wire.
type leakSink struct {
	place leakPlace
	where string // for the note of a finding
	text  string
	by    probes.Observation // the answer it stands in; zero for what came unasked
}

var logName = regexp.MustCompile(`(?i)(?:^|[_/.\-])logs?(?:$|[_/.\-?])|journal|audit|trace`)

// leakSinks are all texts that a run has brought from the face: each answer, whatever was
// asked, and what came unasked. The names of members count as well, and so does text
// that no JSON holds.
func leakSinks(f *model.Adapter, all probes.Record) []leakSink {
	var found []leakSink
	first := firstStart(all)
	for o := range all.All() {
		if !f.OwnsConnection(o.Probe.Conn) || o.Probe.Beside() || o.Received.Seq < first {
			continue
		}
		place := inAnswer
		uri, _ := probes.ParseValue(o.Probe.Raw())
		switch {
		case o.Probe.Operation() == check.VerifyOperation && !o.Succeeded():
			place = inVerifyError
		case o.Probe.Method == "resources/read" && logName.MatchString(uri.At("uri").Text()),
			logName.MatchString(o.Probe.Operation()) && check.Category(f, o.Probe.Operation()) == "READ":
			place = inLog
		}
		found = append(found, outletsOf(place, o.ReceivedData(), o)...)
	}
	for _, frame := range slices.Concat(f.OwnFrames(all.Strays), f.OwnFrames(all.News)) {
		if frame.Seq < first {
			continue
		}
		place := inAnswer
		if message, _ := probes.ParseValue(frame.Data); message.At("method").Text() == "notifications/message" {
			place = inLog
		}
		found = append(found, outletsOf(place, frame.Data, probes.Observation{})...)
	}
	return found
}

// firstStart is the place in the record where the first agent was started: before it
// there was no challenge, and so no code.
func firstStart(all probes.Record) int {
	first := math.MaxInt
	for o := range all.All() {
		if o.Probe.Operation() == "execute_agent" && o.Sent.Seq > 0 {
			first = min(first, o.Sent.Seq)
		}
	}
	return first
}

// outletsOf parts a message: what stands below a _meta member belongs there, also in an
// envelope that is carried as text.
func outletsOf(place leakPlace, message []byte, by probes.Observation) []leakSink {
	v, err := probes.ParseValue(message)
	if err != nil {
		return []leakSink{{place, "bytes that are no JSON", string(message), by}}
	}
	var meta, rest strings.Builder
	var walk func(v probes.Value, below bool, depth int)
	walk = func(v probes.Value, below bool, depth int) {
		out := &rest
		if below {
			out = &meta
		}
		switch v.Kind() {
		case probes.Object:
			for _, m := range v.Members() {
				fmt.Fprintln(out, m.Name)
				walk(m.Value, below || m.Name == "_meta", depth+1)
			}
		case probes.Array:
			for _, item := range v.Items() {
				walk(item, below, depth+1)
			}
		case probes.String:
			if inner, err := probes.ParseValue([]byte(v.Text())); err == nil && depth < 50 && (inner.Is(probes.Object) || inner.Is(probes.Array)) {
				walk(inner, below, depth+1)
				return
			}
			fmt.Fprintln(out, v.Text())
		default:
			fmt.Fprintln(out, v.String())
		}
	}
	walk(v, false, 0)
	found := []leakSink{{place, "an answer", rest.String(), by}}
	if by.ReceivedData() == nil {
		found[0].where = "a message nobody asked for"
	}
	if meta.Len() > 0 {
		found = append(found, leakSink{inMeta, "a _meta member", meta.String(), by})
	}
	return found
}
