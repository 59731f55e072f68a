package attest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/judge"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/statement"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/transcript"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/generated"
)

// SubmitFlags name what is laid down and where.
type SubmitFlags struct {
	Folder     string `arg:"" help:"registry folder; created if missing"`
	Report     string `placeholder:"FILE" help:"JSON report, written by check --report json=FILE"`
	Transcript string `placeholder:"FILE" help:"transcript of the same run"`
	Sealed     string `placeholder:"FILE" help:"sealed report of the same run"`
	Witness    string `placeholder:"FILE" help:"witness file of the sealed report"`
	Repeat     bool   `help:"submit it as a repetition of an existing submission"`
	As         string `placeholder:"NAME" help:"name of the deployment; it is kept beside others of\nits version"`
	Force      bool   `help:"replace an existing submission"`
}

// The files of a submission.
const (
	ReportName   = "report.json"
	PackedName   = "run.ndjson.gz" // the transcript
	PlainName    = "run.ndjson"    // one that is not packed
	SealedName   = "sealed.json"
	WitnessName  = "witness.json"
	ReadmeName   = "README.md"
	RepeatedName = "repeated" // folder of what others have repeated, by their keys
)

// Submit lays a run down in the form that registry verifies. What a stranger could not
// recompute is refused.
func (f *SubmitFlags) Submit(ctx context.Context, c console.Console) error {
	if f.Report == "" || f.Transcript == "" {
		return console.Usage("submit needs the report and the transcript of one run: --report report.json --transcript run.ndjson.gz")
	}
	t, err := f.transcript()
	if err != nil {
		return err
	}
	raw, err := os.ReadFile(f.Report)
	if err != nil {
		return console.Usage("--report: %w", err)
	}
	report, err := f.recomputed(ctx, raw, t)
	if err != nil {
		return err
	}
	files, err := f.files(raw)
	if err != nil {
		return err
	}
	files[ReadmeName] = func(w io.Writer) error { return reports.WriteSubmission(w, report, f.commands(t, report)) }
	place, err := f.place(report.Run)
	if err != nil {
		return err
	}
	if err := console.LayDown(f.Folder, place, files, f.Force); err != nil {
		return err
	}
	return console.Tell(c.Stdout, filepath.Join(f.Folder, filepath.FromSlash(place))+": "+report.Headline())
}

// transcript reads the transcript, which must be none that registry would find too long.
func (f *SubmitFlags) transcript() (*transcript.RecordedRun, error) {
	file, err := os.Open(f.Transcript)
	if err != nil {
		return nil, console.Usage("--transcript: %w", err)
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.Size() > maxTranscript {
		return nil, console.Usage("--transcript %s: longer than %d bytes", f.Transcript, maxTranscript)
	}
	return transcript.TranscriptFrom(file, f.Transcript, maxUnpacked)
}

// place is where the run is laid down.
func (f *SubmitFlags) place(run reports.Run) (string, error) {
	if f.As != "" && console.FolderName(f.As) != f.As {
		return "", console.Usage("--as %q: want small letters, digits, dots and single hyphens", f.As)
	}
	place := console.PlaceOf(run, f.As)
	if !f.Repeat {
		return place, nil
	}
	raw, err := os.ReadFile(f.Sealed)
	if err != nil {
		return "", console.Usage("--repeat needs a sealed report, because its key says who has repeated the run: --sealed: %w", err)
	}
	e, _, err := statement.Enveloped(raw)
	if err != nil || len(e.Signatures) != 1 || !statement.HexDigest.MatchString(e.Signatures[0].KeyID) {
		return "", console.Usage("--repeat needs a report that is sealed by one key; %s is not", f.Sealed)
	}
	if _, err := os.Stat(filepath.Join(f.Folder, filepath.FromSlash(place), ReportName)); err != nil {
		return "", console.Usage("--repeat: there is no submission %s to repeat", filepath.Join(f.Folder, filepath.FromSlash(place)))
	}
	return path.Join(place, RepeatedName, e.Signatures[0].KeyID[:statement.ShortKey]), nil
}

// transcriptName is the name that the transcript has in the submission.
func (f *SubmitFlags) transcriptName() string {
	if strings.HasSuffix(f.Transcript, ".gz") {
		return PackedName
	}
	return PlainName
}

// recomputed holds the report against the transcript, and returns what that gives.
func (f *SubmitFlags) recomputed(ctx context.Context, raw []byte, t *transcript.RecordedRun) (*reports.Report, error) {
	wrong := func(format string, args ...any) error {
		return console.Usage("--report "+f.Report+": "+format, args...)
	}
	part, err := reports.ReadJSON(bytes.NewReader(raw))
	switch {
	case len(raw) > maxReport:
		return nil, wrong("longer than %d bytes", maxReport)
	case err != nil:
		return nil, wrong("%w", err)
	case incomplete(part.Run, part.ExitCode) != "":
		return nil, wrong("%s; submit a whole run", incomplete(part.Run, part.ExitCode))
	case part.Run.Digests.Transcript == "":
		return nil, wrong("it names no transcript, for example because merge or --repeat wrote it; submit the report of a single run with --transcript")
	case part.Run.Digests.Transcript != t.Digest:
		return nil, wrong("it belongs to another run than the transcript %s", f.Transcript)
	}
	problems, report, err := judge.Departures(ctx, t, raw)
	switch {
	case err != nil:
		return nil, err
	case len(problems) > 0:
		return nil, wrong("it differs from what the transcript gives: %s; judge writes the report again", problems[0])
	}
	return report, nil
}

// incomplete says why nobody can take the verdict of a run for that on an adapter; ""
// when nothing is in the way.
func incomplete(run reports.Run, exitCode int) string {
	switch {
	case run.Shard != nil:
		return fmt.Sprintf("it covers only shard %s", run.Shard)
	case run.Interrupted:
		return "the run was interrupted"
	case run.Conclusion != "":
		return "nothing was judged: " + run.Conclusion
	case exitCode == console.ExitFault:
		return "the checker itself failed in that run"
	}
	return ""
}

// files are what is laid down beside the text that explains it.
func (f *SubmitFlags) files(report []byte) (map[string]func(io.Writer) error, error) {
	copied := func(name string) func(io.Writer) error {
		return func(w io.Writer) error {
			file, err := os.Open(name)
			if err != nil {
				return err
			}
			defer file.Close()
			_, err = io.Copy(w, file)
			return err
		}
	}
	files := map[string]func(io.Writer) error{
		ReportName:         func(w io.Writer) error { _, err := w.Write(report); return err },
		f.transcriptName(): copied(f.Transcript),
	}
	if f.Sealed == "" {
		if f.Witness != "" {
			return nil, console.Usage("--witness vouches for a sealed report; add --sealed FILE")
		}
		return files, nil
	}
	raw, err := os.ReadFile(f.Sealed)
	if err != nil {
		return nil, console.Usage("--sealed: %w", err)
	}
	if _, err := statement.On(raw, report, nil); err != nil {
		return nil, console.Usage("--sealed %s: %w", f.Sealed, err)
	}
	files[SealedName] = func(w io.Writer) error { _, err := w.Write(raw); return err }
	if f.Witness != "" {
		if _, err := os.Stat(f.Witness); err != nil {
			return nil, console.Usage("--witness: %w", err)
		}
		files[WitnessName] = copied(f.Witness)
	}
	return files, nil
}

// commands are the lines that make the run once more, and those that check it.
func (f *SubmitFlags) commands(t *transcript.RecordedRun, r *reports.Report) reports.SubmissionCommands {
	transcript := f.transcriptName()
	commands := reports.SubmissionCommands{
		Run:   "aql-conform " + command(t, r) + " --transcript again.ndjson.gz --report json=again.json",
		Judge: "aql-conform judge " + transcript,
		Hints: t.Head.HintsDigest,
	}
	if f.Sealed != "" {
		commands.Verify = "aql-conform verify " + SealedName + " --transcript " + transcript + " --key KEY.pub"
	}
	return commands
}

// command is the command line of the recorded run, without its files.
func command(t *transcript.RecordedRun, r *reports.Report) string {
	words := []string{}
	add := func(given bool, more ...string) {
		if given {
			words = append(words, more...)
		}
	}
	for _, pattern := range t.Head.Selection.Run {
		add(true, "--run", pattern)
	}
	for _, pattern := range t.Head.Selection.Skip {
		add(true, "--skip", pattern)
	}
	add(t.Head.Selection.Subject != "", "--subject", t.Head.Selection.Subject)
	add(r.Run.Level > 1, "--level", fmt.Sprint(r.Run.Level))
	add(r.Run.Basis != "all" && r.Run.Basis != "", "--basis", r.Run.Basis)
	add(r.Run.Strict, "--strict")
	add(r.Run.RequireProof, "--require-proof")
	phases := t.Head.Effort.Phases
	switch all := slices.Equal(phases, generated.Phases()); {
	case len(phases) == 0:
		add(len(t.Head.Selection.Run) == 0, "--phases", "none")
	case !all || len(t.Head.Selection.Run) > 0:
		words = append(words, "--phases", strings.Join(phases, ","))
	}
	// In full, as another version may ask with another effort if nobody says.
	add(len(phases) > 0, "--max-time", t.Head.Effort.Time.String(), "--max-examples", fmt.Sprint(t.Head.Effort.Examples))
	return strings.TrimSpace(t.Head.Again + " " + console.Joined(words))
}
