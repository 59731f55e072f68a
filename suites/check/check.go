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
// Judge reads the answers), or ambient. The judges are pure: they see observations only. A check has
// no severity; the catalogue row has it.
type Check struct {
	Requirement string
	Rule        string // what the requirement says
	Why         string // reason for the rule
	Fix         string // advice to the author, in the imperative

	// On returns the subjects. Without one the adapter is excused or the check is not proven.
	On   func(f *model.Adapter) []model.Subject
	Lane probes.Lane

	Ask   func(s model.Subject) []probes.Probe
	Drive func(s model.Subject, ask model.AskFunc)
	Race  func(s model.Subject, ask model.AskFunc, together AskConcurrently) // as Drive, with concurrent requests
	Look  func(s model.Subject, ask model.AskFunc, together AskConcurrently) // as Drive, with reads side by side

	// Ahead lists requests of a case in the serial lane that only read and need no earlier answer.
	// They are sent before the cases of the check: side by side the first of each case, then the
	// second of each.
	Ahead func(s model.Subject) []probes.Probe
	Judge func(s model.Subject, got probes.Answers) ruling.Ruling

	Ambient *Ambient
	Handles Handled
}

// An Ambient judges the replies to the requests of all checks: Watch judges each of them, or Run the
// whole run.
type Ambient struct {
	Watch func(f *model.Adapter, o probes.Observation) ruling.Ruling

	Cured         func(passed string) ruling.Ruling                                  // an error that passed, by its code
	Unsolicited   func(f *model.Adapter, unsolicited []probes.Frame) ruling.Ruling   // messages that answer no request
	Notifications func(f *model.Adapter, notifications []probes.Frame) ruling.Ruling // notifications of the adapter
	Coverage      func(seen []*probes.Kept) ruling.Ruling                            // whether the relevant replies, in any order, suffice to pass
	AllRequests   bool                                                               // also replies to calls of other tools

	// UnseenReason says why the rule does not apply if no reply was relevant. If it is empty, the
	// check is not proven then.
	UnseenReason string

	// Run judges the answers of the case together with all replies of the run.
	Run func(s model.Subject, got probes.Answers, all probes.Record) ruling.Ruling
}

// Handled says which answers a check judges itself. By default they leave a case not proven.
type Handled uint8

// The answers that a check may judge.
const (
	Unanswered Handled = 1 << iota // requests without an answer
	Blocked                        // requests that the gate blocked
	RateLimits                     // rate limit errors
	Movement                       // answers that cannot be compared because others change something: ruling.Moved
)

// Watches reports whether the check judges each reply of the run.
func (c *Check) Watches() bool { return c.Ambient != nil && c.Ambient.Watch != nil }

// JudgesRun reports whether the check judges the whole run.
func (c *Check) JudgesRun() bool { return c.Ambient != nil && c.Ambient.Run != nil }

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
