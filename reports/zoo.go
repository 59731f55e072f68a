package reports

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// A Stranger is what the checks made of one adapter of the zoo.
type Stranger struct {
	Seed      uint64         `json:"seed"`
	Engine    string         `json:"engine"`
	Habits    []string       `json:"habits"`            // that differ from those of the reference adapter, as "axis: habit"
	Passed    int            `json:"passed"`            // findings of the healthy adapter
	NotProven int            `json:"notProven"`         //
	Accused   []string       `json:"accused"`           // requirements, announced or not
	False     []FalseAlarm   `json:"falseAlarms"`       // that nothing announced
	Foreign   []string       `json:"foreign"`           // objects of others that changed
	Left      int            `json:"left"`              // objects of ours that were left behind
	Reach     *ZooReach      `json:"reach,omitempty"`   // of the healthy adapter
	Digests   []string       `json:"digests,omitempty"` // of three runs; one if they were equal
	Faults    []PlantedFault `json:"faults"`
	Trouble   string         `json:"trouble,omitempty"`
}

// A ZooReach says how much of a stranger the run has exercised, as Reach does.
type ZooReach struct {
	Operations int `json:"operations"` // that may be called
	Reached    int `json:"reached"`    // of them, by a valid call that succeeded
	Kinds      int `json:"kinds"`      // of objects that may be made
	Lived      int `json:"lived"`      // of them, from creation to removal
	Barred     int `json:"barred"`     // kinds that no operation may make; they are not counted above
}

// A FalseAlarm is a requirement that accused a healthy stranger.
type FalseAlarm struct {
	Requirement string   `json:"requirement"`
	Verdict     string   `json:"verdict"`
	Subject     string   `json:"subject"`
	Want        string   `json:"want"`
	Got         string   `json:"got"`
	Smallest    []string `json:"smallest,omitempty"` // habits that still show it
}

// A PlantedFault is a fault of a stranger, and whether its own requirement noticed.
type PlantedFault struct {
	Requirement string   `json:"requirement"`
	Fault       string   `json:"fault"`
	Found       bool     `json:"found"`             // without hints
	FoundHinted bool     `json:"foundHinted"`       // with the hints that its author would give
	Hidden      bool     `json:"hidden,omitempty"`  // no answer to what the healthy stranger was asked shows it
	Verdict     string   `json:"verdict,omitempty"` // of the requirement by default, where nobody noticed the fault
	Why         string   `json:"why,omitempty"`     // what that verdict says was wanted
	Others      []string `json:"others,omitempty"`
	Trouble     string   `json:"trouble,omitempty"`
}

// ReadStrangers reads one stranger a line. A line that was cut off is left out, so that
// an interrupted run can be resumed.
func ReadStrangers(r io.Reader) ([]Stranger, error) {
	var all []Stranger
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var s Stranger
		if json.Unmarshal(lines.Bytes(), &s) == nil {
			all = append(all, s)
		}
	}
	return all, lines.Err()
}

// A zooCount sums up strangers.
type zooCount struct {
	strangers, alarmed, fails, warns, harmed, littered, unstable, trouble int
	planted, found, hinted, hidden                                        int
	missed                                                                map[string]int // by the verdict instead
	reach                                                                 ZooReach
}

func (c *zooCount) add(s Stranger) {
	c.strangers++
	fails := slices.ContainsFunc(s.False, func(a FalseAlarm) bool { return a.Verdict == string(Fail) })
	for n, yes := range map[*int]bool{
		&c.alarmed: fails, &c.harmed: len(s.Foreign) > 0, &c.littered: s.Left > 0, &c.unstable: len(s.Digests) > 1, &c.trouble: s.Trouble != "",
	} {
		if yes {
			*n++
		}
	}
	for _, a := range s.False {
		if a.Verdict == string(Fail) {
			c.fails++
		} else {
			c.warns++
		}
	}
	if r := s.Reach; r != nil {
		c.reach.Operations += r.Operations
		c.reach.Reached += r.Reached
		c.reach.Kinds += r.Kinds
		c.reach.Barred += r.Barred
		c.reach.Lived += r.Lived
	}
	for _, f := range s.Faults {
		c.planted++
		if f.Found {
			c.found++
		}
		if f.FoundHinted {
			c.hinted++
		}
		if f.Hidden {
			c.hidden++
		} else if !f.Found && f.Verdict != "" {
			if c.missed == nil {
				c.missed = map[string]int{}
			}
			c.missed[f.Verdict]++
		}
	}
}

func share(part, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%d %%", 100*part/of)
}

// WriteZoo writes what came out by habit, so that a reader sees which freedom is not
// understood.
func WriteZoo(w io.Writer, all []Stranger) error {
	var total zooCount
	byHabit := map[string]*zooCount{}
	byRow := map[string]int{}
	for _, s := range all {
		total.add(s)
		for _, habit := range append(slices.Clone(s.Habits), "engine: "+s.Engine) {
			if byHabit[habit] == nil {
				byHabit[habit] = &zooCount{}
			}
			byHabit[habit].add(s)
		}
		for _, a := range s.False {
			byRow[a.Verdict+" "+a.Requirement]++
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "strangers    %d; %d with a false FAIL (with 95 %% confidence at most %.2f %% of all), %d false FAILs and %d warnings that nothing announced (by requirement)\n",
		total.strangers, total.alarmed, 100*upperBound(total.alarmed, total.strangers), total.fails, total.warns)
	fmt.Fprintf(&b, "harm         %d strangers with a foreign effect; %d with objects that the run left there; %d with another digest in a second run; %d not tried\n", total.harmed, total.littered, total.unstable, total.trouble)
	fmt.Fprintf(&b, "reach        %s of the operations that may be called, %s of the kinds of objects from creation to removal; %d kinds that no operation may make are not counted\n",
		share(total.reach.Reached, total.reach.Operations), share(total.reach.Lived, total.reach.Kinds), total.reach.Barred)
	fmt.Fprintf(&b, "faults       %d planted; found by their requirement: %d by default (%s), %d with hints (%s)\n",
		total.planted, total.found, share(total.found, total.planted), total.hinted, share(total.hinted, total.planted))
	fmt.Fprintf(&b, "hidden       %d of those that were missed change no answer to what the healthy stranger was asked; of the rest %s are found by default, %s with hints\n",
		total.hidden, share(total.found, total.planted-total.hidden), share(total.hinted, total.planted-total.hidden))
	for _, verdict := range sortedKeys(total.missed) {
		fmt.Fprintf(&b, "missed       %d with the verdict %s by default\n", total.missed[verdict], verdict)
	}
	for _, row := range sortedKeys(byRow) {
		fmt.Fprintf(&b, "alarm        %s on %d strangers\n", row, byRow[row])
	}
	fmt.Fprintf(&b, "\n%-52s %9s %8s %8s %6s %7s %6s %6s\n", "habit", "strangers", "alarmed", "reached", "lived", "faults", "found", "hinted")
	for _, habit := range sortedKeys(byHabit) {
		c := byHabit[habit]
		fmt.Fprintf(&b, "%-52s %9d %8d %8s %6s %7d %6s %6s\n", habit, c.strangers, c.alarmed,
			share(c.reach.Reached, c.reach.Operations), share(c.reach.Lived, c.reach.Kinds), c.planted, share(c.found, c.planted), share(c.hinted, c.planted))
	}
	_, err := io.WriteString(w, strings.TrimLeft(b.String(), "\n"))
	return err
}

// upperBound is the largest share with which so few of n are still seen in one of twenty
// samples (Clopper and Pearson: The Use of Confidence or Fiducial Limits Illustrated in
// the Case of the Binomial, Biometrika 26, 1934).
func upperBound(few, n int) float64 {
	low, high := 0.0, 1.0
	for range 50 {
		p := (low + high) / 2
		if atMost(few, n, p) > 0.05 {
			low = p
		} else {
			high = p
		}
	}
	return high
}

// atMost is the probability that at most few of n are hit, each with the probability p.
func atMost(few, n int, p float64) (sum float64) {
	term := math.Pow(1-p, float64(n))
	for i := 0; i <= few; i++ {
		sum += term
		term *= float64(n-i) / float64(i+1) * p / (1 - p)
	}
	return sum
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// Sound reports whether the healthy stranger was neither accused nor harmed, and judged
// alike each time. Objects may be left where others write as well: what changes beside a write
// of ours ends all writing, and so the removal too.
func (s Stranger) Sound() bool {
	tidy := s.Left == 0 || slices.Contains(s.Habits, "others: write now and then")
	return len(s.False) == 0 && len(s.Foreign) == 0 && tidy && len(s.Digests) < 2 && s.Trouble == ""
}
