package reports

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"strings"
)

// sarifSchema names the form of the document: SARIF 2.1.0, an OASIS standard.
const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool         `json:"tool"`
	Invocations []sarifInvocation `json:"invocations"`
	Results     []sarifResult     `json:"results"`
	Properties  map[string]any    `json:"properties"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version,omitempty"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID            string         `json:"id"`
	Short         sarifText      `json:"shortDescription"`
	Full          sarifText      `json:"fullDescription"`
	Help          sarifText      `json:"help"`
	Configuration sarifLevel     `json:"defaultConfiguration"`
	Properties    map[string]any `json:"properties"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifLevel struct {
	Level string `json:"level"`
}

type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`
	ExitCode      int                 `json:"exitCode"`
	Start         string              `json:"startTimeUtc"`
	End           string              `json:"endTimeUtc"`
	Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Level   string    `json:"level"`
	Message sarifText `json:"message"`
}

type sarifResult struct {
	Rule         string             `json:"ruleId"`
	Index        int                `json:"ruleIndex"`
	Level        string             `json:"level"`
	Message      sarifText          `json:"message"`
	Locations    []sarifLocation    `json:"locations"`
	Fingerprints map[string]string  `json:"fingerprints"`
	Partial      map[string]string  `json:"partialFingerprints"`
	Suppressions []sarifSuppression `json:"suppressions,omitempty"`
	Properties   map[string]any     `json:"properties,omitempty"`
}

// A sarifSuppression says that a result is accepted. SARIF 3.35.
type sarifSuppression struct {
	Kind          string `json:"kind"`
	Status        string `json:"status"`
	Justification string `json:"justification"`
}

type sarifLocation struct {
	Physical *sarifPhysical `json:"physicalLocation,omitempty"`
	Logical  []sarifLogical `json:"logicalLocations"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   sarifRegion   `json:"region"`
}

type sarifArtifact struct {
	URI  string `json:"uri"`
	Base string `json:"uriBaseId"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn"`
	EndLine     int `json:"endLine"`
	EndColumn   int `json:"endColumn"`
}

// sarifPlace is the first line of the file that stands for the adapter. Code scanning of GitHub
// takes no result without a place in a file.
func sarifPlace(source string) *sarifPhysical {
	if source == "" {
		return nil
	}
	return &sarifPhysical{sarifArtifact{(&url.URL{Path: source}).String(), "%SRCROOT%"}, sarifRegion{1, 1, 1, 2}}
}

type sarifLogical struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
}

// WriteSARIF writes the report as SARIF 2.1.0: the checked requirements are its rules,
// each FAIL and WARN a result on each subject, which is a logical location: an adapter
// is judged from outside and has no lines. Where a file stands for the adapter, its first
// line is the physical location. A fingerprint stays the same from run to run
// while the same thing is wrong with the same subject.
func (r *Report) WriteSARIF(w io.Writer) error {
	rules, at := r.sarifRules()
	run := sarifRun{
		Tool:        sarifTool{sarifDriver{Name: "aql-conform", Version: strings.TrimPrefix(r.Run.Tool, "aql-conform "), Rules: rules}},
		Invocations: []sarifInvocation{r.sarifInvocation()},
		Results:     []sarifResult{},
		Properties: map[string]any{
			"adapter": Inert(r.Run.Adapter), "specVersion": r.Run.SpecVersion, "seed": fmt.Sprint(r.Run.Seed), "digest": r.Digest,
			"requestedLevel": r.Run.Level, "conformanceLevel": r.ConformanceLevel,
			"level1": r.Levels[0].Standing, "level2": r.Levels[1].Standing, "notProven": r.Summary.NotProven,
		},
	}
	for _, f := range r.Findings {
		if f.Verdict == Fail || f.Verdict == Warn {
			run.Results = append(run.Results, sarifResults(f, at[f.Requirement], sarifPlace(r.Run.Source))...)
		}
	}
	return writeIndented(w, sarifLog{sarifSchema, "2.1.0", []sarifRun{run}})
}

// sarifRules are the requirements that have a verdict, and where in the list each is.
func (r *Report) sarifRules() (rules []sarifRule, at map[string]int) {
	rules, at = []sarifRule{}, map[string]int{}
	for _, row := range r.rows {
		if r.verdicts[row.ID] == "" {
			continue
		}
		rule := sarifRule{
			ID: Inert(row.ID), Short: sarifText{Inert(row.Title)}, Configuration: sarifLevel{sarifLevels[row.Severity]},
			Properties: map[string]any{
				"tags": []string{Inert(row.Area)}, "section": row.Section, "keyword": row.Keyword, "authority": row.Authority,
				"level": row.Level, "verdict": r.verdicts[row.ID],
			},
		}
		if rule.Configuration.Level == "" {
			rule.Configuration.Level = "error"
		}
		rule.Full = sarifText{Inert(cmp.Or(row.Statement, row.Title))}
		rule.Help = sarifText{Inert("To read the rule and its reason: aql-conform explain " + row.ID)}
		at[row.ID] = len(rules)
		rules = append(rules, rule)
	}
	return rules, at
}

// sarifLevels says how bad the worst is that a row can find, by its severity.
var sarifLevels = map[string]string{"fail": "error", "warn": "warning", "info": "note"}

// sarifResults is one result for each subject, so that a subject more or less changes
// nothing about the others.
func sarifResults(f Finding, index int, place *sarifPhysical) []sarifResult {
	message := "want " + Inert(f.Want) + "; got " + Inert(f.Got)
	if f.Fix != "" {
		message += ". Fix: " + Inert(f.Fix)
	}
	level, properties := "error", map[string]any{}
	if f.Verdict == Warn {
		level = "warning"
	}
	for _, p := range [][2]string{{"note", f.Note}, {"again", f.Again}, {"replay", f.Replay}, {"rootCause", f.RootCause}} {
		if p[1] != "" {
			properties[p[0]] = Inert(p[1])
		}
	}
	var results []sarifResult
	for _, subject := range subjects(f) {
		results = append(results, sarifResult{
			Rule: Inert(f.Requirement), Index: index, Level: level, Message: sarifText{sarifPlain.Replace(message)},
			Locations:    []sarifLocation{{place, []sarifLogical{{Inert(subject), "member"}}}},
			Fingerprints: map[string]string{"requirementSubjectKind/v1": fingerprint(f, subject)},
			Partial:      map[string]string{"primaryLocationLineHash": fingerprint(f, subject)}, // all have one place
			Properties:   properties,
			Suppressions: suppressed(f),
		})
	}
	return results
}

// suppressed says by whom a failure is accepted that is known.
func suppressed(f Finding) []sarifSuppression {
	if f.Known == nil {
		return nil
	}
	return []sarifSuppression{{"external", "accepted", Inert(f.Known.said())}}
}

// sarifPlain keeps a message plain: brackets would make a link in it, braces name an
// argument. SARIF 3.11.5 and 3.11.6.
var sarifPlain = strings.NewReplacer("[", `\[`, "]", `\]`, "{", "{{", "}", "}}")

// fingerprint names what is wrong with a subject, whatever the values of this run.
func fingerprint(f Finding, subject string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q %q", f.Requirement, subject, f.Verdict, shape(f.Want, f.Subject), shape(f.Got, f.Subject)))
	return hex.EncodeToString(sum[:])
}

// sarifInvocation says whether the run came to a verdict, and why not.
func (r *Report) sarifInvocation() sarifInvocation {
	in := sarifInvocation{
		Successful: r.ExitCode < 3 || r.ExitCode == 5, ExitCode: r.ExitCode,
		Start: timestamp(r.Run.Started), End: timestamp(r.Run.Started.Add(r.Run.Elapsed)),
	}
	if r.Run.Conclusion != "" {
		in.Notifications = append(in.Notifications, sarifNotification{"error", sarifText{"not judged: " + Inert(r.Run.Conclusion)}})
	}
	if r.Baseline != nil {
		for _, d := range r.Baseline.Departures {
			text := fmt.Sprintf("baseline: %s: %s on %s: %s", d.Kind, d.Requirement, d.Subject, d.Text)
			in.Notifications = append(in.Notifications, sarifNotification{"error", sarifText{sarifPlain.Replace(Inert(text))}})
		}
	}
	for _, remark := range r.remarks(true) {
		in.Notifications = append(in.Notifications, sarifNotification{"note", sarifText{Inert(remark)}})
	}
	return in
}
