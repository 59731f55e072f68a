package export

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/plan"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// A Secret is a text that was secret while the run went on. The verdict rests on it;
// nobody who reads of that needs it.
type Secret struct {
	Text string
	Keep int  // the first letters, which are a clock or a counter and no secret
	Open bool // the checks have found out how it is made of what anybody can read
}

// Kin are the ways in which scripts make wrong codes and tokens of right ones.
var Kin = []func(string) string{check.WrongCode, check.ForgeToken}

// Spent returns what was secret in the record of the plan: the codes that a person was
// shown beside the wire or that were taken, what looks like one where an agent reads,
// and the tokens that a confirmation was offered with.
func Spent(p *plan.Plan, all probes.Record) []Secret {
	var texts []string
	for o := range all.All() {
		texts = append(texts, SpentIn(o)...)
	}
	codes := texts
	for _, f := range p.Adapters {
		texts = append(texts, told(f, all, codes)...)
	}
	known := foretold(p)
	var found []Secret
	seen := map[string]bool{}
	for _, text := range texts {
		if !seen[text] {
			seen[text] = true
			s := known[text]
			s.Text = text
			found = append(found, s)
		}
	}
	return found
}

// SpentIn returns the secrets that one answer tells or that made it come.
func SpentIn(o probes.Observation) []string {
	secret := append([]string{shown(o)}, met(o)...)
	raw := o.ReceivedData()
	if mayHold(raw, "CONFIRMATION_REQUIRED") {
		secret = append(secret, o.ConfirmationToken().Text())
	}
	if mayHold(raw, "confirm") {
		secret = offersToken(o.Envelope(), secret)
	}
	return slices.DeleteFunc(secret, func(s string) bool { return s == "" })
}

// mayHold reports whether it is worth while to read an answer for a word: nearly none
// holds it, and letters that are escaped may be any.
func mayHold(raw []byte, word string) bool {
	return bytes.Contains(raw, []byte(word)) || bytes.Contains(raw, []byte(`\u`))
}

// shown is the code that a command of the author printed.
func shown(o probes.Observation) string {
	if o.Probe.CommandName() != check.CodeCommand {
		return ""
	}
	return o.Output()
}

// met are the codes of an attempt that met its challenge.
func met(o probes.Observation) []string {
	if o.Probe.Operation() != check.VerifyOperation || !o.Succeeded() {
		return nil
	}
	var codes []string
	for name, v := range o.Probe.Params() {
		if code, is := v.(string); is && check.CodeParameter.MatchString(name) {
			codes = append(codes, code)
		}
	}
	slices.Sort(codes)
	return codes
}

// offersToken adds the tokens that stand anywhere in an answer, as in that of a batch, to
// those found.
func offersToken(v probes.Value, found []string) []string {
	for _, m := range v.Members() {
		if probes.TakesToken(m.Name) && m.Value.Is(probes.String) && !strings.ContainsAny(m.Value.Text(), " \t\r\n") {
			found = append(found, m.Value.Text())
		}
		found = offersToken(m.Value, found)
	}
	for _, item := range v.Items() {
		found = offersToken(item, found)
	}
	return found
}

// told are the words of directives that look like codes, by chance in their letters or by
// the shape of those that are known.
func told(f *model.Adapter, all probes.Record, codes []string) []string {
	s := model.Subject{Adapter: f}
	known := map[string]bool{}
	for _, code := range codes {
		known[lookOf(code)] = true
	}
	looks := func(w string) bool { return check.LooksRandom(w) || known[lookOf(w)] }
	var starts []probes.Observation
	for o := range all.All() {
		if o.Probe.Operation() == "execute_agent" && f.OwnsConnection(o.Probe.Conn) {
			starts = append(starts, o)
		}
	}
	var words []string
	for o := range all.All() {
		if o.Probe.Operation() != check.ReportOperation || !f.OwnsConnection(o.Probe.Conn) {
			continue
		}
		if d := check.DirectiveIn(o); len(d.At("notifications").Items()) > 0 {
			words = append(words, check.UnexplainedWords(s, d, append(starts[:len(starts):len(starts)], o), looks)...)
		}
	}
	return words
}

// lookOf is what codes of one make have in common.
func lookOf(code string) string {
	return fmt.Sprint(len(code), " of ", vocab.AlphabetOf(vocab.Bare(code)))
}

// foretold are the codes of which something can be known without having seen them.
func foretold(p *plan.Plan) map[string]Secret {
	known := map[string]Secret{}
	for _, c := range p.Cases {
		if c.Check.Requirement != "AQL-8.8.2-04" || c.Subject.Ruling != nil {
			continue
		}
		issues, why := check.RequireCodes(c.Subject, c.Got())
		if why != nil {
			continue
		}
		codes := check.CodesIn(issues)
		_, open := vocab.Derived(issues)
		rest := codes
		if vocab.CodesInOrder(codes) {
			rest = vocab.BehindOrder(codes)
			open = open || len(rest) == 0 || vocab.Strength(rest) < vocab.WantedBits
		}
		for i, code := range codes {
			known[code] = Secret{Open: open}
			if !open {
				known[code] = Secret{Keep: len(vocab.Bare(code)) - len(rest[i])}
			}
		}
	}
	return known
}

// Reads reports whether a verdict rests on what a command of the author prints. What the
// others print may be a secret too, and is of no use.
func Reads(command string) bool { return command == check.CodeCommand }

// Parts reports whether parts of a secret are looked for in a line of a transcript, as
// in answers to attempts with a wrong code.
func Parts(line []byte) bool { return bytes.Contains(line, []byte(check.VerifyOperation)) }
