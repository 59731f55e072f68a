package gate

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// The name of an operation has a verb and a noun, in either order and in any language. A verb
// says what is done, so it stands in operations of one category. A noun says to what, so it
// recurs in operations of several categories. This tells them apart where the words are unknown,
// and where a noun is also a verb, as plant is.

// nounsOf is the key of the nouns of a name in the memo.
type nounsOf string

// countNouns notes in how many categories each possible noun occurs.
func (r *Rules) countNouns() {
	seen, first := map[[2]string]bool{}, map[[2]string]bool{} // by noun and category
	r.recurs, r.leads, r.acted = map[string]int{}, map[string]int{}, map[string]map[string]bool{}
	count := func(noun, category string, seen map[[2]string]bool, in map[string]int) {
		if at := [2]string{noun, category}; !seen[at] {
			seen[at] = true
			in[noun]++
		}
	}
	for _, o := range r.Operations {
		for _, noun := range nouns(r.goesAs(o.Name), vocab.Singular) {
			count(noun, o.Category, seen, r.recurs)
		}
		if words := vocab.Words(r.goesAs(o.Name)); len(words) > 1 {
			count(vocab.Singular(words[0]), o.Category, first, r.leads)
			if verb := words[1]; len(words) == 2 && slices.Contains(plainVerbs, verb) {
				if r.acted[words[0]] == nil {
					r.acted[words[0]] = map[string]bool{}
				}
				r.acted[words[0]][verb] = true
			}
		}
	}
}

// nouns are the nouns of a name, found out once: every operation is compared with every other.
func (r *Rules) nouns(name string) []string {
	name = r.goesAs(name)
	if known, was := r.memo.Load(nounsOf(name)); was {
		return known.([]string)
	}
	found := r.likelier(nouns(name, nil), nouns(name, vocab.Singular))
	if words, known := r.verbFirst(name); known {
		found = words[1:]
	} else if r.verbLast(words) {
		found = words[:1]
	}
	r.memo.Store(nounsOf(name), found)
	return found
}

// singularsOf is the key of the nouns of a name, in the singular, in the memo.
type singularsOf string

// singulars are the nouns of a name in the singular.
func (r *Rules) singulars(name string) []string {
	name = r.goesAs(name)
	if known, was := r.memo.Load(singularsOf(name)); was {
		return known.([]string)
	}
	folded := nouns(name, vocab.Singular)
	found := r.likelier(folded, folded)
	if words, known := r.verbFirst(name); known {
		found = []string{vocab.Singular(words[1])}
	} else if r.verbLast(words) {
		found = []string{vocab.Singular(words[0])}
	}
	r.memo.Store(singularsOf(name), found)
	return found
}

// Noun returns the noun of a name in the singular and in snake case; empty without one.
func (r *Rules) Noun(name string) string {
	return strings.ReplaceAll(first(r.singulars(name)), " ", "_")
}

// Parts splits a name into its verb and its noun in the singular, where the names of the other
// operations tell which is which; ok is false where they do not.
func (r *Rules) Parts(name string) (verb, noun string, ok bool) {
	folded, words := nouns(name, vocab.Singular), vocab.Words(name)
	found := r.likelier(folded, folded)
	if len(folded) != 2 || len(found) != 1 {
		return "", "", false
	}
	verb = words[0]
	if found[0] == folded[1] {
		verb = words[len(words)-1]
	}
	if as := r.goesAs(name); as != name {
		return verb, r.Noun(as), true
	}
	return verb, strings.ReplaceAll(found[0], " ", "_"), true
}

// likelier keeps of two possible nouns the one that recurs in more categories. folded are the
// same nouns in the singular.
func (r *Rules) likelier(found, folded []string) []string {
	if len(found) != 2 {
		return found
	}
	a, b := r.recurs[folded[0]], r.recurs[folded[1]]
	switch {
	case a > b:
		return found[:1]
	case b > a:
		return found[1:]
	}
	return found
}

// mostCategories is in how many categories a word has to occur that is a noun beyond doubt.
const mostCategories = 3

// nameEffect is the effect that the name of an operation promises. A noun that is also a verb
// promises none: the word beside it is the verb.
func (r *Rules) nameEffect(o probes.Operation) vocab.Effect {
	if words, known := r.verbFirst(o.Name); known {
		return vocab.NameEffect(words[0])
	}
	words, found := vocab.Words(o.Name), nouns(o.Name, vocab.Singular)
	if o.Category == "READ" && len(words) == 2 && vocab.Entity(words[0]) && readsBehind(words) && (vocab.Looks(words[1]) || identifiedBy(o, words[0])) && r.readLast() {
		return vocab.Reads
	}
	if o.Category == "READ" && len(words) == 2 && r.nounFirst(words[0]) && slices.Contains(aspects, words[1]) {
		return vocab.Reads
	}
	if len(found) == 2 && found[0] != found[1] && r.recurs[found[1]] >= mostCategories && r.recurs[found[0]] == 1 {
		return vocab.NameEffect(words[len(words)-1])
	}
	return vocab.NameEffect(o.Name)
}

// readLast reports whether most READ operations of two words are named by what they show and a verb that reads behind it, as
// payment_show is, and three of them show different things. A first word that adapters deal in is no verb then; clear_list
// clears.
func (r *Rules) readLast() bool {
	if is, known := r.memo.Load("read last"); known {
		return is.(bool)
	}
	shown, behind, all := map[string]bool{}, 0, 0
	for _, o := range r.Operations {
		if words := vocab.Words(o.Name); o.Category == "READ" && len(words) == 2 {
			first := vocab.Singular(words[0])
			noun := vocab.EffectOf(first) == vocab.None || vocab.Entity(first) || r.recurs[first] >= mostCategories
			if all++; noun && readsBehind(words) {
				shown[words[0]] = true
				behind++
			}
		}
	}
	is := len(shown) >= mostCategories && 2*behind > all
	r.memo.Store("read last", is)
	return is
}

// plainVerbs are verbs that no kind of objects is called by.
var plainVerbs = strings.Fields("create add get update change delete remove start stop cancel abort pause resume")

// aspects are what a READ shows of an object: no verb before one of them acts on it.
var aspects = strings.Fields("status state progress history log logs result results details info summary statistics stats versions")

// nounFirst reports whether a first word is a noun beyond doubt: operations have two different plain verbs behind it, as
// rollout_start and rollout_cancel have beside rollout_status.
func (r *Rules) nounFirst(word string) bool { return len(r.acted[word]) > 1 }

// readsBehind reports whether the second of two words reads, and the first does not.
func readsBehind(words []string) bool {
	return vocab.NameEffect(words[1]) == vocab.Reads && vocab.NameEffect(words[0]) != vocab.Reads
}

// identifiedBy reports whether an operation requires an identifier that begins with a noun, as payment_show requires a payment_no.
func identifiedBy(o probes.Operation, noun string) bool {
	return slices.ContainsFunc(o.Parameters, func(p probes.Parameter) bool {
		words := vocab.Words(p.Name)
		return p.Required && len(words) > 1 && words[0] == noun && identifying(p.Name)
	})
}

// verbFirst reports whether a name of two words has its noun behind, beyond doubt: that one recurs, and
// the other does not. A creation has its noun behind too where its first word is the noun of names that begin
// with a verb: beside get_file and delete_file, file_sale makes a sale.
func (r *Rules) verbFirst(name string) (words []string, known bool) {
	words = vocab.Words(name)
	if len(words) != 2 {
		return words, false
	}
	first, second := vocab.Singular(words[0]), vocab.Singular(words[1])
	o, _ := r.Operation(name)
	makes := o.Category == "CREATE" && vocab.EffectOf(second) == vocab.None && r.recurs[first] >= mostCategories && r.leads[first] <= 1
	return words, r.recurs[first] <= 1 && r.recurs[second] >= mostCategories || makes && r.recurs[second] <= 1
}

// verbLast is verbFirst for a name of two words that has its noun before: claim_file beside claim_show and claim_withdraw. It
// tells what is acted on, and not that the first word promises nothing: book_flight stands beside delete_book. A verb that
// makes something comes first: record_sale makes no record.
func (r *Rules) verbLast(words []string) bool {
	return len(words) == 2 && vocab.EffectOf(words[0]) != vocab.Creates && r.leads[vocab.Singular(words[0])] >= mostCategories && r.recurs[vocab.Singular(words[1])] <= 1
}

// related reports whether two operations act on the same kind of object: the author says
// so, or their names do.
func (r *Rules) related(a, b probes.Operation) bool {
	if told, named := r.resource(a.Name); named && told.Names(b.Name) {
		return true
	}
	return share(r.nouns(a.Name), r.nouns(b.Name))
}

// speaksOf reports whether a read may show objects of the kind that an operation makes: its name
// has the same noun in the singular or in the plural.
func (r *Rules) speaksOf(made, read probes.Operation) bool {
	return share(r.singulars(made.Name), r.singulars(read.Name)) || plural(r.nouns(made.Name), r.nouns(read.Name))
}

// related compares what two names say beside their verbs. The words have to be the same
// to the letter unless fold makes them so: delete_items is not the removal of an item.
func related(a, b string, fold func(string) string) bool {
	return share(nouns(a, fold), nouns(b, fold))
}

func share(a, b []string) bool {
	return slices.ContainsFunc(a, func(x string) bool { return slices.Contains(b, x) })
}

// plural reports whether one noun may be the plural of another, in any language that makes it by
// an ending. It is enough for a read.
func plural(a, b []string) bool {
	for _, x := range a {
		for _, y := range b {
			short, long := vocab.Fold(x), vocab.Fold(y)
			if len(short) > len(long) {
				short, long = long, short
			}
			if len(short) > 3 && strings.HasPrefix(long, short) && len(long)-len(short) <= 3 {
				return true
			}
		}
	}
	return false
}

// nouns are what a name may say beside its verb. Where no verb is known it may be the
// first word or the last.
func nouns(name string, fold func(string) string) []string {
	words := vocab.Words(name)
	if n := len(words); n > 2 && words[n-2] == "by" {
		words = words[:n-2] // get_item_by_id
	}
	if len(words) < 2 {
		return nil
	}
	folded := func(words []string) string {
		words = slices.Clone(words)
		if fold != nil {
			words[len(words)-1] = fold(words[len(words)-1])
		}
		return strings.Join(words, " ")
	}
	behind, before := folded(words[1:]), folded(words[:len(words)-1])
	leads, ends := vocab.EffectOf(words[0]) != vocab.None, vocab.EffectOf(words[len(words)-1]) != vocab.None
	switch {
	case leads && !ends:
		return []string{behind}
	case ends && !leads:
		return []string{before}
	}
	return []string{behind, before} // order_create and create_order both say order
}
