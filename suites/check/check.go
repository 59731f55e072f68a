// Package check defines a check and the code that checks of several areas share: how to choose
// subjects, send requests and read answers.
package check

import (
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A Check proves or refutes one requirement. It is active (Ask lists the requests and Judge reads
// the answers), scripted (Drive sends one request after the other, or Race several at once, and
// Judge reads the answers), or ambient (Watch judges each reply of the run, or JudgeRun the whole
// run). Watch and the judges are pure: they see observations only. A check has no severity; the
// catalogue row has it.
type Check struct {
	Requirement        string
	Rule               string                                 // what the requirement says
	Why                string                                 // reason for the rule
	On                 func(f *model.Adapter) []model.Subject // subjects; without one the adapter is excused or not proven
	Lane               probes.Lane
	Ask                func(s model.Subject) []probes.Probe
	Drive              func(s model.Subject, ask model.AskFunc)
	Race               func(s model.Subject, ask model.AskFunc, together AskConcurrently) // as Drive, with concurrent requests
	Judge              func(s model.Subject, got []probes.Observation) ruling.Ruling
	Watch              func(f *model.Adapter, o probes.Observation) ruling.Ruling
	JudgeUnsolicited   func(f *model.Adapter, strays []probes.Frame) ruling.Ruling                      // with Watch: judges messages that are not responses to a request
	JudgeNotifications func(f *model.Adapter, news []probes.Frame) ruling.Ruling                        // with Watch: judges notifications
	WatchAllRequests   bool                                                                             // with Watch: judges all replies, not only those to calls of AQL tools
	UnseenReason       string                                                                           // with Watch: why the rule does not apply if there was no relevant reply; empty if that proves nothing
	JudgeCoverage      func(seen []*probes.Observation) ruling.Ruling                                   // with Watch: judges whether the relevant replies suffice to pass
	JudgeRun           func(s model.Subject, got []probes.Observation, all probes.Record) ruling.Ruling // instead of Judge: also sees all replies of the run
	HandlesUnanswered  bool                                                                             // judges unanswered requests itself; by default they leave the case unproven
	HandlesBlocked     bool                                                                             // judges requests that the gate blocked itself; by default they leave the case unproven
	HandlesRateLimits  bool                                                                             // judges rate limit errors itself; by default they leave the case unproven
	Fix                string                                                                           // advice to the author, in the imperative
}

// Ambient reports whether the check can be judged only after all requests.
func (c *Check) Ambient() bool { return c.Watch != nil || c.JudgeRun != nil }

// AskConcurrently sends several probes without waiting for answers. It returns the answers in the
// order of the probes; the frames have the order on the wire.
type AskConcurrently func([]probes.Probe) []probes.Observation

// WithRule returns the check with its rule and the reason for it.
func (c Check) WithRule(rule, why string) Check {
	c.Rule, c.Why = rule, why
	return c
}
