package authorization

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/web"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// discover asks where tokens come from, up to the metadata of the resource.
func discover(s model.Subject, ask model.AskFunc) reply {
	var got probes.Answers
	if _, ok := begin(s, ask.Into(&got)); !ok {
		return reply{}
	}
	return fetchDocument(s, ask, refusal(got))
}

func discovery(s model.Subject, ask model.AskFunc) { discover(s, ask) }

// judgeDocument judges the metadata of the resource.
func judgeDocument(judge func(got probes.Answers, found reply) ruling.Ruling) func(model.Subject, probes.Answers) ruling.Ruling {
	return guarded(func(got probes.Answers) ruling.Ruling {
		found, ok := metadata(got)
		if !ok {
			return ruling.NotProven("metadata of the resource", found.said()).Because("MCP-AUTH-03")
		}
		return judge(got, found)
	})
}

// MCP authorization, Protected Resource Metadata Discovery Requirements.
var metadataOfResourceIsFound = check.Check{
	Requirement: "MCP-AUTH-03",
	Rule:        "The metadata of the protected resource are where HTTP 401 says, or at the well-known place where it says nothing.",
	Why:         "Without them a client cannot know who issues tokens for this server.",
	On:          model.WholeAdapter,
	Handles:     check.Unanswered,
	Drive:       discovery,
	Judge: guarded(func(got probes.Answers) ruling.Ruling {
		found, ok := metadata(got)
		named, given := link(refusal(got))
		switch last := got.Last(); {
		case given && !isAddress(named):
			return ruling.Violates("resource_metadata with an address", "resource_metadata "+ruling.Clip(strconv.Quote(named))).By(refusal(got).Observation)
		case ok:
			return ruling.Conforms().By(found.Observation)
		case found.passing(), last.Outcome != probes.Result:
			return ruling.NotProven("an answer that is a JSON document", last)
		}
		place := "at /.well-known/oauth-protected-resource"
		if given {
			place = "at " + named
		}
		return ruling.Violates("a JSON document "+place, found.said()).By(refusal(got).Observation, found.Observation)
	}),
	Fix: "serve the document of RFC 9728, and name it as resource_metadata in WWW-Authenticate",
}

// RFC 9728, section 3.3.
var metadataIsOfThisResource = check.Check{
	Requirement: "MCP-AUTH-04",
	Rule:        "The resource of the metadata is the server that was asked.",
	Why:         "A client must not use metadata of another resource: its tokens would be for somebody else.",
	On:          model.WholeAdapter,
	Drive:       discovery,
	Judge: judgeDocument(func(_ probes.Answers, found reply) ruling.Ruling {
		named := found.message().At("resource")
		endpoint, err := url.Parse(found.Result().At("endpoint").Text())
		resource, wrong := url.Parse(named.Text())
		switch {
		case err != nil:
			return ruling.NotProven("the address of the server", "none")
		case named.Text() == "", wrong != nil, resource.Host == "":
			return ruling.Violates("resource "+endpoint.String(), "resource "+named.String()).By(found.Observation)
		case !strings.EqualFold(resource.Scheme+"://"+resource.Host, endpoint.Scheme+"://"+endpoint.Host):
			return ruling.NotProven("a run that reaches the server under its own address, "+named.Text(), endpoint.String()).By(found.Observation)
		case !leads(resource.Path, endpoint.Path):
			return ruling.Violates("resource "+endpoint.String(), "resource "+named.String()).By(found.Observation)
		}
		return ruling.Conforms()
	}),
	Fix: "give the address of the MCP endpoint as resource",
}

// leads reports whether a resource of this path includes the endpoint: many servers name the origin,
// and clients accept it.
func leads(resource, endpoint string) bool {
	resource, endpoint = strings.TrimSuffix(resource, "/"), strings.TrimSuffix(endpoint, "/")
	return resource == endpoint || strings.HasPrefix(endpoint, resource+"/")
}

// MCP authorization, Authorization Server Location.
var authorizationServersAreNamed = check.Check{
	Requirement: "MCP-AUTH-05",
	Rule:        "The metadata name at least one authorization server by its address.",
	Why:         "The list is the only way in which a client learns where to sign in.",
	On:          model.WholeAdapter,
	Drive:       discovery,
	Judge: judgeDocument(func(_ probes.Answers, found reply) ruling.Ruling {
		servers := found.message().At("authorization_servers")
		if len(servers.Items()) == 0 || slices.ContainsFunc(servers.Items(), func(v probes.Value) bool { return !isIssuer(v.Text()) }) {
			return ruling.Violates("authorization_servers with addresses", "authorization_servers "+ruling.Clip(servers.String())).By(found.Observation)
		}
		return ruling.Conforms()
	}),
	Fix: "list the issuers of tokens as authorization_servers",
}

// isIssuer reports whether a text is the address of an authorization server. Without encryption it
// may be on this machine alone. RFC 8414, section 2.
func isIssuer(text string) bool {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && (u.Hostname() == "localhost" || u.Hostname() == "::1" || strings.HasPrefix(u.Hostname(), "127."))
}

// The places of the metadata of an authorization server, in the order in which clients ask. MCP
// authorization, Authorization Server Metadata Discovery.
func places(issuer string) []string {
	u, err := url.Parse(issuer)
	if err != nil {
		return nil
	}
	origin, path := u.Scheme+"://"+u.Host, strings.TrimSuffix(u.EscapedPath(), "/")
	all := []string{origin + "/.well-known/oauth-authorization-server" + path, origin + "/.well-known/openid-configuration" + path}
	if path != "" {
		all = append(all, origin+path+"/.well-known/openid-configuration")
	}
	return all
}

const described = "metadata of the authorization server"

// discoverServer asks on, up to the metadata of the first authorization server.
func discoverServer(s model.Subject, ask model.AskFunc) {
	found := discover(s, ask)
	servers := found.message().At("authorization_servers").Items()
	if !found.isDocument() || len(servers) == 0 {
		return
	}
	for i, place := range places(servers[0].Text()) {
		step := probes.Nth(described, i)
		o := ask(probes.Web(s.Conn, web.Request{URL: place, Credential: web.None}).As(step))
		if at(probes.Answers{o}, step).isDocument() {
			return
		}
	}
}

// judgeServer judges the metadata of the first authorization server; found has the last answer where
// there are none.
func judgeServer(judge func(issuer string, found reply) ruling.Ruling) func(model.Subject, probes.Answers) ruling.Ruling {
	return judgeDocument(func(got probes.Answers, resource reply) ruling.Ruling {
		servers := resource.message().At("authorization_servers").Items()
		if len(servers) == 0 || !isIssuer(servers[0].Text()) {
			return ruling.NotProven("an authorization server in the metadata", "none").Because("MCP-AUTH-05")
		}
		steps := got.Under(described)
		last := at(steps, steps.Last().Probe.Step)
		if last.Outcome != probes.Result || last.passing() {
			return ruling.NotProven("an answer of the authorization server", last.Observation)
		}
		return judge(servers[0].Text(), last).By(resource.Observation, last.Observation)
	})
}

// RFC 8414, section 3.3; MCP authorization, Overview.
var authorizationServerIsDescribed = check.Check{
	Requirement: "MCP-AUTH-06",
	Rule:        "The authorization server publishes its metadata, and the issuer in them is the address under which the resource names it.",
	Why:         "A client takes the endpoints of the sign-in from there. Metadata of another issuer must not be used.",
	On:          model.WholeAdapter,
	Handles:     check.Unanswered,
	Drive:       discoverServer,
	Judge: judgeServer(func(issuer string, found reply) ruling.Ruling {
		named := found.message().At("issuer")
		switch {
		case !found.isDocument():
			return ruling.Violates("metadata of "+issuer, found.said())
		case strings.TrimSuffix(named.Text(), "/") != strings.TrimSuffix(issuer, "/"):
			return ruling.Violates("issuer "+issuer, "issuer "+named.String())
		}
		return ruling.Conforms()
	}),
	Fix: "serve the document of RFC 8414 at /.well-known/oauth-authorization-server, with the issuer that the resource names",
}

// MCP authorization, Authorization Code Protection.
var authorizationServerSupportsPKCE = check.Check{
	Requirement: "MCP-AUTH-07",
	Rule:        "The metadata of the authorization server list S256 in code_challenge_methods_supported.",
	Why:         "Where the member is missing, clients of MCP must refuse to go on: without PKCE a stolen code is a stolen token.",
	On:          model.WholeAdapter,
	Handles:     check.Unanswered,
	Drive:       discoverServer,
	Judge: judgeServer(func(_ string, found reply) ruling.Ruling {
		if !found.isDocument() {
			return ruling.NotProven("metadata of the authorization server", found.said()).Because("MCP-AUTH-06")
		}
		methods := found.message().At("code_challenge_methods_supported")
		if !slices.ContainsFunc(methods.Items(), func(v probes.Value) bool { return v.Text() == "S256" }) {
			return ruling.Violates("code_challenge_methods_supported with S256", "code_challenge_methods_supported "+ruling.Clip(methods.String()))
		}
		return ruling.Conforms()
	}),
	Fix: "support PKCE with S256, and list it in code_challenge_methods_supported",
}
