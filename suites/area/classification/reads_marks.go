package classification

import (
	"fmt"
	"slices"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// An adapter may count reads, or note the last one. What it notes of changes is another matter: a field
// that each update sets, such as the time of the last change or a version, tells others that
// something has changed. A listing shows it without reading the object, so it is looked at before a
// read and after it.

const (
	marksScript = "marks of changes"
	wholeSecond = 1100 * time.Millisecond // times may be written in whole seconds
	moment      = 30 * time.Millisecond   // or in milliseconds
	marksRounds = 2
)

// playMarks makes an object, updates it until the listing shows a field that the update sets, and reads
// it between two looks at the listing.
func playMarks(s model.Subject, ask model.AskFunc) {
	obj, _ := s.TestObject(s.Name)
	text, _ := obj.TextField()
	mark := obj.ShownMark(marksScript)
	if !check.CreateWithFields(obj, ask, marksScript, map[string]any{text.Name: mark}) {
		return
	}
	view := pageOf(obj, ask, mark)
	look := func(step string) probes.Observation { return ask(view.Anew(marksScript + ": " + step)) }
	pause, was := moment, look("listing as made")
	for n := range marksRounds {
		if ask(obj.Apply(probes.Nth(marksScript+": update", n)).With("input", map[string]any{text.Name: fmt.Sprintf("%s-%d", mark, n)})); len(marks(obj, was, look(probes.Nth("listing after update", n)))) > 0 {
			break
		}
		if n+1 == marksRounds {
			return
		}
		pause = wholeSecond
		ask(probes.Pause(s.Conn, pause, marksScript+": wait for the update"))
	}
	for n := range marksRounds {
		ask(probes.Pause(s.Conn, pause, probes.Nth(marksScript+": wait", n)))
		look(probes.Nth("listing before the read", n))
		ask(obj.Read(probes.Nth(marksScript+": read", n)))
		look(probes.Nth("listing after the read", n))
	}
}

// pageOf returns the request for the page of a listing that shows an object; the first page where none does.
func pageOf(obj model.TestObject, ask model.AskFunc, mark string) probes.Probe {
	first := obj.Maker.Views(mark)[0]
	for page, n := first, 0; n < mostPages; n++ {
		o := ask(page.Anew(probes.Nth(marksScript+": page", n)))
		if len(model.ItemsWith(o.Data(), mark)) > 0 {
			return page
		}
		next, more := obj.NextPage(page, o)
		if !more {
			break
		}
		page = next
	}
	return first
}

// mostPages bounds how far an object is looked for.
const mostPages = 10

// marks are the fields of an object that differ between two listings, but for the text that was updated.
func marks(obj model.TestObject, before, after probes.Observation) []string {
	text, _ := obj.TextField()
	mark := obj.ShownMark(marksScript)
	x, y := model.ItemsWith(before.Data(), mark), model.ItemsWith(after.Data(), mark)
	if len(x) != 1 || len(y) != 1 {
		return nil
	}
	var names []string
	for _, m := range x[0].Members() {
		if is := y[0].At(m.Name); m.Name != text.Name && !is.Is(probes.Absent) && !m.Value.Equal(is) {
			names = append(names, m.Name)
		}
	}
	return names
}

// Section 8.1.
var readSetsNoMarkOfChange = check.Check{
	Requirement: "AQL-8.1-02",
	Why:         "Whoever watches for changes, or updates only what is as it was, is misled by a read that looks like a change.",
	On: model.Only(check.EachUpdate, func(s model.Subject) bool {
		obj, why := s.TestObject(s.Name)
		if why != nil || obj.Viewer.Name == "" {
			return false
		}
		_, ok := obj.TextField()
		return ok && len(obj.Maker.Views("")) > 0
	}),
	Lane:  probes.Serial,
	Drive: playMarks,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		obj, _ := s.TestObject(s.Name)
		first, last := got.Step(marksScript+": listing before the read 1"), got.Last()
		var set []string
		made := got.Step(marksScript + ": listing as made")
		for n := range marksRounds {
			set = append(set, marks(obj, made, got.Step(probes.Nth(marksScript+": listing after update", n)))...)
		}
		if !first.Succeeded() || len(set) == 0 {
			return ruling.NotApplicable("a listing shows a field that each update of " + s.Name + " sets")
		}
		updated := got.Step(marksScript + ": listing after update 1")
		if second, sent := got.Find(marksScript + ": listing after update 2"); sent {
			updated = second
		}
		restless := marks(obj, updated, first)
		read := func(n int) []string {
			return marks(obj, got.Step(probes.Nth(marksScript+": listing before the read", n)), got.Step(probes.Nth(marksScript+": listing after the read", n)))
		}
		one, two := read(0), read(1)
		for _, name := range set {
			if !slices.Contains(restless, name) && slices.Contains(one, name) && slices.Contains(two, name) {
				return ruling.Violates(name+" as it was before the read", "another value after each read, as after an update").By(got.Step(marksScript+": listing after the read 1"), got.Step(marksScript+": read 1"), first)
			}
		}
		return ruling.Conforms().By(last, first)
	},
	Fix: "let READ operations leave the time of the last change, and the version, as they are",
}
