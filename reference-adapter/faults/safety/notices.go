package safety

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/loop"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// noticeFaults break what agents are told, and who may let them go on (spec 8.7.3).
var noticeFaults = inLoop([]seam.Fault{
	{ID: "AQL-8.7.3-01", Variant: "notification-epoch", Defect: "a notification carries an epoch number as timestamp",
		Hooks: notices("autonomy_pause", seam.Set("timestamp", 1767225600))},
	{ID: "AQL-8.7.3-01", Variant: "notification-at-no-time", Defect: "a notification carries a month and an hour that do not exist",
		Hooks: notices("autonomy_pause", seam.Set("timestamp", "2026-13-01T25:00:00Z"))},
	{ID: "AQL-8.7.3-02", Variant: "no-permission-notice", Defect: "a gated call inside the loop raises no notification",
		Features: adapter.Confirming, Hints: gated, Hooks: withoutNotices("permission_pending")},
	{ID: "AQL-8.7.3-03", Variant: "permission-notice-stays", Defect: "the notification is delivered for ever",
		Features: adapter.Confirming, Hints: gated, Hooks: forEver("permission_pending")},
	{ID: "AQL-8.7.3-04", Variant: "cleared-before-check", Defect: "the block is lifted before the token is checked",
		Features: adapter.Confirming, Hints: gated, Hooks: seam.Before(seam.Named("confirm_operation"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			for _, e := range loop.Of(c.Adapter).Running {
				for about, w := range e.Waits {
					if strings.HasPrefix(about, "operation ") {
						loop.Approve(c.Adapter, w.Token)
					}
				}
			}
			return c
		})},
	{ID: "AQL-8.7.3-05", Variant: "no-pause-notice", Defect: "a pause comes without autonomy_pause", Hooks: withoutNotices("autonomy_pause")},
	{ID: "AQL-8.7.3-05", Variant: "no-notice-of-confirm-tier", Defect: "a pause of the confirm tier comes without autonomy_pause",
		Hooks: directives(func(_ adapter.Call, d map[string]any) {
			if d["nextStepRisk"] == "confirm" {
				untell(d, "autonomy_pause")
			}
		})},
	{ID: "AQL-8.7.3-06", Variant: "confirm-without-effect", Defect: "confirm_operation has no effect on the pause",
		Hooks: seam.Before(seam.Named("record_execution_step"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			for _, e := range loop.Of(c.Adapter).Running {
				for _, w := range e.Waits {
					var p loop.Petition
					if c.Records.Find(loop.Petitions, w.Token, &p) && w.Decision.Cause == "tier" {
						p.Approved = false
						adapter.Must(c.Records.Keep(loop.Petitions, p.Token, p))
					}
				}
			}
			return c
		})},
	{ID: "AQL-8.7.3-09", Variant: "only-blocked-agent-told", Defect: "only the blocked agent is notified",
		Hooks: directives(func(_ adapter.Call, d map[string]any) {
			if d["stopped"] != true {
				untell(d, "danger_zone")
			}
		})},
	{ID: "AQL-8.7.3-10", Variant: "broadcast-without-id", Defect: "the danger_zone notification lacks verificationId",
		Hooks: notices("danger_zone", func(n map[string]any) { delete(adapter.Object(n["metadata"]), "verificationId") })},
	{ID: "AQL-8.7.3-11", Variant: "danger-notice-stays", Defect: "the danger_zone notification goes on after the unblock", Hooks: forEver("danger_zone")},
	{ID: "AQL-8.7.3-12", Variant: "only-last-notice-kept", Defect: "only the last of two events is delivered",
		Features: adapter.Confirming, Hints: gated, Hooks: directives(func(_ adapter.Call, d map[string]any) {
			if told := adapter.Array(d["notifications"]); len(told) > 1 {
				d["notifications"] = told[len(told)-1:]
			}
		})},
	{ID: "AQL-8.7.3-13", Variant: "any-caller-confirms", Defect: "confirm_operation accepts the agent that ran into the block",
		Features: adapter.Confirming, Hints: gated, Hooks: seam.Before(seam.Named("confirm_operation"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			token, _ := c.Params()["confirmation_token"].(string)
			loop.Approve(c.Adapter, token)
			return c
		})},
	{ID: "AQL-8.7.3-14", Variant: "confirmed-by-trusted", Defect: "a confirmed_by value in the request is believed",
		Features: adapter.Confirming, Hints: gated, Hooks: seam.Before(seam.Named("confirm_operation"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			if token, _ := c.Params()["confirmation_token"].(string); adapter.Object(c.Body["_meta"])["confirmed_by"] == "human" {
				loop.Approve(c.Adapter, token)
			}
			return c
		})},
})

// gated names an operation that is held up while an agent is executing; it is tried on
// a folder that was made for it.
var gated = map[string]string{"confirm": `{"op":"delete_folder"}`}

// notices rewrites the notifications of one type.
func notices(kind string, rewrite func(n map[string]any)) adapter.Hooks {
	return directives(func(_ adapter.Call, d map[string]any) {
		for _, n := range adapter.Array(d["notifications"]) {
			if adapter.Object(n)["type"] == kind {
				rewrite(adapter.Object(n))
			}
		}
	})
}

func withoutNotices(kind string) adapter.Hooks {
	return directives(func(_ adapter.Call, d map[string]any) { untell(d, kind) })
}

// untell takes the notifications of one type out of a directive.
func untell(d map[string]any, kind string) {
	left := slices.DeleteFunc(slices.Clone(adapter.Array(d["notifications"])), func(n any) bool { return adapter.Object(n)["type"] == kind })
	if len(left) == 0 {
		delete(d, "notifications")
	} else {
		d["notifications"] = left
	}
}

// forEver has notifications of one type delivered with every directive.
func forEver(kind string) adapter.Hooks {
	return seam.After(func(c adapter.Call, _ adapter.Envelope) {
		for _, e := range loop.Of(c.Adapter).Running {
			for i := range e.Notices {
				if e.Notices[i].Type == kind {
					e.Notices[i].Standing = func() bool { return true }
				}
			}
		}
	})
}
