package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/aql-conform/aql-conform/"

// A room is a folder and the folders in it that have no line of their own.
type room struct {
	says string // what it is, in one sentence
	may  string // the packages that it may import beside the standard library; of this module by folder
}

// What most rooms of the suites read.
const (
	leaves     = "probes fixtures schemas reports "
	foundation = "suites/check suites/model suites/vocab suites/ruling suites/catalogue "
	own        = "cmd/aql-conform/internal/"
	ginkgo     = "github.com/onsi/ginkgo/v2 github.com/onsi/gomega "
)

// rooms are the picture of the architecture. The suites know the four leaves, only the
// command knows the suites, no area of checks knows another, and the reference adapter
// shares no code with its judge.
var rooms = map[string]room{
	"schemas":                                {"holds the JSON Schemas and says where a document departs from them", "github.com/santhosh-tekuri/jsonschema/v6 github.com/dlclark/regexp2"},
	"probes":                                 {"talks to an adapter and records what it said", "probes github.com/modelcontextprotocol/go-sdk github.com/go-json-experiment/json golang.org/x/time/rate"},
	"probes/bearer":                          {"sends the token that a server behind authorization wants", "github.com/modelcontextprotocol/go-sdk golang.org/x/oauth2"},
	"probes/generate":                        {"makes values for parameters", "probes"},
	"fixtures":                               {"reads hints files and launch commands", "go.yaml.in/yaml/v3"},
	"fixtures/hostile":                       {"is an adapter that attacks the checker", "fixtures/hostile"},
	"fixtures/harm-adapter":                  {"is an adapter that keeps a journal of its effects", ""},
	"fixtures/portion":                       {"selects the subjects of a test", ""},
	"fixtures/typescript-adapter":            {"is an adapter in another language", ""},
	"reports":                                {"turns findings into documents and an exit code", "github.com/fatih/color"},
	"suites":                                 {"judges an adapter from within a program, and lists every check", leaves + "suites"},
	"suites/catalogue":                       {"holds the requirements", "reports"},
	"suites/ruling":                          {"is the judgement of one requirement on one subject", "probes reports"},
	"suites/vocab":                           {"reads names, texts and codes", "probes golang.org/x/text/unicode/norm"},
	"suites/gate":                            {"decides what may be sent", "probes fixtures suites/vocab"},
	"suites/model":                           {"is what is believed of one adapter", "probes fixtures schemas suites/gate suites/vocab suites/ruling"},
	"suites/check":                           {"is the contract of a check, and what areas share", leaves + foundation},
	"suites/check/checktest":                 {"makes answers for tests of judges", "probes " + foundation},
	"suites/area":                            {"checks one area of the catalogue", "probes schemas reports " + foundation},
	"suites/generated":                       {"makes requests that nobody wrote, and judges what they do", "probes schemas reports " + foundation},
	"suites/load":                            {"says when the requests of a load are sent, and measures how they are answered", "reports github.com/HdrHistogram/hdrhistogram-go"},
	"suites/plan":                            {"lists what to ask, asks it, and has it judged", leaves + foundation + ginkgo + "suites/generated suites/gate suites/load"},
	"suites/mutation":                        {"proves the checks by faults", leaves + foundation + "suites/plan suites/generated"},
	"suites/export":                          {"makes documents of a run that are no findings", leaves + foundation + "suites/plan suites/generated"},
	"cmd/aql-conform":                        {"runs one command line", own + "cli " + own + "console probes/wire"},
	"cmd/aql-conform/conformtest":            {"judges an adapter in its own Go tests", own + "cli " + own + "console reports"},
	"cmd/aql-conform/internal/console":       {"writes, and names errors and exit codes", "probes reports suites/catalogue suites/vocab golang.org/x/term github.com/mattn/go-isatty mvdan.cc/sh/v3"},
	"cmd/aql-conform/internal/transcript":    {"reads what a run has recorded", "github.com/go-json-experiment/json " + leaves + own + "console suites/catalogue suites/generated suites/model suites/plan"},
	"cmd/aql-conform/internal/statement":     {"is the form of a sealed report, and says whether one holds", "reports " + own + "console " + own + "transcript"},
	"cmd/aql-conform/internal/judge":         {"gives the verdict on a recorded run", leaves + own + "console " + own + "transcript " + own + "statement suites"},
	"cmd/aql-conform/browser":                {"is the judge for a page of a board", own + "judge"},
	"cmd/aql-conform/internal/board":         {"publishes a registry as a site", "reports suites/catalogue " + own + "console " + own + "attest golang.org/x/sys"},
	"cmd/aql-conform/internal/seal":          {"signs reports and proofs", leaves + own + "console " + own + "transcript " + own + "statement suites reference-adapter"},
	"cmd/aql-conform/internal/session":       {"starts or reaches an adapter, asks it and has it judged", leaves + own + "console " + own + "transcript " + own + "judge " + own + "seal suites mvdan.cc/sh/v3"},
	"cmd/aql-conform/internal/attest":        {"verifies, submits and lists what was sealed", "github.com/go-jose/go-jose/v4 " + leaves + own + "console " + own + "transcript " + own + "statement " + own + "judge " + own + "seal " + own + "session suites mvdan.cc/sh/v3"},
	"cmd/aql-conform/internal/cli":           {"has the commands, their flags and their help", leaves + own + "console " + own + "transcript " + own + "seal " + own + "session " + own + "judge " + own + "attest " + own + "board " + own + "fleet " + own + "monitor " + own + "serve suites github.com/alecthomas/kong"},
	"cmd/aql-conform/internal/monitor":       {"judges an endpoint on a schedule, and tells what changed", "probes reports " + own + "console " + own + "session go.opentelemetry.io/otel"},
	"cmd/aql-conform/internal/serve":         {"offers commands as the tools of an MCP server", own + "console suites/catalogue github.com/modelcontextprotocol/go-sdk"},
	"cmd/aql-conform/internal/fleet":         {"judges a list of adapters, each in a process of its own", "fixtures reports suites/catalogue " + own + "console " + own + "seal " + own + "session " + own + "attest github.com/alecthomas/kong"},
	"reference-adapter":                      {"starts the reference adapter", "reference-adapter"},
	"reference-adapter/adapter":              {"is the reference adapter, without faults and habits", "github.com/modelcontextprotocol/go-sdk"},
	"reference-adapter/adapter/loop":         {"is the execution safety loop", "reference-adapter/adapter"},
	"reference-adapter/adapter/seam":         {"is where faults and habits reach into the adapter", "reference-adapter/adapter"},
	"reference-adapter/authorization":        {"puts a server behind authorization, and issues tokens", ""},
	"reference-adapter/faults":               {"lists the faults", "reference-adapter/adapter reference-adapter/faults"},
	"reference-adapter/faults/authorization": {"has the faults of how requests are let in", "reference-adapter/adapter"},
	"reference-adapter/faults/calls":         {"has the faults of requests", "reference-adapter/adapter"},
	"reference-adapter/faults/introspection": {"has the faults of what the adapter tells about itself", "reference-adapter/adapter"},
	"reference-adapter/faults/objects":       {"has the faults of what is stored, and the seeded defects", "reference-adapter/adapter"},
	"reference-adapter/faults/safety":        {"has the faults of long work, confirmation and the safety loop", "reference-adapter/adapter"},
	"reference-adapter/faults/wire":          {"has the faults of messages, bytes and limits", "reference-adapter/adapter"},
	"reference-adapter/habits":               {"has the legal ways to do what the specification leaves free", "reference-adapter/adapter"},
	"reference-adapter/stand":                {"builds the adapter with a fault and habits, and what stands beside it", "reference-adapter/adapter reference-adapter/authorization reference-adapter/faults reference-adapter/habits"},
	"reference-adapter/zoo":                  {"makes strangers from seeds", "reference-adapter/adapter reference-adapter/habits reference-adapter/stand"},
}

// forbidden are packages that a pure folder must not touch: a judge that can reach
// files, processes or the network is no pure function, nor is a generator that
// can reach them or a clock.
var forbidden = []string{"os", "net", "net/http", "os/exec"}

// pure are the folders whose answers must be pure functions.
var pure = []string{"suites", "probes/generate"}

func TestImportsFollowThePicture(t *testing.T) {
	walkSource(t, func(name string, _ *token.FileSet, file *ast.File) {
		folder := owner(path.Dir(name))
		for _, spec := range file.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			if complaint := disallowed(folder, name, imported); complaint != "" {
				t.Errorf("%s imports %s: %s", name, imported, complaint)
			}
		}
	})
}

// owner returns the folder whose line in the table governs a folder.
func owner(folder string) string {
	for ; folder != "."; folder = path.Dir(folder) {
		if _, ok := rooms[folder]; ok {
			return folder
		}
	}
	return ""
}

func disallowed(folder, file, imported string) string {
	standard := !strings.Contains(strings.Split(imported, "/")[0], ".")
	allowed := slices.ContainsFunc(strings.Fields(rooms[folder].may), func(p string) bool {
		if !strings.Contains(strings.Split(p, "/")[0], ".") {
			p = module + p
		}
		return imported == p || strings.HasPrefix(imported, p+"/")
	})
	switch {
	case folder == "":
		return "its folder is not in the table"
	case within(pure, folder) && slices.Contains(forbidden, imported), folder == "probes/generate" && slices.Contains([]string{"time", module + "probes/wire"}, imported):
		return "its answers would not be pure functions"
	case standard:
		return ""
	case strings.HasPrefix(folder, "suites") && strings.HasPrefix(imported, "github.com/onsi/") && path.Base(file) != "ginkgo.go":
		return "Ginkgo and Gomega belong into ginkgo.go"
	case strings.HasPrefix(folder, "cmd/") && strings.HasPrefix(imported, module+"reference-adapter/") && !slices.Contains([]string{"mutants.go", "zoo.go"}, path.Base(file)):
		return "the command knows the reference adapter where it builds mutants and strangers of it, for selftest and the examples of explain"
	case strings.HasPrefix(folder, "cmd/") && strings.HasPrefix(imported, module+"suites/area"):
		return "the command knows checks by suites.All alone"
	case !allowed:
		return folder + " " + rooms[folder].says + " and may not know it"
	}
	return ""
}

// within reports whether a folder is one of the folders, or below one of them.
func within(folders []string, folder string) bool {
	return slices.ContainsFunc(folders, func(f string) bool { return folder == f || strings.HasPrefix(folder, f+"/") })
}

// Bounds of what one person can take in at once.
const (
	maxFiles     = 40
	maxFileLines = 300
	maxFuncLines = 60
	maxShare     = 0.15 // of all lines of the product
)

// grown are folders that a later change divides; what is in them is not measured.
var grown = []string{"reports", "fixtures"}

// A room fits a listing, a file a few screens, and a function one.
func TestRoomsAreSmall(t *testing.T) {
	files, lines, total := map[string]int{}, map[string]int{}, 0
	walkSource(t, func(name string, set *token.FileSet, file *ast.File) {
		folder, n := path.Dir(name), set.Position(file.FileEnd).Line-1
		files[folder]++
		lines[folder] += n
		total += n
		if within(grown, folder) {
			return
		}
		if n > maxFileLines {
			t.Errorf("%s has %d lines, more than %d", name, n, maxFileLines)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				if long := set.Position(f.End()).Line - set.Position(f.Pos()).Line + 1; long > maxFuncLines {
					t.Errorf("%s: %s has %d lines, more than %d", name, f.Name.Name, long, maxFuncLines)
				}
			}
		}
	})
	for folder, n := range files {
		if within(grown, folder) {
			continue
		}
		if n > maxFiles {
			t.Errorf("%s has %d files, more than %d", folder, n, maxFiles)
		}
		if share := float64(lines[folder]) / float64(total); share > maxShare {
			t.Errorf("%s has %.0f %% of all lines, more than %.0f %%", folder, 100*share, 100*maxShare)
		}
	}
}

// walkSource visits every source file of the product; tests are none.
func walkSource(t *testing.T, visit func(name string, set *token.FileSet, file *ast.File)) {
	t.Helper()
	root, seen := os.DirFS("../.."), 0
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && name != "." || d.Name() == "node_modules" || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		seen++
		src, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, src, parser.SkipObjectResolution)
		if err == nil {
			visit(name, set, file)
		}
		return err
	})
	if err != nil || seen < 20 {
		t.Fatalf("read %d files: %v", seen, err)
	}
}
