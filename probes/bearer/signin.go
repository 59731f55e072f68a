//go:build !js

package bearer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"
)

// A SignIn gets tokens by OAuth 2.1 as MCP 2025-11-25 has it. The library of the MCP SDK finds the
// authorization server and registers; golang.org/x/oauth2 exchanges.
type SignIn struct {
	Address string      // of the MCP server
	Header  http.Header // sent to it with the request that finds out what it wants
	Client  string      // client id that is registered already; empty to register one
	Device  bool        // with a code that the user enters on any device, not a redirect to this one

	// Show asks the user to open an address and, unless it is empty, to enter a code there.
	Show func(address, code string)
}

// patience is how long the user may take.
const patience = 5 * time.Minute

// clientName is what the user is asked to allow.
const clientName = "aql-conform"

// A session is a sign-in and what came of it.
type session struct {
	SignIn
	client   *http.Client
	seen     *tokenWatch
	config   *oauth2.Config
	resource string // for which the tokens are
	refresh  string // the refresh token; empty without one
}

// Source returns the source of its tokens. The first token needs the user; later ones come by the
// refresh token, where there is one.
func (s SignIn) Source() *Source {
	source := New(nil)
	source.own = true
	watch := &tokenWatch{under: http.DefaultTransport, told: source.hide}
	own := &session{SignIn: s, seen: watch, client: &http.Client{Transport: watch, Timeout: 30 * time.Second}}
	source.get = own.token
	return source
}

func (s *session) token(ctx context.Context) (string, error) {
	var token *oauth2.Token
	var err error
	if s.config == nil {
		token, err = s.signIn(ctx)
	} else {
		token, err = s.renew(ctx)
	}
	if err != nil {
		return "", sober(err)
	}
	s.refresh = cmp.Or(token.RefreshToken, s.refresh)
	return token.AccessToken, nil
}

// sober is an error without the answer of the token endpoint, which may hold anything.
func sober(err error) error {
	var refused *oauth2.RetrieveError
	if errors.As(err, &refused) {
		return fmt.Errorf("the token endpoint answers HTTP %d %s", refused.Response.StatusCode, refused.ErrorCode)
	}
	return err
}

// renew uses the refresh token. A token request names its resource, also this one, which the
// library would leave out.
func (s *session) renew(ctx context.Context) (*oauth2.Token, error) {
	if s.refresh == "" {
		return nil, errors.New("the server refuses the token, and there is no refresh token; sign in again with a new run")
	}
	return s.config.Exchange(context.WithValue(ctx, oauth2.HTTPClient, s.client), "",
		oauth2.SetAuthURLParam("grant_type", "refresh_token"), oauth2.SetAuthURLParam("refresh_token", s.refresh), oauth2.SetAuthURLParam("resource", s.resource))
}

var errDevice = errors.New("the device flow goes its own way")

// signIn lets the library do what both ways have in common, and the user allow it.
func (s *session) signIn(ctx context.Context) (token *oauth2.Token, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("nobody has signed in within %s", patience))
	defer cancel()
	back, err := listen()
	if err != nil {
		return nil, err
	}
	defer back.close()
	config := &auth.AuthorizationCodeHandlerConfig{
		RedirectURL: back.address, Client: s.client, RequestRefreshToken: true, AcceptUnadvertisedIss: true,
		AuthorizationCodeFetcher: func(ctx context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
			u, err := url.Parse(args.URL)
			if err != nil {
				return nil, err
			}
			s.resource = u.Query().Get("resource")
			if s.Device {
				token, err = s.byDevice(ctx, u.Query())
				return nil, cmp.Or(err, errDevice)
			}
			if u.Scheme != "https" && u.Scheme != "http" { // a browser opens more than pages
				return nil, fmt.Errorf("the authorization endpoint is no address of a page")
			}
			s.Show(args.URL, "")
			return back.wait(ctx, u.Query().Get("state"))
		},
		NewTokenSource: func(_ context.Context, c *oauth2.Config, t *oauth2.Token) (oauth2.TokenSource, error) {
			s.config, token = c, t
			return oauth2.StaticTokenSource(t), nil
		},
	}
	if s.Client != "" {
		config.PreregisteredClient = &oauthex.ClientCredentials{ClientID: s.Client}
	} else {
		config.DynamicClientRegistrationConfig = &auth.DynamicClientRegistrationConfig{Metadata: &oauthex.ClientRegistrationMetadata{
			ClientName: clientName, RedirectURIs: []string{back.address}, TokenEndpointAuthMethod: "none", ResponseTypes: []string{"code"},
			GrantTypes: s.grants(),
		}}
	}
	handler, err := auth.NewAuthorizationCodeHandler(config)
	if err != nil {
		return nil, err
	}
	req, refusal, err := s.refused(ctx)
	if err != nil {
		return nil, err
	}
	if err = handler.Authorize(ctx, req, refusal); err != nil && !errors.Is(err, errDevice) {
		return nil, cmp.Or(context.Cause(ctx), err)
	}
	return token, nil
}

func (s *session) grants() []string {
	if s.Device {
		return []string{deviceGrant, "refresh_token"}
	}
	return []string{"authorization_code", "refresh_token"}
}

const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

// refused sends a request without a token and returns how the server refuses it.
func (s *session) refused(ctx context.Context) (*http.Request, *http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.Address, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
	if err != nil {
		return nil, nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for key, values := range s.Header {
		req.Header[http.CanonicalHeaderKey(key)] = values
	}
	direct := &http.Client{Transport: s.seen, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := direct.Do(req)
	if err != nil {
		return nil, nil, err
	}
	if resp.StatusCode != http.StatusUnauthorized {
		_ = resp.Body.Close()
		return nil, nil, fmt.Errorf("the server does not ask for a token: HTTP %d to a request without one", resp.StatusCode)
	}
	return req, resp, nil
}

// byDevice signs in with the device authorization grant, RFC 8628, as the client and for the scopes
// of an authorization request that the library has made.
func (s *session) byDevice(ctx context.Context, request url.Values) (*oauth2.Token, error) {
	endpoints := s.seen.endpoints()
	if endpoints.Device == "" {
		return nil, errors.New("the authorization server has no device_authorization_endpoint; sign in with a browser")
	}
	s.config = &oauth2.Config{
		ClientID: request.Get("client_id"), Scopes: strings.Fields(request.Get("scope")),
		Endpoint: oauth2.Endpoint{DeviceAuthURL: endpoints.Device, TokenURL: endpoints.Token, AuthStyle: oauth2.AuthStyleInParams},
	}
	resource := oauth2.SetAuthURLParam("resource", s.resource)
	ctx = context.WithValue(ctx, oauth2.HTTPClient, s.client)
	code, err := s.config.DeviceAuth(ctx, resource)
	if err != nil {
		s.config = nil
		return nil, err
	}
	s.Show(code.VerificationURI, code.UserCode)
	token, err := s.config.DeviceAccessToken(ctx, code, resource)
	if err != nil {
		s.config = nil
	}
	return token, err
}
