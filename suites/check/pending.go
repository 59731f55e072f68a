package check

import (
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
)

// AnnouncedPending reports whether an answer says that the operation completes later (ODD-08).
// A state that callers give an object is one of the object, and tells nothing of the operation. So are the state and
// the execution of an object that an update shows as it is now.
func AnnouncedPending(f *model.Adapter, o probes.Observation) bool {
	for _, path := range [][]string{{"status"}, {"state"}, {"execution", "status"}} {
		status := o.Data().At(path...)
		switch strings.ToLower(status.Text()) {
		case "pending", "queued", "running", "accepted", "scheduled", "processing", "in_progress", "deleting", "updating":
			if len(path) > 1 || !f.CallersSet(path[0], status) && !updatedObject(f, o, path[0]) {
				return true
			}
		}
	}
	return o.Data().Has("execution_id") && !updatedObject(f, o, "execution_id")
}

// updatedObject reports whether the answer to an update is the object as a READ shows it, with a member of that name
// and with what was sent.
func updatedObject(f *model.Adapter, o probes.Observation, name string) bool {
	op, _ := f.Operation(o.Probe.Operation())
	if op.Category != "UPDATE" {
		return false
	}
	obj, why := f.TestObject(op.Name)
	if why != nil || f.KnownGood[obj.Viewer.Name].State != model.Proven {
		return false
	}
	shown, have := f.KnownGood[obj.Viewer.Name].Reply.Data(), 0
	if all := shown.Members(); len(all) == 1 { // a wrapper
		shown = all[0].Value
	}
	for _, m := range shown.Members() {
		if o.Data().Has(m.Name) {
			have++
		}
	}
	for _, m := range model.ValueIn(o.Probe, "input").Members() {
		if scalar := !m.Value.Is(probes.Object) && !m.Value.Is(probes.Array) && !m.Value.Is(probes.Null); scalar && !o.Data().At(m.Name).Equal(m.Value) {
			return false
		}
	}
	return shown.Has(name) && 3*have >= 2*len(shown.Members())
}
