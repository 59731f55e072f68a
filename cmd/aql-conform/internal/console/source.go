package console

import (
	"os"
	"path/filepath"
	"strings"
)

// manifests are the files that stand for an adapter in its source, the likeliest first.
var manifests = []string{"aql-conform.yaml", "package.json", "go.mod", "pyproject.toml", "Cargo.toml", "README.md"}

// sourceFile is the file that stands for the adapter: the one that is named, else a manifest in the
// folder. Its path is that from the root of the repository, else from the working folder; "" where
// there is none.
func sourceFile(given string) string {
	file, err := filepath.Abs(given)
	if err != nil {
		return ""
	}
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		folder := file
		for _, name := range manifests {
			if info, err := os.Stat(filepath.Join(folder, name)); err == nil && info.Mode().IsRegular() {
				file = filepath.Join(folder, name)
				break
			}
		}
		if file == folder {
			return ""
		}
	}
	root, _ := filepath.Abs(".")
	for folder := filepath.Dir(file); ; folder = filepath.Dir(folder) {
		if _, err := os.Stat(filepath.Join(folder, ".git")); err == nil {
			root = folder
			break
		}
		if folder == filepath.Dir(folder) {
			break
		}
	}
	path, err := filepath.Rel(root, file)
	if err != nil || strings.HasPrefix(path, "..") {
		return ""
	}
	return filepath.ToSlash(path)
}
