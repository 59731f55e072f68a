//go:build !js

package web

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// shown are the headers that say something about authorization.
var shown = []string{"Content-Type", "Location", "Www-Authenticate"}

const (
	maxBody = 64 << 10 // bytes of an answer that are kept
	maxHops = 5        // redirects of a document
)

// Do sends the request to a target. session is the id of the session it may be of, lent the token of
// the author that it may carry.
func Do(ctx context.Context, t wire.Target, session, lent string, r Request) (Answer, error) {
	if t.URL == "" {
		return Answer{Transport: "stdio"}, nil
	}
	at, err := url.Parse(t.URL)
	if err != nil {
		return Answer{}, errors.New("the URL cannot be read")
	}
	authorization, err := own(ctx, t)
	if err != nil {
		return Answer{}, err
	}
	a := Answer{Transport: "http", Endpoint: at.Scheme + "://" + at.Host + at.EscapedPath(), Credential: authorization != ""}
	if r.URL == "" && !a.Credential {
		return a, nil // there is no authorization to be asked about
	}
	req, err := r.prepared(ctx, t, *at, authorization, lent)
	if err != nil {
		return Answer{}, err
	}
	if r.Session {
		req.Header.Set("Mcp-Session-Id", session)
		req.Header.Set("Mcp-Protocol-Version", wire.DefaultRevision)
	}
	client := &http.Client{CheckRedirect: r.redirect, Transport: &http.Transport{
		Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true, MaxResponseHeaderBytes: wire.MaxHeader}}
	if r.Begin != "" {
		for name, value := range r.begun(ctx, client, req) {
			req.Header.Set(name, value)
		}
		if made := req.Header.Get("Mcp-Session-Id"); made != "" {
			defer end(ctx, client, t, made, authorization)
		}
	}
	resp, err := client.Do(req)
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err // the URL may hold the token
		}
		return Answer{}, err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(resp.Body, maxBody))
	if err != nil && len(raw) == 0 {
		return Answer{}, err
	}
	a.Status, a.Body, a.Header = resp.StatusCode, string(bytes.ToValidUTF8(raw, []byte("?"))), map[string][]string{}
	for _, name := range shown {
		if values := resp.Header.Values(name); len(values) > 0 {
			a.Header[strings.ToLower(name)] = values
		}
	}
	if made := resp.Header.Get("Mcp-Session-Id"); made != "" && !r.Session && r.Begin == "" {
		end(ctx, client, t, made, authorization)
	}
	return a, nil
}

// Sends reports whether there is anything to send: over HTTP, and where the operator gave a credential.
func Sends(t wire.Target, r Request) bool {
	return t.URL != "" && (r.URL != "" || t.Bearer != nil || t.Header.Get("Authorization") != "")
}

// own is the header of the credential that the operator gave; empty for none.
func own(ctx context.Context, t wire.Target) (string, error) {
	if t.Bearer == nil {
		return t.Header.Get("Authorization"), nil
	}
	token, err := t.Bearer.Token(ctx)
	return "Bearer " + token, err
}

func (r Request) prepared(ctx context.Context, t wire.Target, at url.URL, authorization, lent string) (*http.Request, error) {
	if r.URL != "" {
		u, err := url.Parse(r.URL)
		if err != nil || u.Scheme != "https" && (u.Scheme != "http" || !loopback(u.Hostname()) && u.Host != at.Host) {
			return nil, fmt.Errorf("not fetched: want an address with https")
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.URL, nil)
		if err == nil {
			req.Header.Set("Accept", "application/json")
		}
		return req, err
	}
	token, isBearer := strings.CutPrefix(authorization, "Bearer ")
	if r.Credential == Query {
		if !isBearer || !t.Bearer.Own() { // an address is logged, and the operator's token lives on
			return nil, errors.New("only a token of --oauth is sent in an address")
		}
		q := at.Query()
		q.Set("access_token", token)
		at.RawQuery = q.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, at.String(), strings.NewReader(r.Body))
	if err != nil {
		return nil, err
	}
	for key, values := range t.Header {
		req.Header[http.CanonicalHeaderKey(key)] = values
	}
	req.Header.Del("Authorization")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Content-Type", "application/json")
	switch r.Credential {
	case Narrow, Foreign:
		if lent == token {
			return nil, errors.New("the token of the author is that of the run")
		}
		req.Header.Set("Authorization", "Bearer "+lent)
	case Own:
		req.Header.Set("Authorization", authorization)
	case Invalid:
		req.Header.Set("Authorization", "Bearer "+InvalidToken)
	case Forged:
		other, ok := forged(token)
		if !isBearer || !ok {
			other = InvalidToken
		}
		req.Header.Set("Authorization", "Bearer "+other)
	}
	return req, nil
}

// forged returns a signed JSON Web Token with another signature; ok is false for any other token. RFC 7515, section 3.1.
func forged(token string) (other string, ok bool) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 || parts[2] == "" {
		return "", false
	}
	header, err := base64.RawURLEncoding.DecodeString(parts[0])
	if err != nil || !bytes.Contains(header, []byte(`"alg"`)) {
		return "", false
	}
	first := "A"
	if parts[2][:1] == first {
		first = "B"
	}
	return parts[0] + "." + parts[1] + "." + first + parts[2][1:], true
}

func loopback(host string) bool { return host == "localhost" || net.ParseIP(host).IsLoopback() }

// redirect follows what leads to a document, and nothing that carries a credential.
func (r Request) redirect(_ *http.Request, via []*http.Request) error {
	if r.URL == "" || len(via) > maxHops {
		return http.ErrUseLastResponse
	}
	return nil
}

var negotiated = regexp.MustCompile(`"protocolVersion"\s*:\s*"([0-9-]{1,20})"`)

// begun begins a session by requests that are like the one that is to be sent in it, and returns the headers by which
// that one belongs to the session. Where none begins, the request is sent all the same, and its answer tells.
func (r Request) begun(ctx context.Context, client *http.Client, like *http.Request) map[string]string {
	header := map[string]string{}
	for _, body := range []string{r.Begin, `{"jsonrpc":"2.0","method":"notifications/initialized"}`} {
		req := like.Clone(ctx)
		req.Body, req.ContentLength, req.GetBody = io.NopCloser(strings.NewReader(body)), int64(len(body)), nil
		for name, value := range header {
			req.Header.Set(name, value)
		}
		resp, err := client.Do(req)
		if err != nil {
			return header
		}
		raw, _ := io.ReadAll(io.LimitReader(resp.Body, maxBody)) // what there is of it may name the revision
		_ = resp.Body.Close()
		if m := negotiated.FindSubmatch(raw); m != nil && body == r.Begin {
			header["Mcp-Protocol-Version"] = string(m[1])
		}
		if made := resp.Header.Get("Mcp-Session-Id"); made != "" {
			header["Mcp-Session-Id"] = made
		}
	}
	return header
}

// end ends a session that the request has begun.
func end(ctx context.Context, client *http.Client, t wire.Target, session, authorization string) {
	req, err := http.NewRequestWithContext(ctx, http.MethodDelete, t.URL, nil)
	if err != nil {
		return
	}
	for key, values := range t.Header {
		req.Header[http.CanonicalHeaderKey(key)] = values
	}
	req.Header.Set("Mcp-Session-Id", session)
	if authorization != "" {
		req.Header.Set("Authorization", authorization)
	}
	if resp, err := client.Do(req); err == nil {
		_ = resp.Body.Close()
	}
}
