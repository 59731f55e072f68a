package schemas

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"sync"
	"time"

	"github.com/dlclark/regexp2"
)

var (
	// ErrBadPattern means that a regular expression is broken in every dialect:
	// an unbalanced bracket or group, a dangling backslash, a quantifier
	// without a target.
	ErrBadPattern = errors.New("broken regular expression")
	// ErrPatternUnsupported means that no engine here reads a regular
	// expression, and that it may be right all the same.
	ErrPatternUnsupported = errors.New("regular expression of an unsupported dialect")
)

const (
	maxPattern = 8 << 10 // bytes of source; repetitions multiply it
	// One match of the linear engine costs at most instructions x bytes; this
	// many are some tenths of a second.
	maxInstructions = 20_000
	maxLinearWork   = 1 << 25
	// The backtracking engine copies its subject four times over.
	maxBacktrackSubject = 1 << 20
	// A match that backtracks without end is given up after this. The clock of
	// the engine is coarse: 0.2 s may pass.
	matchTimeout = 100 * time.Millisecond
)

// oneBacktracks lets one match at a time go by the clock: how many others are wanted beside
// it must not decide whether it ends in time.
var oneBacktracks sync.Mutex

// A Pattern is a regular expression from a parameter's documentation
// (introspection 3.4) or from a JSON Schema. The specification names no
// dialect, so it may be in any. It is safe for concurrent use.
type Pattern struct {
	source       string
	reworded     bool // ECMA-262 names a script in another way than RE2
	linear       *regexp.Regexp
	instructions int
	backtracking *regexp2.Regexp
}

// CompilePattern reads a pattern as RE2, which matches in linear time, or else
// as ECMA-262, which knows look-around and back-references. The error wraps
// ErrBadPattern, ErrPatternUnsupported, or ErrBudget for a pattern over 8 KiB
// or one that expands beyond reason.
func CompilePattern(p string) (*Pattern, error) {
	if len(p) > maxPattern {
		return nil, fmt.Errorf("%w: a pattern of %d bytes, at most %d", ErrBudget, len(p), maxPattern)
	}
	linear, instructions, err := compileLinear(p)
	if errors.Is(err, ErrBudget) {
		return nil, err
	}
	if err == nil {
		return &Pattern{source: p, linear: linear, instructions: instructions}, nil
	}
	if q := scriptName.ReplaceAllString(p, `\$1{$2}`); q != p {
		if inner, err := CompilePattern(q); err == nil {
			inner.source, inner.reworded = p, true
			return inner, nil
		}
	}
	if backtracking, err := compileBacktracking(p); err == nil {
		return &Pattern{source: p, backtracking: backtracking}, nil
	}
	if fault := evidentFault(p); fault != "" {
		return nil, fmt.Errorf("%w: %s in %s", ErrBadPattern, fault, quote(p))
	}
	return nil, fmt.Errorf("%w: %s", ErrPatternUnsupported, quote(p))
}

// scriptName is a script or a general category as ECMA-262 names it.
var scriptName = regexp.MustCompile(`\\([pP])\{(?:Script|sc|Script_Extensions|scx|General_Category|gc)=(\w+)\}`)

// Match searches s for the pattern, anywhere unless the pattern is anchored.
// The error wraps ErrBudget: the match took too long or s is too large for it,
// and nothing is known.
func (p *Pattern) Match(s string) (ok bool, err error) {
	if p.linear != nil {
		if len(s) > maxLinearWork/p.instructions {
			return false, fmt.Errorf("%w: a string of %d bytes for the pattern %s", ErrBudget, len(s), quote(p.source))
		}
		return p.linear.MatchString(s), nil
	}
	if len(s) > maxBacktrackSubject {
		return false, fmt.Errorf("%w: a string of %d bytes for the pattern %s", ErrBudget, len(s), quote(p.source))
	}
	defer func() {
		if fault := recover(); fault != nil {
			ok, err = false, fmt.Errorf("%w: the pattern %s broke its engine", ErrBudget, quote(p.source))
		}
	}()
	oneBacktracks.Lock()
	defer oneBacktracks.Unlock()
	if ok, err = p.backtracking.MatchString(s); err != nil {
		return false, fmt.Errorf("%w: the pattern %s did not finish within %v", ErrBudget, quote(p.source), matchTimeout)
	}
	return ok, nil
}

// RE2 reports whether the pattern is read as RE2: it matches in linear time,
// and its syntax tree can be walked to make strings that fit.
func (p *Pattern) RE2() bool { return p.linear != nil && !p.reworded }

// String returns the pattern as it was written.
func (p *Pattern) String() string { return p.source }

func compileLinear(p string) (*regexp.Regexp, int, error) {
	tree, err := syntax.Parse(p, syntax.Perl)
	if err != nil {
		return nil, 0, err
	}
	program, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil, 0, err
	}
	if n := len(program.Inst); n > maxInstructions {
		return nil, 0, fmt.Errorf("%w: the pattern %s compiles to %d instructions, at most %d", ErrBudget, quote(p), n, maxInstructions)
	}
	linear, err := regexp.Compile(p)
	return linear, len(program.Inst), err
}

// compileBacktracking guards against a parser that was not written for hostile
// input.
func compileBacktracking(p string) (re *regexp2.Regexp, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			re, err = nil, fmt.Errorf("the pattern broke its parser: %v", fault)
		}
	}()
	if re, err = regexp2.Compile(p, regexp2.ECMAScript|regexp2.Unicode); err != nil {
		return nil, err
	}
	re.MatchTimeout = matchTimeout
	return re, nil
}
