package parameters

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
)

// storedRefusals returns for each creation that was refused and stored all the same the request and
// the listing that shows it. The texts of a run are unique, so one that was sent in refused creations
// alone and stands in a listing of their kind was stored by one of them.
func storedRefusals(f *model.Adapter, all probes.Record) map[string]probes.Answers {
	return f.Remember(fmt.Sprintf("stored refusals of %d requests", len(all.Observations)), func() any {
		texts, found, mark := refusedMarks(f, all), map[string]probes.Answers{}, []byte(f.Gen.Marker(""))
		for o := range all.All() {
			if len(texts) == 0 || !o.Succeeded() || !mayShow(o.ReceivedData(), mark, texts) {
				continue
			}
			for _, item := range model.ListedItems(o.Data()) {
				for _, text := range item.Scalars() {
					made, refused := texts[text]
					if refused && found[made.operation] == nil && f.HasRole(model.ListerRole, o.Probe.Operation(), made.operation) {
						found[made.operation] = probes.Answers{made.kept.Observation(), o}
					}
				}
			}
		}
		return found
	}).(map[string]probes.Answers)
}

// mayShow reports whether an answer may hold one of the texts. If not, the answer need not be parsed. The texts
// hold neither quotes nor backslashes, so one that an answer writes without escapes ends at the first of these.
func mayShow(answer, mark []byte, texts map[string]valueRefusal) bool {
	for {
		at := bytes.Index(answer, mark)
		if at < 0 {
			return false
		}
		answer = answer[at:]
		end := bytes.IndexAny(answer, `"\\`)
		if end < 0 {
			return true
		}
		// Where the answer carries its JSON as a text, a backslash stands before the closing quote. Any other may belong
		// to the text that is looked for.
		if _, refused := texts[string(answer[:end])]; refused || answer[end] == '\\' && !bytes.HasPrefix(answer[end+1:], []byte(`"`)) {
			return true
		}
		answer = answer[end:]
	}
}

// A valueRefusal is a creation that was refused for a value. Its messages stay in the record: a run may have thousands.
type valueRefusal struct {
	kept      *probes.Kept
	operation string
	passes    bool // its error may pass
}

// refusedMarks returns the texts of the run that only refused creations have, with one of them each.
// What is wrong with them must be a value: other requirements speak of unknown names and of other
// endpoints. A request to read stores nothing, so it may look for such a text.
func refusedMarks(f *model.Adapter, all probes.Record) map[string]valueRefusal {
	texts, elsewhere := map[string]valueRefusal{}, map[string]bool{}
	for _, kept := range all.Observations {
		o := kept.Observation()
		op, listed := f.Operation(o.Probe.Operation())
		if listed && op.Category == "READ" {
			continue
		}
		wrong := listed && op.Category == "CREATE" && refusedForValue(f, op, o)
		for _, text := range ownTexts(o.SentData(), f.Gen.Marker("")) {
			switch earlier, met := texts[text]; {
			case !wrong:
				elsewhere[text] = true
			case !met || !earlier.passes: // an error that may pass is the first suspect: the request may have been carried out
				texts[text] = valueRefusal{kept, o.Probe.Operation(), o.MayPass() != ""}
			}
		}
	}
	for text := range elsewhere {
		delete(texts, text)
	}
	return texts
}

// refusedForValue reports whether a request was refused for good, and neither for a name in it nor
// for its endpoint. What a confirmation may still carry out is not refused for good.
func refusedForValue(f *model.Adapter, op probes.Operation, o probes.Observation) bool {
	if !o.Refused() || !o.ConfirmationToken().Is(probes.Absent) || o.Passed() || o.Deferred() || o.Code() == "VALIDATION_UNKNOWN_PARAM" || slices.Contains(check.WrongTools(f, op), o.Probe.Tool) {
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
	for begin := []byte(`"` + mark); ; {
		_, after, found := bytes.Cut(message, begin)
		end := bytes.IndexAny(after, `"\`)
		if !found || end < 0 {
			return texts
		}
		texts = append(texts, mark+string(after[:end]))
		message = after[end:]
	}
}
