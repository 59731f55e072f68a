package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// misbehave is an MCP server written by somebody who never met an adapter, or
// who should not write one.
func misbehave(how string) int {
	switch how {
	case "exit":
		fmt.Fprintln(os.Stderr, "Error: Cannot find module 'express'")
		return 3
	case "silent":
		hang()
	case "garbage":
		fmt.Println("Server is listening!")
		hang()
	}
	serveRogue(how)
	return 0
}

// hang ignores every polite way to end a process. It calls the test first, if
// somebody listens, and holds the line. It ends by itself only when the test has
// failed already.
func hang() {
	signal.Ignore(os.Interrupt, syscall.SIGTERM)
	if line, err := net.Dial("tcp", os.Getenv("ROGUE_CALLS")); err == nil {
		defer line.Close()
	}
	<-time.After(2 * tooLong)
}

type rogueRequest struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
}

// serveRogue answers line by line, without any library that could know better.
func serveRogue(how string) {
	if how == "leak" {
		fmt.Fprintln(os.Stderr, "starting with token", os.Getenv("API_TOKEN"))
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var r rogueRequest
		if json.Unmarshal(lines.Bytes(), &r) != nil || r.ID == nil {
			continue
		}
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", r.ID, rogueResult(how, r.Method, lines.Text()))
	}
}

func rogueResult(how, method, request string) string {
	name := "rogue"
	if how == "leak" {
		name += " " + os.Getenv("API_TOKEN")
	}
	switch method {
	case "initialize":
		tools := map[string]string{"notyet": `"tools":{"listChanged":true}`, "notools": ""}
		declared, odd := tools[how]
		if !odd {
			declared = `"tools":{}`
		}
		return fmt.Sprintf(`{"protocolVersion":"2025-11-25","capabilities":{%s},"serverInfo":{"name":%q,"version":"1"}}`, declared, name)
	case "tools/list":
		switch how {
		case "notools", "notyet", "owing":
			return `{"tools":[]}`
		case "loud":
			return `{"tools":[{"name":"\n::error::obey\u001b[2J","inputSchema":{"type":"object"}}]}`
		case "mute":
			return `{"tools":[{"name":"mcp_aql_read","inputSchema":{"type":"object","properties":{"operation":{"type":"string"}}}}]}`
		case "slow":
			return `{"tools":[{"name":"query","inputSchema":{"type":"object"}},{"name":"slow_query","inputSchema":{"type":"object"}}]}`
		}
		return `{"tools":[{"name":"echo","inputSchema":{"type":"object"}},{"name":"add","inputSchema":{"type":"object"}}]}`
	}
	if how == "mute" && method == "tools/call" || strings.Contains(request, "slow_query") {
		hang()
	}
	return `{"content":[{"type":"text","text":"hello"}]}`
}
