package reports

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// WriteTAP writes the report in version 14 of the Test Anything Protocol: a test point
// for the level asked for, so that a run which proves nothing is no success, and one for
// each finding. WARN is ok and says why; what was not judged is skipped with its reason.
func (r *Report) WriteTAP(w io.Writer) error {
	p := r.page(TextOptions{Width: 80})
	_, word, rest := p.outcome()
	var buf bytes.Buffer
	buf.WriteString("TAP version 14\n")
	fmt.Fprintf(&buf, "# %s\n# adapter %s\n# seed %d, digest %s\n", Inert(r.Run.Tool), Inert(r.Run.Adapter), r.Run.Seed, r.Digest)
	if r.Run.Conclusion != "" {
		fmt.Fprintf(&buf, "Bail out! %s\n", Inert(r.Run.Conclusion))
		_, err := w.Write(buf.Bytes())
		return err
	}
	var departures []Departure
	if r.Baseline != nil {
		departures = r.Baseline.Departures
	}
	fmt.Fprintf(&buf, "1..%d\n", len(r.Findings)+len(departures)+1)
	fmt.Fprintf(&buf, "%s 1 - %s\n", okay(r.ExitCode == 0), tapText.Replace(Inert(word+" "+rest)))
	for i, f := range r.Findings {
		name := f.Requirement + " " + r.byID[f.Requirement].Title
		if f.Subject != "" {
			name += " [" + f.Subject + "]"
		}
		directive := ""
		switch f.Verdict {
		case Fail:
			if f.Known != nil { // a failure that is expected: no harness stops for it
				directive = " # TODO known: " + tapText.Replace(Inert(f.Known.said()))
			}
		case NotApplicable, Skipped, NotProven:
			directive = " # SKIP " + tapText.Replace(Inert(string(f.Verdict)+": "+f.Got))
		}
		fmt.Fprintf(&buf, "%s %d - %s%s\n", okay(f.Verdict != Fail), i+2, tapText.Replace(Inert(name)), directive)
		if f.Verdict != Pass && f.Verdict != NotApplicable {
			diagnose(&buf, f, r.byID[f.Requirement])
		}
	}
	for i, d := range departures {
		name := fmt.Sprintf("baseline: %s %s [%s] %s", d.Kind, d.Requirement, d.Subject, d.Text)
		fmt.Fprintf(&buf, "not ok %d - %s\n", len(r.Findings)+i+2, tapText.Replace(Inert(name)))
	}
	_, err := w.Write(buf.Bytes())
	return err
}

func okay(is bool) string {
	if is {
		return "ok"
	}
	return "not ok"
}

// tapText keeps a name from beginning a directive.
var tapText = strings.NewReplacer(`\`, `\\`, "#", `\#`)

// diagnose writes what is known of a finding as YAML, its texts as JSON strings, which
// YAML reads too.
func diagnose(buf *bytes.Buffer, f Finding, row Requirement) {
	buf.WriteString("  ---\n")
	for _, l := range []fact{
		{"verdict", string(f.Verdict)}, {"rule", rule(row)}, {"want", f.Want}, {"got", f.Got}, {"fix", f.Fix}, {"note", f.Note},
		{"root", f.RootCause}, {"again", f.Again}, {"replay", f.Replay},
	} {
		if l.Text != "" {
			fmt.Fprintf(buf, "  %s: %s\n", l.Label, jsonString(l.Text))
		}
	}
	if len(f.Instances) > 1 {
		buf.WriteString("  on:\n")
		for _, s := range f.Instances {
			fmt.Fprintf(buf, "    - %s\n", jsonString(s))
		}
	}
	if n := len(f.Evidence); n > 0 {
		e := f.Evidence[n-1]
		fmt.Fprintf(buf, "  sent: %s\n", jsonString(cut(e.Sent, e.SentSize, 1000)))
		if e.Reply == nil {
			fmt.Fprintf(buf, "  reply: %s\n", jsonString(silence(e)))
		} else {
			fmt.Fprintf(buf, "  reply: %s\n", jsonString(cut(e.Reply, e.ReplySize, 1000)))
		}
	}
	buf.WriteString("  ...\n")
}

// jsonString is inert text as a JSON string on one line.
func jsonString(s string) []byte {
	raw, _ := json.Marshal(Inert(s)) // a string cannot fail
	return raw
}
