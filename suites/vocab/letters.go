package vocab

import (
	"strings"
)

// Letters is what an adapter that is lenient about names may go by.
func Letters(name string) string { return strings.Join(Words(name), "") }
