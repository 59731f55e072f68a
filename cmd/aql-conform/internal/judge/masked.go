package judge

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/export"
	"github.com/aql-conform/aql-conform/suites/generated"
	"github.com/aql-conform/aql-conform/suites/model"
)

// Masked takes the secrets out of everything that findings show. What was recorded
// lost them already; a question, its arguments and the words of a verdict may still
// hold what the hints file took from the environment.
func Masked(findings []reports.Finding, mask, told func([]byte) []byte) []reports.Finding {
	for i := range findings {
		f := &findings[i]
		f.Replay = maskedReplay(f.Replay, told)
		for _, text := range []*string{&f.Subject, &f.Want, &f.Got, &f.Fix, &f.Add, &f.Note, &f.Again, &f.Raw} {
			if hidden := mask([]byte(*text)); string(hidden) != *text { // findings share their texts
				*text = string(hidden)
			}
		}
		for j := range f.Instances {
			f.Instances[j] = string(mask([]byte(f.Instances[j])))
		}
		for j := range f.Evidence {
			f.Evidence[j].Mask(mask)
		}
	}
	return findings
}

// MaskedReach takes secrets out of the names in it: an adapter chooses them.
func MaskedReach(r *reports.Reach, mask func([]byte) []byte) *reports.Reach {
	hide := func(text *string) { *text = string(mask([]byte(*text))) }
	for i := range r.NotReached {
		hide(&r.NotReached[i])
	}
	for i := range r.NotAllowed {
		hide(&r.NotAllowed[i])
	}
	for i := range r.NotLived {
		hide(&r.NotLived[i].Kind)
	}
	return r
}

// Spent masks the codes, tokens and credentials of a run: they are what its verdict was
// made of, and nothing for a reader.
func Spent(secret []export.Secret, more ...string) *wire.Cover {
	told := slices.Clone(more)
	for _, value := range secret {
		if len(value.Text) >= 4 && !Setting.MatchString(value.Text) { // a token that is a plain word stands in sound answers too
			told = append(told, value.Text)
		}
	}
	return wire.NewCover(told...)
}

// Setting matches values such as "none" or "basic": masking those would not
// hide a secret, it would turn sound answers of the adapter into broken ones.
var Setting = regexp.MustCompile(`^[a-z]{0,7}$`)

var ReplayText = regexp.MustCompile(`v1:[\w-]+`)

// maskedReplay masks the script that a replay packs where no mask can see it.
func maskedReplay(line string, mask func([]byte) []byte) string {
	text := ReplayText.FindString(line)
	r, err := generated.ParseReplay(text)
	if err != nil || r.Script == nil {
		return line
	}
	plain, err := json.Marshal(r.Script)
	hidden := mask(plain)
	if err != nil || bytes.Equal(hidden, plain) {
		return line
	}
	r.Script = new(model.Script)
	d := json.NewDecoder(bytes.NewReader(hidden))
	d.UseNumber()
	if d.Decode(r.Script) != nil {
		return "" // better none than one that tells
	}
	return ReplayText.ReplaceAllLiteralString(line, r.String())
}

// MaskedEvidence takes the secrets out of a bundle: the answers in it lost them when
// they were recorded, what they were asked for may still hold some.
func MaskedEvidence(e *reports.Evidence, mask func([]byte) []byte) *reports.Evidence {
	var raw bytes.Buffer
	encoder := json.NewEncoder(&raw)
	encoder.SetEscapeHTML(false) // what is judged again has the same bytes
	if encoder.Encode(e) != nil {
		return nil // an answer that is no JSON after all
	}
	hidden := reports.NewEvidence()
	if json.Unmarshal(mask(raw.Bytes()), hidden) != nil {
		return nil // better nothing than something that tells
	}
	return hidden
}

// Portable gives the raw line of a finding the form that its transport wants: over
// HTTP a curl command. The session that a server may ask for first is left to
// whoever runs it.
func Portable(findings []reports.Finding, url string) []reports.Finding {
	for i, f := range findings {
		if url != "" && f.Raw != "" {
			findings[i].Raw = console.Joined([]string{
				"curl", "-sS", url, "-H", "content-type: application/json", "-H", "accept: application/json, text/event-stream", "-d", f.Raw,
			})
		}
	}
	return findings
}
