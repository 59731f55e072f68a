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
	Requirement string
	Rule        string // what the requirement says
	Why         string // reason for the rule

	// On returns the subjects. Without one the adapter is excused or the check is not proven.
	On   func(f *model.Adapter) []model.Subject
	Lane probes.Lane

	Ask   func(s model.Subject) []probes.Probe
	Drive func(s model.Subject, ask model.AskFunc)
	Race  func(s model.Subject, ask model.AskFunc, together AskConcurrently) // as Drive, with concurrent requests
	Judge func(s model.Subject, got probes.Answers) ruling.Ruling

	Watch func(f *model.Adapter, o probes.Observation) ruling.Ruling

	// The following fields are used with Watch. JudgeUnsolicited judges messages that are not
	// responses to a request, and JudgeCoverage whether the relevant replies suffice to pass.
	JudgeUnsolicited   func(f *model.Adapter, unsolicited []probes.Frame) ruling.Ruling
	JudgeNotifications func(f *model.Adapter, notifications []probes.Frame) ruling.Ruling
	JudgeCoverage      func(seen []*probes.Observation) ruling.Ruling
	WatchAllRequests   bool // judges all replies, not only those to calls of AQL tools

	// UnseenReason says why the rule does not apply if no reply was relevant. If it is empty, the
	// check is not proven then.
	UnseenReason string

	// JudgeRun is used instead of Judge. It also sees all replies of the run.
	JudgeRun func(s model.Subject, got probes.Answers, all probes.Record) ruling.Ruling

	// A case with such a request is not proven by default.
	HandlesUnanswered bool // judges unanswered requests
	HandlesBlocked    bool // judges requests that the gate blocked
	HandlesRateLimits bool // judges rate limit errors

	Fix string // advice to the author, in the imperative
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

// WithReason returns the check with the reason for it. Another check of the requirement quotes
// the rule.
func (c Check) WithReason(why string) Check {
	c.Why = why
	return c
}
