package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
)

// serveReference is the reference adapter over stdio. With --stall N it stops
// answering after N messages and calls the test.
func serveReference(args []string) int {
	var cfg adapter.Config
	stall, echo, wraps := 0, "", []func(io.Reader, io.Writer) (io.Reader, io.Writer){}
	for len(args) >= 2 {
		switch args[0] {
		case "--mode":
			cfg.Mode = args[1]
		case "--fault":
			cfg.Fault = args[1]
		case "--features":
			cfg.Features = args[1]
		case "--stall":
			stall, _ = strconv.Atoi(args[1])
		case "--state":
			cfg.State = args[1]
		case "--rate":
			cfg.Rate, _ = strconv.Atoi(args[1])
		case "--provable":
			wraps = append(wraps, conditioned)
		case "--waver":
			wraps = append(wraps, wavering(args[1]))
		case "--echo":
			echo = os.Getenv(args[1])
		}
		args = args[2:]
	}
	if mode := os.Getenv("MCP_AQL_ENDPOINT_MODE"); mode != "" {
		cfg.Mode = mode
	}
	a, err := adapter.New(cfg)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	var in io.Reader = os.Stdin
	if stall > 0 {
		in = &staller{r: os.Stdin, left: stall}
	}
	var out io.Writer = os.Stdout
	if echo != "" {
		out = &echoer{w: os.Stdout, secrets: []string{echo, os.Getenv("INHERITED_SECRET")}}
		fmt.Fprintln(os.Stderr, "started with", echo)
	}
	for _, wrap := range wraps {
		in, out = wrap(in, out)
	}
	if err := a.Serve(context.Background(), in, out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// A staller passes on some lines and then hangs for ever.
type staller struct {
	r    io.Reader
	left int
}

func (s *staller) Read(b []byte) (int, error) {
	if s.left <= 0 {
		hang()
	}
	n, err := s.r.Read(b)
	s.left -= bytes.Count(b[:n], []byte("\n"))
	return n, err
}

// operate is the person beside a reference adapter: operator STATE WORD. With a file,
// operator STATE WORD FILE, it also writes there what it reads, and beside other words
// than codes says one of its own.
func operate(args []string) int {
	about := map[string]string{}
	for _, name := range []string{"challenge", "agent", "operation"} {
		about[name] = os.Getenv("AQL_CONFORM_" + strings.ToUpper(name))
	}
	said, err := adapter.Operate(args[0], args[1], about)
	if len(args) > 2 {
		if args[1] != "code" {
			said += " by apv-55/0d+3f<9>"
		}
		err = errors.Join(err, noted(args[2], said))
	}
	fmt.Println(said)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// noted adds a line to a file.
func noted(path, text string) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(f, text)
	return errors.Join(err, f.Close())
}

// conditions are notes that are answered in a way which no client could bring about from
// outside.
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
