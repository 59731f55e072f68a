package reports

import (
	"cmp"
	"encoding/json"
	"io"
)

// Evidence is what a run observed, in the form that the conformance runner of the
// specification reads. It holds answers of the adapter and what each of them was
// asked for, never a verdict. A list without entries says that nothing was shown.
// schemas/evidence-v1.schema.json describes the document.
type Evidence struct {
	EndpointModes      []string                 `json:"endpoint_modes"`
	Capabilities       map[string]bool          `json:"capabilities"` // only those that were tried
	Introspection      IntrospectionEvidence    `json:"introspection"`
	AcceptedParameters map[string][]string      `json:"accepted_parameters"` // operation -> names that a success was answered to
	ParameterTests     ParameterEvidence        `json:"parameter_tests"`
	ErrorTests         []ErrorEvidence          `json:"error_tests"`
	RoundTrips         []RoundTripEvidence      `json:"round_trip_tests"`
	Updates            []PreservationEvidence   `json:"update_preservation_tests"`
	BatchExample       json.RawMessage          `json:"batch_example,omitempty"`
	ConstraintTests    []ConstraintTestEvidence `json:"constraint_tests"`
}

// IntrospectionEvidence is what the adapter says of itself. The lists are whole
// envelopes, the details are not.
type IntrospectionEvidence struct {
	OperationsList   json.RawMessage   `json:"operations_list,omitempty"`
	TypesList        json.RawMessage   `json:"types_list,omitempty"`
	OperationDetails []json.RawMessage `json:"operation_details"`
}

// ParameterEvidence is what became of requests with one name too few or too many.
type ParameterEvidence struct {
	MissingRequired  []ParameterAnswer `json:"missing_required"`
	UnknownParameter []ParameterAnswer `json:"unknown_parameter"`
	OptionalDefaults []DefaultEvidence `json:"optional_defaults"`
}

// A ParameterAnswer is the answer to a request that one parameter makes invalid.
type ParameterAnswer struct {
	Operation string          `json:"operation"`
	Parameter string          `json:"parameter"`
	Response  json.RawMessage `json:"response"`
}

// DefaultEvidence is an answer in which the documented default of a parameter that
// was left out is due at a place.
type DefaultEvidence struct {
	Operation string          `json:"operation"`
	Parameter string          `json:"parameter"`
	Path      string          `json:"expected_value_path"` // names and positions, joined by dots
	Value     json.RawMessage `json:"expected_value"`
	Response  json.RawMessage `json:"response"`
}

// ErrorEvidence is one refusal, and what its message is expected to name.
type ErrorEvidence struct {
	Name        string          `json:"name"`
	MustMention []string        `json:"must_mention"`
	Response    json.RawMessage `json:"response"`
}

// RoundTripEvidence is what a READ shows of an object, and what the object was given.
type RoundTripEvidence struct {
	Name     string                     `json:"name"`
	Expected map[string]json.RawMessage `json:"expected_fields"` // by path
	Response json.RawMessage            `json:"read_response"`
}

// PreservationEvidence is what a READ shows of an object after an update, and what it
// showed before of that which the update does not name.
type PreservationEvidence struct {
	Name      string                     `json:"name"`
	Preserved map[string]json.RawMessage `json:"preserved_fields"` // by path
	Response  json.RawMessage            `json:"read_response"`
}

// ConstraintTestEvidence is the answer to a value that a constraint rules out.
type ConstraintTestEvidence struct {
	Name       string          `json:"name"`
	Documented bool            `json:"documented"` // introspection states the constraint
	Response   json.RawMessage `json:"response"`
}

// NewEvidence returns evidence in which nothing was shown.
func NewEvidence() *Evidence {
	return &Evidence{
		EndpointModes: []string{}, Capabilities: map[string]bool{}, AcceptedParameters: map[string][]string{},
		Introspection:  IntrospectionEvidence{OperationDetails: []json.RawMessage{}},
		ParameterTests: ParameterEvidence{[]ParameterAnswer{}, []ParameterAnswer{}, []DefaultEvidence{}},
		ErrorTests:     []ErrorEvidence{}, RoundTrips: []RoundTripEvidence{}, Updates: []PreservationEvidence{},
		ConstraintTests: []ConstraintTestEvidence{},
	}
}

// WriteEvidence writes the bundle. Without evidence in the report, because nothing
// could be asked, it says that nothing was shown.
func (r *Report) WriteEvidence(w io.Writer) error {
	return writeIndented(w, struct {
		Implementation string `json:"implementation"`
		Version        string `json:"version"`
		SpecVersion    string `json:"spec_version"`
		ExpectedLevel  int    `json:"expected_level"` // the one that was asked for
		*Evidence
	}{r.Run.Implementation, r.Run.Version, r.Run.SpecVersion, r.Run.Level, cmp.Or(r.Evidence, NewEvidence())})
}
