package adapter

import "slices"

// introspectionAll lists the faults of this room.
func introspectionAll() []Fault {
	return slices.Concat(
		classificationFaults, effectFaults, recordFaults, parameterRecordFaults, queryFaults, listingFaults,
		protocolFaults, levelFaults, namingFaults, typeFaults, protocolTypeFaults, constraintFaults,
		enforcementFaults, sharingFaults, truthFaults, deprecationFaults, dangerFaults, exampleFaults, depthFaults,
		descriptionFaults, payloadFaults, warningFaults, claimFaults, fieldFaults, effectFreeFaults,
	)
}
