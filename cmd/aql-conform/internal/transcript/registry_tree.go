package transcript

import (
	"fmt"
	"io"
)

// A Bounded reader fails where there is more to read than there may be.
type Bounded struct {
	R    io.Reader
	Left int64
	Most int64
}

func (b *Bounded) Read(p []byte) (int, error) {
	if b.Left < 0 {
		return 0, fmt.Errorf("longer than %d bytes", b.Most)
	}
	if int64(len(p)) > b.Left && b.Left < 1<<62 {
		p = p[:b.Left+1] // one more, to tell its end from too much
	}
	n, err := b.R.Read(p)
	if b.Left -= int64(n); b.Left < 0 {
		return 0, fmt.Errorf("longer than %d bytes", b.Most)
	}
	return n, err
}
