package plan

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// reproduceCommand returns the command line that reproduces a finding.
func (p *Plan) reproduceCommand(c *check.Check, s model.Subject, needs []string) string {
	line := "aql-conform " + p.targetArgs
	if len(needs) > 0 {
		line += " --run " + strings.Join(needs, ",")
	}
	if !c.Watches() && len(needs) == 1 && s.Op.Name != "" { // another requirement may ask under another subject
		line += " --subject " + GlobLiteral(s.Name)
	}
	return line
}

// neededRequirements returns the requirements that a run must select to reproduce a finding: that
// of the check, and where it judges requests of others also the one that sent the first of the
// evidence. No result means the whole run.
func (p *Plan) neededRequirements(c *check.Check, r ruling.Ruling) []string {
	if !c.Watches() && !c.JudgesRun() {
		return []string{c.Requirement}
	}
	if len(r.Evidence) == 0 {
		return nil
	}
	asked, known := p.askedBy(r.Evidence[0])
	if !known && c.Watches() {
		asked = p.alikeAskedBy(c, r)
	}
	switch {
	case !known && asked == "":
		return nil
	case asked == "" || asked == c.Requirement:
		return []string{c.Requirement}
	}
	return []string{c.Requirement, asked}
}

// askedBy returns the first requirement that sent the request; "" if it was sent before the plan,
// as in every run.
func (p *Plan) askedBy(o probes.Observation) (id string, known bool) {
	for _, f := range p.Adapters {
		for _, b := range f.KnownGood {
			if o.Sent.Seq <= b.Reply.Sent.Seq {
				return "", true
			}
		}
	}
	for _, c := range p.Cases {
		if slices.ContainsFunc(c.observations, func(got *probes.Kept) bool { return got.Seq() == o.Sent.Seq }) {
			return c.Check.Requirement, true
		}
	}
	return "", false
}

// mostAlike is how many replies of cases are judged again to find one like that of a finding.
const mostAlike = 500

// alikeAskedBy returns the first requirement that sent a request of the same operation with the same
// ruling on its reply; "" if none did. A script of generated input, or the removal of an object, belongs
// to no requirement.
func (p *Plan) alikeAskedBy(c *check.Check, r ruling.Ruling) string {
	name, judged := r.Evidence[0].Probe.Operation(), 0
	for _, other := range p.Cases {
		for _, kept := range other.observations {
			if name == "" || !strings.Contains(kept.Key(), name) {
				continue
			}
			if judged++; judged > mostAlike {
				return ""
			}
			o := kept.Observation()
			if o.Probe.Operation() == name && !o.Lost() && c.Ambient.Watch(other.Subject.Adapter, o).Verdict == r.Verdict {
				return other.Check.Requirement
			}
		}
	}
	return ""
}

// globEscaper escapes the metacharacters of a glob.
var globEscaper = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`)

// GlobLiteral returns the subject as a glob that matches only it, in shell quotes. The name comes
// from the adapter, and the user pastes the line into a shell.
func GlobLiteral(name string) string {
	return "'" + strings.ReplaceAll(globEscaper.Replace(name), "'", `'\''`) + "'"
}
