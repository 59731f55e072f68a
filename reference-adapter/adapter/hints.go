package adapter

import _ "embed"

// HintsFile is what the adapter with all features cannot say over the wire.
//
//go:embed aql-conform.yaml
var HintsFile []byte
