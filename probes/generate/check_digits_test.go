package generate

import (
	"math/rand/v2"
	"testing"
)

// Where the last digit of all known numbers is a check digit, a drawn one is of the same form and has the right one.
func TestCheckedFormOf(t *testing.T) {
	for name, c := range map[string]struct {
		texts []string
		ok    bool
	}{
		"ISBN-13":         {[]string{"978-2-07-036822-8", "9782070612758", "9780306406157"}, true},
		"Luhn":            {[]string{"4539-1488-0343-6467", "4556-7375-8689-9855", "4716-4618-3123-7640"}, true},
		"few numbers":     {[]string{"ADH-00001-8", "ADH-00002-6", "ADH-00003-4"}, false},
		"ISBN-10":         {[]string{"0306406152", "0131103628", "0136091814"}, true},
		"too few":         {[]string{"9782070368228", "9782070612758", "9782070612758"}, false},
		"one is wrong":    {[]string{"9782070368228", "9782070612758", "9780306406150"}, false},
		"no check digits": {[]string{"100001", "100002", "100003", "100004"}, false},
		"of two lengths":  {[]string{"9782070368228", "9782070612758", "0306406152"}, false},
	} {
		form, ok := CheckedFormOf(c.texts)
		if ok != c.ok {
			t.Errorf("%s: %v, want %v", name, ok, c.ok)
		}
		if !ok {
			continue
		}
		r, drawn := rand.New(rand.NewPCG(1, 2)), map[string]bool{}
		for range 50 {
			text := form.Draw(r)
			drawn[text] = true
			digits := digitsIn(text)
			if last := len(digits) - 1; len(text) != len(c.texts[0]) || form.rule(digits[:last]) != digits[last] || text[:1] != c.texts[0][:1] {
				t.Errorf("%s: %q is drawn", name, text)
			}
		}
		if len(drawn) < 40 {
			t.Errorf("%s: %d different texts of 50", name, len(drawn))
		}
	}
}
