package schemas

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// wanted names the keyword that failed and what it asks for.
func wanted(k jsonschema.ErrorKind) (keyword, want string) {
	switch k := k.(type) {
	case *kind.Type:
		return "type", strings.Join(k.Want, " or ")
	case *kind.Const:
		return "const", describe(k.Want)
	case *kind.Enum:
		return "enum", "one of " + list(k.Want)
	case *kind.Format:
		return "format", k.Want
	case *kind.Pattern:
		return "pattern", "string that matches " + shorten(k.Want)
	case *kind.Not:
		return "not", "a value that does not fit the excluded schema"
	case *kind.FalseSchema:
		return "false", "no value at all"
	}
	if keyword, want = wantedAmount(k); keyword != "" {
		return keyword, want
	}
	keyword = strings.Join(k.KeywordPath(), "/")
	return keyword, "a value that fits " + keyword
}

func wantedAmount(k jsonschema.ErrorKind) (keyword, want string) {
	switch k := k.(type) {
	case *kind.Minimum:
		return "minimum", "number of at least " + decimal(k.Want)
	case *kind.Maximum:
		return "maximum", "number of at most " + decimal(k.Want)
	case *kind.ExclusiveMinimum:
		return "exclusiveMinimum", "number above " + decimal(k.Want)
	case *kind.ExclusiveMaximum:
		return "exclusiveMaximum", "number below " + decimal(k.Want)
	case *kind.MultipleOf:
		return "multipleOf", "multiple of " + decimal(k.Want)
	case *kind.MinLength:
		return "minLength", "string of at least " + count(k.Want, "character")
	case *kind.MaxLength:
		return "maxLength", "string of at most " + count(k.Want, "character")
	case *kind.MinItems:
		return "minItems", "array of at least " + count(k.Want, "item")
	case *kind.MaxItems:
		return "maxItems", "array of at most " + count(k.Want, "item")
	case *kind.MinProperties:
		return "minProperties", "object with at least " + countProperties(k.Want)
	case *kind.MaxProperties:
		return "maxProperties", "object with at most " + countProperties(k.Want)
	case *kind.UniqueItems:
		return "uniqueItems", fmt.Sprintf("array without equal items (those at %d and %d are)", k.Duplicates[0], k.Duplicates[1])
	case *kind.AdditionalItems:
		return "additionalItems", "array with " + count(k.Count, "item") + " fewer"
	case *kind.Contains:
		return "contains", "array with an item that fits"
	case *kind.MinContains:
		return "minContains", "array with at least " + count(k.Want, "item") + " that fit"
	case *kind.MaxContains:
		return "maxContains", "array with at most " + count(k.Want, "item") + " that fit"
	}
	return "", ""
}

// describe is a noun phrase for a value: its type, and as much of it as helps.
func describe(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean " + strconv.FormatBool(v)
	case json.Number:
		return "number " + shorten(v.String())
	case string:
		return "string " + quote(v)
	case []any:
		return "array of " + count(len(v), "item")
	case map[string]any:
		return "object with " + countProperties(len(v))
	case nowhere:
		return "a value inside"
	default:
		return fmt.Sprintf("value of type %T", v)
	}
}

func list(values []any) string {
	const most = 20
	var words []string
	for _, v := range values[:min(len(values), most)] {
		if s, ok := v.(string); ok {
			words = append(words, quote(s))
		} else {
			words = append(words, describe(v))
		}
	}
	if rest := len(values) - len(words); rest > 0 {
		words = append(words, fmt.Sprintf("%d more", rest))
	}
	return strings.Join(words, ", ")
}

// decimal prints a bound as its author wrote it where that is exact, since
// 0.01 reads better than 1/100.
func decimal(r *big.Rat) string {
	f, _ := r.Float64()
	text := strconv.FormatFloat(f, 'g', -1, 64)
	if back, ok := new(big.Rat).SetString(text); ok && back.Cmp(r) == 0 {
		return text
	}
	return shorten(r.RatString())
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

func countProperties(n int) string {
	if n == 1 {
		return "1 property"
	}
	return strconv.Itoa(n) + " properties"
}

func quote(s string) string { return strconv.Quote(shorten(s)) }

// shorten cuts what an adapter sent to what fits a line of a report.
func shorten(s string) string {
	const most = 60
	n := 0
	for i := range s {
		if n++; n > most {
			return s[:i] + "…"
		}
	}
	return s
}
