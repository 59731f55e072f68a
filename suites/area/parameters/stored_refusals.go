package parameters

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Operations document, section 5.4. Whatever the reason of a refusal is, no later listing may show
// what was refused. The texts of a run are unique, so one that was sent in refused creations alone
// and stands in a listing of their kind was stored by one of them.
var refusedCreationsAreNeverListed = check.Check{
	Requirement: "OPS-5.1-02",
	Why:         "A caller corrects a refused request and sends it again; what the refused one made is there twice.",
	On: func(f *model.Adapter) []model.Subject {
		if !slices.ContainsFunc(model.EachMarked(f), func(s model.Subject) bool { return s.Ruling == nil }) {
			return nil
		}
		return model.WholeAdapter(f)
	},
	Ambient: &check.Ambient{Run: func(s model.Subject, _ probes.Answers, all probes.Record) ruling.Ruling {
		texts := refusedTexts(s.Adapter, all)
		seen := 0
		for o := range all.All() {
			if !o.Succeeded() || !bytes.Contains(o.ReceivedData(), []byte(s.Gen.Marker(""))) {
				continue
			}
			for _, item := range model.ListedItems(o.Data()) {
				for _, text := range item.Scalars() {
					if made, refused := texts[text]; refused && s.HasRole(model.ListerRole, o.Probe.Operation(), made.Probe.Operation()) {
						return ruling.Violates("no effect of a refused "+made.Probe.Operation(), "a listing that shows it").By(made, o)
					}
				}
			}
			seen++
		}
		if len(texts) == 0 || seen == 0 {
			return ruling.NotApplicable("no refused creation has a text of its own and a listing after it")
		}
		return ruling.Conforms().Noting(fmt.Sprintf("%d texts of refused creations looked for in %d answers", len(texts), seen))
	}},
	Fix: "validate the whole request before executing any of it",
}

// refusedTexts returns the texts of the run that only refused creations have, with one of them each.
// What is wrong with them must be a value: other requirements speak of unknown names and of other
// endpoints. A request to read stores nothing, so it may look for such a text.
func refusedTexts(f *model.Adapter, all probes.Record) map[string]probes.Observation {
	texts, elsewhere := map[string]probes.Observation{}, map[string]bool{}
	for o := range all.All() {
		op, listed := f.Operation(o.Probe.Operation())
		if listed && op.Category == "READ" {
			continue
		}
		if strings.Contains(o.Probe.Step, attempt) {
			continue // the script that asked looks for it
		}
		wrong := listed && op.Category == "CREATE" && refusedForValue(f, op, o)
		for _, text := range ownTexts(o.SentData(), f.Gen.Marker("")) {
			if wrong {
				texts[text] = o
			} else {
				elsewhere[text] = true
			}
		}
	}
	for text := range elsewhere {
		delete(texts, text)
	}
	return texts
}

// refusedForValue reports whether a request was refused for good, and neither for a name in it nor
// for its endpoint.
func refusedForValue(f *model.Adapter, op probes.Operation, o probes.Observation) bool {
	if !o.Refused() || o.Passed() || o.Deferred() || o.Code() == "VALIDATION_UNKNOWN_PARAM" || slices.Contains(check.WrongTools(f, op), o.Probe.Tool) {
		return false
	}
	for name := range o.Probe.Params() {
		if !op.HasParameter(name) {
			return false
		}
	}
	return true
}

// ownTexts returns the texts of a message that begin with the mark of the run.
func ownTexts(message []byte, mark string) (texts []string) {
	for rest := string(message); ; {
		_, after, found := strings.Cut(rest, `"`+mark)
		if !found {
			return texts
		}
		end := strings.IndexAny(after, `"\`)
		if end < 0 {
			return texts
		}
		texts = append(texts, mark+after[:end])
		rest = after[end:]
	}
}
