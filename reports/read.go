package reports

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// ReadJSON reads what WriteJSON wrote: the run and its findings, evidence included as
// far as the document holds it. The verdicts on the levels are not read; Conclude
// makes them anew, and Sound holds the two against each other. An error says what is no report of this version.
func ReadJSON(r io.Reader) (Part, error) {
	raw, err := io.ReadAll(r)
	if err != nil {
		return Part{}, fmt.Errorf("read the report: %w", err)
	}
	var version struct {
		Version string `json:"reportVersion"`
	}
	if err := json.Unmarshal(raw, &version); err != nil {
		return Part{}, fmt.Errorf("no report: %w", err)
	}
	if version.Version != ReportVersion {
		return Part{}, fmt.Errorf("report version %q, this program reads %s", version.Version, ReportVersion)
	}
	var d document
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&d); err != nil {
		return Part{}, fmt.Errorf("no report of version %s: %w", ReportVersion, err)
	}
	run, err := d.run()
	if err != nil {
		return Part{}, err
	}
	reach, err := d.Reach.read()
	if err != nil {
		return Part{}, err
	}
	run.Reach = reach
	p := Part{Run: run, Digest: d.Digest, ExitCode: d.ExitCode, Summary: d.Summary.Counts, Baseline: d.Baseline.read()}
	for i, f := range d.Findings {
		if f.Requirement == "" || weight(f.Verdict) < 0 {
			return Part{}, fmt.Errorf("findings[%d]: no requirement or an unknown verdict %q", i, f.Verdict)
		}
		// A document has one finding for all that went the same way; the digest and the
		// counts are of each by itself.
		for _, subject := range append([]string{f.Subject}, f.Instances...)[min(1, len(f.Instances)):] {
			p.Findings = append(p.Findings, f.finding(subject))
		}
	}
	return p, nil
}

func (d document) run() (Run, error) {
	started, err := time.Parse(time.RFC3339, d.StartedAt)
	if err != nil {
		return Run{}, fmt.Errorf("startedAt: %w", err)
	}
	if len(d.Levels) == 0 {
		return Run{}, errors.New("levels: none")
	}
	run := Run{
		Tool: d.Tool, Adapter: d.Adapter, Implementation: d.Implementation, Version: d.Version, Revision: d.Revision, Modes: d.Modes,
		Profile: d.Profile, SpecVersion: d.SpecVersion, Seed: d.Seed, Level: d.RequestedLevel, Basis: d.Basis, Strict: d.Strict,
		RequireProof: d.RequireProof, Interrupted: d.ExitCode == 130, StoppedAtMiB: d.StoppedAtMiB, Stopped: d.Stopped, Started: started,
		Elapsed: time.Duration(d.ElapsedMs * float64(time.Millisecond)), Asked: d.Asked, Cured: d.Cured, Conclusion: d.Conclusion, Shard: d.Shard, Certify: d.Certify, Narrowed: d.Narrowed, Rechecked: d.Rechecked, Ungenerated: d.Ungenerated, Platform: d.Platform,
		Remarks: d.Remarks, Routing: d.Routing.table(), Load: d.Load,
	}
	if d.Digests != nil {
		run.Digests = *d.Digests
	}
	return run, nil
}

func (f jsonFinding) finding(subject string) Finding {
	out := Finding{
		Requirement: f.Requirement, Verdict: f.Verdict, Subject: subject, Want: f.Want, Got: f.Got, Fix: f.Fix, Add: f.Add, Note: f.Note,
		Again: f.Again, Replay: f.Replay, Raw: f.Raw, RootCause: f.RootCause, Broken: f.Broken, Runs: f.Runs, Elsewhere: f.Elsewhere, Reason: f.Reason,
	}
	for _, e := range f.Evidence {
		out.Evidence = append(out.Evidence, Exchange{
			Frames: e.Frames, Conn: e.Conn, Outcome: e.Outcome, Elapsed: time.Duration(e.ElapsedMs * float64(time.Millisecond)),
			Sent: bytesOf(e.Sent, e.SentBase64), Reply: bytesOf(e.Reply, e.ReplyBase64), SentSize: e.SentSize, ReplySize: e.ReplySize,
		})
	}
	return out
}

func bytesOf(text, base *string) []byte {
	switch {
	case text != nil:
		return []byte(*text)
	case base != nil:
		raw, _ := base64.StdEncoding.DecodeString(*base) // evidence for a reader, no more
		return raw
	}
	return nil
}

func (t *jsonRouting) table() *Routing {
	if t == nil {
		return nil
	}
	table := &Routing{Endpoints: t.Endpoints}
	for _, o := range t.Operations {
		row := Route{Operation: o.Operation}
		for _, c := range o.Cells {
			row.Cells = append(row.Cells, Cell(c))
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}
