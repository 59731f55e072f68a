package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
)

// invented is a domain that earlier versions wrote into files. Nobody of this project owns it.
const invented = "https://aql-conform" + ".dev/schemas/"

// schemasAt is where an editor finds the published schemas.
const schemasAt = "https://github.com/aql-conform/aql-conform/raw/main/schemas/"

// eachFile visits every file of the project.
func eachFile(t *testing.T, visit func(name, text string)) {
	t.Helper()
	root, seen := os.DirFS("../.."), 0
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if err == nil && (d.Name() == ".git" || d.Name() == "node_modules") {
				return fs.SkipDir
			}
			return err
		}
		raw, err := fs.ReadFile(root, name)
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		seen++
		visit(name, string(raw))
		return nil
	})
	if err != nil || seen < 500 {
		t.Fatalf("read %d files: %v", seen, err)
	}
}

// Each address of a schema leads to the repository and to a file that exists. A file with the line
// that an earlier version wrote is read as before.
func TestAddressesAreOurs(t *testing.T) {
	named := regexp.MustCompile(regexp.QuoteMeta(schemasAt) + `([\w./-]+\.json)`)
	eachFile(t, func(name, text string) {
		if strings.Contains(text, strings.TrimSuffix(invented, "schemas/")) {
			t.Errorf("%s names a domain that is not ours", name)
		}
		for _, at := range named.FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(path.Join("../../schemas", at[1])); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if strings.HasPrefix(name, "schemas/") && strings.HasSuffix(name, ".schema.json") {
			var schema struct {
				ID string `json:"$id"`
			}
			if err := json.Unmarshal([]byte(text), &schema); err != nil || schema.ID != schemasAt+strings.TrimPrefix(name, "schemas/") {
				t.Errorf("%s has $id %s: %v", name, schema.ID, err)
			}
		}
	})
	line := "# yaml-language-server: $schema=" + invented
	if _, err := fixtures.ReadBaseline(strings.NewReader(line + "baseline-v1.schema.json\nversion: 1\nknown: []\n")); err != nil {
		t.Error(err)
	}
	if _, err := fixtures.ReadHints(strings.NewReader(line+"hints-v1.schema.json\nversion: 1\n"), func(string) (string, bool) { return "", false }); err != nil {
		t.Error(err)
	}
}

// Each test that a document names exists under that name, and each pattern of .ci/run matches a
// test: go test ends well where a pattern matches none.
func TestNamedTestsExist(t *testing.T) {
	named := map[string]string{}
	declared := "\n"
	declaration := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	pattern, quoted := regexp.MustCompile(`\b(?:Test|Fuzz)[A-Z]\w+`), regexp.MustCompile("`((?:Test|Fuzz)[A-Z]\\w+)`")
	eachFile(t, func(name, text string) {
		switch {
		case strings.HasSuffix(name, "_test.go"):
			for _, found := range declaration.FindAllStringSubmatch(text, -1) {
				declared += found[1] + "\n"
			}
		case name == ".ci/run":
			for _, found := range pattern.FindAllString(text, -1) {
				named["\n"+found] = name
			}
		case strings.HasSuffix(name, ".md") && !strings.Contains(name, "testdata"):
			for _, found := range quoted.FindAllStringSubmatch(text, -1) {
				named["\n"+found[1]+"\n"] = name
			}
		}
	})
	for test, file := range named {
		if !strings.Contains(declared, test) {
			t.Errorf("%s names %s, which does not exist", file, strings.TrimSpace(test))
		}
	}
	if len(named) < 20 {
		t.Errorf("%d tests are named in documents", len(named))
	}
}
