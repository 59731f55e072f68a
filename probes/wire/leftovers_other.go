//go:build !linux

package wire

// mark is empty where the environment of a process cannot be read.
const mark, besideMark = "", ""

// AdoptOrphans does nothing where a process cannot become the parent of orphans.
func AdoptOrphans() {}

func adopt() {}

func adoptees() map[int]string { return nil }

func spareSince(map[int]string) {}

// EndLeftovers does nothing where what a process left running cannot be told.
func EndLeftovers() Leftovers { return Leftovers{} }
