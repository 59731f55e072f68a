package encoding

import (
	"encoding/base64"
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// binaryFormats declare a member as base64; the others of the kind (base64url,
// hex, uri) are documented alternatives.
var binaryFormats = []string{"byte", "base64", "binary"}

// contentName matches the names of what is encoded. An encoding whose name does not repeat that of a member
// speaks of such a one: beside file_content and file_encoding there may be a file_name.
var contentName = regexp.MustCompile(`(?:^|_)(?i:contents?|data|body|bytes|blob|binary|payload|value|base64|b64)$|[a-z](?:Contents?|Data|Body|Bytes|Blob|Binary|Payload|Value|Base64)$`)

// besideEncoding reports whether the object that holds a member names its encoding
// as base64 beside it, as in file_content, file_encoding.
func besideEncoding(name string, in probes.Value) bool {
	for _, beside := range companions(name, "encoding") {
		if strings.EqualFold(in.At(beside).Text(), "base64") && (beside == name+"_encoding" || contentName.MatchString(name)) {
			return true
		}
	}
	return false
}

// companions are the names that metadata of a member may have: file_content has
// file_content_encoding, file_encoding or encoding.
func companions(name string, kinds ...string) []string {
	var names []string
	stem, _, cut := strings.Cut(name, "_content")
	for _, k := range kinds {
		names = append(names, name+"_"+k)
		if cut {
			names = append(names, stem+"_"+k)
		}
		if i := strings.LastIndexByte(name, '_'); i > 0 {
			names = append(names, name[:i]+"_"+k)
		}
		names = append(names, k)
	}
	return names
}

// binaries visits the binary values of an answer.
func binaries(f *model.Adapter, o probes.Observation, visit func(name string, v, in probes.Value)) {
	if !o.Succeeded() || o.Probe.Operation() == "introspect" {
		return
	}
	declared := declaredAs(f, binaryFormats...)
	check.Walk(o.Data(), func(name string, v, in probes.Value) {
		is, typed := declared[name]
		if v.Is(probes.String) && (is || !typed && besideEncoding(name, in)) && !strings.HasSuffix(name, "encoding") {
			visit(name, v, in)
		}
	})
}

// Section 4.7.4.
var binaryContentIsPaddedStandardBase64 = check.Check{
	Requirement: "AQL-4.7.4-01",
	Rule:        "Binary content in responses is RFC 4648 base64 with the standard alphabet and padding.",
	Why:         "Two alphabets and optional padding make one file two texts.",
	Ambient: &check.Ambient{Watch: func(f *model.Adapter, o probes.Observation) ruling.Ruling {
		rs := []ruling.Ruling{}
		binaries(f, o, func(name string, v, _ probes.Value) {
			text := v.Text()
			_, err := base64.StdEncoding.DecodeString(text)
			_, strict := base64.StdEncoding.Strict().DecodeString(text)
			switch {
			case err != nil || strings.ContainsAny(text, "\r\n"):
				rs = append(rs, ruling.Violates("padded base64 in the standard alphabet", name+" "+v.String()).By(o))
			case strict != nil:
				rs = append(rs, ruling.Departs("base64 without stray bits at its end", name+" "+v.String()).By(o))
			default:
				rs = append(rs, ruling.Conforms().By(o))
			}
		})
		if len(rs) == 0 {
			return check.Irrelevant
		}
		return ruling.Worst(rs...)
	}},
	Fix: "encode binary content as RFC 4648 base64: standard alphabet, padding, no line breaks",
}

var mediaType = regexp.MustCompile(`^(application|audio|font|image|message|model|multipart|text|video|chemical)/[\w.+-]+(;.*)?$`)

// Section 4.7.4.
var binaryContentNamesEncodingAndMedia = check.Check{
	Requirement: "AQL-4.7.4-02",
	Rule:        "Base64 content is accompanied by metadata naming encoding and media type.",
	Why:         "A client needs the media type to show or open binary data.",
	Ambient: &check.Ambient{Watch: func(f *model.Adapter, o probes.Observation) ruling.Ruling {
		if _, selected := o.Probe.Params()["fields"]; selected {
			return check.Irrelevant // what stands beside a field may have been left out on request
		}
		rs := []ruling.Ruling{}
		binaries(f, o, func(name string, _, in probes.Value) {
			encoded, kind := metadataOf(in, name)
			switch {
			case encoded && kind:
				rs = append(rs, ruling.Conforms().By(o))
			case encoded || kind:
				rs = append(rs, ruling.Departs("encoding and media type beside "+name, map[bool]string{true: "only the encoding", false: "only the media type"}[encoded]).By(o))
			default:
				rs = append(rs, ruling.Violates("encoding and media type beside "+name, "neither").By(o))
			}
		})
		if len(rs) == 0 {
			return check.Irrelevant
		}
		return ruling.Worst(rs...)
	}},
	Fix: "send the encoding and the media type beside the content: file_content, file_encoding, file_mime_type",
}

// metadataOf looks for encoding and media type next to a member. The names are by
// example only, so values that can be nothing else count as well.
func metadataOf(in probes.Value, name string) (encoded, kind bool) {
	for _, m := range in.Members() {
		plain := strings.ReplaceAll(strings.ToLower(m.Name), "_", "")
		switch {
		case m.Name == name:
		case m.Value.Is(probes.Object) && slices.ContainsFunc([]string{"meta", "metadata", "info"}, func(s string) bool { return strings.HasSuffix(plain, s) }):
			e, k := metadataOf(m.Value, name)
			encoded, kind = encoded || e, kind || k
		case m.Value.Is(probes.String):
			text := strings.ToLower(m.Value.Text())
			encoded = encoded || strings.HasSuffix(plain, "encoding") && text != "" || strings.Contains(text, "base64")
			kind = kind || strings.HasSuffix(plain, "mimetype") || strings.HasSuffix(plain, "contenttype") || strings.HasSuffix(plain, "mediatype") || mediaType.MatchString(text)
		}
	}
	return encoded, kind
}

// Section 4.7.4.
var binaryParametersAcceptPaddedBase64 = check.Check{
	Requirement: "AQL-4.7.4-05",
	Rule:        "A parameter documented as binary accepts padded standard base64 together with its metadata.",
	Why:         "A request that the specification prescribes must be accepted.",
	On: func(f *model.Adapter) []model.Subject {
		all := model.Only(model.EachParameterWith("format", "type"), func(s model.Subject) bool {
			return slices.Contains(binaryFormats, s.Par.Raw.At("format").Text()) || slices.Contains(binaryFormats, s.Par.Type)
		})(f)
		for i, s := range all {
			if b := s.KnownGoodRequest(); b.State != model.Proven || s.Op.Category != "CREATE" && s.Op.Category != "READ" {
				all[i] = s.WithRuling(ruling.NotProven("a request of "+s.Op.Name+" that succeeds", b).Mend(b.Unlock()))
			}
		}
		return all
	},
	Lane: probes.Serial,
	Ask: func(s model.Subject) []probes.Probe {
		return []probes.Probe{s.ValidCall(), upload(s, "binary parameter: padded", "SGVsbG8gV29ybGQ="), upload(s, "binary parameter: unpadded", "SGVsbG8gV29ybGQ"), upload(s, "binary parameter: url-safe", "_-8=")}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		standard, unpadded, urlSafe := got.Step("binary parameter: padded"), got.Step("binary parameter: unpadded"), got.Step("binary parameter: url-safe")
		encoding := regexp.MustCompile(`(?i)base.?64|padd|encod|alphabet`)
		switch {
		case rejected(s, standard) && encoding.MatchString(standard.Code()+" "+standard.Message()):
			return ruling.Violates("padded base64 accepted", standard).By(got[0])
		case !standard.Succeeded():
			return ruling.NotProven("this kind of content to be taken", standard).By(got[0])
		case unpadded.Succeeded():
			return ruling.Departs("a refusal of base64 without padding", unpadded).By(standard)
		case urlSafe.Succeeded():
			return ruling.Departs("a refusal of the url-safe alphabet", urlSafe).By(standard)
		}
		return ruling.Conforms().By(standard)
	},
	Fix: "decode binary parameters as RFC 4648 base64 with padding",
}

// upload is the proven request with binary content and what is documented beside
// it.
func upload(s model.Subject, step, content string) probes.Probe {
	p := s.FreshCall(step).With(s.Par.Name, content).As(step)
	for kind, value := range map[string]string{"encoding": "base64", "mime_type": "text/plain", "content_type": "text/plain", "media_type": "text/plain"} {
		for _, name := range companions(s.Par.Name, kind) {
			if s.Op.HasParameter(name) {
				p = p.With(name, value)
				break
			}
		}
	}
	return p
}
