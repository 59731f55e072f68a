// Package introspection has the faults of what the adapter tells about itself.
package introspection

import (
	"slices"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// All lists the faults of this room.
func All() []seam.Fault {
	return slices.Concat(
		classificationFaults, effectFaults, recordFaults, parameterRecordFaults, queryFaults, listingFaults,
		protocolFaults, levelFaults, namingFaults, typeFaults, protocolTypeFaults, constraintFaults,
		enforcementFaults, sharingFaults, truthFaults, deprecationFaults, dangerFaults, exampleFaults, depthFaults,
		descriptionFaults, payloadFaults, warningFaults, claimFaults, fieldFaults, effectFreeFaults,
	)
}
