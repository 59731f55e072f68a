package gate

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// markIdentifiers notes which parameters take the identifier of an object: those that a READ
// operation and an UPDATE or DELETE operation of the same kind of object both require, and the
// same parameters of other operations on that kind. Names say less, because a key may be called
// number, sku or path.
func (r *Rules) markIdentifiers() {
	for _, d := range r.Operations {
		if d.Category != "UPDATE" && d.Category != "DELETE" {
			continue
		}
		views, key, ok := r.acts(d)
		if !ok {
			continue
		}
		shown := r.shownAs(views[0], key)
		for _, o := range r.Operations {
			if o.Name != "introspect" && r.related(d, o) {
				markParameters(o, d, key, shown)
			} else if o.Category == "CREATE" {
				r.markHeld(o, d)
			}
		}
	}
}

// keyElsewhere reports whether a parameter has the name and the type of the whole identifier of another kind,
// as a loan has the code of its book.
func (r *Rules) keyElsewhere(o probes.Operation, p probes.Parameter) bool {
	return once(r, "key elsewhere "+o.Name+" "+p.Name+" "+p.Type, func() bool {
		return slices.ContainsFunc(r.byKey()[vocab.Letters(p.Name)], func(d probes.Operation) bool {
			return d.Name != o.Name && !r.related(o, d) && r.keyed(d, p)
		})
	})
}

// byKey are the changes and removals that name their object by one parameter, by the letters of its name.
func (r *Rules) byKey() map[string][]probes.Operation {
	return once(r, "changes and removals by key", func() map[string][]probes.Operation {
		all := map[string][]probes.Operation{}
		for _, d := range r.Operations {
			if _, key, ok := r.acts(d); ok && len(key) == 1 && (d.Category == "UPDATE" || d.Category == "DELETE") {
				letters := vocab.Letters(key[0])
				all[letters] = append(all[letters], d)
			}
		}
		return all
	})
}

// identifies reports whether a parameter of a creation names an object: another one, or the new one.
func (r *Rules) identifies(k Kind, p probes.Parameter) bool {
	return r.refers(k.Make, p) || r.keyElsewhere(k.Make, p) || slices.ContainsFunc(k.Key, func(name string) bool { return alike(name, p.Name) })
}

// keyed reports whether a change or a removal names its object by one parameter, of this name and type.
func (r *Rules) keyed(d probes.Operation, p probes.Parameter) bool {
	_, key, ok := r.acts(d)
	return ok && len(key) == 1 && alike(key[0], p.Name) && parameter(d, key[0]).Type == p.Type
}

// markHeld marks the required parameters of a creation that are named after another kind and take its key.
func (r *Rules) markHeld(o, d probes.Operation) {
	for i, p := range o.Parameters {
		words := " " + strings.Join(vocab.Words(p.Name), " ") + " "
		after := slices.ContainsFunc(r.singulars(d.Name), func(noun string) bool { return strings.Contains(words, " "+noun+" ") })
		o.Parameters[i].Identifies = p.Identifies || p.Required && after && r.keyed(d, p)
	}
}

// markParameters marks the required parameters of an operation that have the name and the type of
// an identifier, as a change or a removal has it, and the member that shows it.
func markParameters(o, d probes.Operation, key []string, shown string) {
	for i, p := range o.Parameters {
		if p.Required && slices.ContainsFunc(key, func(name string) bool { return alike(p.Name, name) && p.Type == parameter(d, name).Type }) {
			o.Parameters[i].Identifies = true
			o.Parameters[i].Shown = cmp.Or(p.Shown, shown)
		}
	}
}

// shownAs returns the field of what a read shows that holds the one identifier which the read takes under another
// name: its record has the pattern or the description of the parameter, and no other field has.
func (r *Rules) shownAs(view probes.Operation, key []string) (field string) {
	if len(key) != 1 {
		return ""
	}
	p := parameter(view, key[0])
	same := func(f probes.Parameter, name string) bool {
		text := p.Raw.At(name).Text()
		return text != "" && f.Raw.At(name).Text() == text
	}
	for _, t := range r.shownTypes(view) {
		for _, f := range r.Fields(probes.Parameter{Type: t}) {
			switch {
			case f.Type != p.Type:
			case alike(f.Name, p.Name):
				return ""
			case (same(f, "pattern") || same(f, "description")) && field != "" && field != f.Name:
				return ""
			case same(f, "pattern") || same(f, "description"):
				field = f.Name
			}
		}
	}
	return field
}

// ownKey reports whether a parameter of a creation is the whole identifier of what it makes, and of
// nothing else: no read of another kind takes it alone.
func (r *Rules) ownKey(k Kind, name string) bool {
	return len(k.Key) == 1 && alike(k.Key[0], name) && !slices.ContainsFunc(r.Operations, func(o probes.Operation) bool {
		return takesAlone(o, name) && !r.related(k.Make, o)
	})
}

// place reports whether a parameter is the part of an identifier that means nothing without the
// others, as the number of an issue does without its repository.
func (r *Rules) place(k Kind, p probes.Parameter) bool {
	p.Identifies = false // it does, with the others; by its own name it may refer to something else
	return len(k.Key) > 1 && !r.Parent(k, p.Name) && !r.refers(k.Make, p) && slices.ContainsFunc(k.Key, func(name string) bool { return alike(name, p.Name) }) &&
		!slices.ContainsFunc(r.Operations, func(o probes.Operation) bool { return takesAlone(o, p.Name) && !r.related(k.Make, o) })
}

// takesAlone reports whether a READ demands one parameter, of this name.
func takesAlone(o probes.Operation, name string) bool {
	demanded := slices.DeleteFunc(slices.Clone(o.Parameters), func(p probes.Parameter) bool { return !p.Required })
	return o.Category == "READ" && len(demanded) == 1 && alike(demanded[0].Name, name)
}

// Parent reports whether a parameter of an identifier names another object than the one that is
// identified: the key of another kind, as the repository of an issue is.
func (r *Rules) Parent(k Kind, name string) bool { return len(r.ParentsOf(k, name)) > 0 }

// ParentsOf are the kinds of which a part of an identifier is the key.
func (r *Rules) ParentsOf(k Kind, name string) (all []Kind) {
	if len(k.Key) < 2 {
		return nil
	}
	// Where another part is named after the kind, as the namespace of a workload, both have a name of their own.
	return slices.DeleteFunc(r.HoldersOf(k, name), func(holder Kind) bool {
		return slices.ContainsFunc(k.Key, func(part string) bool {
			return !alike(part, name) && holder.goesBy(k.Make.Name, part) && !holder.goesBy(k.Make.Name, name)
		})
	})
}

// HoldersOf returns the kinds whose one identifier a parameter of a creation is named like: code for that of a lot, or lot_code; or lot,
// where both have one pattern.
func (r *Rules) HoldersOf(k Kind, name string) (all []Kind) {
	p := parameter(k.Make, name)
	for _, holder := range r.holders(name) {
		key := parameter(holder.Views[0], holder.Key[0])
		pattern := key.Raw.At("pattern")
		bare := slices.ContainsFunc(nouns(holder.Views[0].Name, vocab.Singular), func(noun string) bool { return vocab.Letters(noun) == vocab.Letters(name) })
		longer := key.Type == p.Type && pattern.Equal(p.Raw.At("pattern")) && !(bare && pattern.Is(probes.Absent))
		same := len(k.Views) > 0 && holder.Views[0].Name == k.Views[0].Name
		if holder.Make.Name != k.Make.Name && !same && (alike(holder.Key[0], name) || longer) {
			all = append(all, holder)
		}
	}
	return all
}

// Names of parameters whose value is another object: of the same kind, or of any kind.
var (
	kinships  = strings.Fields("parent child children next previous prev sibling predecessor successor replaces merge other")
	relations = append(strings.Fields("owner target source lead leader member members"), kinships...)
)

var toldIdentifier = regexp.MustCompile(`(?i)\b(id|ids|identifiers?|keys?) of\b|\bthe other\b`)

// refers reports whether a parameter takes the identifier of something that exists: by
// its form, because it is named as a kind of object that the adapter has, or as its
// description says. A number with bounds and a name in the plural is an amount of those whose key is a text.
func (r *Rules) refers(o probes.Operation, p probes.Parameter) bool {
	words := vocab.Words(p.Name)
	if probes.IsEcho(p) {
		return false
	}
	if probes.IsReference(o, p) || len(words) > 0 && toldIdentifier.MatchString(p.Raw.At("description").Text()) {
		return true
	}
	if len(words) == 0 {
		return false
	}
	e, err := probes.ParseType(p.Type)
	numeric := err == nil && (e.Name == "integer" || e.Name == "number" || e.Form == probes.ListOf || e.Name == "array")
	last := vocab.Singular(words[len(words)-1])
	if slices.Contains(relations, last) && err == nil && e.Name != "boolean" {
		return numeric || last != "owner" && last != "source" && last != "target" // which may be free texts
	}
	pattern := p.Raw.At("pattern") // that of the key of the kind, where it is a text
	amount := numeric && last != words[len(words)-1] && (p.Raw.Has("minimum") || p.Raw.Has("maximum"))
	return (numeric || !pattern.Is(probes.Absent)) && slices.ContainsFunc(r.Operations, func(v probes.Operation) bool {
		return v.Category == "READ" && slices.ContainsFunc(v.Parameters, func(q probes.Parameter) bool {
			return q.Required && (numeric && !(amount && q.Type == "string") || !numeric && pattern.Equal(q.Raw.At("pattern")))
		}) && slices.ContainsFunc(nouns(v.Name, vocab.Singular), func(noun string) bool { return noun == last || noun == r.domain()+last })
	})
}

// domain returns the words with which the names of all operations begin, with a space behind them: the noun of depot_bay_get is that of
// a bay.
func (r *Rules) domain() string {
	return once(r, "domain", func() string {
		var words []string
		for _, o := range r.Operations {
			these := vocab.Words(o.Name)
			switch {
			case o.Name == "introspect":
				continue
			case words == nil:
				words = these
			}
			n := 0
			for n < min(len(words), len(these)) && words[n] == these[n] {
				n++
			}
			if words = words[:n]; n == 0 {
				break
			}
		}
		if len(words) == 0 {
			return ""
		}
		return strings.Join(words, " ") + " "
	})
}

// sharedKey returns the required parameters of a read, where the operation requires all
// of them under the same names and with the same types, and requires nothing else that
// could choose objects. One of them at least takes any value. Where another takes one of a few, none has
// a name that chooses objects.
func sharedKey(o, view probes.Operation) (key []string, ok bool) {
	free, enumerated, scoped := false, false, false
	for _, p := range view.Parameters {
		if !p.Required {
			continue
		}
		i := slices.IndexFunc(o.Parameters, func(q probes.Parameter) bool { return q.Required && alike(q.Name, p.Name) && q.Type == p.Type })
		if i < 0 || !scalarType(p) {
			return nil, false
		}
		key = append(key, p.Name)
		free, enumerated, scoped = free || single(p), enumerated || !single(p), scoped || scoping(p)
	}
	for _, p := range o.Parameters {
		if p.Required && !slices.ContainsFunc(key, func(k string) bool { return alike(k, p.Name) }) && chooses(o, p) {
			return nil, false
		}
	}
	return key, free && !(enumerated && scoped)
}

// single reports whether a parameter takes any text or any number, and no list of them.
func single(p probes.Parameter) bool {
	return scalarType(p) && len(p.Raw.At("enum").Items()) == 0
}

// enumerated reports whether a part of an identifier is one of a few documented values, as the company of a debtor is.
func (k Kind) enumerated(name string) bool {
	return len(k.Views) > 0 && len(parameter(k.Views[0], name).Raw.At("enum").Items()) > 0
}

// scalarType reports whether a parameter takes one text or one number.
func scalarType(p probes.Parameter) bool {
	e, err := probes.ParseType(p.Type)
	return err == nil && (e.Form == probes.Primitive && slices.Contains([]string{"string", "integer", "number"}, e.Name) || e.Form == probes.Named)
}
