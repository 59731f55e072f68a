package reports

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// The levels of trust that a run can speak of (companion document on trust levels, section 2). The levels
// above them are granted by persons.
const (
	untested  = "untested"  // as an adapter without a trust block is read
	generated = "generated" // where a validation is promoted from, and what is left without it
	validated = "validated"
)

// A promotion is a change of the level of trust, as section 3.2.8 of that document has it.
type promotion struct {
	from, to   string
	at         time.Time
	by, reason string
}

// WriteTrust writes the trust block of an adapter definition in YAML (companion document on trust levels,
// section 3). A run grants "validated" and no more. Without a claim the block says "untested". What came
// before the run is not known here: the history has the promotion that the run shows.
func (r *Report) WriteTrust(w io.Writer) error {
	claim, why := r.Claim()
	if claim == "" {
		return writeLines(w, "# no claim: "+Inert(why), "trust:", "  level: "+untested)
	}
	granted := promotion{generated, validated, r.Run.Started, r.Run.Tool, "report sha256:" + r.Digest}
	return writeLines(w, append([]string{"# " + claim}, r.trust(validated, []promotion{granted})...)...)
}

// trust is the block of an adapter that has the level now, and that this run was the last to validate.
func (r *Report) trust(level string, history []promotion) []string {
	lines := []string{"trust:", "  level: " + level, "  validated_at: " + instant(r.Run.Started), "  validated_by: " + quoted(r.Run.Tool)}
	lines = append(append(lines, "  validation_report:"), r.validation()...)
	for i := len(history) - 1; i >= 0; i-- {
		if history[i].to == level {
			lines = append(lines, "  promoted_from: "+quoted(history[i].from))
			break
		}
	}
	lines = append(lines, "  promotion_history:")
	for _, p := range history {
		lines = append(lines, "    - from: "+quoted(p.from), "      to: "+quoted(p.to), "      at: "+instant(p.at), "      by: "+quoted(p.by), "      reason: "+quoted(p.reason))
	}
	return append(lines, "  certification: null")
}

// validation is section 3.2.6: a test is a requirement that applies to the adapter, and one that is
// not proven has not passed. An endpoint is an operation for which a valid call succeeded.
func (r *Report) validation() []string {
	passed, total := 0, 0
	for _, v := range r.verdicts {
		switch v {
		case Pass:
			passed, total = passed+1, total+1
		case Fail, Warn, NotProven:
			total++
		}
	}
	lines := []string{fmt.Sprintf("    tests_passed: %d", passed), fmt.Sprintf("    tests_total: %d", total)}
	if reach := r.Run.Reach; reach != nil {
		lines = append(lines, fmt.Sprintf("    endpoints_verified: %d", reach.Reached()))
		if all := reach.Operations + len(reach.NotAllowed); all > 0 {
			lines = append(lines, fmt.Sprintf("    coverage_percent: %d", 100*reach.Reached()/all))
		}
	}
	return lines
}

// writeTrust writes a document of YAML for each adapter of the registry, with its promotions and
// demotions: level 1 of a whole, verified run is what "validated" rests on. An adapter that lost it keeps
// the time of its last validation (section 4.3).
func (g *Registry) writeTrust(w io.Writer) error {
	var lines []string
	for _, s := range g.Series() {
		lines = append(lines, "---", "# "+Inert(s.Key))
		for _, one := range s.Submissions {
			if one.Problem != "" {
				lines = append(lines, "# "+Inert(one.Path)+" is not verified: "+Inert(one.Problem))
			}
		}
		last, history := s.validations()
		if last == nil {
			lines = append(lines, "trust:", "  level: "+untested)
			continue
		}
		lines = append(lines, last.trust(history[len(history)-1].to, history)...)
	}
	return writeLines(w, lines...)
}

// validations are the promotions and demotions of an adapter, and the last run that validated it; nil
// where none did.
func (s Series) validations() (last *Report, history []promotion) {
	level := generated
	for _, one := range s.Submissions {
		if !one.whole() {
			continue
		}
		p := promotion{from: level, to: validated, at: one.Report.Run.Started, by: one.Report.Run.Tool, reason: "report sha256:" + one.Report.Digest}
		if claim, why := one.Report.Claim(); claim == "" {
			p.to, p.reason = generated, why
		} else {
			last = one.Report
		}
		if p.to != level {
			history, level = append(history, p), p.to
		}
	}
	return last, history
}

func instant(t time.Time) string { return quoted(t.UTC().Format(time.RFC3339)) }

// quoted is a text as a double-quoted scalar of YAML, whose escapes are those of Go.
func quoted(text string) string { return strconv.Quote(Inert(text)) }

func writeLines(w io.Writer, lines ...string) error {
	_, err := io.WriteString(w, strings.Join(lines, "\n")+"\n")
	return err
}
