package parameters

import (
	"regexp"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

const nothing = "documented default: creation with zero or false"

// nothingOf is zero or false where the default of a parameter is another number or true, and its record allows it: careless
// code takes it for a value that was left out.
func nothingOf(s model.Subject) (probes.Value, bool) {
	v := probes.ValueOf(false)
	if n, number := s.Par.Raw.At("default").Float(); number && n != 0 {
		v = probes.ValueOf(0)
	} else if !s.Par.Raw.At("default").True() {
		return v, false
	}
	told := s.Par.Raw.At("description").Text() + " " + s.Op.Details.At("description").Text()
	return v, s.Misfit(s.Par, v) == "" && !special.MatchString(told)
}

// special matches a text that may give zero or false a meaning of its own.
var special = regexp.MustCompile(`(?i)\b(0|zero|false|off)\b`)

// replacesNothing rules on a creation with zero or false.
func replacesNothing(s model.Subject, got probes.Answers) ruling.Ruling {
	made, sent := got.Find(nothing)
	is, value := check.MadeValue(s, made, s.Par.Name), s.Par.Raw.At("default")
	if v, _ := nothingOf(s); sent && made.Succeeded() && check.EqualInLetters(is, value) {
		return ruling.Violates(check.Quoted(s.Par.Name)+" "+v.String()+", which was given, in the new object", "the default "+is.String()).By(made)
	}
	return ruling.NotApplicable("")
}
