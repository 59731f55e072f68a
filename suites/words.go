package suites

import (
	"strings"

	"github.com/aql-conform/aql-conform/suites/vocab"
)

// letters is what an adapter that is lenient about names may go by.
func letters(name string) string { return strings.Join(vocab.Words(name), "") }
