package reports_test

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/aql-conform/aql-conform/reports"
)

func page(t *testing.T, r *reports.Report) string {
	t.Helper()
	var b strings.Builder
	if err := r.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var (
	tag       = regexp.MustCompile(`<[^>]*>`)
	values    = regexp.MustCompile(`="[^"]*"`)
	inline    = regexp.MustCompile(`(?s)<(style|script)>(.*?)</(?:style|script)>`)
	attribute = regexp.MustCompile(` ([a-zA-Z-]+)="([^"]*)"`)
)

// tags are the elements of a page in order, without the values of their attributes.
func tags(page string) []string {
	return tag.FindAllString(values.ReplaceAllString(inline.ReplaceAllString(page, ""), ""), -1)
}

// Whatever an adapter writes, it is text: the page has the elements that it has with
// any other words.
func TestHTMLIsInert(t *testing.T) {
	for _, verdict := range []reports.Verdict{reports.Fail, reports.Warn, reports.Pass, reports.NotProven, reports.Skipped} {
		plain := tags(page(t, everywhere("a b", verdict)))
		for _, s := range []string{
			hostile, "</pre></details><script>alert(1)</script>", `"><img src=x onerror=alert(1)>`, "</title><svg onload=alert(1)>",
			"' autofocus onfocus='alert(1)", "<!--", "]]>", "{{.}}", "javascript:alert(1)", "</script>", "</style>", "&#60;b&#62;", "`${1}`",
		} {
			out := page(t, everywhere("a "+s+" b", verdict))
			if got := tags(out); !slices.Equal(got, plain) {
				t.Errorf("%s: %q brings other elements:\n%q\nwant\n%q", verdict, s, got, plain)
			}
			for _, c := range inline.ReplaceAllString(out, "") {
				if c != '\n' && !unicode.IsPrint(c) {
					t.Errorf("%s: %U reached the page", verdict, c)
				}
			}
			if !utf8.ValidString(out) {
				t.Errorf("%s: broken UTF-8", verdict)
			}
		}
	}
}

func TestHTMLAllowsOnlyItself(t *testing.T) {
	out := page(t, reports.Conclude(run(), rows(), findings()))
	policy := regexp.MustCompile(`http-equiv="Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(out)
	if policy == nil || !strings.HasPrefix(policy[1], "default-src 'none';") || strings.Contains(policy[1], "unsafe") {
		t.Fatalf("policy %q", policy)
	}
	found := inline.FindAllStringSubmatch(out, -1)
	for _, part := range found {
		sum := sha256.Sum256([]byte(part[2]))
		if want := part[1] + "-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(policy[1], want) {
			t.Errorf("the policy does not allow the %s of the page", part[1])
		}
	}
	if len(found) != 2 {
		t.Errorf("%d inline parts", len(found))
	}
	for _, el := range tag.FindAllString(inline.ReplaceAllString(out, ""), -1) {
		for _, a := range attribute.FindAllStringSubmatch(el, -1) {
			elsewhere := (a[1] == "href" || a[1] == "src") && !strings.HasPrefix(a[2], "#") && a[2] != "data:,"
			if elsewhere || a[1] == "style" || strings.HasPrefix(a[1], "on") {
				t.Errorf("%s", el)
			}
		}
	}
}

func TestHTMLShowsEveryRequirement(t *testing.T) {
	r := reports.Conclude(run(), rows(), findings())
	out := page(t, r)
	for _, row := range rows() {
		want := strings.ToUpper(row.State)
		for _, f := range r.Findings {
			if f.Requirement == row.ID { // the first is the worst
				want = string(f.Verdict)
				break
			}
		}
		article := regexp.MustCompile(`<article id="`+regexp.QuoteMeta(row.ID)+`"[^>]*data-verdict="([^"]*)" data-area="([^"]*)"`).FindAllStringSubmatch(out, -1)
		if len(article) != 1 || article[0][1] != want || article[0][2] != row.Area {
			t.Errorf("%s is shown as %q, want %s", row.ID, article, want)
		}
		if n := strings.Count(out, fmt.Sprintf(`href="#%s" data-verdict="%s"`, row.ID, want)); n != 1 {
			t.Errorf("%s has %d cells in the map", row.ID, n)
		}
	}
}

// Who listens to the page goes by its headings and by what is labelled.
func TestHTMLCanBeHeard(t *testing.T) {
	for _, r := range []*reports.Report{reports.Conclude(run(), rows(), findings()), concluded()} {
		out := page(t, r)
		before := 0
		for _, h := range regexp.MustCompile(`<h([1-6])`).FindAllStringSubmatch(out, -1) {
			level, _ := strconv.Atoi(h[1])
			if level > before+1 || level == 1 && before > 0 {
				t.Errorf("heading %d after %d", level, before)
			}
			before = level
		}
		ids := map[string]bool{}
		for _, id := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(out, -1) {
			if ids[id[1]] {
				t.Errorf("two elements have the id %s", id[1])
			}
			ids[id[1]] = true
		}
		for _, to := range regexp.MustCompile(`(?:href="#|aria-labelledby=")([^"]*)"`).FindAllStringSubmatch(out, -1) {
			if !ids[to[1]] {
				t.Errorf("nothing has the id %s", to[1])
			}
		}
	}
}

// WCAG 2 wants a contrast of 4.5 for text, in the light and in the dark.
func TestHTMLCanBeSeen(t *testing.T) {
	style, err := os.ReadFile("html/sheet.css")
	if err != nil {
		t.Fatal(err)
	}
	colour := regexp.MustCompile(`--(\w+): #(\w{6});`)
	light, dark, _ := strings.Cut(string(style), "prefers-color-scheme: dark")
	for name, text := range map[string]string{"light": light, "dark": dark} {
		at := map[string]float64{}
		for _, c := range colour.FindAllStringSubmatch(text, -1) {
			at[c[1]] = luminance(c[2])
		}
		for _, pair := range strings.Fields("text/page text/soft quiet/page link/page fail/page open/page warn/page pass/page none/page none/soft " +
			"over/fail over/open over/warn over/pass over/none") {
			a, b, _ := strings.Cut(pair, "/")
			if got := (max(at[a], at[b]) + 0.05) / (min(at[a], at[b]) + 0.05); got < 4.5 {
				t.Errorf("%s: %s has a contrast of %.1f", name, pair, got)
			}
		}
	}
}

// luminance is the relative luminance of WCAG 2, of a colour as rrggbb.
func luminance(colour string) float64 {
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, _ := strconv.ParseUint(colour[2*i:2*i+2], 16, 8)
		c := float64(n) / 255
		if c <= 0.04045 {
			sum += weight * c / 12.92
		} else {
			sum += weight * math.Pow((c+0.055)/1.055, 2.4)
		}
	}
	return sum
}

// A request of 8 MB is a line to copy for nobody: the page would be as large.
func TestHTMLNamesTheSizeOfALargeRequest(t *testing.T) {
	failed := on(must1, reports.Fail)
	failed.Raw = strings.Repeat("a", 8<<20)
	if text := page(t, reports.Conclude(reports.Run{Level: 1}, []reports.Requirement{must1}, []reports.Finding{failed})); len(text) > 1<<20 || !strings.Contains(text, "8388608 bytes, in the JSON report") {
		t.Errorf("%d bytes", len(text))
	}
}
