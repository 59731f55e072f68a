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

var BackupState = []string{"pending", "running", "paused", "completed", "failed", "cancelled"}

// Backup is one execution as it is kept.
type Backup struct {
	id       string
	folder   string
	session  *Session
	Status   string
	Started  time.Time
	Since    time.Time     // when its present stretch of work began
	done     time.Duration // Work before that
	Work     time.Duration // all that is to be done
	fails    bool          // at the end of this attempt
	Finished time.Time     // zero while it is not
	Message  string
}

// Backups are all of them, and the rules they live by.
type Backups struct {
	made  map[string]*Backup
	Moves map[string]map[string]string // verb, state it is allowed in, state it leads to
	Ticks func(b *Backup, now time.Time)
	Keeps func(b *Backup) bool // what the end of its session leaves alone; nil for nothing
}

func newBackups() Backups {
	return Backups{made: map[string]*Backup{}, Ticks: (*Backup).tick, Moves: map[string]map[string]string{
		"cancel": {"pending": "cancelled", "running": "cancelled", "paused": "cancelled"},
		"retry":  {"failed": "running"},
		"pause":  {"running": "paused"},
		"resume": {"paused": "running"},
	}}
}

// tick brings a backup to the state it has reached.
func (b *Backup) tick(now time.Time) {
	if b.Status == "pending" && !now.Before(b.Since) && now.After(b.Started) {
		b.Status, b.Message = "running", "copying notes"
	}
	if b.Status != "running" || b.worked(now) < b.Work {
		return
	}
	if b.fails {
		b.end("failed", "the remote store cannot be reached", now)
	} else {
		b.end("completed", "done", now)
	}
}

func (b *Backup) worked(now time.Time) time.Duration {
	return min(b.done+max(now.Sub(b.Since), 0), b.Work)
}

func (b *Backup) end(status, message string, now time.Time) {
	b.done = b.worked(now)
	b.Status, b.Message, b.Finished = status, message, now
}

// move takes a backup to another state at a client's word.
func (b *Backup) move(to string, now time.Time) {
	switch {
	case to == "cancelled":
		b.end(to, "cancelled by request", now)
		return
	case b.Status == "failed": // the remote store can be reached at the second attempt
		b.done, b.fails, b.Finished = 0, false, time.Time{}
	case to == "paused":
		b.done = b.worked(now)
	}
	b.Status, b.Since, b.Message = to, now, to+" by request"
}

// shown is what a client sees of a backup (spec 8.4.3).
func (b *Backup) shown(now time.Time) map[string]any {
	done := b.done
	if b.Status == "running" {
		done = b.worked(now)
	}
	total := int(b.Work / time.Millisecond)
	current := int(done / time.Millisecond)
	seen := map[string]any{
		"execution_id": b.id, "folder_id": b.folder, "status": b.Status, "started_at": stamp(b.Started),
		"progress": map[string]any{"current": current, "total": total, "percentage": 100 * current / total, "message": b.Message},
	}
	if !b.Finished.IsZero() {
		seen["finished_at"] = stamp(b.Finished)
	}
	if b.Status == "failed" {
		seen["error"] = map[string]any{"code": "INTERNAL_ERROR", "message": "The remote store cannot be reached; retry the backup"}
	}
	return seen
}

func stamp(at time.Time) string { return at.UTC().Format(time.RFC3339) }

// abandon cancels what a session leaves unfinished (spec 2.3.3).
func (a *Adapter) abandon(s *Session) {
	now := a.Clock()
	for _, b := range a.Backups.made {
		a.Backups.Ticks(b, now)
		if b.session == s && b.Finished.IsZero() && (a.Backups.Keeps == nil || !a.Backups.Keeps(b)) {
			b.end("cancelled", "session ended", now)
		}
	}
}

// Unfinished returns the exports and backups that have not ended yet, sorted.
func (a *Adapter) Unfinished() []string {
	a.Mu.Lock()
	defer a.Mu.Unlock()
	var left []string
	for id, e := range a.Store.exports {
		if e["finished_at"] == nil {
			left = append(left, id)
		}
	}
	for id, b := range a.Backups.made {
		a.Backups.Ticks(b, a.Clock())
		if b.Finished.IsZero() {
			left = append(left, id)
		}
	}
	slices.Sort(left)
	return left
}

func backupOperations() []Operation {
	returns := func(what string) TypeInfo { return TypeInfo{Name: "Backup", Kind: "object", Description: what} }
	one := func(name string) []Example {
		return []Example{{"Name the backup", Request(name, map[string]any{"execution_id": "backup_1"})}}
	}
	ops := []Operation{
		{
			Name: "execute_backup", Category: "EXECUTE", Description: "Start a backup of all notes of a folder; follow it with get_backup",
			Parameters: []Parameter{
				folderID("Back up the notes of the folder with this identifier"),
				{Name: "pace", Type: "string", Enum: []string{"quick", "thorough"}, Default: "quick", Description: "How to work: quick is done at once, thorough takes minutes"},
				{Name: "store", Type: "string", Enum: []string{"local", "remote"}, Default: "local", Description: "Where to put the backup; the remote store cannot be reached at the first attempt"},
				{Name: "delay", Type: "integer", Default: 0, Minimum: Ref(0), Maximum: Ref(3600), Description: "Seconds to wait before the work begins"},
			},
			Returns:   returns("The backup, not begun yet"),
			Examples:  []Example{{"Back up a folder", Request("execute_backup", map[string]any{"folder_id": "folder_1"})}},
			Lifecycle: map[string]any{"states": BackupState, "supports_cancel": true, "supports_retry": true, "progress_reporting": true},
			Run:       executeBackup,
		},
		{
			Name: "get_backup", Category: "READ", Description: "Get the state of a backup",
			Parameters: []Parameter{ExecutionID("Return the backup with this identifier")},
			Returns:    returns("The backup as it stands"), Examples: one("get_backup"), Run: getBackup,
		},
	}
	ops = append(ops, backupMoves(returns, one)...)
	for i := range ops {
		ops[i].Feature = backingUp
	}
	return ops
}

// backupMoves are the operations by which a client takes a backup to another state.
func backupMoves(returns func(string) TypeInfo, one func(string) []Example) []Operation {
	var ops []Operation
	for verb, description := range map[string]string{
		"cancel": "Cancel a backup that is pending, running or paused",
		"retry":  "Retry a backup that failed: execute it once more under the same identifier",
		"pause":  "Pause a running backup, to execute the rest of it later with resume_backup",
		"resume": "Resume a paused backup: execute the rest of it",
	} {
		ops = append(ops, Operation{
			Name: verb + "_backup", Category: "EXECUTE", Description: description,
			Parameters: []Parameter{ExecutionID(verb + " the backup with this identifier")},
			Returns:    returns("The backup afterwards"), Examples: one(verb + "_backup"),
			Run: func(t Task) Envelope { return moveBackup(t, verb) },
		})
	}
	slices.SortFunc(ops, func(x, y Operation) int { return strings.Compare(x.Name, y.Name) })
	return ops
}

func backupTypes() []TypeInfo {
	return []TypeInfo{
		{Name: "BackupState", Kind: "enum", Description: "States of a backup; paused ones run on when they are resumed", Values: BackupState},
		{Name: "Backup", Kind: "object", Description: "A backup of the notes of a folder", Fields: []Parameter{
			Field("execution_id", "string", true, "Identifier of the backup"), Field("folder_id", "string", true, "Folder that is backed up"),
			Field("status", "BackupState", true, "State of the backup"), DateTime("started_at", true, "When the backup was started, UTC"),
			DateTime("finished_at", false, "When it reached a final state, UTC"), Field("progress", "BackupProgress", true, "How far the backup is"),
			Field("error", "object", false, "Code and message, if it failed")}},
		{Name: "BackupProgress", Kind: "object", Description: "How far a backup is", Fields: []Parameter{
			Field("current", "integer", true, "Work that is done"), Field("total", "integer", true, "Work there is"),
			Field("percentage", "number", true, "Share that is done, 0 to 100"), Field("message", "string", true, "The same in words")}},
	}
}

func executeBackup(t Task) Envelope {
	if _, ok := t.Store.Folders[t.Text("folder_id")]; !ok {
		return Absent("folder", t.Text("folder_id"))
	}
	now := t.Clock()
	b := &Backup{id: t.Store.next("backup"), folder: t.Text("folder_id"), session: t.Session, Status: "pending", Message: "waiting",
		Started: now, Since: now.Add(time.Duration(Integer(t.Params["delay"])) * time.Second), Work: quickWork, fails: t.Text("store") == "remote"}
	if t.Text("pace") == "thorough" {
		b.Work = thoroughWork
	}
	t.Backups.made[b.id] = b
	return Success(b.shown(now))
}

func getBackup(t Task) Envelope {
	b, ok := t.Backups.made[t.Text("execution_id")]
	if !ok {
		return Absent("backup", t.Text("execution_id"))
	}
	now := t.Clock()
	t.Backups.Ticks(b, now)
	return Success(b.shown(now))
}

func moveBackup(t Task, verb string) Envelope {
	b, ok := t.Backups.made[t.Text("execution_id")]
	if !ok {
		return Absent("backup", t.Text("execution_id"))
	}
	now := t.Clock()
	t.Backups.Ticks(b, now)
	to, allowed := t.Backups.Moves[verb][b.Status]
	if !allowed {
		from := slices.Sorted(maps.Keys(t.Backups.Moves[verb]))
		return Failure("CONFLICT_EXECUTION_STATE", fmt.Sprintf("Backup '%s' is %s; %s is possible while it is one of %v", b.id, b.Status, verb, from),
			map[string]any{"execution_id": b.id, "status": b.Status})
	}
	b.move(to, now)
	return Success(b.shown(now))
}
