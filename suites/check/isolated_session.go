package check

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// An IsolatedSession is a connection of its own on which a script sends what may hurt, so
// that the main session does not suffer for it. Each thing it tries is followed
// by a question that has to work as before.
type IsolatedSession struct {
	model.Subject
	IsolatedConn string
	Ask          model.AskFunc
	Meta         string // what every request owes in the era without handshakes

	hello, First probes.Observation
}

// NewIsolatedSession opens the connection of that label and asks it one easy question.
func NewIsolatedSession(s model.Subject, label string, ask model.AskFunc) *IsolatedSession {
	b := &IsolatedSession{Subject: s, IsolatedConn: s.Conn + "/" + label, Ask: ask}
	b.hello = ask(probes.Request(b.IsolatedConn, "initialize", nil))
	b.First = ask(b.easy())
	if Discovered(b.hello) {
		b.Meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + Stateless + `","io.modelcontextprotocol/clientCapabilities":{}},`
	}
	return b
}

// easy is a small question that every adapter can answer. That it goes unanswered
// here is the business of the rows that sent what came before it.
func (b *IsolatedSession) easy() probes.Probe {
	return Quietly(EasyLookup(b.Subject)).Over(b.IsolatedConn)
}

// Remote reports whether the adapter answers over HTTP, where it may serve
// others beside us.
func (b *IsolatedSession) Remote() bool { return b.First.Status != 0 }

// A Trial is one request that may hurt and what followed it in the same session.
type Trial struct{ O, Next, hello probes.Observation }

// Take numbers the questions that belong to one trial.
func Take(name string) int { return 1000 + int(crc32.ChecksumIEEE([]byte(name))%1_000_000) }

// Try asks a probe and then whether the session is still there. Equal names mean
// equal probes, in whichever check.
func (b *IsolatedSession) Try(name string, p probes.Probe) Trial {
	n := Take(name)
	if p.Method == "" {
		p = Quietly(p)
	}
	o, next := b.Ask(p.Over(b.IsolatedConn).Anew(n)), b.Ask(b.easy().Anew(n))
	if next.Outcome == probes.Silent {
		next = b.Ask(b.easy().Anew(n + secondTake)) // it may still be busy with the first
	}
	return Trial{o, next, b.Ask(probes.Request(b.IsolatedConn, "initialize", nil).Anew(n))}
}

// Takes reports whether the adapter takes a call on the connection of the bench.
func (b *IsolatedSession) Takes(p probes.Probe) bool {
	return b.Ask(Quietly(p).Over(b.IsolatedConn)).Succeeded()
}

// secondTake tells the second follow-up of a trial from the first.
const secondTake = 2_000_000

// Tried returns the trial of that name; its observations are empty when it was
// not tried.
func Tried(got []probes.Observation, name string) Trial {
	i := slices.IndexFunc(got, func(o probes.Observation) bool { return o.Probe.Take == Take(name) })
	if i < 0 {
		return Trial{}
	}
	return trialAt(got, i)
}

// trialAt reads the trial that begins with an observation.
func trialAt(got []probes.Observation, i int) Trial {
	n := got[i].Probe.Take
	switch {
	case i+2 < len(got) && got[i+1].Probe.Take == n && got[i+2].Probe.Take == n:
		return Trial{got[i], got[i+1], got[i+2]}
	case i+3 < len(got) && got[i+2].Probe.Take == n+secondTake && got[i+3].Probe.Take == n:
		return Trial{got[i], got[i+2], got[i+3]}
	}
	return Trial{}
}

// Trials returns all trials of a script in order.
func Trials(got []probes.Observation) []Trial {
	var all []Trial
	for i := 0; i < len(got); i++ {
		if t := trialAt(got, i); got[i].Probe.Take >= 1000 && t.O.Outcome != "" {
			all = append(all, t)
			for i+1 < len(got) && got[i+1].Probe.Take%secondTake == t.O.Probe.Take {
				i++
			}
		}
	}
	return all
}

func (t Trial) Asked() bool { return t.O.Sent.Dir == "sent" }

// Survived rules on the session after the trial.
func (t Trial) Survived() ruling.Ruling {
	const want = "the session to go on"
	switch {
	case !t.Asked(), t.Next.Outcome == probes.Unasked:
		return ruling.NotProven("an adapter that can still be asked", t.O)
	case t.O.Outcome == probes.Gone && t.Next.Succeeded() && t.Next.Status != 0:
		return ruling.Departs("the connection to stay open", t.O)
	case t.O.Outcome == probes.Gone:
		return ruling.Violates(want, t.O)
	case t.Next.Deferred():
		return ruling.NotProven("an answer to the next request", t.Next)
	case t.Next.Lost():
		return ruling.Violates("an answer to the next request", t.Next).By(t.O)
	case t.Next.Succeeded() && t.hello.Sent.Seq <= t.O.Sent.Seq:
		return ruling.Conforms().By(t.O, t.Next)
	case t.Next.Status != 0:
		return ruling.Departs("the HTTP session to go on", t.Next).By(t.O)
	case t.Next.Succeeded():
		return ruling.Violates(want, "a process that ended after its answer").By(t.O)
	}
	return ruling.Violates("the next request to work as before", t.Next).By(t.O)
}

// Frame is one JSON-RPC request written by hand, so that it may hold bytes that
// no encoder would write.
func (b *IsolatedSession) Frame(name, tool string, arguments []byte) probes.Probe {
	f := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":"aqlx-%d","method":"tools/call","params":{%s"name":%s,"arguments":`, Take(name), b.Meta, probes.ValueOf(tool).Raw())
	return b.Thrown("tools/call", append(append(f, arguments...), "}}"...))
}

// Thrown is a frame as it stands, whose answer is read as that of the method.
func (b *IsolatedSession) Thrown(method string, frame []byte) probes.Probe {
	return probes.Probe{Conn: b.IsolatedConn, Method: method, Frame: frame, Within: b.Patience()}
}

// Patience is how long a request may stay unanswered that some servers drop: far
// longer than the easy question took.
func (b *IsolatedSession) Patience() time.Duration { return 2*time.Second + 10*b.First.Elapsed }

// Spot marks the place in a request that the bytes of a trial go to.
const Spot = "aqlx_spot"

// Fill writes the arguments of a call with other bytes in its spot.
func Fill(p probes.Probe, text string) []byte {
	return bytes.Replace(p.Arguments(), []byte(Spot), []byte(text), 1)
}

// Carriers are READ calls with free text that any string may take the place of:
// the name of a lookup first, which no domain knowledge is needed for.
func Carriers(f *model.Adapter) []probes.Probe {
	list := []probes.Probe{f.Lookup("operations", Spot)}
	for _, s := range model.EachProven(f) {
		if s.Ruling != nil || s.Op.Category != "READ" {
			continue
		}
		for _, p := range s.Op.Parameters {
			kinds, _ := f.Kinds(p.Type)
			bound := slices.ContainsFunc([]string{"enum", "pattern", "format", "maxLength"}, p.Raw.Has) || len(f.EnumOf(p)) > 0
			if slices.Equal(kinds, []string{"string"}) && !bound && !probes.IsReference(s.Op, p) {
				list = append(list, s.ValidCall().With(p.Name, Spot))
			}
		}
	}
	return list[:min(len(list), 3)]
}

// A CarrierParameter is a documented parameter of a READ operation that takes an array or
// an object, so that what goes into it is read and not overlooked.
type CarrierParameter struct {
	Probe probes.Probe // without the parameter
	Name  string
	Kind  string // array or object
	Item  any    // an element the array takes
}

// CarrierParameters are the first few such parameters.
func CarrierParameters(f *model.Adapter) []CarrierParameter {
	var list []CarrierParameter
	for _, s := range model.EachProven(f) {
		if s.Ruling != nil || s.Op.Category != "READ" {
			continue
		}
		for _, p := range s.Op.Parameters {
			kinds, _ := f.Kinds(p.Type)
			switch field := AField(s.KnownGoodRequest().Reply.Data()); {
			case slices.Contains(kinds, "object"):
				list = append(list, CarrierParameter{s.ValidCall(), p.Name, "object", nil})
			case p.Name == "fields" && slices.Contains(kinds, "array") && field != "":
				list = append(list, CarrierParameter{s.ValidCall(), p.Name, "array", field})
			case slices.Contains(kinds, "array"):
				list = append(list, CarrierParameter{s.ValidCall(), p.Name, "array", itemOf(s, p)})
			}
		}
	}
	slices.SortStableFunc(list, func(x, y CarrierParameter) int { return strings.Compare(y.Kind, x.Kind) }) // objects take anything
	return list[:min(len(list), 4)]
}

// itemOf is an element of an array that the parameter takes.
func itemOf(s model.Subject, p probes.Parameter) any {
	for _, v := range s.Gen.Values(s.Op, p) {
		if items := v.Items(); len(items) > 0 {
			return items[0].Go()
		}
	}
	return s.Gen.Marker("")
}

// With returns the call that carries a value in the vehicle: the value itself in
// an object, or the values as elements of an array.
func (v CarrierParameter) With(inside any) probes.Probe {
	if v.Kind == "object" {
		return v.Probe.With(v.Name, map[string]any{"aqlx": inside})
	}
	return v.Probe.With(v.Name, []any{inside})
}

// OnMain keeps a check that costs the adapter something to the main face.
func OnMain(f *model.Adapter) []model.Subject {
	if f.Label != "" {
		return []model.Subject{model.Subject{Adapter: f, Name: "adapter"}.WithRuling(ruling.NotApplicable("asked of the main face alone"))}
	}
	return model.IntrospectSubject(f)
}

// Attested rules on a duty to document, which the wire can confirm and only the
// author can deny: documentation may stand elsewhere.
func Attested(f *model.Adapter, hint string, found bool, want, got string) ruling.Ruling {
	word, given := f.Hint(hint)
	switch {
	case found:
		return ruling.Conforms()
	case !given:
		return model.HintMissing(hint, "where "+want+" stands, or no")
	case slices.Contains([]string{"no", "none", "false", ""}, strings.ToLower(strings.TrimSpace(word))):
		return ruling.Departs(want, got)
	}
	return ruling.Conforms().Noting("attested: " + ruling.Clip(word))
}
