package session

import (
	"time"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
)

// TargetFlags name an adapter and how patient to be with it.
type TargetFlags struct {
	Cmd          string        `group:"Target" placeholder:"COMMAND" help:"start it over stdio; split like a shell does it"`
	URL          string        `name:"url" group:"Target" placeholder:"URL" help:"reach it over HTTP"`
	MCPConfig    string        `name:"mcp-config" group:"Target" placeholder:"FILE" help:"take it from mcpServers JSON (- is stdin) ..."`
	Server       string        `group:"Target" placeholder:"NAME" help:"... under this name"`
	AlsoCmd      string        `group:"Target" placeholder:"COMMAND" help:"the same adapter in its other endpoint mode"`
	AlsoURL      string        `name:"also-url" group:"Target" placeholder:"URL" help:"likewise over HTTP"`
	Env          []string      `short:"e" sep:"none" group:"Target" placeholder:"KEY=VALUE" help:"add to its environment (repeatable)"`
	Cwd          string        `group:"Target" placeholder:"FOLDER" help:"start it there"`
	Header       []string      `sep:"none" group:"Target" placeholder:"'NAME: VALUE'" help:"send with each HTTP request (repeatable)"`
	MCPVersion   string        `name:"mcp-version" group:"Target" placeholder:"REVISION" help:"MCP revision to ask for"`
	StartTimeout time.Duration `default:"15s" group:"Target" placeholder:"TIME" help:"for the start and the handshake (15s)"`
	Timeout      time.Duration `default:"10s" group:"Target" placeholder:"TIME" help:"for each call (10s)"`
	RateLimit    float64       `group:"Target" placeholder:"N" help:"calls in a second at most (0: no limit)"`
	Jobs         int           `default:"16" group:"Target" placeholder:"N" help:"read-only calls in flight (16)"`
}

// LeaveFlags say what may be done to the adapter, and with which seed.
type LeaveFlags struct {
	Allow    []string `group:"What is asked" placeholder:"KIND[:NAME]" help:"open a kind, or lift the rules for a name"`
	ReadOnly bool     `group:"What is asked" help:"send nothing that could write"`
	Seed     *uint64  `group:"What is asked" placeholder:"N" help:"repeat the run that printed this seed"`
}

// CheckFlags are the flags of check as typed; settle gives them their meaning.
type CheckFlags struct {
	TargetFlags

	Run  []string `group:"What is asked" placeholder:"PATTERN" help:"only these ids, globs of ids, areas or @FILE"`
	Skip []string `group:"What is asked" placeholder:"PATTERN" help:"not these"`
	narrowFlags
	Shard   string `group:"What is asked" placeholder:"I/N" help:"only the I-th of N parts; merge puts them together"`
	Subject string `group:"What is asked" placeholder:"GLOB" help:"only these operations, types or tools"`
	LeaveFlags
	Hints   string `group:"What is asked" placeholder:"FILE" help:"what its author tells (./aql-conform.yaml)"`
	NoHints bool   `group:"What is asked" help:"read no hints, wherever they lie"`

	MaxWrites int    `group:"What is asked" placeholder:"N" help:"at most N requests that write (0: no limit)"`
	DryRun    bool   `group:"What is asked" help:"say what a run would do; write nothing"`
	Ledger    string `group:"What is asked" placeholder:"FILE" help:"list of created objects, for cleanup"`
	Trace     bool   `group:"Output" help:"each exchange on stderr, as it comes"`

	Phases      []string      `group:"What is asked" placeholder:"PHASE" help:"of generated input (all; none with --run)"`
	MaxTime     time.Duration `default:"60s" group:"What is asked" placeholder:"TIME" help:"for generated input (60s)"`
	MaxWait     time.Duration `default:"10s" group:"What is asked" placeholder:"TIME" help:"longest wait for something to expire (10s)"`
	MaxExamples int           `default:"20" group:"What is asked" placeholder:"N" help:"random scripts for each kind of object (20)"`

	Level        string `default:"1" group:"Verdict" placeholder:"1|2" help:"conformance level asked for (1)"`
	Basis        string `default:"all" group:"Verdict" placeholder:"all|normative" help:"which texts decide (all)"`
	Repeat       *int   `group:"Verdict" placeholder:"N" help:"judge N times; what differs is flaky (1)"`
	Strict       bool   `group:"Verdict" help:"exit 2 on warnings"`
	RequireProof bool   `group:"Verdict" help:"exit 5 when any MUST stays unproven"`
	certifyFlags
	BaselineFlags

	Transcript string `group:"Output" placeholder:"FILE" help:"write down the whole run, for judge (.gz packs it)"`
	console.OutputFlags
}

// ReplayFlags are those of check, narrowed to one finding.
type ReplayFlags struct {
	Text string `arg:"" name:"replay" help:"the v1:... that a finding printed"`
	CheckFlags
}
