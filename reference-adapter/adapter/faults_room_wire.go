package adapter

import "slices"

// wireAll lists the faults of this room.
func wireAll() []Fault {
	return slices.Concat(
		connectionFaults, envelopeFaults, carrierFaults, toolListFaults, toolFaults, schemaFaults, annotationFaults,
		encodingFaults, dateFaults, numberFaults, binaryFaults, limitFaults, leakFaults, rpcFaults, resultFaults,
		securityFaults, nearLimitFaults,
	)
}
