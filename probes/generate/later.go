package generate

import (
	"time"

	"github.com/aql-conform/aql-conform/probes"
)

// Layouts are the forms of the formats that say when something is.
var layouts = map[string]string{"date": time.DateOnly, "date-time": time.RFC3339}

// Later returns a day, or a time, that is so many days or hours later; the value itself where its record says no such format.
func Later(record, v probes.Value, n int) probes.Value {
	layout := layouts[record.At("format").Text()]
	at, err := time.Parse(layout, v.Text())
	if layout == "" || err != nil || n == 0 {
		return v
	}
	if layout == time.DateOnly {
		return probes.ValueOf(at.AddDate(0, 0, n).Format(layout))
	}
	return probes.ValueOf(at.Add(time.Duration(n) * time.Hour).Format(layout))
}

// laterThan moves the sample of a format behind those of the records before it, in the order of the document: an end may have
// to be later than its start.
func laterThan(before []probes.Value, record, v probes.Value) probes.Value {
	format, n := record.At("format").Text(), 0
	for _, r := range before {
		if r.At("format").Text() == format {
			n++
		}
	}
	if sample, known := samples[format]; !known || v.Text() != sample {
		return v
	}
	return Later(record, v, n)
}

// inOrder are the names of the documented fields of an object, as its document lists them.
func inOrder(owner probes.Value) (names []string) {
	list, table := recordsOf(owner)
	for _, m := range table.Members() {
		names = append(names, m.Name)
	}
	for _, record := range list.Items() {
		names = append(names, record.At("name").Text())
	}
	return names
}
