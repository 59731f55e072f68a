package reports

import (
	"cmp"
	"encoding/base64"
	"io"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"
)

// ReportVersion is the version of the JSON document, which is described by
// schemas/report-v1.schema.json. A key is never renamed or removed within 1.x.
const ReportVersion = "1.0"

// evidenceCap is how many bytes of one frame go into a document: more than a
// reader looks at, less than a hostile adapter can send.
const evidenceCap = 64 << 10

type document struct {
	ReportVersion    string               `json:"reportVersion"`
	Tool             string               `json:"tool"`
	Adapter          string               `json:"adapter"`
	SpecVersion      string               `json:"specVersion"`
	Implementation   string               `json:"implementation"`
	Version          string               `json:"version"`
	Revision         string               `json:"revision"`
	Platform         string               `json:"platform,omitempty"`
	Modes            []string             `json:"modes"`
	Profile          string               `json:"profile"`
	Seed             uint64               `json:"seed"`
	StartedAt        string               `json:"startedAt"`
	ElapsedMs        float64              `json:"elapsedMs"`
	Asked            int                  `json:"asked"`
	Cured            int                  `json:"cured,omitempty"`
	RequestedLevel   int                  `json:"requestedLevel"`
	Basis            string               `json:"basis"`
	Strict           bool                 `json:"strict,omitempty"`
	RequireProof     bool                 `json:"requireProof,omitempty"`
	StoppedAtMiB     uint                 `json:"stoppedAtMiB,omitempty"`
	Stopped          bool                 `json:"stopped,omitempty"`
	Shard            *Shard               `json:"shard,omitempty"`
	Certify          bool                 `json:"certify,omitempty"`
	Narrowed         []string             `json:"narrowed,omitempty"`
	Rechecked        []string             `json:"rechecked,omitempty"`
	Ungenerated      bool                 `json:"ungenerated,omitempty"`
	ConformanceLevel int                  `json:"conformanceLevel"`
	Claim            string               `json:"claim"`
	NoClaim          string               `json:"noClaim,omitempty"`
	Conclusion       string               `json:"conclusion,omitempty"`
	ExitCode         int                  `json:"exitCode"`
	Digest           string               `json:"digest"`
	Digests          *Digests             `json:"digests,omitempty"`
	Levels           map[string]jsonLevel `json:"levels"`
	Summary          jsonSummary          `json:"summary"`
	Categories       []jsonCategory       `json:"categories"`
	Remarks          []string             `json:"remarks"`
	Load             *Load                `json:"load,omitempty"`
	Reach            *jsonReach           `json:"reach,omitempty"`
	Routing          *jsonRouting         `json:"routing,omitempty"`
	Baseline         *jsonBaseline        `json:"baseline,omitempty"`
	Findings         []jsonFinding        `json:"findings"`
}

type jsonLevel struct {
	Verdict   Standing `json:"verdict"`
	Must      Must     `json:"must"`
	Untested  int      `json:"untested"`
	Normative Must     `json:"normative"`
}

type jsonSummary struct {
	Counts
	Findings int `json:"findings"`
}

type jsonCategory struct {
	Name     string         `json:"name"`
	Required bool           `json:"required"`
	Result   Verdict        `json:"result"`
	Counts   categoryCounts `json:"counts"`
}

type categoryCounts struct {
	Counts
	Untested int `json:"untested"`
}

type jsonFinding struct {
	Requirement string         `json:"requirement"`
	Title       string         `json:"title"`
	Authority   string         `json:"authority"`
	Section     string         `json:"section"`
	Keyword     string         `json:"keyword"`
	Level       *int           `json:"level"` // null: no level depends on it
	Verdict     Verdict        `json:"verdict"`
	Subject     string         `json:"subject"`
	Want        string         `json:"want"`
	Got         string         `json:"got"`
	Fix         string         `json:"fix"`
	Add         string         `json:"add,omitempty"`
	Again       string         `json:"again"`
	Replay      string         `json:"replay,omitempty"`
	Raw         string         `json:"raw,omitempty"`
	RootCause   string         `json:"rootCause,omitempty"`
	Instances   []string       `json:"instances,omitempty"`
	Note        string         `json:"note,omitempty"`
	Broken      int            `json:"broken,omitempty"`
	Runs        int            `json:"runs,omitempty"`
	Flaky       bool           `json:"flaky,omitempty"`
	Elsewhere   bool           `json:"elsewhere,omitempty"`
	Reason      string         `json:"reason,omitempty"`
	Departure   string         `json:"departure,omitempty"`
	Known       *jsonOwner     `json:"known,omitempty"`
	Evidence    []jsonExchange `json:"evidence"`
}

type jsonExchange struct {
	Frames []int  `json:"frames"`
	Conn   string `json:"conn"`
	// A frame is text, or base64 when it is not valid UTF-8. Size and digest
	// tell of the whole frame when only its beginning is here.
	Sent        *string `json:"sent,omitempty"`
	SentBase64  *string `json:"sentBase64,omitempty"`
	SentSize    int     `json:"sentSize,omitempty"`
	SentSha256  string  `json:"sentSha256,omitempty"`
	Reply       *string `json:"reply,omitempty"`
	ReplyBase64 *string `json:"replyBase64,omitempty"`
	ReplySize   int     `json:"replySize,omitempty"`
	ReplySha256 string  `json:"replySha256,omitempty"`
	Outcome     string  `json:"outcome"`
	ElapsedMs   float64 `json:"elapsedMs"`
}

// WriteJSON writes the report as an indented JSON document in ASCII-safe form:
// characters that act on a terminal are escaped in it.
func (r *Report) WriteJSON(w io.Writer) error {
	return writeListing(w, r.document(), func(yield func(any) bool) {
		for _, f := range r.Findings {
			if !yield(r.finding(f)) {
				return
			}
		}
	})
}

// document is the report without its findings.
func (r *Report) document() document {
	run := r.Run
	d := document{
		ReportVersion: ReportVersion, Tool: run.Tool, Adapter: run.Adapter, SpecVersion: run.SpecVersion,
		Implementation: run.Implementation, Version: run.Version, Revision: run.Revision,
		Modes: append([]string{}, run.Modes...), Profile: run.Profile, Seed: run.Seed,
		StartedAt: timestamp(run.Started), ElapsedMs: milliseconds(run.Elapsed),
		Asked: run.Asked, Cured: run.Cured, Platform: run.Platform, RequestedLevel: run.Level, Basis: run.Basis, Strict: run.Strict, RequireProof: run.RequireProof, StoppedAtMiB: run.StoppedAtMiB, Stopped: run.Stopped, Shard: run.Shard, Certify: run.Certify, Narrowed: run.Narrowed, Rechecked: run.Rechecked, Ungenerated: run.Ungenerated, ConformanceLevel: r.ConformanceLevel,
		Conclusion: run.Conclusion, ExitCode: r.ExitCode, Digest: r.Digest,
		Levels: map[string]jsonLevel{}, Summary: jsonSummary{r.Summary, len(r.Findings)},
		Categories: []jsonCategory{}, Findings: []jsonFinding{},
		Load: run.Load, Reach: r.Run.Reach.document(), Routing: routingDocument(run.Routing), Baseline: r.baseline(),
		Remarks: slices.Concat([]string{}, r.remarks(true), run.Detail),
	}
	d.Claim, d.NoClaim = r.Claim()
	if run.Digests != (Digests{}) {
		d.Digests = &run.Digests
	}
	for _, l := range r.Levels {
		d.Levels[strconv.Itoa(l.Number)] = jsonLevel{l.Standing, l.Must, l.Untested, l.Normative}
	}
	for _, c := range r.Categories {
		counts := categoryCounts{c.Counts, c.Untested}
		d.Categories = append(d.Categories, jsonCategory{c.Name, c.Required, c.Result, counts})
	}
	return d
}

func (r *Report) finding(f Finding) jsonFinding {
	row := r.byID[f.Requirement]
	out := jsonFinding{
		Requirement: f.Requirement, Title: row.Title, Authority: row.Authority, Section: row.Section, Keyword: row.Keyword,
		Verdict: f.Verdict, Subject: f.Subject, Want: f.Want, Got: f.Got, Fix: f.Fix, Add: f.Add, Again: f.Again,
		Replay: f.Replay, Raw: f.Raw, RootCause: f.RootCause, Instances: f.Instances, Note: f.Note, Evidence: []jsonExchange{}, Broken: f.Broken, Runs: f.Runs, Flaky: f.Flaky(), Elsewhere: f.Elsewhere,
		Reason: f.Reason, Departure: f.Departure, Known: f.Known.owned(),
	}
	if row.Level > 0 {
		out.Level = &row.Level
	}
	for _, e := range f.Evidence {
		x := jsonExchange{Frames: append([]int{}, e.Frames...), Conn: e.Conn, Outcome: e.Outcome, ElapsedMs: milliseconds(e.Elapsed)}
		x.Sent, x.SentBase64, x.SentSize, x.SentSha256 = frame(e.Sent, e.SentSize, e.SentSha256)
		x.Reply, x.ReplyBase64, x.ReplySize, x.ReplySha256 = frame(e.Reply, e.ReplySize, e.ReplySha256)
		out.Evidence = append(out.Evidence, x)
	}
	return out
}

// frame renders the bytes of one frame; size and digest are set when it is cut, as it may have been before.
func frame(raw []byte, whole int, former string) (text, base *string, size int, digest string) {
	if raw == nil {
		return nil, nil, 0, ""
	}
	valid, kept := utf8.Valid(raw), raw
	if former != "" {
		size, digest = max(whole, len(raw)), former
	}
	if len(raw) > evidenceCap {
		size, digest = max(whole, len(raw)), cmp.Or(former, digestOf(raw))
		n := evidenceCap
		for valid && !utf8.RuneStart(raw[n]) {
			n--
		}
		kept = raw[:n]
	}
	if valid {
		s := string(kept)
		return &s, nil, size, digest
	}
	s := base64.StdEncoding.EncodeToString(kept)
	return nil, &s, size, digest
}

func timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

func milliseconds(d time.Duration) float64 {
	return float64(d.Microseconds()) / 1000
}

// jsonRouting is the table operations by endpoints.
type jsonRouting struct {
	Endpoints  []string    `json:"endpoints"`
	Operations []jsonRoute `json:"operations"`
}

type jsonRoute struct {
	Operation string   `json:"operation"`
	Cells     []string `json:"cells"`
}

func routingDocument(t *Routing) *jsonRouting {
	if t == nil {
		return nil
	}
	doc := &jsonRouting{Endpoints: slices.Concat([]string{}, t.Endpoints), Operations: []jsonRoute{}}
	for _, r := range t.Rows {
		route := jsonRoute{Operation: r.Operation, Cells: []string{}}
		for _, c := range r.Cells {
			route.Cells = append(route.Cells, string(c))
		}
		doc.Operations = append(doc.Operations, route)
	}
	return doc
}
