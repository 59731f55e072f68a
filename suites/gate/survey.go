package gate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// A survey is what the listings of one kind of object showed before the run made one.
type survey struct {
	kind  Kind
	rows  []probes.Value
	texts map[string]bool // all texts in them
	keys  map[string]bool // the identifiers of the rows
	ended bool            // each listing was seen to its end
}

// survey returns what was there of a kind before the run made any. It looks once.
func (g *Gate) survey(ctx context.Context, k Kind) *survey {
	g.mu.Lock()
	s, known := g.surveys[k.Make.Name]
	g.mu.Unlock()
	if known {
		return s
	}
	s = &survey{kind: k, texts: map[string]bool{}, keys: map[string]bool{}}
	all := g.listings(ctx, k)
	s.ended = len(all) > 0
	for _, l := range all {
		s.ended = s.ended && l.ended
		for _, row := range l.rows {
			s.add(row)
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if ctx.Err() == nil {
		g.surveys[k.Make.Name] = s
	}
	return s
}

func (s *survey) add(row probes.Value) {
	s.rows = append(s.rows, row)
	for _, text := range stringsIn(row) {
		s.texts[text] = true
	}
	if key, ok := keyOf(s.kind, row); ok {
		s.keys[keyText(key)] = true
	}
}

func keyText(key []probes.Value) string {
	var parts []string
	for _, v := range key {
		parts = append(parts, v.Canonical(nil))
	}
	return strings.Join(parts, "\x00")
}

// about reports whether the survey is of objects that the reads of a kind show.
func (s *survey) about(k Kind) bool {
	return len(s.kind.Views) > 0 && len(k.Views) > 0 && s.kind.Views[0].Name == k.Views[0].Name
}

// has reports whether an identifier was there before.
func (s *survey) has(key []probes.Value) bool { return s != nil && s.keys[keyText(key)] }

// taken reports whether a row has a value in a field in which no two rows have the same:
// an adapter that demands different values there may take an object with this one for
// the row. A value that is documented as usual is one only where others stand beside it.
func (s *survey) taken(field string, v probes.Value, usual bool) bool {
	if s == nil || !scalar(v) {
		return false
	}
	found, seen := false, map[string]bool{}
	for _, row := range s.rows {
		m := plainText(memberLike(row, field))
		if m == "" {
			continue
		}
		if seen[m] {
			return false
		}
		seen[m] = true
		found = found || m == plainText(v)
	}
	return found && (len(seen) > 1 || !usual)
}

// farAway is how far the times of an unmarked object are kept from those of others: an adapter may take two of one day, or of one year, for one.
const farAway = 400 * 24 * time.Hour

// busyTime returns a parameter of a creation with a day or time by which the adapter may find what is there, and its value. The time lies
// near those of others, or between them, where one of their spans may be. Or not all is listed, or not with that time.
func (s *survey) busyTime(c *asked) (name string, at probes.Value) {
	var from, to time.Time
	add := func(text string) {
		if at, ok := moment(text); ok && (from.IsZero() || at.Before(from)) {
			from = at
		}
		if at, ok := moment(text); ok && at.After(to) {
			to = at
		}
	}
	for text := range s.texts {
		add(text)
	}
	for _, example := range c.op.Details.At("examples").Items() {
		for _, text := range stringsIn(example.At("request", "params")) {
			add(text)
		}
	}
	for _, m := range c.params.Members() {
		if !strings.HasPrefix(parameter(c.op, m.Name).Raw.At("format").Text(), "date") {
			continue
		}
		at, ok := moment(m.Value.Text())
		hidden := slices.ContainsFunc(s.rows, func(row probes.Value) bool { // another time, such as that of the creation, tells nothing
			_, shown := moment(memberLike(row, m.Name).Text())
			return !shown
		})
		if !s.ended || !ok || hidden || at.After(from.Add(-farAway)) && at.Before(to.Add(farAway)) {
			return m.Name, m.Value
		}
	}
	return "", probes.Value{}
}

// moment reads a day or a time.
func moment(text string) (time.Time, bool) {
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at, true
	}
	if !dated.MatchString(text) {
		return time.Time{}, false
	}
	day, err := time.Parse(time.DateOnly, text[:len(time.DateOnly)])
	return day, err == nil
}

// shared reports whether the adapter documents that several objects of a kind may have the same value
// in a parameter: no identifier has its name, and a listing selects by it or an update changes it.
func (r *Rules) shared(k Kind, p probes.Parameter) bool {
	same := func(q probes.Parameter) bool { return alike(q.Name, p.Name) }
	if len(k.Views) == 0 || slices.ContainsFunc(k.Key, func(name string) bool { return alike(name, p.Name) }) {
		return false
	}
	if slices.ContainsFunc(k.Lists, func(l probes.Operation) bool { return slices.ContainsFunc(l.Parameters, same) }) {
		return true
	}
	return slices.ContainsFunc(r.writers(), func(o probes.Operation) bool {
		views, key, acts := r.acts(o)
		return o.Category == "UPDATE" && acts && slices.ContainsFunc(views, func(v probes.Operation) bool { return v.Name == k.Views[0].Name }) &&
			slices.ContainsFunc(o.Parameters, func(q probes.Parameter) bool {
				return slices.ContainsFunc(r.Fields(q), same) || same(q) && !slices.ContainsFunc(key, func(name string) bool { return alike(name, q.Name) })
			})
	})
}

// plainText writes a text or number as adapters compare it: without regard to case and
// space, and a time by its day.
func plainText(v probes.Value) string {
	if !scalar(v) {
		return ""
	}
	text := strings.ToLower(strings.TrimSpace(v.Text()))
	if v.Is(probes.Number) {
		text = v.Canonical(nil)
	}
	if dated.MatchString(text) {
		text = text[:len("2006-01-02")]
	}
	return text
}

// shows reports whether a value is an identifier or a text of one of the rows.
func (s *survey) shows(v probes.Value) bool {
	if s == nil {
		return false
	}
	return s.texts[v.Text()] && v.Is(probes.String) || slices.ContainsFunc(s.rows, func(row probes.Value) bool {
		return slices.ContainsFunc(row.Members(), func(m probes.Member) bool { return identifying(m.Name) && m.Value.Equal(v) })
	})
}

// identifying reports whether a member is named as identifiers are.
func identifying(name string) bool {
	words := vocab.Words(name)
	return len(words) > 0 && slices.Contains(strings.Fields("id ids uuid key slug ref handle number no nr code sku name"), words[len(words)-1])
}

// overwrote stops all writing where a creation took the identifier of an object that was there before, and
// a read shows our texts in its place: an adapter that counts its objects gives a number twice.
func (g *Gate) overwrote(ctx context.Context, o *object, keys [][]probes.Value) {
	g.mu.Lock()
	before := g.surveys[o.op]
	g.mu.Unlock()
	for _, key := range keys {
		if before.has(key) && g.shown(ctx, o.conn, o, key) {
			g.mu.Lock()
			if g.closed == "" {
				g.wire.suspect, g.wire.first, g.wire.again = o.op, o, true
				g.ledger.Suspect(o.op)
				g.closed = fmt.Sprintf("writing stopped: after %s an object that is not ours had changed (%s)", o.op, clip(texts(key)))
			}
			g.mu.Unlock()
		}
	}
}
