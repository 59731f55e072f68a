package export

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/plan"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// A Secret is a text that was secret during the run. Verdicts depend on it; readers of a transcript
// do not need it.
type Secret struct {
	Text         string
	PublicPrefix int  // length of a prefix that is a timestamp or counter
	Derivable    bool // the checks can derive it from public data
}

// Forgeries are the functions that scripts use to make wrong codes and tokens from valid ones.
var Forgeries = []func(string) string{check.WrongCode, check.ForgeToken}

// Secrets returns the secrets in the record of the plan: printed or accepted codes, texts that look
// like codes where an agent can read them, confirmation tokens, and credentials.
func Secrets(p *plan.Plan, all probes.Record) []Secret {
	// Whoever interrupts a run waits for this: each answer is read from a file once more.
	parts := slices.Collect(slices.Chunk(all.Observations, secretsAtOnce))
	found := make([][]string, len(parts))
	probes.SideBySide(len(parts), runtime.GOMAXPROCS(0), func(i int) {
		for _, o := range parts[i] {
			found[i] = append(found[i], secretsOf(o)...)
		}
	})
	texts := slices.Concat(found...)
	codes := texts
	texts = append(texts[:len(texts):len(texts)], credentialsIn(all)...)
	for _, f := range p.Adapters {
		texts = append(texts, codeLikeWords(f, all, codes)...)
	}
	known := predictableCodes(p)
	var secrets []Secret
	seen := map[string]bool{}
	for _, text := range texts {
		if !seen[text] {
			seen[text] = true
			s := known[text]
			s.Text = text
			secrets = append(secrets, s)
		}
	}
	return secrets
}

// credentialsIn returns the credentials that an adapter told. What we made up and sent is none of
// them, even where it comes back.
func credentialsIn(all probes.Record) []string {
	type told struct {
		text string
		seq  int
	}
	var heard []told
	sent := map[string]int{}
	for _, k := range all.Observations {
		if k.Plain() {
			continue
		}
		o := k.Observation()
		for _, s := range wire.Credentials(o.ReceivedData()) {
			heard = append(heard, told{s, o.Received.Seq})
		}
		for _, s := range wire.Credentials(o.Probe.Payload()) {
			if seq, known := sent[s]; !known || o.Sent.Seq < seq {
				sent[s] = o.Sent.Seq
			}
		}
	}
	var texts []string
	known := map[string]bool{}
	for _, t := range heard {
		if seq, ours := sent[t.text]; !known[t.text] && (!ours || t.seq < seq) {
			known[t.text] = true
			texts = append(texts, t.text)
		}
	}
	return texts[:min(len(texts), wire.MaxCredentials)]
}

// secretsAtOnce is how many answers are searched in one piece.
const secretsAtOnce = 1000

// secretsOf is SecretsIn, but reads no answer that is known to hold none.
func secretsOf(k *probes.Kept) []string {
	if k.Plain() {
		return slices.DeleteFunc(codesOf(k.Observation()), func(s string) bool { return s == "" })
	}
	return SecretsIn(k.Observation())
}

// codesOf returns the codes that a command printed or a verification accepted.
func codesOf(o probes.Observation) []string {
	return append([]string{printedCode(o)}, acceptedCodes(o)...)
}

// SecretsIn returns the secrets in one exchange.
func SecretsIn(o probes.Observation) []string {
	secret := codesOf(o)
	raw := o.ReceivedData()
	if probes.MayContain(raw, "CONFIRMATION_REQUIRED") {
		secret = append(secret, o.ConfirmationToken().Text())
	}
	if probes.MayContain(raw, "confirm") {
		secret = offeredTokens(o.Envelope(), secret)
	}
	return slices.DeleteFunc(secret, func(s string) bool { return s == "" })
}

// printedCode is the code that a command of the hints file printed.
func printedCode(o probes.Observation) string {
	if o.Probe.CommandName() != check.CodeCommand {
		return ""
	}
	return o.Output()
}

// acceptedCodes returns the codes of a successful verification attempt.
func acceptedCodes(o probes.Observation) []string {
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

// offeredTokens appends the tokens at any depth of an answer, such as in a batch, to found.
func offeredTokens(v probes.Value, found []string) []string {
	for _, m := range v.Members() {
		if probes.TakesToken(m.Name) && m.Value.Is(probes.String) && !strings.ContainsAny(m.Value.Text(), " \t\r\n") {
			found = append(found, m.Value.Text())
		}
		found = offeredTokens(m.Value, found)
	}
	for _, item := range v.Items() {
		found = offeredTokens(item, found)
	}
	return found
}

// codeLikeWords returns the words of directives that look random or have the format of known codes.
func codeLikeWords(f *model.Adapter, all probes.Record, codes []string) []string {
	s := model.Subject{Adapter: f}
	known := map[string]bool{}
	for _, code := range codes {
		known[codeFormat(code)] = true
	}
	likeCode := func(w string) bool { return check.LooksRandom(w) || known[codeFormat(w)] }
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
			words = append(words, check.UnexplainedWords(s, d, append(starts[:len(starts):len(starts)], o), likeCode)...)
		}
	}
	return words
}

// codeFormat describes the length and alphabet of a code.
func codeFormat(code string) string {
	return fmt.Sprint(len(code), " of ", vocab.AlphabetOf(vocab.Bare(code)))
}

// predictableCodes returns the codes of which all or a part is predictable.
func predictableCodes(p *plan.Plan) map[string]Secret {
	known := map[string]Secret{}
	for _, c := range p.Cases {
		if c.Check.Requirement != "AQL-8.8.2-04" || c.Subject.Ruling != nil {
			continue
		}
		issues, why := check.RequireCodes(*c.Subject, c.Got())
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
			known[code] = Secret{Derivable: open}
			if !open {
				known[code] = Secret{PublicPrefix: len(vocab.Bare(code)) - len(rest[i])}
			}
		}
	}
	return known
}

// PrintsCode reports whether a verdict depends on the output of the command. The output of other
// commands is redacted completely.
func PrintsCode(command string) bool {
	return command == check.CodeCommand || command == check.AuditCommand
}

// MayHoldPartOfCode reports whether a line of a transcript must be searched for parts of secrets
// too, such as answers to wrong codes.
func MayHoldPartOfCode(line []byte) bool { return bytes.Contains(line, []byte(check.VerifyOperation)) }
