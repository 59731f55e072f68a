package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// settle gives the run folders of its own.
func (m *meeting) settle() {
	m.env = append(os.Environ(), "GITHUB_ACTIONS=", "GITHUB_STEP_SUMMARY=", "COLUMNS=200")
	for variable, folder := range map[string]string{"TMPDIR": "tmp", "XDG_CACHE_HOME": "cache", "HOME": "home"} {
		path := filepath.Join(m.folder, folder)
		if err := os.Mkdir(path, 0o700); err != nil {
			m.complain("%v", err)
		}
		m.env = append(m.env, variable+"="+path)
	}
}

// laidDown looks for files that nobody asked for.
func (m *meeting) laidDown() {
	asked := append([]string{"run.ndjson", "server"}, hostileFormats...)
	err := filepath.WalkDir(m.folder, func(path string, entry fs.DirEntry, err error) error {
		name, _ := filepath.Rel(m.folder, path)
		if err == nil && !entry.IsDir() && !slices.Contains(asked, name) {
			m.complain("left the file %s", name)
		}
		return err
	})
	if err != nil {
		m.complain("%v", err)
	}
}
