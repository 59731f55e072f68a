package model

import (
	"fmt"
	"hash/fnv"
	"time"

	"github.com/aql-conform/aql-conform/probes"
)

// No two objects may share a day, as the plan of a week has its first day. The days of an adapter may have to fall
// on one day of the week, so another one is whole weeks later.

// mostWeeks is how many weeks later a day may be: it has a year of four digits.
const mostWeeks = 300_000

// otherDay returns a day or a time for the number of a step, whole weeks after a valid one that no two objects share.
func (f *Adapter) otherDay(p probes.Parameter, number int) probes.Value {
	known, sole := f.days[p.Name]
	if !sole || number == 0 {
		return probes.Value{}
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		day, err := time.Parse(layout, known)
		if err != nil {
			continue
		}
		h := fnv.New64a()
		fmt.Fprint(h, f.Nonce, p.Name, number)
		weeks := 1 + h.Sum64()%mostWeeks
		for ; weeks > 0; weeks /= 2 { // an adapter may know no day that is far away
			v := probes.ValueOf(day.AddDate(0, 0, 7*int(weeks)).Format(layout))
			if f.Misfit(p, v) == "" {
				return v
			}
		}
	}
	return probes.Value{}
}
