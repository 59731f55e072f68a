package plan

import (
	"sync"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A spec that Ginkgo abandoned on an interrupt wakes beside the judging of what remains. It wrote
// into the findings at the same time, which ended the process.
func TestAnAbandonedSpecJudgesNothing(t *testing.T) {
	judging, release := make(chan struct{}), make(chan struct{})
	began := sync.OnceFunc(func() { close(judging) })
	slow := &check.Check{Requirement: "OPS-6.3-03", Judge: func(model.Subject, probes.Answers) ruling.Ruling {
		began()
		<-release
		return ruling.Conforms()
	}}
	subject := &model.Subject{Name: "get_note", Adapter: &model.Adapter{Adapter: &probes.Adapter{}}}
	first, second := &Case{Check: slow, Subject: subject}, &Case{Check: slow, Subject: subject}
	first.Keep(nil)
	second.Keep(nil)

	kept := 0
	r := &specRun{plan: &Plan{}, keep: func(fs ...reports.Finding) { kept += len(fs) }, catchPanic: func() {}}
	var spec sync.WaitGroup
	spec.Go(func() {
		for _, c := range []*Case{first, second} {
			r.judge(c)
		}
	})
	<-judging
	ended := make(chan struct{})
	go func() { r.end(); close(ended) }()
	select {
	case <-ended:
		t.Error("the run ended while a case was being judged")
	default:
	}
	close(release)
	<-ended
	before := kept
	spec.Wait()
	if kept != before {
		t.Errorf("%d findings came after the end", kept-before)
	}
	if !first.judged || second.judged && kept < 2 {
		t.Error("a case counts as judged, and its finding was not kept")
	}
}
