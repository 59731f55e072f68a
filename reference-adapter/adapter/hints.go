package adapter

import _ "embed"

// hintsFile is what the adapter with all features cannot say over the wire.
//
//go:embed aql-conform.yaml
var hintsFile []byte
