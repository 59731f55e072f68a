package model

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/gate"
)

// A record need not tell which values a text may have. A refusal usually tells it. Only the position
// of what it tells is read: a list in the details, a quoted word in the message. That a parameter is
// demanded which the record calls optional is a fault, so nothing is repaired there.

// maxTold bounds the requests of one operation that are built from what refusals told.
const maxTold = 6

// quoted is a short text between quotes of any kind.
var quoted = regexp.MustCompile("[\"'`“”‘’«»„「『]([^\"'`“”‘’«»„「』『」]{1,40})[\"'`“”‘’«»」』]")

// repair adds what a refusal tells to the values of a request, and chooses it. It reports whether
// there is anything to try that was not tried before.
func (f *Adapter) repair(o probes.Operation, reply probes.Observation, values map[string][]probes.Value, chosen map[string]int) bool {
	if !reply.Refused() || reply.Deferred() {
		return false
	}
	var offered []probes.Value
	conflict, blamed := strings.HasPrefix(reply.Code(), "CONFLICT_"), o.Parameters
	if !conflict {
		offered, blamed = f.offered(o, reply), f.blamed(o, reply, values)
	}
	for _, p := range blamed {
		if len(values[p.Name]) == 0 || o.Category != "READ" && (probes.IsReference(o, p) || f.ClientChosen(o, p)) {
			continue // an optional one with the mark of the run; what is offered to the others belongs to others
		}
		all, at := values[p.Name], chosen[p.Name]
		next := toldNumbers(p, all[at], reply)
		if !conflict {
			next = slices.Concat(next, f.toldTimes(p, all[at], reply), besideTimes(o, p, reply.Probe), offered)
		}
		next = slices.DeleteFunc(next, func(v probes.Value) bool {
			return f.Misfit(p, v) != "" || isTime(p) && later(p, v, 1).Equal(v) || slices.ContainsFunc(all[:at+1], v.Equal)
		})
		if len(next) > 0 {
			values[p.Name] = slices.Concat(all[:at+1], next, all[at+1:])
			chosen[p.Name]++
			return true
		}
	}
	return false
}

// later returns a day, or a time, that is so many days or hours later; the value itself where it is none.
func later(p probes.Parameter, v probes.Value, n int) probes.Value {
	if day, err := time.Parse(time.DateOnly, v.Text()); err == nil && p.Raw.At("format").Text() == "date" {
		return probes.ValueOf(day.AddDate(0, 0, n).Format(time.DateOnly))
	}
	if at, err := time.Parse(time.RFC3339, v.Text()); err == nil && p.Raw.At("format").Text() == "date-time" {
		return probes.ValueOf(at.Add(time.Duration(n) * time.Hour).Format(time.RFC3339))
	}
	return v
}

// isTime reports whether the record of a parameter says that it is a day or a time.
func isTime(p probes.Parameter) bool {
	format := p.Raw.At("format").Text()
	return format == "date" || format == "date-time"
}

// besideTimes are days or times after and before those that the other parameters of a request have: an end may have to be later
// than its start.
func besideTimes(o probes.Operation, p probes.Parameter, sent probes.Probe) (all []probes.Value) {
	for _, q := range o.Parameters {
		v := ValueIn(sent, q.Name)
		if q.Name == p.Name || !isTime(p) || q.Raw.At("format").Text() != p.Raw.At("format").Text() || !v.Is(probes.String) {
			continue
		}
		for _, n := range []int{1, 3, -1} { // an hour may be too short
			all = append(all, later(p, v, n))
		}
	}
	return all
}

// times matches days and times in a text.
var times = regexp.MustCompile(`\b\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2}))?`)

// toldTimes are the days or times that a refusal tells, for a parameter, or for the fields of an object in their order: the years of a box
// have to lie within those of its collection.
func (f *Adapter) toldTimes(p probes.Parameter, known probes.Value, reply probes.Observation) (all []probes.Value) {
	told := times.FindAllString(reply.Message()+" "+strings.Join(reply.Details().Scalars(), " "), -1)
	if len(told) == 0 {
		return nil
	}
	if isTime(p) {
		for _, text := range told {
			v := probes.ValueOf(text)
			all = append(all, v, later(p, v, 1), later(p, v, -1))
		}
		return all
	}
	object, n := map[string]any{}, 0
	for _, m := range known.Members() {
		object[m.Name] = Native(m.Value)
	}
	for _, field := range f.Fields(p) {
		if _, given := object[field.Name]; given && isTime(field) {
			object[field.Name] = told[min(n, len(told)-1)]
			n++
		}
	}
	if n > 0 {
		all = append(all, probes.ValueOf(object))
	}
	return all
}

// numbers matches numbers in a text.
var numbers = regexp.MustCompile(`\d+(?:\.\d+)?`)

// toldNumbers are values with a smaller number for one that a refusal repeats, itself or inside an object: a tank has room for fewer litres than
// were asked for. A one leaves room for more objects; what is told is tried after it. A zero that is named is replaced too.
func toldNumbers(p probes.Parameter, known probes.Value, reply probes.Observation) (all []probes.Value) {
	said := numbers.FindAllString(reply.Message()+" "+strings.Join(reply.Details().Scalars(), " "), -1)
	smaller := func(v probes.Value, path string) (all []probes.Value) {
		form := func(text string) probes.Value {
			if n, err := probes.ParseValue([]byte(text)); err == nil && v.Is(probes.Number) {
				return n
			}
			return probes.ValueOf(text)
		}
		was, err := strconv.ParseFloat(v.Text(), 64)
		if v.Is(probes.Number) {
			was, _ = v.Float()
		} else if err != nil {
			return nil
		}
		if was == 0 && reply.Mentions(path) {
			return []probes.Value{form("1")}
		}
		repeats := func(text string) bool { n, _ := strconv.ParseFloat(text, 64); return n == was }
		if slices.ContainsFunc(said, repeats) && was > 1 {
			all = append(all, form("1"))
			for _, text := range said {
				if n, _ := strconv.ParseFloat(text, 64); n > 1 && n < was && len(all) < maxTold {
					all = append(all, form(text))
				}
			}
		}
		return all
	}
	if !known.Is(probes.Object) {
		return smaller(known, p.Name)
	}
	for _, m := range known.Members() {
		for _, v := range smaller(m.Value, p.Name+"."+m.Name) {
			all = append(all, changedMember(known, m.Name, v))
		}
	}
	return all
}

// changedMember returns an object with another value of one member.
func changedMember(object probes.Value, name string, v probes.Value) probes.Value {
	members := map[string]any{}
	for _, m := range object.Members() {
		members[m.Name] = Native(m.Value)
	}
	members[name] = Native(v)
	return probes.ValueOf(members)
}

// completes adds the members that a refusal demands of an object to it, as texts of the run: "project.name is required".
// Only objects of which the record tells no fields are completed, and none that is to have a member that may mean more than
// a text, such as notify or delete_existing.
func (f *Adapter) completes(o probes.Operation, reply probes.Observation, values map[string][]probes.Value, chosen map[string]int) bool {
	if !reply.Refused() || reply.Deferred() {
		return false
	}
	for _, p := range o.Parameters {
		at := chosen[p.Name]
		if at >= len(values[p.Name]) || !values[p.Name][at].Is(probes.Object) || len(f.Fields(p)) > 0 {
			continue
		}
		whole := map[string]any{}
		for _, m := range values[p.Name][at].Members() {
			whole[m.Name] = m.Value.Go()
		}
		for _, name := range membersTold(reply, p.Name) {
			if gate.MayReach(name) {
				return false
			}
			if _, given := whole[name]; !given {
				whole[name] = f.Gen.Marker("")
			}
		}
		if len(whole) > len(values[p.Name][at].Members()) {
			values[p.Name] = slices.Insert(slices.Clone(values[p.Name]), at+1, probes.ValueOf(whole))
			chosen[p.Name]++
			return true
		}
	}
	return false
}

// membersTold are the members of a parameter that a refusal names by a path: project.name, project["name"], /project/name.
func membersTold(reply probes.Observation, parameter string) (all []string) {
	path := regexp.MustCompile(`(?:^|[^\w.])` + regexp.QuoteMeta(parameter) + `(?:\.|/|\[["'])([A-Za-z_][A-Za-z0-9_-]*)`)
	failure := reply.Envelope().At("error")
	for _, text := range []string{failure.At("message").Text(), string(failure.At("details").Raw())} {
		for _, found := range path.FindAllStringSubmatch(text, maxTold) {
			all = append(all, found[1])
		}
	}
	return all
}

// blamed are the parameters of a request that a refusal may be about, the likeliest first: those
// that it names, or whose value it repeats, and no other if there are any.
func (f *Adapter) blamed(o probes.Operation, reply probes.Observation, values map[string][]probes.Value) (all []probes.Parameter) {
	for _, level := range []int{2, 1} {
		for _, p := range o.Parameters {
			if _, given := values[p.Name]; given && blame(reply, p.Name) == level {
				all = append(all, p)
			}
		}
	}
	if len(all) > 0 {
		return all
	}
	for _, p := range o.Parameters {
		if sent := ValueIn(reply.Probe, p.Name).Text(); sent != "" && reply.Mentions(sent) {
			all = append(all, p)
		}
	}
	return all
}

// offered are the values that a refusal lists in its details, or else quotes in its message. Names
// of parameters and operations, and what the request said, are no offer.
func (f *Adapter) offered(o probes.Operation, reply probes.Observation) (all []probes.Value) {
	known := func(v probes.Value) bool {
		_, operation := f.Operation(v.Text())
		return operation || slices.ContainsFunc(o.Parameters, func(p probes.Parameter) bool {
			return v.Text() == p.Name || v.Text() == p.Type || v.Equal(ValueIn(reply.Probe, p.Name))
		})
	}
	var lists func(v probes.Value, depth int)
	lists = func(v probes.Value, depth int) {
		for _, m := range v.Members() {
			if depth < 3 {
				lists(m.Value, depth+1)
			}
		}
		if items := v.Items(); !slices.ContainsFunc(items, known) {
			for _, item := range items {
				if item.Is(probes.String) || item.Is(probes.Number) {
					all = append(all, item)
				}
			}
		}
	}
	if lists(reply.Details(), 0); len(all) > 0 {
		return all
	}
	for _, word := range quoted.FindAllStringSubmatch(reply.Envelope().At("error", "message").Text(), maxTold) {
		if v := probes.ValueOf(word[1]); !known(v) {
			all = append(all, v)
		}
	}
	return all
}
