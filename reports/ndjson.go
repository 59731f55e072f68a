package reports

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strconv"
)

// The lines of the event stream. Their keys mean what they mean in the JSON report.
type (
	headEvent struct {
		Event          string   `json:"event"` // "head"
		ReportVersion  string   `json:"reportVersion"`
		Tool           string   `json:"tool"`
		Adapter        string   `json:"adapter"`
		SpecVersion    string   `json:"specVersion"`
		Implementation string   `json:"implementation"`
		Version        string   `json:"version"`
		Revision       string   `json:"revision"`
		Modes          []string `json:"modes"`
		Profile        string   `json:"profile"`
		Seed           uint64   `json:"seed"`
		StartedAt      string   `json:"startedAt"`
		RequestedLevel int      `json:"requestedLevel"`
		Basis          string   `json:"basis"`
		Shard          *Shard   `json:"shard,omitempty"`
		Findings       int      `json:"findings"` // how many lines come before the end
	}
	findingEvent struct {
		Event string `json:"event"` // "finding"
		jsonFinding
	}
	endEvent struct {
		Event            string               `json:"event"` // "end"
		Conclusion       string               `json:"conclusion,omitempty"`
		ConformanceLevel int                  `json:"conformanceLevel"`
		Levels           map[string]jsonLevel `json:"levels"`
		Summary          jsonSummary          `json:"summary"`
		Remarks          []string             `json:"remarks"`
		Reach            *jsonReach           `json:"reach,omitempty"`
		Baseline         *jsonBaseline        `json:"baseline,omitempty"`
		Asked            int                  `json:"asked"`
		ElapsedMs        float64              `json:"elapsedMs"`
		ExitCode         int                  `json:"exitCode"`
		Digest           string               `json:"digest"`
	}
)

// WriteNDJSON writes the report as one JSON document a line: a head, each finding, an
// end with the verdict. A stream without its end was cut off and proves nothing.
func (r *Report) WriteNDJSON(w io.Writer) error {
	run := r.Run
	events := []any{headEvent{
		"head", ReportVersion, run.Tool, run.Adapter, run.SpecVersion, run.Implementation, run.Version, run.Revision,
		append([]string{}, run.Modes...), run.Profile, run.Seed, timestamp(run.Started), run.Level, run.Basis, run.Shard, len(r.Findings),
	}}
	for _, f := range r.Findings {
		events = append(events, findingEvent{"finding", r.finding(f)})
	}
	levels := map[string]jsonLevel{}
	for _, l := range r.Levels {
		levels[strconv.Itoa(l.Number)] = jsonLevel{l.Standing, l.Must, l.Untested, l.Normative}
	}
	events = append(events, endEvent{
		"end", run.Conclusion, r.ConformanceLevel, levels, jsonSummary{r.Summary, len(r.Findings)},
		slices.Concat([]string{}, r.remarks(true), run.Detail), r.Run.Reach.document(), r.baseline(), run.Asked, milliseconds(run.Elapsed), r.ExitCode, r.Digest,
	})
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	for _, e := range events {
		if err := enc.Encode(e); err != nil {
			return err
		}
	}
	_, err := w.Write(inertJSON(buf.Bytes()))
	return err
}
