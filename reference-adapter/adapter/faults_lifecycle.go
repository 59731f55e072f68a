package adapter

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// backups named by what they do.
func ofBackups(c call) bool { return strings.HasSuffix(c.operation(), "_backup") }

// told rewrites what an answer tells of a backup.
func told(rewrite func(c call, backup map[string]any)) hooks {
	return after(func(c call, e envelope) {
		if ofBackups(c) && succeeded(e) {
			rewrite(c, object(e["data"]))
		}
	})
}

// backingUpBy changes the rules that backups live by.
func backingUpBy(change func(b *backups)) hooks {
	return hooks{table: func(a *Adapter) { change(&a.backups) }}
}

// ticking does more with a backup whenever its state is looked at.
func ticking(then func(b *backup, now time.Time)) hooks {
	return backingUpBy(func(b *backups) {
		tick := b.ticks
		b.ticks = func(b *backup, now time.Time) {
			tick(b, now)
			then(b, now)
		}
	})
}

// promising changes what execute_backup says of its lifecycle.
func promising(change func(l map[string]any)) hooks {
	return remade("execute_backup", func(op *operation) {
		op.Lifecycle = maps.Clone(op.Lifecycle)
		change(op.Lifecycle)
	})
}

// unpaused is an adapter whose backups know the core states alone.
func unpaused(h hooks) hooks {
	states := slices.DeleteFunc(slices.Clone(backupState), func(s string) bool { return s == "paused" })
	return both(both(promising(set("states", states)), hooks{table: func(a *Adapter) {
		a.operations = slices.DeleteFunc(a.operations, func(op operation) bool { return op.Name == "pause_backup" || op.Name == "resume_backup" })
	}}), both(retyped("BackupState", func(t *typeInfo) {
		t.Values, t.Description = states, "States of a backup"
	}), h))
}

// lifecycleFaults break how long work is followed.
var lifecycleFaults = []Fault{
	{ID: "AQL-2.3.3-04", Variant: "execution-table-global", Defect: "a paused execution outlives its session and is driven on by another", Transport: "http",
		Features: lifecycles, hooks: backingUpBy(func(b *backups) { b.keeps = func(b *backup) bool { return b.status == "paused" } })},
	{ID: "AQL-2.3.3-06", Variant: "orphan-runs-for-ever", Defect: "after a disconnect the execution stays at running", Transport: "http",
		Features: lifecycles, hooks: backingUpBy(func(b *backups) { b.keeps = func(b *backup) bool { return b.status == "running" } })},
	{ID: "AQL-8.4-01", Variant: "execution-without-state", Defect: "execute_backup returns only {\"ok\":true}",
		Features: lifecycles, hooks: both(told(func(c call, b map[string]any) {
			if c.operation() == "execute_backup" {
				clear(b)
				b["ok"] = true
			}
		}), remade("execute_backup", func(op *operation) {
			op.Returns = typeInfo{Name: "Introspection", Kind: "object", Description: "Whether it was started"}
		}))},
	{ID: "AQL-8.4.1-01", Variant: "state-canceled", Defect: "a status reads \"canceled\"",
		Features: lifecycles, hooks: told(func(_ call, b map[string]any) {
			if b["status"] == "cancelled" {
				b["status"] = "canceled"
			}
		})},
	{ID: "AQL-8.4.2-01", Variant: "cancel-overrides-completed", Defect: "cancel sets a completed execution to cancelled",
		Features: lifecycles, hooks: backingUpBy(func(b *backups) { b.moves["cancel"]["completed"] = "cancelled" })},
	{ID: "AQL-8.4.2-02", Variant: "completed-after-cancel", Defect: "the worker writes completed after the cancellation",
		Features: lifecycles, hooks: ticking(func(b *backup, now time.Time) {
			if b.status == "cancelled" && now.Sub(b.started) >= b.work {
				b.status, b.message = "completed", "done"
			}
		})},
	{ID: "AQL-8.4.2-02", Variant: "running-work-completes", Defect: "a worker that runs when the execution is cancelled writes completed three seconds later",
		Features: lifecycles, hooks: ticking(func(b *backup, now time.Time) {
			ran := b.finished.Sub(b.started) > 300*time.Millisecond
			if b.status == "cancelled" && ran && now.Sub(b.finished) >= 3*time.Second {
				b.status, b.message = "completed", "done"
			}
		})},
	{ID: "AQL-8.4.2-02", Variant: "timer-not-stopped", Defect: "the timer of a delayed execution survives the cancellation and starts it",
		Features: lifecycles, hooks: ticking(func(b *backup, now time.Time) {
			if b.status == "cancelled" && b.since.After(b.finished) && now.After(b.since) {
				b.status, b.finished, b.message = "running", time.Time{}, "copying notes"
			}
		})},
	{ID: "AQL-8.4.2-03", Variant: "failed-requeued", Defect: "a failed execution is set back to pending by an automatic re-queue",
		Features: lifecycles, hooks: ticking(func(b *backup, now time.Time) {
			if b.status == "failed" && now.Sub(b.finished) > time.Second {
				b.status, b.since, b.finished, b.message = "pending", now.Add(time.Hour), time.Time{}, "waiting"
			}
		})},
	{ID: "AQL-8.4.2-04", Variant: "retry-despite-false", Defect: "supports_retry is false, yet retry sets a failed execution to running",
		Features: lifecycles, hooks: promising(set("supports_retry", false))},
	{ID: "AQL-8.4.2-05", Variant: "progress-resets-state", Defect: "a progress report sets running back to pending",
		Features: lifecycles, hooks: told(func(c call, b map[string]any) {
			if done := integer(object(b["progress"])["percentage"]); c.operation() == "get_backup" && b["status"] == "running" && done >= 50 {
				b["status"] = "pending"
			}
		})},
	{ID: "AQL-8.4.2-06", Variant: "pending-cancel-refused", Defect: "cancel refuses everything but running",
		Features: lifecycles, hooks: unpaused(backingUpBy(func(b *backups) { delete(b.moves["cancel"], "pending") }))},
	{ID: "AQL-8.4.2-07", Variant: "cancel-without-effect", Defect: "cancel answers success and the job runs on",
		Features: lifecycles, hooks: unpaused(backingUpBy(func(b *backups) { b.moves["cancel"]["running"] = "running" }))},
	{ID: "AQL-8.4.3-01", Variant: "id-instead-of-execution-id", Defect: "state answers use id instead of execution_id",
		Features: lifecycles, hooks: both(told(func(_ call, b map[string]any) {
			b["id"] = b["execution_id"]
			delete(b, "execution_id")
		}), retyped("Backup", func(t *typeInfo) {
			t.Fields = slices.Clone(t.Fields)
			t.Fields[0].Name = "id"
		}))},
	{ID: "AQL-8.4.3-02", Variant: "constant-execution-id", Defect: "every start returns the same execution_id",
		Features: lifecycles, hooks: told(func(c call, b map[string]any) {
			if c.operation() == "execute_backup" {
				b["execution_id"] = "backup_1"
			}
		})},
	{ID: "AQL-8.4.3-03", Variant: "state-not-in-lifecycle", Defect: "a status reads paused, which a description mentions but lifecycle.states does not list",
		Features: lifecycles, hooks: promising(set("states", []string{"pending", "running", "completed", "failed", "cancelled"}))},
	{ID: "AQL-8.4.3-04", Variant: "state-error-text", Defect: "error of a failed execution is a plain string",
		Features: lifecycles, hooks: told(func(_ call, b map[string]any) {
			if reason := object(b["error"]); reason != nil {
				b["error"] = reason["message"]
			}
		})},
	{ID: "AQL-8.4.3-05", Variant: "empty-progress", Defect: "progress is {}",
		Features: lifecycles, hooks: told(func(_ call, b map[string]any) { b["progress"] = map[string]any{} })},
	{ID: "AQL-8.4.4-02", Variant: "undocumented-paused", Defect: "an execution reports suspended, which introspection never mentions",
		Features: lifecycles, hooks: told(func(_ call, b map[string]any) {
			if b["status"] == "paused" {
				b["status"] = "suspended"
			}
		})},
	{ID: "AQL-8.4.4-04", Variant: "paused-not-cancellable", Defect: "a paused execution cannot be cancelled",
		Features: lifecycles, hooks: backingUpBy(func(b *backups) { delete(b.moves["cancel"], "paused") })},
	{ID: "AQL-8.4.5-01", Variant: "lifecycle-missing", Defect: "execute_backup returns execution states but its details have no lifecycle",
		Features: lifecycles, hooks: record("execute_backup", drop("lifecycle"))},
	{ID: "AQL-8.4.5-02", Variant: "states-as-text", Defect: "lifecycle.states is \"pending,running\"",
		Features: lifecycles, hooks: promising(set("states", "pending,running"))},
	{ID: "AQL-8.4.5-03", Variant: "retry-flag-untrue", Defect: "supports_retry is true but no retry works",
		Features: lifecycles, hooks: backingUpBy(func(b *backups) { b.moves["retry"] = nil })},
}
