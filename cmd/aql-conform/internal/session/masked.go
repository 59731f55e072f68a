package session

import (
	"bytes"
	"encoding/json"
	"regexp"

	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/export"
	"github.com/aql-conform/aql-conform/suites/generated"
	"github.com/aql-conform/aql-conform/suites/model"
)

// masked takes the secrets out of everything that findings show. What was recorded
// lost them already; a question, its arguments and the words of a verdict may still
// hold what the hints file took from the environment.
func masked(findings []reports.Finding, mask, told func([]byte) []byte) []reports.Finding {
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

// maskedReach takes secrets out of the names in it: an adapter chooses them.
func maskedReach(r *reports.Reach, mask func([]byte) []byte) *reports.Reach {
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

// spent masks the codes, tokens and credentials of a run: they are what its verdict was
// made of, and nothing for a reader.
func spent(secret []export.Secret, more ...string) *wire.Cover {
	var s Secrets
	for _, value := range secret {
		s.add(value.Text) // a token that is a plain word stands in sound answers too
	}
	return wire.NewCover(append(s, more...)...)
}

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
