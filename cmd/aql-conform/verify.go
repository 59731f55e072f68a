package main

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/suites"
)

// verifyFlags name a sealed report and what it is held against.
type verifyFlags struct {
	Sealed     string `arg:"" help:"what seal wrote"`
	Transcript string `required:"" placeholder:"FILE" help:"the transcript that the report claims to rest on"`
	Key        string `placeholder:"FILE" help:"ed25519 public key of who sealed it, PEM"`
}

// maxDifferences bounds how many differences are named; one is enough to refuse.
const maxDifferences = 20

// verify holds a sealed report against its signature and against the verdict that
// the transcript gives here and now. It returns 0 when all fits, 1 when something
// does not.
func (f *verifyFlags) verify(ctx context.Context, c console) (int, error) {
	s, signed, err := f.opened()
	var broken *sealError
	if errors.As(err, &broken) {
		fmt.Fprintf(c.stdout, "NOT VERIFIED  %s\n\n  %s\n", f.Sealed, broken.problem)
		return 1, nil
	}
	if err != nil {
		return 0, err
	}
	problems, err := f.compare(ctx, s)
	if err != nil {
		return 0, err
	}
	if len(problems) > 0 {
		fmt.Fprintf(c.stdout, "NOT VERIFIED  %s\n\n", f.Sealed)
		for _, p := range problems[:min(len(problems), maxDifferences)] {
			fmt.Fprintln(c.stdout, "  "+p)
		}
		return 1, nil
	}
	_, err = fmt.Fprintf(c.stdout, "VERIFIED  %s\n\n  signature   %s\n  transcript  gives the same verdict here, with aql-conform %s\n", f.Sealed, signed, version())
	return 0, err
}

// A sealError says why a seal cannot be believed.
type sealError struct{ problem string }

func (e *sealError) Error() string { return e.problem }

// opened reads the envelope, checks its signature and returns the statement.
func (f *verifyFlags) opened() (statement, string, error) {
	var s statement
	raw, err := os.ReadFile(f.Sealed)
	if err != nil {
		return s, "", usage("sealed report: %w", err)
	}
	var e envelope
	if err := strictly(raw, &e); err != nil {
		return s, "", usage("sealed report %s: no DSSE envelope: %w", f.Sealed, err)
	}
	payload, err := base64.StdEncoding.DecodeString(e.Payload)
	if err != nil {
		return s, "", usage("sealed report %s: payload: %w", f.Sealed, err)
	}
	if e.PayloadType != payloadType {
		return s, "", &sealError{fmt.Sprintf("payloadType: want %s, got %q", payloadType, e.PayloadType)}
	}
	signed, err := f.signed(e, payload)
	if err != nil {
		return s, "", err
	}
	if err := strictly(payload, &s); err != nil {
		return s, "", &sealError{"payload: no statement of this version: " + err.Error()}
	}
	switch {
	case s.Type != statementType:
		return s, "", &sealError{fmt.Sprintf("_type: want %s, got %q", statementType, s.Type)}
	case s.PredicateType != predicateType:
		return s, "", &sealError{fmt.Sprintf("predicateType: want %s, got %q", predicateType, s.PredicateType)}
	}
	return s, signed, nil
}

// signed says by whom the envelope is signed.
func (f *verifyFlags) signed(e envelope, payload []byte) (string, error) {
	switch {
	case len(e.Signatures) == 0 && f.Key == "":
		return "none: the report is unsigned, anybody can have made it", nil
	case len(e.Signatures) == 0:
		return "", &sealError{"signature: none, and --key asks for one"}
	case f.Key == "":
		return fmt.Sprintf("by key %s, not checked: --key FILE checks it", short(e.Signatures)), nil
	}
	key, err := publicKey(f.Key)
	if err != nil {
		return "", usage("--key %s: %w", f.Key, err)
	}
	for _, s := range e.Signatures {
		sig, err := base64.StdEncoding.DecodeString(s.Sig)
		if err == nil && ed25519.Verify(key, preAuthentication(e.PayloadType, payload), sig) {
			return "by key " + short([]signature{s}), nil
		}
	}
	return "", &sealError{"signature: it is not that of the key, or the payload was changed after it was signed"}
}

// compare names everything in which the sealed report departs from what the
// transcript gives.
func (f *verifyFlags) compare(ctx context.Context, s statement) ([]string, error) {
	t, err := readTranscript(f.Transcript)
	if err != nil {
		return nil, err
	}
	var sealed sealable
	if err := json.Unmarshal(s.Predicate.Report, &sealed); err != nil || sealed.Digests == nil {
		return []string{"predicate.report: no report with digests"}, nil
	}
	if d := sealed.Digests; d.Transcript != t.digest {
		return []string{fmt.Sprintf("transcript: the report rests on %.12s…, this is %.12s…", d.Transcript, t.digest)}, nil
	}
	if d := sealed.Digests; d.Catalogue != suites.CatalogueDigest() || t.head.Catalogue != d.Catalogue {
		return []string{fmt.Sprintf("catalogue: judged by %.12s…, this program judges by %.12s…; judge says what that changes", d.Catalogue, suites.CatalogueDigest())}, nil
	}
	report, err := t.report(ctx)
	if err != nil {
		return nil, err
	}
	var anew bytes.Buffer
	if err := report.WriteJSON(&anew); err != nil {
		return nil, err
	}
	problems := differences("report", parsed(s.Predicate.Report), parsed(anew.Bytes()))
	// The statement says the same in the words of others; it must not say more.
	var fresh sealable
	if err := json.Unmarshal(s.Predicate.Report, &fresh); err == nil {
		want, got := stated(s.Predicate.Report, fresh), s
		wantRaw, _ := json.Marshal(want)
		gotRaw, _ := json.Marshal(got)
		problems = append(problems, differences("statement", parsed(gotRaw), parsed(wantRaw))...)
	}
	return problems, nil
}

func parsed(raw []byte) any {
	var v any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	_ = d.Decode(&v) // what cannot be read differs from everything
	return v
}

// ownWords are members that name the program that wrote a report.
var ownWords = []string{"report.tool"}

// differences lists where two documents differ, by path: sealed first, then what the
// transcript gives.
func differences(at string, sealed, anew any) []string {
	if slices.Contains(ownWords, at) {
		return nil
	}
	var all []string
	switch x := sealed.(type) {
	case map[string]any:
		y, ok := anew.(map[string]any)
		if !ok {
			break
		}
		names := slices.Sorted(maps.Keys(x))
		for name := range y {
			if _, both := x[name]; !both {
				names = append(names, name)
			}
		}
		for _, name := range names {
			all = append(all, differences(at+"."+name, x[name], y[name])...)
		}
		return all
	case []any:
		y, ok := anew.([]any)
		if !ok {
			break
		}
		if len(x) != len(y) {
			return []string{fmt.Sprintf("%s: %d sealed, the transcript gives %d%s", at, len(x), len(y), missing(x, y))}
		}
		for i := range x {
			all = append(all, differences(fmt.Sprintf("%s[%d]%s", at, i, named(x[i])), x[i], y[i])...)
		}
		return all
	}
	if sealed != anew {
		return []string{fmt.Sprintf("%s: sealed %s, the transcript gives %s", at, brief(sealed), brief(anew))}
	}
	return nil
}

// named adds the requirement of a finding to its place.
func named(v any) string {
	if f, ok := v.(map[string]any); ok {
		if id, ok := f["requirement"].(string); ok {
			return "(" + id + ")"
		}
	}
	return ""
}

// missing names the findings that only one side has.
func missing(sealed, anew []any) string {
	count := map[string]int{}
	for _, v := range anew {
		count[named(v)]++
	}
	for _, v := range sealed {
		count[named(v)]--
	}
	var lost []string
	for _, id := range slices.Sorted(maps.Keys(count)) {
		if id != "" && count[id] != 0 {
			lost = append(lost, strings.Trim(id, "()"))
		}
	}
	if len(lost) == 0 {
		return ""
	}
	return "; they differ in " + strings.Join(lost[:min(len(lost), 10)], ", ")
}

func brief(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	const most = 80
	if len(raw) > most {
		return string(raw[:most]) + "…"
	}
	return string(raw)
}
