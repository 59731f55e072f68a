package check

import (
	"maps"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
)

// MostOrders is how many requests are tried to find one that orders a listing otherwise.
const MostOrders = 10

// An Order is a request that may order a listing otherwise, by a value of a parameter or of a field.
type Order struct {
	By    string // the parameter, or parameter.field
	Value probes.Value
	Call  probes.Probe
}

// OrdersOf returns such requests: with each value of an enumeration, and with a flag; then with each list of one object or of one such
// value, where each parameter takes its turn. Of an object, the required fields have their first value.
func OrdersOf(s model.Subject) []Order {
	all := orders(s, func(p probes.Parameter) []probes.Value {
		if p.Type == "boolean" {
			return []probes.Value{probes.ValueOf(true)}
		}
		return s.EnumOf(p)
	}, func(v probes.Value) any { return v.Go() })
	lists := orders(s, func(p probes.Parameter) []probes.Value {
		items := p.Raw.At("items")
		if p.Type != "array" || !items.Is(probes.Object) {
			return nil
		}
		return s.EnumOf(probes.Parameter{Name: p.Name, Type: items.At("type").Text(), Raw: items})
	}, func(v probes.Value) any { return []any{v.Go()} })
	tries := map[string]int{}
	turn := map[string]int{} // by request
	for _, o := range lists {
		turn[o.Call.Key()] = tries[o.By]
		tries[o.By]++
	}
	slices.SortStableFunc(lists, func(x, y Order) int { return turn[x.Call.Key()] - turn[y.Call.Key()] })
	return slices.Concat(all, elementOrders(s), lists)
}

// orders returns the requests with the values of each parameter, and of each field of an object.
func orders(s model.Subject, values func(p probes.Parameter) []probes.Value, sent func(v probes.Value) any) (all []Order) {
	for _, p := range s.Op.Parameters {
		if _, set := s.ValidCall().Params()[p.Name]; p.Required || set {
			continue
		}
		fields, _ := s.FieldsOf(p, probes.Operation{})
		if len(fields) == 0 {
			for _, v := range values(p) {
				all = append(all, Order{p.Name, v, s.ValidCall().With(p.Name, sent(v))})
			}
			continue
		}
		for _, o := range objectsOf(fields, values, sent) {
			all = append(all, Order{p.Name + "." + o.field, o.value, s.ValidCall().With(p.Name, o.object)})
		}
	}
	return all
}

// elementOrders returns the requests with a list of one object, in which a field has a listed value: {"field": "title"}.
func elementOrders(s model.Subject) (all []Order) {
	for _, p := range s.Op.Parameters {
		_, set := s.ValidCall().Params()[p.Name]
		items := p.Raw.At("items")
		if p.Required || set || p.Type != "array" || !items.Is(probes.Object) {
			continue
		}
		fields, _ := s.FieldsOf(probes.Parameter{Name: p.Name, Type: items.At("type").Text(), Raw: items}, probes.Operation{})
		for _, o := range objectsOf(fields, s.EnumOf, probes.Value.Go) {
			all = append(all, Order{p.Name + "." + o.field, o.value, s.ValidCall().With(p.Name, []any{o.object})})
		}
	}
	return all
}

// A chosen is an object in which one field has a value that stands for it.
type chosen struct {
	field  string
	value  probes.Value
	object map[string]any
}

// objectsOf are the objects with each value of each field, where the required fields have their first value.
func objectsOf(fields []probes.Parameter, values func(p probes.Parameter) []probes.Value, sent func(v probes.Value) any) (all []chosen) {
	needed := map[string]any{}
	for _, f := range fields {
		if all := values(f); f.Required && len(all) > 0 {
			needed[f.Name] = sent(all[0])
		} else if f.Required {
			return nil
		}
	}
	for _, f := range fields {
		for _, v := range values(f) {
			object := maps.Clone(needed)
			object[f.Name] = sent(v)
			all = append(all, chosen{f.Name, v, object})
		}
	}
	return all
}

// Narrows reports whether a request lists fewer or other items than the plain one: its parameter says
// what is listed, and not in which order.
func Narrows(plain, o probes.Observation) bool {
	x, _, _ := Collection(plain.Data())
	y, _, _ := Collection(o.Data())
	total := totalOf(plain)
	return o.Succeeded() && (len(y) < len(x) || total.Is(probes.Number) && !total.Equal(totalOf(o)))
}

// OrdersOtherwise reports whether two listings show as many items in another order. Of a collection with
// more pages the numbers of all items are compared, where both listings tell them.
func OrdersOtherwise(plain, o probes.Observation) bool {
	x, y := itemsOf(plain, o)
	partial := IsPartialListing(plain.Envelope())
	of, _, told := ItemKeys(x)
	switch total := totalOf(plain); {
	case !plain.Succeeded() || !o.Succeeded() || !told || partial != IsPartialListing(o.Envelope()), len(x) != len(y),
		len(KeysOf(y, of)) != len(y), !partial && !slices.Equal(KeysOf(x, of), KeysOf(y, of)), total.Is(probes.Number) && !total.Equal(totalOf(o)):
		return false
	}
	return !slices.EqualFunc(x, y, func(a, b probes.Value) bool { return of(a) == of(b) })
}

// itemsOf returns the items of two listings by the members that both show: a request may choose what is shown of them.
func itemsOf(a, b probes.Observation) (x, y []probes.Value) {
	x, _, _ = Collection(a.Data())
	y, _, _ = Collection(b.Data())
	return withoutLost(x, y), withoutLost(y, x)
}

// withoutLost leaves out the members that each of the items has and none of the others.
func withoutLost(items, others []probes.Value) []probes.Value {
	if len(items) == 0 || len(others) == 0 {
		return items
	}
	lost := slices.DeleteFunc(items[0].Names(), func(name string) bool {
		return len(Column(items, name)) < len(items) || len(Column(others, name)) > 0
	})
	if len(lost) == 0 {
		return items
	}
	var all []probes.Value
	for _, item := range items {
		kept := map[string]any{}
		for _, m := range item.Members() {
			if !slices.Contains(lost, m.Name) {
				kept[m.Name] = m.Value.Go()
			}
		}
		all = append(all, probes.ValueOf(kept))
	}
	return all
}

// Reversed is the share of the pairs of items that two listings have in opposite orders; 0 where both have one order. Items
// that are equal in what they are ordered by may keep their places among each other.
func Reversed(ordered, o probes.Observation) float64 {
	if !OrdersOtherwise(ordered, o) {
		return 0
	}
	x, y := itemsOf(ordered, o)
	of, _, _ := ItemKeys(x)
	place := map[string]int{}
	for i, item := range y {
		place[of(item)] = i
	}
	reversed := 0
	for i := range x {
		for j := range i {
			if place[of(x[i])] < place[of(x[j])] {
				reversed++
			}
		}
	}
	return float64(2*reversed) / float64(len(x)*(len(x)-1))
}

func totalOf(o probes.Observation) probes.Value { return o.Data().At("pageInfo", "totalCount") }
