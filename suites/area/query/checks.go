// Package query checks field selection, sorting, computed fields, aggregations and relationships (operations 4.1 and 4.2).
package query

import "github.com/aql-conform/aql-conform/suites/check"

// Checks are the checks of this area, by file.
var Checks = []check.Check{
	// query_records.go
	aggregationSupportRecordIsWellFormed, // INT-3.3-11
	relationshipRecordIsWellFormed,       // INT-3.3-12
	unsupportedFeaturesListNoMeans,       // INT-3.3-36
	computedFieldsAreNamedAndTyped,       // INT-3.3-10
	computedFieldNotesHaveRightTypes,     // INT-3.3-20

	// aggregations.go
	aggregationUsesOneAggregateObject, // OPS-4.2-07
	announcedAggregationWorks,         // INT-4.1.1-13

	// aggregations_filtered.go
	filterHoldsForGroups, // INT-8.1.2-07

	// capabilities.go
	announcedCursorPagingWorks, // INT-4.1.1-15

	// computed.go
	announcedComputedFieldsAreDisclosed, // INT-4.1.1-14

	// field_selection.go
	announcedFieldSelectionWorks,   // INT-4.1.1-12
	documentedSelectionTakesEffect, // INT-8.1.2-07

	// selected_paths.go
	documentedPathSelectsOneMember, // INT-8.1.2-07

	// relationships.go
	announcedRelationshipQueriesWork, // INT-4.1.1-16

	// query_shapes.go
	textSearchUsesQueryParameter, // OPS-4.2-01
	filteringUsesOneFilterObject, // OPS-4.2-04
	sortingUsesOneSortObject,     // OPS-4.2-05

	// selection.go
	fieldSelectionUsesFieldsParameter, // OPS-4.2-06
	allDataReturningReadsOfferFields,  // OPS-4.4.1-11
	fieldsOnIntrospectTakesEffect,     // INT-8.3-06

	// selection_order.go
	selectionLeavesTheOrder, // OPS-4.2-08

	// selection_values.go
	selectionKeepsEveryValue, // INT-4.1.1-12

	// sorting.go
	sortOrdersItems, // OPS-4.2-08

	// sorting_effects.go
	orderedListingLeavesTheOrder, // AQL-8.1-02

	// sorting_enumerated.go
	enumeratedOrdersSortItems, // OPS-4.2-08

	// sorting_listed.go
	listedFieldsSortItems, // OPS-4.2-08
}
