package model

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// maxOtherReads bounds the requests of OtherReads.
const maxOtherReads = 8

// OtherReads returns the requests that name the object to READ operations beside the one that shows it: plain
// ones, and one with each of their other parameters.
func (obj TestObject) OtherReads() (ps []probes.Probe) {
	for _, o := range obj.Operations {
		if o.Category != "READ" || o.Name == obj.Viewer.Name || slices.Contains(Reserved, o.Name) || obj.KnownGood[o.Name].State != Proven {
			continue
		}
		ids := map[string][]string{}
		for _, p := range o.Parameters {
			if !obj.TakesIdentifier(o, p) {
				continue
			}
			if path, ok := obj.Maker.IdentifierPath(obj.Maker.KnownGoodRequest().Reply, obj.Maker.Op, o, p); ok {
				ids[p.Name] = path
			}
		}
		if len(ids) == 0 {
			continue
		}
		plain := obj.RequestFor(o, ids)
		ps = append(ps, plain)
		for _, p := range o.Parameters {
			if _, given := plain.Params()[p.Name]; given {
				continue
			}
			if values := obj.Gen.Values(o, p); len(values) > 0 && !values[0].Is(probes.Object) && !values[0].Is(probes.Array) {
				ps = append(ps, plain.With(p.Name, values[0].Go()))
			}
		}
	}
	return ps[:min(len(ps), maxOtherReads)]
}
