package verification

import (
	"regexp"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
)

// A wrong code has the form of the right one and shares nothing else with it.
func TestWrongCodeHasTheForm(t *testing.T) {
	for code, form := range map[string]string{
		"482913":                               `^[0-9]{6}$`,
		"3f9a-00ff-97ac":                       `^[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}$`,
		"GEZDGNBVGY3TQOJQ":                     `^[A-Z2-7]{16}$`,
		"7C1F90E2-4BAD-4C55-8123-0D99AB12CDEF": `^[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}$`,
	} {
		wrong := check.WrongCode(code)
		if !regexp.MustCompile(form).MatchString(wrong) {
			t.Errorf("%s becomes %s, which has another form", code, wrong)
		}
		for i := range code {
			if code[i] == wrong[i] && code[i] != '-' {
				t.Errorf("%s becomes %s: letter %d is the same", code, wrong, i)
			}
		}
	}
}

// The parameters of verify_challenge are told apart whatever they are called.
func TestParametersOfVerifyChallenge(t *testing.T) {
	for _, names := range [][2]string{
		{"challenge_id", "code"}, {"verification_id", "verification_code"}, {"id", "otp"}, {"challenge", "answer"}, {"challenge_id", "response"},
	} {
		for _, order := range [][]int{{0, 1}, {1, 0}} {
			var o probes.Operation
			for _, i := range order {
				o.Parameters = append(o.Parameters, probes.Parameter{Name: names[i]})
			}
			if id, code, ok := check.VerifyParameters(o); !ok || id != names[0] || code != names[1] {
				t.Errorf("%v: got %q and %q", names, id, code)
			}
		}
	}
	if _, _, ok := check.VerifyParameters(probes.Operation{Parameters: []probes.Parameter{{Name: "element_name"}, {Name: "text"}}}); ok {
		t.Error("parameters without a telling name are taken")
	}
}

// What stands below _meta is told apart from the rest, in carried text too.
func TestOutletsPartMeta(t *testing.T) {
	message := []byte(`{"result":{"content":[{"type":"text","text":"{\"success\":true,\"_meta\":{\"debug\":\"SECRET-ONE\"},\"data\":\"plain\"}"}],"_meta":{"x":"SECRET-TWO"}}}`)
	places := map[leakPlace]string{}
	for _, o := range outletsOf(inAnswer, message, probes.Observation{}) {
		places[o.place] += o.text
	}
	for _, secret := range []string{"SECRET-ONE", "SECRET-TWO"} {
		if !regexp.MustCompile(secret).MatchString(places[inMeta]) || regexp.MustCompile(secret).MatchString(places[inAnswer]) {
			t.Errorf("%s is in the wrong place: %v", secret, places)
		}
	}
	if !regexp.MustCompile("plain").MatchString(places[inAnswer]) {
		t.Errorf("data is lost: %v", places)
	}
}

// Words and names are not taken for codes, chance is.
func TestSuspiciousWords(t *testing.T) {
	for word, want := range map[string]bool{
		"K7QXM2ZP94TRW6HD": true, "9f86d081884c7d659a2feaa0c55ad015": true,
		"autonomous_steps_limit": false, "project/config/settings": false, "internationalization": false, "release-2026-11-notes": false,
	} {
		if check.LooksRandom(word) != want {
			t.Errorf("%s: want %t", word, want)
		}
	}
}
