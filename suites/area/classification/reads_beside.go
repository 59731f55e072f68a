package classification

import (
	"maps"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// Several READ operations may name the same object: one shows it, another lists what lies in it. Each of them
// has to leave it as it was.

// mostOtherReads bounds the requests of otherReads.
const mostOtherReads = 8

// otherReads are the requests that name our own object to READ operations beside the one that shows it: a plain one
// to each, and then one with each of their optional parameters. They take its identifier by the name that it has there.
func otherReads(s model.Subject, sp model.TestObject) []probes.Probe {
	var all, optional []probes.Probe
	names := slices.Sorted(maps.Keys(sp.ViewerIDs))
	if len(names) == 0 {
		return nil
	}
	for _, o := range readsByParameter(s)[vocab.Letters(names[0])] {
		ids := map[string][]string{}
		for _, p := range o.Parameters {
			i := slices.IndexFunc(names, func(name string) bool { return vocab.Letters(name) == vocab.Letters(p.Name) })
			if i >= 0 {
				ids[p.Name] = sp.ViewerIDs[names[i]]
			}
		}
		if len(ids) < len(names) {
			continue
		}
		plain := sp.RequestFor(o, ids)
		all = append(all, plain)
		optional = append(optional, withOptions(s, o, plain)...)
	}
	all = append(all, optional...)
	return all[:min(len(all), mostOtherReads)]
}

// withOptions are the plain request of a READ with each of its optional parameters.
func withOptions(s model.Subject, o probes.Operation, plain probes.Probe) (all []probes.Probe) {
	for _, p := range o.Parameters {
		_, given := plain.Params()[p.Name]
		if given || check.WaitPattern.MatchString(p.Name) || p.Raw.At("sensitive").True() || probes.IsReference(o, p) {
			continue
		}
		if values := s.Gen.Values(o, p); len(values) > 0 {
			all = append(all, plain.With(p.Name, values[0].Go()))
		}
	}
	return all
}

// mostOptions bounds the requests of optionalReads.
const mostOptions = 4

// optionalReads are the requests that show our own object in another way: one field of it, and what the optional
// parameters of the READ ask for.
func optionalReads(s model.Subject, sp model.TestObject) []probes.Probe {
	all := withOptions(s, sp.Viewer, sp.Read(""))
	if text, ok := sp.TextField(); ok && sp.Viewer.HasParameter("fields") {
		all = append([]probes.Probe{sp.Read("").With("fields", []string{text.Name})}, all...)
	}
	return all[:min(len(all), mostOptions)]
}

// readsByParameter are the proven READ operations by the letters of each of their parameters, but for those that
// show the objects of a kind: where each kind is identified by "id", the others would not find ours.
func readsByParameter(s model.Subject) map[string][]probes.Operation {
	return s.Remember("READ operations by parameter", func() any {
		by, viewers := map[string][]probes.Operation{}, map[string]bool{}
		for _, k := range kindsOf(s) {
			sp, _ := k.TestObject(k.Name)
			viewers[sp.Viewer.Name] = true
		}
		for _, o := range s.Operations {
			if o.Category == "READ" && !viewers[o.Name] && s.KnownGood[o.Name].State == model.Proven && !slices.Contains(model.Reserved, o.Name) {
				for _, p := range o.Parameters {
					by[vocab.Letters(p.Name)] = append(by[vocab.Letters(p.Name)], o)
				}
			}
		}
		return by
	}).(map[string][]probes.Operation)
}
