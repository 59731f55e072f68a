package reports

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"
)

// A Series is the submissions of one deployment of an adapter for one specification. It is told by
// the folders of the registry, so that a submission that could not be verified has its place as well.
type Series struct {
	Key         string       // specification/adapter, or specification/adapter@deployment
	Submissions []Submission // by the date of the run; those that could not be verified are the last
}

// Series divides a registry by adapters, in the order of their keys.
func (g *Registry) Series() []Series {
	by := map[string]*Series{}
	var all []*Series
	for _, s := range g.Submissions {
		key := path.Dir(s.Path)
		if _, deployment, named := strings.Cut(path.Base(s.Path), "@"); named {
			key += "@" + deployment
		}
		if by[key] == nil {
			by[key] = &Series{Key: key}
			all = append(all, by[key])
		}
		by[key].Submissions = append(by[key].Submissions, s)
	}
	slices.SortFunc(all, func(a, b *Series) int { return cmp.Compare(a.Key, b.Key) })
	var out []Series
	for _, s := range all {
		slices.SortFunc(s.Submissions, func(a, b Submission) int {
			switch {
			case a.verified() != b.verified():
				return map[bool]int{true: -1, false: 1}[a.verified()]
			case a.verified():
				return cmp.Or(a.Report.Run.Started.Compare(b.Report.Run.Started), cmp.Compare(a.Path, b.Path))
			}
			return cmp.Compare(a.Path, b.Path)
		})
		out = append(out, *s)
	}
	return out
}

func (s Submission) verified() bool { return s.Problem == "" && s.Report != nil }

// whole reports whether the submission can be compared with others: a run that was narrowed, or judged
// by the normative text alone, neither gains a level nor loses one.
func (s Submission) whole() bool {
	return s.verified() && len(s.Report.Run.Narrowed) == 0 && !s.Report.Run.Stopped && s.Report.Run.Basis != "normative"
}

// Current is the submission that speaks for the adapter: the last whole one, else the last that was
// verified. It is nil where none was.
func (s Series) Current() *Submission {
	var current *Submission
	for i := range s.Submissions {
		if one := &s.Submissions[i]; one.whole() || one.verified() && (current == nil || !current.whole()) {
			current = one
		}
	}
	return current
}

// The ways in which a level changes from one whole submission to the next.
const (
	Gained   = "gained"
	Lost     = "lost"            // a requirement of it failed
	Unproved = "no longer shown" // nothing failed, but its core was not proven
)

// A LevelChange is a level that was gained or lost.
type LevelChange struct {
	Date    time.Time // of the run that shows it, by the clock of its author
	Level   int
	How     string // Gained, Lost or Unproved
	Version string // of the adapter
	Path    string // of the submission
	Since   string // of the submission before; "" for the first
}

// Changes are the promotions and demotions of an adapter, the oldest first.
func (s Series) Changes() []LevelChange {
	var out []LevelChange
	had, before := map[int]bool{}, ""
	for _, one := range s.Submissions {
		if !one.whole() {
			continue
		}
		for _, l := range one.Report.Levels {
			change := LevelChange{one.Report.Run.Started.UTC(), l.Number, "", one.Report.Run.Version, one.Path, before}
			switch has := l.Standing == Conformant; {
			case has && !had[l.Number]:
				change.How = Gained
			case !has && had[l.Number] && l.Standing == Nonconformant:
				change.How = Lost
			case !has && had[l.Number]:
				change.How = Unproved
			}
			had[l.Number] = l.Standing == Conformant
			if change.How != "" {
				out = append(out, change)
			}
		}
		before = one.Path
	}
	return out
}

// A jsonHistory is the history of an adapter for a program.
type jsonHistory struct {
	Adapter string       `json:"adapter"` // the key of its series
	Changes []jsonChange `json:"changes"`
}

type jsonChange struct {
	At      string `json:"at"`
	Level   int    `json:"level"`
	Change  string `json:"change"`
	Version string `json:"version"`
	Path    string `json:"path"`
	Since   string `json:"since,omitempty"`
}

func (g *Registry) history() []jsonHistory {
	out := []jsonHistory{}
	for _, s := range g.Series() {
		h := jsonHistory{Adapter: s.Key, Changes: []jsonChange{}}
		for _, c := range s.Changes() {
			h.Changes = append(h.Changes, jsonChange{timestamp(c.Date), c.Level, c.How, c.Version, c.Path, c.Since})
		}
		out = append(out, h)
	}
	return out
}
