package query

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A text may list the fields that a listing is sorted by: "-priority,title". A minus before a field turns the order of that field
// round. The documented texts show that it is so, and the answers in which order the values of a field come.

// fieldList matches such a text.
var fieldList = regexp.MustCompile(`^[-+]?[\p{L}_]\w*(,[-+]?[\p{L}_]\w*)*$`)

// A listedSort is a parameter that takes such a text.
type listedSort struct {
	s      model.Subject
	param  string
	fields []string // of the items
	many   bool     // a documented text lists two
}

// mostListed bounds the fields that are tried.
const mostListed = 4

// listedSortOf finds the parameter of a READ. The fields are those of the items which its record or an example names.
func listedSortOf(s model.Subject, items []probes.Value) (l listedSort, ok bool) {
	for _, p := range s.Op.Parameters {
		if p.Required || !check.IsText(s, p.Name) || len(s.EnumOf(p)) > 0 || len(items) == 0 {
			continue
		}
		texts := append([]probes.Value{p.Raw.At("default"), p.Raw.At("example")}, p.Raw.At("examples").Items()...)
		for _, example := range s.Op.Details.At("examples").Items() {
			texts = append(texts, example.At("request", "params", p.Name))
		}
		named, signed, many := p.Raw.At("description").Text(), false, false
		for _, v := range texts {
			if text := v.Text(); fieldList.MatchString(text) {
				named += " " + strings.NewReplacer(",", " ", "-", " ", "+", " ").Replace(text)
				signed, many = signed || strings.Contains(text, "-"), many || strings.Contains(text, ",")
			}
		}
		l = listedSort{s: s, param: p.Name, many: many}
		for _, name := range items[0].Names() {
			column := check.Column(items, name)
			if check.WholeWord(name).MatchString(named) && len(keysOf(column)) == len(items) && len(l.fields) < mostListed {
				l.fields = append(l.fields, name)
			}
		}
		if signed && len(l.fields) > 0 {
			return l, true
		}
	}
	return l, false
}

// keysOf are the values of a field in a form in which two are equal that some collation may take for equal. There are none where a
// value is missing, is no scalar, or has letters whose order is disputed.
func keysOf(column []probes.Value) (keys []string) {
	for _, v := range column {
		text := v.Text()
		switch {
		case v.Is(probes.Number) || v.Is(probes.Boolean):
			text = v.String()
		case !v.Is(probes.String) || strings.ContainsFunc(text, func(r rune) bool { return r > '~' }):
			return nil
		}
		keys = append(keys, strings.ToLower(strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return r
			}
			return -1
		}, text)))
	}
	return keys
}

func (l listedSort) call(text string) probes.Probe {
	return l.s.LargestPage().With(l.param, text).Anew("listed sort: by " + text)
}

// keys are those of a field in the answer to a text, where that shows the items of the listing, which has no further page.
func (l listedSort) keys(got probes.Answers, text, field string) []string {
	items, plain := collected(got.Step("listed sort: by "+text)), collected(got[0])
	of, _, told := check.ItemKeys(plain)
	keys := keysOf(check.Column(items, field))
	if !told || check.IsPartialListing(got[0].Envelope()) || len(keys) != len(plain) || !slices.Equal(check.KeysOf(items, of), check.KeysOf(plain, of)) {
		return nil
	}
	return keys
}

// sorts reports whether a field is seen to sort: by the field and by it with a minus, the items come in two orders that are
// one from its two ends.
func (l listedSort) sorts(got probes.Answers, field string) bool {
	up, down := l.keys(got, field, field), l.keys(got, "-"+field, field)
	slices.Reverse(down)
	return countDistinct(up) > 1 && slices.Equal(up, down)
}

func countDistinct(keys []string) int { return len(slices.Compact(slices.Sorted(slices.Values(keys)))) }

// pair is a text for two fields: of the first some items have the same value, and both are seen to sort.
func (l listedSort) pair(got probes.Answers) (first, second string, ok bool) {
	for _, first = range l.fields {
		if keys := l.keys(got, first, first); !l.many || !l.sorts(got, first) || countDistinct(keys) == len(keys) {
			continue
		}
		for _, second = range l.fields {
			if first != second && l.sorts(got, second) {
				return first, second, true
			}
		}
	}
	return "", "", false
}

// turned rules on the order of one field with a minus.
func (l listedSort) turned(got probes.Answers, field string) *ruling.Ruling {
	up, down := l.keys(got, field, field), l.keys(got, "-"+field, field)
	if len(down) == 0 || countDistinct(up) < 2 {
		return nil
	}
	r := ruling.Conforms().By(got.Step("listed sort: by " + field))
	if !l.sorts(got, field) {
		r = ruling.Departs("the items by "+l.param+" -"+field+" as by "+field+" from the end", "another order of "+field).
			By(got.Step("listed sort: by -"+field), got.Step("listed sort: by "+field))
	}
	return &r
}

// tied rules on the second field of a text: a minus before the first one does not turn it.
func (l listedSort) tied(got probes.Answers) *ruling.Ruling {
	first, second, ok := l.pair(got)
	text := "-" + first + "," + second
	of, by, order := l.keys(got, text, first), l.keys(got, text, second), l.keys(got, second, second)
	if !ok || !slices.Equal(of, l.keys(got, "-"+first, first)) || len(by) == 0 { // the first field has another order: it may read the text as a whole
		return nil
	}
	r := ruling.Conforms().By(got.Step("listed sort: by " + text))
	for i := range len(of) - 1 {
		if of[i] == of[i+1] && slices.Index(order, by[i]) > slices.Index(order, by[i+1]) {
			r = ruling.Departs("items with one "+first+" in the order of "+l.param+" "+second, "another order of "+second).
				By(got.Step("listed sort: by "+text), got.Step("listed sort: by "+second))
		}
	}
	return &r
}

// Operations document, section 4.2.
var listedFieldsSortItems = check.Check{
	Requirement: "OPS-4.2-08",
	Handles:     check.Movement,
	Lane:        probes.Sparse, // nothing is made between the listings
	Why:         "Whoever asks for the gravest first, and among those for the newest, takes the first item for that one.",
	On: model.Only(model.EachProven, func(s model.Subject) bool {
		_, ok := listedSortOf(s, collected(s.KnownGoodRequest().Reply))
		return ok && s.Op.Category == "READ" && s.Ruling == nil
	}),
	Drive: func(s model.Subject, ask model.AskFunc) {
		var got probes.Answers
		ask = ask.Into(&got)
		l, ok := listedSortOf(s, collected(ask(s.LargestPage().Anew("listed sort: as it is"))))
		if !ok {
			return
		}
		for _, field := range l.fields {
			if ask(l.call(field)).Succeeded() {
				ask(l.call("-" + field))
			}
		}
		if first, second, ok := l.pair(got); ok {
			ask(l.call("-" + first + "," + second))
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		l, _ := listedSortOf(s, collected(got[0]))
		var rs []ruling.Ruling
		for _, field := range l.fields {
			if r := l.turned(got, field); r != nil {
				rs = append(rs, *r)
			}
		}
		if r := l.tied(got); r != nil {
			rs = append(rs, *r)
		}
		if len(rs) == 0 {
			return ruling.NotApplicable("no text that lists fields is seen to sort")
		}
		return ruling.Worst(rs...)
	},
	Fix: "sort by each listed field in its own direction",
}
