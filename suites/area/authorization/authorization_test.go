package authorization

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/web"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

const (
	endpoint = "https://notes.example/mcp"
	failed   = `{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"no"}}`
	greeted  = `{"jsonrpc":"2.0","id":"aqlc-1","result":{}}`
)

// answered is the answer to a step.
func answered(t *testing.T, step string, a web.Answer) probes.Observation {
	t.Helper()
	a.Transport, a.Endpoint, a.Credential = "http", endpoint, true
	raw, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	message := []byte(`{"jsonrpc":"2.0","id":0,"result":` + string(raw) + `}`)
	return probes.Classify(probes.Web("main", web.Request{}).As(step), wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: message}})
}

// A server that keeps events for those who come back begins its stream with an event without data.
func TestStreamsMayBeginWithoutData(t *testing.T) {
	for body, want := range map[string]bool{
		greeted: true, "event: message\ndata: " + greeted + "\n\n": true, "id: 1\ndata: \n\nid: 2\ndata: " + greeted + "\n\n": true,
		failed: false, "data: \n\n": false, "": false,
	} {
		if got := at(probes.Answers{answered(t, bare, web.Answer{Status: 200, Body: body})}, bare).succeeded(); got != want {
			t.Errorf("%q succeeds: %t, want %t", body, got, want)
		}
	}
}

// Whoever may answer without a token, or is busy, or is reached under another address, is accused of
// nothing.
func TestLegalServersAreNotAccused(t *testing.T) {
	control := answered(t, allowed, web.Answer{Status: 200, Body: greeted})
	open := answered(t, bare, web.Answer{Status: 200, Body: greeted})
	late := slices.Clip(probes.Answers{control, open, answered(t, entrances[1].with, web.Answer{Status: 200, Body: greeted})})
	refusal := answered(t, bare, web.Answer{Status: 401, Header: map[string][]string{"www-authenticate": {`DPoP algs="ES256"`}}})
	found := func(text string) probes.Observation {
		return answered(t, document, web.Answer{Status: 200, Body: text})
	}
	told := model.Subject{Adapter: &model.Adapter{Hints: fixtures.Hints{Tokens: fixtures.Tokens{Narrow: "./token", Foreign: "./token"}}}}
	challenged := func(step string, status int, challenge string) probes.Observation {
		return answered(t, step, web.Answer{Status: status, Header: map[string][]string{"www-authenticate": {challenge}}})
	}
	linked := func(link string) probes.Observation { return challenged(bare, 401, "Bearer resource_metadata="+link) }
	unreached := probes.Classify(probes.Web("main", web.Request{}).As(document), wire.Reply{Class: wire.Gone})
	few := challenged(narrow, 403, `Bearer realm="x", error=insufficient_scope, scope=notes`)
	for name, c := range map[string]struct {
		judge func(model.Subject, probes.Answers) ruling.Ruling
		got   probes.Answers
		want  reports.Verdict
	}{
		"open to all":           {requestWithoutTokenGets401.Judge, probes.Answers{control, answered(t, bare, web.Answer{Status: 200, Body: greeted})}, reports.NotApplicable},
		"open to all lists":     {requestWithoutTokenGets401.Judge, append(late, answered(t, entrances[1].without, web.Answer{Status: 200, Body: greeted})), reports.NotApplicable},
		"late":                  {requestWithoutTokenGets401.Judge, append(late, answered(t, entrances[1].without, web.Answer{Status: 401})), reports.Pass},
		"late forbidden":        {requestWithoutTokenGets401.Judge, append(late, answered(t, entrances[1].without, web.Answer{Status: 403})), reports.Fail},
		"late in an error":      {requestWithoutTokenGets401.Judge, append(late, answered(t, entrances[1].without, web.Answer{Status: 200, Body: failed})), reports.Fail},
		"late and busy":         {requestWithoutTokenGets401.Judge, append(late, answered(t, entrances[1].without, web.Answer{Status: 429})), reports.NotProven},
		"no listing at all":     {requestWithoutTokenGets401.Judge, probes.Answers{control, open, answered(t, entrances[1].with, web.Answer{Status: 404}), answered(t, entrances[1].without, web.Answer{Status: 403})}, reports.NotApplicable},
		"busy":                  {requestWithoutTokenGets401.Judge, probes.Answers{control, answered(t, bare, web.Answer{Status: 429})}, reports.NotProven},
		"token refused":         {requestWithoutTokenGets401.Judge, probes.Answers{answered(t, allowed, web.Answer{Status: 403}), refusal}, reports.NotProven},
		"another scheme":        {refusalCarriesChallenge.Judge, probes.Answers{control, refusal}, reports.Pass},
		"relative link":         {metadataOfResourceIsFound.Judge, probes.Answers{control, linked(`"/.well-known/oauth-protected-resource/mcp"`), found(`{}`)}, reports.Fail},
		"link without a scheme": {metadataOfResourceIsFound.Judge, probes.Answers{control, linked(`notes.example/metadata`), found(`{}`)}, reports.Fail},
		"empty link":            {metadataOfResourceIsFound.Judge, probes.Answers{control, linked(`""`), found(`{}`)}, reports.Fail},
		"link":                  {metadataOfResourceIsFound.Judge, probes.Answers{control, linked(`"HTTPS://notes.example/metadata"`), found(`{}`)}, reports.Pass},
		"link out of reach":     {metadataOfResourceIsFound.Judge, probes.Answers{control, linked(`"http://notes:8080/metadata"`), unreached}, reports.NotProven},
		"origin":                {metadataIsOfThisResource.Judge, probes.Answers{control, refusal, found(`{"resource":"https://notes.example"}`)}, reports.Pass},
		"behind a proxy":        {metadataIsOfThisResource.Judge, probes.Answers{control, refusal, found(`{"resource":"https://public.example/mcp"}`)}, reports.NotProven},
		"near the path":         {metadataIsOfThisResource.Judge, probes.Answers{control, refusal, found(`{"resource":"https://notes.example/mc"}`)}, reports.Fail},
		"on this machine":       {authorizationServersAreNamed.Judge, probes.Answers{control, refusal, found(`{"authorization_servers":["http://127.0.0.1:9/"]}`)}, reports.Pass},
		"without https":         {authorizationServersAreNamed.Judge, probes.Answers{control, refusal, found(`{"authorization_servers":["http://auth.example"]}`)}, reports.Fail},
		"no document":           {authorizationServersAreNamed.Judge, probes.Answers{control, refusal, answered(t, document, web.Answer{Status: 404})}, reports.NotProven},
		"no session there":      {sessionIsNoAuthorization.Judge, probes.Answers{control, refusal, answered(t, inSession, web.Answer{Status: 404})}, reports.NotProven},
		"broken by query":       {tokenInQueryIsNotAccepted.Judge, probes.Answers{control, refusal, answered(t, inQuery, web.Answer{Status: 500})}, reports.NotProven},
		"refused in query":      {tokenInQueryIsNotAccepted.Judge, probes.Answers{control, refusal, answered(t, inQuery, web.Answer{Status: 401})}, reports.Pass},
		"session ended": {sessionIsNoAuthorization.Judge, probes.Answers{control, refusal, answered(t, inSession, web.Answer{Status: 200, Body: greeted}),
			answered(t, bareInSession, web.Answer{Status: 404})}, reports.NotProven},
		"no scopes":          {narrowTokenGets403.Judge, probes.Answers{control, refusal, answered(t, narrow, web.Answer{Status: 200, Body: greeted})}, reports.NotProven},
		"expired":            {narrowTokenGets403.Judge, probes.Answers{control, refusal, challenged(narrow, 401, `Bearer error="invalid_token", scope="notes"`)}, reports.NotProven},
		"scopes unquoted":    {narrowTokenGets403.Judge, probes.Answers{control, refusal, few}, reports.Pass},
		"empty scope":        {narrowTokenGets403.Judge, probes.Answers{control, refusal, challenged(narrow, 403, `Bearer error="insufficient_scope", scope=""`)}, reports.Warn},
		"forbidden":          {narrowTokenGets403.Judge, probes.Answers{control, refusal, answered(t, narrow, web.Answer{Status: 403})}, reports.Warn},
		"no token printed":   {foreignTokenIsRefused.Judge, probes.Answers{control, refusal}, reports.NotProven},
		"foreign and broken": {foreignTokenIsRefused.Judge, probes.Answers{control, refusal, answered(t, foreign, web.Answer{Status: 500})}, reports.NotProven},
		"foreign accepted":   {foreignTokenIsRefused.Judge, probes.Answers{control, refusal, answered(t, foreign, web.Answer{Status: 200, Body: greeted})}, reports.Fail},
		"scope not needed":   {challengeNamesScopes.Judge, probes.Answers{control, refusal, answered(t, narrow, web.Answer{Status: 200, Body: greeted})}, reports.NotApplicable},
		"scope not named":    {challengeNamesScopes.Judge, probes.Answers{control, refusal, few}, reports.Warn},
	} {
		if got := c.judge(told, c.got); got.Verdict != c.want {
			t.Errorf("%s: %s (want %s, got %s), want %s", name, got.Verdict, got.Want, got.Got, c.want)
		}
	}
}
