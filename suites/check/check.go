// Package check is the contract of a check, and what checks of several areas share: ways to
// choose subjects, to ask, and to read answers. It judges nothing by itself.
package check

import (
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A Check proves or refutes one requirement. It has one of three shapes: active
// (Ask lists the questions, Judge reads the answers), scripted (Drive asks one
// question after the other, or Race several at once, and Judge reads what was said), or ambient (Watch judges
// each reply of the whole run, or Whole the run at once). All functions are pure: they send nothing
// themselves and see nothing but observations. A check has no severity; the
// catalogue row has it.
type Check struct {
	Requirement string
	Rule        string                                 // what the requirement says
	Why         string                                 // why there is such a rule
	On          func(f *model.Adapter) []model.Subject // what the check is about; no subject settles it without a verdict
	Lane        probes.Lane
	Ask         func(s model.Subject) []probes.Probe
	Drive       func(s model.Subject, ask model.AskFunc)
	Race        func(s model.Subject, ask model.AskFunc, together Together) // as Drive, where some questions have to be in flight at once
	Judge       func(s model.Subject, got []probes.Observation) ruling.Ruling
	Watch       func(f *model.Adapter, o probes.Observation) ruling.Ruling
	Strays      func(f *model.Adapter, strays []probes.Frame) ruling.Ruling                      // with Watch: judges messages that answered nothing
	News        func(f *model.Adapter, news []probes.Frame) ruling.Ruling                        // with Watch: judges what the adapter said unasked
	Every       bool                                                                             // with Watch: judges the answers to all requests, not to calls of AQL tools alone
	Unseen      string                                                                           // with Watch: why the rule does not apply when no reply was of its sort; empty where that proves nothing
	Enough      func(seen []*probes.Observation) ruling.Ruling                                   // with Watch: judges whether what it ruled on in the whole run is enough to pass
	Whole       func(s model.Subject, got []probes.Observation, all probes.Record) ruling.Ruling // instead of Judge: sees beside its own answers all that was said in the run
	Losses      bool                                                                             // judges unanswered questions itself; elsewhere they leave a case unproven
	Held        bool                                                                             // judges questions that were kept back itself; elsewhere they leave a case unproven
	Limits      bool                                                                             // judges answers that ask for patience itself; elsewhere they leave a case unproven
	Fix         string                                                                           // what the author should mend, in the imperative
}

// Ambient reports whether the check cannot be judged before all is asked.
func (c *Check) Ambient() bool { return c.Watch != nil || c.Whole != nil }

// Together sends the probes of one step of a script without waiting for answers, and
// returns what became of each, in the order given. In which order they were sent, and
// answered, is in the frames.
type Together func([]probes.Probe) []probes.Observation

// Stating returns the check with the rule and the reason for it.
func (c Check) Stating(rule, why string) Check {
	c.Rule, c.Why = rule, why
	return c
}
