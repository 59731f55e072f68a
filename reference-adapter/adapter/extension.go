package adapter

// An Extension is an optional feature with a room of its own.
type Extension interface {
	Operations() []Operation
	Fill(a *Adapter)                                             // adds its types to the tables
	Announce(a *Adapter, capabilities map[string]any)            // in _protocol
	Gate(c Call, op Operation) (approved bool, problem Envelope) // asked before an operation runs
	Leave(a *Adapter, s *Session)                                // when a session has ended
}

// none is what an adapter has that is not extended.
type none struct{}

func (none) Operations() []Operation               { return nil }
func (none) Fill(*Adapter)                         {}
func (none) Announce(*Adapter, map[string]any)     {}
func (none) Gate(Call, Operation) (bool, Envelope) { return false, nil }
func (none) Leave(*Adapter, *Session)              {}
