package wire

// Leftovers are the names of processes that adapters left running, one for each process.
type Leftovers struct {
	Ended []string
	Alive []string // those that could not be ended: they belong to another user
}
