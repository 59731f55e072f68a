package conformtest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/conformtest"
)

// The variables that make TestOfAnAdapter the test of an author: the command line of the adapter, and flags.
const commandVariable, flagsVariable = "CONFORMTEST_COMMAND", "CONFORMTEST_FLAGS"

// TestOfAnAdapter is what an author writes; the other test runs it and reads what it prints.
func TestOfAnAdapter(t *testing.T) {
	words := strings.Fields(os.Getenv(commandVariable))
	if len(words) == 0 {
		t.Skip("run by TestRun")
	}
	target := conformtest.Command(words[0], words[1:]...)
	if strings.HasPrefix(words[0], "http://") {
		target = conformtest.URL(words[0])
	}
	conformtest.Run(t, target, strings.Fields(os.Getenv(flagsVariable))...)
}

func TestRun(t *testing.T) {
	adapter := filepath.Join(t.TempDir(), "adapter")
	if said, err := exec.Command("go", "build", "-o", adapter, "../../../reference-adapter").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name, command, flags string
		passes               bool
		want                 []string
	}{
		{"conforming", adapter + " -mode all", "--max-time 2s --seed 7", true, []string{"--- PASS: TestOfAnAdapter", "CONFORMANT to MCP-AQL 1.0.0-draft level"}},
		{"one fault", adapter + " -mode all -fault AQL-4.6-01", "--run AQL-4.6-*,AQL-5.1-* --seed 7", false, []string{
			"--- FAIL: TestOfAnAdapter/AQL-4.6-01", "want    error VALIDATION_UNKNOWN_PARAM", "got     success", "sent    mcp_aql", "fix     refuse parameters"}},
		{"not an adapter", "true", "", false, []string{"exit code 4", "NOT JUDGED"}},
		{"no program", "./no-such-adapter", "", false, []string{"exit code 4", "no-such-adapter"}},
		{"nobody at the address", "http://127.0.0.1:9/mcp", "", false, []string{"exit code 4", "127.0.0.1:9"}},
		{"nothing proven", adapter + " -mode all", "--run AQL-4.6-01", false, []string{"exit code 5", "a part of a run grants no level"}},
		{"wrong flag", adapter, "--levle 2", false, []string{"aql-conform: ", "--levle"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			cmd := exec.Command(self, "-test.run=^TestOfAnAdapter$", "-test.v", "-test.timeout=5m")
			cmd.Env = append(os.Environ(), commandVariable+"="+tc.command, flagsVariable+"="+tc.flags)
			said, err := cmd.CombinedOutput()
			if passes := err == nil; passes != tc.passes {
				t.Errorf("passes: %v, want %v", passes, tc.passes)
			}
			for _, want := range tc.want {
				if !strings.Contains(string(said), want) {
					t.Errorf("no %q", want)
				}
			}
			if t.Failed() || testing.Verbose() {
				t.Logf("\n%s", said)
			}
		})
	}
}
