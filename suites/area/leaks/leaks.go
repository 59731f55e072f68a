package leaks

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// Introspection document, section 8.1.3. What an error tells of the inside of an
// adapter helps nobody who calls it but the one who wants to break in.
var (
	errorsCarryNoLanguageMessages = leakCheck("INT-8.1.3-01", vocab.LanguageLeak, 10, "catch errors of the language and answer in words of the operation").WithRule(
		"Error texts do not carry messages produced by the programming language or its libraries.",
		"What an error tells of the inside of an adapter helps nobody who calls it but the one who wants to break in.")
	errorsCarryNoStackTraces = leakCheck("INT-8.1.3-02", vocab.StackLeak, 3, "log stack traces and leave them out of answers").WithRule(
		"Error texts do not carry stack traces.",
		"What an error tells of the inside of an adapter helps nobody who calls it but the one who wants to break in.")
	errorsNameNoInternalClasses = leakCheck("INT-8.1.3-03", vocab.ClassLeak, 3, "name operations, parameters and types of introspection, never classes, and print no object of the language").WithRule(
		"Error texts do not name internal classes or objects.",
		"What an error tells of the inside of an adapter helps nobody who calls it but the one who wants to break in.")
	errorsExposeNoImplementationPaths = leakCheck("INT-8.1.3-04", vocab.PathLeak, 3, "leave the paths of the implementation out of answers").WithRule(
		"Error texts do not expose file-system paths of the implementation.",
		"What an error tells of the inside of an adapter helps nobody who calls it but the one who wants to break in.")
	errorsRevealNoOtherInternals = leakCheck("INT-8.1.3-05", vocab.BackendLeak, 3, "translate what the backend says into an error of the operation").WithRule(
		"Error responses in general (code, message, details) do not reveal implementation internals.",
		"What an error tells of the inside of an adapter helps nobody who calls it but the one who wants to break in.")
)

// leakCheck reads every error text of the run and asks for some more; an adapter that
// told fewer different errors than enough may have kept silent by chance.
func leakCheck(id string, kind vocab.LeakKind, enough int, fix string) check.Check {
	return check.Check{
		Requirement: id,
		Ask:         func(s model.Subject) []probes.Probe { return shifted(provocations(s.Adapter), kind) },
		Ambient: &check.Ambient{
			Watch:    func(f *model.Adapter, o probes.Observation) ruling.Ruling { return leakRuling(f, o, kind) },
			Coverage: func(seen []*probes.Kept) ruling.Ruling { return enoughErrors(seen, enough) },
		},
		Fix: fix,
	}
}

// enoughErrors rules on how many different errors were read.
func enoughErrors(seen []*probes.Kept, enough int) ruling.Ruling {
	texts := map[string]bool{}
	for _, o := range seen {
		eachErrorText(o.Observation(), func(p passage) {
			if p.speaks() {
				texts[p.text] = true
			}
		})
		if len(texts) >= enough {
			return ruling.Conforms()
		}
	}
	return ruling.NotProven(fmt.Sprintf("%d different errors to read", enough), strconv.Itoa(len(texts)))
}

// leakRuling rules on one kind of leak in one answer. An answer that says nothing
// in words shows nothing.
func leakRuling(f *model.Adapter, o probes.Observation, kind vocab.LeakKind) ruling.Ruling {
	rs := []ruling.Ruling{ruling.NotApplicable("")}
	eachErrorText(o, func(p passage) {
		if p.speaks() {
			rs[0] = ruling.Conforms()
		}
		for _, l := range leaks(f, o, p, kind) {
			rs = append(rs, weigh(f, o, p, l))
		}
	})
	return ruling.Worst(rs...)
}

// leaks returns the leaks of one kind in a passage. It reads it as it stands
// first, because nearly all passages leak nothing, then without what the request
// said and what is public.
func leaks(f *model.Adapter, o probes.Observation, p passage, kind vocab.LeakKind) []vocab.Leak {
	if !vocab.Suspect(p.text, kind) {
		return nil
	}
	texts, words := said(o)
	all := vocab.LeaksIn(vocab.WithoutEcho(p.text, texts), pardons(f, words))
	return slices.DeleteFunc(all, func(l vocab.Leak) bool { return l.Signature.Kind != kind })
}

// weigh turns a leak into a ruling: a strong one in the adapter's own words
// violates; a weak one, a relayed one and one that the domain excuses departs.
func weigh(f *model.Adapter, o probes.Observation, p passage, l vocab.Leak) ruling.Ruling {
	want, got := "error text without "+string(l.Signature.Kind), `"`+l.Excerpt+`"`
	note := l.Signature.Name + " in " + p.place
	if l.Signature.Kind == vocab.ClassLeak { // other words of the text may look like a class, and be none
		note = fmt.Sprintf("%s %q in %s", l.Signature.Name, ruling.Clip(l.Matched), p.place)
	}
	op, _ := f.Operation(o.Probe.Operation())
	foreign := p.author == sdkText || p.author == rpcText
	wide := l.Signature.Kind == vocab.PathLeak || l.Signature.Kind == vocab.BackendLeak
	switch {
	case foreign && !wide && !fitsTool(f, o):
		return ruling.Conforms().Noting(note + ", where the layer below refused what the tool's schema forbids: " + got)
	case !l.Signature.Strong:
		return ruling.Departs(want, got).By(o).Noting(note + ", which may have an honest use")
	case p.author == upstreamText:
		return ruling.Departs(want, got).By(o).Noting(note + ", relayed from upstream")
	case p.author == httpText, p.author == rpcText && !wide, p.author == sdkText && !fitsTool(f, o):
		return ruling.Departs(want, got).By(o).Noting(note + ", in the words of a layer below")
	case excused(f, op, l), namesOfDomain(f, op, l):
		return ruling.Departs(want, got).By(o).Noting(note + ", of an operation whose domain may excuse it")
	}
	return ruling.Violates(want, got).By(o).Noting(note)
}

// fitsTool reports whether the request is one the tool's own schema allows, so
// that the answer was the adapter's to give.
func fitsTool(f *model.Adapter, o probes.Observation) bool {
	t, known := f.Tool(o.Probe.Tool)
	if !known || o.Probe.Frame != nil || o.Probe.Raw() != nil {
		return false
	}
	schema, err := check.CompileSchema(t.Raw.At("inputSchema"))
	if err != nil {
		return true
	}
	ctx, cancel := model.SchemaContext()
	defer cancel()
	departures, err := schema.Check(ctx, o.Probe.Arguments())
	return err != nil || len(departures) == 0
}

var (
	codeName  = regexp.MustCompile(`^(?:sql|query_text|statement|code|script|source|expression|formula|snippet|program|cypher|graphql|jq|command|template|lambda|notebook|cell|pipeline)$|_(?:sql|code|script|expression|statement|formula)$`)
	codeWords = regexp.MustCompile(`\b(?:SQL|GraphQL|Cypher|JavaScript|Python code|[Ss]cript to run|[Cc]ode to (?:run|execute)|[Ee]xpression to evaluate|[Ss]hell command|query language)\b`)
	// sourceName is a file that no domain names: the source of a program, or its store.
	sourceName = regexp.MustCompile(`\.(?:js|mjs|cjs|ts|py|pyc|rb|php|go|rs|java|jar|cs|dll|so|sqlite3?|db|env|conf|sock|log)\b`)
	pathName   = regexp.MustCompile(`(?:^|_)(?:path|paths|file|files|filename|file_name|filepath|dir|directory|folder_path|uri|cwd|root)$`)
)

// excused reports whether an operation deals in what it seems to leak: it runs
// its caller's code or queries, or names files beside those of its data.
func excused(f *model.Adapter, op probes.Operation, l vocab.Leak) bool {
	for _, p := range op.Parameters {
		text := p.Raw.At("description").Text()
		switch {
		case codeName.MatchString(p.Name), codeWords.MatchString(text):
			return true
		case l.Signature.Kind == vocab.BackendLeak && p.Name == "query" && op.Name != "introspect":
			return true
		case l.Signature.Kind == vocab.PathLeak && pathName.MatchString(p.Name) && besideData(f, l.Matched):
			return true
		}
	}
	return false
}

// besideData reports whether the folder of a path occurs in what is public.
func besideData(f *model.Adapter, path string) bool {
	path = strings.Trim(path, " \t'\"`([=:,")
	end := strings.LastIndexAny(path, `/\`)
	return end > 3 && public(f, path[:end])
}

// Ways to be wrong that make careless code speak: text where code might look for
// structure, and names every object has.
var (
	hostile    = []string{"' OR 'aqlx'='aqlx", "../../aqlx_none", "${aqlx}{{aqlx}}", "%s%n%d aqlx", "aqlx\u2028<b>\"", "-1", "NaN", strings.Repeat("aqlx ", 60)}
	unbalanced = "aqlx([{\\" // means something to patterns and to query languages, and is complete in none of them
	syntax     = regexp.MustCompile(`(?i)regex|regul[aä]r|r[eé]guli|pattern|glob|wildcard|syntax`)
	inherited  = []string{"constructor", "__proto__", "toString", "hasOwnProperty", ""}
)

// provocations are requests that have to fail, or may, without changing anything:
// introspect, names of no operation, and each READ that may be called.
func provocations(f *model.Adapter) []probes.Probe {
	if f.Introspect == "" {
		return nil
	}
	s := model.Subject{Adapter: f, Name: "adapter"}
	ps := check.InvalidRequests(s)
	for _, v := range []any{nil, []any{}, []any{"operations"}, map[string]any{"$gt": ""}, -1, true} {
		ps = append(ps, f.Query(map[string]any{"query": v}), f.Listing().With("name", v))
	}
	for _, text := range hostile {
		ps = append(ps, f.Lookup("operations", text), f.Lookup("types", text), f.Query(map[string]any{"query": text}))
	}
	for _, name := range inherited {
		ps = append(ps, probes.Call(f.Conn, f.Introspect, name, map[string]any{}))
	}
	for _, o := range f.Operations {
		if ok, _ := f.Callable(o); ok && o.Category == "READ" && o.Name != "introspect" {
			ps = append(ps, provocationsOf(f, o)...)
		}
	}
	return ps
}

// provocationsOf spoils one parameter of a READ at a time. A parameter that is
// secret is left alone.
func provocationsOf(f *model.Adapter, o probes.Operation) []probes.Probe {
	const most = 16 // a run stays linear in operations
	valid := filled(f, o)
	ps := []probes.Probe{valid.With("aqlx_unknown_"+f.Nonce, 1)}
	for i, p := range o.Parameters {
		s := model.Subject{Adapter: f, Name: o.Name, Op: o, Par: p}
		if check.IsSensitive(p) {
			continue
		}
		if p.Required {
			ps = append(ps, valid.Without(p.Name))
		}
		for _, v := range check.WrongTypeValues(s)[:min(1, len(check.WrongTypeValues(s)))] {
			ps = append(ps, valid.With(p.Name, v))
		}
		if takesAnyText(f, o, p) {
			ps = append(ps, valid.With(p.Name, unbalanced))
		}
		ps = append(ps, valid.With(p.Name, hostile[i%len(hostile)]))
	}
	return ps[:min(len(ps), most)]
}

// takesAnyText reports whether a parameter takes any text. One that takes a pattern may say in the words of
// patterns what is wrong with it.
func takesAnyText(f *model.Adapter, o probes.Operation, p probes.Parameter) bool {
	kinds, _ := f.Kinds(p.Type)
	free := slices.Contains(kinds, "string") && len(f.EnumOf(p)) == 0 && !p.Raw.Has("pattern") && !probes.IsReference(o, p)
	return free && !syntax.MatchString(p.Name+" "+p.Raw.At("description").Text())
}

// filled returns the proven request of a READ, else one with something made up for
// each required parameter: enough to be refused for another reason.
func filled(f *model.Adapter, o probes.Operation) probes.Probe {
	if b := f.KnownGood[o.Name]; b.Usable() {
		return b.Probe
	}
	params := map[string]any{}
	for _, p := range o.Parameters {
		if !p.Required {
			continue
		}
		params[p.Name] = "aqlx_" + f.Nonce
		if values := f.Gen.Values(o, p); len(values) > 0 {
			params[p.Name] = values[0].Go()
		} else if kinds, _ := f.Kinds(p.Type); len(kinds) > 0 && !slices.Contains(kinds, "string") {
			params[p.Name] = madeUp[kinds[0]]
		}
	}
	return f.Request(o, params)
}

var madeUp = map[string]any{"integer": 987654321, "number": 987654321, "boolean": true, "array": []any{}, "object": map[string]any{}}

// shifted starts the same list elsewhere for each row, so that rows in the
// parallel lane ask different questions at a time and share the answers.
func shifted(ps []probes.Probe, kind vocab.LeakKind) []probes.Probe {
	at := slices.Index([]vocab.LeakKind{vocab.LanguageLeak, vocab.StackLeak, vocab.ClassLeak, vocab.PathLeak, vocab.BackendLeak}, kind) * len(ps) / 5
	return append(slices.Clone(ps[at:]), ps[:at]...)
}
