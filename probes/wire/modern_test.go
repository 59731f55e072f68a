package wire_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aql-conform/aql-conform/probes/wire"
)

func TestModernPipe(t *testing.T) {
	target := piped(healthy())
	target.Revision = "2026-07-28"
	c, rec := open(t, target)
	if h := c.Hello(); !h.Modern || h.Revision != target.Revision || h.SDKError != "" || !strings.Contains(string(h.Result()), "supportedVersions") {
		t.Errorf("hello: %+v", h)
	}
	want(t, c.Ask(soon(t), "tools/call", echo("hi")), wire.Answered, "hi")
	want(t, c.Ask(soon(t), "tools/list", nil), wire.Answered, "echo")
	if got := sent(rec); strings.Contains(got, "initialize") || strings.Count(got, "io.modelcontextprotocol/clientInfo") != 3 {
		t.Errorf("sent:\n%s", got)
	}
}

func TestModernHTTP(t *testing.T) {
	s := healthy()
	target := served(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: true}))
	target.Revision = "2026-07-28"
	c, _ := open(t, target)
	if h := c.Hello(); !h.Modern || h.Revision != target.Revision || h.SDKError != "" {
		t.Errorf("hello: %+v", h)
	}
	want(t, c.Ask(soon(t), "tools/call", echo("hi")), wire.Answered, "hi")
	want(t, c.Ask(soon(t), "tools/list", nil), wire.Answered, "echo")
	want(t, c.Ask(soon(t), "tools/call", []byte(`{"name":"n\u00e4me"}`)), wire.Answered, "error")
}

func TestModernAskedOfAnOldServer(t *testing.T) {
	target := role("plain")
	target.Revision = "2026-07-28"
	c, _ := open(t, target)
	if h := c.Hello(); h.Modern || h.Revision != "2025-06-18" || h.SDKError != "" {
		t.Errorf("hello: %+v", h)
	}
	want(t, c.Ask(soon(t), "tools/call", call("fine")), wire.Answered, "content")
}

func TestOldAskedOfAModernServer(t *testing.T) {
	for _, name := range []string{"modern", "modern-by-words"} {
		c, rec := open(t, role(name))
		if h := c.Hello(); !h.Modern || h.Revision != "2026-07-28" || !strings.Contains(string(h.Result()), "supportedVersions") {
			t.Errorf("hello: %+v", h)
		}
		want(t, c.Ask(soon(t), "tools/call", call("fine")), wire.Answered, "content")
		if got := sent(rec); strings.Contains(got, "notifications/initialized") || strings.Count(got, `"_meta"`) != 2 {
			t.Errorf("sent:\n%s", got)
		}
	}
}

func TestMetaIsMerged(t *testing.T) {
	target := piped(healthy())
	target.Revision = "2026-07-28"
	c, rec := open(t, target)
	for _, tt := range []struct{ params, want string }{
		{`{"name":"echo","_meta":{"a":1},"b":2}`, `{"name":"echo","_meta":{"io.modelcontextprotocol/clientCapabilities":{},`},
		{` { } `, ` {"_meta":{"io.modelcontextprotocol/clientCapabilities":{},`},
		{`{"_meta":{"io.modelcontextprotocol/protocolVersion":"x"}}`, `},"io.modelcontextprotocol/protocolVersion":"x"}}`},
		{`{"_meta":5}`, `"params":{"_meta":5}}`},
		{`[1]`, `"params":[1]}`},
	} {
		before := len(rec.Frames())
		c.Ask(soon(t), "tools/list", []byte(tt.params))
		for _, f := range rec.Frames()[before:] {
			if f.Dir == wire.Sent && !strings.Contains(string(f.Data), tt.want) {
				t.Errorf("%s went out as %s, want %s", tt.params, f.Data, tt.want)
			}
		}
	}
}
