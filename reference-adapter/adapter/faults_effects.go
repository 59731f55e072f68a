package adapter

// effectFreeFaults document a parameter that has no effect.
var effectFreeFaults = []Fault{
	{ID: "INT-8.1.2-07", Variant: "status-without-effect", Defect: "list_notes documents status and lists all notes whatever it is", hooks: effectless("list_notes", "status")},
	{ID: "INT-8.1.2-07", Variant: "filter-without-effect", Defect: "search_notes documents filter and finds the same notes whatever it is", hooks: effectless("search_notes", "filter")},
}

// effectless has an operation check a parameter and then do as if it were not given.
func effectless(operation, name string) hooks {
	return hooks{item: func(c call, next handler) envelope {
		e := next(c)
		_, _, given := c.value(name)
		if c.operation() != operation || !given || !succeeded(e) {
			return e
		}
		return next(c.given(name, nil).without(name))
	}}
}
