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

// An experiment is one adapter of the matrix with its result.
type experiment struct {
	Mutant
	selection plan.Selection
	proof     reports.Proof
	killers   []*check.Check // checks of its requirement that found it
	done      bool
}

// maxRetried is the largest number of wrong results that a busy machine may explain.
const maxRetried = 20

// retryWrong repeats the experiments with a wrong result, one by one and with a longer timeout,
// because an answer may be late on a busy machine. It returns how many were repeated.
func retryWrong(ctx context.Context, experiments []*experiment) int {
	wrong := slices.DeleteFunc(slices.Clone(experiments), func(t *experiment) bool {
		return !t.done || t.proof.Right()
	})
	if len(wrong) > maxRetried {
		return 0
	}
	for _, t := range wrong {
		once := *t
		once.proof.Trouble = ""
		if once.run(ctx, retryCallTime); once.done {
			*t = once
		}
	}
	return len(wrong)
}

// run runs the checks. An interrupted experiment is not done.
func (t *experiment) run(ctx context.Context, each time.Duration) {
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

// fail records that the checks could not be run.
func (t *experiment) fail(err error) {
	t.compare(nil)
	t.done, t.proof.Caught, t.proof.Trouble = true, false, err.Error()
}

// compare compares the found requirements with the expected ones.
func (t *experiment) compare(accused []string) {
	p, want := &t.proof, t.Want()
	p.Requirement, p.Fault, p.Transport = t.Requirement, t.Fault, t.Transport
	p.Want, p.Missing, p.Others = want, difference(want, accused), difference(accused, want)
	p.Caught = len(p.Missing) == 0
}

// difference returns the ids of the first list that are not in the second.
func difference(ids, others []string) []string {
	return append([]string{}, slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return slices.Contains(others, id) })...)
}
