package reports

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// A Selftest says of adapters of which it is known what they break whether the checks
// accused each of that and of nothing else.
type Selftest struct {
	Tool        string   `json:"tool"`
	SpecVersion string   `json:"specVersion"`
	Catalogue   string   `json:"catalogue"`   // sha256 of the requirements
	Checker     string   `json:"checker"`     // sha256 of the program; empty when it could not be read
	Selected    []string `json:"selected"`    // patterns of requirements; none when all were to be broken
	Interrupted bool     `json:"interrupted"` // before all was tried
	Checked     int      `json:"checked"`     // requirements of which an adapter can be accused
	Mild        int      `json:"neverAccuse"` // requirements that are looked at and accuse nobody
	Again       int      `json:"again"`       // adapters that were tried a second time, alone and with patience

	Healthy []Control `json:"healthy"`
	Proofs  []Proof   `json:"rows"`
	Gaps    []Gap     `json:"gaps"`
	NotRun  []NotRun  `json:"notRun"`
}

// A Control is a healthy adapter, and the requirements that accused it nevertheless.
type Control struct {
	Adapter   string   `json:"adapter"`
	Transport string   `json:"transport"` // stdio or http
	Accused   []string `json:"accused"`
	Trouble   string   `json:"trouble,omitempty"` // why it could not be tried
}

// A Proof is one fault, and who accused the adapter that has it.
type Proof struct {
	Requirement string   `json:"requirement"`
	Fault       string   `json:"fault"`
	Transport   string   `json:"transport"` // stdio or http, both in the process of the checker
	Beside      string   `json:"beside"`    // what else judged it: the requirements of its area, or all
	Want        []string `json:"want"`      // requirements that have to accuse: its own, and what it cannot leave alone
	Caught      bool     `json:"caught"`    // all of them did
	Missing     []string `json:"missing"`   // those that did not
	Others      []string `json:"others"`    // requirements that accused without reason
	Trouble     string   `json:"trouble,omitempty"`
}

// Right reports whether the fault was caught, and by nothing that has to be silent.
func (p Proof) Right() bool { return p.Caught && len(p.Others) == 0 && p.Trouble == "" }

// A Gap is a requirement of which it was not shown that its checks can accuse.
type Gap struct {
	Requirement string `json:"requirement"`
	Why         string `json:"why"`
}

// A NotRun is a fault that was not tried, and counts for nothing.
type NotRun struct {
	Requirement string `json:"requirement"`
	Fault       string `json:"fault"`
	Why         string `json:"why"`
}

// Whole reports whether all was tried.
func (s *Selftest) Whole() bool { return len(s.Selected) == 0 && !s.Interrupted }

// Perfect reports whether all that was tried came out as it should, and something was
// tried.
func (s *Selftest) Perfect() bool {
	return len(s.Proofs) > 0 && len(s.Healthy) > 0 && len(s.Gaps) == 0 && s.right() == len(s.Proofs) &&
		!slices.ContainsFunc(s.Healthy, func(c Control) bool { return len(c.Accused) > 0 || c.Trouble != "" })
}

func (s *Selftest) right() int {
	n := 0
	for _, p := range s.Proofs {
		if p.Right() {
			n++
		}
	}
	return n
}

// Digest is the sha256 of what was tried and what came of it, in hexadecimal. Neither
// build, time nor how busy the machine was is in it: the same checks prove the same
// everywhere.
func (s *Selftest) Digest() string {
	proven := s.listed()
	proven.Tool, proven.Checker, proven.Again = "", "", 0
	raw, _ := json.Marshal(proven) // texts and numbers alone
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// selftestCounts are what a reader would count.
type selftestCounts struct {
	Faults  int `json:"faults"`
	Right   int `json:"right"`
	Percent int `json:"percent"` // rounded down: 100 means all
	NotRun  int `json:"notRun"`
}

// selftestFile is the JSON form.
type selftestFile struct {
	Version string `json:"selftestVersion"`
	*Selftest
	Whole   bool           `json:"whole"`
	Perfect bool           `json:"perfect"`
	Counts  selftestCounts `json:"counts"`
	Digest  string         `json:"digest"`
}

const selftestVersion = "1.0"

func (s *Selftest) counts() selftestCounts {
	c := selftestCounts{Faults: len(s.Proofs), Right: s.right(), NotRun: len(s.NotRun)}
	if c.Faults > 0 {
		c.Percent = 100 * c.Right / c.Faults
	}
	return c
}

// WriteJSON writes the whole table.
func (s *Selftest) WriteJSON(w io.Writer) error {
	return writeIndented(w, selftestFile{selftestVersion, s.listed(), s.Whole(), s.Perfect(), s.counts(), s.Digest()})
}

// listed has empty lists where there are none.
func (s *Selftest) listed() *Selftest {
	l := *s
	l.Selected, l.Healthy, l.Proofs = append([]string{}, s.Selected...), append([]Control{}, s.Healthy...), append([]Proof{}, s.Proofs...)
	l.Gaps, l.NotRun = append([]Gap{}, s.Gaps...), append([]NotRun{}, s.NotRun...)
	return &l
}

// ReadSelftest reads what WriteJSON wrote. What does not follow from the rest of the
// file, above all the digest, is an error that names it.
func ReadSelftest(raw []byte) (*Selftest, error) {
	file := selftestFile{Selftest: &Selftest{}}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&file); err != nil {
		return nil, fmt.Errorf("no selftest: %w", err)
	}
	s := file.Selftest
	switch {
	case file.Version != selftestVersion:
		return nil, fmt.Errorf("selftestVersion: want %s, got %q", selftestVersion, file.Version)
	case file.Digest != s.Digest():
		return nil, fmt.Errorf("digest: the file says %.16q, its rows come to %.16s…", file.Digest, s.Digest())
	}
	var anew, read bytes.Buffer
	if err := s.WriteJSON(&anew); err != nil {
		return nil, err
	}
	want := anew.Bytes()
	anew = bytes.Buffer{}
	if err := errors.Join(json.Compact(&anew, want), json.Compact(&read, raw)); err != nil {
		return nil, err
	}
	if !bytes.Equal(anew.Bytes(), read.Bytes()) {
		return nil, errors.New("whole, perfect or counts: they do not follow from the rows")
	}
	return s, nil
}
