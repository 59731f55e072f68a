package reports

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

// None of n is seen in one of twenty samples up to a share of 1 - 0.05^(1/n), and all of
// n up to any share.
func TestUpperBound(t *testing.T) {
	for _, c := range []struct {
		few, n int
		want   float64
	}{{0, 40, 1 - math.Pow(0.05, 1.0/40)}, {0, 1000, 0.00299}, {3, 1000, 0.00773}, {5, 5, 1}, {0, 0, 1}} {
		if got := upperBound(c.few, c.n); math.Abs(got-c.want) > 1e-4 {
			t.Errorf("%d of %d: %v, want %v", c.few, c.n, got, c.want)
		}
	}
}

// A line that was cut off is no stranger, and the table counts by habit.
func TestZooTable(t *testing.T) {
	file := `{"seed":1,"engine":"go","habits":["key: uuid"],"falseAlarms":[{"requirement":"AQL-5.1-01","verdict":"FAIL"}],"faults":[{"found":true,"foundHinted":true},{"foundHinted":true}]}
{"seed":2,"engine":"go","habits":[],"faults":[{"hidden":true}]}
{"seed":3,"eng`
	all, err := ReadStrangers(strings.NewReader(file))
	if err != nil || len(all) != 2 {
		t.Fatalf("%d strangers, %v", len(all), err)
	}
	var b bytes.Buffer
	if err := WriteZoo(&b, all); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"strangers    2; 1 with a false FAIL (with 95 % confidence at most 97.47 % of all), 1 false FAILs and 0 warnings",
		"3 planted; found by their requirement: 1 by default (33 %), 2 with hints (66 %)",
		"of the rest 50 % are found by default, 100 % with hints",
		"alarm        FAIL AQL-5.1-01 on 1 strangers",
		"key: uuid                                                    1        1        -      -       2   50 %  100 %",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	littered := Stranger{Left: 3}
	if littered.Sound() {
		t.Error("sound where objects were left")
	}
	if littered.Habits = []string{"others: write now and then"}; !littered.Sound() {
		t.Error("not sound where others write, which ends the removal")
	}
	if all[0].Sound() || !all[1].Sound() {
		t.Error("sound where it was accused, or not sound where it was not")
	}
}
