// Package vocab says what the words of an adapter promise: which effect the name or the
// description of an operation speaks of. The checker asks before it calls, because a
// name can only make an operation more dangerous than its category says.
//
// It knows verbs and little grammar, in English, German, Spanish, French, Italian,
// Portuguese and Dutch. It knows no adapter, no product and no category, and it refuses
// to know what an operation really does: None is not harmless, it is no known promise.
// Where a word has two meanings the more dangerous one counts, so open_issues is taken
// for the opening of something, and the checker leaves it alone.
package vocab

// An Effect is what words promise to do, from nothing to what cannot be taken back.
type Effect int

// The effects, the most dangerous last.
const (
	None    Effect = iota // no known verb
	Reads                 // looks, computes, or hands out
	Creates               // puts something new into the store
	Changes               // makes something in the store different
	Removes               // takes something out of the store or out of sight
	Reaches               // acts outside the store: sends, pays, runs, authenticates, moves
)

func (e Effect) String() string {
	if e < None || e > Reaches {
		return "no effect"
	}
	return [...]string{"None", "Reads", "Creates", "Changes", "Removes", "Reaches"}[e]
}
