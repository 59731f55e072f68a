package model

// The reference adapter shows changes at once, so tests need not wait.
func init() { SettleTime = 0 }
