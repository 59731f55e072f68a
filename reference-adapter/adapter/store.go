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
	note   = map[string]any
	folder = map[string]any
	export = map[string]any
)

// store keeps everything in memory. Ids count upwards, so two adapters that are
// asked the same things answer the same things.
type store struct {
	notes   map[string]note
	folders map[string]folder
	exports map[string]export
	last    map[string]int // kind -> last number given out

	secrets map[string][sha256.Size]byte // export -> digest of its password, never shown
}

func newStore() *store {
	s := &store{notes: map[string]note{}, folders: map[string]folder{}, exports: map[string]export{}, last: map[string]int{},
		secrets: map[string][sha256.Size]byte{}}
	for _, seed := range []folder{{"name": "Work", "owner": "alice@example.com"}, {"name": "Home", "owner": "bob@example.com"}, {"name": "Archive"}} {
		s.addFolder(seed)
	}
	seeds := []note{
		{"title": "Quarterly budget", "folder_id": "folder_1", "body": "Budget draft for the next quarter.", "priority": 8, "status": "published", "pinned": true, "tags": []string{"finance"}, "metadata": map[string]any{"author": "alice", "review": map[string]any{"round": 1, "open": true}}, "due_date": "2026-03-31", "budget": "9007199254740993000"},
		{"title": "Shopping list", "folder_id": "folder_2", "body": "Bread, tea and apples.", "priority": 3, "status": "draft", "pinned": false},
		{"title": "Travel plan", "folder_id": "folder_2", "body": "Train on Monday, back on Friday.", "priority": 6, "status": "draft", "pinned": false, "tags": []string{"travel", "summer"}, "file_content": "QmVybGluID4gUm9tZT8+Pg==", "file_encoding": "base64", "file_mime_type": "text/plain"},
		{"title": "Team meeting", "folder_id": "folder_1", "body": "Agenda: budget, hiring, travel.", "priority": 5, "status": "published", "pinned": false},
		{"title": "Old ideas", "folder_id": "folder_2", "body": "Kept for reference.", "priority": 1, "status": "archived", "pinned": false},
	}
	for i, seed := range seeds {
		made := s.addNote(plain(seed).(note))
		made["created_at"] = fmt.Sprintf("2026-01-%02dT09:00:00Z", i+5)
		made["updated_at"] = made["created_at"]
	}
	for _, f := range s.folders {
		f["created_at"] = "2026-01-05T08:00:00Z"
	}
	return s
}

func (s *store) next(kind string) string {
	s.last[kind]++
	return kind + "_" + strconv.Itoa(s.last[kind])
}

// now is in UTC with the Z suffix (spec 4.7.2).
func now() string { return time.Now().UTC().Format(time.RFC3339) }

func (s *store) addNote(fields map[string]any) note {
	made := maps.Clone(fields)
	made["note_id"] = s.next("note")
	made["created_at"] = now()
	made["updated_at"] = made["created_at"]
	s.notes[made["note_id"].(string)] = made
	return made
}

func (s *store) changeNote(id string, input map[string]any) note {
	changed := merge(s.notes[id], input)
	changed["updated_at"] = now()
	s.notes[id] = changed
	return changed
}

func (s *store) addFolder(fields map[string]any) folder {
	made, id := maps.Clone(fields), s.next("folder")
	made["folder_id"], made["position"], made["created_at"] = id, number(id), now()
	s.folders[id] = made
	return made
}

func (s *store) notesWhere(keep func(note) bool) []note {
	var found []note
	for _, n := range inOrder(s.notes) {
		if keep(n) {
			found = append(found, n)
		}
	}
	return found
}

func (s *store) foldersInOrder() []folder { return inOrder(s.folders) }

func (s *store) ids() []string {
	return slices.Sorted(maps.Keys(mergeKeys(s.notes, s.folders)))
}

func mergeKeys(a, b map[string]map[string]any) map[string]map[string]any {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

func inOrder(byID map[string]map[string]any) []map[string]any {
	keys := slices.SortedFunc(maps.Keys(byID), func(a, b string) int { return cmp.Compare(number(a), number(b)) })
	var list []map[string]any
	for _, key := range keys {
		list = append(list, byID[key])
	}
	return list
}

// number returns the counter inside an id such as note_12.
func number(id string) int {
	_, digits, _ := strings.Cut(id, "_")
	n, _ := strconv.Atoi(digits)
	return n
}
