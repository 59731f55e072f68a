package suites

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// resolving asks whether the adapter reads parameters next to operation before a
// script goes on; ok is false when it does not, so that the row does not apply.
// The answers stay the first two observations of the script.
func resolving(s Subject, ask Asking) bool { return s.ResolvesTopLevel(ask) }

// resolved reads the same two answers in a judge.
func resolved(got []probes.Observation) bool {
	return len(got) >= 2 && got[0].Data().At("operations").Is(probes.Array) && got[1].Data().At("types").Is(probes.Array)
}

var unresolved = NotApplicable("does not hold: the adapter resolves top-level parameters")

// Section 4.2. params comes first: otherwise the same request means different
// things to different adapters.
var _ = register(Check{
	Requirement: "AQL-4.2-02",
	On:          introspecting,
	Drive: func(s Subject, ask Asking) {
		if !resolving(s, ask) {
			return
		}
		ask(s.TypesListing().Top("query", "operations"))
		ask(s.Listing().Top("query", "types"))
		ask(s.Listing().Top("query", "aqlx_bogus"))
		ask(s.Listing().Top("query", 7))
	},
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		if !resolved(got) {
			return unresolved
		}
		var rs []Ruling
		for i, o := range got[2:] {
			want, other := "operations", "types"
			if i == 0 {
				want, other = other, want
			}
			switch {
			case o.Data().At(want).Is(probes.Array):
				rs = append(rs, Conforms())
			case o.Data().At(other).Is(probes.Array):
				rs = append(rs, Violates("the value in params to win", "the value at top level used").By(o))
			case i >= 2:
				rs = append(rs, Violates("the value in params to win over an unusable one at top level", o))
			default:
				rs = append(rs, Departs("the value in params to win", o).Noting("the duplicate was refused"))
			}
		}
		return Worst(rs...)
	},
	Fix: "read params first and the top level only for names that params lacks",
})

// Section 4.2. The top level is the fallback for each name that params lacks, also
// when params is there but empty.
var _ = register(Check{
	Requirement: "AQL-4.2-03",
	On:          introspecting,
	Drive: func(s Subject, ask Asking) {
		if !resolving(s, ask) {
			return
		}
		ask(s.Listing().Anew(77)) // a fresh one: that listings change is another row's concern
		bare := probes.Call(s.Conn, s.Introspect, "introspect", map[string]any{})
		ask(bare.Top("query", "operations"))
		ask(bare.Top("query", 5))
		ask(s.Query(map[string]any{"query": 5}))
		if in, atTop, ok := movedUp(s.Face); ok {
			ask(in)
			ask(atTop)
			ask(in.Anew(77)) // some answers are another one each time
		}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		if !resolved(got) {
			return unresolved
		}
		rs := []Ruling{sameListing(got[2], got[3])}
		if got[4].Succeeded() || got[4].Code() != got[5].Code() {
			rs = append(rs, Violates("the type check that a value in params gets: "+got[5].Brief(), got[4]).By(got[5]))
		}
		if len(got) == 9 {
			r := sameAnswer(got[6], got[7], got[8])
			if r.verdict != Conforms().verdict && got[7].Refused() {
				r = Departs("names other than query resolved at top level too", got[7])
			}
			rs = append(rs, r)
		}
		return Worst(rs...)
	},
	Fix: "take a parameter from the top level whenever params does not hold it",
})

// movedUp returns a READ request in its two placements.
func movedUp(f *Face) (in, atTop probes.Probe, ok bool) {
	for _, s := range eachProven(f) {
		params := s.Baselines[s.Name].Probe.Params()
		if s.settled != nil || s.Op.Category != "READ" || len(params) == 0 {
			continue
		}
		in = s.ValidCall()
		atTop = in.Drop("params")
		for name, value := range params {
			atTop = atTop.Top(name, value)
		}
		return in, atTop, true
	}
	return in, atTop, false
}

const asInParams = "the answer that the value in params gets"

func sameListing(want, got probes.Observation) Ruling {
	if want.Succeeded() && got.Succeeded() && sameContent(want, got) {
		return Conforms().By(got)
	}
	return Violates(asInParams, got).By(want)
}

// sameAnswer compares two answers by what stays the same in them: what differs
// between the first and the same request again tells nothing.
func sameAnswer(want, got, again probes.Observation) Ruling {
	if want.Succeeded() && got.Succeeded() && steady(want.Data(), again.Data(), got.Data()) {
		return Conforms().By(got)
	}
	return Violates(asInParams, got).By(want)
}

// steady reports whether x agrees with one in all places in which one agrees with
// other.
func steady(one, other, x probes.Value) bool {
	if one.Canonical(volatile) != other.Canonical(volatile) {
		if !one.Is(probes.Object) || !other.Is(probes.Object) || !x.Is(probes.Object) {
			return one.Kind() == x.Kind()
		}
		return !slices.ContainsFunc(one.Names(), func(n string) bool {
			return other.Has(n) && !steady(one.At(n), other.At(n), x.At(n))
		})
	}
	return one.Canonical(volatile) == x.Canonical(volatile)
}

// masked writes the data of an answer without what changes by itself.
func masked(o probes.Observation) string {
	return o.Data().Canonical(volatile)
}

// volatile names members that legitimately differ between equal requests.
func volatile(name string) bool {
	switch name {
	case "request_id", "requestId", "duration_ms", "timestamp", "_meta", "generated_at", "server_time":
		return true
	}
	return false
}

// Section 4.2. Resolution works name by name, so one request may use both places.
var _ = register(Check{
	Requirement: "AQL-4.2-04",
	On:          introspecting,
	Drive: func(s Subject, ask Asking) {
		if !resolving(s, ask) || len(s.Operations) == 0 {
			return
		}
		ask(s.Listing().Top("name", s.Operations[0].Name))
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		switch {
		case !resolved(got):
			return unresolved
		case len(got) < 3:
			return NotProven("a listed operation to look up", "none")
		case got[2].Data().At("operation", "name").Text() == s.Operations[0].Name:
			return Conforms()
		case got[2].Refused() || got[2].RefusedBelow():
			return Departs("both places usable in one request", got[2])
		}
		tool, _ := s.Face.Tool(s.Introspect)
		if !tool.Raw.At("inputSchema", "properties").Has("name") && tool.Raw.At("inputSchema", "additionalProperties").False() {
			return Departs("both places usable in one request", "name dropped, which the tool schema does not declare").By(got[2])
		}
		return Violates("the record of "+s.Operations[0].Name, "name at top level dropped").By(got[2])
	},
	Fix: "resolve each parameter by itself, not the request as a whole",
})
