package suites

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// eachDefaulted is every optional parameter whose record meets a condition, on
// operations where leaving it out can be observed: reads and creations.
func eachDefaulted(holds func(Subject) bool) func(*Face) []Subject {
	return func(f *Face) []Subject {
		all := usable(eachValued(func(s Subject) bool { return !s.Par.Required && holds(s) }))(f)
		for i, s := range all {
			if s.settled == nil && (s.Op.Category != "READ" && s.Op.Category != "CREATE" || s.Baseline().State != Proven) {
				all[i] = s.settle(NotProven("an answer in which the default shows", "an operation of category "+s.Op.Category))
			}
		}
		return all
	}
}

// omissions is how often an apparent difference has to repeat itself, because
// somebody else may be writing too.
const omissions = 3

// Operations document, section 5.4. Whoever leaves a parameter out relies on the
// documented default as if it had been sent.
var _ = register(Check{
	Requirement: "OPS-5.4-09",
	On:          eachDefaulted(func(s Subject) bool { return s.Par.Raw.Has("default") && !s.Par.Raw.At("default").Is(probes.Null) }),
	Drive: func(s Subject, ask Asking) {
		if s.Op.Category == "CREATE" {
			driveEcho(s, ask)
			return
		}
		without, with := s.ValidCall(), s.ValidCall().With(s.Par.Name, s.Par.Raw.At("default").Go())
		first, second := ask(without.Anew(600)), ask(with.Anew(600))
		if !second.Succeeded() {
			return
		}
		if masked(first) == masked(second) {
			if other, ok := otherValue(s); ok {
				ask(s.ValidCall().With(s.Par.Name, other.Go()).Anew(600))
			}
			return
		}
		for n := 1; n < omissions; n++ {
			ask(without.Anew(600 + n))
			ask(with.Anew(600 + n))
		}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		value := s.Par.Raw.At("default")
		if v := value.Text(); slices.Contains(symbolic, strings.ToLower(v)) || slices.Contains([]string{"me", "current"}, v) {
			return NotProven("a default whose value is known", value)
		}
		if s.Op.Category == "CREATE" {
			return judgeEcho(s, got)
		}
		return judgeOmission(s, got)
	},
	Fix: "apply the documented default when the parameter is left out, or document the default that is applied",
})

// driveEcho makes an object without the parameter and, where the answer does not
// show it, looks the object up.
func driveEcho(s Subject, ask Asking) {
	if made := ask(s.ValidCall()); stored(made.Data(), s.Par.Name).Is(probes.Absent) {
		for _, v := range s.views(s.Gen.Marker("")) {
			ask(v.Anew(600))
		}
	}
}

// stored returns the value an answer shows for a field: at its top or one level
// below.
func stored(data probes.Value, name string) probes.Value {
	if v := data.At(name); !v.Is(probes.Absent) {
		return v
	}
	for _, m := range data.Members() {
		if v := m.Value.At(name); m.Value.Is(probes.Object) && !v.Is(probes.Absent) {
			return v
		}
	}
	return probes.Value{}
}

// readBack returns what the answers of driveEcho show for the parameter.
func readBack(s Subject, got []probes.Observation) (probes.Value, probes.Observation) {
	for _, o := range got {
		if v := stored(o.Data(), s.Par.Name); !v.Is(probes.Absent) {
			return v, o
		}
		for _, item := range itemsWith(o.Data(), s.Gen.Marker("")) {
			if v := item.At(s.Par.Name); !v.Is(probes.Absent) {
				return v, o
			}
		}
	}
	return probes.Value{}, probes.Observation{}
}

func judgeEcho(s Subject, got []probes.Observation) Ruling {
	want := s.Par.Raw.At("default")
	v, o := readBack(s, got)
	switch {
	case !got[0].Succeeded():
		return NotProven("an object made without "+s.Par.Name, got[0])
	case v.Is(probes.Absent):
		return NotProven("the stored value of "+s.Par.Name, "none shown").By(got[0])
	case v.Equal(want):
		return Conforms().By(o)
	case v.Is(probes.String) && strings.EqualFold(strings.TrimSpace(v.Text()), strings.TrimSpace(want.Text())):
		return Conforms().By(o).Noting("equal but for case or blanks")
	case unfit(s, want) != "":
		return NotProven("a default that fits its own record", want).Because("INT-3.4-05")
	}
	return Violates(cited(s.Par.Name)+" "+want.String()+", the documented default", v).By(o)
}

func judgeOmission(s Subject, got []probes.Observation) Ruling {
	name := s.Par.Name
	most, limited := s.Par.Raw.At("default").Float()
	switch {
	case !got[0].Succeeded():
		return NotProven("the request without "+name+" to succeed", got[0])
	case limited && slices.Contains(pageSizes, name) && float64(longest(got[0].Data())) > most:
		return Violates("at most the documented number of items without "+name, longest(got[0].Data())).By(got[0])
	case !got[1].Succeeded():
		return NotProven("the default of "+name+" accepted", got[1]).Because("INT-3.4-05")
	case len(got) == 2:
		return NotProven("another value of "+name, "none").By(got[1])
	case len(got) == 3 && got[2].Succeeded() && masked(got[2]) != masked(got[0]):
		return Conforms().By(got[2], got[0])
	case len(got) == 3:
		return NotProven("an answer that depends on "+name, "the same with another value").By(got[2])
	}
	for n := 0; n < omissions; n++ {
		if masked(got[2*n]) != masked(got[0]) || masked(got[2*n+1]) == masked(got[0]) || !got[2*n+1].Succeeded() {
			return NotProven("answers that repeat themselves", "answers that change").By(got[1], got[0])
		}
	}
	return Violates("the answer that "+name+" "+s.Par.Raw.At("default").String()+" gets", "another one without it").By(got[1], got[0])
}

// otherValue is a value of the parameter other than its default that an answer is
// likely to depend on.
func otherValue(s Subject) (probes.Value, bool) {
	value := s.Par.Raw.At("default")
	candidates := []probes.Value{probes.ValueOf(!value.True())}
	if field := aField(s.Baseline().Reply.Data()); s.Par.Name == "fields" && field != "" {
		candidates = append(candidates, probes.ValueOf([]any{field}))
	}
	if n, ok := value.Float(); ok {
		candidates = append(candidates, probes.ValueOf(1), probes.ValueOf(n+1), probes.ValueOf(n-1))
	}
	for _, v := range append(candidates, s.Gen.Values(s.Op, s.Par)...) {
		if !v.Equal(value) && s.Misfit(s.Par, v) == "" {
			return v, true
		}
	}
	return probes.Value{}, false
}

// statedDefault matches prose that names a default value.
var statedDefault = regexp.MustCompile(`(?i)\bdefault(?:s to|s:|:| is| value is|=)\s*["'` + "`" + `]?([\w.+-]+)["'` + "`" + `]?\s*(?:$|[.,;)])`)

// Introspection document, section 8.2. A default that is not written down is a
// decision made for the caller behind its back.
var _ = register(Check{
	Requirement: "INT-8.2-03",
	On:          eachDefaulted(func(s Subject) bool { return !s.Par.Raw.Has("default") }),
	Drive: func(s Subject, ask Asking) {
		if s.Op.Category == "CREATE" {
			if v := stored(ask(s.ValidCall()).Data(), s.Par.Name); effective(v) {
				ask(s.anew(610))
			}
			return
		}
		ask(s.ValidCall())
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		text := s.Par.Raw.At("description").Text()
		if m := statedDefault.FindStringSubmatch(text); m != nil && !slices.Contains(symbolic, strings.ToLower(m[1])) {
			return Violates("the default in the member default", "prose alone: "+text).By(got[0])
		}
		switch {
		case !got[0].Succeeded():
			return NotProven("an answer in which a default would show", got[0])
		case s.Op.Category == "READ" && slices.Contains(pageSizes, s.Par.Name):
			return appliedSize(s, got[0])
		case s.Op.Category == "READ":
			return NotProven("an answer in which a default would show", got[0])
		}
		first := stored(got[0].Data(), s.Par.Name)
		switch {
		case !effective(first):
			return Conforms().By(got[0])
		case len(got) < 2 || !stored(got[1].Data(), s.Par.Name).Equal(first):
			return NotProven("the same value stored twice", first).By(got...)
		}
		return Violates("a documented default of "+cited(s.Par.Name), first.String()+" stored without it").By(got[0])
	},
	Fix: "write the default into the parameter record",
})

// effective reports whether a stored value says something: nothing, emptiness and
// null are what a field without a default looks like.
func effective(v probes.Value) bool {
	switch v.Kind() {
	case probes.Number, probes.Boolean:
		return true
	case probes.String:
		return v.Text() != ""
	}
	return false
}

// appliedSize rules on the page size that an answer echoes.
func appliedSize(s Subject, o probes.Observation) Ruling {
	for _, name := range []string{"pagination", "pageInfo", "page_info", "paging", "meta"} {
		for _, size := range append([]string{s.Par.Name}, pageSizes...) {
			if n := o.Data().At(name, size); n.Is(probes.Number) {
				return Violates("a documented default of "+cited(s.Par.Name), name+"."+size+" "+n.String()+" without it").By(o)
			}
		}
	}
	return NotProven("an answer in which a default would show", o)
}
