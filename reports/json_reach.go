package reports

import "errors"

// jsonReach is how much of the adapter was exercised.
type jsonReach struct {
	Operations jsonOperations `json:"operations"`
	Kinds      jsonKinds      `json:"kinds"`
}

type jsonOperations struct {
	Reached    int      `json:"reached"`
	Of         int      `json:"of"`
	NotReached []string `json:"notReached"`
	NotAllowed []string `json:"notAllowed"`
	Unread     bool     `json:"unread,omitempty"`
}

type jsonKinds struct {
	Lived    int       `json:"lived"`
	Of       int       `json:"of"`
	NotLived []Unlived `json:"notLived"`
}

func (r *Reach) document() *jsonReach {
	if r == nil {
		return nil
	}
	return &jsonReach{
		jsonOperations{r.Reached(), r.Operations, append([]string{}, r.NotReached...), append([]string{}, r.NotAllowed...), r.Unread},
		jsonKinds{r.Lived(), r.Kinds, append([]Unlived{}, r.NotLived...)},
	}
}

// read returns the reach that a document tells of; nil for a document of an earlier version.
func (d *jsonReach) read() (*Reach, error) {
	if d == nil {
		return nil, nil
	}
	r := &Reach{Operations: d.Operations.Of, NotReached: d.Operations.NotReached, NotAllowed: d.Operations.NotAllowed, Unread: d.Operations.Unread, Kinds: d.Kinds.Of, NotLived: d.Kinds.NotLived}
	if r.Reached() != d.Operations.Reached || r.Lived() != d.Kinds.Lived || min(r.Reached(), r.Lived()) < 0 {
		return nil, errors.New("reach: the counts are not those of the names")
	}
	return r, nil
}
