//go:build !js

package bearer

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"sync"
)

// A tokenWatch sees the requests of a sign-in. It tells every secret in them, so that all of them
// can be hidden, and keeps the endpoints that the library does not know.
type tokenWatch struct {
	under http.RoundTripper
	told  func(secrets ...string)

	mu   sync.Mutex
	last endpoints
}

// endpoints are those of the authorization server that its metadata name.
type endpoints struct {
	Device string `json:"device_authorization_endpoint"`
	Token  string `json:"token_endpoint"`
}

// maxAnswer bounds an answer of an authorization server, in bytes.
const maxAnswer = 1 << 20

func (w *tokenWatch) endpoints() endpoints {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.last
}

// RoundTrip performs one exchange of a sign-in.
func (w *tokenWatch) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil && r.Header.Get("Content-Type") == "application/x-www-form-urlencoded" {
		raw, err := io.ReadAll(r.Body)
		_ = r.Body.Close()
		if err != nil {
			return nil, err
		}
		if form, err := url.ParseQuery(string(raw)); err == nil {
			w.told(form.Get("code"), form.Get("code_verifier"), form.Get("refresh_token"), form.Get("device_code"), form.Get("client_secret"))
		}
		r = r.Clone(r.Context())
		r.Body = io.NopCloser(bytes.NewReader(raw))
	}
	resp, err := w.under.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	_ = resp.Body.Close()
	if err != nil {
		return nil, err
	}
	resp.Body = io.NopCloser(bytes.NewReader(raw))
	var said struct {
		endpoints
		Access   string `json:"access_token"`
		Refresh  string `json:"refresh_token"`
		Identity string `json:"id_token"`
		Device   string `json:"device_code"`
		Secret   string `json:"client_secret"`
		Manage   string `json:"registration_access_token"`
	}
	if json.Unmarshal(raw, &said) == nil {
		w.told(said.Access, said.Refresh, said.Identity, said.Device, said.Secret, said.Manage)
		if said.endpoints.Token != "" {
			w.mu.Lock()
			w.last = said.endpoints
			w.mu.Unlock()
		}
	}
	return resp, nil
}
