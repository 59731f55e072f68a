package envelope

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Section 5.1.
var everyAnswerIsDiscriminatedEnvelope = check.Check{
	Requirement: "AQL-5.1-01",
	Rule:        "Each answer to an operation is one JSON object discriminated by a literal boolean member success.",
	Why:         "success is the discriminator: a client branches on it before it knows anything else, so it has to be there and to be a boolean.",
	Ambient:     &check.Ambient{Watch: discriminated},
	Fix:         "answer every operation with {\"success\":true,\"data\":…} or {\"success\":false,\"error\":…}",
}

func discriminated(f *model.Adapter, o probes.Observation) ruling.Ruling {
	switch {
	case check.HasConflictingEnvelopes(o) && complete(o.Carrier().Text) && complete(o.Carrier().Structured):
		return ruling.Violates("one object with success", "a success and a failure in one answer").By(o)
	case check.HasConflictingEnvelopes(o):
		return ruling.NotProven("one object with success", "two that disagree").Because("AQL-5.1-11").By(o)
	case o.Succeeded() || o.Refused():
		return ruling.Conforms()
	case selected(f, o.Probe):
		return check.Irrelevant // a selection that strips the envelope is AQL-10.3-03
	case o.Outcome != probes.ToolText:
		return check.Irrelevant // refusals below the envelope belong to AQL-5.1-10
	case o.Envelope().Is(probes.Object) && o.Envelope().Has("success"):
		return ruling.Violates("success true or false", o)
	case o.Envelope().Is(probes.Object):
		return ruling.Violates("an envelope with a success member", "an envelope without one").By(o)
	case o.Result().At("isError").True():
		return check.Irrelevant
	case check.IsInterim(o.Result()):
		return check.Irrelevant
	}
	return ruling.Violates("one JSON object with success", o)
}

// selected reports whether the request selects fields that it could leave out. The operation is called without them as
// well then, and has to answer with an envelope. One that requires fields has no other answer.
func selected(f *model.Adapter, p probes.Probe) bool {
	_, sent := p.Params()["fields"]
	op, _ := f.Operation(p.Operation())
	required := slices.ContainsFunc(op.Parameters, func(p probes.Parameter) bool { return p.Name == "fields" && p.Required })
	return sent && !required
}

// complete reports whether the object is a whole envelope of either sort, and so
// cannot be data that has a member success of its own.
func complete(e probes.Value) bool {
	return e.At("success").True() && e.Has("data") || e.At("success").False() && e.At("error").Is(probes.Object)
}

// successes judges every success envelope of the run.
func successes(judge func(o probes.Observation, envelope probes.Value) ruling.Ruling) func(*model.Adapter, probes.Observation) ruling.Ruling {
	return func(_ *model.Adapter, o probes.Observation) ruling.Ruling {
		if !o.Succeeded() {
			return check.Irrelevant
		}
		return judge(o, o.Envelope())
	}
}

// Section 5.1.
var successCarriesData = check.Check{
	Requirement: "AQL-5.1-02",
	Rule:        "A success envelope always has a data member.",
	Why:         "A success without data cannot be told from a lost answer.",
	Ambient: &check.Ambient{Watch: successes(func(o probes.Observation, e probes.Value) ruling.Ruling {
		switch {
		case e.Has("data"):
			return ruling.Conforms()
		case e.Has("results"):
			return ruling.Departs("a data member beside the results of a batch", "none").By(o)
		}
		return ruling.Violates("a data member, be it null", "none").By(o)
	})},
	Fix: "always write data, null where there is nothing to say",
}

// absent rules on a member that must not be there; a null filler is a violation
// of its own mildness and says so.
func absent(o probes.Observation, envelope probes.Value, name string) ruling.Ruling {
	switch member := envelope.At(name); {
	case member.Is(probes.Absent):
		return ruling.Conforms()
	case member.Is(probes.Null):
		return ruling.Violates("no member "+name, name+" null").Noting("null-filler: the serialiser writes empty members").By(o)
	default:
		return ruling.Violates("no member "+name, name+" "+member.String()).By(o)
	}
}

// Section 5.1.
var successCarriesNoError = check.Check{
	Requirement: "AQL-5.1-03",
	Rule:        "A success envelope has no error member.",
	Why:         "A success that carries an error leaves the client to guess.",
	Ambient:     &check.Ambient{Watch: successes(func(o probes.Observation, e probes.Value) ruling.Ruling { return absent(o, e, "error") })},
	Fix:         "leave error out of success envelopes, also as null",
}

// Section 5.1.
var failureCarriesErrorObject = check.Check{
	Requirement: "AQL-5.1-04",
	Rule:        "A failure envelope has an error member that is an object.",
	Why:         "The error is an object, so that code, message and details have a place.",
	Ambient: &check.Ambient{Watch: check.OnFailure(func(o probes.Observation, e probes.Value) ruling.Ruling {
		if e.At("error").Is(probes.Object) {
			return ruling.Conforms()
		}
		return ruling.Violates("an error object", "error "+e.At("error").String()).By(o)
	})},
	Fix: "make error an object with code and message",
}

// Section 5.1.
var failureCarriesNoData = check.Check{
	Requirement: "AQL-5.1-05",
	Rule:        "A failure envelope has no data member.",
	Why:         "A failure that carries data invites its use.",
	Ambient:     &check.Ambient{Watch: check.OnFailure(func(o probes.Observation, e probes.Value) ruling.Ruling { return absent(o, e, "data") })},
	Fix:         "leave data out of failure envelopes, also as null; partial results belong into error.details",
}

// Section 5.1.
var errorCodeIsMachineReadable = check.Check{
	Requirement: "AQL-5.1-06",
	Rule:        "error.code is a non-empty machine-readable string.",
	Why:         "Programs branch on the code, so it has one shape.",
	Ambient: &check.Ambient{Watch: check.OnError(func(o probes.Observation, e probes.Value) ruling.Ruling {
		if code := e.At("code"); !code.Is(probes.String) || !check.CodePattern.MatchString(code.Text()) {
			return ruling.Violates("a code in UPPER_SNAKE_CASE", "code "+code.String()).By(o)
		}
		return ruling.Conforms()
	})},
	Fix: "give every error a code such as VALIDATION_MISSING_PARAM",
}

// Section 5.1.
var errorMessageIsReadableText = check.Check{
	Requirement: "AQL-5.1-07",
	Rule:        "error.message is a non-empty human-readable string.",
	Why:         "The message is for whoever reads the failure, model or person.",
	Ambient: &check.Ambient{Watch: check.OnError(func(o probes.Observation, e probes.Value) ruling.Ruling {
		message := e.At("message")
		v, err := probes.ParseValue([]byte(message.Text()))
		switch {
		case !message.Is(probes.String) || strings.TrimSpace(message.Text()) == "":
			return ruling.Violates("a message in words", "message "+message.String()).By(o)
		case message.Text() == e.At("code").Text(), err == nil && (v.Is(probes.Object) || v.Is(probes.Array)):
			return ruling.Departs("a message in words", message.String()).By(o)
		}
		return ruling.Conforms()
	})},
	Fix: "say in words what went wrong",
}

// failures are the failure envelopes of a reply: its own, or those of the entries of a batch.
func failures(o probes.Observation) (all []probes.Value) {
	if o.Refused() {
		return []probes.Value{o.Envelope()}
	}
	if o.Succeeded() && check.EntryCount(o.Probe) > 0 {
		for _, r := range append(o.Envelope().At("results").Items(), o.Envelope().At("halted_at")) {
			if e := r.At("result"); e.At("success").False() {
				all = append(all, e)
			}
		}
	}
	return all
}

// Section 5.1.
var errorDetailsAreObject = check.Check{
	Requirement: "AQL-5.1-08",
	Rule:        "error.details, when present, is a JSON object.",
	Why:         "details is a record of named facts.",
	Ambient: &check.Ambient{Watch: func(_ *model.Adapter, o probes.Observation) ruling.Ruling {
		var rs []ruling.Ruling
		for _, e := range failures(o) {
			switch details := e.At("error", "details"); details.Kind() {
			case probes.Absent:
			case probes.Object:
				rs = append(rs, ruling.Conforms())
			case probes.Null:
				rs = append(rs, ruling.Departs("details as an object, or none", "null").By(o))
			default:
				rs = append(rs, ruling.Violates("details as an object", details.String()).By(o))
			}
		}
		if len(rs) == 0 {
			return check.Irrelevant
		}
		return ruling.Worst(rs...)
	}},
	Fix: "make error.details an object, or leave it out",
}

// ofBatches are the envelope members that the specification defines for batches (operations document, section 7).
var ofBatches = []string{"results", "summary", "halted_at", "pending_operations"}

// Section 5.1, operations document 3.4.
var envelopeMetadataStartsWithUnderscore = check.Check{
	Requirement: "AQL-5.1-09",
	Rule:        "Beside the defined members an envelope carries only known protocol members or metadata whose name starts with an underscore.",
	Why:         "The underscore keeps metadata apart from what the protocol may define later.",
	Ambient: &check.Ambient{Watch: func(f *model.Adapter, o probes.Observation) ruling.Ruling {
		if !o.Succeeded() && !o.Refused() {
			return check.Irrelevant
		}
		for _, name := range o.Envelope().Names() {
			defined := check.EnvelopeMembers[name] && (!slices.Contains(ofBatches, name) || check.EntryCount(o.Probe) > 0 || check.OffersBatch(f))
			if !defined && !strings.HasPrefix(name, "_") && !misplaced(o.Envelope(), name) { // OPS-3.2-02
				return ruling.Violates("metadata whose name begins with an underscore", "the member "+name).By(o)
			}
		}
		return ruling.Conforms()
	}},
	Fix: "prefix envelope metadata with an underscore, or put it into _meta",
}

// Operations document, section 3.2.
var resultsSitUnderData = check.Check{
	Requirement: "OPS-3.2-02",
	Rule:        "A success answer delivers the result of the operation in data.",
	Why:         "The result has one place, so that every client finds it.",
	Ambient: &check.Ambient{Watch: successes(func(o probes.Observation, e probes.Value) ruling.Ruling {
		for _, name := range e.Names() {
			if misplaced(e, name) {
				return ruling.Violates("the result under data", "it stands under "+name).By(o)
			}
		}
		return ruling.Conforms()
	})},
	Fix: "deliver the result of the operation in data",
}

// misplaced reports whether the result of an operation stands in a member beside data: an object or a list where data is
// empty or says no more than that something was done, or a list where data has none.
func misplaced(e probes.Value, name string) bool {
	if !slices.Contains([]string{"result", "item", "items"}, name) || !e.Has(name) {
		return false
	}
	data, beside := e.At("data"), e.At(name)
	empty := data.Is(probes.Absent) || data.Is(probes.Null) || len(data.Members()) == 0 && len(data.Items()) == 0 && (data.Is(probes.Object) || data.Is(probes.Array))
	done := !data.Is(probes.Array) && !slices.ContainsFunc(data.Members(), func(m probes.Member) bool { return !m.Value.Is(probes.Boolean) })
	listed := data.Is(probes.Array) || slices.ContainsFunc(data.Members(), func(m probes.Member) bool { return m.Value.Is(probes.Array) })
	rows := beside.Is(probes.Array)
	return empty || done && (len(beside.Members()) > 0 || rows) || rows && !listed
}
