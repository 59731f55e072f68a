package mutation

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// An experiment is one adapter of the matrix, and what came of it.
type experiment struct {
	Mutant
	selection plan.Selection
	proof     reports.Proof
	killers   []*check.Check // those of its requirement that accused
	done      bool
}

// mostAgain is up to how many wrong outcomes a busy machine can be the reason.
const mostAgain = 20

// again tries once more, one by one and with patience, what did not come out as it
// should: where others want the processor, too, an answer can come too late. It returns
// how many were tried.
func again(ctx context.Context, experiments []*experiment) int {
	wrong := slices.DeleteFunc(slices.Clone(experiments), func(t *experiment) bool {
		return !t.done || t.proof.Right()
	})
	if len(wrong) > mostAgain {
		return 0
	}
	for _, t := range wrong {
		once := *t
		once.proof.Trouble = ""
		if once.try(ctx, longCall); once.done {
			*t = once
		}
	}
	return len(wrong)
}

// try runs the checks. What an interrupt met half done is not done.
func (t *experiment) try(ctx context.Context, each time.Duration) {
	defer func() {
		if r := recover(); r != nil {
			t.fail(fmt.Errorf("the checker panicked: %v", r))
		}
	}()
	got, err := t.attempt(ctx, t.selection, each)
	if t.done = ctx.Err() == nil; !t.done {
		return
	}
	if err != nil {
		t.fail(err)
		return
	}
	t.compare(got.Accused())
	t.killers = got.Killers(t.Requirement)
}

// fail says that nothing is known of the checks.
func (t *experiment) fail(err error) {
	t.compare(nil)
	t.done, t.proof.Caught, t.proof.Trouble = true, false, err.Error()
}

// compare holds what the checks say against what they should.
func (t *experiment) compare(accused []string) {
	p, want := &t.proof, t.Want()
	p.Requirement, p.Fault, p.Transport = t.Requirement, t.Fault, t.Transport
	p.Want, p.Missing, p.Others = want, minus(want, accused), minus(accused, want)
	p.Caught = len(p.Missing) == 0
}

// minus returns the ids of the first list that are not in the second.
func minus(ids, others []string) []string {
	return append([]string{}, slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return slices.Contains(others, id) })...)
}
