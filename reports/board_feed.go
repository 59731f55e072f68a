package reports

import (
	"bytes"
	"crypto/sha256"
	"encoding/xml"
	"fmt"
	"time"
)

// The parts of an Atom feed (RFC 4287).
type atomFeed struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	Title   string      `xml:"title"`
	ID      string      `xml:"id"`
	Updated string      `xml:"updated"`
	Author  string      `xml:"author>name"`
	Links   []atomLink  `xml:"link"`
	Entries []atomEntry `xml:"entry"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr"`
	Href string `xml:"href,attr"`
}

type atomEntry struct {
	Title   string   `xml:"title"`
	ID      string   `xml:"id"`
	Updated string   `xml:"updated"`
	Link    atomLink `xml:"link"`
	Summary string   `xml:"summary"`
}

// feedEntries bounds a feed; the pages have the rest.
const feedEntries = 100

// feed is what changed, for a reader of feeds: a level that was gained or lost. The addresses in it
// are relative, as a board does not know where it stands.
func (b *Board) feed(title, about string, changes []boardChange, adapters []boardAdapter) []byte {
	f := atomFeed{
		Title: title, ID: urn("feed " + about), Updated: time.Unix(0, 0).UTC().Format(time.RFC3339), Author: b.Registry.Tool,
		Links: []atomLink{{"alternate", "../" + map[bool]string{true: "index.html", false: boardAdapters + about + ".html"}[about == ""]}},
	}
	for _, a := range adapters {
		if a.current != nil {
			f.Updated = max(f.Updated, a.current.Report.Run.Started.UTC().Format(time.RFC3339))
		}
	}
	for _, c := range changes[:min(len(changes), feedEntries)] {
		f.Entries = append(f.Entries, atomEntry{
			Title: fmt.Sprintf("%s %s: level %d %s", c.Name, c.Version, c.Level, c.How), ID: urn(fmt.Sprintf("change %s %d %s", c.Anchor, c.Level, c.How)),
			Updated: c.at.Format(time.RFC3339), Link: atomLink{"alternate", "../" + boardAdapters + c.Slug + ".html#" + c.Anchor},
			Summary: fmt.Sprintf("The run of %s shows it, recomputed from its transcript.", c.Date),
		})
	}
	var out bytes.Buffer
	out.WriteString(xml.Header)
	e := xml.NewEncoder(&out)
	e.Indent("", "  ")
	_ = e.Encode(f) // a buffer takes everything
	out.WriteByte('\n')
	return out.Bytes()
}

// urn names a thing of the board for ever: a UUID (RFC 9562, version 8) out of a digest.
func urn(what string) string {
	sum := sha256.Sum256([]byte("aql-conform board " + what))
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}
