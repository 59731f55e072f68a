package reports

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// A kind is what makes two findings the same finding on two subjects.
type kind struct {
	requirement               string
	verdict                   Verdict
	want, got, fix, add, root string
	reason, departure         string
	known                     string
}

// kindOf is coarse where a reader needs only the number (PASS, NOT-APPLICABLE)
// and fine where the way out differs: each NOT-PROVEN keeps its own key.
func kindOf(f Finding) kind {
	k := kind{requirement: f.Requirement, verdict: f.Verdict, reason: f.Reason, departure: f.Departure}
	if f.Known != nil {
		k.known = f.Known.said()
	}
	switch f.Verdict {
	case Pass, NotApplicable:
	case NotProven:
		k.want, k.got, k.fix, k.add, k.root = f.Want, f.Got, f.Fix, f.Add, f.RootCause
	default:
		k.want, k.got, k.root = shape(f.Want, f.Subject), shape(f.Got, f.Subject), f.RootCause
	}
	return k
}

// cited is what a text cites from one answer: a string or a JSON value, which may be cut, a number,
// an error code, a name with underscores, a path.
var cited = regexp.MustCompile(`"(?:[^"\\]|\\.)*(?:"|$)|[{\[].*$|\b_[a-z]\w*\b|\b[0-9]+\b|\b[A-Za-z][A-Za-z0-9]*(?:(?:_|\.|\[\d+\]\.?)[A-Za-z0-9]+)+\b`)

// citedList is a list of such citations, of which one answer may have more than another.
var citedList = regexp.MustCompile(`…(?:(?:, | and )…)+`)

// shape is a text without what differs from subject to subject when one thing is
// wrong with all: the values of an answer and the name of the subject itself.
func shape(text, subject string) string {
	words := strings.Split(text, " ")
	for i, w := range words {
		if w == subject {
			words[i] = "…"
		}
	}
	return citedList.ReplaceAllString(cited.ReplaceAllString(strings.Join(words, " "), "…"), "…")
}

// group puts the findings in order and merges those of one kind. The first subject
// lends its evidence.
func group(findings []*Finding) []Finding {
	slices.SortStableFunc(findings, compareFindings)
	at := map[kind]int{}
	var out []Finding
	for _, single := range findings {
		f := *single
		k := kindOf(f)
		i, seen := at[k]
		if !seen {
			at[k] = len(out)
			f.Instances = slices.Clone(subjects(f))
			out = append(out, f)
			continue
		}
		out[i].Instances = append(out[i].Instances, subjects(f)...)
		out[i].Note = join(out[i].Note, f.Note)
		out[i].Elapsed += f.Elapsed
		if f.Verdict != Fail && out[i].Evidence == nil { // its words were masked, which changed the order
			out[i].Evidence = f.Evidence
		}
	}
	for i := range out {
		slices.Sort(out[i].Instances)
		out[i].Instances = slices.Compact(out[i].Instances)
		out[i].Subject = out[i].Instances[0]
		if len(out[i].Instances) == 1 {
			out[i].Instances = nil
		}
	}
	slices.SortStableFunc(out, compareValues)
	return out
}

// compareFindings leaves nothing to the order of arrival that a reader can see.
func compareFindings(a, b *Finding) int {
	if c := cmp.Or(compareID(a.Requirement, b.Requirement), cmp.Compare(weight(a.Verdict), weight(b.Verdict)), cmp.Compare(a.Subject, b.Subject)); c != 0 {
		return c // most findings differ here
	}
	return cmp.Or(
		cmp.Compare(a.Want, b.Want),
		cmp.Compare(a.Got, b.Got),
		cmp.Compare(a.RootCause, b.RootCause),
		cmp.Compare(a.Fix, b.Fix),
		cmp.Compare(a.Add, b.Add),
		cmp.Compare(a.Note, b.Note),
		cmp.Compare(a.Again, b.Again),
		cmp.Compare(a.Replay, b.Replay),
		slices.CompareFunc(a.Evidence, b.Evidence, func(x, y Exchange) int { return slices.Compare(x.Frames, y.Frames) }),
	)
}

func compareValues(a, b Finding) int { return compareFindings(&a, &b) }

// subjects are all the subjects a finding speaks of.
func subjects(f Finding) []string {
	if len(f.Instances) > 0 {
		return f.Instances
	}
	return []string{f.Subject}
}

// join keeps different notes of one group, until nobody would read further.
func join(notes, more string) string {
	const enough = 400
	switch {
	case more == "" || len(notes) > enough || strings.Contains(notes, more):
		return notes
	case notes == "":
		return more
	}
	return notes + "; " + more
}

// explained lists the findings that a FAIL at the root accounts for, by the id
// of that requirement; own holds the rest, the headlines. A root that has a
// root of its own leads on to that one. A finding whose root did not fail
// stands for itself, and so do those of a circle: nothing may hide itself.
func explained(findings []Finding) (under map[string][]Finding, own []Finding) {
	head := map[string]bool{}
	parent := map[string]string{}
	for _, f := range findings {
		if f.RootCause != "" {
			parent[f.Requirement] = f.RootCause
		} else if f.Verdict == Fail {
			head[f.Requirement] = true
		}
	}
	under = map[string][]Finding{}
	for _, f := range findings {
		root := f.RootCause
		for range parent { // no chain has more links
			if head[root] {
				break
			}
			root = parent[root]
		}
		if head[root] && root != f.Requirement {
			under[root] = append(under[root], f)
		} else {
			own = append(own, f)
		}
	}
	return under, own
}
