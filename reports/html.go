package reports

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
)

//go:embed html/sheet.html
var sheetHTML string

//go:embed html/parts.html
var partsHTML string

//go:embed html/sheet.css
var sheetCSS string

//go:embed html/sheet.js
var sheetJS string

// pageTemplate is a page with the parts that pages share. It is made where it is used: a package that keeps
// a template brings all methods of all types into the judge for browsers, which writes no page.
func pageTemplate(page string) *template.Template {
	return template.Must(template.Must(template.New("parts").Parse(partsHTML)).New("page").Parse(page))
}

// WriteHTML writes the report as one page that needs nothing beside it: no network, no
// fonts, and no script to be read, which only filters. Whatever an adapter wrote stands
// in it as text, and the page's own policy lets nothing run but the script it came with.
func (r *Report) WriteHTML(w io.Writer) error {
	s := r.sheet()
	s.Style, s.Script = template.CSS(sheetCSS), template.JS(sheetJS)
	s.Policy = template.HTML(`<meta http-equiv="Content-Security-Policy" content="` + policy() + `">`)
	var buf bytes.Buffer
	if err := pageTemplate(sheetHTML).Execute(&buf, s); err != nil {
		return fmt.Errorf("the HTML report: %w", err)
	}
	_, err := w.Write(buf.Bytes())
	return err
}

// policy allows the style and the script of the page by their digests, an icon that is
// empty, and nothing else.
func policy() string {
	return fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; img-src data:; base-uri 'none'; form-action 'none'",
		sourceHash(sheetCSS), sourceHash(sheetJS))
}

func sourceHash(source string) string {
	sum := sha256.Sum256([]byte(source))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
