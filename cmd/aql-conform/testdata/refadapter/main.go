// Command refadapter is the reference adapter that the test scripts start. It speaks stdio
// and can give answers that no client can cause. It is a program of its own because each
// run starts it about ten times, and a test binary takes 0.1 s to start.
package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/aql-conform/aql-conform/reference-adapter/habits"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
)

func main() { os.Exit(serve(os.Args[1:])) }

func serve(args []string) int {
	var cfg stand.Config
	var in io.Reader = os.Stdin
	var out io.Writer = os.Stdout
	for ; len(args) >= 2; args = args[2:] {
		switch args[0] {
		case "--mode":
			cfg.Mode = args[1]
		case "--fault":
			cfg.Fault = args[1]
		case "--features":
			cfg.Features = args[1]
		case "--state":
			cfg.State = args[1]
		case "--rate":
			cfg.Rate, _ = strconv.Atoi(args[1])
		case "--habit":
			axis, habit, _ := strings.Cut(args[1], ": ")
			cfg.Description = habits.Described(0, map[string]string{axis: habit})
		case "--provable":
			in, out = conditioned(in, out)
		case "--waver":
			in, out = wavering(args[1])(in, out)
		}
	}
	if mode := os.Getenv("MCP_AQL_ENDPOINT_MODE"); mode != "" {
		cfg.Mode = mode
	}
	a, err := stand.New(cfg)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	if err := a.Serve(context.Background(), in, out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// conditions are the error codes of notes that exist only to be refused.
var conditions = map[string]string{"forbidden_note": "PERMISSION_DENIED", "broken_note": "INTERNAL_ERROR", "endless_note": "VALIDATION_PAYLOAD_TOO_LARGE"}

// A conditioner gives the answers to requests for some notes another code.
type conditioner struct {
	in  io.Reader
	out io.Writer

	mu    sync.Mutex
	codes map[string]string // by the id of the request
	part  []byte
}

func conditioned(in io.Reader, out io.Writer) (io.Reader, io.Writer) {
	c := &conditioner{in: in, out: out, codes: map[string]string{}}
	return c, (*answers)(c)
}

var idMember = regexp.MustCompile(`"id":("[^"]*"|\d+)`)

func (c *conditioner) Read(b []byte) (int, error) {
	n, err := c.in.Read(b)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.part = append(c.part, b[:n]...)
	for i := bytes.IndexByte(c.part, '\n'); i >= 0; i = bytes.IndexByte(c.part, '\n') {
		for note, code := range conditions {
			if id := idMember.Find(c.part[:i]); bytes.Contains(c.part[:i], []byte(`"`+note+`"`)) && id != nil {
				c.codes[string(id)] = code
			}
		}
		c.part = c.part[i+1:]
	}
	return n, err
}

type answers conditioner

func (a *answers) Write(b []byte) (int, error) {
	a.mu.Lock()
	code := a.codes[string(idMember.Find(b))]
	a.mu.Unlock()
	if code == "" {
		return a.out.Write(b)
	}
	_, err := a.out.Write(bytes.ReplaceAll(b, []byte("NOT_FOUND_RESOURCE"), []byte(code)))
	return len(b), err
}

// wavering breaks one requirement in the first process that finds no mark in the folder.
func wavering(folder string) func(io.Reader, io.Writer) (io.Reader, io.Writer) {
	return func(in io.Reader, out io.Writer) (io.Reader, io.Writer) {
		mark, err := os.OpenFile(filepath.Join(folder, "wavered"), os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return in, out
		}
		mark.Close()
		return in, replacer{out, strings.NewReplacer("VALIDATION_UNKNOWN_PARAM", "VALIDATION_OTHER")}
	}
}

type replacer struct {
	io.Writer
	words *strings.Replacer
}

func (r replacer) Write(b []byte) (int, error) {
	_, err := r.words.WriteString(r.Writer, string(b))
	return len(b), err
}
