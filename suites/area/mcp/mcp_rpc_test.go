package mcp

import "testing"

// A line of a log is no message because it is JSON, and a message that lacks jsonrpc alone is still meant as one.
func TestLinesAreMessagesByTheirMembers(t *testing.T) {
	for line, want := range map[string]bool{
		`{"jsonrpc":"2.0","id":7,"result":{}}`:                           true,
		`{"jsonrpc":"2.0","method":"notifications/message","params":{}}`: true,
		`{"id":7,"result":{}}`:                                           true,
		`{"id":7,"method":"ping"}`:                                       true,
		`{"error":{"code":-32700,"message":"no JSON"}}`:                  true,
		`[{"jsonrpc":"2.0","id":7,"result":{}}]`:                         true,
		`{"level":30,"msg":"asked"}`:                                     false,
		`{"level":30,"method":"tools/call","msg":"asked"}`:               false,
		`{"level":50,"error":"disk full"}`:                               false,
		`{"level":50,"error":{"code":"ENOENT"}}`:                         false,
		`{"id":7,"msg":"asked"}`:                                         false,
		`{"level":"info","msg":"call done","result":"ok"}`:               false,
		`{"level":"error","id":17,"error":"ENOENT"}`:                     false,
		`{"jsonrpc":"2.0","level":"info"}`:                               false,
		`[]`:                                                             false,
		`["asked"]`:                                                      false,
		`42`:                                                             false,
		`asked`:                                                          false,
	} {
		if got := messages([]byte(line)); got != want {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
}
