package reports

import (
	"fmt"
	"io"
)

// badge is the answer that shields.io wants of an endpoint.
type badge struct {
	Schema  int    `json:"schemaVersion"`
	Label   string `json:"label"`
	Message string `json:"message"`
	Color   string `json:"color"`
}

// WriteBadge writes the verdict as a badge in the form of a shields.io endpoint. It
// names the level of the claim, and none where there is no claim.
func (r *Report) WriteBadge(w io.Writer) error { return writeIndented(w, r.badge()) }

func (r *Report) badge() badge {
	b := badge{1, Inert("MCP-AQL " + r.Run.SpecVersion), "", "lightgrey"}
	level, _ := r.claimed()
	switch {
	case r.ExitCode == 6:
		b.Message = "checker fault"
	case r.ExitCode == 130 && r.Run.StoppedAtMiB > 0:
		b.Message = "out of memory"
	case r.ExitCode == 130:
		b.Message = "interrupted"
	case r.ExitCode == 4:
		b.Message = "not judged"
	case r.Run.Shard != nil && r.Levels[0].Standing != Nonconformant:
		b.Message = "part " + r.Run.Shard.String()
	case level > 0:
		b.Message, b.Color = fmt.Sprintf("level %d", level), "brightgreen"
		if r.ExitCode != 0 || r.broken() > 0 { // a higher level was asked for, or a stricter reading
			b.Color = "yellow"
		}
		if r.Run.Basis == "normative" {
			b.Message += " (normative text)"
		}
	case r.ConformanceLevel > 0: // and something that stands against it
		b.Message, b.Color = "no claim", "yellow"
	case r.Levels[0].Standing == Nonconformant:
		b.Message, b.Color = "not conformant", "red"
	default:
		b.Message = "not proven"
	}
	return b
}
