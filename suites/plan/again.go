package plan

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// repeat returns the command line that shows a finding again.
func (p *Plan) repeat(c *check.Check, s model.Subject, r ruling.Ruling) string {
	line := "aql-conform " + p.again
	if needs := p.needs(c, r); len(needs) > 0 {
		line += " --run " + strings.Join(needs, ",")
	}
	if c.Watch == nil && s.Op.Name != "" {
		line += " --subject " + Literal(s.Name)
	}
	return line
}

// needs returns the requirements that a run has to ask about to see a finding
// again. What a check asks itself comes back with its own; what it overheard
// needs the one that asked, and the whole run (none) where nobody knows which
// that was.
func (p *Plan) needs(c *check.Check, r ruling.Ruling) []string {
	if c.Watch == nil {
		return []string{c.Requirement}
	}
	if len(r.Evidence) == 0 {
		return nil
	}
	asked, known := p.asker(r.Evidence[0])
	switch {
	case !known:
		return nil
	case asked == "" || asked == c.Requirement:
		return []string{c.Requirement}
	}
	return []string{c.Requirement, asked}
}

// asker returns the first requirement that needed the observation; "" when it is
// older than the plan, for every run looks at the faces first.
func (p *Plan) asker(o probes.Observation) (id string, known bool) {
	for _, f := range p.Faces {
		for _, b := range f.KnownGood {
			if o.Sent.Seq <= b.Reply.Sent.Seq {
				return "", true
			}
		}
	}
	for _, c := range p.Cases {
		if slices.ContainsFunc(c.kept, func(got *probes.Observation) bool { return got.Sent.Seq == o.Sent.Seq }) {
			return c.Check.Requirement, true
		}
	}
	return "", false
}

// wild are the letters that mean something to a glob.
var wild = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`)

// Literal writes a subject so that --subject matches it alone and a shell reads
// one word: the name is the adapter's, and the line is made to be pasted.
func Literal(name string) string {
	return "'" + strings.ReplaceAll(wild.Replace(name), "'", `'\''`) + "'"
}
