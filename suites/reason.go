package suites

import (
	_ "embed"
	"encoding/json"
)

// reasonsFile has the reason of each rule, by id: the comments of the checks, which a
// test holds it to.
//
//go:embed requirements/reasons.json
var reasonsFile []byte

// Reason says why there is such a rule; empty where its check does not say.
func Reason(id string) string {
	var reasons map[string]string
	if err := json.Unmarshal(reasonsFile, &reasons); err != nil {
		panic("requirements/reasons.json: " + err.Error()) // it is part of this program
	}
	return reasons[id]
}
