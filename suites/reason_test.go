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
var section = regexp.MustCompile(`^(?:(?:[A-Z][\w -]*, )?(?:[Ss]ections?|[Aa]ppendix) (?:mcp/)?[0-9A-Za-z].*?|AX(?: rules? R[^.]*|, definition)|AX, [\w-]+|MCP document, [\w ]+|ODD-\d+|Pagination, on \w+|Confirmation tokens)\. `)

// What explain gives as the reason of a rule is what stands above its check.
func TestReasonsAreTheComments(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]string{}
	for _, name := range files {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			for id, why := range reasoned(d) {
				if reasons[id] == "" {
					reasons[id] = why
				}
			}
		}
		for id, why := range inRows(ast.NewCommentMap(set, file, file.Comments)) {
			reasons[id] = why
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
	for _, row := range Catalogue {
		if row.State() == Checked && reasons[row.ID] == "" {
			t.Errorf("nothing above the check of %s says why the rule is there", row.ID)
		}
	}
}

// inRows returns the reasons in the tables of which checks are made: each row begins with
// its requirement and has the reason above it.
func inRows(comments ast.CommentMap) map[string]string {
	found := map[string]string{}
	for node, groups := range comments {
		row, ok := node.(*ast.CompositeLit)
		if !ok || len(row.Elts) == 0 {
			continue
		}
		if id := requirementIn(row.Elts[0]); id != "" {
			found[id] = strings.Join(strings.Fields(groups[0].Text()), " ")
		}
	}
	return found
}

// reasoned returns the requirements that a declaration registers checks of, each with the
// reason that the comment above it gives, or above the group it stands in.
func reasoned(d ast.Decl) map[string]string {
	found := map[string]string{}
	g, ok := d.(*ast.GenDecl)
	if !ok {
		return found
	}
	for _, spec := range g.Specs {
		value, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		doc := value.Doc
		if doc == nil {
			doc = g.Doc
		}
		text := strings.Join(strings.Fields(doc.Text()), " ")
		at := section.FindStringIndex(text)
		if id := registered(value); id != "" && at != nil && found[id] == "" {
			found[id] = text[at[1]:]
		}
	}
	return found
}

// registered is the requirement of the check that a declaration registers: the field of
// that name, or the first that a maker of checks is given.
func registered(value *ast.ValueSpec) (id string) {
	ast.Inspect(value, func(n ast.Node) bool {
		var lit ast.Expr
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Requirement" {
				lit = n.Value
			}
		case *ast.AssignStmt:
			if field, ok := n.Lhs[0].(*ast.SelectorExpr); ok && field.Sel.Name == "Requirement" {
				lit = n.Rhs[0]
			}
		case *ast.CallExpr:
			if len(n.Args) > 0 {
				lit = n.Args[0]
			}
		}
		if id == "" {
			id = requirementIn(lit)
		}
		return id == ""
	})
	return id
}

// requirementIn is the id that a literal is; "" for other expressions.
func requirementIn(e ast.Expr) string {
	v, ok := e.(*ast.BasicLit)
	if !ok {
		return ""
	}
	text, err := strconv.Unquote(v.Value)
	if r, known := Lookup(text); err == nil && known && r.ID == text {
		return text
	}
	return ""
}
