package generate

import (
	"math/rand/v2"
	"slices"
)

// Numbers of books, goods and members often end with a check digit. No record can say so, and an adapter refuses a number
// with a wrong one. Where the last digit of all known numbers follows from the others, that of a new one has to follow too.

// A CheckedForm is a form of texts whose last digit follows from the digits before it.
type CheckedForm struct {
	template string // one of the texts
	kept     int    // so many digits are the same in all of them
	rule     func(digits []int) int
}

// checkRules return the check digit of the digits before it; 10 where there is none.
var checkRules = []func(digits []int) int{
	// GTIN, EAN and ISBN-13: the weights are 3 and 1, from the right.
	func(digits []int) int {
		return modulo(digits, 10, func(d, i int) int { return d * (3 - i%2*2) })
	},
	// Luhn: each second digit is doubled, from the right, and the digits of the product are added.
	func(digits []int) int {
		return modulo(digits, 10, func(d, i int) int { return d*(2-i%2)/10 + d*(2-i%2)%10 })
	},
	// ISBN-10 and others: the weights are 2, 3, 4 and so on, from the right.
	func(digits []int) int {
		return modulo(digits, 11, func(d, i int) int { return d * (i + 2) })
	},
}

// modulo returns what is missing in the sum of the weighted digits, the last of which has the place 0.
func modulo(digits []int, m int, weigh func(digit, place int) int) int {
	sum := 0
	for i, d := range digits {
		sum += weigh(d, len(digits)-1-i)
	}
	return (m - sum%m) % m
}

// Three texts agree with one of the three rules by chance in 3 of 1,000 cases, and then the last digit of a new text is a
// digit all the same.
const (
	leastChecked = 3
	leastFree    = 6 // digits to draw: of fewer texts one may be that of another object
)

// CheckedFormOf returns the form of some texts. ok is false where they are too few, differ in their number of digits, or
// where no known rule gives the last digit of all of them.
func CheckedFormOf(texts []string) (form CheckedForm, ok bool) {
	var all [][]int
	for _, text := range texts {
		digits := digitsIn(text)
		if len(digits) == 0 || text[len(text)-1] < '0' || text[len(text)-1] > '9' || len(all) > 0 && len(all[0]) != len(digits) {
			return form, false
		}
		if !slices.ContainsFunc(all, func(other []int) bool { return slices.Equal(other, digits) }) {
			all = append(all, digits)
		}
	}
	if len(all) < leastChecked {
		return form, false
	}
	last := len(all[0]) - 1
	for _, rule := range checkRules {
		if !slices.ContainsFunc(all, func(digits []int) bool { return rule(digits[:last]) != digits[last] }) {
			form = CheckedForm{texts[0], 0, rule}
			for form.kept < last/2 && !slices.ContainsFunc(all, func(digits []int) bool { return digits[form.kept] != all[0][form.kept] }) {
				form.kept++
			}
			return form, last-form.kept >= leastFree
		}
	}
	return form, false
}

func digitsIn(text string) (digits []int) {
	for _, r := range text {
		if r >= '0' && r <= '9' {
			digits = append(digits, int(r-'0'))
		}
	}
	return digits
}

// Draw returns a text of the form.
func (f CheckedForm) Draw(r *rand.Rand) string {
	digits := digitsIn(f.template)
	last := len(digits) - 1
	for digits[last] = 10; digits[last] == 10; digits[last] = f.rule(digits[:last]) {
		for i := f.kept; i < last; i++ {
			digits[i] = r.IntN(10)
		}
	}
	text := []byte(f.template)
	for i, c := range text {
		if c >= '0' && c <= '9' {
			text[i] = byte('0' + digits[0])
			digits = digits[1:]
		}
	}
	return string(text)
}
