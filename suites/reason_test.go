package suites

import (
	"bytes"
	"encoding/json"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write down the reasons that the comments of the checks give")

const reasonsPath = "requirements/reasons.json"

// section is how the comment of a check begins: with the place in the texts.
var section = regexp.MustCompile(`^(?:[A-Z][\w -]*, )?(?:[Ss]ections?|[Aa]ppendix) [0-9A-Z].*?\. `)

// What explain gives as the reason of a rule is what stands above its check.
func TestReasonsAreTheComments(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]string{}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if id, why := reasoned(d); why != "" && reasons[id] == "" {
				reasons[id] = why
			}
		}
	}
	var want bytes.Buffer
	e := json.NewEncoder(&want)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(reasons); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(reasonsPath, want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(reasonsPath); err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%s is not what the comments say (%v); go test ./suites -run %s -update", reasonsPath, err, t.Name())
	}
	if len(reasons) < 380 {
		t.Errorf("%d checks give a reason, want 380 at least", len(reasons))
	}
}

// reasoned returns the requirement of a declaration that registers a check, and the
// reason that its comment gives.
func reasoned(d ast.Decl) (id, why string) {
	g, ok := d.(*ast.GenDecl)
	if !ok || g.Doc == nil {
		return "", ""
	}
	ast.Inspect(g, func(n ast.Node) bool {
		if kv, ok := n.(*ast.KeyValueExpr); ok && id == "" {
			if key, ok := kv.Key.(*ast.Ident); ok && key.Name == "Requirement" {
				if v, ok := kv.Value.(*ast.BasicLit); ok {
					id, _ = strconv.Unquote(v.Value)
				}
			}
		}
		return true
	})
	if _, known := Lookup(id); !known {
		return "", ""
	}
	text := strings.Join(strings.Fields(g.Doc.Text()), " ")
	at := section.FindStringIndex(text)
	if at == nil {
		return "", ""
	}
	return id, text[at[1]:]
}
