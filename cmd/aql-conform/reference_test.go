package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
)

// serveHeld is the reference adapter over stdio under the control of a test. With "stall N" it
// stops answering after N messages and calls the test; with "echo NAME" it repeats a
// variable of its environment in every answer; with "gossip NAMES" it tells more than that.
// With "spoil TEXT" it writes another text instead of TEXT.
func serveHeld(how, what string) int {
	if how == "gossip" {
		return serveGossip(what)
	}
	var in io.Reader = os.Stdin
	var out io.Writer = os.Stdout
	if how == "echo" {
		given := os.Getenv(what)
		out = &echoer{w: os.Stdout, secrets: []string{given, os.Getenv("INHERITED_SECRET")}}
		fmt.Fprintln(os.Stderr, "started with", given)
	} else if how == "spoil" {
		out = spoiler{os.Stdout, what}
	} else {
		left, _ := strconv.Atoi(what)
		in = &staller{r: os.Stdin, left: left}
	}
	a, err := stand.New(stand.Config{Mode: "all"})
	if err == nil {
		err = a.Serve(context.Background(), in, out)
	}
	if err != nil {
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

// A spoiler writes another text wherever an adapter writes one, so that many requirements fail.
type spoiler struct {
	w    io.Writer
	text string
}

func (s spoiler) Write(b []byte) (int, error) {
	if _, err := s.w.Write(bytes.ReplaceAll(b, []byte(s.text), []byte("SPOILT_"))); err != nil {
		return 0, err
	}
	return len(b), nil
}
