package safety

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// backups named by what they do.
func ofBackups(c adapter.Call) bool { return strings.HasSuffix(c.Operation(), "_backup") }

// told rewrites what an answer tells of a backup.
func told(rewrite func(c adapter.Call, backup map[string]any)) adapter.Hooks {
	return seam.After(func(c adapter.Call, e adapter.Envelope) {
		if ofBackups(c) && adapter.Succeeded(e) {
			rewrite(c, adapter.Object(e["data"]))
		}
	})
}

// backingUpBy changes the rules that backups live by.
func backingUpBy(change func(b *adapter.Backups)) adapter.Hooks {
	return adapter.Hooks{Table: func(a *adapter.Adapter) { change(&a.Backups) }}
}

// ticking does more with a backup whenever its state is looked at.
func ticking(then func(b *adapter.Backup, now time.Time)) adapter.Hooks {
	return backingUpBy(func(b *adapter.Backups) {
		tick := b.Ticks
		b.Ticks = func(b *adapter.Backup, now time.Time) {
			tick(b, now)
			then(b, now)
		}
	})
}

// promising changes what execute_backup says of its lifecycle.
func promising(change func(l map[string]any)) adapter.Hooks {
	return seam.Remade("execute_backup", func(op *adapter.Operation) {
		op.Lifecycle = maps.Clone(op.Lifecycle)
		change(op.Lifecycle)
	})
}

// unpaused is an adapter whose backups know the core states alone.
func unpaused(h adapter.Hooks) adapter.Hooks {
	states := slices.DeleteFunc(slices.Clone(adapter.BackupState), func(s string) bool { return s == "paused" })
	return seam.Both(seam.Both(promising(seam.Set("states", states)), adapter.Hooks{Table: func(a *adapter.Adapter) {
		a.Operations = slices.DeleteFunc(a.Operations, func(op adapter.Operation) bool { return op.Name == "pause_backup" || op.Name == "resume_backup" })
	}}), seam.Both(seam.Retyped("BackupState", func(t *adapter.TypeInfo) {
		t.Values, t.Description = states, "States of a backup"
	}), h))
}

// lifecycleFaults break how long work is followed.
var lifecycleFaults = []seam.Fault{
	{ID: "AQL-2.3.3-04", Variant: "execution-table-global", Defect: "a paused execution outlives its session and is driven on by another", Transport: "http",
		Features: adapter.Lifecycles, Hooks: backingUpBy(func(b *adapter.Backups) { b.Keeps = func(b *adapter.Backup) bool { return b.Status == "paused" } })},
	{ID: "AQL-2.3.3-06", Variant: "orphan-runs-for-ever", Defect: "after a disconnect the execution stays at running", Transport: "http",
		Features: adapter.Lifecycles, Hooks: backingUpBy(func(b *adapter.Backups) { b.Keeps = func(b *adapter.Backup) bool { return b.Status == "running" } })},
	{ID: "AQL-8.4-01", Variant: "execution-without-state", Defect: "execute_backup returns only {\"ok\":true}",
		Features: adapter.Lifecycles, Hooks: seam.Both(told(func(c adapter.Call, b map[string]any) {
			if c.Operation() == "execute_backup" {
				clear(b)
				b["ok"] = true
			}
		}), seam.Remade("execute_backup", func(op *adapter.Operation) {
			op.Returns = adapter.TypeInfo{Name: "Introspection", Kind: "object", Description: "Whether it was started"}
		}))},
	{ID: "AQL-8.4.1-01", Variant: "state-canceled", Defect: "a status reads \"canceled\"",
		Features: adapter.Lifecycles, Hooks: told(func(_ adapter.Call, b map[string]any) {
			if b["status"] == "cancelled" {
				b["status"] = "canceled"
			}
		})},
	{ID: "AQL-8.4.2-01", Variant: "cancel-overrides-completed", Defect: "cancel sets a completed execution to cancelled",
		Features: adapter.Lifecycles, Hooks: backingUpBy(func(b *adapter.Backups) { b.Moves["cancel"]["completed"] = "cancelled" })},
	{ID: "AQL-8.4.2-02", Variant: "completed-after-cancel", Defect: "the worker writes completed after the cancellation",
		Features: adapter.Lifecycles, Hooks: ticking(func(b *adapter.Backup, now time.Time) {
			if b.Status == "cancelled" && now.Sub(b.Started) >= b.Work {
				b.Status, b.Message = "completed", "done"
			}
		})},
	{ID: "AQL-8.4.2-02", Variant: "running-work-completes", Defect: "a worker that runs when the execution is cancelled writes completed three seconds later",
		Features: adapter.Lifecycles, Hooks: ticking(func(b *adapter.Backup, now time.Time) {
			ran := b.Finished.Sub(b.Started) > 300*time.Millisecond
			if b.Status == "cancelled" && ran && now.Sub(b.Finished) >= 3*time.Second {
				b.Status, b.Message = "completed", "done"
			}
		})},
	{ID: "AQL-8.4.2-02", Variant: "timer-not-stopped", Defect: "the timer of a delayed execution survives the cancellation and starts it",
		Features: adapter.Lifecycles, Hooks: ticking(func(b *adapter.Backup, now time.Time) {
			if b.Status == "cancelled" && b.Since.After(b.Finished) && now.After(b.Since) {
				b.Status, b.Finished, b.Message = "running", time.Time{}, "copying notes"
			}
		})},
	{ID: "AQL-8.4.2-03", Variant: "failed-requeued", Defect: "a failed execution is set back to pending by an automatic re-queue",
		Features: adapter.Lifecycles, Hooks: ticking(func(b *adapter.Backup, now time.Time) {
			if b.Status == "failed" && now.Sub(b.Finished) > time.Second {
				b.Status, b.Since, b.Finished, b.Message = "pending", now.Add(time.Hour), time.Time{}, "waiting"
			}
		})},
	{ID: "AQL-8.4.2-03", Variant: "failed-paused", Defect: "a failed execution is set to paused, as if it could be resumed",
		Features: adapter.Lifecycles, Hooks: ticking(func(b *adapter.Backup, now time.Time) {
			if b.Status == "failed" && now.Sub(b.Finished) > time.Second {
				b.Status, b.Finished, b.Message = "paused", time.Time{}, "waiting"
			}
		})},
	{ID: "AQL-8.4.2-04", Variant: "retry-despite-false", Defect: "supports_retry is false, yet retry sets a failed execution to running",
		Features: adapter.Lifecycles, Hooks: promising(seam.Set("supports_retry", false))},
	{ID: "AQL-8.4.2-04", Variant: "retry-completes-despite-false", Defect: "supports_retry is false, yet retry sets a failed execution to completed",
		Features: adapter.Lifecycles, Hooks: seam.Both(promising(seam.Set("supports_retry", false)), backingUpBy(func(b *adapter.Backups) { b.Moves["retry"]["failed"] = "completed" }))},
	{ID: "AQL-8.4.2-05", Variant: "progress-resets-state", Defect: "a progress report sets running back to pending",
		Features: adapter.Lifecycles, Hooks: told(func(c adapter.Call, b map[string]any) {
			if done := adapter.Integer(adapter.Object(b["progress"])["percentage"]); c.Operation() == "get_backup" && b["status"] == "running" && done >= 50 {
				b["status"] = "pending"
			}
		})},
	{ID: "AQL-8.4.2-05", Variant: "progress-requeues", Defect: "a progress report sets running back to waiting, which is documented to map to pending",
		Features: adapter.Lifecycles, Hooks: seam.Both(promising(func(l map[string]any) {
			l["states"] = append(slices.Clone(adapter.BackupState), "waiting")
			l["mapping"] = map[string]any{"waiting": "pending"}
		}), told(func(c adapter.Call, b map[string]any) {
			if done := adapter.Integer(adapter.Object(b["progress"])["percentage"]); c.Operation() == "get_backup" && b["status"] == "running" && done >= 50 && done < 80 {
				b["status"] = "waiting"
			}
		}))},
	{ID: "AQL-8.4.2-06", Variant: "pending-cancel-refused", Defect: "cancel refuses everything but running",
		Features: adapter.Lifecycles, Hooks: unpaused(backingUpBy(func(b *adapter.Backups) { delete(b.Moves["cancel"], "pending") }))},
	{ID: "AQL-8.4.2-07", Variant: "cancel-without-effect", Defect: "cancel answers success and the job runs on",
		Features: adapter.Lifecycles, Hooks: unpaused(backingUpBy(func(b *adapter.Backups) { b.Moves["cancel"]["running"] = "running" }))},
	{ID: "AQL-8.4.3-01", Variant: "id-instead-of-execution-id", Defect: "state answers use id instead of execution_id",
		Features: adapter.Lifecycles, Hooks: seam.Both(told(func(_ adapter.Call, b map[string]any) {
			b["id"] = b["execution_id"]
			delete(b, "execution_id")
		}), seam.Retyped("Backup", func(t *adapter.TypeInfo) {
			t.Fields = slices.Clone(t.Fields)
			t.Fields[0].Name = "id"
		}))},
	{ID: "AQL-8.4.3-01", Variant: "cancel-without-execution-id", Defect: "the answer to a cancellation uses id instead of execution_id",
		Features: adapter.Lifecycles, Hooks: told(func(c adapter.Call, b map[string]any) {
			if c.Operation() == "cancel_backup" {
				b["id"] = b["execution_id"]
				delete(b, "execution_id")
			}
		})},
	{ID: "AQL-8.4.3-02", Variant: "constant-execution-id", Defect: "every start returns the same execution_id",
		Features: adapter.Lifecycles, Hooks: told(func(c adapter.Call, b map[string]any) {
			if c.Operation() == "execute_backup" {
				b["execution_id"] = "backup_1"
			}
		})},
	{ID: "AQL-8.4.3-03", Variant: "state-not-in-lifecycle", Defect: "a status reads paused, which a description mentions but lifecycle.states does not list",
		Features: adapter.Lifecycles, Hooks: promising(seam.Set("states", []string{"pending", "running", "completed", "failed", "cancelled"}))},
	{ID: "AQL-8.4.3-04", Variant: "state-error-text", Defect: "error of a failed execution is a plain string",
		Features: adapter.Lifecycles, Hooks: told(func(_ adapter.Call, b map[string]any) {
			if reason := adapter.Object(b["error"]); reason != nil {
				b["error"] = reason["message"]
			}
		})},
	{ID: "AQL-8.4.3-04", Variant: "completed-error-text", Defect: "a completed execution has the text none as error",
		Features: adapter.Lifecycles, Hooks: told(func(_ adapter.Call, b map[string]any) {
			if b["status"] == "completed" {
				b["error"] = "none"
			}
		})},
	{ID: "AQL-8.4.3-05", Variant: "empty-progress", Defect: "progress is {}",
		Features: adapter.Lifecycles, Hooks: told(func(_ adapter.Call, b map[string]any) { b["progress"] = map[string]any{} })},
	{ID: "AQL-8.4.4-02", Variant: "undocumented-paused", Defect: "an execution reports suspended, which introspection never mentions",
		Features: adapter.Lifecycles, Hooks: told(func(_ adapter.Call, b map[string]any) {
			if b["status"] == "paused" {
				b["status"] = "suspended"
			}
		})},
	{ID: "AQL-8.4.4-04", Variant: "paused-not-cancellable", Defect: "a paused execution cannot be cancelled",
		Features: adapter.Lifecycles, Hooks: backingUpBy(func(b *adapter.Backups) { delete(b.Moves["cancel"], "paused") })},
	{ID: "AQL-8.4.5-01", Variant: "lifecycle-missing", Defect: "execute_backup returns execution states but its details have no lifecycle",
		Features: adapter.Lifecycles, Hooks: seam.Record("execute_backup", seam.Drop("lifecycle"))},
	{ID: "AQL-8.4.5-02", Variant: "states-as-text", Defect: "lifecycle.states is \"pending,running\"",
		Features: adapter.Lifecycles, Hooks: promising(seam.Set("states", "pending,running"))},
	{ID: "AQL-8.4.5-03", Variant: "retry-flag-untrue", Defect: "supports_retry is true but no retry works",
		Features: adapter.Lifecycles, Hooks: backingUpBy(func(b *adapter.Backups) { b.Moves["retry"] = nil })},
}
