package suites

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"sync"

	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
)

// inFront stands in front of an adapter and makes it odd: asked rewrites the arguments
// of each call of a tool, answered the envelope that comes back. Either may be nil.
func inFront(asked func(call map[string]any), answered func(call, envelope map[string]any)) func(*adapter.Adapter) wire.Target {
	var mu sync.Mutex
	return func(a *adapter.Adapter) wire.Target {
		target := inProcess(a)
		serve := target.Pipe
		target.Pipe = func(ctx context.Context) (io.WriteCloser, io.Reader, error) {
			in, out, err := serve(ctx)
			calls := map[string]map[string]any{}
			requests, toAdapter := io.Pipe()
			answers, fromAdapter := io.Pipe()
			go relay(requests, in, func(m map[string]any) {
				call, _ := objectAt(m, "params", "arguments")
				if call == nil {
					return
				}
				mu.Lock()
				defer mu.Unlock()
				calls[asJSON(m["id"])] = fromJSON(asJSON(call))
				if asked != nil {
					asked(call)
				}
			})
			go relay(out, fromAdapter, func(m map[string]any) {
				mu.Lock()
				defer mu.Unlock()
				call, result := calls[asJSON(m["id"])], m["result"]
				if r, ok := result.(map[string]any); ok && call != nil && answered != nil {
					reworded(r, func(e map[string]any) { answered(call, e) })
				}
			})
			return toAdapter, answers, err
		}
		return target
	}
}

// relay passes lines on, those that are JSON objects with what is made of them.
func relay(from io.Reader, to io.WriteCloser, change func(m map[string]any)) {
	defer to.Close()
	lines := bufio.NewReader(from)
	for {
		line, err := lines.ReadBytes('\n')
		if m := fromJSON(string(line)); m != nil {
			before := asJSON(m)
			if change(m); asJSON(m) != before {
				line = append([]byte(asJSON(m)), '\n')
			}
		}
		if _, failed := to.Write(line); err != nil || failed != nil {
			return
		}
	}
}

// reworded changes the envelope of a result in both places where it stands.
func reworded(result map[string]any, change func(e map[string]any)) {
	texts, _ := result["content"].([]any)
	for _, item := range texts {
		carrier, _ := item.(map[string]any)
		if text, _ := carrier["text"].(string); fromJSON(text) != nil {
			e := fromJSON(text)
			change(e)
			carrier["text"] = asJSON(e)
			if result["structuredContent"] != nil {
				result["structuredContent"] = e
			}
			return
		}
	}
}

// refuse makes a refusal of an envelope.
func refuse(e map[string]any, code, message string) {
	clear(e)
	e["success"], e["error"] = false, map[string]any{"code": code, "message": message}
}

func objectAt(v any, path ...string) (map[string]any, bool) {
	m, ok := v.(map[string]any)
	for _, name := range path {
		m, ok = m[name].(map[string]any)
	}
	return m, ok
}

func fromJSON(text string) map[string]any {
	var m map[string]any
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	if d.Decode(&m) != nil {
		return nil
	}
	return m
}

func asJSON(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // it was JSON before
	}
	return string(raw)
}
