package fleet

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/reports"
)

// A webhook is told what is new in words and for programs; what stood before is not told.
func TestWebhookIsTold(t *testing.T) {
	var got struct {
		Text     string
		Adapters []reports.FleetAdapter
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(raw, &got); err != nil || r.Method != http.MethodPost || r.URL.Path != "/secret-path" {
			t.Errorf("%s %s %s: %v", r.Method, r.URL, raw, err)
		}
	}))
	defer server.Close()
	t.Setenv("HOOK", server.URL+"/secret-path")
	fleet := &reports.Fleet{Tool: "aql-conform 1.0.0", Adapters: []reports.FleetAdapter{
		{Name: "old", Failing: []string{"AQL-4.6-01 on old"}},
		{Name: "worse", Failing: []string{"AQL-4.6-01 on a", "AQL-7.2-04 on b"}, New: []string{"AQL-7.2-04 on b"}},
	}}
	if err := post(t.Context(), "${HOOK}", fleet); err != nil {
		t.Fatal(err)
	}
	if len(got.Adapters) != 1 || !strings.Contains(got.Text, "`worse`\n\n- `AQL-7.2-04 on b`") || strings.Contains(got.Text, "AQL-4.6-01") {
		t.Errorf("%+v", got)
	}
	server.Close()
	if err := post(t.Context(), "${HOOK}", fleet); err == nil || strings.Contains(err.Error(), "secret-path") {
		t.Errorf("a webhook that is gone: %v", err)
	}
}
