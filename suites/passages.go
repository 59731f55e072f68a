package suites

import (
	"embed"
	"encoding/json"
	"io/fs"
)

// texts are beside the rows and not in the catalogue: a quotation changes no verdict, and the digest of the
// catalogue says with which others a verdict can be compared.
//
//go:embed area/*/texts.json
var texts embed.FS

// An Erratum is what a reading is about: two texts that do not fit together, one that leaves something open, or none.
type Erratum struct {
	ID    string    `json:"id"`
	Kind  string    `json:"kind"`
	Texts []Passage `json:"texts"`
}

// The kinds of an erratum.
const (
	Contradiction = "contradiction"
	Ambiguity     = "ambiguity"
	Silence       = "silence" // the passages are those that come nearest
)

// A Passage is quoted word by word; white space is folded, and the layout of tables and examples is lost.
type Passage struct {
	Doc     string `json:"doc"`
	Section string `json:"section"`
	Quote   string `json:"quote"`
}

// Documents are the titles of what is quoted, by the name that passages use.
var Documents = map[string]string{
	"spec":                "MCP-AQL Specification 1.0.0-draft, normative",
	"introspection":       "MCP-AQL Introspection Specification 1.0.0-draft",
	"operations":          "MCP-AQL Operations Specification 1.0.0-draft",
	"mcp":                 "MCP Protocol Analysis",
	"ax":                  "AX principle: Introspectable",
	"confirmation-tokens": "MCP-AQL Confirmation Token Specification 1.0.0-draft",
	"conformance-testing": "MCP-AQL Conformance Testing Specification 1.0.0-draft",
	"endpoint-modes":      "MCP-AQL Endpoint Modes Specification 1.0.0-draft",
	"error-codes":         "MCP-AQL Structured Error Codes Specification 1.0.0-draft",
	"mcp-integration":     "MCP-AQL MCP Integration Specification 1.0.0-draft",
	"overview":            "MCP-AQL Protocol Overview 1.0.0-draft",
	"pagination":          "MCP-AQL Cursor-Based Pagination Specification 1.0.0-draft",
	"warnings":            "MCP-AQL Warnings Array Specification 1.0.0-draft",
	"mcp-2025-06-18":      "Model Context Protocol, revision 2025-06-18",
	"mcp-2025-11-25":      "Model Context Protocol, revision 2025-11-25",
	"mcp-2026-07-28":      "Model Context Protocol, revision 2026-07-28",
	"mcp-authorization":   "Model Context Protocol, revision 2025-11-25, Authorization",
	"rfc9728":             "RFC 9728, OAuth 2.0 Protected Resource Metadata",
}

// Errata reads what the reading of each requirement that has one is about, by id. It is no variable, so that a program
// that does not call it, as the judge in a browser, is built without the texts.
func Errata() map[string]Erratum {
	errata := map[string]Erratum{}
	err := fs.WalkDir(texts, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := texts.ReadFile(name)
		if err != nil {
			return err
		}
		var file []Erratum
		err = json.Unmarshal(data, &file)
		for _, e := range file {
			errata[e.ID] = e
		}
		return err
	})
	if err != nil {
		panic("suites: embedded texts: " + err.Error())
	}
	return errata
}
