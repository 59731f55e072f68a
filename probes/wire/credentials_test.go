package wire

import (
	"encoding/json"
	"strings"
	"testing"
)

// What has the form of a credential, or stands behind the name of one, is found in prose, in JSON
// and in JSON within JSON.
func TestCredentials(t *testing.T) {
	quote := func(s string) string { b, _ := json.Marshal(s); return string(b) }
	for text, want := range map[string]string{
		"take ghp" + "_0hQ5mNcTMXdsbZ9XgsNFFqP2kai9Jj1AIgnN.": "ghp" + "_0hQ5mNcTMXdsbZ9XgsNFFqP2kai9Jj1AIgnN",
		"AK" + "IALNVGJOLJS3JW3XAR":                           "AK" + "IALNVGJOLJS3JW3XAR",
		"Authorization: Bearer abc123def456":                  "abc123def456",
		"postgres://app:s3cr3t-pw@db.example/main":            "s3cr3t-pw",
		"https://x.example/a?page=2&sig=a1B2c3D4e5":           "a1B2c3D4e5",
		"DB_PASSWORD=hunter2 started":                         "hunter2",
		"Set-Cookie: sid=a1b2c3d4e5; Path=/":                  "a1b2c3d4e5",
		`{"access_token":"a1b2c3d4"}`:                         "a1b2c3d4",
		`{"clientSecret": "q\"a1b2\/<é>"}`:                    `q"a1b2/<é>`,
		`{"otp":"482913"}`:                                    "482913",
		`{"otp": 482913, "pin":null}`:                         "482913",
		`{"login_codes":"none","backupCode":48291377}`:        "48291377",
		`{"recovery_codes":["11aa-22bb","33cc-44dd"]}`:        "11aa-22bb 33cc-44dd",
		`{"secrets":[{"name":"DB","value":"hunter2","made":"2026-01-25"},{"name":"MAIL","value":"s3cr3t-pw"}]}`: "hunter2 s3cr3t-pw",
		`{"recovery_codes":[{"code":"11aa-22bb","used":false},{"code":"33cc-44dd","used":true}]}`:               "11aa-22bb 33cc-44dd",
		`{"secrets" : [ { "name" : "DB", "plaintext" : "hunter2" } ]}`:                                          "hunter2",
		`{"secrets":[{"DB_PASS":"hunter2"},{"STRIPE":"s3cr3t-pw"}]}`:                                            "hunter2 s3cr3t-pw",
		`{'password': 'hunter2'}`:                "hunter2",
		`{"challenge_code":"K7-F3"}`:             "K7-F3",
		`{"passphrase":"correct horse battery"}`: "correct horse battery",
	} {
		for range 3 {
			if got := strings.Join(Credentials([]byte(text)), " "); got != want {
				t.Errorf("in %s: got %q, want %q", text, got, want)
			}
			if got := string(MaskCredentials([]byte(text))); !strings.Contains(got, "[masked]") || strings.HasPrefix(text, `"`) && !json.Valid([]byte(got)) {
				t.Errorf("%s is masked as %s", text, got)
			}
			text = quote(text)
		}
	}
	key := "-----BEGIN PRIVATE " + "KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nnq8hZ3PqXr1abcdefghijklmn\n-----END PRIVATE KEY-----"
	if got := Credentials([]byte(key)); len(got) != 2 || strings.Contains(string(MaskCredentials([]byte(quote(key)))), "MIIEvQ") {
		t.Errorf("got %q", got)
	}
}

// Identifiers, positions, marks of versions, types, prose and messages about fields stay as they are.
func TestCredentialsSpareTheOrdinary(t *testing.T) {
	for _, text := range []string{
		`{"id":"f47ac10b-58cc-4372-a567-0e02b2c3d479","etag":"\"33a64df551425fcc55e\"","cursor":"eyJwYWdlIjoyfQ"}`,
		`{"next_token":"a1b2c3d4e5f6","nextPageToken":"CAUQAA12345","progressToken":"tok-12345678","max_tokens":"4096","confirmation_token":"conf_1234abcd"}`,
		`{"name":"password","type":"string","description":"the password of the user, 8 letters"}`,
		`{"password":{"type":"string","minLength":8},"api_key":null,"secret":true,"token":17,"pin":12}`,
		`{"tokens":18250,"page_token":482913,"otp":482913.5,"code":482913,"password":{"minLength":1000}}`,
		`{"field_errors":{"password":"is required","token":"must have 8 letters","secret":"missing_field","api_key":"required"}}`,
		`{"key":"note-17a8c2","sort_key":"created_at","error_code":"VALIDATION_MISSING_PARAM","status_code":"404","zip_code":"80331"}`,
		"A token: send it with each page. The key=value form. The secret: there is none. Basic authentication with a Bearer token is used.",
		"http://localhost:8080/mcp?page=2&limit=10&key=title",
		`{"token":"string","password":"********","api_key":"${API_KEY}","secret":"<your secret>"}`,
		`{"hash":"9f86d081884c7d659a2feaa0c55ad015","sha256":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}`,
		`{"task-based-skill":"sk-learn","risk-level":"high","disk":"sk-a-long-name-of-some-library"}`,
		`{"pagination":{"token":"next"},"session":{"id":"s-1842"},"author":{"name":"K. Odin"},"author_id":"4711-2222"}`,
		`{"secrets":[{"pipelineId":"pl_7kq2","secretName":"DB","protectedOnly":true,"fingerprint":"1fd30892ee09","made":"2026-01-25T12:00:00.000Z"}]}`,
		`{"api_keys":[{"id":"ak_1","comment":"aqlc-k3f9x2ab-43000-new"}]}`,
		`user@example.com wrote to admin@example.com: see https://example.com/@user:1`,
	} {
		if got := Credentials([]byte(text)); len(got) > 0 {
			t.Errorf("%s: %q", text, got)
		}
	}
}

// A cover knows its secrets in every form, and numbers that are words.
func TestCover(t *testing.T) {
	c := NewCover(`s3/cr"et-`, "4711")
	for text, want := range map[string]string{
		`say s3/cr"et- or s3\/cr\"et-`:    "say [masked] or [masked]",
		`{"pin":"4711","port":4711}`:      `{"pin":"[masked]","port":4711}`,
		`SHORT=4711 at 14711 of :4711.5 `: "SHORT=[masked] at 14711 of :4711.5 ",
	} {
		if got := string(c.Mask([]byte(text))); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func FuzzCredentials(f *testing.F) {
	f.Add([]byte(`{"a":"{\"access_token\":\"a1b2c3d4\",\"recovery_codes\":[\"11aa-22bb\"]}"}`))
	f.Add([]byte("-----BEGIN RSA PRIVATE " + "KEY-----\\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\\n-----END"))
	f.Add([]byte("Cookie: a=b1c2d3e4f5; Path=/ https://u:p4ss@h/?sig=a1B2c3D4e5"))
	f.Fuzz(func(t *testing.T, text []byte) {
		hidden := MaskCredentials(text)
		if json.Valid(text) && !json.Valid(hidden) {
			t.Errorf("%q becomes %q, which is no JSON", text, hidden)
		}
		for _, s := range Credentials(text) {
			if s == "" {
				t.Error("nothing is found")
			}
		}
	})
}
