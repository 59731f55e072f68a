package encoding

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// eachOptional is every optional parameter of a READ operation with a proven
// request, at most two for each operation.
func eachOptional(f *model.Adapter) []model.Subject {
	var all []model.Subject
	for _, s := range f.ProvenReads() {
		n := 0
		for _, p := range s.Op.Parameters {
			if !p.Required && n < 2 {
				all = append(all, model.Subject{Adapter: f, Name: s.Name + "." + p.Name, Op: s.Op, Par: p})
				n++
			}
		}
	}
	return all
}

// Section 4.7.6.
var nullOnOptionalParametersStaysOpen = check.Check{
	Requirement: "AQL-4.7.6-01",
	Rule:        "Leaving a field out and sending null can mean different things.",
	Why:         "The specification leaves open whether null means absence or is rejected, and so does this row.",
	On:          eachOptional,
	Ask: func(s model.Subject) []probes.Probe {
		return []probes.Probe{s.ValidCall(), s.ValidCall().With(s.Par.Name, nil).As("null value: null")}
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		null := got.Step("null value: null")
		if null.Succeeded() {
			return ruling.Conforms().Noting("null is accepted for the optional parameter").By(null)
		}
		return ruling.Conforms().Noting("null is refused for the optional parameter").By(null)
	},
}

// nullDiffers reports whether null gave another answer than leaving the parameter
// out, judged by what stays the same when the same is asked twice.
func nullDiffers(left, null, again probes.Observation) bool {
	return left.Succeeded() && null.Succeeded() && again.Succeeded() && !check.AgreesWhereStable(left.Data(), again.Data(), null.Data())
}

// nullTrials are the answers of two rounds, each without the parameter, with null, and without it again. The first
// answer may be an old one: a listing from before the objects of the run hides what null changes, so the second round decides then.
func nullTrials(got probes.Answers) (first, second [3]probes.Observation) {
	again := got.Step("null value: left out again")
	return [3]probes.Observation{got[0], got.Step("null value: null"), again},
		[3]probes.Observation{again, got.Step("null value: null again"), got.Step("null value: left out at last")}
}

// nullMeans reports whether null gave another answer than leaving the parameter out.
func nullMeans(got probes.Answers) bool {
	one, two := nullTrials(got)
	return nullDiffers(one[0], one[1], one[2]) || check.StableData(one[0]) != check.StableData(one[2]) && nullDiffers(two[0], two[1], two[2])
}

// nullWord is null in a description. A description in another language has its own word for it.
var nullWord = regexp.MustCompile(`(?i)(?:^|[^a-z])null(?:s|able)?(?:[^a-z]|$)|\bnul[oa]?\b|ноль|нул|空值|ヌル|널`)

// saysNull reports whether the documentation of a parameter or its operation speaks of null. The
// specification does not say in which text.
func saysNull(s model.Subject) bool {
	texts := []string{s.Op.Details.At("description").Text()}
	for _, m := range s.Par.Raw.Members() {
		if !slices.Contains(strings.Fields("name type required nullable enum default"), m.Name) {
			texts = append(append(texts, m.Name, m.Value.Text()), m.Value.Scalars()...)
		}
	}
	return slices.ContainsFunc(texts, nullWord.MatchString)
}

// Section 4.7.6.
var nullSemanticsAreDocumented = check.Check{
	Requirement: "AQL-4.7.6-03",
	Handles:     check.Movement,
	Rule:        "Null semantics are documented where null and absent differ.",
	Why:         "If null has a meaning, it is a value like any other and must be documented.",
	On:          eachOptional,
	Drive: func(s model.Subject, ask model.AskFunc) {
		got := probes.Answers{ask(s.ValidCall()), ask(s.ValidCall().With(s.Par.Name, nil).As("null value: null"))}
		if !got[0].Succeeded() || !got[1].Succeeded() {
			return
		}
		got = append(got, ask(s.ValidCall().Anew("null value: left out again")))
		if one, _ := nullTrials(got); nullDiffers(one[0], one[1], one[2]) || check.StableData(one[0]) != check.StableData(one[2]) { // somebody else may have written between them
			ask(s.ValidCall().With(s.Par.Name, nil).Anew("null value: null again"))
			ask(s.ValidCall().Anew("null value: left out at last"))
			ask(s.ValidCall().With(s.Par.Name, nil).Anew("null value: null at last"))
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		one, _ := nullTrials(got)
		null, last := one[1], probes.Answers{one[0], got.Step("null value: null at last"), got.Step("null value: left out at last")}
		if !nullDiffers(one[0], one[1], one[2]) { // the second round decides
			null, last[0] = got.Step("null value: null again"), one[2]
		}
		moved := func(o probes.Observation) bool { return check.StableData(o) != check.StableData(null) }
		word, attested := s.Hint("attest.null_semantics")
		switch {
		case !nullMeans(got):
			return ruling.NotApplicable("does not hold: null and absence give different results")
		case moved(got.Step("null value: null again")), moved(last[1]), check.AgreesWhereStable(last[0].Data(), last[2].Data(), last[1].Data()):
			return ruling.Moved("one answer to null each time", "two").By(null)
		case saysNull(s):
			return ruling.Conforms().By(null, got[0])
		case attested && word != "no":
			return ruling.Conforms().Noting("attested: "+ruling.Clip(word)).By(null, got[0])
		}
		return ruling.Departs("a description that says what null means", "another answer to null than to nothing").By(null, got[0])
	},
	Fix: "say in the description of the parameter what null means",
}
