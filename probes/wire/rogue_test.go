package wire_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// roleEnv names the fake adapter that the test binary is to play.
const roleEnv = "AQL_WIRE_ROLE"

// role is a target that runs this test binary as a fake adapter.
func role(name string) wire.Target {
	return wire.Target{Command: []string{os.Args[0]}, Env: []string{roleEnv + "=" + name},
		StartTimeout: 10 * time.Second, Grace: 200 * time.Millisecond}
}

const helloResult = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"rogue","version":"1"}}`

// hellos are odd answers to initialize, by role. ID stands for the request's id.
var hellos = map[string]string{
	"":                  `{"jsonrpc":"2.0","id":ID,"result":` + helloResult + `}`,
	"no-version":        `{"jsonrpc":"2.0","id":ID,"result":{"capabilities":{},"serverInfo":{"name":"r","version":"1"}}}`,
	"future-version":    `{"jsonrpc":"2.0","id":ID,"result":{"protocolVersion":"2099-01-01","capabilities":{}}}`,
	"array-caps":        `{"jsonrpc":"2.0","id":ID,"result":{"protocolVersion":"2025-06-18","capabilities":[]}}`,
	"string-id":         `{"jsonrpc":"2.0","id":"ID","result":` + helloResult + `}`,
	"no-jsonrpc":        `{"id":ID,"result":` + helloResult + `}`,
	"hello-error":       `{"jsonrpc":"2.0","id":ID,"error":{"code":-32603,"message":"no"}}`,
	"hello-null-error":  `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}`,
	"hello-crlf-bom":    "\xef\xbb\xbf" + `{"jsonrpc":"2.0","id":ID,"result":` + helloResult + "}\r",
	"hello-trailing":    `{"jsonrpc":"2.0","id":ID,"result":` + helloResult + `}{"x":1}`,
	"hello-batch":       `[{"jsonrpc":"2.0","id":ID,"result":` + helloResult + `}]`,
	"banner":            "Server starting on stdio...\n\n" + `{"jsonrpc":"2.0","id":ID,"result":` + helloResult + `}`,
	"modern":            `{"jsonrpc":"2.0","id":ID,"error":{"code":-32022,"message":"unsupported","data":{"supported":["2026-07-28"]}}}`,
	"modern-by-words":   `{"jsonrpc":"2.0","id":ID,"error":{"code":-32600,"message":"use server/discover"}}`,
	"asks-before-hello": `{"jsonrpc":"2.0","id":"s1","method":"roots/list"}` + "\n" + `{"jsonrpc":"2.0","id":ID,"result":` + helloResult + `}`,
}

const fine = `{"jsonrpc":"2.0","id":ID,"result":{"content":[]}}`

// answers are odd answers to tools/call, by the name of the tool.
var answers = map[string]string{
	"fine":        fine,
	"twice":       fine + "\n" + fine,
	"other-id":    `{"jsonrpc":"2.0","id":987654,"result":{}}` + "\n" + fine,
	"null-id":     `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`,
	"garbage":     "DEBUG: hello\n" + fine,
	"json-log":    `{"level":30,"method":"tools/call","error":"none","msg":"asked"}` + "\n" + fine,
	"number":      "3 tools loaded\n" + fine,
	"blank":       "\n\n" + fine,
	"bom":         "\xef\xbb\xbf" + fine,
	"crlf":        fine + "\r",
	"no-jsonrpc":  `{"id":ID,"result":{"content":[]}}`,
	"two-on-line": fine + `{"jsonrpc":"2.0","method":"notifications/message"}`,
	"cut":         `{"jsonrpc":"2.0","id":ID,"result":{"content":[`,
	"control":     "{\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":{\"text\":\"a\x01b\"}}",
	"batch":       `[` + fine + `]`,
	"flood":       strings.Repeat("x\n", 50_000) + fine,
	"silence":     "",
	"ping":        `{"jsonrpc":"2.0","id":"s1","method":"ping"}` + "\n" + `{"jsonrpc":"2.0","id":"s2","method":"sampling/createMessage","params":{}}`,
	"huge":        `{"jsonrpc":"2.0","id":ID,"result":{"text":"` + strings.Repeat("x", 9<<20) + `"}}`,
	"deep":        `{"jsonrpc":"2.0","id":ID,"result":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`,
}

// play is the fake adapter.
func play(role string) {
	switch {
	case role == "exit-at-once":
		fmt.Fprintln(os.Stderr, "config missing")
		os.Exit(3)
	case role == "stuck":
		_, _ = bufio.NewReaderSize(os.Stdin, 16).ReadString('\n')
		say(hellos[""], "1")
		forever()
	case strings.HasPrefix(role, "deaf"):
		signal.Ignore(syscall.SIGTERM)
		if addr := os.Getenv(witnessEnv); addr != "" && role == "deaf-child" {
			bearWitness(addr)
			return
		}
	case role == "parent" || role == "parent of a daemon":
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), roleEnv+"=deaf-child")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if role != "parent" {
			detach(child)
		}
		if err := child.Start(); err != nil {
			panic(err)
		}
	}
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			if strings.HasPrefix(role, "deaf") {
				forever()
			}
			return
		}
		reply(role, line)
	}
}

// forever is how an adapter hangs; the runtime would call select{} a deadlock.
func forever() { time.Sleep(24 * time.Hour) }

// witnessEnv names the address that a child of the fake adapter dials, so that
// the test learns from the broken connection that the child has ended.
const witnessEnv = "AQL_WIRE_WITNESS"

// bearWitness returns when the test hangs up.
func bearWitness(addr string) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		panic(err)
	}
	defer c.Close()
	_, _ = io.Copy(io.Discard, c)
}

// detach puts a child into a session of its own, where the system has sessions.
var detach = func(*exec.Cmd) {}

// What the fake adapter remembers: the answers to its own questions, and the
// id of the last call.
var told, asked string

func reply(role string, line []byte) {
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct{ Name string }
		Result json.RawMessage
		Error  json.RawMessage
	}
	if json.Unmarshal(line, &m) != nil {
		say(answers["null-id"], "")
		return
	}
	id := string(m.ID)
	switch {
	case m.Method == "initialize" && role == "hang":
	case m.Method == "initialize":
		text, ok := hellos[role]
		if !ok {
			text = hellos[""]
		}
		say(text, id)
	case m.Method == "server/discover" && strings.HasPrefix(role, "modern"):
		say(`{"jsonrpc":"2.0","id":ID,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{}}}`, id)
	case m.Method == "" && m.ID != nil:
		told += string(m.Result) + string(m.Error)
		if id == `"s2"` {
			say(`{"jsonrpc":"2.0","id":ID,"result":[`+strings.ReplaceAll(told, "}{", "},{")+`]}`, asked)
		}
	case m.Params.Name == "exit":
		os.Exit(3)
	case m.Method == "tools/call":
		asked = id
		say(answers[m.Params.Name], id)
	case m.ID != nil:
		say(`{"jsonrpc":"2.0","id":ID,"error":{"code":-32601,"message":"no such method"}}`, id)
	}
}

func say(text, id string) {
	if text != "" {
		_, _ = os.Stdout.WriteString(strings.ReplaceAll(text, "ID", id) + "\n")
	}
}

func call(name string) []byte { return []byte(`{"name":"` + name + `"}`) }
