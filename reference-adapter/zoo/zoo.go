// Package zoo makes strangers from seeds: descriptions that conform by construction.
package zoo

import (
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
	"github.com/aql-conform/aql-conform/reference-adapter/habits"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
)

// Stranger returns the description of that seed: a stranger that conforms by construction.
// The first seeds, from 1 on, show every pair of habits that can stand together; later
// and withheld ones combine habits at random. Seed 0 is the description of the notes.
func Stranger(seed uint64) habits.Description {
	if seed == 0 {
		return habits.Description{}
	}
	r := rand.New(rand.NewPCG(seed, 0x7a6f6f)) //nolint:gosec // nothing here is a secret
	axes := habits.Axes()
	rows := pairs()
	var row []int
	if at := seed - seed/everyFifth; !Withheld(seed) && at <= uint64(len(rows)) {
		row = slices.Clone(rows[at-1])
	} else {
		row = make([]int, len(axes))
		for i := range row {
			row[i] = -1
		}
		for i, axis := range axes {
			row[i] = allowedAt(axes, row, i, r.Perm(len(axis.Habits)))
		}
	}
	chosen := map[string]string{}
	for i, at := range row {
		if at > 0 {
			chosen[axes[i].Name] = axes[i].Habits[at].Name
		}
	}
	if Withheld(seed) {
		for i, axis := range axes {
			if at := unseenIn(axis); at > 0 && r.IntN(2) == 0 && !excluded(axes, row, i, at) {
				chosen[axis.Name], row[i] = axis.Habits[at].Name, at
			}
		}
	}
	return habits.Described(seed, chosen)
}

// everyFifth seed is withheld while the checks are worked on. Some habits show in these
// seeds alone.
const everyFifth = 5

// Withheld reports whether a seed is kept for the count at the end.
func Withheld(seed uint64) bool { return seed%everyFifth == 0 }

func unseenIn(axis habits.Axis) int {
	return slices.IndexFunc(axis.Habits, func(h habits.Habit) bool { return h.Unseen })
}

// Fits reports whether a fault can be planted in a description.
func Fits(d habits.Description, f seam.Fault) bool {
	_, err := stand.New(stand.Config{Mode: f.Mode, Profile: f.Profile, Description: d, Fault: f.ID + "." + f.Variant})
	return err == nil
}

// allowedAt is the first of the habits that can stand beside those of the row.
func allowedAt(axes []habits.Axis, row []int, i int, order []int) int {
	for _, at := range order {
		if !axes[i].Habits[at].Unseen && !excluded(axes, row, i, at) {
			return at
		}
	}
	return 0
}

// excluded reports whether a habit cannot stand beside those of the row; -1 is undecided.
func excluded(axes []habits.Axis, row []int, i, at int) bool {
	for j, other := range row {
		if j != i && other >= 0 && conflicting(axes[i], at, axes[j], other) {
			return true
		}
	}
	return false
}

func conflicting(a habits.Axis, at int, b habits.Axis, other int) bool {
	named := func(axis habits.Axis, i int) string { return axis.Name + ": " + axis.Habits[i].Name }
	return slices.Contains(a.Habits[at].Conflicts, named(b, other)) || slices.Contains(b.Habits[other].Conflicts, named(a, at))
}

// candidates is how many rows are made of which the best is kept.
const candidates = 20

// pairs is a covering array of strength two, made greedily (Cohen, Dalal, Fredman and
// Patton: The AETG System, IEEE Transactions on Software Engineering 23(7), 1997).
var pairs = sync.OnceValue(func() [][]int {
	axes := habits.Axes()
	left := uncovered(axes)
	r := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same rows every time
	var rows [][]int
	for len(left) > 0 {
		var best []int
		most := 0
		for range candidates {
			row := left.row(axes, r)
			if n := left.covers(row); n > most {
				best, most = row, n
			}
		}
		left.cover(best)
		rows = append(rows, best)
	}
	return rows
})

// A pair is two habits of two axes.
type pair struct{ i, at, j, other int }

// pairsLeft are the pairs that no row shows yet.
type pairsLeft map[pair]bool

func uncovered(axes []habits.Axis) pairsLeft {
	left := pairsLeft{}
	for i := range axes {
		for j := i + 1; j < len(axes); j++ {
			for at := range axes[i].Habits {
				for other := range axes[j].Habits {
					if !axes[i].Habits[at].Unseen && !axes[j].Habits[other].Unseen && !conflicting(axes[i], at, axes[j], other) {
						left[pair{i, at, j, other}] = true
					}
				}
			}
		}
	}
	return left
}

// row chooses axis by axis, in any order, the habit that shows most new pairs.
func (left pairsLeft) row(axes []habits.Axis, r *rand.Rand) []int {
	row := make([]int, len(axes))
	for i := range row {
		row[i] = -1
	}
	for pos, i := range r.Perm(len(axes)) {
		most := -1
		for _, at := range r.Perm(len(axes[i].Habits)) {
			if axes[i].Habits[at].Unseen || excluded(axes, row, i, at) {
				continue
			}
			n := left.gain(row, i, at)
			if pos == 0 {
				n = left.share(i, at)
			}
			if n > most {
				row[i], most = at, n
			}
		}
	}
	return row
}

func (left pairsLeft) gain(row []int, i, at int) int {
	n := 0
	for j, other := range row {
		if other >= 0 && j != i && left[ordered(i, at, j, other)] {
			n++
		}
	}
	return n
}

// share counts the pairs that a habit is in.
func (left pairsLeft) share(i, at int) int {
	n := 0
	for p := range left {
		if p.i == i && p.at == at || p.j == i && p.other == at {
			n++
		}
	}
	return n
}

func ordered(i, at, j, other int) pair {
	if i < j {
		return pair{i, at, j, other}
	}
	return pair{j, other, i, at}
}

func (left pairsLeft) covers(row []int) int {
	n := 0
	for i := range row {
		n += left.gain(row[:i], i, row[i])
	}
	return n
}

func (left pairsLeft) cover(row []int) {
	for i := range row {
		for j := range i {
			delete(left, ordered(i, row[i], j, row[j]))
		}
	}
}

// Paired is the last of the seeds, from 1 on, that together show every pair of habits but
// the withheld ones.
func Paired() int { return len(pairs()) + (len(pairs())-1)/(everyFifth-1) }
