package generate

import (
	"fmt"

	"github.com/aql-conform/aql-conform/probes"
)

// An end may have to be later than its start, so the samples of a format in one request, or in one object, follow each other.

// laterSamples are the samples that follow that of a format: by an hour, or by a day.
var laterSamples = map[string]string{"date-time": "2026-01-02T%02d:04:05Z", "date": "2026-01-%02d"}

// firsts are the hour and the day of the samples.
var firsts = map[string]int{"date-time": 3, "date": 2}

// laterThan moves the sample of a format behind those of the records before it, in the order of the document.
func laterThan(before []probes.Value, record, v probes.Value) probes.Value {
	format, n := record.At("format").Text(), 0
	for _, r := range before {
		if r.At("format").Text() == format {
			n++
		}
	}
	const most = 20 // of the same day, or month
	layout, known := laterSamples[format]
	if !known || n == 0 || n > most || v.Text() != samples[format] {
		return v
	}
	return probes.ValueOf(fmt.Sprintf(layout, firsts[format]+n))
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
