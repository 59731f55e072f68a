package adapter

import (
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

var fieldsLine = regexp.MustCompile(`fields: \{[^}]*\}`)

// HintsFile is what the author of the stranger with that fault would tell: the file of
// the reference adapter in the names of the description.
func (d Description) HintsFile(f Fault) []byte {
	file := f.HintsFile()
	if file == nil {
		return []byte("version: 1\npermissions: {allow: [execute]}\n")
	}
	return []byte(d.worded(string(file)))
}

// Hints are those of the fault in the names of the description.
func (d Description) Hints(f Fault) map[string]string {
	words := map[string]string{}
	for name, word := range f.Hints {
		words[d.worded(name)] = d.worded(word)
	}
	return words
}

func (d Description) worded(text string) string {
	if len(d.Names) == 0 {
		return text
	}
	v := newVocabulary(d.Names)
	text = snake.ReplaceAllStringFunc(text, v.name)
	return fieldsLine.ReplaceAllStringFunc(text, func(line string) string {
		return regexp.MustCompile(`: ([a-z]+)([,}])`).ReplaceAllStringFunc(line, func(part string) string {
			end := part[len(part)-1:]
			return ": " + v.name(strings.TrimSuffix(part[2:], end)) + end
		})
	})
}

// Effects are what a client has done that was not its own to do, and how many objects it
// left: foreign names the seeds that changed or are gone. What others write is neither.
func (a *Adapter) Effects() (foreign []string, left int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for id, was := range a.aside().seeds {
		now := a.store.notes[id]
		if now == nil {
			now = a.store.folders[id]
		}
		if !reflect.DeepEqual(plain(was), plain(now)) {
			foreign = append(foreign, id)
		}
	}
	slices.Sort(foreign)
	for _, id := range a.store.ids() {
		if _, seed := a.aside().seeds[id]; !seed && id != a.aside().theirs {
			left++
		}
	}
	return foreign, left
}

// seeded is a copy of what the store holds.
func (s *store) seeded() map[string]map[string]any {
	all := map[string]map[string]any{}
	maps.Copy(all, s.notes)
	maps.Copy(all, s.folders)
	for id, object := range all {
		all[id], _ = plain(object).(map[string]any)
	}
	return all
}
