package generated

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/suites/catalogue"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A Replay has everything needed to reproduce a finding: the requirement, the subject, the seed,
// and the script of generated input. Its text form is one line and needs no file.
type Replay struct {
	Requirement string        `json:"r"`
	Subject     string        `json:"s"`
	Seed        uint64        `json:"n"`
	Script      *model.Script `json:"c,omitempty"`
}

// replayVersion is the prefix of every replay text.
const replayVersion = "v1:"

// maxReplay bounds the decompressed size of a replay text, in bytes.
const maxReplay = 1 << 20

// compressors are reused, because they are large and a run encodes one replay for each finding.
var compressors = sync.Pool{New: func() any {
	w, _ := flate.NewWriter(nil, flate.BestCompression) // fails only for an unknown level
	return w
}}

// decompressors are reused for the same reason.
var decompressors = sync.Pool{New: func() any { return flate.NewReader(nil) }}

// String returns the text form: the version and the compressed JSON in an alphabet without shell
// metacharacters.
func (r Replay) String() string {
	for blanks := 0; ; blanks++ {
		// A text that looks like a credential by chance would be masked in each report.
		if text := r.packed(blanks); len(wire.Credentials([]byte(text))) == 0 {
			return text
		}
	}
}

// packed returns a text form. Each number of blanks behind the JSON gives another one.
func (r Replay) packed(blanks int) string {
	var packed bytes.Buffer
	w := compressors.Get().(*flate.Writer)
	defer compressors.Put(w)
	w.Reset(&packed)
	_ = json.NewEncoder(w).Encode(r) // writing to a buffer cannot fail
	_, _ = io.WriteString(w, strings.Repeat(" ", blanks))
	w.Close()
	return replayVersion + base64.RawURLEncoding.EncodeToString(packed.Bytes())
}

// ParseReplay parses the text form. It rejects other versions, truncated texts and unknown
// requirements.
func ParseReplay(text string) (Replay, error) {
	var r Replay
	packed, ok := strings.CutPrefix(strings.TrimSpace(text), replayVersion)
	if !ok {
		return r, fmt.Errorf("a replay begins with %q; the report prints it in the replay line of a finding", replayVersion)
	}
	raw, err := base64.RawURLEncoding.DecodeString(packed)
	if err != nil {
		return r, fmt.Errorf("the replay is damaged: %w", err)
	}
	unpacked := decompressors.Get().(io.ReadCloser)
	defer decompressors.Put(unpacked)
	_ = unpacked.(flate.Resetter).Reset(bytes.NewReader(raw), nil) // never fails
	document, err := io.ReadAll(io.LimitReader(unpacked, maxReplay+1))
	switch {
	case err != nil:
		return r, fmt.Errorf("the replay is cut off or damaged: %w", err)
	case len(document) > maxReplay:
		return r, errors.New("the replay is too large")
	}
	d := json.NewDecoder(bytes.NewReader(document))
	d.UseNumber()
	if err := d.Decode(&r); err != nil {
		return r, fmt.Errorf("the replay is damaged: %w", err)
	}
	if _, known := catalogue.Lookup(r.Requirement); !known {
		return r, fmt.Errorf("the replay names %q, which is not a requirement of this version", r.Requirement)
	}
	if r.Script != nil {
		normalize(r.Script)
	}
	return r, validate(r.Script)
}

// normalize converts the values of a decoded script with model.Native.
func normalize(sc *model.Script) {
	for i, step := range sc.Steps {
		if step.Params != nil {
			sc.Steps[i].Params, _ = model.Native(step.Params).(map[string]any)
		}
		if step.TopLevel != nil {
			sc.Steps[i].TopLevel, _ = model.Native(step.TopLevel).(map[string]any)
		}
	}
}

// validate rejects a script with a reference to a later step.
func validate(sc *model.Script) error {
	if sc == nil {
		return nil
	}
	if len(sc.Steps) == 0 {
		return errors.New("the replay has no call")
	}
	for i, step := range sc.Steps {
		if step.MadeBy < model.NoObject || step.MadeBy >= i && step.MadeBy != model.NoObject {
			return fmt.Errorf("call %d of the replay refers to call %d, which does not come before it", i+1, step.MadeBy+1)
		}
	}
	return nil
}
