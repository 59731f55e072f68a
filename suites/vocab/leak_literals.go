package vocab

import (
	"cmp"
	"regexp/syntax"
	"slices"
)

// Nearly every text leaks nothing, and looking for a word is a hundred times
// cheaper than running an expression. The words come from the expressions
// themselves, so that they cannot fall behind them.

// literals returns strings of which every match of the expression holds one, the
// longest that can be told; none when that cannot be told.
func literals(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpCapture, syntax.OpPlus:
		return literals(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return literals(re.Sub[0])
		}
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			some := literals(sub)
			if some == nil {
				return nil
			}
			all = append(all, some...)
		}
		return all
	case syntax.OpConcat:
		return ofConcat(re.Sub)
	}
	return telling(spelled(re))
}

// ofConcat picks the most telling of the parts of a sequence, those that can be
// spelled out joined with their neighbours.
func ofConcat(subs []*syntax.Regexp) (best []string) {
	better := func(some []string) {
		if some != nil && (best == nil || shortest(some) > shortest(best)) {
			best = some
		}
	}
	run := []string{""}
	for _, sub := range subs {
		words := spelled(sub)
		if words == nil || len(words)*len(run) > maxSpelled {
			better(telling(run))
			better(literals(sub))
			run = []string{""}
			continue
		}
		run = joinedWords(run, words)
	}
	better(telling(run))
	return best
}

// maxSpelled bounds the words an expression is spelled out to.
const maxSpelled = 64

// spelled returns all the texts an expression matches, none when they are many.
func spelled(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			return []string{string(re.Rune)}
		}
	case syntax.OpEmptyMatch, syntax.OpWordBoundary, syntax.OpBeginLine, syntax.OpEndLine:
		return []string{""}
	case syntax.OpCapture:
		return spelled(re.Sub[0])
	case syntax.OpQuest:
		if words := spelled(re.Sub[0]); words != nil {
			return append([]string{""}, words...)
		}
	case syntax.OpCharClass:
		var words []string
		for i := 0; i < len(re.Rune); i += 2 {
			for r := re.Rune[i]; r <= re.Rune[i+1]; r++ {
				if words = append(words, string(r)); len(words) > 6 {
					return nil
				}
			}
		}
		return words
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			words := spelled(sub)
			if all = append(all, words...); words == nil || len(all) > maxSpelled {
				return nil
			}
		}
		return all
	case syntax.OpConcat:
		run := []string{""}
		for _, sub := range re.Sub {
			words := spelled(sub)
			if words == nil || len(words)*len(run) > maxSpelled {
				return nil
			}
			run = joinedWords(run, words)
		}
		return run
	}
	return nil
}

func joinedWords(before, after []string) []string {
	var all []string
	for _, b := range before {
		for _, a := range after {
			all = append(all, b+a)
		}
	}
	return all
}

// telling returns the words unless one of them stands in every text.
func telling(words []string) []string {
	if slices.Contains(words, "") {
		return nil
	}
	return words
}

func shortest(list []string) int {
	return len(slices.MinFunc(list, func(x, y string) int { return cmp.Compare(len(x), len(y)) }))
}
