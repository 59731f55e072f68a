package limits

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

const (
	smallLimit = 1 << 20 // an advertised response limit up to which own objects are made to exceed it
	mostHeavy  = 30      // objects that are made for it
)

// heavyScript names the script on one kind of object.
const heavyScript = "listing beyond the response limit"

// heavyText is a text of a creation that may be long and carries no mark, and how long it has to be
// for a few objects to exceed the response limit together.
func heavyText(maker model.Subject) (p probes.Parameter, size int, ok bool) {
	most, _ := responseLimit.of(maker.Adapter)
	size = most/8 + 1
	for _, l := range []limit{requestLimit, stringLimit} {
		n, advertised := l.of(maker.Adapter)
		if !advertised {
			n = l.standard
		}
		size = min(size, n/4*3)
	}
	mark := maker.Mark(heavyScript + ": creation 1")
	sent := maker.FreshCall(heavyScript + ": creation 1").Params()
	for _, p := range maker.Op.Parameters {
		bound, bounded := p.Raw.At("maxLength").Float()
		text, _ := sent[p.Name].(string)
		free := !p.Raw.Has("enum") && !p.Raw.Has("pattern") && !p.Raw.Has("format") && !probes.IsReference(maker.Op, p) && !maker.ClientChosen(maker.Op, p)
		if p.Type == "string" && free && !strings.Contains(text, mark) && (!bounded || int(bound) >= size+len(mark)) {
			return p, size, heavyObjects(most, size) <= mostHeavy
		}
	}
	return probes.Parameter{}, 0, false
}

// heavyObjects is how many objects exceed the limit with some to spare.
func heavyObjects(most, size int) int { return (most+most/8)/size + 1 }

// heavyKinds are the removals whose objects can be made to exceed the response limit in a listing.
func heavyKinds(f *model.Adapter) []model.Subject {
	if most, advertised := responseLimit.of(f); !advertised || most > smallLimit {
		return nil
	}
	return model.Only(model.EachUsable, func(s model.Subject) bool {
		if s.Ruling != nil || s.Op.Category != "DELETE" {
			return false
		}
		allowed, _ := s.Callable(s.Op)
		maker, _, made := check.MakerOf(f, s.Op)
		if !allowed || !made || len(maker.Views("")) == 0 {
			return false
		}
		_, _, ok := heavyText(maker)
		return ok
	})(f)
}

// Section 4.7.5. A listing in pages stays below the limit, and so does one without the long text.
var oversizedListingIsRefused = check.Check{
	Requirement: "AQL-4.7.5-02",
	Why:         "If a listing is too large for a client, the error must tell it to request smaller parts.",
	On:          heavyKinds,
	Lane:        probes.Exclusive,
	Drive: func(s model.Subject, ask model.AskFunc) {
		maker, paths, _ := check.MakerOf(s.Adapter, s.Op)
		text, size, _ := heavyText(maker)
		most, _ := responseLimit.of(s.Adapter)
		common := maker.Mark(heavyScript + ": creation 1") // a search for it finds all of them
		views := maker.Views(common)
		for i, v := range views {
			ask(v.Anew(probes.Nth(heavyScript+": before", i)))
		}
		made := 0
		for i := range heavyObjects(most, size) {
			step := probes.Nth(heavyScript+": creation", i)
			if !ask(maker.FreshCall(step).With(text.Name, common+strings.Repeat(" heavy", size/6)).Anew(step)).Succeeded() {
				break
			}
			made++
		}
		for i, v := range views {
			ask(v.Anew(probes.Nth(heavyScript+": listing", i)))
		}
		for i := range made {
			gone := s.ValidCall().Anew(probes.Nth(heavyScript+": removal", i))
			for name, path := range paths {
				gone = gone.With(name, probes.From(len(views)+i, path...))
			}
			ask(gone)
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		most, _ := responseLimit.of(s.Adapter)
		before, made, listed := got.Under(heavyScript+": before"), got.Under(heavyScript+": creation"), got.Under(heavyScript+": listing")
		if len(made) == 0 || len(listed) == 0 {
			return ruling.NotProven("own objects with long texts, and a listing of them", "nothing")
		}
		if i := slices.IndexFunc(made, func(o probes.Observation) bool { return !o.Succeeded() }); i >= 0 {
			return ruling.NotProven("own objects with long texts", made[i])
		}
		for i, o := range listed {
			switch {
			case envelopeSize(o) > most+most/20:
				return ruling.Violates(tooLargeCode, fmt.Sprintf("an answer of %d bytes", envelopeSize(o))).By(o, made[0])
			case tooLarge(o):
				return ruling.Conforms().By(o, made[0])
			case o.Refused() && o.MayPass() == "" && i < len(before) && before[i].Succeeded():
				return ruling.Violates(tooLargeCode, o).By(before[i], o)
			}
		}
		return ruling.NotProven("a listing whose answer exceeds the limit", listed[0]).By(listed...)
	},
	Fix: "measure an answer before sending it; offer pages, or refuse with VALIDATION_PAYLOAD_TOO_LARGE",
}
