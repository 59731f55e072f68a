package authorization

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/web"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// What is asked: nothing that a server has to keep, and nothing that changes it.
const (
	initialize = `{"jsonrpc":"2.0","id":"aqlc-1","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"aql-conform","version":"1"}}}`
	listing    = `{"jsonrpc":"2.0","id":"aqlc-2","method":"tools/list","params":{}}`
)

// The steps that the scripts share. Equal requests are sent once.
const (
	allowed  = "initialize with the token"
	bare     = "initialize without a token"
	document = "metadata of the resource"
	root     = "metadata of the resource at the root"
)

// The statuses of HTTP that tell refusals apart.
const (
	unauthorized = 401
	forbidden    = 403
	tooMany      = 429
	serverError  = 500
)

// A reply is the answer of a server to one HTTP request.
type reply struct {
	probes.Observation
	status int
}

func at(got probes.Answers, step string) reply {
	o := got.Step(step)
	status, _ := o.Result().At("status").Float()
	return reply{o, int(status)}
}

func (r reply) header(name string) (all []string) {
	for _, v := range r.Result().At("header", name).Items() {
		all = append(all, v.Text())
	}
	return all
}

// message is the JSON object of the body, or of the first event that holds one: a stream may begin
// with an event without data.
func (r reply) message() probes.Value {
	body := r.Result().At("body").Text()
	if v, err := probes.ParseValue([]byte(body)); err == nil {
		return v
	}
	for line := range strings.Lines(body) {
		if data, isData := strings.CutPrefix(line, "data:"); isData {
			if v, err := probes.ParseValue([]byte(strings.TrimSpace(data))); err == nil && v.Is(probes.Object) {
				return v
			}
		}
	}
	return probes.Value{}
}

func (r reply) succeeded() bool {
	return r.status >= 200 && r.status < 300 && r.message().Has("result")
}

// passing reports whether the answer may be another one a moment later.
func (r reply) passing() bool {
	return r.status == tooMany || r.status > serverError
}

// refusedAs reports whether the answer is a refusal for the missing token: with the status of the
// request without one, or with one that speaks of rights alone. Another error proves nothing.
func (r reply) refusedAs(without reply) bool {
	return r.status == without.status && r.status >= 400 || r.status == unauthorized || r.status == forbidden
}

// said is a got that names the status.
func (r reply) said() string { return "HTTP " + r.Result().At("status").String() }

// An entrance is a request that may need a token, by the steps that send it with the token and without.
type entrance struct{ with, without string }

// entrances are what is asked in order, up to the first that is refused without a token: a server may answer initialize
// alone, or all that is listed, to everybody.
var entrances = []entrance{
	{allowed, bare},
	{"tools/list with the token", "tools/list without a token"},
	{"introspect with the token", "introspect without a token"},
}

// entering is the request of an entrance. All but initialize have a session of their own, begun with the same
// credential: a session of the run may be bound to its token.
func entering(s model.Subject, i int) web.Request {
	switch i {
	case 0:
		return web.Request{Body: initialize}
	case 1:
		return web.Request{Body: listing, Begin: initialize}
	}
	p := s.Listing()
	call := map[string]any{"jsonrpc": "2.0", "id": "aqlc-3", "method": "tools/call", "params": map[string]any{"name": p.Tool, "arguments": p.Arguments()}}
	return web.Request{Body: string(probes.ValueOf(call).Raw()), Begin: initialize}
}

// begin asks what every script asks first, and reports whether the server was asked with a token. The request is the
// first one that is refused without; initialize where none is.
func begin(s model.Subject, ask model.AskFunc) (closed web.Request, ok bool) {
	for i, e := range entrances {
		r := entering(s, i)
		send := func(credential, step string) reply {
			r.Credential = credential
			o := ask(probes.Web(s.Conn, r).As(step))
			return at(probes.Answers{o}, step)
		}
		control := send(web.Own, e.with)
		if !control.Result().At("credential").True() {
			return closed, false
		}
		if without := send(web.None, e.without); (i == 0 || control.succeeded()) && !without.succeeded() {
			return r, true
		}
	}
	return entering(s, 0), true
}

// refused is the request that was refused without a token, with the same one that has it: initialize where none was.
func refused(got probes.Answers) (control, without reply) {
	for i, e := range entrances {
		control, without = at(got, e.with), at(got, e.without)
		if _, asked := got.Find(e.without); asked && (i == 0 || control.succeeded()) && !without.succeeded() {
			return control, without
		}
	}
	return at(got, allowed), at(got, bare)
}

// refusal is the answer to the request that was refused without a token.
func refusal(got probes.Answers) reply {
	_, without := refused(got)
	return without
}

// accepted is the answer to that request with the token.
func accepted(got probes.Answers) reply {
	control, _ := refused(got)
	return control
}

// excused rules where nothing can be said about the authorization of the server; ok is false where
// it wants a token and refuses who has none.
func excused(got probes.Answers) (r ruling.Ruling, ok bool) {
	control, without := refused(got)
	switch {
	case control.Result().At("transport").Text() == "stdio":
		return ruling.NotApplicable("over stdio there is no authorization by HTTP"), true
	case !control.Result().At("credential").True():
		return ruling.NotApplicable("the server was not asked with a credential, and answers"), true
	case !control.succeeded():
		return ruling.NotProven("initialize to succeed with the token", control.said()).By(control.Observation), true
	case without.succeeded():
		return ruling.NotApplicable("the server answers without a token, as it may"), true
	case without.passing():
		return ruling.NotProven("a refusal of the request without a token", without.said()).By(without.Observation), true
	}
	return ruling.Ruling{}, false
}

// A step sends the request that is refused without a token, with another credential.
type step struct{ name, credential string }

// asking is a script that sends the steps where the server wants a token.
func asking(steps ...step) func(model.Subject, model.AskFunc) {
	return func(s model.Subject, ask model.AskFunc) {
		r, ok := begin(s, ask)
		if !ok {
			return
		}
		for _, one := range steps {
			r.Credential = one.credential
			ask(probes.Web(s.Conn, r).As(one.name))
		}
	}
}

// guarded judges a server that wants a token.
func guarded(judge func(got probes.Answers) ruling.Ruling) func(model.Subject, probes.Answers) ruling.Ruling {
	return func(_ model.Subject, got probes.Answers) ruling.Ruling {
		if r, ok := excused(got); ok {
			return r
		}
		return judge(got)
	}
}

var linkPattern = regexp.MustCompile(`(?i)\bresource_metadata\s*=\s*(?:"([^"]*)"|([^\s,"]+))`)

// link is what a refusal names as the address of the metadata; ok is false where it names nothing.
func link(refusal reply) (text string, ok bool) {
	for _, value := range refusal.header("www-authenticate") {
		if m := linkPattern.FindStringSubmatch(value); m != nil {
			return m[1] + m[2], true
		}
	}
	return "", false
}

// isAddress reports whether a text is an address as it stands: it has a scheme and a host.
func isAddress(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Scheme != "" && u.Host != ""
}

// fetchDocument asks for the metadata of the resource as a client does: where the refusal says, else, or where that is no
// address, at the path of the endpoint, else at the root. MCP authorization, Protected Resource Metadata
// Discovery Requirements.
func fetchDocument(s model.Subject, ask model.AskFunc, refusal reply) reply {
	fetch := func(address, step string) reply {
		o := ask(probes.Web(s.Conn, web.Request{URL: address, Credential: web.None}).As(step))
		return at(probes.Answers{o}, step)
	}
	if address, _ := link(refusal); isAddress(address) {
		return fetch(address, document)
	}
	u, err := url.Parse(refusal.Result().At("endpoint").Text())
	if err != nil {
		return reply{}
	}
	const wellKnown = "/.well-known/oauth-protected-resource"
	origin := u.Scheme + "://" + u.Host
	if path := strings.TrimSuffix(u.EscapedPath(), "/"); path != "" {
		if found := fetch(origin+wellKnown+path, document); found.isDocument() {
			return found
		}
	}
	return fetch(origin+wellKnown, root)
}

func (r reply) isDocument() bool {
	return r.status == 200 && r.message().Is(probes.Object)
}

// metadata is the document that was found; ok is false without one.
func metadata(got probes.Answers) (found reply, ok bool) {
	for _, step := range []string{document, root} {
		if found = at(got, step); found.isDocument() {
			return found, true
		}
	}
	return at(got, document), false
}
