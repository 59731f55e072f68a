package faults

// collateral lists, for the few faults that cannot leave other requirements alone,
// which they break as well, each with the reason.
var collateral = map[string][]string{
	// the beginning of a listed name is a name that runs and is not listed
	"AQL-3.2-01.beginning-dispatched": {"AQL-10.2-02"},
	// what runs at the wrong endpoint alone runs there as an entry of a batch
	"AQL-6.2-04.execute-then-mismatch": {"AQL-6.2-06"},
	// a walk whose first page leaves out another note each time loses that note
	"AQL-8.1-03.other-items-each-time": {"OPS-4.4.3-08"},
	// a selection without effect is a documented parameter without effect
	"INT-4.1.1-12.field-selection-flag-untrue": {"INT-8.1.2-07"},
	// copies that contradict each other differ, too
	"AQL-5.1-01.two-truths": {"AQL-5.1-11"},
	// and where they differ in success there is no telling which of them is the answer
	"AQL-5.1-11.structured-differs": {"AQL-5.1-01"},
	// the mode that misses the deletes is the unified tool, which then refuses them
	"AQL-10.1-08.single-mode-lacks-deletes": {"AQL-3.3-03"},
	// the example of introspect that lists types is refused with the query itself
	"AQL-7.2-04.types-query-unsupported": {"INT-8.2-10"},
	// the examples of the wrong record are examples of another operation, and what begins no name but
	// one finds that
	"AQL-7.3-02.details-first-match": {"INT-4.3-01", "INT-8.2-09"},
	// going on behind a call that waits is allowed, and not what is recommended
	"OPS-7.5.4-03.skip-without-status":  {"OPS-7.5.2-01"},
	"OPS-7.5.4-05.skip-counter-missing": {"OPS-7.5.2-01"},
	// a name that a refusal offers and introspection leaves out is a difference of the two as well
	"AQL-4.6-09.offered-not-documented": {"AQL-4.6-05"},
	// a time of another form is one wherever it stands
	"AQL-8.7.3-01.notification-epoch":      {"AQL-4.7.2-01"},
	"AQL-8.7.3-01.notification-at-no-time": {"AQL-4.7.2-01"},
	// one matcher serves both lists
	"AQL-8.7.2-08.wildcards-match-nothing": {"AQL-8.7.2-09"},
	// an answer that comes twice comes twice, in a crowd or not
	"AQL-9.3-01.answered-twice-in-crowd": {"AQL-3.2-03"},
	// without _protocol there is no place for its limits
	"INT-4.1.1-01.protocol-missing": {"AQL-4.7.5-08"},
	// a block is a stop, so the second report passes it as well
	"AQL-8.6.4-04.stop-lasts-two-reports": {"AQL-8.8.2-15"},
	// what goes on after an end is told as completed or cancelled, and then as running
	"AQL-8.6.2-07.complete-is-no-op": {"AQL-8.4.2-01"},
	"AQL-8.6.2-07.abort-is-no-op":    {"AQL-8.4.2-02"},
}
