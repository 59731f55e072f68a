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

// pathTo returns the dotted path of a value in the envelope of an answer. There is none if a name
// contains a dot.
func pathTo(o probes.Observation, v probes.Value) (string, bool) {
	defer runtime.KeepAlive(o.Pin()) // values are compared by identity, so the parsed answer must stay in memory
	var path []string
	var find func(at probes.Value) bool
	step := func(name string, at probes.Value) bool {
		path = append(path, name)
		if find(at) {
			return true
		}
		path = path[:len(path)-1]
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
	if v.Is(probes.Absent) || !find(o.Envelope()) || slices.ContainsFunc(path, func(name string) bool { return name == "" || strings.Contains(name, ".") }) {
		return "", false
	}
	return strings.Join(path, "."), true
}

// flatten adds the leaves of a value to fields, by path, because the runner compares raw JSON.
func flatten(fields map[string]json.RawMessage, path string, v probes.Value) {
	switch {
	case v.Is(probes.Object):
		for _, m := range v.Members() {
			if m.Name != "" && !strings.Contains(m.Name, ".") {
				flatten(fields, path+"."+m.Name, m.Value)
			}
		}
	case v.Is(probes.Array) && slices.ContainsFunc(v.Items(), func(i probes.Value) bool { return i.Is(probes.Object) || i.Is(probes.Array) }):
		for i, item := range v.Items() {
			flatten(fields, path+"."+strconv.Itoa(i), item)
		}
	default:
		if raw := rawJSON(v); raw != nil {
			fields[path] = raw
		}
	}
}

// roundTrips adds for each CREATE the first READ of the created object and the fields that were
// sent. It omits fields that no READ shows: they may be write-only.
func (b evidenceBuilder) roundTrips() {
	makers, viewed := map[string]*roundTrip{}, map[string][]*roundTrip{} // by CREATE, by READ
	for _, s := range model.EachListed(b.adapter) {
		obj, why := b.adapter.TestObject(s.Name)
		if s.Op.Category != "CREATE" || why != nil || obj.Viewer.Name == "" {
			continue
		}
		trip := &roundTrip{obj, map[string]bool{}, reports.RoundTripEvidence{Name: s.Name + " shown by " + obj.Viewer.Name}}
		makers[obj.Name] = trip
		viewed[obj.Viewer.Name] = append(viewed[obj.Viewer.Name], trip)
	}
	for o := range b.record.All() {
		trips := viewed[o.Probe.Operation()]
		if len(trips) == 0 || !o.Succeeded() {
			continue
		}
		for _, trip := range trips {
			for _, name := range trip.obj.FindIn(o.Data()).Names() {
				trip.shown[name] = true
			}
		}
	}
	b.forEachCase(func(_ model.Subject, got probes.Answers) {
		for i, made := range got {
			trip := makers[made.Probe.Operation()]
			if trip == nil {
				continue
			}
			look, ok := b.firstRead(trip.obj, made, got[i+1:])
			if !ok {
				continue
			}
			if fields := submittedFields(trip.obj, made, look, trip.shown); len(fields) > len(trip.best.Expected) {
				trip.best.Expected, trip.best.Response = fields, response(look)
			}
		}
	})
	for _, s := range model.EachListed(b.adapter) {
		if trip := makers[s.Name]; trip != nil && trip.best.Response != nil {
			b.RoundTrips = append(b.RoundTrips, trip.best)
		}
	}
}

// A roundTrip is a CREATE whose objects a READ shows.
type roundTrip struct {
	obj   model.TestObject
	shown map[string]bool // fields that any READ of this kind of object shows
	best  reports.RoundTripEvidence
}

// firstRead returns the READ of a created object if there is no write before it.
func (b evidenceBuilder) firstRead(obj model.TestObject, made probes.Observation, later []probes.Observation) (probes.Observation, bool) {
	if !made.Succeeded() {
		return probes.Observation{}, false
	}
	if _, plain := b.isPlainCall(made); !plain {
		return probes.Observation{}, false
	}
	for _, o := range later {
		op, plain := b.isPlainCall(o)
		if !plain || op.Category != "READ" {
			return probes.Observation{}, false
		}
		same := op.Name == obj.Viewer.Name && o.Succeeded()
		for name, path := range obj.ViewerIDs {
			same = same && probes.ValueOf(o.Probe.Params()[name]).Equal(made.Told(path...))
		}
		if same {
			return o, true
		}
	}
	return probes.Observation{}, false
}

// submittedFields returns the fields of a creation by their paths in the read.
func submittedFields(obj model.TestObject, made, read probes.Observation, shown map[string]bool) map[string]json.RawMessage {
	fields := map[string]json.RawMessage{}
	defer runtime.KeepAlive(read.Pin())
	path, ok := pathTo(read, obj.FindIn(read.Data()))
	if !ok {
		return fields
	}
	for name, v := range made.Probe.Params() {
		p, _ := check.Parameter(obj.Maker, name)
		if shown[name] && !check.IsSensitive(p) && !strings.Contains(name, ".") {
			flatten(fields, path+"."+name, probes.ValueOf(v))
		}
	}
	return fields
}

// updates adds the read after an update of one field, with the earlier values of the other fields.
// It omits fields that are not stored as sent.
func (b evidenceBuilder) updates() {
	b.forEachCase(func(s model.Subject, got probes.Answers) {
		obj, _ := s.TestObject(s.Name)
		sc := check.MergeStepResults(obj, got)["scalar"]
		if !sc.Sent || !sc.Reply.Succeeded() || check.AnnouncedPending(s.Adapter, sc.Reply) || !sc.Read.Succeeded() {
			return
		}
		defer runtime.KeepAlive(sc.Read.Pin())
		path, ok := pathTo(sc.Read, obj.ObjectIn(sc.Read))
		preserved := map[string]json.RawMessage{}
		for name, v := range check.InitialFields(obj) {
			if value := probes.ValueOf(v); name != check.TextFieldName(obj) && check.StoresValue(sc.Before.At(name), value) && !strings.Contains(name, ".") {
				flatten(preserved, path+"."+name, value)
			}
		}
		if raw := response(sc.Read); ok && raw != nil && len(preserved) > 0 {
			b.Updates = append(b.Updates, reports.PreservationEvidence{Name: s.Name + " of " + check.TextFieldName(obj), Preserved: preserved, Response: raw})
		}
	}, "AQL-4.5.1-04")
}
