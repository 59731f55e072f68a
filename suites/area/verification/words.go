package verification

import (
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
)

// suspectScene tries what looks like a code.
const suspectScene check.Scenario = "suspect words"

// tryWords submits the words of directives that look like codes, each to a challenge of
// its own: a failure ends the challenge.
func tryWords(s model.Subject, ask model.AskFunc) {
	const most = 5 // below the limit of failures
	t := try(s, ask, suspectScene, 0)
	defer func() { done(t, "") }()
	harmless(t)
	for tried := range most {
		id := provoke(t)
		words := suspicious(s, t.LastDirective, nil)
		if id == "" || tried >= len(words) {
			return
		}
		t.Verify(id, words[tried])
	}
}

// suspicious are the words of a directive that look like chance and that nothing
// explains: neither the id of a challenge, nor what the requests and the start of the
// agent have told, nor the name of the member that holds them.
func suspicious(s model.Subject, directive probes.Value, got probes.Answers) []string {
	return check.UnexplainedWords(s, directive, got, check.LooksRandom)
}
