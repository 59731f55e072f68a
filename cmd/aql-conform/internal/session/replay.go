package session

import (
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/suites/generated"
)

// Settle is a check that asks nothing but what the replay holds: the questions of
// one requirement on one subject with the seed of the finding, or the script that
// showed it.
func (f *ReplayFlags) Settle(program []string, c console.Console) (*Order, error) {
	r, err := generated.ParseReplay(f.Text)
	if err != nil {
		return nil, console.Usage("replay: %w", err)
	}
	f.Run, f.Seed, f.Phases, f.rechecked = []string{r.Requirement}, &r.Seed, []string{"none"}, []string{r.Requirement + " " + r.Subject}
	if r.Script == nil {
		f.Subject = r.Subject
	}
	o, err := f.CheckFlags.Settle(program, c)
	if err != nil {
		return nil, err
	}
	if o.effort.Script = r.Script; r.Script != nil {
		o.effort.Broke = f.rechecked[0]
	}
	return o, nil
}
