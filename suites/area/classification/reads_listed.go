package classification

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Some effects of a read show on objects of one state alone. So the check reads listed objects that differ in their states
// between two looks at the listing. If the second look shows one of them otherwise, the check reads it again between two
// looks, four times. A rest of the same length stands before each read, because others may write. A round has five requests,
// so a write of others seldom falls between the same two looks each time.

const (
	listedScript = "reads of listed objects"
	mostRows     = 6 // that one operation reads
	listedRounds = 4
	mostLists    = 3 // in which the objects of an operation are looked for
)

// listsFor are the listings that may show what an operation reads, those of its noun first.
func listsFor(s model.Subject) []model.Subject {
	all := slices.Clone(sights(s.Adapter))
	alike := func(t model.Subject) int {
		if s.Noun(t.Name) == s.Noun(s.Name) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(all, func(x, y model.Subject) int { return cmp.Compare(alike(x), alike(y)) })
	return all[:min(len(all), mostLists)]
}

// identifiedBy are the members of a row that hold each required identifier of a call, by parameter; none where one is missing.
func identifiedBy(s model.Subject, call probes.Probe, row probes.Value) map[string]string {
	members := map[string]string{}
	for _, p := range s.Op.Parameters {
		if !p.Required || !probes.IsReference(s.Op, p) {
			continue
		}
		i := slices.IndexFunc(row.Members(), func(m probes.Member) bool { return m.Value.Equal(model.ValueIn(call, p.Name)) })
		if i < 0 {
			return nil
		}
		members[p.Name] = row.Members()[i].Name
	}
	return members
}

// listedReads are the reads of some objects of a listing, and the members by which its rows are known.
func listedReads(s model.Subject, listing probes.Observation) (reads []probes.Probe, members map[string]string) {
	known, rows := s.ValidCall(), model.RowsIn(listing.Data())
	for _, row := range rows {
		if members = identifiedBy(s, known, row); len(members) > 0 {
			break
		}
	}
	if len(members) == 0 || !listing.Succeeded() {
		return nil, nil
	}
	for _, i := range diverse(rows, mostRows) {
		p, whole := known, !s.OfRun(rows[i])
		for parameter, name := range members {
			is := rows[i].At(name)
			whole = whole && (is.Is(probes.String) || is.Is(probes.Number))
			p = p.With(parameter, is.Go())
		}
		if whole && !bytes.Equal(p.Arguments(), known.Arguments()) {
			reads = append(reads, p)
		}
	}
	return reads, members
}

// diverse chooses rows that differ the most in what they have in common with others: in states, in what is empty and what is
// zero.
func diverse(rows []probes.Value, most int) (chosen []int) {
	times := map[string]int{}
	for _, row := range rows {
		for _, m := range row.Members() {
			times[m.Name+"="+m.Value.String()]++
		}
	}
	traits := func(row probes.Value) (all []string) {
		for _, m := range row.Members() {
			trait := m.Name + "=" + m.Value.String()
			switch {
			case times[trait] > 1:
			case m.Value.Is(probes.Number), m.Value.Is(probes.Array), m.Value.Is(probes.Object):
				trait = fmt.Sprint(m.Name, " ", m.Value.String() == "0" || m.Value.String() == "[]" || m.Value.String() == "{}")
			default:
				trait = fmt.Sprint(m.Name, " is null ", m.Value.Is(probes.Null))
			}
			all = append(all, trait)
		}
		return all
	}
	seen := map[string]bool{}
	for len(chosen) < min(most, len(rows)) {
		best, gain := -1, -1
		for i, row := range rows {
			if n := len(slices.DeleteFunc(traits(row), func(t string) bool { return seen[t] })); n > gain && !slices.Contains(chosen, i) {
				best, gain = i, n
			}
		}
		chosen = append(chosen, best)
		for _, t := range traits(rows[best]) {
			seen[t] = true
		}
	}
	return chosen
}

// changedRow names a member that clients set, or the version, of the object that a read names, where two looks differ in it.
func changedRow(s model.Subject, list probes.Operation, read probes.Probe, members map[string]string, before, after probes.Observation) string {
	row := func(o probes.Observation) probes.Value {
		for _, row := range model.RowsIn(o.Data()) {
			named := o.Succeeded()
			for parameter, name := range members {
				named = named && row.At(name).Equal(model.ValueIn(read, parameter))
			}
			if named {
				return row
			}
		}
		return probes.Value{}
	}
	set, was, is := supplied(s.Adapter, list), row(before), row(after)
	for _, m := range was.Members() {
		if now := is.At(m.Name); set[m.Name] && !now.Is(probes.Absent) && !now.Equal(m.Value) {
			return m.Name
		}
	}
	return ""
}

// suspect is the first read after which its object is listed otherwise.
func suspect(s model.Subject, got probes.Answers) (read probes.Probe, list probes.Operation, members map[string]string, found, looked bool) {
	after, shown := got.Find(listedScript + ": listing after")
	for _, before := range got.Under(listedScript + ": listing") {
		reads, members := listedReads(s, before)
		if len(reads) == 0 || !shown {
			continue
		}
		list, _ := s.Operation(before.Probe.Operation())
		for _, p := range reads {
			if changedRow(s, list, p, members, before, after) != "" {
				return p, list, members, true, true
			}
		}
		return read, list, members, false, after.Succeeded()
	}
	return read, list, members, false, false
}

// Section 8.1.
var readLeavesListedObjectsUntouched = check.Check{
	Requirement: "AQL-8.1-02",
	Why:         "Nobody expects that a look changes an object, so the change is found late.",
	On: model.Only((*model.Adapter).ProvenReads, func(s model.Subject) bool {
		return s.NeedsReference(s.Op) && len(listsFor(s)) > 0
	}),
	Lane: probes.Sparse,
	Drive: func(s model.Subject, ask model.AskFunc) {
		var got probes.Answers
		asking := func(p probes.Probe, step string) {
			got = append(got, ask(p.Anew(step)))
		}
		for i, t := range listsFor(s) {
			page := t.LargestPage()
			asking(page, probes.Nth(listedScript+": listing", i))
			reads, _ := listedReads(s, got.Last())
			if len(reads) == 0 {
				continue
			}
			for n, p := range reads {
				asking(p, probes.Nth(listedScript+": read", n))
			}
			asking(page, listedScript+": listing after")
			if p, _, _, found, _ := suspect(s, got); found {
				for n := range listedRounds {
					round := probes.Nth(listedScript+": round", n)
					for _, look := range []string{": first look", ": rest", ": second look"} {
						asking(page, round+look)
					}
					asking(p, round+": read")
					asking(page, round+": third look")
				}
			}
			return
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		read, list, members, found, looked := suspect(s, got)
		switch {
		case !looked:
			return ruling.NotApplicable("no listing shows other objects that " + s.Name + " reads")
		case !found:
			return ruling.Conforms().By(got.Last())
		}
		name, times := "", 0
		for n := range listedRounds {
			round := probes.Nth(listedScript+": round", n)
			if moved := changedRow(s, list, read, members, got.Step(round+": first look"), got.Step(round+": second look")); moved != "" {
				return ruling.NotProven("an object that rests between two looks", moved+" changed without a read").By(got.Last())
			}
			if changed := changedRow(s, list, read, members, got.Step(round+": second look"), got.Step(round+": third look")); changed != "" && got.Step(round+": read").Succeeded() {
				name = changed
				times++
			}
		}
		last := probes.Nth(listedScript+": round", listedRounds-1)
		switch times {
		case listedRounds:
			return ruling.Violates("the listed object as it was before it was read", name+" changed each time").By(got.Step(last+": third look"), got.Step(last+": read"), got.Step(last+": second look"))
		case 0:
			return ruling.Conforms().By(got.Last())
		}
		return ruling.NotProven("a difference that comes with reads each time or never", fmt.Sprintf("%s changed %d of %d times", name, times, listedRounds)).By(got.Last())
	},
	Fix: "let READ operations change nothing that clients store",
}
