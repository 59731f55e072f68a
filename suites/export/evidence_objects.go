package export

import (
	"encoding/json"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
)

// wayTo returns where a value stands in the envelope of an answer: names and positions
// joined by dots. There is none where a name holds a dot itself.
func wayTo(o probes.Observation, v probes.Value) (string, bool) {
	defer runtime.KeepAlive(o.Pin()) // the same reading in which the value was found
	var way []string
	var find func(at probes.Value) bool
	step := func(name string, at probes.Value) bool {
		way = append(way, name)
		if find(at) {
			return true
		}
		way = way[:len(way)-1]
		return false
	}
	find = func(at probes.Value) bool {
		if at == v {
			return true
		}
		for _, m := range at.Members() {
			if step(m.Name, m.Value) {
				return true
			}
		}
		for i, item := range at.Items() {
			if step(strconv.Itoa(i), item) {
				return true
			}
		}
		return false
	}
	if v.Is(probes.Absent) || !find(o.Envelope()) || slices.ContainsFunc(way, func(name string) bool { return name == "" || strings.Contains(name, ".") }) {
		return "", false
	}
	return strings.Join(way, "."), true
}

// spread adds what a value holds to fields, by path: objects by their members, because
// in a bundle they are compared as they are written.
func spread(fields map[string]json.RawMessage, path string, v probes.Value) {
	switch {
	case v.Is(probes.Object):
		for _, m := range v.Members() {
			if m.Name != "" && !strings.Contains(m.Name, ".") {
				spread(fields, path+"."+m.Name, m.Value)
			}
		}
	case v.Is(probes.Array) && slices.ContainsFunc(v.Items(), func(i probes.Value) bool { return i.Is(probes.Object) || i.Is(probes.Array) }):
		for i, item := range v.Items() {
			spread(fields, path+"."+strconv.Itoa(i), item)
		}
	default:
		if raw := quotable(v); raw != nil {
			fields[path] = raw
		}
	}
}

// roundTrips takes for each operation that makes something the first READ that shows
// what it made, with what the object was given. Fields that no READ shows are left out:
// they may be write-only.
func (b bundling) roundTrips() {
	for _, s := range model.EachListed(b.face) {
		obj, why := b.face.TestObject(s.Name)
		if s.Op.Category != "CREATE" || why != nil || obj.Viewer.Name == "" {
			continue
		}
		best := reports.RoundTripEvidence{Name: s.Name + " shown by " + obj.Viewer.Name}
		shown := b.everShown(obj)
		b.cases(func(_ model.Subject, got []probes.Observation) {
			for i, made := range got {
				look, ok := b.firstLook(obj, made, got[i+1:])
				if !ok {
					continue
				}
				if fields := submitted(obj, made, look, shown); len(fields) > len(best.Expected) {
					best.Expected, best.Response = fields, response(look)
				}
			}
		})
		if best.Response != nil {
			b.RoundTrips = append(b.RoundTrips, best)
		}
	}
}

// firstLook returns the READ of what a creation made, when nothing wrote before.
func (b bundling) firstLook(obj model.TestObject, made probes.Observation, after []probes.Observation) (probes.Observation, bool) {
	if made.Probe.Operation() != obj.Name || !made.Succeeded() {
		return probes.Observation{}, false
	}
	if _, plain := b.plain(made); !plain {
		return probes.Observation{}, false
	}
	for _, o := range after {
		op, plain := b.plain(o)
		if !plain || op.Category != "READ" {
			return probes.Observation{}, false
		}
		same := op.Name == obj.Viewer.Name && o.Succeeded()
		for name, path := range obj.ViewerIDs {
			same = same && probes.ValueOf(o.Probe.Params()[name]).Equal(made.Data().At(path...))
		}
		if same {
			return o, true
		}
	}
	return probes.Observation{}, false
}

// submitted returns what a creation was given, by the paths at which the look shows it.
func submitted(obj model.TestObject, made, look probes.Observation, shown map[string]bool) map[string]json.RawMessage {
	fields := map[string]json.RawMessage{}
	defer runtime.KeepAlive(look.Pin())
	path, ok := wayTo(look, obj.FindIn(look.Data()))
	if !ok {
		return fields
	}
	for name, v := range made.Probe.Params() {
		p, _ := check.Parameter(obj.Maker, name)
		if shown[name] && !check.IsSensitive(p) && !strings.Contains(name, ".") {
			spread(fields, path+"."+name, probes.ValueOf(v))
		}
	}
	return fields
}

// everShown lists the fields that any READ of the kind of object showed.
func (b bundling) everShown(obj model.TestObject) map[string]bool {
	shown := map[string]bool{}
	for o := range b.record.All() {
		if o.Probe.Operation() == obj.Viewer.Name && o.Succeeded() {
			for _, name := range obj.FindIn(o.Data()).Names() {
				shown[name] = true
			}
		}
	}
	return shown
}

// updates takes what a READ shows after an update of one field, with what it showed
// before of the others. Fields that do not show what they were given follow rules of
// their own.
func (b bundling) updates() {
	b.cases(func(s model.Subject, got []probes.Observation) {
		obj, _ := s.TestObject(s.Name)
		sc := check.MergeStepResults(obj, got)["scalar"]
		if !sc.Sent || !sc.Reply.Succeeded() || check.AnnouncedPending(sc.Reply) || !sc.Read.Succeeded() {
			return
		}
		defer runtime.KeepAlive(sc.Read.Pin())
		path, ok := wayTo(sc.Read, obj.ObjectIn(sc.Read))
		preserved := map[string]json.RawMessage{}
		for name, v := range check.InitialFields(obj) {
			if value := probes.ValueOf(v); name != check.TextFieldName(obj) && check.StoresValue(sc.Before.At(name), value) && !strings.Contains(name, ".") {
				spread(preserved, path+"."+name, value)
			}
		}
		if raw := response(sc.Read); ok && raw != nil && len(preserved) > 0 {
			b.Updates = append(b.Updates, reports.PreservationEvidence{Name: s.Name + " of " + check.TextFieldName(obj), Preserved: preserved, Response: raw})
		}
	}, "AQL-4.5.1-04")
}
