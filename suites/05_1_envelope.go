package suites

import (
	"regexp"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// elsewhere marks replies that an ambient check has nothing to say about.
var elsewhere = NotApplicable("")

// Section 5.1. success is the discriminator: a client branches on it before it
// knows anything else, so it has to be there and to be a boolean.
var _ = register(Check{
	Requirement: "AQL-5.1-01",
	Watch:       discriminated,
	Fix:         "answer every operation with {\"success\":true,\"data\":…} or {\"success\":false,\"error\":…}",
})

func discriminated(_ *Face, o probes.Observation) Ruling {
	_, selected := o.Probe.Params()["fields"]
	switch {
	case torn(o) && complete(o.Carrier().Text) && complete(o.Carrier().Structured):
		return Violates("one object with success", "a success and a failure in one answer").By(o)
	case torn(o):
		return NotProven("one object with success", "two that disagree").Because("AQL-5.1-11").By(o)
	case o.Succeeded() || o.Refused():
		return Conforms()
	case selected:
		return elsewhere // a selection that strips the envelope is AQL-10.3-03
	case o.Outcome != probes.ToolText:
		return elsewhere // refusals below the envelope belong to AQL-5.1-10
	case o.Envelope().Is(probes.Object) && o.Envelope().Has("success"):
		return Violates("success true or false", o)
	case o.Envelope().Is(probes.Object):
		return Violates("an envelope with a success member", "an envelope without one").By(o)
	case o.Result().At("isError").True():
		return elsewhere
	case interim(o.Result()):
		return elsewhere
	}
	return Violates("one JSON object with success", o)
}

// complete reports whether the object is a whole envelope of either sort, and so
// cannot be data that has a member success of its own.
func complete(e probes.Value) bool {
	return e.At("success").True() && e.Has("data") || e.At("success").False() && e.At("error").Is(probes.Object)
}

// interim reports whether the result only announces another: newer MCP revisions
// ask back or hand out a task.
func interim(result probes.Value) bool {
	return result.At("resultType").Text() == "input_required" || result.Has("task")
}

// successes judges every success envelope of the run.
func successes(judge func(o probes.Observation, envelope probes.Value) Ruling) func(*Face, probes.Observation) Ruling {
	return func(_ *Face, o probes.Observation) Ruling {
		if !o.Succeeded() {
			return elsewhere
		}
		return judge(o, o.Envelope())
	}
}

// failures judges every failure envelope of the run.
func failures(judge func(o probes.Observation, envelope probes.Value) Ruling) func(*Face, probes.Observation) Ruling {
	return func(_ *Face, o probes.Observation) Ruling {
		if !o.Refused() {
			return elsewhere
		}
		return judge(o, o.Envelope())
	}
}

// faulty judges the error object of every failure envelope that has one.
func faulty(judge func(o probes.Observation, fault probes.Value) Ruling) func(*Face, probes.Observation) Ruling {
	return failures(func(o probes.Observation, e probes.Value) Ruling {
		if !e.At("error").Is(probes.Object) {
			return elsewhere // AQL-5.1-04
		}
		return judge(o, e.At("error"))
	})
}

// Section 5.1. A success without data cannot be told from a lost answer.
var _ = register(Check{
	Requirement: "AQL-5.1-02",
	Watch: successes(func(o probes.Observation, e probes.Value) Ruling {
		switch {
		case e.Has("data"):
			return Conforms()
		case e.Has("results"):
			return Departs("a data member beside the results of a batch", "none").By(o)
		}
		return Violates("a data member, be it null", "none").By(o)
	}),
	Fix: "always write data, null where there is nothing to say",
})

// absent rules on a member that must not be there; a null filler is a violation
// of its own mildness and says so.
func absent(o probes.Observation, envelope probes.Value, name string) Ruling {
	switch member := envelope.At(name); {
	case member.Is(probes.Absent):
		return Conforms()
	case member.Is(probes.Null):
		return Violates("no member "+name, name+" null").Noting("null-filler: the serialiser writes empty members").By(o)
	default:
		return Violates("no member "+name, name+" "+member.String()).By(o)
	}
}

// Section 5.1. A success that carries an error leaves the client to guess.
var _ = register(Check{
	Requirement: "AQL-5.1-03",
	Watch:       successes(func(o probes.Observation, e probes.Value) Ruling { return absent(o, e, "error") }),
	Fix:         "leave error out of success envelopes, also as null",
})

// Section 5.1. The error is an object, so that code, message and details have a place.
var _ = register(Check{
	Requirement: "AQL-5.1-04",
	Watch: failures(func(o probes.Observation, e probes.Value) Ruling {
		if e.At("error").Is(probes.Object) {
			return Conforms()
		}
		return Violates("an error object", "error "+e.At("error").String()).By(o)
	}),
	Fix: "make error an object with code and message",
})

// Section 5.1. A failure that carries data invites its use.
var _ = register(Check{
	Requirement: "AQL-5.1-05",
	Watch:       failures(func(o probes.Observation, e probes.Value) Ruling { return absent(o, e, "data") }),
	Fix:         "leave data out of failure envelopes, also as null; partial results belong into error.details",
})

var codeShape = regexp.MustCompile(`\A[A-Z][A-Z0-9_]*\z`)

// Section 5.1. Programs branch on the code, so it has one shape.
var _ = register(Check{
	Requirement: "AQL-5.1-06",
	Watch: faulty(func(o probes.Observation, e probes.Value) Ruling {
		if code := e.At("code"); !code.Is(probes.String) || !codeShape.MatchString(code.Text()) {
			return Violates("a code in UPPER_SNAKE_CASE", "code "+code.String()).By(o)
		}
		return Conforms()
	}),
	Fix: "give every error a code such as VALIDATION_MISSING_PARAM",
})

// Section 5.1. The message is for whoever reads the failure, model or person.
var _ = register(Check{
	Requirement: "AQL-5.1-07",
	Watch: faulty(func(o probes.Observation, e probes.Value) Ruling {
		message := e.At("message")
		_, err := probes.ParseValue([]byte(message.Text()))
		switch {
		case !message.Is(probes.String) || strings.TrimSpace(message.Text()) == "":
			return Violates("a message in words", "message "+message.String()).By(o)
		case message.Text() == e.At("code").Text(), err == nil && strings.HasPrefix(message.Text(), "{"):
			return Departs("a message in words", message.String()).By(o)
		}
		return Conforms()
	}),
	Fix: "say in words what went wrong",
})

// Section 5.1. details is a record of named facts.
var _ = register(Check{
	Requirement: "AQL-5.1-08",
	Watch: faulty(func(o probes.Observation, e probes.Value) Ruling {
		switch details := e.At("details"); details.Kind() {
		case probes.Absent:
			return elsewhere
		case probes.Object:
			return Conforms()
		case probes.Null:
			return Departs("details as an object, or none", "null").By(o)
		default:
			return Violates("details as an object", details.String()).By(o)
		}
	}),
	Fix: "make error.details an object, or leave it out",
})

// envelopeMembers are the members the specification family gives an envelope.
var envelopeMembers = map[string]bool{
	"success": true, "data": true, "error": true, "warnings": true, "confirmation": true, "results": true, "summary": true,
	"halted_at": true, "pending_operations": true, "deprecated": true, "deprecationMessage": true, "deprecatedSince": true, "removalVersion": true,
}

// Section 5.1, operations document 3.4. The underscore keeps metadata apart from
// what the protocol may define later.
var _ = register(Check{
	Requirement: "AQL-5.1-09",
	Watch: func(_ *Face, o probes.Observation) Ruling {
		if !o.Succeeded() && !o.Refused() {
			return elsewhere
		}
		for _, name := range o.Envelope().Names() {
			payload := name == "result" || name == "item" || name == "items" // OPS-3.2-02
			if !envelopeMembers[name] && !strings.HasPrefix(name, "_") && !payload {
				return Violates("metadata whose name begins with an underscore", "the member "+name).By(o)
			}
		}
		return Conforms()
	},
	Fix: "prefix envelope metadata with an underscore, or put it into _meta",
})

// Operations document, section 3.2. The result has one place, so that every client
// finds it.
var _ = register(Check{
	Requirement: "OPS-3.2-02",
	Watch: successes(func(o probes.Observation, e probes.Value) Ruling {
		data := e.At("data")
		empty := data.Is(probes.Absent) || data.Is(probes.Null) || len(data.Members()) == 0 && len(data.Items()) == 0 && (data.Is(probes.Object) || data.Is(probes.Array))
		for _, name := range []string{"result", "item", "items"} {
			if empty && e.Has(name) {
				return Violates("the result under data", "it stands under "+name).By(o)
			}
		}
		return Conforms()
	}),
	Fix: "deliver the result of the operation in data",
})
