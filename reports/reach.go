package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Reach says how much of an adapter a run has exercised. A run that reached little may have
// found nothing because it asked nothing. It decides one thing: where nothing could be read, no
// level is granted.
type Reach struct {
	Operations int       // documented operations that the checker may call
	NotReached []string  // those of them without a valid call that succeeded, by name
	NotAllowed []string  // documented operations that it may not call, or that need an object which only such operations make; they are not counted above
	Kinds      int       // kinds of objects that the adapter can make
	NotLived   []Unlived // those of them whose life was not played to the end, by name
	Unread     bool      // READ operations are documented beside introspection, and none was reached
}

// Unlived is a kind of object whose documented life was not played with success on one object
// of the run.
type Unlived struct {
	Kind       string   `json:"kind"`
	Documented []string `json:"documented"` // steps of its life, in order
	Missing    []string `json:"missing"`    // those that no call played, in order
}

// Sort brings the names into the order of a report.
func (r *Reach) Sort() {
	slices.Sort(r.NotReached)
	slices.Sort(r.NotAllowed)
	slices.SortFunc(r.NotLived, func(a, b Unlived) int { return cmp.Compare(a.Kind, b.Kind) })
}

// Reached is the number of operations with a valid call that succeeded.
func (r *Reach) Reached() int { return r.Operations - len(r.NotReached) }

// documented is the number of all documented operations.
func (r *Reach) documented() int { return r.Operations + len(r.NotAllowed) }

// Lived is the number of kinds whose documented life was played.
func (r *Reach) Lived() int { return r.Kinds - len(r.NotLived) }

// String is "14 of 19 operations called, 2 of 3 kinds of objects with a full life cycle; 2 need permission",
// of all documented operations. It has no share in per cent: nothing of nothing is no success.
func (r *Reach) String() string {
	s := fmt.Sprintf("%d of %s called, %d of %s of objects with a full life cycle",
		r.Reached(), plural(r.documented(), "operation"), r.Lived(), plural(r.Kinds, "kind"))
	switch n := len(r.NotAllowed); {
	case n == 1:
		s += "; 1 operation needs permission"
	case n > 1:
		s += fmt.Sprintf("; %d operations need permission", n)
	}
	return s
}

// gaps names what was not reached, a few of each unless all are wanted; "" when there is
// nothing, or nothing is known.
func (r *Reach) gaps() string {
	if r == nil {
		return ""
	}
	var parts []string
	if len(r.NotReached) > 0 {
		name := "OPERATION"
		if len(r.NotReached) == 1 {
			name = r.NotReached[0]
		}
		parts = append(parts, fmt.Sprintf("not reached: %s (try samples.%s in the hints file)", strings.Join(r.NotReached, ", "), name))
	}
	var kinds []string
	for _, k := range r.NotLived {
		kinds = append(kinds, fmt.Sprintf("%s (without %s)", k.Kind, strings.Join(k.Missing, ", ")))
	}
	if len(kinds) > 0 {
		parts = append(parts, "incomplete life cycle: "+strings.Join(kinds, ", "))
	}
	if len(r.NotAllowed) > 0 {
		parts = append(parts, "needs --allow: "+strings.Join(r.NotAllowed, ", "))
	}
	return strings.Join(parts, "; ")
}

// gaps is what the run did not reach; a part of a run was not to reach it.
func (r *Report) gaps() string {
	if len(r.Run.Narrowed) > 0 {
		return ""
	}
	return r.Run.Reach.gaps()
}

// ReachOfAll returns what each of several runs of the same plan reached; nil when nothing is
// known of them.
func ReachOfAll(runs []*Reach) *Reach {
	return together(runs, func(a, b int) bool { return a < b })
}

// together takes of each operation and each kind what is known in the run that ranks before
// the others by how far it came.
func together(all []*Reach, before func(a, b int) bool) *Reach {
	all = slices.DeleteFunc(slices.Clone(all), func(r *Reach) bool { return r == nil })
	if len(all) == 0 {
		return nil
	}
	out, documented := &Reach{}, 0
	var names, kinds []string
	for _, r := range all {
		documented, out.Kinds = max(documented, r.Operations+len(r.NotAllowed)), max(out.Kinds, r.Kinds)
		names = Distinct(Distinct(names, r.NotReached), r.NotAllowed)
		for _, k := range r.NotLived {
			kinds = Distinct(kinds, []string{k.Kind})
		}
	}
	for _, name := range names {
		switch chosen(all, before, func(r *Reach) int { return r.far(name) }).far(name) {
		case farNotAllowed:
			out.NotAllowed = append(out.NotAllowed, name)
		case farNotReached:
			out.NotReached = append(out.NotReached, name)
		}
	}
	for _, kind := range kinds {
		r := chosen(all, before, func(r *Reach) int { return -r.missing(kind) })
		if i := r.unlived(kind); i >= 0 {
			out.NotLived = append(out.NotLived, r.NotLived[i])
		}
	}
	out.Unread = chosen(all, before, func(r *Reach) int { return r.farReads() }).Unread
	out.Operations = documented - len(out.NotAllowed)
	out.Sort()
	return out
}

// chosen returns the first of all that ranks before the others.
func chosen(all []*Reach, before func(a, b int) bool, rank func(*Reach) int) *Reach {
	best := all[0]
	for _, r := range all[1:] {
		if before(rank(r), rank(best)) {
			best = r
		}
	}
	return best
}

// How far an operation came.
const (
	farNotAllowed = iota
	farNotReached
	farReached
)

func (r *Reach) farReads() int {
	if r.Unread {
		return farNotReached
	}
	return farReached
}

func (r *Reach) far(operation string) int {
	switch {
	case slices.Contains(r.NotAllowed, operation):
		return farNotAllowed
	case slices.Contains(r.NotReached, operation):
		return farNotReached
	}
	return farReached
}

// unlived is the index of a kind whose life was not played; -1 when it was.
func (r *Reach) unlived(kind string) int {
	return slices.IndexFunc(r.NotLived, func(k Unlived) bool { return k.Kind == kind })
}

// missing counts the steps of a kind that were not played.
func (r *Reach) missing(kind string) int {
	if i := r.unlived(kind); i >= 0 {
		return len(r.NotLived[i].Missing)
	}
	return 0
}
