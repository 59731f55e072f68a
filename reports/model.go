// Package reports turns findings into a verdict, documents and an exit code:
// the same findings give the same bytes. It knows nothing of adapters, probes
// or checks.
package reports

import "time"

// A Requirement is one row of the catalogue, as far as a report needs it.
type Requirement struct {
	ID        string
	Title     string
	Area      string // "routing", "types", ...
	Authority string // "normative" or "informative"
	Section   string // "spec 4.6"
	Keyword   string // MUST, MUST NOT, SHOULD, MAY, ...
	Severity  string // worst verdict the row can give: "fail", "warn" or "info"
	Level     int    // 1 or 2; 0 when no level depends on it
	Core      bool   // the level stands only when this row is proven
	State     string // "checked", "excluded" or "untested"
	Statement string // the rule in one sentence
}

// A Verdict is the outcome for one requirement on one subject.
type Verdict string

// The verdicts, as printed.
const (
	Pass          Verdict = "PASS"           // a probe was carried out and the conforming behaviour was seen
	Fail          Verdict = "FAIL"           // a MUST was broken
	Warn          Verdict = "WARN"           // a SHOULD was departed from
	NotApplicable Verdict = "NOT-APPLICABLE" // the specification excuses this adapter
	Skipped       Verdict = "SKIPPED"        // the operator said so
	NotProven     Verdict = "NOT-PROVEN"     // it could not be exercised
)

// An Exchange is one request and what came back, as evidence.
type Exchange struct {
	Frames  []int         // sequence numbers in the transcript
	Conn    string        // name of the connection
	Sent    []byte        // the request frame
	Reply   []byte        // the answer frame; nil when none came
	Asked   []byte        // the question as a person would write it: the tool and its arguments; nil to show Sent
	Said    []byte        // what the answer comes down to: the envelope or error; nil to show Reply
	Outcome string        // "success", "failure VALIDATION_UNKNOWN_PARAM", "silent", ...
	Elapsed time.Duration // from the first byte sent to the whole answer read

	SentSize, ReplySize     int    // bytes on the wire; more than there are here when the record was cut
	SentSha256, ReplySha256 string // of the frame in the record, where only its beginning is here
}

// A Finding is one verdict with everything a reader needs to dispute it.
type Finding struct {
	Requirement string     // id of the row
	Verdict     Verdict    //
	Subject     string     // operation, type, tool or "adapter"; prefixed by the face when there are two
	Want        string     // noun phrase, lower case
	Got         string     // noun phrase, lower case
	Fix         string     // what to mend, or for NOT-PROVEN what would prove it
	Add         string     // for NOT-PROVEN: the lines of a hints file that would prove it, with newlines
	Note        string     // the disputed reading, or a remark on a PASS
	Again       string     // the command line that repeats it
	Replay      string     // the command line that asks the same once more and needs no file
	Raw         string     // what to send to see it without this program: a JSON-RPC line, or a curl command
	RootCause   string     // id of the requirement whose failure explains this one
	Instances   []string   // all subjects of one grouped finding, the first being Subject
	Evidence    []Exchange //
	Elapsed     time.Duration
	Broken      int // runs of several that saw it broken
	Runs        int // how many there were; 0 for one

	Elsewhere bool // for SKIPPED: another shard judges it

	Reason    string // of a FAIL: how the requirement was broken, in a form that is the same from run to run
	Known     *Known // the entry of the baseline that accepts it, of several that say the same the first; nil when none does
	Departure string // how it departs from the baseline: NewFailure, ChangedReason, ExpiredEntry or nothing
}

// Routing is what became of each operation on each endpoint tool. Section 6.2.
type Routing struct {
	Endpoints []string `json:"endpoints"`     // tools, in the order of tools/list
	Rows      []Route  `json:"rows,omitzero"` // in the order of the listing
}

// A Route is one operation's row: a cell for each endpoint.
type Route struct {
	Operation string `json:"operation"`
	Cells     []Cell `json:"cells"`
}

// A Cell says what an endpoint made of an operation.
type Cell string

// The cells of a routing table.
const (
	Own      Cell = "own"      // the operation's own endpoint
	Refused  Cell = "refused"  // refused for the endpoint
	Otherly  Cell = "refused*" // refused, but not with VALIDATION_ENDPOINT_MISMATCH
	Executed Cell = "EXECUTED" // ran where it must not
	Unknown  Cell = "?"        // not proven
)

// Digests name what a verdict rests on, each a sha256 in hexadecimal; empty for what
// there was not.
type Digests struct {
	Adapter       string `json:"adapter,omitempty"`       // the program that was started, or the address that was reached, with the server's name and version
	Introspection string `json:"introspection,omitempty"` // what the adapter says of itself
	Transcript    string `json:"transcript,omitempty"`    // the last link of the transcript
	Catalogue     string `json:"catalogue,omitempty"`     // the requirements
	Hints         string `json:"hints,omitempty"`         // what its author told
	Baseline      string `json:"baseline,omitempty"`      // the failures that are known
	Checker       string `json:"checker,omitempty"`       // the program that asked
}

// A Run is what the run was about: the head of every report.
type Run struct {
	Tool           string        `json:"tool,omitzero"`           // name and version of the checker
	Adapter        string        `json:"adapter,omitzero"`        // the command or URL, secrets masked
	Implementation string        `json:"implementation,omitzero"` // serverInfo.name
	Version        string        `json:"version,omitzero"`        // serverInfo.version
	Revision       string        `json:"revision,omitzero"`       // negotiated MCP revision
	Platform       string        `json:"platform,omitzero"`       // of the machine that asked: linux/amd64
	Modes          []string      `json:"modes,omitzero"`          // endpoint modes seen: "semantic", "single", "all"
	Profile        string        `json:"profile,omitzero"`        // "crude", "alternative" or "unified"
	SpecVersion    string        `json:"specVersion,omitzero"`    //
	Seed           uint64        `json:"seed,omitzero"`           //
	Level          int           `json:"level,omitzero"`          // level asked for
	Basis          string        `json:"basis,omitzero"`          // "all" or "normative"
	Strict         bool          `json:"strict,omitzero"`         // warnings give exit code 2
	RequireProof   bool          `json:"requireProof,omitzero"`   // any unproven MUST gives exit code 5
	Certify        bool          `json:"certify,omitzero"`        // what is flaky gives exit code 1, whatever it broke
	Narrowed       []string      `json:"narrowed,omitzero"`       // what left requirements, subjects or operations out, as it was said
	Rechecked      []string      `json:"rechecked,omitzero"`      // what failed before and is judged again: a requirement, or a requirement and a subject
	Ungenerated    bool          `json:"ungenerated,omitzero"`    // not all phases of generated input were asked for
	Interrupted    bool          `json:"interrupted,omitzero"`    // the run was cut short: exit code 130
	StoppedAtMiB   uint          `json:"stoppedAtMiB,omitzero"`   // the memory that the run held when it was cut short for that; 0 where it was for another reason
	Stopped        bool          `json:"stopped,omitzero"`        // it stopped at its first failure, and grants no level
	Started        time.Time     `json:"started,omitzero"`        //
	Elapsed        time.Duration `json:"elapsed,omitzero"`        //
	Asked          int           `json:"asked,omitzero"`          // requests sent
	Cured          int           `json:"cured,omitzero"`          // those that met an error which the same request, sent again, did not meet
	Conclusion     string        `json:"conclusion,omitzero"`     // set when nothing could be judged: "not an MCP-AQL adapter: ...", exit code 4
	Detail         []string      `json:"detail,omitzero"`         // last stderr lines and the like, printed with Conclusion
	Reach          *Reach        `json:"-"`                       // how much was exercised; nil when nothing was judged, and in reports of earlier versions
	Routing        *Routing      `json:"routing,omitzero"`        // operations by endpoints; nil when nothing can go astray
	Source         string        `json:"-"`                       // file of the repository that stands for the adapter, by its path from the root; "" where there is none
	Shard          *Shard        `json:"shard,omitzero"`          // the part of the plan that was judged; nil for the whole
	Digests        Digests       `json:"digests,omitzero"`        // what the verdict rests on
	Remarks        []string      `json:"remarks,omitzero"`        // facts worth a line: profile found, departures met in discovery, leftovers
	Load           *Load         `json:"load,omitzero"`           // of a soak; nil without one
	Measured       []string      `json:"measured,omitzero"`       // figures that no verdict rests on: cost in tokens, repair from errors, slowest calls
}
