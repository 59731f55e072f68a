package model

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// The client chooses some identifiers. Each object of the run has one of its own, drawn from what is documented.

// mostDraws is how many texts with a check digit are drawn until one fits the record.
const mostDraws = 100

// freshKey returns a new identifier for the number of a step: the mark if it fits, or else a value
// of the documented domain. Number 0 uses the mark itself.
func (f *Adapter) freshKey(p probes.Parameter, number int) probes.Value {
	p = f.capped(p)
	if v := f.otherDay(p, number); !v.Is(probes.Absent) {
		return v
	}
	if v := f.markedKey(p, number); !v.Is(probes.Absent) {
		return v
	}
	h := fnv.New64a()
	fmt.Fprint(h, f.Nonce, p.Name, number)
	r := rand.New(rand.NewPCG(h.Sum64(), uint64(number)))
	if form, checked := f.checked[vocab.Letters(p.Name)]; checked {
		for range mostDraws {
			if v := probes.ValueOf(form.Draw(r)); f.Misfit(p, v) == "" {
				return v
			}
		}
	}
	if v := probes.ValueOf(900_000_000 + r.Int64N(99_999_999)); f.Misfit(p, v) == "" {
		return v
	}
	if v := betweenBounds(p, r); !v.Is(probes.Absent) && f.Misfit(p, v) == "" {
		return v
	}
	d, err := f.Gen.Domain(p)
	if err != nil {
		return probes.Value{}
	}
	drawn, err := d.Values(r, maxFreshKeys+2)
	if err != nil {
		return probes.Value{}
	}
	for _, v := range slices.Backward(drawn) {
		if same := probes.ValueOf(f.letterCase(p.Name)(v.Text())); v.Is(probes.String) && f.Misfit(p, same) == "" {
			return same
		}
		if f.Misfit(p, v) == "" {
			return v
		}
	}
	return probes.Value{}
}

// learnCheckDigits finds the parameters of which all known values end with a check digit.
func (f *Adapter) learnCheckDigits() {
	for _, o := range f.Operations {
		for _, p := range o.Parameters {
			var texts []string
			for _, v := range f.seen(o, p) {
				if v.Is(probes.String) {
					texts = append(texts, v.Text())
				}
			}
			if form, ok := generate.CheckedFormOf(texts); ok {
				f.checked[vocab.Letters(p.Name)] = form
			}
		}
	}
}

// seen returns the values that answers have shown for a parameter.
func (f *Adapter) seen(o probes.Operation, p probes.Parameter) (values []probes.Value) {
	for _, i := range f.scalarsFor[vocab.Letters(p.Name)] {
		if l := f.Scalars[i]; f.Affinity(o, p, l) >= 4 {
			values = append(values, l.Value)
		}
	}
	return values
}

// markedKey is the mark of the run, with a number after the first one, in the first writing that the record allows.
func (f *Adapter) markedKey(p probes.Parameter, number int) probes.Value {
	mark := f.Gen.Marker("")
	if number > 0 {
		mark = f.Gen.Marker(fmt.Sprintf("-%d", number))
	}
	if v := probes.ValueOf(mark); f.Misfit(p, v) == "" {
		return v
	}
	short := "k" + f.Gen.Nonce + strconv.FormatInt(int64(number), 36)
	for _, mark := range []string{mark, strings.ReplaceAll(mark, "-", "_"), strings.ReplaceAll(mark, "-", ""), short} {
		for _, written := range []func(string) string{f.letterCase(p.Name), strings.Clone, strings.ToUpper} {
			if v := probes.ValueOf(written(mark)); f.Misfit(p, v) == "" {
				return v
			}
		}
	}
	return probes.Value{}
}

// letterCase returns what writes a text in the case of the documented examples of a parameter, where they have one:
// an adapter may store each identifier in that case.
func (f *Adapter) letterCase(name string) func(string) string {
	return f.Remember("case of "+name, func() any {
		var examples []string
		for _, o := range f.Operations {
			for _, p := range o.Parameters {
				if p.Name == name {
					examples = append(examples, p.Raw.At("example").Text())
				}
			}
			for _, example := range o.Details.At("examples").Items() {
				examples = append(examples, example.At("request", "params", name).Text())
			}
		}
		text := strings.Join(examples, "")
		switch upper, lower := strings.ToUpper(text), strings.ToLower(text); {
		case text == upper && text != lower:
			return strings.ToUpper
		case text == lower && text != upper:
			return strings.ToLower
		}
		return func(text string) string { return text }
	}).(func(string) string)
}

// mostNumbered is how many numbers are few: then all of them are drawn from.
const mostNumbered = 200

// betweenBounds draws an integer between documented bounds: of many the larger ones, which exist seldom.
func betweenBounds(p probes.Parameter, r *rand.Rand) probes.Value {
	low, bounded := p.Raw.At("minimum").Float()
	high, above := p.Raw.At("maximum").Float()
	if p.Type != "integer" || !bounded || !above || high-low < 1 || high > 1<<53 || low < -1<<53 {
		return probes.Value{}
	}
	from := int64(low)
	if high-low > mostNumbered {
		from += int64(high-low) / 2
	}
	return probes.ValueOf(from + r.Int64N(int64(high)-from+1))
}

// mostNumber is about the largest number of a script.
const mostNumber = 1 << 31

// DrawnKeys returns the operation that makes an object, and the parameters by which the client chooses
// its identifier from so few values that the mark of the run is none of them, or another number that no two objects share.
func (f *Adapter) DrawnKeys(operation string) (maker Subject, names []string) {
	maker, chosen := f.ChosenKeys(operation)
	names = slices.DeleteFunc(chosen, func(name string) bool {
		i := slices.IndexFunc(maker.Op.Parameters, func(p probes.Parameter) bool { return p.Name == name })
		return !f.markedKey(maker.Op.Parameters[i], mostNumber).Is(probes.Absent)
	})
	for _, p := range maker.Op.Parameters {
		if p.Type == "integer" && f.sole[operation+"."+p.Name] && !slices.Contains(names, p.Name) {
			names = append(names, p.Name) // another number may be free
		}
	}
	return maker, names
}

// ChosenKeys returns the operation that makes an object, and the required parameters by which the client chooses its
// identifier, or the part of it that is not that of its place.
func (f *Adapter) ChosenKeys(operation string) (maker Subject, names []string) {
	o, listed := f.Operation(operation)
	if !listed || o.Category != "CREATE" {
		return Subject{}, nil
	}
	for _, p := range o.Parameters {
		if p.Required && f.ClientChosen(o, p) {
			names = append(names, p.Name)
		}
	}
	return Subject{Adapter: f, Name: o.Name, Op: o}, names
}

// Drawn reports whether a creation has the keys that its step draws, and not others that a script gives it.
func (s Subject) Drawn(p probes.Probe, names []string) bool {
	apart := max(0, p.Number-probes.StepNumber(p.Step)) // of an operation that has numbers of its own
	return slices.ContainsFunc([]int{probes.StepNumber(p.Step), probes.ScriptNumber(p.Step)}, func(number int) bool {
		fresh := s.freshCall(number + apart)
		return !slices.ContainsFunc(names, func(name string) bool { return !ValueIn(p, name).Equal(ValueIn(fresh, name)) })
	})
}
