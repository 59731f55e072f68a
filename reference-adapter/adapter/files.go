package adapter

import "maps"

// fileParameters carry one file with a note: its bytes as base64, and beside
// them what says so (spec 4.7.4).
func fileParameters() []Parameter {
	return []Parameter{
		{Name: "file_content", Type: "string", Format: "byte", Description: "Attached file: binary content as base64 (RFC 4648, standard alphabet, padded)"},
		{Name: "file_encoding", Type: "string", Enum: []string{"base64"}, Description: "Encoding of file_content"},
		{Name: "file_mime_type", Type: "string", Pattern: "^[a-z]+/[a-z0-9.+-]+$", Description: "Media type of file_content, such as text/plain"},
	}
}

// labelled completes what stands beside file_content, so that no content is
// ever shown without its encoding and media type.
func labelled(fields map[string]any) map[string]any {
	fields = maps.Clone(fields)
	if fields["file_content"] == nil {
		return fields
	}
	for name, value := range map[string]string{"file_encoding": "base64", "file_mime_type": "application/octet-stream"} {
		if fields[name] == nil {
			fields[name] = value
		}
	}
	return fields
}
