package limits

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// publishes reports whether limits stand in the protocol metadata.
func publishes(f *model.Adapter) bool { return f.Protocol.At("limits").Is(probes.Object) }

// Section 4.7.5.
var limitsAppearInProtocolMetadata = check.Check{
	Requirement: "AQL-4.7.5-08",
	Rule:        "The limits are exposed as _protocol.limits.",
	Why:         "A client that knows the limits need not run into them.",
	On:          model.IntrospectSubject,
	Ask:         model.Listing,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		if word, _ := s.Hint("attest.limits"); word == "no" && !publishes(s.Adapter) {
			return ruling.NotProven("limits that are documented anywhere", "none").Because("AQL-4.7.5-07")
		}
		for _, l := range limits {
			v := s.Protocol.At("limits", l.member)
			if n, _ := v.Float(); !v.Whole() || n < 1 {
				return ruling.Departs("a positive whole number _protocol.limits."+l.member, v)
			}
		}
		return ruling.Conforms()
	},
	Fix: "expose the five limits as _protocol.limits in the operations listing",
}

// Section 4.7.5.
var advertisedLimitsAreInRange = check.Check{
	Requirement: "AQL-4.7.5-09",
	Rule:        "Effective limits lie inside the configurable range of the table.",
	Why:         "A limit outside the range is none, or one that refuses what every adapter has to take.",
	On:          model.Given(publishes, model.IntrospectSubject),
	Ask:         model.Listing,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		rs := []ruling.Ruling{ruling.Conforms()}
		for _, l := range limits {
			v := s.Protocol.At("limits", l.member)
			n, ok := v.Float()
			switch {
			case !ok: // AQL-4.7.5-08
			case n > float64(l.most):
				rs = append(rs, ruling.Violates(fmt.Sprintf("%s of at most %d", l.member, l.most), v))
			case n < float64(l.floor):
				rs = append(rs, ruling.Departs(fmt.Sprintf("%s of at least %d", l.member, l.least), v))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "configure each limit inside the range of the table in section 4.7.5",
}

// says reports whether a text speaks of the limit as one.
func (l limit) says(text string) bool {
	text = strings.ToLower(text)
	bound := regexp.MustCompile(`\b(limit(s|ed)?|max(imum)?|at most|up to|no more than|no larger than)\b`)
	for _, w := range l.words {
		if strings.Contains(text, w) && bound.MatchString(text) && strings.ContainsAny(text, "0123456789") {
			return true
		}
	}
	return strings.Contains(text, l.member)
}

// Section 4.7.5.
var payloadLimitsAreDocumented = check.Check{
	Requirement: "AQL-4.7.5-07",
	Rule:        "The configured limits are documented in introspection or adapter documentation.",
	Why:         "An undocumented limit looks like a failure of the adapter.",
	On:          model.IntrospectSubject,
	Ask: func(s model.Subject) []probes.Probe {
		return []probes.Probe{s.Listing(), check.Handshake(s).As("handshake")}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		texts := []string{got.Step("handshake").Result().At("instructions").Text(), s.Op.Details.At("description").Text(), s.Op.Summary.At("description").Text()}
		for _, t := range s.Tools {
			texts = append(texts, t.Raw.At("description").Text())
		}
		var missing []string
		for _, l := range limits {
			_, found := l.of(s.Adapter)
			for _, text := range texts {
				found = found || l.says(text)
			}
			if !found {
				missing = append(missing, l.member)
			}
		}
		word, given := s.Hint("attest.limits")
		switch {
		case len(missing) > 0 && len(missing) < len(limits) && !(given && word != "no"):
			return ruling.Departs("all five limits documented", "nothing about "+strings.Join(missing, ", "))
		}
		return check.JudgeDocumented(s.Adapter, "attest.limits", len(missing) == 0, "the documentation of the limits", "no word about limits")
	},
	Fix: "document the five limits, best in _protocol.limits",
}

// speaksOf returns the limits a text names.
func speaksOf(text string, loose bool) map[string]bool {
	text, named := strings.ToLower(text), map[string]bool{}
	for _, l := range limits {
		words := l.words
		if loose {
			words = append(append([]string{}, words...), l.loose...)
		}
		for _, w := range words {
			if strings.Contains(text, w) {
				named[l.member] = true
			}
		}
	}
	return named
}

// detailed joins the names and the texts of details; numbers name nothing.
func detailed(v probes.Value) string {
	var all []string
	check.Walk(v, func(name string, v, _ probes.Value) {
		if !strings.HasSuffix(name, "_id") && !strings.HasSuffix(name, "Id") { // request_id names no limit
			all = append(all, name, v.Text())
		}
	})
	for _, item := range v.Items() {
		all = append(all, item.Text())
	}
	return strings.Join(all, " ")
}

// whichLimit rules on what one refusal says of the limit that was exceeded.
func whichLimit(o probes.Observation, exceeded ...limit) ruling.Ruling {
	const want = "details that say which limit was exceeded"
	inDetails, inMessage := speaksOf(detailed(o.Details()), true), speaksOf(o.Message(), false)
	for _, l := range exceeded {
		if inDetails[l.member] {
			return ruling.Conforms().By(o)
		}
	}
	numbers := len(o.Details().Scalars()) > 0
	switch {
	case len(inDetails) > 0:
		return ruling.Departs(want, "details that name another").By(o)
	case len(inMessage) > 0:
		return ruling.Departs(want, "only the message says it").By(o)
	case numbers:
		return ruling.Departs(want, "details that hold numbers alone").By(o)
	}
	return ruling.Violates(want, "neither details nor message").By(o)
}

// Section 4.7.5.
var limitErrorsSayWhichLimit = limiting("AQL-4.7.5-06", func(b *check.IsolatedSession) {
	sizes(b)
	arrays(b)
	depths(b)
}, func(s model.Subject, got probes.Answers) ruling.Ruling {
	var rs []ruling.Ruling
	judge := func(name string, exceeded ...limit) {
		if o := check.RiskyRequestNamed(got, name).Observation; tooLarge(o) {
			rs = append(rs, whichLimit(o, exceeded...))
		}
	}
	for _, n := range requestLimit.beyond(s.Adapter) {
		judge(fmt.Sprint("request ", n), requestLimit)
		judge(fmt.Sprint("name ", n), requestLimit, stringLimit)
	}
	judge(fmt.Sprint("string ", stringLimit.beyond(s.Adapter)[0]), stringLimit)
	for _, n := range elementLimit.beyond(s.Adapter) {
		judge(fmt.Sprint("array as metadata ", n), elementLimit)
		for _, v := range check.CarrierParameters(s.Adapter) {
			judge(fmt.Sprint("array in ", v.Name, " ", n), elementLimit)
		}
	}
	for _, n := range depthLimit.beyond(s.Adapter) {
		for _, sh := range nestings {
			judge(fmt.Sprint("metadata of ", sh.name, " ", n), depthLimit)
		}
	}
	if len(rs) == 0 {
		return ruling.NotProven("a refusal with VALIDATION_PAYLOAD_TOO_LARGE", "none").Because("AQL-4.7.5-01")
	}
	return ruling.Worst(rs...)
}, "put the name of the limit into error.details, with its value and the actual one").WithRule(
	"The error details say which limit was exceeded.",
	"Whoever is refused has to know what to shorten.")
