package main

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites"
	"github.com/aql-conform/aql-conform/suites/generated"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// An order is a check as the operator means it: every flag understood, nothing
// started yet.
type order struct {
	flags     *checkFlags
	main      target
	also      *target // the adapter in its other mode; nil when none was named
	hints     told
	around    hooks
	helpers   helpers
	secrets   secrets
	selection plan.Selection
	may       model.Permissions
	level     int
	seed      uint64
	effort    generated.Effort
	again     string
	files     []reportFile
	known     *acceptedFailures
	report    *reports.Report // what came of it; nil until then
}

// settle understands the flags or says which one has to be mended. Whatever can
// be wrong is found here, before an adapter is started for nothing.
func (f *checkFlags) settle(program []string, stdin io.Reader) (*order, error) {
	if err := f.valid(); err != nil {
		return nil, err
	}
	o := &order{flags: f}
	typed, err := f.narrow()
	if err != nil {
		return nil, err
	}
	if o.hints, err = f.told(); err != nil {
		return nil, err
	}
	o.selection = plan.Selection{Checks: suites.All(), Run: f.Run, Skip: f.Skip, Subject: f.Subject, HintSkips: o.hints.Skip}
	if o.around, err = o.hints.hooks(); err != nil {
		return nil, err
	}
	if o.helpers, err = o.hints.helpers(); err != nil {
		return nil, err
	}
	if o.main, err = f.target(program, stdin); err != nil {
		return nil, err
	}
	if o.also, err = f.other(o.hints); err != nil {
		return nil, err
	}
	targets, wired := []target{o.main}, []wire.Target{o.main.Target}
	if o.also != nil {
		targets, wired = append(targets, *o.also), append(wired, o.also.Target)
	}
	if err := f.misplaced(targets...); err != nil {
		return nil, err
	}
	if o.may, err = f.permissions(o.main.URL == "", o.hints.Permissions); err != nil {
		return nil, err
	}
	if _, err := os.Lstat(f.Ledger); f.Ledger != "" && !errors.Is(err, fs.ErrNotExist) {
		return nil, usage("--ledger %s: there is such a file; if a run has left it, aql-conform cleanup removes what it lists", f.Ledger)
	}
	o.may.Limit = f.writeLimit(o.hints.Permissions)
	o.may.DryRun = f.DryRun
	if o.selection.Shard, o.selection.Shards, err = f.shard(); err != nil {
		return nil, err
	}
	patterns := plan.Selection{Checks: suites.All(), Run: f.Run, Skip: f.Skip, HintSkips: o.hints.Skip} // subjects are known only when the adapter is
	if _, err := plan.New(nil, patterns, ""); err != nil {
		return nil, typed.mistake(err)
	}
	if err := f.prepareCertificate(o.hints); err != nil {
		return nil, err
	}
	if o.known, err = f.baselineFlags.read(); err != nil {
		return nil, err
	}
	if o.files, err = f.reportFiles(); err != nil {
		return nil, err
	}
	o.level, _ = strconv.Atoi(f.Level)
	o.seed = rand.Uint64N(1_000_000_000) // short enough to be typed again
	if f.Seed != nil {
		o.seed = *f.Seed
	}
	o.effort = generated.Effort{Seed: o.seed, Phases: f.phases(), Examples: f.MaxExamples, Time: f.MaxTime}
	o.secrets = secretsOf(wired...)
	for name, value := range o.hints.Taken() {
		o.secrets.addEnvironment([]string{name + "=" + value}, 0)
	}
	for _, command := range append(slices.Collect(maps.Values(o.helpers)), o.around.before, o.around.after) {
		o.secrets.addArguments(command)
	}
	o.again = f.again(o.secrets, o.seed, targets...)
	return o, nil
}

// repeats is how often is judged.
func (f *checkFlags) repeats() int {
	switch {
	case f.Repeat != nil:
		return *f.Repeat
	case f.Certify != "":
		return leastRuns
	}
	return 1
}

// valid refuses values that no flag of that name knows.
func (f *checkFlags) valid() error {
	for _, choice := range []struct {
		flag, given string
		known       []string
	}{
		{"--level", f.Level, []string{"1", "2"}},
		{"--basis", f.Basis, []string{"all", "normative"}},
	} {
		if err := oneOf(choice.flag, choice.given, choice.known); err != nil {
			return err
		}
	}
	for _, phase := range f.Phases {
		if err := oneOf("--phases", phase, append(generated.Phases(), "all", "none")); err != nil {
			return err
		}
	}
	if f.MaxExamples < 0 {
		return usage("--max-examples %d: want 0 or more", f.MaxExamples)
	}
	if f.MCPVersion != "" {
		if err := oneOf("--mcp-version", f.MCPVersion, wire.Revisions); err != nil {
			return err
		}
	}
	for flag, given := range map[string]time.Duration{"--timeout": f.Timeout, "--start-timeout": f.StartTimeout, "--max-time": f.MaxTime} {
		if given <= 0 {
			return usage("%s %q: want a time above zero, for example 10s", flag, given)
		}
	}
	if f.RateLimit < 0 || math.IsInf(f.RateLimit, 0) || math.IsNaN(f.RateLimit) {
		return usage("--rate-limit %g: want calls in a second, or 0 for no limit", f.RateLimit)
	}
	if f.MaxWait < 0 {
		return usage("--max-wait %s: want a time, or 0 to wait for nothing", f.MaxWait)
	}
	if f.MaxWrites < 0 {
		return usage("--max-writes %d: want 1 or more, or 0 for no limit", f.MaxWrites)
	}
	if err := f.certifiable(); err != nil {
		return err
	}
	if f.repeats() < 1 {
		return usage("--repeat %d: want 1 or more", f.repeats())
	}
	if f.repeats() > 1 && f.DryRun {
		return usage("--repeat: a dry run is of one run; leave one out")
	}
	if f.FailFast && f.repeats() > 1 {
		return usage("--repeat needs whole runs, and --fail-fast ends them; leave one out")
	}
	if f.Jobs < 1 {
		return usage("--jobs %d: want 1 or more", f.Jobs)
	}
	if f.DryRun && len(f.Report) > 0 {
		return usage("--dry-run judges nothing, so there is no --report; leave one out")
	}
	if f.DryRun && f.UpdateBaseline {
		return usage("--dry-run judges nothing, so --update-baseline has nothing to write; leave one out")
	}
	return f.outputFlags.valid()
}

// shard reads I/N; 0 of 0 is the whole.
func (f *checkFlags) shard() (index, of int, err error) {
	if f.Shard == "" {
		return 0, 0, nil
	}
	if n, err := fmt.Sscanf(f.Shard+"$", "%d/%d$", &index, &of); n != 2 || err != nil || index < 1 || index > of {
		return 0, 0, usage("--shard %q: want I/N with I from 1 to N, for example 1/4", f.Shard)
	}
	return index, of, nil
}

// phases are the phases of generated input that were asked for.
func (f *checkFlags) phases() []string {
	switch {
	case slices.Contains(f.Phases, "none"), len(f.Phases) == 0 && len(f.Run) > 0:
		return nil
	case slices.Contains(f.Phases, "all"), len(f.Phases) == 0:
		return generated.Phases()
	}
	return f.Phases
}

// permissions returns what may be done to the adapter. By default an adapter that we start
// may be written to, and one that we reach is only read. Kinds in flags replace the kinds of
// the hints file; single operations are added to them.
func (f *checkFlags) permissions(started bool, told fixtures.Permissions) (model.Permissions, error) {
	may := model.Permissions{Create: started, Update: started, Delete: started}
	if f.ReadOnly && len(f.Allow) > 0 {
		return may, usage("--read-only and --allow contradict each other; leave one out")
	}
	allow, readOnly := f.Allow, f.ReadOnly
	if !readOnly && !slices.ContainsFunc(allow, func(a string) bool { return !strings.Contains(a, ":") }) {
		if told.ReadOnly && len(allow) > 0 {
			return may, usage("--allow %s: the hints file says read_only; allow a kind of operation to replace what it says", allow[0])
		}
		allow, readOnly = slices.Concat(told.Allow, allow), told.ReadOnly
	}
	if readOnly {
		return model.Permissions{ReadOnly: true}, nil
	}
	kinds := map[string]*bool{"create": &may.Create, "update": &may.Update, "delete": &may.Delete, "execute": &may.Execute, "read": new(bool)}
	for _, allowed := range allow {
		kind, name, named := strings.Cut(allowed, ":")
		if err := oneOf("--allow", kind, []string{"create", "update", "delete", "execute", "read"}); err != nil {
			return may, err
		}
		if _, err := path.Match(name, ""); err != nil || named && name == "" || kind == "read" && !named {
			return may, usage("--allow %q: want a kind of operation, or KIND:NAME with the name of one or a glob, for example create:send_*", allowed)
		}
		if named {
			may.Named = append(may.Named, allowed)
		} else {
			*kinds[kind] = true
		}
	}
	return may, nil
}

// writeLimit is how much may be written; the flag replaces what the hints file says.
func (f *checkFlags) writeLimit(told fixtures.Permissions) *model.WriteLimit {
	switch {
	case f.MaxWrites > 0:
		return model.NewWriteLimit(f.MaxWrites, "--max-writes")
	case told.MaxWrites > 0:
		return model.NewWriteLimit(told.MaxWrites, "max_writes in the hints file")
	}
	return nil
}

// nonce returns the 8 characters that mark what this run makes. They come from
// the seed, so that a repeated run sends the same bytes.
func nonce(seed uint64) string {
	h := fnv.New64a()
	fmt.Fprintf(h, "aql-conform %d", seed)
	const all = 36 * 36 * 36 * 36 * 36 * 36 * 36 * 36
	return fmt.Sprintf("%08s", strconv.FormatUint(h.Sum64()%all, 36))
}
