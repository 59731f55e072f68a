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

	"github.com/aql-conform/aql-conform/suites/catalogue"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A Replay is all that is needed to see a finding again: the requirement, the
// subject, the seed, and for generated input the script itself. Its text form
// stands on one line and needs no file.
type Replay struct {
	Requirement string        `json:"r"`
	Subject     string        `json:"s"`
	Seed        uint64        `json:"n"`
	Script      *model.Script `json:"c,omitempty"`
}

// replayVersion begins every replay text, so that a later form can be told apart.
const replayVersion = "v1:"

// maxReplay bounds what is unpacked from a replay text, in bytes; scripts are cut
// down before they are printed.
const maxReplay = 1 << 20

// packers are kept: a run packs a replay for each finding, and a packer is large.
var packers = sync.Pool{New: func() any {
	w, _ := flate.NewWriter(nil, flate.BestCompression) // fails for unknown levels alone
	return w
}}

// String returns the text form: a version, then the compressed JSON in an alphabet
// that no shell touches.
func (r Replay) String() string {
	var packed bytes.Buffer
	w := packers.Get().(*flate.Writer)
	defer packers.Put(w)
	w.Reset(&packed)
	_ = json.NewEncoder(w).Encode(r) // a buffer takes everything
	w.Close()
	return replayVersion + base64.RawURLEncoding.EncodeToString(packed.Bytes())
}

// ParseReplay reads the text form. The error says what is wrong with it: another
// version, a text that was cut off, a requirement nobody knows.
func ParseReplay(text string) (Replay, error) {
	var r Replay
	packed, ok := strings.CutPrefix(strings.TrimSpace(text), replayVersion)
	if !ok {
		return r, fmt.Errorf("a replay begins with %q; a finding in a report prints it behind the word replay", replayVersion)
	}
	raw, err := base64.RawURLEncoding.DecodeString(packed)
	if err != nil {
		return r, fmt.Errorf("the replay is damaged: %w", err)
	}
	document, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(raw)), maxReplay+1))
	switch {
	case err != nil:
		return r, fmt.Errorf("the replay is cut off or damaged: %w", err)
	case len(document) > maxReplay:
		return r, errors.New("the replay is larger than any that is printed")
	}
	d := json.NewDecoder(bytes.NewReader(document))
	d.UseNumber()
	if err := d.Decode(&r); err != nil {
		return r, fmt.Errorf("the replay is damaged: %w", err)
	}
	if _, known := catalogue.Lookup(r.Requirement); !known {
		return r, fmt.Errorf("the replay is of %q, which is no requirement of this version", r.Requirement)
	}
	if r.Script != nil {
		tidy(r.Script)
	}
	return r, sound(r.Script)
}

// tidy gives a decoded script the plain kinds that scripts are made of.
func tidy(sc *model.Script) {
	for i, step := range sc.Steps {
		if step.Params != nil {
			sc.Steps[i].Params, _ = model.Native(step.Params).(map[string]any)
		}
		if step.TopLevel != nil {
			sc.Steps[i].TopLevel, _ = model.Native(step.TopLevel).(map[string]any)
		}
	}
}

// sound refuses a script whose steps refer to what does not come before them.
func sound(sc *model.Script) error {
	if sc == nil {
		return nil
	}
	if len(sc.Steps) == 0 {
		return errors.New("the replay holds no call")
	}
	for i, step := range sc.Steps {
		if step.MadeBy < model.NoObject || step.MadeBy >= i && step.MadeBy != model.NoObject {
			return fmt.Errorf("call %d of the replay refers to call %d, which does not come before it", i+1, step.MadeBy+1)
		}
	}
	return nil
}
