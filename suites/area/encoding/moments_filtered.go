package encoding

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A filter that compares texts takes other objects where the same moment is sent with another offset. The moments are those
// of listed objects, because they decide which objects are taken.

const momentFiltered = "moment in a filter"

// mostFilters bounds the filters of one operation, and mostListed the moments that are tried with each.
const (
	mostFilters = 4
	mostListed  = 3
)

// offsets are far apart: a text with the first is greater than that of the moment in UTC, and one with the second smaller.
var offsets = map[string]*time.Location{
	": east": time.FixedZone("", 13*3600),
	": west": time.FixedZone("", -11*3600),
}

// A momentFilter is the name of a parameter of a READ that takes a moment, or of a parameter and a field of it.
type momentFilter []string

func momentFilters(s model.Subject) (all []momentFilter) {
	isMoment := func(p probes.Parameter) bool { return p.Raw.At("format").Text() == "date-time" }
	for _, p := range s.Op.Parameters {
		if isMoment(p) {
			all = append(all, momentFilter{p.Name})
		}
		for _, field := range s.Adapter.Fields(p) {
			if isMoment(field) {
				all = append(all, momentFilter{p.Name, field.Name})
			}
		}
	}
	return all[:min(len(all), mostFilters)]
}

// in returns a request with a moment in a filter.
func (f momentFilter) in(p probes.Probe, text string) probes.Probe {
	if len(f) == 1 {
		return p.With(f[0], text)
	}
	return check.WithMember(p, f[0], f[1], text)
}

// listedMoments are the first, a middle and the last moment of the objects in an answer.
func listedMoments(o probes.Observation) (all []time.Time) {
	for _, item := range model.ListedItems(o.Data()) {
		for _, m := range item.Members() {
			if at, err := time.Parse(time.RFC3339Nano, m.Value.Text()); err == nil {
				all = append(all, at.UTC())
			}
		}
	}
	slices.SortFunc(all, time.Time.Compare)
	all = slices.Compact(all)
	if n := len(all); n > mostListed {
		all = []time.Time{all[0], all[n/2], all[n-1]}
	}
	return all
}

// nearby are the names of steps with moments beside one that a filter names. A filter by days takes the same objects for them.
var nearby = map[string]time.Duration{": a second before": -time.Second, ": a second later": time.Second}

// parts reports whether a second makes a difference to a filter.
func parts(got probes.Answers, step string, utc probes.Observation) bool {
	for around := range nearby {
		if o := got.Step(step + around); o.Succeeded() && !sameItems(o, utc) {
			return true
		}
	}
	return false
}

func filteredStep(filter, moment int) string {
	return probes.Nth(momentFiltered, filter*mostListed+moment)
}

// sameItems reports whether two answers list the same objects, by their identifiers as far as these are known by name: an object may
// show the moment that was sent.
func sameItems(one, other probes.Observation) bool {
	keys := func(o probes.Observation) string {
		var all []string
		for _, item := range model.ListedItems(o.Data()) {
			all = append(all, cmp.Or(model.ItemKey(item), item.Canonical(model.Volatile)))
		}
		slices.Sort(all)
		return strings.Join(all, "\n")
	}
	return one.Succeeded() && other.Succeeded() && keys(one) == keys(other)
}

// Section 4.7.2.
var filtersTakeMomentsWithOffsets = check.Check{
	Requirement: "AQL-4.7.2-04",
	Why:         "A filter that compares texts leaves objects out for clients of one part of the world alone.",
	On: model.Only(model.EachUsable, func(s model.Subject) bool {
		return s.Op.Category == "READ" && s.Ruling == nil && s.KnownGoodRequest().State == model.Proven && len(momentFilters(s)) > 0
	}),
	Lane: probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		whole := ask(s.ValidCall().Anew(momentFiltered + ": without"))
		for i, f := range momentFilters(s) {
			for j, at := range listedMoments(whole) {
				step := filteredStep(i, j)
				send := func(name, text string) probes.Observation { return ask(f.in(s.ValidCall(), text).Anew(step + name)) }
				utc := send(": UTC", at.Format(time.RFC3339Nano))
				if !utc.Succeeded() {
					break
				}
				for _, name := range slices.Sorted(maps.Keys(offsets)) {
					zone := offsets[name]
					if o := send(name, at.In(zone).Format(time.RFC3339Nano)); o.Succeeded() && !sameItems(o, utc) {
						send(name+" taken for UTC", at.In(zone).Format("2006-01-02T15:04:05.999999999Z"))
						for _, around := range slices.Sorted(maps.Keys(nearby)) {
							send(around, at.Add(nearby[around]).Format(time.RFC3339Nano))
						}
					}
				}
				send(": UTC again", at.Format(time.RFC3339Nano))
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		whole := got.Step(momentFiltered + ": without")
		var rs []ruling.Ruling
		for i, f := range momentFilters(s) {
			for j := range mostListed {
				step := filteredStep(i, j)
				utc, again := got.Step(step+": UTC"), got.Step(step+": UTC again")
				if sameItems(utc, again) {
					rs = append(rs, f.ruled(got, step, whole, utc, again)...)
				}
			}
		}
		if len(rs) == 0 {
			return ruling.NotApplicable("no moment in a filter decides which objects are taken")
		}
		return ruling.Worst(rs...)
	},
	Fix: "compare moments, not their texts",
}

// ruled rules on the answers to one moment with two offsets.
func (f momentFilter) ruled(got probes.Answers, step string, whole, utc, again probes.Observation) (rs []ruling.Ruling) {
	for _, name := range slices.Sorted(maps.Keys(offsets)) {
		o, clock := got.Step(step+name), got.Step(step+name+" taken for UTC")
		sent := model.ValueIn(o.Probe, f[0])
		if len(f) > 1 {
			sent = sent.At(f[1])
		}
		want := "the objects that the same moment in UTC gets for " + strings.Join(f, ".") + " " + sent.String()
		switch {
		case !o.Succeeded():
		case sameItems(o, utc) && !sameItems(utc, whole):
			rs = append(rs, ruling.Conforms().By(o, utc))
		case sameItems(o, utc):
		case sameItems(o, clock) && parts(got, step, utc):
			rs = append(rs, ruling.Departs(want, "those that the time gets without its offset").By(o, utc, again, clock)) // a filter may take a local day
		default:
			rs = append(rs, ruling.NotProven(want, "others").By(o, utc, again))
		}
	}
	return rs
}
