package pagination

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A client may remove the last item of a page and go on. The cursor names an item that is not there any more. An adapter goes on
// behind its place, or refuses the cursor. One that begins again at the first page lets the client act twice on each item.

const removedItem = "cursor at a removed item"

// The steps of the script.
const (
	removedListing = removedItem + ": listing"
	removedPage    = removedItem + ": page that ends with the object"
	removedBefore  = removedItem + ": page behind it"
	removedRemoval = removedItem + ": removal"
	removedGone    = removedItem + ": listing after the removal"
	removedAfter   = removedItem + ": page behind it after the removal"
)

// mostRemovable is how many objects the script makes: one of two has items behind it.
const mostRemovable = 2

func removableMade(i int) string { return probes.Nth(removedItem+": made", i) }

// removable is the test object of an operation that removes what a listing shows.
func removable(s model.Subject) (obj model.TestObject, ok bool) {
	for _, o := range s.Operations {
		obj, why := s.TestObject(o.Name)
		if o.Category == "DELETE" && why == nil && s.HasRole(model.ListerRole, s.Name, obj.Maker.Name) {
			return obj, true
		}
	}
	return obj, false
}

// endOfPage returns how many items of a listing the page has to hold that ends with an object of the script, and which object
// that is; ok is false where no items follow one.
func endOfPage(s model.Subject, obj model.TestObject, got probes.Answers) (size, object int, ok bool) {
	items := itemsOf(got.Step(removedListing))
	p, _ := check.Parameter(s, check.CursorStyle.Size)
	for object = range mostRemovable {
		at := placeOf(obj, got.Step(removableMade(object)), items)
		if size = at + 1; at >= 0 && size < len(items) && s.Misfit(p, probes.ValueOf(size)) == "" {
			return size, object, true
		}
	}
	return 0, 0, false
}

func itemsOf(o probes.Observation) []probes.Value {
	items, _, _ := check.Collection(o.Data())
	return items
}

// placeOf is where a listing shows the object that an answer told of; -1 where it does not.
func placeOf(obj model.TestObject, made probes.Observation, items []probes.Value) int {
	return slices.IndexFunc(items, func(item probes.Value) bool {
		shown := item.Scalars()
		for _, path := range obj.IDs {
			if id := made.Told(path...).Scalars(); len(id) != 1 || !slices.Contains(shown, id[0]) {
				return false
			}
		}
		return true
	})
}

// Operations document, section 4.4.3.
var cursorAtRemovedItemGoesOn = check.Check{
	Requirement: "OPS-4.4.3-08",
	Why:         "A client that removes what it has walked past has to come to the end all the same, and to no item twice.",
	On: model.Only(check.EachPaged(check.CursorStyle), func(s model.Subject) bool {
		_, ok := removable(s)
		return ok
	}),
	Lane: probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		obj, _ := removable(s)
		var got probes.Answers
		ask = ask.Into(&got)
		for i := range mostRemovable {
			if creation, _ := obj.Create(removableMade(i), nil); !ask(creation).Succeeded() {
				return
			}
		}
		ask(greatest(s).Anew(removedListing))
		size, object, ok := endOfPage(s, obj, got)
		if !ok {
			return
		}
		call := s.ValidCall().With(check.CursorStyle.Size, size)
		page := ask(call.Anew(removedPage))
		at := check.PositionOf(page)
		if placeOf(obj, got.Step(removableMade(object)), itemsOf(page)) != size-1 || !at.More.True() || at.Cursor.Text() == "" {
			return
		}
		call = call.With(check.CursorStyle.From, at.Cursor.Text())
		if obj.Base = object; ask(call.Anew(removedBefore)).Succeeded() && ask(obj.Apply(removedRemoval)).Succeeded() && ask(greatest(s).Anew(removedGone)).Succeeded() {
			ask(call.Anew(removedAfter))
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		obj, _ := removable(s)
		page, after := got.Step(removedPage), got.Step(removedAfter)
		_, object, ok := endOfPage(s, obj, got)
		switch {
		case !got.Has(removedListing):
			return ruling.NotProven("two objects of our own", got.Last())
		case !ok:
			return ruling.NotApplicable("no page of the listing can end with an object of our own")
		case !got.Has(removedAfter):
			return ruling.NotProven("a page that ends with an object of our own, and its removal", got.Last())
		case placeOf(obj, got.Step(removableMade(object)), itemsOf(got.Step(removedGone))) >= 0:
			return ruling.NotProven("a listing without the removed object", "one that shows it").By(got.Step(removedGone))
		case check.RefusedByRule(after) && after.Transient() == "":
			return ruling.Conforms().By(after)
		case !after.Succeeded():
			return ruling.NotProven("an answer to the cursor", after)
		}
		of, _, told := check.ItemKeys(itemsOf(got.Step(removedListing)))
		if !told {
			return ruling.NotProven("items that can be told apart", "equal ones").By(got.Step(removedListing))
		}
		before := check.KeysOf(itemsOf(page), of)
		if slices.ContainsFunc(check.KeysOf(itemsOf(after), of), func(key string) bool { return slices.Contains(before, key) }) {
			return ruling.Departs("the items behind the removed one, or a refusal of its cursor", "items of the page before").By(after, page, got.Step(removedBefore))
		}
		return ruling.Conforms().By(after, page)
	},
	Fix: "go on behind the place of an item that is gone, or refuse the cursor",
}
