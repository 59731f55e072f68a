package reports

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"
)

type xmlSuites struct {
	XMLName  xml.Name `xml:"testsuites"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Skipped  int      `xml:"skipped,attr"`
	Time     string   `xml:"time,attr"`
	Suite    xmlSuite `xml:"testsuite"`
}

type xmlSuite struct {
	Name       string        `xml:"name,attr"`
	Tests      int           `xml:"tests,attr"`
	Failures   int           `xml:"failures,attr"`
	Errors     int           `xml:"errors,attr"`
	Skipped    int           `xml:"skipped,attr"`
	Time       string        `xml:"time,attr"`
	Timestamp  string        `xml:"timestamp,attr"`
	Properties xmlProperties `xml:"properties"`
	Cases      []xmlCase     `xml:"testcase"`
}

type xmlProperties struct {
	Property []xmlProperty `xml:"property"`
}

type xmlProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type xmlCase struct {
	Name       string         `xml:"name,attr"`
	Classname  string         `xml:"classname,attr"`
	Time       string         `xml:"time,attr"`
	Properties *xmlProperties `xml:"properties"`
	Skipped    *xmlOutcome    `xml:"skipped"`
	Error      *xmlOutcome    `xml:"error"`
	Failure    *xmlOutcome    `xml:"failure"`
	SystemOut  *xmlText       `xml:"system-out"`
}

type xmlOutcome struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",cdata"`
}

type xmlText struct {
	Text string `xml:",cdata"`
}

// WriteJUnit writes the report as JUnit XML, one test case for each finding.
// FAIL is a failure; WARN passes and says why; what was not judged is skipped
// with its reason; a run without a verdict is an error, whatever its findings are.
func (r *Report) WriteJUnit(w io.Writer) error {
	s := xmlSuite{
		Name: "aql-conform", Time: seconds(r.Run.Elapsed),
		Timestamp:  r.Run.Started.UTC().Format("2006-01-02T15:04:05"),
		Properties: r.properties(),
	}
	switch r.ExitCode {
	case 0, 1, 2: // a verdict, and the findings say why
	default:
		p := r.page(TextOptions{Width: 80})
		_, word, rest := p.outcome()
		if word == "PASSED" { // of an error it would say the contrary
			word = "NOT PROVEN"
		}
		s.Errors++
		s.Cases = append(s.Cases, xmlCase{
			Name: "adapter could be judged", Classname: "run", Time: seconds(r.Run.Elapsed),
			Error: &xmlOutcome{Inert(rest), strings.ReplaceAll(word, " ", "-"), inertLines(r.Run.Detail)},
		})
	}
	for _, f := range r.Findings {
		c := r.testcase(f)
		if c.Failure != nil {
			s.Failures++
		}
		if c.Skipped != nil {
			s.Skipped++
		}
		s.Cases = append(s.Cases, c)
	}
	for _, c := range r.departureCases() {
		s.Failures++
		s.Cases = append(s.Cases, c)
	}
	s.Tests = len(s.Cases)
	doc, err := xml.MarshalIndent(xmlSuites{
		Tests: s.Tests, Failures: s.Failures, Errors: s.Errors, Skipped: s.Skipped, Time: s.Time, Suite: s,
	}, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, doc)
	return err
}

func (r *Report) properties() xmlProperties {
	var out xmlProperties
	claim, _ := r.Claim()
	for _, p := range [][2]string{
		{"tool", r.Run.Tool},
		{"adapter", r.Run.Adapter},
		{"implementation", strings.TrimSpace(r.Run.Implementation + " " + r.Run.Version)},
		{"specVersion", r.Run.SpecVersion},
		{"seed", fmt.Sprint(r.Run.Seed)},
		{"requestedLevel", fmt.Sprint(r.Run.Level)},
		{"conformanceLevel", fmt.Sprint(r.ConformanceLevel)},
		{"claim", claim},
		{"level1", string(r.Levels[0].Standing)},
		{"level2", string(r.Levels[1].Standing)},
		{"exitCode", fmt.Sprint(r.ExitCode)},
		{"digest", r.Digest},
	} {
		out.Property = append(out.Property, xmlProperty{p[0], Inert(p[1])})
	}
	for _, remark := range r.remarks(true) {
		out.Property = append(out.Property, xmlProperty{"remark", Inert(remark)})
	}
	return out
}

func (r *Report) testcase(f Finding) xmlCase {
	row := r.byID[f.Requirement]
	c := xmlCase{Name: Inert(f.Requirement + " " + row.Title), Classname: classname(row), Time: seconds(f.Elapsed)}
	if f.Subject != "" {
		c.Name += Inert(" [" + f.Subject + "]")
	}
	switch f.Verdict {
	case Fail:
		if f.Known != nil { // accepted: a CI server must not stop for it
			c.Skipped = &xmlOutcome{Message: Inert("FAIL, known: " + f.Known.said() + "; want " + f.Want + ", got " + f.Got)}
			break
		}
		c.Failure = &xmlOutcome{Inert("want " + f.Want + ", got " + f.Got), string(f.Verdict), inertLines(told(f, row))}
	case Warn:
		c.Properties = &xmlProperties{[]xmlProperty{{"verdict", string(Warn)}}}
		c.SystemOut = &xmlText{inertLines(told(f, row))}
	case NotApplicable, Skipped, NotProven:
		reason := f.Got
		if f.Fix != "" {
			reason += "; to prove it: " + f.Fix
		}
		c.Skipped = &xmlOutcome{Message: Inert(string(f.Verdict) + ": " + reason)}
	}
	return c
}

// departureCases is a case for each departure from the baseline.
func (r *Report) departureCases() []xmlCase {
	var cases []xmlCase
	if r.Baseline == nil {
		return nil
	}
	for _, d := range r.Baseline.Departures {
		cases = append(cases, xmlCase{
			Name: Inert(fmt.Sprintf("%s %s [%s]", d.Kind, d.Requirement, d.Subject)), Classname: "baseline", Time: seconds(0),
			Failure: &xmlOutcome{Inert(d.Text), strings.ReplaceAll(strings.ReplaceAll(d.Kind, ",", ""), " ", "-"), ""},
		})
	}
	return cases
}

// classname puts a case into the tree that CI servers draw: level, then area.
func classname(row Requirement) string {
	if row.Level == 0 {
		return "advisory." + Inert(row.Area)
	}
	return fmt.Sprintf("level%d.%s", row.Level, Inert(row.Area))
}

// told is a finding in plain lines.
func told(f Finding, row Requirement) []string {
	lines := []string{rule(row), "want   " + f.Want, "got    " + f.Got}
	if len(f.Instances) > 1 {
		lines = append(lines, "on     "+strings.Join(f.Instances, ", "))
	}
	for _, e := range f.Evidence {
		if e.Sent != nil {
			lines = append(lines, "sent   "+cut(e.Sent, e.SentSize, 1000))
		}
		if e.Reply == nil {
			lines = append(lines, "reply  "+silence(e))
			continue
		}
		lines = append(lines, "reply  "+cut(e.Reply, e.ReplySize, 1000))
	}
	for _, l := range []struct{ label, text string }{
		{"fix    ", f.Fix}, {"note   ", f.Note}, {"root   ", f.RootCause}, {"again  ", f.Again}, {"replay ", f.Replay}, {"raw    ", cut([]byte(f.Raw), 0, 1000)},
	} {
		if l.text != "" {
			lines = append(lines, l.label+l.text)
		}
	}
	return lines
}

// inertLines joins lines of which none can pass for two.
func inertLines(lines []string) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(Inert(l) + "\n")
	}
	return b.String()
}

func seconds(d time.Duration) string {
	return fmt.Sprintf("%.3f", d.Seconds())
}
