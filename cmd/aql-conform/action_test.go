package main

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/fixtures/portion"
	"go.yaml.in/yaml/v3"
)

// An action is what this test reads of action.yml.
type action struct {
	Inputs map[string]struct{ Default string }
	Runs   struct {
		Steps []struct {
			ID, Run, Uses string
			Env           map[string]string
		}
	}
}

// expression is what GitHub replaces in the environment of a step.
var expression = regexp.MustCompile(`\$\{\{ (inputs|steps)\.([a-z-]+)(?:\.outputs\.([a-z-]+))? \}\}`)

// A runner does the steps of the action as GitHub does them on Linux, but for those
// of other actions.
type runner struct {
	t       *testing.T
	temp    string
	env     []string
	inputs  map[string]string
	outputs map[string]string // "step.name"
}

func newRunner(t *testing.T) *runner {
	if runtime.GOOS != "linux" {
		t.Skip("the runner that is simulated is one of Linux")
	}
	temp := t.TempDir()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	arch := map[string]string{"amd64": "X64", "arm64": "ARM64"}[runtime.GOARCH]
	return &runner{t: t, temp: temp, inputs: map[string]string{}, outputs: map[string]string{}, env: append(os.Environ(),
		"GITHUB_ACTIONS=true", "GITHUB_ACTION_PATH="+root, "RUNNER_TEMP="+temp, "RUNNER_OS=Linux", "RUNNER_ARCH="+arch,
		"GITHUB_STEP_SUMMARY="+filepath.Join(temp, "summary.md"))}
}

// do runs the steps in a workspace of its own and returns what they printed and the
// exit code of the first that failed. The program that was installed once stays.
func (r *runner) do() (printed string, code int) {
	r.t.Helper()
	text, err := os.ReadFile("../../action.yml")
	if err != nil {
		r.t.Fatal(err)
	}
	var a action
	if err := yaml.Unmarshal(text, &a); err != nil {
		r.t.Fatal(err)
	}
	for _, step := range a.Runs.Steps {
		if step.Uses != "" || step.ID == "install" && r.outputs["install.program"] != "" {
			continue
		}
		results := filepath.Join(r.temp, step.ID+".out")
		cmd := exec.CommandContext(r.t.Context(), "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step.Run)
		cmd.Dir, cmd.Env = r.temp, append(r.env, "GITHUB_OUTPUT="+results)
		for name, value := range step.Env {
			cmd.Env = append(cmd.Env, name+"="+expression.ReplaceAllStringFunc(value, func(e string) string {
				m := expression.FindStringSubmatch(e)
				if m[1] == "steps" {
					return r.outputs[m[2]+"."+m[3]]
				}
				return cmp.Or(r.inputs[m[2]], a.Inputs[m[2]].Default)
			}))
		}
		out, err := cmd.CombinedOutput()
		printed += string(out)
		told, _ := os.ReadFile(results)
		for line := range strings.Lines(string(told)) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
			r.outputs[step.ID+"."+name] = value
		}
		if err != nil {
			return printed, cmd.ProcessState.ExitCode()
		}
	}
	return printed, 0
}

func (r *runner) file(name string) string {
	r.t.Helper()
	text, err := os.ReadFile(filepath.Join(r.temp, name))
	if err != nil {
		r.t.Error(err)
	}
	return string(text)
}

// The action builds the checker from its own source, passes its inputs on, and leaves
// a summary, the reports and the exit code.
func TestActionJudges(t *testing.T) {
	portion.Long(t)
	r, adapter := newRunner(t), builtReference(t)
	r.inputs = map[string]string{"cmd": "'" + adapter + "' --mode all", "level": "2", "args": "--phases none --run 'naming' --run connection"}
	printed, code := r.do()
	if code != 5 || r.outputs["judge.exit-code"] != "5" { // a part of the requirements proves no level
		t.Errorf("exit code %d, output %q, want 5\n%s", code, r.outputs["judge.exit-code"], printed)
	}
	if got := r.file("summary.md"); !strings.Contains(got, "MCP-AQL") {
		t.Errorf("no summary: %q", got)
	}
	for _, name := range []string{"report.json", "junit.xml", "report.sarif", "report.html"} {
		if r.file("aql-conform-reports/"+name) == "" {
			t.Errorf("%s is empty", name)
		}
	}
	if r.outputs["judge.level"] != "0" {
		t.Errorf("level %q, want 0", r.outputs["judge.level"])
	}

	r.inputs = map[string]string{"cmd": adapter + "; touch injected", "args": "--phases none"}
	if _, code := r.do(); code != console.ExitUsage {
		t.Errorf("a command that needs a shell: exit code %d, want %d", code, console.ExitUsage)
	}
	if _, err := os.Stat(filepath.Join(r.temp, "injected")); err == nil {
		t.Error("an input was run by the shell")
	}
}

// builtReference is the program of the reference adapter, in a folder with a space.
func builtReference(t *testing.T) string {
	t.Helper()
	adapter := filepath.Join(t.TempDir(), "an adapter")
	must(t, os.Symlink(built(t, "../../reference-adapter"), adapter))
	return adapter
}

// A failure that the file names keeps no job shut; that it is gone does, until the file
// says so.
func TestActionKnowsABaseline(t *testing.T) {
	expensive(t)
	r, adapter := newRunner(t), builtReference(t)
	broken := "'" + adapter + "' --mode all --fault AQL-4.6-01.unknown-params-dropped"
	for _, step := range []struct {
		cmd, baseline, args string
		code                int
		summary             string
	}{
		{broken, "", "--phases none", 1, "Failed"},
		{broken, "known failures.yaml", "--phases none --update-baseline", 0, "Known"},
		{broken, "known failures.yaml", "--phases none", 0, "Known"},
		{"'" + adapter + "' --mode all", "known failures.yaml", "--phases none", 1, "fixed, yet listed"},
	} {
		os.Remove(filepath.Join(r.temp, "summary.md"))
		r.inputs = map[string]string{"cmd": step.cmd, "baseline": step.baseline, "args": step.args}
		printed, code := r.do()
		if summary := r.file("summary.md"); code != step.code || !strings.Contains(summary, step.summary) {
			t.Errorf("%+v: exit code %d\n%s\n%s", step, code, summary, printed)
		}
	}
}

// A released program is believed by its digest alone.
func TestActionFetches(t *testing.T) {
	const program = "#!/bin/sh\necho MCP-AQL judged with \"$@\"\n"
	name := "aql-conform_1.2.3_linux_" + runtime.GOARCH
	for sums, want := range map[string]int{
		fmt.Sprintf("%x  %s\n", sha256.Sum256([]byte(program)), name):                0,
		fmt.Sprintf("%x  %s\n", sha256.Sum256([]byte("another")), name):              3,
		fmt.Sprintf("%x  %s\n", sha256.Sum256([]byte(program)), "aql-conform_other"): 3,
	} {
		r := newRunner(t)
		releases := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			switch path.Base(req.URL.Path) {
			case name:
				fmt.Fprint(w, program)
			case "SHA256SUMS":
				fmt.Fprint(w, sums)
			default:
				http.NotFound(w, req)
			}
		}))
		defer releases.Close()
		r.env = append(r.env, "RELEASES="+releases.URL)
		r.inputs = map[string]string{"version": "1.2.3", "cmd": "./my-adapter"}
		printed, code := r.do()
		if code != want || (want == 0) != strings.Contains(printed, "--cmd ./my-adapter") {
			t.Errorf("SHA256SUMS %q: exit code %d, want %d\n%s", sums, code, want, printed)
		}
	}
	r := newRunner(t)
	r.inputs = map[string]string{"version": "1.2.3; true"}
	if printed, code := r.do(); code != 3 || !strings.Contains(printed, "::error") {
		t.Errorf("a version that is none: exit code %d\n%s", code, printed)
	}
}
