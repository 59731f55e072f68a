package fleet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/reports"
)

// command is the process that judges an entry, and what it says on standard error.
func (r *runner) command(e fixtures.FleetEntry) (*exec.Cmd, *tail, error) {
	said := &tail{}
	program, err := os.Executable()
	if err != nil {
		return nil, said, err
	}
	cmd := exec.Command(program, "fleet", r.File, "--out", r.Out, "--entry", e.Name)
	cmd.Args[0] = os.Args[0]
	for _, flag := range [][2]string{{"--wrap", r.Wrap}, {"--key", r.Key}} {
		if flag[1] != "" {
			cmd.Args = append(cmd.Args, flag[0], flag[1])
		}
	}
	cmd.Env, cmd.Stderr = r.env(e), said
	return cmd, said, nil
}

// common are the variables that every program may need; to name one of them takes it from
// nobody.
var common = regexp.MustCompile(`^(PATH|HOME|USER|LOGNAME|SHELL|PWD|LANG|LANGUAGE|LC_.*|TZ|TERM|TMPDIR|TMP|TEMP|XDG_.*|SYSTEMROOT|SystemRoot|USERPROFILE)$`)

// environment returns the environment of an entry: that of this process without what the
// webhook and other entries name. So no adapter sees the secret of another.
func environment(list fixtures.Fleet) func(fixtures.FleetEntry) []string {
	named := map[string]bool{}
	own := func(e fixtures.FleetEntry) []string {
		names := e.References()
		if e.Hints != "" {
			raw, _ := os.ReadFile(e.Hints) // the run of the entry says that it cannot be read
			names = append(names, fixtures.References(string(raw))...)
		}
		return names
	}
	for _, name := range fixtures.References(list.Webhook) {
		named[name] = true
	}
	for _, e := range list.Adapters {
		for _, name := range own(e) {
			named[name] = true
		}
	}
	return func(e fixtures.FleetEntry) []string {
		mine := own(e)
		return slices.DeleteFunc(os.Environ(), func(pair string) bool {
			name, _, _ := strings.Cut(pair, "=")
			return named[name] && !slices.Contains(mine, name) && !common.MatchString(name)
		})
	}
}

// patience is how long a webhook may take.
const patience = 10 * time.Second

// post sends the new failures to a webhook. No error shows its address, which is a secret.
func post(ctx context.Context, address string, fleet *reports.Fleet) error {
	body, err := message(fleet)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, os.ExpandEnv(address), bytes.NewReader(body))
	if err != nil {
		return errors.New("its address is none")
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return errors.New("it could not be reached")
	}
	defer resp.Body.Close()
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return fmt.Errorf("it answered with HTTP %d", resp.StatusCode)
	}
	return nil
}
