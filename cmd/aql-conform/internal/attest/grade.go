package attest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/seal"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/session"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/statement"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/transcript"
	"github.com/aql-conform/aql-conform/reports"
)

// grade says whose word a verified report is: that of its author alone, of a witness, or of others
// who have repeated the run.
func grade(witness string, repeaters []string) string {
	switch {
	case len(repeaters) > 0:
		return "independently repeated by " + strings.Join(repeaters, ", ")
	case witness != "":
		return "witnessed"
	}
	return "self-declared"
}

// answered says which challenge the run has answered, and why the answer is none.
func (f *VerifyFlags) answered(t *transcript.RecordedRun, s statement.Statement) (string, []string, error) {
	var asked *seal.GivenChallenge
	if f.Challenge != "" {
		g, err := seal.ReadChallenge(f.Challenge)
		if err != nil {
			return "", nil, err
		}
		asked = &g
	}
	return answerOf(t, s.Predicate.Report, asked)
}

// answerOf holds a run against the challenge in the head of its transcript, and that against the
// one that was asked, if it is known.
func answerOf(t *transcript.RecordedRun, report json.RawMessage, asked *seal.GivenChallenge) (string, []string, error) {
	if len(t.Head.Challenge) == 0 {
		if asked != nil {
			return "", []string{"challenge: the run does not answer one"}, nil
		}
		return "none, so the run may be the best of many runs", nil, nil
	}
	g, err := seal.ChallengeIn(t.Head.Challenge)
	if err != nil {
		return "", []string{"challenge: " + err.Error()}, nil
	}
	var r statement.Sealable
	if err := json.Unmarshal(report, &r); err != nil || r.Digests == nil {
		return "", nil, nil // which the comparison of the report has said
	}
	began, ended := span(t)
	var problems []string
	for _, wrong := range []struct {
		is  bool
		why string
	}{
		{asked != nil && !asked.Same(g), "challenge: the run answers a different challenge"},
		{t.Head.Effort.Seed != g.Seed || t.Head.Nonce != session.Nonce(g.Seed), "challenge: the run has a different seed"},
		{r.Digests.Adapter != g.Commitment, fmt.Sprintf("challenge: it is for the adapter %.12s…, the run is of %.12s…", g.Commitment, r.Digests.Adapter)},
		{began.Before(g.Issued.Add(-clockSkew)), "challenge: the run began before it was issued"},
		{ended.After(g.Expires), "challenge: the run ended after it had expired"},
	} {
		if wrong.is {
			problems = append(problems, wrong.why)
		}
	}
	said := fmt.Sprintf("%.12s…, answered %s after it was issued, by the author's clock", g.Nonce, ended.Sub(g.Issued).Round(time.Second))
	if asked == nil {
		said += "; verify it with --challenge FILE, which shows that the challenge is yours"
	}
	return said, problems, nil
}

// span is when a run began and ended, by the clock of its author.
func span(t *transcript.RecordedRun) (began, ended time.Time) {
	return t.Foot.Run.Started, t.Foot.Run.Started.Add(t.Foot.Run.Elapsed)
}

// witnessing reads who may issue identities. A witness cannot be believed without.
func (f *VerifyFlags) witnessing() (*issuer, error) {
	by, err := f.IssuerFlags.read()
	if err == nil && by == nil && f.Witness != "" {
		return nil, console.Usage("--witness needs --issuer URL and --issuer-keys FILE: without them, anybody could have made the witness file")
	}
	return by, err
}

// vouched says who vouches for the sealed report.
func (f *VerifyFlags) vouched(by *issuer, t *transcript.RecordedRun) (string, []string, error) {
	if f.Witness == "" {
		return "", nil, nil
	}
	raw, err := os.ReadFile(f.Witness)
	if err != nil {
		return "", nil, console.Usage("--witness: %w", err)
	}
	sealed, err := os.ReadFile(f.Sealed)
	if err != nil {
		return "", nil, err
	}
	_, ended := span(t)
	said, err := by.witnessed(bytes.TrimSpace(raw), sealed, ended)
	if err != nil {
		return "", []string{"witness: " + err.Error()}, nil
	}
	return said, nil, nil
}

// graded says whose word a verified submission is, and why a witness or a repetition does not count.
func graded(ctx context.Context, root *os.Root, s reports.Submission, repeats []string, keys []statement.Key, by *issuer) (string, []string) {
	var uncounted, repeaters []string
	witness, err := witnessIn(root, s, by)
	if err != nil {
		uncounted = append(uncounted, "the witness does not count: "+err.Error())
	}
	for _, folder := range repeats {
		key, err := repeated(ctx, root, s, folder, keys)
		if err != nil {
			uncounted = append(uncounted, fmt.Sprintf("the repetition %s does not count: %s", path.Base(folder), err))
		} else if !slices.Contains(repeaters, key) {
			repeaters = append(repeaters, key)
		}
	}
	return grade(witness, repeaters), uncounted
}

// witnessIn says who vouches for a submission; "" if nobody does.
func witnessIn(root *os.Root, s reports.Submission, by *issuer) (string, error) {
	if _, err := root.Lstat(path.Join(s.Path, WitnessName)); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	raw, err := contents(root, path.Join(s.Path, WitnessName), maxWitness)
	if err != nil {
		return "", err
	}
	if by == nil {
		return "", errors.New("no --issuer is named")
	}
	sealed, err := contents(root, path.Join(s.Path, SealedName), maxSealed)
	if err != nil {
		return "", err
	}
	return by.witnessed(raw, sealed, s.Report.Run.Started.Add(s.Report.Run.Elapsed))
}

// repeated says whose key has sealed a repetition. It counts if the key is known and another one
// than that of the submission, if the adapter was the same and the seed another, and if it came to the
// same. With another seed no request that writes is the same, so a copy would have to be invented.
func repeated(ctx context.Context, root *os.Root, s reports.Submission, folder string, keys []statement.Key) (string, error) {
	if len(keys) == 0 {
		return "", errors.New("no --key is named")
	}
	r := verified(ctx, root, folder, s.Path, keys)
	switch {
	case r.Problem != "":
		return "", errors.New(r.Problem)
	case r.Signature == s.Signature:
		return "", errors.New("the key is that of the submission")
	case r.Report.Run.Digests.Adapter != s.Report.Run.Digests.Adapter:
		return "", errors.New("it is of a different adapter, or of the same adapter with a different command line")
	case r.Report.Run.Seed == s.Report.Run.Seed:
		return "", errors.New("it has the seed of the submission, so it may be a copy")
	}
	for i, l := range s.Report.Levels {
		if r.Report.Levels[i].Standing != l.Standing {
			return "", fmt.Errorf("level %d is %s in it, and %s in the submission", l.Number, r.Report.Levels[i].Standing, l.Standing)
		}
	}
	if there, here := failing(r.Report), failing(s.Report); !slices.Equal(there, here) {
		return "", errors.New("different requirements fail in it")
	}
	return strings.TrimPrefix(r.Signature, "signed by "), nil
}

// failing lists the requirements that fail, each once.
func failing(r *reports.Report) []string {
	var ids []string
	for _, f := range r.Findings {
		if f.Verdict == reports.Fail {
			ids = append(ids, f.Requirement)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
