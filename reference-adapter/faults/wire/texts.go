package wire

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// offset matches the offset at the end of a time.
var offset = regexp.MustCompile(`[+-]\d\d:\d\d$`)

// dateFaults break dates in answers and in requests (spec 4.7.2).
var dateFaults = []seam.Fault{
	{ID: "AQL-4.7.2-01", Variant: "http-date", Defect: "created_at of folders is \"Mon, 05 Jan 2026 08:00:00 GMT\"",
		Hooks: folderDates(func(t time.Time) any { return t.UTC().Format(http.TimeFormat) })},
	{ID: "AQL-4.7.2-01", Variant: "epoch-timestamp", Defect: "folders show expires_at as an epoch number",
		Hooks: seam.InFolders(func(f map[string]any) { f["expires_at"] = json.Number("1924992000") })},
	{ID: "AQL-4.7.2-01", Variant: "zone-lost", Defect: "created_at of folders has neither Z nor an offset",
		Hooks: folderDates(func(t time.Time) any { return t.UTC().Format("2006-01-02T15:04:05") })},
	{ID: "AQL-4.7.2-01", Variant: "zone-lost-in-other-words", Defect: "folders show a time under a name of another language, with neither Z nor an offset",
		Hooks: seam.Both(
			seam.TypeRecord("Folder", func(t map[string]any) {
				t["fields"] = append(adapter.Array(t["fields"]), adapter.Plain(adapter.Field("creado_el", "string", false, "Moment in which the folder was made, UTC")))
			}),
			seam.InFolders(func(f map[string]any) { f["creado_el"] = "2026-01-05 08:00:00" }))},
	{ID: "AQL-4.7.2-01", Variant: "local-text", Defect: "folders show made_at, a text of no format, as \"26/11/2026, 09:35:16\"",
		Hooks: seam.Both(
			seam.TypeRecord("Folder", func(t map[string]any) {
				t["fields"] = append(adapter.Array(t["fields"]), adapter.Plain(adapter.Field("made_at", "string", false, "When the folder was made")))
			}),
			seam.InFolders(func(f map[string]any) { f["made_at"] = "26/11/2026, 09:35:16" }))},
	{ID: "AQL-4.7.2-02", Variant: "local-offset", Defect: "created_at of folders carries +02:00",
		Hooks: folderDates(func(t time.Time) any { return t.In(time.FixedZone("", 2*60*60)).Format(time.RFC3339) })},
	{ID: "AQL-4.7.2-03", Variant: "date-zone-undocumented", Defect: "no description says in which zone due_date is meant",
		Hints: map[string]string{"attest.date_timezone": "no"},
		Hooks: seam.Both(seam.Documented("create_note", "due_date", seam.Set("description", noZone)),
			seam.Both(seam.TypeField("Note", "due_date", seam.Set("description", noZone)), seam.TypeField("NoteInput", "due_date", seam.Set("description", noZone))))},
	{ID: "AQL-4.7.2-04", Variant: "filter-drops-offset", Defect: "created_after of list_notes is read without its offset",
		Hooks: seam.Before(seam.Named("list_notes"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			return rewritten(c, "created_after", func(value string) string { return offset.ReplaceAllString(value, "Z") })
		})},
	{ID: "AQL-4.7.2-04", Variant: "epoch-demanded", Defect: "created_after has format date-time and takes epoch numbers only",
		Hooks: seam.Before(seam.Named("list_notes"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			return rewritten(c, "created_after", func(value string) string {
				if seconds, err := strconv.ParseInt(value, 10, 64); err == nil {
					return time.Unix(seconds, 0).UTC().Format(time.RFC3339)
				}
				return "not an epoch number"
			})
		})},
	{ID: "AQL-4.7.2-05", Variant: "any-date-parsed", Defect: "created_after accepts \"yesterday\" as a date",
		Hooks: seam.Before(seam.Named("list_notes"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			return rewritten(c, "created_after", func(value string) string { return strings.Replace(value, "yesterday", "2026-01-01T00:00:00Z", 1) })
		})},
	{ID: "AQL-4.7.2-05", Variant: "any-date-in-input", Defect: "update_note takes \"yesterday\" for the due date in input",
		Hooks: seam.Before(seam.Named("update_note"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			value, _, _ := c.Value("input")
			if input := adapter.Object(value); input["due_date"] == "yesterday" {
				changed := maps.Clone(input)
				changed["due_date"] = "2026-01-01"
				return c.Given("input", changed)
			}
			return c
		})},
	{ID: "AQL-4.7.2-05", Variant: "days-roll-over", Defect: "created_after takes the 30th of February for the 2nd of March",
		Hooks: seam.Before(seam.Named("list_notes"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			return rewritten(c, "created_after", func(value string) string { return strings.Replace(value, "-02-30T", "-03-02T", 1) })
		})},
}

const noZone = "Day on which the note is due"

// numberFaults break numbers in answers (spec 4.7.3) and null (spec 4.7.6).
var numberFaults = []seam.Fault{
	{ID: "AQL-4.7.3-01", Variant: "nan-literal", Defect: "the text of search_notes contains the literal NaN",
		Hooks: seam.Results(seam.SucceededAt("search_notes"), func(result map[string]any) {
			text(result, func(envelope string) string {
				at := wholeMember.FindStringSubmatchIndex(envelope)
				if at == nil {
					return envelope
				}
				return envelope[:at[2]] + "NaN" + envelope[at[3]:]
			})
		})},
	{ID: "AQL-4.7.3-02", Variant: "big-integer-number", Defect: "folders show revision 9007199254740993 as a number",
		Hooks: seam.InFolders(func(f map[string]any) { f["revision"] = json.Number("9007199254740993") })},
	{ID: "AQL-4.7.3-04", Variant: "amount-type-missing", Defect: "folders show storage as a string of digits that nothing describes",
		Hints: map[string]string{"attest.string_numbers": "no"},
		Hooks: seam.InFolders(func(f map[string]any) { f["storage"] = "9007199254740993000" })},
	{ID: "AQL-4.7.3-05", Variant: "string-amount-undocumented", Defect: "budget takes only strings and nothing says so",
		Hints: map[string]string{"attest.string_numbers": "no"},
		Hooks: budgetDescribed("Amount planned for the note, in cents")},
	{ID: "AQL-4.7.3-05", Variant: "string-amount-beside-a-text", Defect: "budget takes only strings, and its description speaks of a text that is not its form",
		Hints: map[string]string{"attest.string_numbers": "no"},
		Hooks: budgetDescribed("Amount in cents, printed under the text of the note")},
	{ID: "AQL-4.7.6-03", Variant: "null-difference-undocumented", Defect: "status null lists archived notes and nothing says so",
		Hints: map[string]string{"attest.null_semantics": "no"},
		Hooks: seam.Before(seam.Named("list_notes"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			if status, present := c.Params()["status"]; present && status == nil {
				return c.Given("status", "archived")
			}
			return c
		})},
}

// wholeMember matches a member with a whole number.
var wholeMember = regexp.MustCompile(`"[A-Za-z_]+":\s*(\d+)\b`)

// binaryFaults break base64 (spec 4.7.4). What they show wrongly is the file of
// a note that no checker created, so that what is read back is what was sent.
var binaryFaults = []seam.Fault{
	{ID: "AQL-4.7.4-01", Variant: "base64url-output", Defect: "binary content uses the url-safe alphabet",
		Hooks: seededFile(func(note map[string]any, content []byte) {
			note["file_content"] = base64.URLEncoding.EncodeToString(content)
		})},
	{ID: "AQL-4.7.4-01", Variant: "base64-unpadded", Defect: "padding is stripped",
		Hooks: seededFile(func(note map[string]any, content []byte) {
			note["file_content"] = base64.RawStdEncoding.EncodeToString(content)
		})},
	{ID: "AQL-4.7.4-02", Variant: "binary-without-metadata", Defect: "file_content comes with neither encoding nor media type beside it",
		Hooks: seededFile(func(note map[string]any, _ []byte) {
			delete(note, "file_encoding")
			delete(note, "file_mime_type")
		})},
	{ID: "AQL-4.7.4-04", Variant: "download-url-undocumented", Defect: "folders are delivered by address and introspection does not say so",
		Hints: map[string]string{"attest.binary": "folders are delivered by download_url"},
		Hooks: seam.InFolders(func(f map[string]any) {
			f["download_url"] = "https://files.example.com/" + f["folder_id"].(string) + ".zip"
		})},
	{ID: "AQL-4.7.4-05", Variant: "base64url-demanded", Defect: "create_note refuses standard base64 and demands the url-safe form without padding",
		Hints: map[string]string{"permissions.operations.create_note": "allow"},
		Hooks: seam.Before(seam.Named("create_note"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			return rewritten(c, "file_content", func(value string) string {
				if content, err := base64.RawURLEncoding.DecodeString(value); err == nil {
					return base64.StdEncoding.EncodeToString(content)
				}
				return "not url-safe base64"
			})
		})},
}

// rewritten changes a string parameter, wherever it stands.
func rewritten(c adapter.Call, name string, change func(string) string) adapter.Call {
	value, inParams, _ := c.Value(name)
	given, ok := value.(string)
	switch {
	case ok && inParams:
		return c.Given(name, change(given))
	case ok:
		return c.With(name, change(given))
	}
	return c
}

func folderDates(shown func(time.Time) any) adapter.Hooks {
	return seam.InFolders(func(f map[string]any) {
		text, _ := f["created_at"].(string)
		if created, err := time.Parse(time.RFC3339, text); err == nil {
			f["created_at"] = shown(created)
		}
	})
}

// seededFile rewrites the note with a file that the store begins with.
func seededFile(rewrite func(note map[string]any, content []byte)) adapter.Hooks {
	return seam.After(func(_ adapter.Call, e adapter.Envelope) {
		data := adapter.Object(e["data"])
		for _, item := range append(adapter.Array(data["items"]), data) {
			note := adapter.Object(item)
			text, _ := note["file_content"].(string)
			if content, err := base64.StdEncoding.DecodeString(text); err == nil && text != "" && note["note_id"] == "note_3" {
				rewrite(note, content)
			}
		}
	})
}

// budgetDescribed gives the budget of a note another description, which does not say that it is a string.
func budgetDescribed(text string) adapter.Hooks {
	return seam.Both(seam.Documented("create_note", "budget", seam.Set("description", text)),
		seam.Both(seam.TypeField("Note", "budget", seam.Set("description", "Amount planned for the note, decimal, in cents")),
			seam.TypeField("NoteInput", "budget", seam.Set("description", "Amount planned for the note, in cents"))))
}
