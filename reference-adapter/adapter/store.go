package adapter

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Resources are kept as the JSON objects they are shown as.
type (
	Note   = map[string]any
	Folder = map[string]any
	export = map[string]any
)

// Store keeps everything in memory. Ids count upwards, so two adapters that are
// asked the same things answer the same things.
type Store struct {
	Notes   map[string]Note
	Folders map[string]Folder
	exports map[string]export
	last    map[string]int // kind -> last number given out

	secrets map[string][sha256.Size]byte // export -> digest of its password, never shown
}

func newStore() *Store {
	s := &Store{Notes: map[string]Note{}, Folders: map[string]Folder{}, exports: map[string]export{}, last: map[string]int{},
		secrets: map[string][sha256.Size]byte{}}
	for _, seed := range []Folder{{"name": "Work", "owner": "alice@example.com"}, {"name": "Home", "owner": "bob@example.com"}, {"name": "Archive"}} {
		s.addFolder(seed)
	}
	seeds := []Note{
		{"title": "Quarterly budget", "folder_id": "folder_1", "body": "Budget draft for the next quarter.", "priority": 8, "status": "published", "pinned": true, "tags": []string{"finance"}, "metadata": map[string]any{"author": "alice", "review": map[string]any{"round": 1, "open": true}}, "due_date": "2026-03-31", "budget": "9007199254740993000"},
		{"title": "Shopping list", "folder_id": "folder_2", "body": "Bread, tea and apples.", "priority": 3, "status": "draft", "pinned": false},
		{"title": "Travel plan", "folder_id": "folder_2", "body": "Train on Monday, back on Friday.", "priority": 6, "status": "draft", "pinned": false, "tags": []string{"travel", "summer"}, "file_content": "QmVybGluID4gUm9tZT8+Pg==", "file_encoding": "base64", "file_mime_type": "text/plain"},
		{"title": "Team meeting", "folder_id": "folder_1", "body": "Agenda: budget, hiring, travel.", "priority": 5, "status": "published", "pinned": false},
		{"title": "Old ideas", "folder_id": "folder_2", "body": "Kept for reference.", "priority": 1, "status": "archived", "pinned": false},
	}
	for i, seed := range seeds {
		made := s.AddNote(Plain(seed).(Note))
		made["created_at"] = fmt.Sprintf("2026-01-%02dT09:00:00Z", i+5)
		made["updated_at"] = made["created_at"]
	}
	for _, f := range s.Folders {
		f["created_at"] = "2026-01-05T08:00:00Z"
	}
	return s
}

func (s *Store) next(kind string) string {
	s.last[kind]++
	return kind + "_" + strconv.Itoa(s.last[kind])
}

// Now is in UTC with the Z suffix (spec 4.7.2).
func Now() string { return time.Now().UTC().Format(time.RFC3339) }

func (s *Store) AddNote(fields map[string]any) Note {
	made := maps.Clone(fields)
	made["note_id"] = s.next("note")
	made["created_at"] = Now()
	made["updated_at"] = made["created_at"]
	s.Notes[made["note_id"].(string)] = made
	return made
}

func (s *Store) changeNote(id string, input map[string]any) Note {
	changed := Merge(s.Notes[id], input)
	changed["updated_at"] = Now()
	s.Notes[id] = changed
	return changed
}

func (s *Store) addFolder(fields map[string]any) Folder {
	made, id := maps.Clone(fields), s.next("folder")
	made["folder_id"], made["position"], made["created_at"] = id, Number(id), Now()
	s.Folders[id] = made
	return made
}

func (s *Store) NotesWhere(keep func(Note) bool) []Note {
	var found []Note
	for _, n := range InOrder(s.Notes) {
		if keep(n) {
			found = append(found, n)
		}
	}
	return found
}

func (s *Store) FoldersInOrder() []Folder { return InOrder(s.Folders) }

func (s *Store) Ids() []string {
	return slices.Sorted(maps.Keys(mergeKeys(s.Notes, s.Folders)))
}

func mergeKeys(a, b map[string]map[string]any) map[string]map[string]any {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

func InOrder(byID map[string]map[string]any) []map[string]any {
	keys := slices.SortedFunc(maps.Keys(byID), older)
	var list []map[string]any
	for _, key := range keys {
		list = append(list, byID[key])
	}
	return list
}

// older compares two identifiers by their counters; those without one are told apart by their letters.
func older(a, b string) int { return cmp.Or(cmp.Compare(Number(a), Number(b)), strings.Compare(a, b)) }

// Number returns the counter inside an id such as note_12.
func Number(id string) int {
	_, digits, _ := strings.Cut(id, "_")
	n, _ := strconv.Atoi(digits)
	return n
}
