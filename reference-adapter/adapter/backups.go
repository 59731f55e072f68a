package adapter

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// A backup is long work: it waits, runs, can be stopped for a while, fails and can
// be tried again. Its state follows from the clock; nothing works in the background.

const (
	quickWork    = 400 * time.Millisecond
	thoroughWork = 10 * time.Minute
)

var backupState = []string{"pending", "running", "paused", "completed", "failed", "cancelled"}

// backup is one execution as it is kept.
type backup struct {
	id       string
	folder   string
	session  *session
	status   string
	started  time.Time
	since    time.Time     // when its present stretch of work began
	done     time.Duration // work before that
	work     time.Duration // all that is to be done
	fails    bool          // at the end of this attempt
	finished time.Time     // zero while it is not
	message  string
}

// backups are all of them, and the rules they live by.
type backups struct {
	made  map[string]*backup
	moves map[string]map[string]string // verb, state it is allowed in, state it leads to
	ticks func(b *backup, now time.Time)
	keeps func(b *backup) bool // what the end of its session leaves alone; nil for nothing
}

func newBackups() backups {
	return backups{made: map[string]*backup{}, ticks: (*backup).tick, moves: map[string]map[string]string{
		"cancel": {"pending": "cancelled", "running": "cancelled", "paused": "cancelled"},
		"retry":  {"failed": "running"},
		"pause":  {"running": "paused"},
		"resume": {"paused": "running"},
	}}
}

// tick brings a backup to the state it has reached.
func (b *backup) tick(now time.Time) {
	if b.status == "pending" && !now.Before(b.since) && now.After(b.started) {
		b.status, b.message = "running", "copying notes"
	}
	if b.status != "running" || b.worked(now) < b.work {
		return
	}
	if b.fails {
		b.end("failed", "the remote store cannot be reached", now)
	} else {
		b.end("completed", "done", now)
	}
}

func (b *backup) worked(now time.Time) time.Duration {
	return min(b.done+max(now.Sub(b.since), 0), b.work)
}

func (b *backup) end(status, message string, now time.Time) {
	b.done = b.worked(now)
	b.status, b.message, b.finished = status, message, now
}

// move takes a backup to another state at a client's word.
func (b *backup) move(to string, now time.Time) {
	switch {
	case to == "cancelled":
		b.end(to, "cancelled by request", now)
		return
	case b.status == "failed": // the remote store can be reached at the second attempt
		b.done, b.fails, b.finished = 0, false, time.Time{}
	case to == "paused":
		b.done = b.worked(now)
	}
	b.status, b.since, b.message = to, now, to+" by request"
}

// shown is what a client sees of a backup (spec 8.4.3).
func (b *backup) shown(now time.Time) map[string]any {
	done := b.done
	if b.status == "running" {
		done = b.worked(now)
	}
	total := int(b.work / time.Millisecond)
	current := int(done / time.Millisecond)
	seen := map[string]any{
		"execution_id": b.id, "folder_id": b.folder, "status": b.status, "started_at": stamp(b.started),
		"progress": map[string]any{"current": current, "total": total, "percentage": 100 * current / total, "message": b.message},
	}
	if !b.finished.IsZero() {
		seen["finished_at"] = stamp(b.finished)
	}
	if b.status == "failed" {
		seen["error"] = map[string]any{"code": "INTERNAL_ERROR", "message": "The remote store cannot be reached; retry the backup"}
	}
	return seen
}

func stamp(at time.Time) string { return at.UTC().Format(time.RFC3339) }

// abandon cancels what a session leaves unfinished (spec 2.3.3).
func (a *Adapter) abandon(s *session) {
	now := a.clock()
	for _, b := range a.backups.made {
		a.backups.ticks(b, now)
		if b.session == s && b.finished.IsZero() && (a.backups.keeps == nil || !a.backups.keeps(b)) {
			b.end("cancelled", "session ended", now)
		}
	}
}

// Unfinished returns the exports and backups that have not ended yet, sorted.
func (a *Adapter) Unfinished() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	var left []string
	for id, e := range a.store.exports {
		if e["finished_at"] == nil {
			left = append(left, id)
		}
	}
	for id, b := range a.backups.made {
		a.backups.ticks(b, a.clock())
		if b.finished.IsZero() {
			left = append(left, id)
		}
	}
	slices.Sort(left)
	return left
}

func backupOperations() []operation {
	returns := func(what string) typeInfo { return typeInfo{Name: "Backup", Kind: "object", Description: what} }
	one := func(name string) []example {
		return []example{{"Name the backup", request(name, map[string]any{"execution_id": "backup_1"})}}
	}
	ops := []operation{
		{
			Name: "execute_backup", Category: "EXECUTE", Description: "Start a backup of all notes of a folder; follow it with get_backup",
			Parameters: []parameter{
				folderID("Back up the notes of the folder with this identifier"),
				{Name: "pace", Type: "string", Enum: []string{"quick", "thorough"}, Default: "quick", Description: "How to work: quick is done at once, thorough takes minutes"},
				{Name: "store", Type: "string", Enum: []string{"local", "remote"}, Default: "local", Description: "Where to put the backup; the remote store cannot be reached at the first attempt"},
				{Name: "delay", Type: "integer", Default: 0, Minimum: ref(0), Maximum: ref(3600), Description: "Seconds to wait before the work begins"},
			},
			Returns:   returns("The backup, not begun yet"),
			Examples:  []example{{"Back up a folder", request("execute_backup", map[string]any{"folder_id": "folder_1"})}},
			Lifecycle: map[string]any{"states": backupState, "supports_cancel": true, "supports_retry": true, "progress_reporting": true},
			run:       executeBackup,
		},
		{
			Name: "get_backup", Category: "READ", Description: "Get the state of a backup",
			Parameters: []parameter{executionID("Return the backup with this identifier")},
			Returns:    returns("The backup as it stands"), Examples: one("get_backup"), run: getBackup,
		},
	}
	ops = append(ops, backupMoves(returns, one)...)
	for i := range ops {
		ops[i].Feature = backingUp
	}
	return ops
}

// backupMoves are the operations by which a client takes a backup to another state.
func backupMoves(returns func(string) typeInfo, one func(string) []example) []operation {
	var ops []operation
	for verb, description := range map[string]string{
		"cancel": "Cancel a backup that is pending, running or paused",
		"retry":  "Retry a backup that failed: execute it once more under the same identifier",
		"pause":  "Pause a running backup, to execute the rest of it later with resume_backup",
		"resume": "Resume a paused backup: execute the rest of it",
	} {
		ops = append(ops, operation{
			Name: verb + "_backup", Category: "EXECUTE", Description: description,
			Parameters: []parameter{executionID(verb + " the backup with this identifier")},
			Returns:    returns("The backup afterwards"), Examples: one(verb + "_backup"),
			run: func(t task) envelope { return moveBackup(t, verb) },
		})
	}
	slices.SortFunc(ops, func(x, y operation) int { return strings.Compare(x.Name, y.Name) })
	return ops
}

func backupTypes() []typeInfo {
	return []typeInfo{
		{Name: "BackupState", Kind: "enum", Description: "States of a backup; paused ones run on when they are resumed", Values: backupState},
		{Name: "Backup", Kind: "object", Description: "A backup of the notes of a folder", Fields: []parameter{
			field("execution_id", "string", true, "Identifier of the backup"), field("folder_id", "string", true, "Folder that is backed up"),
			field("status", "BackupState", true, "State of the backup"), dateTime("started_at", true, "When the backup was started, UTC"),
			dateTime("finished_at", false, "When it reached a final state, UTC"), field("progress", "BackupProgress", true, "How far the backup is"),
			field("error", "object", false, "Code and message, if it failed")}},
		{Name: "BackupProgress", Kind: "object", Description: "How far a backup is", Fields: []parameter{
			field("current", "integer", true, "Work that is done"), field("total", "integer", true, "Work there is"),
			field("percentage", "number", true, "Share that is done, 0 to 100"), field("message", "string", true, "The same in words")}},
	}
}

func executeBackup(t task) envelope {
	if _, ok := t.store.folders[t.text("folder_id")]; !ok {
		return absent("folder", t.text("folder_id"))
	}
	now := t.clock()
	b := &backup{id: t.store.next("backup"), folder: t.text("folder_id"), session: t.session, status: "pending", message: "waiting",
		started: now, since: now.Add(time.Duration(integer(t.params["delay"])) * time.Second), work: quickWork, fails: t.text("store") == "remote"}
	if t.text("pace") == "thorough" {
		b.work = thoroughWork
	}
	t.backups.made[b.id] = b
	return success(b.shown(now))
}

func getBackup(t task) envelope {
	b, ok := t.backups.made[t.text("execution_id")]
	if !ok {
		return absent("backup", t.text("execution_id"))
	}
	now := t.clock()
	t.backups.ticks(b, now)
	return success(b.shown(now))
}

func moveBackup(t task, verb string) envelope {
	b, ok := t.backups.made[t.text("execution_id")]
	if !ok {
		return absent("backup", t.text("execution_id"))
	}
	now := t.clock()
	t.backups.ticks(b, now)
	to, allowed := t.backups.moves[verb][b.status]
	if !allowed {
		from := slices.Sorted(maps.Keys(t.backups.moves[verb]))
		return failure("CONFLICT_EXECUTION_STATE", fmt.Sprintf("Backup '%s' is %s; %s is possible while it is one of %v", b.id, b.status, verb, from),
			map[string]any{"execution_id": b.id, "status": b.status})
	}
	b.move(to, now)
	return success(b.shown(now))
}
