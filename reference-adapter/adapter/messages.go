package adapter

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// placeholder names a detail in a template.
var placeholder = regexp.MustCompile(`\{[a-z_]+\}`)

//go:embed messages.json
var messagesFile []byte

// Messages are the sentences of refusals: language -> code -> template.
var Messages = sync.OnceValue(func() map[string]map[string]string {
	var all map[string]map[string]string
	if err := json.Unmarshal(messagesFile, &all); err != nil {
		panic(err) // the file is embedded
	}
	return all
})

// said puts the message of a refusal into the language of the adapter. A code without a
// sentence in it keeps its own.
func (a *Adapter) said(e Envelope) Envelope {
	reason := Object(e["error"])
	code, _ := reason["code"].(string)
	template := Messages()[a.Manner.Speaks][code]
	if template == "" {
		return e
	}
	details := Object(reason["details"])
	reason["message"] = placeholder.ReplaceAllStringFunc(template, func(found string) string {
		switch value := details[found[1:len(found)-1]].(type) {
		case nil:
			return "?"
		case []any:
			names := make([]string, len(value))
			for i, name := range value {
				names[i] = fmt.Sprintf("'%v'", name)
			}
			return strings.Join(names, ", ")
		default:
			return fmt.Sprintf("'%v'", value)
		}
	})
	return e
}
