package suites

// Hints are what the author tells about one adapter that the wire cannot show:
// attestations, samples and commands, by the names the catalogue uses.
type Hints map[string]string

// Hint returns the author's hint of that name.
func (f *Face) Hint(name string) (value string, given bool) {
	value, given = f.Hints[name]
	return value, given
}

// unhinted rules on a row that only the author's word can settle.
func unhinted(name, what string) Ruling {
	return NotProven("the hint "+name, "none").Mend(name + " in the hints file: " + what)
}
