package parameters

import "testing"

// An answer that may hold the text of a refused creation is taken apart, however it writes the text.
func TestAnswersThatMayShowARefusalAreRead(t *testing.T) {
	texts := map[string]valueRefusal{"aqlc-n0 7": {}, "aqlc-n0 caf\u00e9": {}}
	for answer, want := range map[string]bool{
		`{"title":"aqlc-n0 7"}`: true, `"{\"title\":\"aqlc-n0 7\"}"`: true, `{"title":"aqlc-n0 caf\u00e9"}`: true, // é as an escape
		`["aqlc-n0 1","aqlc-n0 7"]`: true, `{"cut":"aqlc-n0`: true,
		`{"title":"aqlc-n0 71"}`: false, `"{\"title\":\"aqlc-n0 8\"}"`: false, `{"title":"other"}`: false, `{}`: false,
	} {
		if got := mayShow([]byte(answer), []byte("aqlc-n0"), texts); got != want {
			t.Errorf("%s: %v", answer, got)
		}
	}
}
