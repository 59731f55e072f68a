package console

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

func Parsed(raw []byte) any {
	var v any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	_ = d.Decode(&v) // what cannot be read differs from everything
	return v
}

// ownName is how a version of this program names itself. Another version may have written a
// report, so the member that holds the name is not compared.
var ownName = regexp.MustCompile(`^aql-conform [0-9A-Za-z.+-]{1,100}$`)

// Differences lists where two documents differ, by path: sealed first, then what the
// transcript gives.
func Differences(at string, sealed, anew any) []string {
	if text, ok := sealed.(string); ok && at == "report.tool" && ownName.MatchString(text) {
		return nil
	}
	var all []string
	switch x := sealed.(type) {
	case map[string]any:
		y, ok := anew.(map[string]any)
		if !ok {
			break
		}
		names := slices.Sorted(maps.Keys(x))
		for name := range y {
			if _, both := x[name]; !both {
				names = append(names, name)
			}
		}
		for _, name := range names {
			all = append(all, Differences(at+"."+name, x[name], y[name])...)
		}
		return all
	case []any:
		y, ok := anew.([]any)
		if !ok {
			break
		}
		if len(x) != len(y) {
			return []string{fmt.Sprintf("%s: %d sealed, the transcript gives %d%s", at, len(x), len(y), missing(x, y))}
		}
		for i := range x {
			all = append(all, Differences(fmt.Sprintf("%s[%d]%s", at, i, named(x[i])), x[i], y[i])...)
		}
		return all
	}
	if sealed != anew {
		return []string{fmt.Sprintf("%s: sealed %s, the transcript gives %s", at, brief(sealed), brief(anew))}
	}
	return nil
}

// named adds the requirement of a finding to its place.
func named(v any) string {
	if f, ok := v.(map[string]any); ok {
		if id, ok := f["requirement"].(string); ok {
			return "(" + id + ")"
		}
	}
	return ""
}

// missing names the findings that only one side has.
func missing(sealed, anew []any) string {
	count := map[string]int{}
	for _, v := range anew {
		count[named(v)]++
	}
	for _, v := range sealed {
		count[named(v)]--
	}
	var lost []string
	for _, id := range slices.Sorted(maps.Keys(count)) {
		if id != "" && count[id] != 0 {
			lost = append(lost, strings.Trim(id, "()"))
		}
	}
	if len(lost) == 0 {
		return ""
	}
	return "; they differ in " + strings.Join(lost[:min(len(lost), 10)], ", ")
}

func brief(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	const most = 80
	if len(raw) > most {
		return string(raw[:most]) + "…"
	}
	return string(raw)
}
