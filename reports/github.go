package reports

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// annotationCap is how many annotations of one kind GitHub shows of a step; what is
// more would be dropped without a word.
const annotationCap = 10

// WriteGitHub writes the root causes and warnings as workflow commands, which GitHub
// shows as annotations: at most annotationCap of a kind, of which the last counts what
// is left. What an adapter wrote can begin no command of its own.
func (r *Report) WriteGitHub(w io.Writer) error {
	p := r.page(TextOptions{Width: 80})
	_, word, rest := p.outcome()
	verdict := annotation{word, clip(rest, 500)}
	var fails, warns, notices []annotation
	deciding, beside := p.roots()
	switch r.ExitCode {
	case 0, 1, 2:
		notices = append(notices, verdict)
	default: // the step fails, and no finding says why
		fails = append(fails, verdict)
	}
	if r.Baseline != nil {
		for _, d := range r.Baseline.Departures {
			fails = append(fails, annotation{d.Kind + " " + d.Requirement + " on " + clip(d.Subject, 100), clip(d.Text, 500)})
		}
	}
	for _, f := range p.accepted() {
		a := r.annotation(f)
		notices = append(notices, annotation{"known " + a.title, clip(f.Known.said(), 300) + "\n" + a.text})
	}
	for _, f := range deciding {
		fails = append(fails, r.annotation(f))
	}
	for _, f := range beside {
		warns = append(warns, r.annotation(f))
	}
	for _, f := range p.own {
		if f.Verdict == Warn {
			warns = append(warns, r.annotation(f))
		}
	}
	var buf bytes.Buffer
	annotate(&buf, "error", fails)
	annotate(&buf, "warning", warns)
	annotate(&buf, "notice", notices)
	_, err := w.Write(buf.Bytes())
	return err
}

// An annotation is a title and a text, which may have lines.
type annotation struct{ title, text string }

func (r *Report) annotation(f Finding) annotation {
	lines := []string{"on " + clip(f.Subject, 100), "want " + clip(f.Want, 300), "got " + clip(f.Got, 300)}
	if n := len(f.Instances) - 1; n > 0 {
		lines[0] += fmt.Sprintf(" and %d more", n)
	}
	if f.Fix != "" {
		lines = append(lines, "fix "+clip(f.Fix, 300))
	}
	if f.Again != "" {
		lines = append(lines, Inert(f.Again))
	}
	return annotation{f.Requirement + " " + clip(r.byID[f.Requirement].Title, 150), strings.Join(lines, "\n")}
}

func annotate(buf *bytes.Buffer, kind string, list []annotation) {
	if n := len(list); n > annotationCap {
		list = append(list[:annotationCap-1:annotationCap-1], annotation{
			fmt.Sprintf("%d more", n-annotationCap+1), "the other reports have them all",
		})
	}
	for _, a := range list {
		fmt.Fprintf(buf, "::%s title=%s::%s\n", kind, commandProperty.Replace(Inert(a.title)), commandText.Replace(a.text))
	}
}

// A workflow command ends with its line, and a property of it at a comma or a colon.
var (
	commandText     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	commandProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
