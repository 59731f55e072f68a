// Package pagination checks pages, cursors and totals (operations 4.4.3).
package pagination

import "github.com/aql-conform/aql-conform/suites/check"

// Checks are the checks of this area, by file.
var Checks = []check.Check{
	// page_info.go
	cursorAnswersCarryPageInfo,           // OPS-4.4.3-02
	pageInfoFlagsAreBooleans,             // OPS-4.4.3-03
	pageInfoCursorsAreStrings,            // OPS-4.4.3-05
	totalCountIsWholeNumber,              // OPS-4.4.3-07
	pageAnswersTellWhetherMoreFollows,    // OPS-4.4.3-13
	compatibilityPagingNamesAreSnakeCase, // OPS-4.4.3-14

	// pages.go
	pagesNeverExceedRequestedSize,    // OPS-4.4.3-15
	foreignCollectionCursorIsRefused, // CMP-CURSOR-01

	// paging_parameters.go
	cursorPagingUsesFirstAndAfter, // OPS-4.2-02
	offsetPagingUsesStandardNames, // OPS-4.2-03
	pagingDefaultsAreSensible,     // OPS-4.4.2-03

	// totals.go
	pageAnswersEchoPageAndSize,      // OPS-4.4.3-09
	offsetAnswersEchoLimitAndOffset, // OPS-4.4.3-11
	pageTotalsAreConsistent,         // OPS-4.4.3-10
	offsetTotalsAreConsistent,       // OPS-4.4.3-12

	// walk.go
	cursorWalkVisitsEveryItemOnce, // OPS-4.4.3-08

	// walk_backward.go
	backwardWalkVisitsEveryItemOnce, // OPS-4.4.3-08

	// walk_ordered.go
	orderedWalkVisitsEveryItemOnce, // OPS-4.4.3-08

	// walk_compatible.go
	compatibleWalkVisitsEveryItemOnce, // OPS-4.4.3-08

	// walk_learned.go
	learnedWalkVisitsEveryItemOnce, // OPS-4.4.3-08

	// walk_removed.go
	cursorAtRemovedItemGoesOn, // OPS-4.4.3-08
}
