package generate

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
)

// A format knows how to write texts of a form, and one text that is surely none.
type format struct {
	draw   func(d drawing) string
	broken string
}

// formats are the format words of section 3.4.1 of the introspection document and
// their kin. What they point to lies in the ranges kept for documentation. A
// format that is not here says nothing about its values.
var formats = map[string]format{
	"date":      {func(d drawing) string { return day(d.rng) }, "2026-13-45"},
	"date-time": {func(d drawing) string { return day(d.rng) + "T" + clock(d.rng) + "Z" }, "2026-13-45T99:99:99Z"},
	"time":      {func(d drawing) string { return clock(d.rng) + "Z" }, "99:99:99Z"},
	"duration":  {func(d drawing) string { return fmt.Sprintf("P%dDT%dH", 1+d.rng.IntN(9), 1+d.rng.IntN(9)) }, "aqlc"},
	"email":     {func(d drawing) string { return fmt.Sprintf("aqlc.%s@example.com", tail(d)) }, "aqlc.example.com"},
	"uri":       {address, "aqlc no address"},
	"url":       {address, "aqlc no address"},
	"uuid":      {uuid, "aqlcaqlc-aqlc-4aql-8aql-aqlcaqlcaqlc"},
	"hostname":  {func(d drawing) string { return "aqlc-" + tail(d) + ".example.com" }, "aqlc no host"},
	"ipv4":      {func(d drawing) string { return fmt.Sprintf("192.0.2.%d", 1+d.rng.IntN(254)) }, "999.0.2.1"},
	"ipv6":      {func(d drawing) string { return fmt.Sprintf("2001:db8::%x", 1+d.rng.IntN(1<<16-1)) }, "2001:db8::xyz"},
	"byte":      {func(d drawing) string { return base64.StdEncoding.EncodeToString([]byte("aqlc" + tail(d))) }, "***"},
}

func day(rng *rand.Rand) string {
	return fmt.Sprintf("%d-%02d-%02d", 2020+rng.IntN(10), 1+rng.IntN(12), 1+rng.IntN(28))
}

func clock(rng *rand.Rand) string {
	return fmt.Sprintf("%02d:%02d:%02d", rng.IntN(24), rng.IntN(60), rng.IntN(60))
}

func address(d drawing) string { return "https://example.com/aqlc/" + tail(d) }

// tail is the run's mark without its prefix, and something of the drawing's own.
func tail(d drawing) string {
	return strings.TrimPrefix(d.mark, "aqlc-") + fmt.Sprintf("%x", d.rng.IntN(1<<12))
}

func uuid(d drawing) string {
	a, b := d.rng.Uint64(), d.rng.Uint64()
	return fmt.Sprintf("%08x-%04x-4%03x-%x%03x-%012x", a>>32, a>>16&0xffff, a&0xfff, 8+b>>62, b>>48&0xfff, b&0xffffffffffff)
}
