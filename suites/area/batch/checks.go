// Package batch checks several operations in one request (spec 7, operations 7).
package batch

import "github.com/aql-conform/aql-conform/suites/check"

// Checks are the checks of this area, by file.
var Checks = []check.Check{
	// batch.go
	announcedBatchTakesOperationsArray, // OPS-7.1-02

	// batch_order.go
	batchEntriesRunInOrder, // OPS-7.3-01

	// batch_outcome.go
	malformedBatchIsRefusedAsWhole,   // OPS-7.1-03
	batchSucceedsAlthoughEntriesFail, // OPS-7.3-04
	failingEntryDoesNotStopBatch,     // OPS-7.3-02
	batchEntryEqualsSingleCall,       // OPS-7.3-03

	// batch_kept.go
	entryIsKeptBesideOneThatFails, // OPS-7.3-02

	// batch_routing.go
	batchDoesNotBypassRouting, // AQL-6.2-06

	// batch_shape.go
	batchReturnsOneResultPerOperation, // OPS-7.2-01
	batchResultsCarryTheirIndex,       // OPS-7.2-02
	batchResultsNameTheirOperation,    // OPS-7.2-03
	batchResultsHoldCompleteEnvelopes, // OPS-7.2-04
	batchEnvelopeDataIsNull,           // OPS-7.2-05

	// batch_strays.go
	batchedEntriesStayOnTheirEndpoint, // AQL-6.2-06

	// batch_summary.go
	batchSummaryFitsResults, // OPS-7.2-06
}
