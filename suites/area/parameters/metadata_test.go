package parameters

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
)

const served, busy = `{"success":true,"data":{}}`, `{"success":false,"error":{"code":"CONFLICT_BUSY","message":"The balance is busy"}}`

// A refusal counts where it is one of validation or names the field. Another may come from the state of the adapter.
func TestRefusalsOfMetadataConcernTheField(t *testing.T) {
	s := model.Subject{Adapter: checktest.LivenessAdapter(), Op: probes.Operation{Name: "get_box", Category: "READ"}}
	for envelope, want := range map[string]reports.Verdict{
		served: reports.Pass, busy: reports.NotProven,
		`{"success":false,"error":{"code":"VALIDATION_UNKNOWN_PARAM","message":"No such parameter"}}`:                                      reports.Fail,
		`{"success":false,"error":{"code":"BAD_REQUEST","message":"'_meta' is no field"}}`:                                                 reports.Fail,
		`{"success":false,"error":{"code":"BAD_REQUEST","message":"No such field","details":{"field":"_meta"}}}`:                           reports.Fail,
		`{"success":false,"error":{"code":"CONFLICT_BUSY","message":"Busy with the meta data","details":{"request":{"_meta":"ignored"}}}}`: reports.NotProven,
	} {
		answer := func(step, envelope string) probes.Observation {
			return checktest.AnswerWithEnvelope(t, probes.Call("main", "read", "get_box", nil).As("metadata of a read: "+step), envelope)
		}
		got := probes.Answers{answer("none", served), answer("_meta", envelope), answer("none, after _meta", served), answer("_request_id", served)}
		if r := underscoreMetadataFieldsAreToleratedByReads.Judge(s, got); r.Verdict != want {
			t.Errorf("%s: %s, want %s", envelope, r.Verdict, want)
		}
		answer = func(step, envelope string) probes.Observation {
			return checktest.AnswerWithEnvelope(t, probes.Call("main", "read", "introspect", nil).As("underscore fields: "+step), envelope)
		}
		if r := underscoreMetadataFieldsAreTolerated.Judge(s, probes.Answers{answer("none", served), answer("_meta", envelope)}); r.Verdict != want {
			t.Errorf("introspect, %s: %s, want %s", envelope, r.Verdict, want)
		}
	}
}

// A refusal that does not concern the field does not show that the field was seen.
func TestMisplacedFieldsAreSeen(t *testing.T) {
	s := model.Subject{Adapter: checktest.LivenessAdapter(), Name: "get_box", Op: probes.Operation{Name: "get_box", Category: "READ"}}
	for envelope, want := range map[string]reports.Verdict{
		served: reports.Fail, busy: reports.NotProven,
		`{"success":false,"error":{"code":"VALIDATION_UNKNOWN_PARAM","message":"No such parameter"}}`:             reports.Pass,
		`{"success":false,"error":{"code":"BAD_REQUEST","message":"Unknown field ` + check.UnknownName(s) + `"}}`: reports.Pass,
	} {
		answer := func(step, envelope string) probes.Observation {
			return checktest.AnswerWithEnvelope(t, probes.Call("main", "read", "get_box", nil).As("top-level field: "+step), envelope)
		}
		if r := misplacedTopLevelFieldsAreNot.Judge(s, probes.Answers{answer("none", served), answer("unknown", envelope)}); r.Verdict != want {
			t.Errorf("%s: %s, want %s", envelope, r.Verdict, want)
		}
	}
}
