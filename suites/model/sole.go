package model

import (
	"context"
	"fmt"
	"hash/fnv"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes"
)

// No two objects may share some values: a number, or the first day of a week. The days of an adapter may have to fall on one
// day of the week, so another one is whole weeks later.

// A span is how many weeks later a day may be, and in how many hours a time.
type span struct{ weeks, hours uint64 }

// spans are tried one after the other: an adapter may know no day that is far away, and no hour of the night. The
// first ends at a year of four digits, the others before 2200 and 2100. Few weeks are too few for many objects.
var spans = []span{{300_000, 1}, {9_000, 8}, {9_000, 1}, {3_800, 8}, {3_800, 1}}

// A soleDay is a valid day or time that no two objects share.
type soleDay struct {
	known string
	span
}

// otherDay returns a day or a time for the number of a step, whole weeks after a valid one that no two objects share.
func (f *Adapter) otherDay(p probes.Parameter, number int) probes.Value {
	sole, known := f.days[p.Name]
	if !known || number == 0 {
		return probes.Value{}
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		day, err := time.Parse(layout, sole.known)
		if err != nil {
			continue
		}
		h := fnv.New64a()
		fmt.Fprint(h, f.Nonce, "day", number) // the same for the beginning and the end of a time
		weeks, hours := 1+h.Sum64()%sole.weeks, 0
		if layout != time.DateOnly {
			hours = int(h.Sum64() / sole.weeks % min(sole.hours, uint64(24-day.Hour()))) // of the same day
		}
		for ; weeks > 0; weeks /= 2 { // an adapter may know no day that is far away
			v := probes.ValueOf(day.AddDate(0, 0, 7*int(weeks)).Add(time.Duration(hours) * time.Hour).Format(layout))
			if f.Misfit(p, v) == "" {
				return v
			}
		}
	}
	return probes.Value{}
}

// makeSole gives each new object another value of a parameter, and tells whether a creation with one succeeds. Days are
// tried far away and nearer, until one is refused for another reason than its value.
func (f *Adapter) makeSole(id string, p probes.Parameter, v probes.Value, create func(attempt string) probes.Observation) bool {
	f.sole[id] = true
	attempt := ""
	for i, sp := range spans {
		if p.Raw.Has("format") {
			f.days[p.Name] = soleDay{v.Text(), sp}
		}
		o := create(attempt)
		if o.Succeeded() {
			return true
		}
		if !strings.HasPrefix(o.Code(), "VALIDATION_") || !f.cap(p, v, o) && f.otherDay(p, 1).Is(probes.Absent) {
			break
		}
		attempt = fmt.Sprintf(", attempt %d", i+2)
	}
	delete(f.sole, id)
	delete(f.days, p.Name)
	delete(f.caps, p.Name)
	return false
}

var numerals = regexp.MustCompile(`\d+`)

// cap notes the greatest number that a refusal tells between a known value and the one that was sent: the coach of a seat has fewer seats
// than a coach may have.
func (f *Adapter) cap(p probes.Parameter, known probes.Value, refused probes.Observation) (noted bool) {
	low, numeric := known.Float()
	high, _ := ValueIn(refused.Probe, p.Name).Float()
	if !numeric {
		return false
	}
	for _, text := range numerals.FindAllString(refused.Message()+" "+refused.Details().String(), -1) {
		if n, err := strconv.ParseFloat(text, 64); err == nil && low < n && n < high && n > f.caps[p.Name] {
			f.caps[p.Name], noted = n, true
		}
	}
	return noted
}

// capped is a parameter with the maximum that refusals leave.
func (f *Adapter) capped(p probes.Parameter) probes.Parameter {
	most, known := f.caps[p.Name]
	if !known {
		return p
	}
	if record, ok := Native(p.Raw).(map[string]any); ok {
		record["maximum"] = most
		p.Raw = probes.ValueOf(record)
	}
	return p
}

// mostSole bounds the parameters that are tried to make a second object.
const mostSole = 4

// findSole finds the parameters of a CREATE operation that two objects may not share, such as the place of
// a shelf: a second object, with another text of the mark, is a conflict until each of them has another value. One that
// changes what the conflict tells is one of them.
func (f *Adapter) findSole(ctx context.Context, ask probes.Asker) {
	for i, s := range f.Makers() {
		if (s.Ruling == nil || s.unmarked()) && !f.oneEach[s.Name] {
			f.soleOf(ctx, ask, s, probes.Nth("values of one object alone: operation", i))
		}
	}
}

// soleOf is findSole for one operation.
func (f *Adapter) soleOf(ctx context.Context, ask probes.Asker, s Subject, step string) {
	conflict := ask.Ask(ctx, s.FreshCall(step).Anew(step))
	if !strings.HasPrefix(conflict.Code(), "CONFLICT_") {
		return
	}
	candidates, made, changed := s.soleCandidates(step), false, []string{}
	slices.SortStableFunc(candidates, func(x, y soleCandidate) int { return f.breadth(y.Parameter) - f.breadth(x.Parameter) })
	for _, c := range candidates[:min(len(candidates), mostSole)] {
		last := conflict
		made = f.makeSole(c.id, c.Parameter, c.known, func(attempt string) probes.Observation {
			at := step + ": " + c.Name + attempt
			last = ask.Ask(ctx, s.FreshCall(at).Anew(at))
			// The conflict has hidden that another object is named as well.
			if strings.HasPrefix(last.Code(), "NOT_FOUND_") && f.parentsOf(ctx, ask, s, at) {
				last = ask.Ask(ctx, s.FreshCall(at+", parents kept").Anew(at+", parents kept"))
			}
			return last
		})
		if most := c.Raw.At("maximum"); made && most.Is(probes.Number) && s.Op.HasParameter(c.Name) {
			greatest := step + ": greatest " + c.Name // the one that succeeded may have been small by chance
			f.cap(c.Parameter, c.known, ask.Ask(ctx, s.FreshCall(greatest).With(c.Name, most.Go()).Anew(greatest)))
		}
		if made {
			break
		}
		if strings.HasPrefix(last.Code(), "CONFLICT_") && conflictText(last) != conflictText(conflict) {
			f.sole[c.id], conflict, changed = true, last, append(changed, c.id)
			if c.Raw.Has("format") {
				f.days[c.Name] = soleDay{c.known.Text(), spans[0]}
			}
		}
	}
	for _, id := range changed {
		if !made { // what the conflict tells may change by itself
			delete(f.sole, id)
		}
	}
	if !made {
		f.soleTime(candidates, func(attempt string) probes.Observation {
			return ask.Ask(ctx, s.FreshCall(step+": all days"+attempt).Anew(step+": all days"+attempt))
		})
	}
}

// soleTime moves all days and times of a creation together: two objects may not share the time from one to the other.
func (f *Adapter) soleTime(candidates []soleCandidate, create func(attempt string) probes.Observation) {
	days := slices.DeleteFunc(slices.Clone(candidates), func(c soleCandidate) bool { return !strings.HasPrefix(c.Raw.At("format").Text(), "date") })
	if len(days) < 2 {
		return
	}
	for i, sp := range spans {
		if sp.hours > 1 {
			continue
		}
		for _, c := range days {
			f.sole[c.id], f.days[c.Name] = true, soleDay{c.known.Text(), sp}
		}
		if create(fmt.Sprintf(", attempt %d", i+1)).Succeeded() {
			return
		}
	}
	for _, c := range days {
		delete(f.sole, c.id)
		delete(f.days, c.Name)
	}
}

// breadth is how many of some draws for a text differ. Of two parts of an identifier, the one with more values serves more
// objects.
func (f *Adapter) breadth(p probes.Parameter) int {
	const draws = 50
	seen := map[string]bool{}
	if p.Raw.Has("format") { // a day, an address
		return draws
	}
	for n := range draws {
		if v := f.freshKey(p, rareKeys+n); v.Is(probes.String) {
			seen[v.Text()] = true
		}
	}
	return len(seen)
}

// conflictText is the code of a refusal, the names of its details and its message, without the values that were sent.
func conflictText(o probes.Observation) string {
	told := o.Code() + " " + strings.Join(slices.Sorted(slices.Values(o.Details().Names())), " ") + " " + o.Message()
	for _, sent := range probes.ValueOf(o.Probe.Params()).Scalars() {
		told = strings.ReplaceAll(told, sent, "")
	}
	return told
}

// A soleCandidate is a parameter of a creation, or a field of an object in one, that perhaps no two objects may share.
type soleCandidate struct {
	probes.Parameter
	id    string
	known probes.Value
}

// soleCandidates are the texts and numbers that each creation sends as they are: parameters, and then fields in them.
func (s Subject) soleCandidates(step string) (all []soleCandidate) {
	valid, fresh := s.ValidCall(), s.FreshCall(step)
	consider := func(of probes.Operation, p probes.Parameter, id string, was, is probes.Value) {
		fixed := s.parents[id] || probes.IsReference(of, p) || len(s.EnumOf(p)) > 0 || !was.Equal(is)
		if !fixed && (was.Is(probes.String) || was.Is(probes.Number)) {
			all = append(all, soleCandidate{p, id, was})
		}
	}
	for _, p := range s.Op.Parameters {
		consider(s.Op, p, s.Name+"."+p.Name, ValueIn(valid, p.Name), ValueIn(fresh, p.Name))
	}
	for _, p := range s.Op.Parameters {
		fields, _ := s.FieldsOf(p, probes.Operation{})
		for _, field := range fields {
			consider(s.Op, field, s.fieldID(p, field), ValueIn(valid, p.Name).At(field.Name), ValueIn(fresh, p.Name).At(field.Name))
		}
	}
	return all
}

// fieldID names a field of a parameter of a creation. A field of the body goes by its own name.
func (s Subject) fieldID(p, field probes.Parameter) string {
	if body, _, ok := s.body(s.Op); ok && body.Name == p.Name {
		return s.Name + "." + field.Name
	}
	return s.Name + "." + p.Name + "." + field.Name
}
