package session

import (
	"io"
	"time"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
)

// TargetFlags name an adapter and how patient to be with it.
type TargetFlags struct {
	Cmd          string        `group:"Target" placeholder:"COMMAND" help:"start the adapter with this command (stdio)"`
	URL          string        `name:"url" group:"Target" placeholder:"URL" help:"connect to the adapter at this address (HTTP)"`
	MCPConfig    string        `name:"mcp-config" group:"Target" placeholder:"FILE" help:"mcpServers JSON file (- is stdin)"`
	Server       string        `group:"Target" placeholder:"NAME" help:"name of the adapter in that file"`
	AlsoCmd      string        `group:"Target" placeholder:"COMMAND" help:"start the adapter's other endpoint mode (stdio)"`
	AlsoURL      string        `name:"also-url" group:"Target" placeholder:"URL" help:"address of the adapter's other endpoint mode"`
	Env          []string      `short:"e" sep:"none" group:"Target" placeholder:"KEY=VALUE" help:"environment variable of the adapter (repeatable)"`
	Cwd          string        `group:"Target" placeholder:"FOLDER" help:"working folder of the adapter"`
	Header       []string      `sep:"none" group:"Target" placeholder:"'NAME: VALUE'" help:"send with each HTTP request (repeatable)"`
	TokenCmd     string        `group:"Target" placeholder:"COMMAND" help:"print the bearer token of HTTP requests; runs when\none is wanted, and again after HTTP 401"`
	OAuth        string        `name:"oauth" group:"Target" placeholder:"browser|device" help:"sign in to the adapter at --url: OAuth 2.1 with a\nbrowser, or with a code that is entered anywhere"`
	OAuthClient  string        `name:"oauth-client" group:"Target" placeholder:"ID" help:"client id for --oauth (a new one is registered)"`
	MCPVersion   string        `name:"mcp-version" group:"Target" placeholder:"REVISION" help:"MCP revision to request (the newest offered)"`
	StartTimeout time.Duration `default:"15s" group:"Target" placeholder:"TIME" help:"time limit for start and handshake (15s)"`
	Timeout      time.Duration `default:"10s" group:"Target" placeholder:"TIME" help:"time limit for each call (10s)"`
	RateLimit    float64       `group:"Target" placeholder:"N" help:"at most N calls per second (0: no limit)"`
	Jobs         int           `default:"16" group:"Target" placeholder:"N" help:"read-only calls at the same time (16)"`
}

// LeaveFlags say what may be done to the adapter, and with which seed.
type LeaveFlags struct {
	Allow    []string `group:"Permissions" placeholder:"KIND[:NAME]" help:"permit create, update, delete or execute, or\noperations of a kind by name or glob"`
	ReadOnly bool     `group:"Permissions" help:"send no request that could write"`
	Seed     *uint64  `group:"Input" placeholder:"N" help:"random seed; the report prints the one used"`
}

// CheckFlags are the flags of check as typed; settle gives them their meaning.
type CheckFlags struct {
	TargetFlags

	Run  []string `group:"Selection" placeholder:"PATTERN" help:"only these requirements: id, glob, area or @FILE"`
	Skip []string `group:"Selection" placeholder:"PATTERN" help:"leave these requirements out"`
	narrowFlags
	Shard   string `group:"Selection" placeholder:"I/N" help:"run part I of N; merge combines the reports"`
	Subject string `group:"Selection" placeholder:"GLOB" help:"only these operations, types or tools"`
	LeaveFlags
	Hints   string `group:"Input" placeholder:"FILE" help:"hints file (./aql-conform.yaml)"`
	NoHints bool   `group:"Input" help:"ignore hints files"`

	MaxRequests int       `group:"Permissions" placeholder:"N" help:"at most N requests, the core first (0: no limit)"`
	MaxWrites   int       `group:"Permissions" placeholder:"N" help:"at most N calls that write (0: no limit)"`
	DryRun      bool      `group:"Permissions" help:"print what a run would call; send no writes"`
	Ledger      string    `group:"Permissions" placeholder:"FILE" help:"file that lists created objects, for cleanup"`
	asks        io.Writer // where the operator is asked to sign in
	rechecked   []string  // what failed before, a requirement with or without its subject
	Trace       bool      `group:"Output" help:"print each exchange on stderr"`

	Phases      []string      `group:"Input" placeholder:"PHASE" help:"phases of generated input (all; none with --run)"`
	MaxTime     time.Duration `default:"60s" group:"Input" placeholder:"TIME" help:"time limit for generated input (60s)"`
	MaxMemory   uint          `default:"256" group:"Input" placeholder:"MIB" help:"end the run when it holds more (256; 0: no limit)"`
	MaxWait     time.Duration `default:"10s" group:"Input" placeholder:"TIME" help:"longest wait for something to expire (10s)"`
	MaxExamples int           `default:"20" group:"Input" placeholder:"N" help:"random call sequences per kind of object (20)"`

	soakFlags
	Level        string `default:"1" group:"Verdict" placeholder:"1|2" help:"conformance level asked for (1)"`
	Basis        string `default:"all" group:"Verdict" placeholder:"all|normative" help:"texts of the specification that count (all)"`
	Repeat       *int   `group:"Verdict" placeholder:"N" help:"run N times; verdicts that differ are flaky (1)"`
	Strict       bool   `group:"Verdict" help:"exit 2 on warnings"`
	RequireProof bool   `group:"Verdict" help:"exit 5 if any MUST is not proven"`
	certifyFlags
	BaselineFlags

	Transcript string `group:"Output" placeholder:"FILE" help:"record the run in a file (.gz: compressed)"`
	console.OutputFlags
}

// ReplayFlags are those of check, narrowed to one finding.
type ReplayFlags struct {
	Text string `arg:"" name:"replay" help:"the v1:... text of a finding's replay line"`
	CheckFlags
}
