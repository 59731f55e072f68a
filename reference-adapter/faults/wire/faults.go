// Package wire has the faults of what carries the answers: JSON-RPC and MCP, the bytes and their limits.
package wire

import (
	"slices"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// All lists the faults of this room.
func All() []seam.Fault {
	return slices.Concat(
		connectionFaults, envelopeFaults, carrierFaults, toolListFaults, toolFaults, schemaFaults, annotationFaults,
		encodingFaults, dateFaults, numberFaults, binaryFaults, limitFaults, leakFaults, rpcFaults, notificationFaults, resultFaults,
		securityFaults, nearLimitFaults,
	)
}
