package session

import (
	"cmp"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/seal"
	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites"
	"github.com/aql-conform/aql-conform/suites/generated"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// An Order is a check as the operator means it: every flag understood, nothing
// started yet.
type Order struct {
	flags     *CheckFlags
	Main      Target
	also      *Target // the adapter in its other mode; nil when none was named
	hints     told
	around    hooks
	helpers   helpers
	secrets   Secrets
	open      []string // values that judges see and outputs do not
	cover     *wire.Cover
	selection plan.Selection
	may       model.Permissions
	level     int
	Seed      uint64
	challenge *seal.GivenChallenge // that the run answers; nil for none
	effort    generated.Effort
	Again     string
	files     []console.ReportFile
	known     *acceptedFailures
	report    *reports.Report // what came of it; nil until then

	OnPhase    func(name string)        // called when a phase of the run begins; may be nil
	OnAnswered func(probes.Observation) // called with each answer, several at a time; may be nil
}

// Report returns the outcome; nil until then, and after a dry run.
func (o *Order) Report() *reports.Report { return o.report }

// Settle understands the flags or says which one has to be mended, before an adapter is started for nothing.
func (f *CheckFlags) Settle(program []string, c console.Console) (*Order, error) {
	if err := f.valid(); err != nil {
		return nil, err
	}
	o := &Order{flags: f}
	f.asks = c.Stderr
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
	targets, err := f.targets(o, program, c.Stdin)
	if err != nil {
		return nil, err
	}
	if o.may, err = f.Permissions(o.Main.URL == "", o.hints.Permissions); err != nil {
		return nil, err
	}
	if _, err := os.Lstat(f.Ledger); f.Ledger != "" && !errors.Is(err, fs.ErrNotExist) {
		return nil, console.Usage("--ledger %s: the file exists; if an earlier run left it, aql-conform cleanup removes the objects in it", f.Ledger)
	}
	o.may.Limit, o.may.DryRun = f.writeLimit(o.hints.Permissions), f.DryRun
	if o.selection.Shard, o.selection.Shards, err = ShardOf(f.Shard); err != nil {
		return nil, err
	}
	patterns := plan.Selection{Checks: suites.All(), Run: f.Run, Skip: f.Skip, HintSkips: o.hints.Skip} // subjects are known only when the adapter is
	if _, err := plan.New(nil, patterns, ""); err != nil {
		return nil, typed.mistake(err)
	}
	if o.Seed, o.challenge, err = f.seeded(); err != nil {
		return nil, err
	}
	if err := f.prepareCertificate(o.hints, o.Main.Command); err != nil {
		return nil, err
	}
	if o.known, err = f.BaselineFlags.Read(); err != nil {
		return nil, err
	}
	if o.files, err = f.ReportFiles(); err != nil {
		return nil, err
	}
	o.level, _ = strconv.Atoi(f.Level)
	o.effort = generated.Effort{Seed: o.Seed, Phases: f.phases(), Examples: f.MaxExamples, Time: f.MaxTime, Requests: f.MaxRequests, Soak: f.Soak, Rate: f.rps()}
	o.collectSecrets(targets)
	o.Again = f.again(o.secrets, o.Seed, targets...)
	return o, nil
}

// seeded is the seed of the run: that of a challenge, the one that was typed, or a new one.
func (f *CheckFlags) seeded() (uint64, *seal.GivenChallenge, error) {
	challenge, err := f.challenged()
	switch {
	case err != nil:
		return 0, nil, err
	case challenge != nil:
		return challenge.Seed, challenge, nil
	case f.Seed != nil:
		return *f.Seed, nil, nil
	}
	return rand.Uint64N(1_000_000_000), nil, nil // short enough to be typed again
}

// targets sets the target of the order, and the other one that flags or hints name.
func (f *CheckFlags) targets(o *Order, program []string, stdin io.Reader) (all []Target, err error) {
	if o.Main, err = f.target(program, stdin); err != nil {
		return nil, err
	}
	if o.also, err = f.other(o.hints); err != nil {
		return nil, err
	}
	all = []Target{o.Main}
	if o.also != nil {
		all = append(all, *o.also)
	}
	return all, f.misplaced(all...)
}

// repeats is how often is judged.
func (f *CheckFlags) repeats() int {
	switch {
	case f.Repeat != nil:
		return *f.Repeat
	case f.Certify != "":
		return LeastRuns
	}
	return 1
}

// valid refuses values that no flag of that name knows.
func (f *CheckFlags) valid() error {
	for _, choice := range []struct {
		flag, given string
		known       []string
	}{
		{"--level", f.Level, []string{"1", "2"}},
		{"--basis", f.Basis, []string{"all", "normative"}},
	} {
		if err := console.OneOf(choice.flag, choice.given, choice.known); err != nil {
			return err
		}
	}
	for _, phase := range f.Phases {
		if err := console.OneOf("--phases", phase, append(generated.Phases(), "all", "none")); err != nil {
			return err
		}
	}
	if f.MCPVersion != "" {
		if err := console.OneOf("--mcp-version", f.MCPVersion, wire.Revisions); err != nil {
			return err
		}
	}
	for flag, given := range map[string]time.Duration{"--timeout": f.Timeout, "--start-timeout": f.StartTimeout, "--max-time": f.MaxTime} {
		if given <= 0 {
			return console.Usage("%s %q: want a time above zero, for example 10s", flag, given)
		}
	}
	if f.RateLimit < 0 || math.IsInf(f.RateLimit, 0) || math.IsNaN(f.RateLimit) {
		return console.Usage("--rate-limit %g: want calls in a second, or 0 for no limit", f.RateLimit)
	}
	if f.MaxWait < 0 {
		return console.Usage("--max-wait %s: want a time, or 0 to wait for nothing", f.MaxWait)
	}
	if f.MaxExamples < 0 {
		return console.Usage("--max-examples %d: want 0 or more", f.MaxExamples)
	}
	for flag, given := range map[string]int{"--max-requests": f.MaxRequests, "--max-writes": f.MaxWrites} {
		if given < 0 {
			return console.Usage("%s %d: want 1 or more, or 0 for no limit", flag, given)
		}
	}
	if f.Jobs < 1 {
		return console.Usage("--jobs %d: want 1 or more", f.Jobs)
	}
	return f.validTogether()
}

// validTogether refuses flags that contradict each other.
func (f *CheckFlags) validTogether() error {
	if err := cmp.Or(f.certifiable(), f.validLoad()); err != nil {
		return err
	}
	if f.repeats() < 1 {
		return console.Usage("--repeat %d: want 1 or more", f.repeats())
	}
	if f.repeats() > 1 && f.DryRun {
		return console.Usage("--repeat and --dry-run contradict each other; leave one out")
	}
	if f.FailFast && f.repeats() > 1 {
		return console.Usage("--repeat needs complete runs, and --fail-fast stops early; leave one out")
	}
	if f.DryRun && len(f.Report) > 0 {
		return console.Usage("--dry-run judges nothing, so there is no --report; leave one out")
	}
	if f.DryRun && f.UpdateBaseline {
		return console.Usage("--dry-run judges nothing, so --update-baseline has nothing to write; leave one out")
	}
	return f.OutputFlags.Valid()
}

// phases are the phases of generated input that were asked for.
func (f *CheckFlags) phases() []string {
	switch {
	case slices.Contains(f.Phases, "none"), len(f.Phases) == 0 && len(f.Run) > 0:
		return nil
	case slices.Contains(f.Phases, "all"), len(f.Phases) == 0:
		return generated.Phases()
	}
	return f.Phases
}

// Permissions returns what may be done to the adapter. By default an adapter that we start
// may be written to, and one that we reach is only read. Kinds in flags replace the kinds of
// the hints file; single operations are added to them.
func (f *CheckFlags) Permissions(started bool, told fixtures.Permissions) (model.Permissions, error) {
	may := model.Permissions{Create: started, Update: started, Delete: started}
	if f.ReadOnly && len(f.Allow) > 0 {
		return may, console.Usage("--read-only and --allow contradict each other; leave one out")
	}
	allow, readOnly := f.Allow, f.ReadOnly
	if !readOnly && !slices.ContainsFunc(allow, func(a string) bool { return !strings.Contains(a, ":") }) {
		if told.ReadOnly && len(allow) > 0 {
			return may, console.Usage("--allow %s: the hints file has read_only; allow a kind of operation as well to override it", allow[0])
		}
		allow, readOnly = slices.Concat(told.Allow, allow), told.ReadOnly
	}
	if readOnly {
		return model.Permissions{ReadOnly: true}, nil
	}
	kinds := map[string]*bool{"create": &may.Create, "update": &may.Update, "delete": &may.Delete, "execute": &may.Execute, "read": new(bool)}
	for _, allowed := range allow {
		kind, name, named := strings.Cut(allowed, ":")
		if err := console.OneOf("--allow", kind, []string{"create", "update", "delete", "execute", "read"}); err != nil {
			return may, err
		}
		if _, err := path.Match(name, ""); err != nil || named && name == "" || kind == "read" && !named {
			return may, console.Usage("--allow %q: want create, update, delete or execute, or KIND:NAME with a name or glob, for example create:send_*", allowed)
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
func (f *CheckFlags) writeLimit(told fixtures.Permissions) *model.WriteLimit {
	switch {
	case f.MaxWrites > 0:
		return model.NewWriteLimit(f.MaxWrites, "--max-writes")
	case told.MaxWrites > 0:
		return model.NewWriteLimit(told.MaxWrites, "max_writes in the hints file")
	}
	return nil
}

// Nonce returns the 8 characters that mark what this run makes. They come from
// the seed, so that a repeated run sends the same bytes.
func Nonce(seed uint64) string {
	const all = 36 * 36 * 36 * 36 * 36 * 36 * 36 * 36
	h := fnv.New64a()
	fmt.Fprintf(h, "aql-conform %d", seed)
	return fmt.Sprintf("%08s", strconv.FormatUint(h.Sum64()%all, 36))
}
