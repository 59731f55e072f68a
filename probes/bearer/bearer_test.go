package bearer_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/aql-conform/aql-conform/probes/bearer"
)

// counting returns a source of the tokens t1, t2 and so on, and how many it has given.
func counting() (*bearer.Source, *atomic.Int32) {
	var given atomic.Int32
	return bearer.New(func(context.Context) (string, error) { return fmt.Sprintf("t%d", given.Add(1)), nil }), &given
}

// client sends the tokens of a source; hidden are those that were told before they were sent.
func client(s *bearer.Source) (c *http.Client, hidden *sync.Map) {
	hidden = new(sync.Map)
	hide := func(tokens ...string) {
		for _, token := range tokens {
			hidden.Store(token, true)
		}
	}
	return &http.Client{Transport: s.Over(http.DefaultTransport, hide, func(string, ...any) {})}, hidden
}

// wanting is a server that accepts one token at a time and echoes what it is sent.
func wanting(t *testing.T, token *atomic.Value) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+token.Load().(string) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_, _ = io.Copy(w, r.Body)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func post(t *testing.T, c *http.Client, url string) int {
	t.Helper()
	resp, err := c.Post(url, "text/plain", strings.NewReader("hello"))
	if err != nil {
		t.Error(err)
		return 0
	}
	defer resp.Body.Close()
	if body, _ := io.ReadAll(resp.Body); resp.StatusCode == http.StatusOK && string(body) != "hello" {
		t.Errorf("the body that arrived is %q", body)
	}
	return resp.StatusCode
}

func TestTokenIsSentHiddenAndReplaced(t *testing.T) {
	s, given := counting()
	c, hidden := client(s)
	var token atomic.Value
	token.Store("t1")
	url := wanting(t, &token)
	for _, want := range []string{"t1", "t2"} { // the second time t1 is refused
		token.Store(want)
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				if got := post(t, c, url); got != http.StatusOK {
					t.Errorf("status %d with %s", got, want)
				}
			})
		}
		group.Wait()
		if _, told := hidden.Load(want); !told {
			t.Errorf("%s was sent before it was hidden", want)
		}
	}
	if given.Load() != 2 || len(s.Tokens()) != 2 {
		t.Errorf("%d tokens were taken, %v are known; want 2", given.Load(), s.Tokens())
	}
}

// A server that refuses every token is not a reason to get tokens without end.
func TestRefusedTokenHasNoSuccessor(t *testing.T) {
	s, given := counting()
	c, _ := client(s)
	var token atomic.Value
	token.Store("another")
	url := wanting(t, &token)
	for range 3 {
		if got := post(t, c, url); got != http.StatusUnauthorized {
			t.Errorf("status %d", got)
		}
	}
	if given.Load() != 1 {
		t.Errorf("%d tokens were taken, want 1", given.Load())
	}
}

func TestWithoutToken(t *testing.T) {
	c, _ := client(bearer.New(func(context.Context) (string, error) { return "", errors.New("nobody is signed in") }))
	if _, err := c.Get("http://127.0.0.1:1/"); err == nil || !strings.Contains(err.Error(), "nobody is signed in") {
		t.Errorf("the error is %v", err)
	}
	var none *bearer.Source
	if none.Over(http.DefaultTransport, nil, nil) != http.DefaultTransport || none.Tokens() != nil {
		t.Error("no source is taken for one")
	}
}
