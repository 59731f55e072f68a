package reports_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// What failed comes first, with its evidence in sight; what needs no reader is folded; figures close the page.
func TestHTMLOrder(t *testing.T) {
	all := situations(t)
	for name, failed := range map[string]int{"conforming": 0, "one fault": 1, "14 findings": 14, "300 findings": 100, "interrupted": 2} {
		out := inline.ReplaceAllString(page(t, all[name]), "")
		order := []string{`<div class="bars">`, `>Reach<`, `<main`, `id="verdict-fail"`, `id="to-prove"`, `id="map"`, `<details class="group" id="verdict-pass"`, `<details class="group" id="verdict-not-applicable"`,
			`id="routing"`, `id="run"`, `id="latency"`}
		if failed == 0 {
			order = append(order[:3], order[4:]...)
		}
		at := 0
		for _, part := range order {
			i := strings.Index(out[at:], part)
			if i < 0 {
				t.Fatalf("%s: no %s, or it stands too early", name, part)
			}
			at += i
		}
		if got := strings.Count(out, `class="fail" data-verdict="FAIL"`); got != failed {
			t.Errorf("%s: %d failed requirements, want %d", name, got, failed)
		}
		if got := strings.Count(out, "\n<details open>"); got != min(failed, 10) {
			t.Errorf("%s: %d requirements stand open, want those that failed, up to ten", name, got)
		}
		first := regexp.MustCompile(`(?s)<article.*?</article>`).FindString(out)
		evidence := strings.Index(regexp.MustCompile(`(?s)<details><summary>.*?</details>`).ReplaceAllString(first, ""), "<figcaption>request</figcaption>")
		if failed > 0 && evidence < 0 {
			t.Errorf("%s: the first failure shows no evidence:\n%s", name, first)
		}
	}
	out := page(t, all["not an adapter"])
	if strings.Contains(out, "<article") || strings.Contains(out, `id="map"`) || !strings.Contains(out, "next: name the adapter&#39;s own command") {
		t.Errorf("a program that was not judged has findings, or no next step:\n%s", out)
	}
}

// No page is wider than the screen, and one without failures is short.
func TestHTMLSizes(t *testing.T) {
	b := newBrowser(t)
	pages := map[string]string{}
	for name, r := range situations(t) {
		pages[name] = page(t, r)
	}
	pages["registry"], pages["hostile"] = registryPage(t), page(t, everywhere(strings.Repeat("x", 300), "FAIL"))
	for name, page := range pages {
		for _, width := range []int{1280, 390} {
			b.resize(width)
			b.open(page, "")
			if got := b.eval(`document.documentElement.scrollWidth - document.documentElement.clientWidth`); got != "0" {
				t.Errorf("%s: %s pixels too wide at %d", name, got, width)
			}
			height := b.eval(`document.documentElement.scrollHeight`)
			t.Logf("%s at %d: %s pixels tall", name, width, height)
			most := map[string]int{"conforming": 4000, "one fault": 5000, "not an adapter": 2000, "interrupted": 6000, "registry": 3000}[name]
			if width == 1280 && most > 0 && b.eval(fmt.Sprintf("%s <= %d", height, most)) != "true" {
				t.Errorf("%s is %s pixels tall, want %d at most", name, height, most)
			}
		}
	}
	if len(b.complaints) > 0 {
		t.Errorf("the console says %q", b.complaints)
	}
}

// A search finds what the page shows, also in what is folded, and shows what it finds.
func TestHTMLSearchShowsWhatItFinds(t *testing.T) {
	b := newBrowser(t)
	b.open(page(t, situations(t)["14 findings"]), "")
	const passed = `[...document.querySelectorAll("article.pass")].at(7)`
	unseen := passed + `.querySelector("pre").checkVisibility()`
	if b.eval(unseen) != "false" {
		t.Fatal("what passed is not folded")
	}
	id := b.eval(passed + `.id`)
	words := b.eval(passed + `.querySelector(".rule + p").textContent`) // its statement, which is folded twice
	if got := b.filter("text", words); !strings.Contains(" "+got+" ", " "+id+" ") {
		t.Errorf("%q finds %q, want %s", words, got, id)
	}
	missing := `[...document.querySelectorAll("article")].filter(a => !a.hidden).filter(a => !%q.toLowerCase().split(/\s+/).filter(Boolean).every(w => a.innerText.toLowerCase().includes(w))).map(a => a.id).join(" ")`
	for _, words := range []string{words, "jsonrpc operation_03", "as was asked for", "replay"} {
		if got := b.filter("text", words); got == "" {
			t.Errorf("%q finds nothing", words)
		}
		if got := b.eval(fmt.Sprintf(missing, words)); got != "" {
			t.Errorf("%q finds %s, and does not show it", words, got)
		}
	}
	if got := b.filter("text", "terrorvalidation"); got != "" {
		t.Errorf("a word that stands nowhere finds %s", got)
	}
	b.filter("text", "")
	if b.eval(unseen) != "false" {
		t.Error("what the search opened stays open")
	}
}

// A link to a finding marks it alone, and opens what it is folded in.
func TestHTMLDeepLinks(t *testing.T) {
	b := newBrowser(t)
	report := situations(t)["300 findings"]
	out := page(t, report)
	passed := regexp.MustCompile(`<article id="([^"]*)" class="pass"`).FindStringSubmatch(out)[1]
	folded := regexp.MustCompile(`id="([^"]*\.3)"`).FindAllStringSubmatch(out, -1)[50][1]
	for _, id := range []string{passed, folded, strings.TrimSuffix(folded, ".3")} {
		b.open(out, "#"+id)
		if got := b.eval(`document.querySelector(":target").id`); got != id {
			t.Errorf("%s is marked, want %s", got, id)
		}
		if got := b.eval(`getComputedStyle(document.querySelector(":target")).outlineStyle`); got != "solid" {
			t.Errorf("%s is not marked", id)
		}
		where := fmt.Sprintf(`(r => r.top >= 0 && r.top < innerHeight && r.height > 0)(document.getElementById(%q).getBoundingClientRect())`, id)
		if got := b.eval(where); got != "true" {
			t.Errorf("%s is out of sight: %s", id, b.eval(strings.Replace(where, "r.top >= 0 && r.top < innerHeight && r.height > 0", "JSON.stringify(r)", 1)))
		}
	}
	b.open(out, "#map")
	if got := b.eval(`getComputedStyle(document.querySelector(":target")).outlineStyle`); got != "none" {
		t.Error("a link to a section marks all of it")
	}
}

// Each submission of a registry has a link to its files that stays below the page, and a row to link to.
func TestRegistryPage(t *testing.T) {
	out := registryPage(t)
	for _, want := range []string{`href="./1.0.0-draft/widgets/1.4.2/README.md"`, `href="./1.0.0-draft/other/1.0.0/README.md"`} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Index(out, "Not verified") > strings.Index(out, "<table") {
		t.Error("what could not be verified does not come first")
	}
	b := newBrowser(t)
	b.open(out, "?verdict=unproven")
	if got := b.eval(`document.querySelectorAll("main [data-verdict]:not([hidden])").length + " " + document.getElementById("shown").value`); got != "1 1 of 3 submissions" {
		t.Errorf("the filter leaves %s", got)
	}
	if len(b.complaints) > 0 {
		t.Errorf("the console says %q", b.complaints)
	}
}
