package classification

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// An identifier names one object. A store that is asked by the beginning or by a part of one finds
// whatever comes first. What begins one identifier alone may be a short form of it, so the text
// that is asked for is part of two.

const (
	shared      = "text of two identifiers"
	longestKeys = 400 // letters of both
)

// A couple is two objects of our own of one kind, and the parameter in which their identifiers
// differ. Both values are text.
type couple struct {
	name   string // the parameter
	keys   [2]string
	member string // that shows the identifier in an answer
	listed string // the beginning of several identifiers that are listed
}

// coupleOf makes the two objects and reads both. The script names its steps.
func coupleOf(sp model.TestObject, ask model.AskFunc, script string) {
	first, _ := sp.Create(script+": created", nil)
	second, _ := sp.Create(script+", the second: created", nil) // a script of its own has names of its own
	if !ask(first).Succeeded() || !ask(second).Succeeded() {
		return
	}
	other := sp
	other.Base = sp.Base + 1
	ask(sp.Read(script + ": first read"))
	ask(other.Read(script + ": second read"))
}

// listingsOf asks for the listings of the kind. The script names its steps.
func listingsOf(sp model.TestObject, ask model.AskFunc, script string) {
	kind, _ := sp.Maker.Rules.Kind(sp.Maker.Name)
	for i, t := range sp.Maker.ProvenListings() {
		if slices.ContainsFunc(kind.Lists, func(l probes.Operation) bool { return l.Name == t.Name }) {
			ask(t.LargestPage().Anew(probes.Nth(script+": listing", i)))
		}
	}
}

// coupleIn finds the two objects among the answers.
func coupleIn(sp model.TestObject, got probes.Answers, script string) (c couple, ok bool) {
	made := [2]probes.Observation{got.Step(script + ": created"), got.Step(script + ", the second: created")}
	looks := [2]probes.Observation{got.Step(script + ": first read"), got.Step(script + ": second read")}
	if !looks[0].Succeeded() || !looks[1].Succeeded() {
		return c, false
	}
	for name, path := range sp.ViewerIDs {
		x, y := made[0].Told(path...), made[1].Told(path...)
		if x.Equal(y) {
			continue
		}
		if c.name != "" || !x.Is(probes.String) || !y.Is(probes.String) || len(x.Text())+len(y.Text()) > longestKeys {
			return c, false
		}
		c.name, c.keys = name, [2]string{x.Text(), y.Text()}
	}
	for _, m := range sp.ObjectIn(looks[0]).Members() {
		if m.Value.Text() == c.keys[0] && sp.ObjectIn(looks[1]).At(m.Name).Text() == c.keys[1] {
			c.member = m.Name
		}
	}
	c.listed = listedBeginning(got, script, c.member)
	return c, c.member != ""
}

// listedBeginning is the longest text that begins two of the identifiers that the listings of the kind show in the script:
// two random ones of our own seldom begin alike. One of them may be of others, and may be gone by now.
func listedBeginning(got probes.Answers, script, member string) (longest string) {
	for _, o := range got.Under(script + ": listing") {
		rows, _, _ := check.Collection(o.Data())
		keys := check.Column(rows[:min(len(rows), mostListed)], member)
		for i, key := range keys {
			for _, other := range keys[:i] {
				if text := beginningOf([2]string{key.Text(), other.Text()}); len(text) > len(longest) && text != key.Text() && text != other.Text() {
					longest = text
				}
			}
		}
	}
	return longest
}

const mostListed = 40

// texts are what is asked for: the beginning and a part that both keys have, the beginning without the digits at
// its end, which may name an object of its own, the beginning of two listed keys, the wildcards of databases and
// shells, and a key with a letter behind it.
func (c couple) texts() (all []string) {
	for _, text := range []string{beginningOf(c.keys), strings.TrimRight(beginningOf(c.keys), "0123456789"), c.listed, partOf(c.keys), "%", "*", c.longer()} {
		if text != "" && text != c.keys[0] && text != c.keys[1] && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

func (c couple) longer() string { return c.keys[0] + "x" }

func beginningOf(keys [2]string) string {
	n := 0
	for n < min(len(keys[0]), len(keys[1])) && keys[0][n] == keys[1][n] {
		n++
	}
	return strings.ToValidUTF8(keys[0][:n], "")
}

// partOf is the longest text that stands behind the first letter of both keys.
func partOf(keys [2]string) (longest string) {
	for from := 1; from < len(keys[0]); from++ {
		for to := from + len(longest) + 1; to <= len(keys[0]); to++ {
			if part := keys[0][from:to]; strings.Index(keys[1], part) < 1 {
				break
			}
			longest = keys[0][from:to]
		}
	}
	return strings.ToValidUTF8(longest, "")
}

// Operations document, section 8.1.
var partOfIdentifierNamesNothing = check.Check{
	Requirement: "OPS-8.1-03",
	Why:         "An identifier must match completely. A READ that matches a part of it returns an object that was not requested, and may return another one next time.",
	On: func(f *model.Adapter) (all []model.Subject) {
		for _, s := range eachOf("CREATE")(f) {
			if sp, why := f.TestObject(s.Name); why == nil && sp.Viewer.Name != "" {
				s.Op = sp.Viewer
				all = append(all, s)
			}
		}
		return all
	},
	Lane: probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		sp, _ := s.TestObject(s.Name)
		var got probes.Answers
		kept := ask.Into(&got)
		coupleOf(sp, kept, shared)
		c, ok := coupleIn(sp, got, shared)
		if ok && beginningOf(c.keys) == "" {
			listingsOf(sp, kept, shared)
			c, ok = coupleIn(sp, got, shared)
		}
		for i, text := range c.texts() {
			if ok {
				ask(sp.Read(shared+": first read").With(c.name, text).Anew(probes.Nth(shared+": part", i)))
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		sp, _ := s.TestObject(s.Name)
		c, ok := coupleIn(sp, got, shared)
		if !ok {
			return ruling.NotApplicable("no two objects of our own that a READ shows by keys of text")
		}
		r := ruling.NotApplicable("no text that two identifiers share")
		for _, o := range got.Under(shared + ": part") {
			text := probes.ValueOf(o.Probe.Params()[c.name]).Text()
			key := sp.ObjectIn(o).At(c.member).Text()
			wild := text == "%" || text == "*"
			switch {
			case !o.Succeeded() || key == "" || key == text || shows(o.Data(), c.keys):
			case text == c.listed && !strings.HasPrefix(key, text): // a number or a code of its own
			case text == c.longer() && strings.HasPrefix(text, key), text == c.listed && strings.HasPrefix(key, text): // the first of several that begin it, or that it begins
				return ruling.Departs(fmt.Sprintf("no object for %q", text), key).By(o, got.Step(shared+": first read"))
			case wild || strings.Contains(key, text):
				return ruling.Violates(fmt.Sprintf("no object for %q, a part of several identifiers", text), key).By(o, got.Step(shared+": first read"))
			}
			r = ruling.Conforms().By(o)
		}
		return r
	},
	Fix: "compare the whole identifier, and answer NOT_FOUND_RESOURCE where it names nothing",
}

// shows reports whether data holds both keys, as the answer of a search does.
func shows(data probes.Value, keys [2]string) bool {
	raw := string(data.Raw())
	return strings.Contains(raw, keys[0]) && strings.Contains(raw, keys[1])
}
