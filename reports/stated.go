package reports

import (
	"cmp"
	"fmt"
	"strings"
	"time"
)

// A Stated is what a board states of a submission, in the words of its pages. A reader's browser
// makes it anew from the transcript, so both use this one form.
type Stated struct {
	Fields map[string]string `json:"fields"` // by the names that the pages give them
	Cells  map[string]string `json:"cells"`  // the verdict on each requirement
	Marks  map[string]string `json:"marks"`  // how the pages draw a verdict
}

// Stated says what the report states, in inert text.
func (r *Report) Stated() Stated {
	s := Stated{map[string]string{
		"verdict": r.reachedLevel(), "name": clip(cmp.Or(r.Run.Implementation, "unnamed"), 100), "version": clip(r.Run.Version, 40), "spec": Inert(r.Run.SpecVersion),
		"date": r.Run.Started.UTC().Format(time.DateOnly), "build": r.build(), "platform": cmp.Or(clip(r.Run.Platform, 40), "not recorded"), "digest": r.Digest,
		"claim": cmp.Or(r.claimLine(), "none"),
	}, map[string]string{}, map[string]string{}}
	for _, l := range r.Levels {
		must := l.Must
		if r.Run.Basis == "normative" {
			must = l.Normative
		}
		s.Fields[fmt.Sprint("level", l.Number)] = string(l.Standing) + ": " + must.String()
	}
	if len(r.Run.Narrowed) > 0 {
		s.Fields["narrowed"] = clip(strings.Join(r.Run.Narrowed, ", "), 300)
	}
	for _, row := range r.rows {
		st := standings[r.stands(row)]
		s.Cells[row.ID], s.Marks[st.verdict] = st.verdict, st.mark
	}
	return s
}

// build names the program that asked: the one that judges again is another.
func (r *Report) build() string {
	if d := r.Run.Digests.Checker; d != "" {
		return "checker " + Inert(d[:min(12, len(d))])
	}
	return "not recorded"
}
