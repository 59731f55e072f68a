package reports

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// A Baseline is what somebody accepts for now: failures that are known. It changes what
// a gate makes of a run and never what the run says of the adapter: no level is granted
// by it, the verdicts and their digest stay as they are, and the headline still says
// NOT CONFORMANT.
type Baseline struct {
	File     string  // as reports name it
	Entries  []Known // in the order of the file
	Narrowed bool    // only some subjects were asked about, so that an entry that meets none says nothing
}

// A Known is one entry of a baseline.
type Known struct {
	Line        int    // of the file, from 1
	Requirement string // id of the row
	Operation   string // glob over subjects, with or without the face before them
	Reason      string // what Reason says of the failure that is accepted
	Owner, Note string // who mends it, and what there is to say
	Expires     string // the last day on which it is accepted, as 2026-12-31; empty for no end
}

// The ways in which a run departs from a baseline; each gives exit code 1.
const (
	NewFailure    = "new failure"       // a failure that no entry names
	ChangedReason = "changed reason"    // an entry names it, and it fails in another way now
	FixedEntry    = "fixed, yet listed" // what the entry names was seen to hold
	ExpiredEntry  = "expired"           // the day of the run is behind that of the entry
	IdleEntry     = "matches nothing"   // the requirement was judged on nothing that the entry names
)

// A Departure is one way in which a run departs from its baseline.
type Departure struct {
	Kind        string
	Requirement string
	Subject     string // of the failure, or the glob of the entry
	Reason      string // how it fails now; empty for an entry that meets no failure
	Known       *Known // the entry; nil for a new failure
	Text        string // what it is and what to do, in one line
}

// An Acceptance is what a baseline made of a report.
type Acceptance struct {
	Baseline
	Known      int         // failures that are accepted, on each subject by itself
	Departures []Departure // new and changed failures as the report lists them, then entries in their order
}

// Accept holds the failures of a report against those that are known and settles the exit
// code anew. A new failure counts where it would give exit code 1 by itself. Entries
// that the run could not try are left alone: their requirement was not judged, or not on
// all that they name, or the run was cut short. The day of a run decides what has expired,
// not the day on which it is judged once more: the same transcript and baseline give the
// same report.
func (r *Report) Accept(b Baseline) {
	a := &Acceptance{Baseline: b}
	r.Baseline = a
	uses := make([]use, len(b.Entries))
	all := slices.Clone(r.singles)
	for i, f := range all {
		if f.Verdict == Fail {
			f = f.clone()
			f.Known, f.Departure = nil, ""
			r.match(f, uses)
			all[i] = f
		}
	}
	for _, f := range all {
		r.meet(f, uses)
	}
	r.Findings = group(all)
	r.depart(uses)
	r.ExitCode = r.exitCode()
}

// Accepts reports whether a baseline accepts a failure of a run.
func (b Baseline) Accepts(f Finding, run Run) bool {
	return slices.ContainsFunc(b.Entries, func(k Known) bool {
		return k.names(f, run) && k.Reason == Reason(f) && !k.expired(run)
	})
}

// A use is what became of one entry.
type use struct {
	matched, changed bool // it names a failure, for its reason or for another
	held, open       bool // it names what was seen to hold, or was not settled
	reason           string
}

// match looks for the entry that accepts a failure; one that has expired accepts none.
func (r *Report) match(f *Finding, uses []use) {
	for i := range r.Baseline.Entries {
		e := &r.Baseline.Entries[i]
		if !e.names(*f, r.Run) || e.Reason != f.Reason {
			continue
		}
		uses[i].matched = true
		if !e.expired(r.Run) && f.Known == nil {
			f.Known = e
			r.Baseline.Known++
		} else if f.Known == nil {
			f.Departure = ExpiredEntry
		}
	}
	if f.Known != nil {
		f.Departure = ""
	}
}

// meet tells the entries of a finding that none of them accepts.
func (r *Report) meet(f *Finding, uses []use) {
	if f.Known != nil || f.Departure != "" {
		return
	}
	for i := range r.Baseline.Entries {
		u := &uses[i]
		switch {
		case !r.Baseline.Entries[i].names(*f, r.Run):
		case f.Verdict == NotProven, f.Verdict == Skipped:
			u.open = true
		case f.Verdict != Fail:
			u.held = true
		case !u.matched && f.Departure == "":
			u.changed, u.reason, f.Departure = true, f.Reason, ChangedReason
		}
	}
	if f.Verdict == Fail && f.Departure == "" && r.weighs(*f) {
		f.Departure = NewFailure
	}
}

// names reports whether an entry is about a finding, whatever its verdict.
func (k *Known) names(f Finding, run Run) bool {
	if k.Requirement != f.Requirement {
		return false
	}
	subject := f.Subject
	if ok, _ := path.Match(k.Operation, subject); ok {
		return true
	}
	mode, bare, _ := strings.Cut(subject, ": ")
	ok, _ := path.Match(k.Operation, bare)
	return ok && slices.Contains(run.Modes, mode)
}

// expired compares days in UTC as text, which sorts like time.
func (k *Known) expired(run Run) bool {
	return k.Expires != "" && run.Started.UTC().Format("2006-01-02") > k.Expires
}

// depart lists the departures.
func (r *Report) depart(uses []use) {
	a := r.Baseline
	for _, f := range r.Findings {
		subject := f.Subject
		if n := len(f.Instances) - 1; n > 0 {
			subject += fmt.Sprintf(" and %d more", n)
		}
		if f.Departure == NewFailure {
			a.Departures = append(a.Departures, Departure{NewFailure, f.Requirement, subject, f.Reason, nil,
				"no entry of " + a.File + " names it; mend it, or accept it with --update-baseline"})
		}
	}
	for i := range a.Entries {
		e, u := &a.Entries[i], uses[i]
		d := Departure{"", e.Requirement, e.Operation, u.reason, e, ""}
		at := fmt.Sprintf("%s:%d: ", a.File, e.Line)
		switch {
		case u.changed:
			d.Kind, d.Text = ChangedReason, at+fmt.Sprintf("accepted as %s, fails as %s now; look at it anew, then --update-baseline", e.Reason, u.reason)
			a.Departures = append(a.Departures, d)
		case r.cut(): // what was not seen may be
		case !u.matched && u.held && !u.open && !r.partOf(e):
			d.Kind, d.Text = FixedEntry, at+"no failure any more; take the entry out, or run with --update-baseline"
			a.Departures = append(a.Departures, d)
			continue
		case !u.matched && !u.held && !u.open && r.listed(e.Requirement):
			d.Kind, d.Text = IdleEntry, at+"the requirement was judged, on nothing of that name; mend the entry, or run with --update-baseline"
			a.Departures = append(a.Departures, d)
			continue
		}
		if e.expired(r.Run) {
			d.Kind, d.Text = ExpiredEntry, at+"accepted until "+e.Expires+"; mend it, or agree on another day"
			a.Departures = append(a.Departures, d)
		}
	}
}

// listed reports whether all is known that a requirement is about, so that an entry
// that meets none of it is about nothing. Where it is open on the adapter as a whole,
// nobody could say which operations it has.
func (r *Report) listed(requirement string) bool {
	judged := false
	for _, f := range r.singles {
		if f.Requirement != requirement {
			continue
		}
		open := f.Verdict == NotProven || f.Verdict == Skipped
		if open && (f.Subject == "adapter" || strings.HasSuffix(f.Subject, ": adapter")) {
			return false
		}
		judged = true
	}
	return judged && !r.Baseline.Narrowed
}

// partOf reports whether an entry speaks of more than the subjects that were asked about.
func (r *Report) partOf(k *Known) bool {
	return r.Baseline.Narrowed && strings.ContainsAny(k.Operation, `*?[\`)
}

// Stale says which entries of the baseline this run shows to be of no more use, and
// which reason those have now that fail in another way, by index.
func (a *Acceptance) Stale() (gone []int, changed map[int]string) {
	changed = map[int]string{}
	for _, d := range a.Departures {
		if d.Known == nil {
			continue
		}
		i := slices.IndexFunc(a.Entries, func(k Known) bool { return k.Line == d.Known.Line })
		switch d.Kind {
		case FixedEntry, IdleEntry:
			gone = append(gone, i)
		case ChangedReason:
			changed[i] = d.Reason
		}
	}
	return gone, changed
}

// Unlisted are the failures that no entry names, one entry for each subject and reason.
func (r *Report) Unlisted() []Known {
	var all []Known
	for _, f := range r.Findings {
		if f.Departure != NewFailure {
			continue
		}
		for _, s := range subjects(f) {
			all = append(all, Known{Requirement: f.Requirement, Operation: globOf.Replace(s), Reason: f.Reason})
		}
	}
	return all
}

// globOf writes a name as a glob that matches it alone.
var globOf = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`)

// said is the baseline in the headline.
func (a *Acceptance) said() string {
	switch {
	case len(a.Departures) > 0:
		return fmt.Sprintf("; %s from the baseline %s", plural(len(a.Departures), "difference"), a.File)
	case a.Known > 0:
		return fmt.Sprintf("; all failures known (%d, baseline %s)", a.Known, a.File)
	}
	return "; nothing departs from the baseline " + a.File
}

// said is who answers for a known failure, until when, and why.
func (k *Known) said() string {
	parts := []string{}
	if k.Owner != "" {
		parts = append(parts, "owner "+k.Owner)
	}
	if k.Expires != "" {
		parts = append(parts, "until "+k.Expires)
	}
	text := strings.Join(parts, ", ")
	switch {
	case k.Note == "" && text == "":
		return "no owner named"
	case k.Note == "":
		return text
	case text == "":
		return k.Note
	}
	return text + ": " + k.Note
}
