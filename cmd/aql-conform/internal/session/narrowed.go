package session

// bySubject begins what --subject left out.
const bySubject = "--subject "

// narrowed are the words that left requirements, subjects or operations out of the run:
// what is not looked at cannot be claimed.
func (o *Order) narrowed() []string {
	var all []string
	for _, flag := range []struct {
		name   string
		values []string
	}{{"--run", o.flags.Run}, {"--skip", o.flags.Skip}} {
		for _, v := range flag.values {
			all = append(all, flag.name+" "+v)
		}
	}
	if o.flags.Subject != "" {
		all = append(all, bySubject+o.flags.Subject)
	}
	for _, skip := range o.hints.Skip {
		all = append(all, "skip in "+o.hints.file+": "+skip.Requirement+skip.Operation)
	}
	return all
}
