package cli

import (
	"context"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/serve"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/session"
)

// mcpFlags are those of each command with a target that a client may call.
type mcpFlags struct {
	session.TargetFlags
	session.LeaveFlags
	Hints   string `group:"Input" placeholder:"FILE" help:"hints file (./aql-conform.yaml)"`
	NoHints bool   `group:"Input" help:"ignore hints files"`
}

// serve offers the commands until the client leaves. What the operator grants or confides is for
// an adapter that the operator has named: a client could name one that misuses it.
func (f *mcpFlags) serve(ctx context.Context, typed, program []string, c console.Console) error {
	target := f.Cmd != "" || f.URL != "" || f.MCPConfig != "" || program != nil
	if !target && (f.TokenCmd+f.OAuth != "" || len(f.Allow)+len(f.Env)+len(f.Header)+len(f.AlsoCmd)+len(f.AlsoURL) > 0) {
		return console.Usage("mcp: --allow, -e, --header, --token-cmd, --oauth, --also-cmd and --also-url need an adapter on the command line; add --cmd or --url")
	}
	server := &serve.Server{Obey: Obey, Flags: typed, Program: program, Target: target}
	return server.Serve(ctx, c)
}
