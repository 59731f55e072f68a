package suites

import (
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// eachOptional is every optional parameter of a READ operation with a proven
// request, at most two for each operation.
func eachOptional(f *Face) []Subject {
	var all []Subject
	for _, s := range eachProven(f) {
		n := 0
		for _, p := range s.Op.Parameters {
			if s.settled == nil && s.Op.Category == "READ" && !p.Required && n < 2 {
				all = append(all, Subject{Face: f, Name: s.Name + "." + p.Name, Op: s.Op, Par: p})
				n++
			}
		}
	}
	return all
}

// Section 4.7.6. Null may mean absence or be refused: the specification leaves it
// open, and so does this row.
var _ = register(Check{
	Requirement: "AQL-4.7.6-01",
	On:          eachOptional,
	Ask: func(s Subject) []probes.Probe {
		return []probes.Probe{s.ValidCall(), s.ValidCall().With(s.Par.Name, nil)}
	},
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		if got[1].Succeeded() {
			return Conforms().Noting("null is accepted for the optional parameter").By(got[1])
		}
		return Conforms().Noting("null is refused for the optional parameter").By(got[1])
	},
})

// nullDiffers reports whether null gave another answer than leaving the parameter
// out, judged by what stays the same when the same is asked twice.
func nullDiffers(got []probes.Observation) bool {
	left, null, again := got[0], got[1], got[2]
	return left.Succeeded() && null.Succeeded() && again.Succeeded() && !steady(left.Data(), again.Data(), null.Data())
}

// Section 4.7.6. A null that means something is a value like any other, and has to
// be described like one.
var _ = register(Check{
	Requirement: "AQL-4.7.6-03",
	On:          eachOptional,
	Ask: func(s Subject) []probes.Probe {
		return []probes.Probe{s.ValidCall(), s.ValidCall().With(s.Par.Name, nil), s.ValidCall().Anew(160)}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		said := strings.Contains(strings.ToLower(s.Par.Raw.At("description").Text()), "null")
		word, attested := s.Hint("attest.null_semantics")
		switch {
		case !nullDiffers(got):
			return NotApplicable("does not hold: null and absence give different results")
		case said:
			return Conforms().By(got[1], got[0])
		case attested && word != "no":
			return Conforms().Noting("attested: "+clip(word)).By(got[1], got[0])
		}
		return Departs("a description that says what null means", "another answer to null than to nothing").By(got[1], got[0])
	},
	Fix: "say in the description of the parameter what null means",
})
