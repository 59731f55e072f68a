package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"os"
)

const module = "github.com/aql-conform/aql-conform/"

// may says which packages of this module and of others a folder may import,
// beside the standard library; the folders below it inherit the line. It is the
// picture of the architecture: suites know the four leaves, nothing knows suites
// but the command, and the reference adapter shares no code with its judge.
var may = map[string][]string{
	"schemas":                     {"github.com/santhosh-tekuri/jsonschema/v6", "github.com/dlclark/regexp2"},
	"probes":                      {module + "probes", "github.com/modelcontextprotocol/go-sdk", "github.com/go-json-experiment/json", "golang.org/x/time/rate"},
	"probes/generate":             {module + "probes"},
	"fixtures":                    {"go.yaml.in/yaml/v3"},
	"fixtures/hostile":            {module + "fixtures/hostile"},
	"fixtures/harm-adapter":       {},
	"fixtures/portion":            {},
	"reports":                     {"github.com/fatih/color"},
	"suites/vocab":                {module + "probes"},
	"suites/catalogue":            {module + "reports"},
	"suites/ruling":               {module + "probes", module + "reports"},
	"suites/gate":                 {module + "probes", module + "fixtures", module + "suites/vocab"},
	"suites/model":                {module + "probes", module + "fixtures", module + "schemas", module + "suites/gate", module + "suites/vocab", module + "suites/ruling"},
	"suites/check":                {module + "probes", module + "fixtures", module + "schemas", module + "reports", module + "suites/model", module + "suites/vocab", module + "suites/ruling", module + "suites/catalogue"},
	"suites/check/checktest":      {module + "probes", module + "suites/check", module + "suites/model", module + "suites/ruling"},
	"suites/area":                 {module + "probes", module + "schemas", module + "reports", module + "suites/check", module + "suites/model", module + "suites/vocab", module + "suites/ruling", module + "suites/catalogue"},
	"suites/generated":            {module + "probes", module + "reports", module + "schemas", module + "suites/check", module + "suites/model", module + "suites/vocab", module + "suites/ruling", module + "suites/catalogue"},
	"suites/plan":                 {module + "probes", module + "fixtures", module + "reports", module + "schemas", module + "suites/generated", module + "suites/check", module + "suites/model", module + "suites/gate", module + "suites/vocab", module + "suites/ruling", module + "suites/catalogue", "github.com/onsi/ginkgo/v2", "github.com/onsi/gomega"},
	"suites/mutation":             {module + "probes", module + "fixtures", module + "reports", module + "suites/plan", module + "suites/generated", module + "suites/check", module + "suites/model", module + "suites/catalogue"},
	"suites/export":               {module + "probes", module + "fixtures", module + "reports", module + "schemas", module + "suites/plan", module + "suites/generated", module + "suites/check", module + "suites/model", module + "suites/vocab", module + "suites/ruling", module + "suites/catalogue"},
	"suites":                      {module + "probes", module + "fixtures", module + "reports", module + "suites"},
	"cmd/aql-conform":             {module + "schemas", module + "probes", module + "fixtures", module + "reports", module + "suites", module + "reference-adapter/adapter", "github.com/alecthomas/kong", "mvdan.cc/sh/v3", "golang.org/x/term", "github.com/mattn/go-isatty"},
	"reference-adapter":           {module + "reference-adapter/adapter"},
	"reference-adapter/adapter":   {"github.com/modelcontextprotocol/go-sdk"},
	"fixtures/typescript-adapter": {},
}

// forbidden are packages that a pure folder must not touch: a judge that can reach
// files, processes or the network is no pure function, nor is a generator that
// can reach them or a clock.
var forbidden = []string{"os", "net", "net/http", "os/exec"}

// pure are the folders whose answers must be pure functions.
var pure = []string{"suites", "probes/generate"}

func TestImportsFollowThePicture(t *testing.T) {
	root := os.DirFS("../..")
	files := 0
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (strings.HasPrefix(d.Name(), ".") && name != "." || d.Name() == "node_modules" || d.Name() == "testdata") {
			if d != nil && d.IsDir() && err == nil {
				return fs.SkipDir
			}
			return err
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		files++
		src, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ImportsOnly)
		if err != nil {
			return err
		}
		folder := owner(path.Dir(name))
		for _, spec := range file.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			if complaint := disallowed(folder, name, imported); complaint != "" {
				t.Errorf("%s imports %s: %s", name, imported, complaint)
			}
		}
		return nil
	})
	if err != nil || files < 20 {
		t.Fatalf("read %d files: %v", files, err)
	}
}

// owner returns the folder whose line in the table governs a folder.
func owner(folder string) string {
	for ; folder != "."; folder = path.Dir(folder) {
		if _, ok := may[folder]; ok {
			return folder
		}
	}
	return ""
}

func disallowed(folder, file, imported string) string {
	standard := !strings.Contains(strings.Split(imported, "/")[0], ".")
	within := func(list []string) bool {
		return slices.ContainsFunc(list, func(p string) bool { return imported == p || strings.HasPrefix(imported, p+"/") })
	}
	switch {
	case folder == "":
		return "its folder is not in the table"
	case isPure(folder) && slices.Contains(forbidden, imported), folder == "probes/generate" && slices.Contains([]string{"time", module + "probes/wire"}, imported):
		return "its answers would not be pure functions"
	case standard:
		return ""
	case strings.HasPrefix(folder, "suites") && strings.HasPrefix(imported, "github.com/onsi/") && path.Base(file) != "ginkgo.go":
		return "Ginkgo and Gomega belong into ginkgo.go"
	case folder == "cmd/aql-conform" && imported == module+"reference-adapter/adapter" && path.Base(file) != "mutants.go":
		return "the command knows the reference adapter where it builds mutants of it, for selftest and the examples of explain"
	case folder == "cmd/aql-conform" && strings.HasPrefix(imported, module+"suites/area"):
		return "the command knows checks by suites.All alone"
	case !within(may[folder]):
		return "not allowed for " + folder
	}
	return ""
}

// isPure reports whether a folder is pure, or within one that is.
func isPure(folder string) bool {
	return slices.ContainsFunc(pure, func(p string) bool { return folder == p || strings.HasPrefix(folder, p+"/") })
}
