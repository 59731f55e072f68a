package probes

import (
	_ "embed"
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"
	"strings"
)

// A step is the name of a request in a script, such as "merge: change 2: read 1". Its parts go from
// the script to the detail; a part may end with a number. Answers are found by it.

// As returns p with the name of its step. Equal requests of several scripts share one answer.
func (p Probe) As(step string) Probe { p.Step = step; return p }

// Anew returns p as a request of its own: it shares its answer only with equal requests of the same
// step.
func (p Probe) Anew(step string) Probe { p.Step, p.Number = step, StepNumber(step); return p }

// Numbered returns p as a request of its own without a step, for requests that are counted.
func (p Probe) Numbered(n int) Probe { p.Number = n; return p }

// Nth names one of several steps: index 0 is "read 1".
func Nth(step string, index int) string { return fmt.Sprintf("%s %d", step, index+1) }

// roundSpan is how far the numbers of one round of a case are from those of the next. It is more than
// any number of a step.
const roundSpan = 2_000_000_000

// InRound returns the number of a step in a later round of its case; round 0 is the first. The number
// may be of that round already.
func InRound(number, round int) int {
	if number >= round*roundSpan {
		return number
	}
	return number + round*roundSpan
}

// InFirstRound returns the number that a step has in the first round of its case.
func InFirstRound(number int) int { return number % roundSpan }

// Answers are the observations of one script, in the order of its requests.
type Answers []Observation

// Find returns the answer to the step. ok is false if the script did not send it.
func (a Answers) Find(step string) (o Observation, ok bool) {
	i := slices.IndexFunc(a, func(o Observation) bool { return o.Probe.Step == step })
	if i < 0 {
		return Observation{}, false
	}
	return a[i], true
}

// Step returns the answer to the step; the zero observation if the script did not send it.
func (a Answers) Step(step string) Observation {
	o, _ := a.Find(step)
	return o
}

// Last returns the answer to the last request; the zero observation if there was none.
func (a Answers) Last() Observation {
	if len(a) == 0 {
		return Observation{}
	}
	return a[len(a)-1]
}

// Rest returns the answers without the first, which is the control.
func (a Answers) Rest() Answers { return a[min(1, len(a)):] }

// Has reports whether the script sent the step.
func (a Answers) Has(step string) bool {
	_, ok := a.Find(step)
	return ok
}

// Under returns the answers to the step, to its repetitions with a number, and to its details.
func (a Answers) Under(step string) Answers {
	return slices.DeleteFunc(slices.Clone(a), func(o Observation) bool { return !o.Probe.Under(step) })
}

// Under reports whether the request is the step, a repetition of it, or one of its details.
func (p Probe) Under(step string) bool {
	rest, found := strings.CutPrefix(p.Step, step)
	if number, after := leadingNumber(rest); after {
		rest = number
	}
	return found && (rest == "" || strings.HasPrefix(rest, ": "))
}

// leadingNumber cuts " 12" off the beginning of a text.
func leadingNumber(text string) (rest string, ok bool) {
	digits, ok := strings.CutPrefix(text, " ")
	rest = strings.TrimLeft(digits, "0123456789")
	return rest, ok && len(rest) < len(digits)
}

// Index returns the index of the step among its repetitions.
func (p Probe) Index() int {
	_, index := splitIndex(p.Step)
	return index
}

// splitIndex reads the index that Nth wrote at the end of a part of a step.
func splitIndex(part string) (name string, index int) {
	i := strings.LastIndexByte(part, ' ')
	if i < 0 {
		return part, 0
	}
	n, err := strconv.Atoi(part[i+1:])
	if err != nil || n < 1 {
		return part, 0
	}
	return part[:i], n - 1
}

// StepNumber is the number of a step in a transcript and in the marks of test objects. The steps
// that version 1 of transcripts knew keep the numbers they had there; all others have a digest of
// their name. The numbers of a script begin at a multiple of 1000.
func StepNumber(step string) int {
	parts := strings.Split(step, ": ")
	number, path := 0, ""
	for i, part := range parts {
		name, index := splitIndex(part)
		path += name
		row, known := stepNumbers[path]
		if !known && i > 0 {
			row, known = stepNumbers["*: "+name]
		}
		switch rest := strings.Join(parts[i:], ": "); {
		case known:
			number += row.first + index*row.stride
		case i == 0:
			script := 1_000_000 + int(crc32.ChecksumIEEE([]byte(part))%900_000)
			if len(parts) == 1 {
				return 1000 * script
			}
			return 1000*script + 1 + int(crc32.ChecksumIEEE([]byte(strings.Join(parts[1:], ": ")))%999)
		default:
			return number + 500 + int(crc32.ChecksumIEEE([]byte(rest))%499)
		}
		path += ": "
	}
	return number
}

// ScriptNumber is the number of the script that a step belongs to.
func ScriptNumber(step string) int { return StepNumber(step) / 1000 * 1000 }

// stepNumbers are the numbers of version 1: the first and the distance of repetitions, relative to
// the step above. A name behind "*: " is valid in every script.
var stepNumbers = readStepNumbers(stepNumbersText)

//go:embed step_numbers.txt
var stepNumbersText string

type stepNumber struct{ first, stride int }

func readStepNumbers(text string) map[string]stepNumber {
	all := map[string]stepNumber{}
	for line := range strings.Lines(text) {
		if name, numbers, ok := strings.Cut(strings.TrimSpace(line), " = "); ok {
			var row stepNumber
			_, _ = fmt.Sscan(numbers, &row.first, &row.stride) // a row may have no distance
			all[name] = row
		}
	}
	return all
}
