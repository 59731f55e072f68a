package pagination

import (
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
)

// largest is the greatest size up to most that the parameter documents.
func largest(s model.Subject, name string, most int) int {
	p, _ := check.Parameter(s, name)
	if high, bounded := p.Raw.At("maximum").Float(); bounded {
		most = min(most, int(high))
	}
	sizes := s.EnumOf(p)
	if len(sizes) == 0 {
		return most
	}
	best, _ := check.SmallestPage(s, name)
	for _, v := range sizes {
		if size, number := v.Float(); number && int(size) <= most {
			best = max(best, int(size))
		}
	}
	return best
}
