package model

// The reference adapter shows at once what it was told, so that a run of the kill
// matrix need not wait for a store to settle before it accuses.
func init() { Settling = 0 }
