package suites

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes"
)

// A bench is a connection of its own on which a script sends what may hurt, so
// that the main session does not suffer for it. Each thing it tries is followed
// by a question that has to work as before.
type bench struct {
	Subject
	conn string
	ask  Asking
	meta string // what every request owes in the era without handshakes

	hello, first probes.Observation
}

// bench opens the connection of that label and asks it one easy question.
func (s Subject) bench(label string, ask Asking) *bench {
	b := &bench{Subject: s, conn: s.Conn + "/" + label, ask: ask}
	b.hello = ask(probes.Request(b.conn, "initialize", nil))
	b.first = ask(b.easy())
	if discovered(b.hello) {
		b.meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + stateless + `","io.modelcontextprotocol/clientCapabilities":{}},`
	}
	return b
}

// easy is a small question that every adapter can answer. That it goes unanswered
// here is the business of the rows that sent what came before it.
func (b *bench) easy() probes.Probe { return quietly(b.easyLookup()).Over(b.conn) }

// remote reports whether the adapter answers over HTTP, where it may serve
// others beside us.
func (b *bench) remote() bool { return b.first.Status != 0 }

// A trial is one request that may hurt and what followed it in the same session.
type trial struct{ o, next, hello probes.Observation }

// take numbers the questions that belong to one trial.
func take(name string) int { return 1000 + int(crc32.ChecksumIEEE([]byte(name))%1_000_000) }

// try asks a probe and then whether the session is still there. Equal names mean
// equal probes, in whichever check.
func (b *bench) try(name string, p probes.Probe) trial {
	n := take(name)
	if p.Method == "" {
		p = quietly(p)
	}
	o, next := b.ask(p.Over(b.conn).Anew(n)), b.ask(b.easy().Anew(n))
	if next.Outcome == probes.Silent {
		next = b.ask(b.easy().Anew(n + secondTake)) // it may still be busy with the first
	}
	return trial{o, next, b.ask(probes.Request(b.conn, "initialize", nil).Anew(n))}
}

// takes reports whether the adapter takes a call on the connection of the bench.
func (b *bench) takes(p probes.Probe) bool { return b.ask(quietly(p).Over(b.conn)).Succeeded() }

// secondTake tells the second follow-up of a trial from the first.
const secondTake = 2_000_000

// tried returns the trial of that name; its observations are empty when it was
// not tried.
func tried(got []probes.Observation, name string) trial {
	i := slices.IndexFunc(got, func(o probes.Observation) bool { return o.Probe.Take == take(name) })
	if i < 0 {
		return trial{}
	}
	return trialAt(got, i)
}

// trialAt reads the trial that begins with an observation.
func trialAt(got []probes.Observation, i int) trial {
	n := got[i].Probe.Take
	switch {
	case i+2 < len(got) && got[i+1].Probe.Take == n && got[i+2].Probe.Take == n:
		return trial{got[i], got[i+1], got[i+2]}
	case i+3 < len(got) && got[i+2].Probe.Take == n+secondTake && got[i+3].Probe.Take == n:
		return trial{got[i], got[i+2], got[i+3]}
	}
	return trial{}
}

// trials returns all trials of a script in order.
func trials(got []probes.Observation) []trial {
	var all []trial
	for i := 0; i < len(got); i++ {
		if t := trialAt(got, i); got[i].Probe.Take >= 1000 && t.o.Outcome != "" {
			all = append(all, t)
			for i+1 < len(got) && got[i+1].Probe.Take%secondTake == t.o.Probe.Take {
				i++
			}
		}
	}
	return all
}

func (t trial) asked() bool { return t.o.Sent.Dir == "sent" }

// survived rules on the session after the trial.
func (t trial) survived() Ruling {
	const want = "the session to go on"
	switch {
	case !t.asked(), t.next.Outcome == probes.Unasked:
		return NotProven("an adapter that can still be asked", t.o)
	case t.o.Outcome == probes.Gone && t.next.Succeeded() && t.next.Status != 0:
		return Departs("the connection to stay open", t.o)
	case t.o.Outcome == probes.Gone:
		return Violates(want, t.o)
	case t.next.Deferred():
		return NotProven("an answer to the next request", t.next)
	case t.next.Lost():
		return Violates("an answer to the next request", t.next).By(t.o)
	case t.next.Succeeded() && t.hello.Sent.Seq <= t.o.Sent.Seq:
		return Conforms().By(t.o, t.next)
	case t.next.Status != 0:
		return Departs("the HTTP session to go on", t.next).By(t.o)
	case t.next.Succeeded():
		return Violates(want, "a process that ended after its answer").By(t.o)
	}
	return Violates("the next request to work as before", t.next).By(t.o)
}

// frame is one JSON-RPC request written by hand, so that it may hold bytes that
// no encoder would write.
func (b *bench) frame(name, tool string, arguments []byte) probes.Probe {
	f := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":"aqlx-%d","method":"tools/call","params":{%s"name":%s,"arguments":`, take(name), b.meta, probes.ValueOf(tool).Raw())
	return b.thrown("tools/call", append(append(f, arguments...), "}}"...))
}

// thrown is a frame as it stands, whose answer is read as that of the method.
func (b *bench) thrown(method string, frame []byte) probes.Probe {
	return probes.Probe{Conn: b.conn, Method: method, Frame: frame, Within: b.patience()}
}

// patience is how long a request may stay unanswered that some servers drop: far
// longer than the easy question took.
func (b *bench) patience() time.Duration { return 2*time.Second + 10*b.first.Elapsed }

// spot marks the place in a request that the bytes of a trial go to.
const spot = "aqlx_spot"

// fill writes the arguments of a call with other bytes in its spot.
func fill(p probes.Probe, text string) []byte {
	return bytes.Replace(p.Arguments(), []byte(spot), []byte(text), 1)
}

// carriers are READ calls with free text that any string may take the place of:
// the name of a lookup first, which no domain knowledge is needed for.
func carriers(f *Face) []probes.Probe {
	list := []probes.Probe{f.Lookup("operations", spot)}
	for _, s := range eachProven(f) {
		if s.settled != nil || s.Op.Category != "READ" {
			continue
		}
		for _, p := range s.Op.Parameters {
			kinds, _ := f.Kinds(p.Type)
			bound := slices.ContainsFunc([]string{"enum", "pattern", "format", "maxLength"}, p.Raw.Has) || len(f.EnumOf(p)) > 0
			if slices.Equal(kinds, []string{"string"}) && !bound && !probes.IsReference(s.Op, p) {
				list = append(list, s.ValidCall().With(p.Name, spot))
			}
		}
	}
	return list[:min(len(list), 3)]
}

// A vehicle is a documented parameter of a READ operation that takes an array or
// an object, so that what goes into it is read and not overlooked.
type vehicle struct {
	probe probes.Probe // without the parameter
	name  string
	kind  string // array or object
	item  any    // an element the array takes
}

// vehicles are the first few such parameters.
func vehicles(f *Face) []vehicle {
	var list []vehicle
	for _, s := range eachProven(f) {
		if s.settled != nil || s.Op.Category != "READ" {
			continue
		}
		for _, p := range s.Op.Parameters {
			kinds, _ := f.Kinds(p.Type)
			switch field := aField(s.Baseline().Reply.Data()); {
			case slices.Contains(kinds, "object"):
				list = append(list, vehicle{s.ValidCall(), p.Name, "object", nil})
			case p.Name == "fields" && slices.Contains(kinds, "array") && field != "":
				list = append(list, vehicle{s.ValidCall(), p.Name, "array", field})
			case slices.Contains(kinds, "array"):
				list = append(list, vehicle{s.ValidCall(), p.Name, "array", itemOf(s, p)})
			}
		}
	}
	slices.SortStableFunc(list, func(x, y vehicle) int { return strings.Compare(y.kind, x.kind) }) // objects take anything
	return list[:min(len(list), 4)]
}

// itemOf is an element of an array that the parameter takes.
func itemOf(s Subject, p probes.Parameter) any {
	for _, v := range s.Gen.Values(s.Op, p) {
		if items := v.Items(); len(items) > 0 {
			return items[0].Go()
		}
	}
	return s.Gen.Marker("")
}

// with returns the call that carries a value in the vehicle: the value itself in
// an object, or the values as elements of an array.
func (v vehicle) with(inside any) probes.Probe {
	if v.kind == "object" {
		return v.probe.With(v.name, map[string]any{"aqlx": inside})
	}
	return v.probe.With(v.name, []any{inside})
}

// onMain keeps a check that costs the adapter something to the main face.
func onMain(f *Face) []Subject {
	if f.Label != "" {
		return []Subject{Subject{Face: f, Name: "adapter"}.settle(NotApplicable("asked of the main face alone"))}
	}
	return introspecting(f)
}

// attested rules on a duty to document, which the wire can confirm and only the
// author can deny: documentation may stand elsewhere.
func attested(f *Face, hint string, found bool, want, got string) Ruling {
	word, given := f.Hint(hint)
	switch {
	case found:
		return Conforms()
	case !given:
		return unhinted(hint, "where "+want+" stands, or no")
	case slices.Contains([]string{"no", "none", "false", ""}, strings.ToLower(strings.TrimSpace(word))):
		return Departs(want, got)
	}
	return Conforms().Noting("attested: " + clip(word))
}
