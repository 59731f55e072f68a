package main

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/reference-adapter/stand"
)

// An echoer is an adapter's output that blurts out secrets in every answer: plain, in
// every coding, within JSON within JSON, and half of each in a message of its own.
type echoer struct {
	w       io.Writer
	secrets []string
	said    bool
}

func (e *echoer) Write(b []byte) (int, error) {
	var out bytes.Buffer
	for _, line := range bytes.SplitAfter(b, []byte("\n")) {
		out.Write(blurted(line, e.secrets))
		if !e.said && bytes.Contains(line, []byte(`"tools":[`)) {
			e.said = true
			for _, s := range e.secrets {
				for _, part := range []string{s[:len(s)/2], s[len(s)/2:], s} {
					raw, _ := json.Marshal(part)
					out.WriteString(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":` + string(raw) + "}}\n")
				}
				out.WriteString("a line that is no message, with " + s + "\n")
			}
		}
	}
	if _, err := e.w.Write(out.Bytes()); err != nil {
		return 0, err
	}
	return len(b), nil
}

// answerIn reads a message and its result; ok says that it has one.
func answerIn(line []byte) (message, result map[string]any, ok bool) {
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	if d.Decode(&message) != nil {
		return nil, nil, false
	}
	result, ok = message["result"].(map[string]any)
	return message, result, ok
}

// blurted adds to a message all writings of the secrets: to its result's _meta, to the
// text of its first content, to the server's version.
func blurted(line []byte, secrets []string) []byte {
	message, result, ok := answerIn(line)
	if !ok {
		return line
	}
	var all []string
	for _, s := range secrets {
		all = append(all, writings(s)...)
	}
	result["_meta"] = map[string]any{"echo": all}
	if info, ok := result["serverInfo"].(map[string]any); ok {
		info["version"] = strings.Join(all, " ")
	}
	raw, err := json.Marshal(message)
	if err != nil {
		return line
	}
	return append(raw, '\n')
}

// writings are the ways in which an adapter may repeat a secret.
func writings(s string) []string {
	inner, _ := json.Marshal(map[string]string{"secret": s})
	outer, _ := json.Marshal(string(inner))
	return []string{
		s, string(inner), string(outer), url.QueryEscape(s), url.PathEscape(s), hex.EncodeToString([]byte(s)),
		base64.StdEncoding.EncodeToString([]byte(s)), base64.StdEncoding.EncodeToString([]byte("x" + s)),
		base64.URLEncoding.EncodeToString([]byte("xy" + s)), base64.StdEncoding.EncodeToString([]byte("user:" + s + ":end")),
	}
}

// echoingServer is a reference adapter over HTTP that repeats the credentials which it
// is sent, in every answer.
func echoingServer(t *testing.T) string {
	t.Helper()
	a, err := stand.New(stand.Config{Mode: "all"})
	if err != nil {
		t.Fatal(err)
	}
	handler := a.Handler()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		kept := httptest.NewRecorder()
		handler.ServeHTTP(kept, r)
		for name, values := range kept.Header() {
			if name != "Content-Length" {
				w.Header()[name] = values
			}
		}
		secrets := []string{strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "), r.Header.Get("X-Pass")}
		w.Header().Set("X-Echo", secrets[0])
		w.WriteHeader(kept.Code)
		for _, line := range bytes.SplitAfter(kept.Body.Bytes(), []byte("\n")) {
			if data, isEvent := bytes.CutPrefix(line, []byte("data: ")); isEvent {
				_, _ = w.Write(append([]byte("data: "), blurted(data, secrets)...))
				continue
			}
			_, _ = w.Write(blurted(line, secrets))
		}
	}))
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	return server.URL + "/mcp"
}
