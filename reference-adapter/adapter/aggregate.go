package adapter

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// aggregation is what list_notes advertises (introspection 3.3).
var aggregation = map[string]any{
	"supported": true, "default_mode": "summary_only", "functions": []string{"count", "group_by", "sum", "avg", "min", "max"},
	"groupable_fields": Groupable, "numeric_fields": numeric,
}

var (
	Groupable = []string{"status", "folder_id", "pinned", "priority"}
	numeric   = []string{"priority", "import_number"}
)

func aggregateParameters() []Parameter {
	return []Parameter{
		{Name: "aggregate", Type: "object", Feature: Aggregating, Description: "Summaries to answer in place of the notes: an object that maps labels of your own to expressions " +
			"with count (true), group_by (a field), sum, avg, min or max (a numeric field)"},
		{Name: "include_items", Type: "boolean", Default: false, Feature: Aggregating, Description: "Answer the page of notes as well where summaries are asked for"},
	}
}

// Aggregated answers every labelled expression over all notes that were found,
// whatever the page (operations 4.2).
func (t Task) Aggregated(notes []Note, labelled map[string]any) (map[string]any, Envelope) {
	out := map[string]any{}
	for label, value := range labelled {
		expression, ok := value.(map[string]any)
		if !ok || len(expression) == 0 {
			return nil, Misvalued(t.Operation, "aggregate."+label, "an object with count, group_by, sum, avg, min or max")
		}
		if problem := t.checkExpression(label, expression); problem != nil {
			return nil, problem
		}
		by, grouped := expression["group_by"].(string)
		if !grouped {
			out[label] = summed(notes, expression)
			continue
		}
		groups := map[string][]Note{}
		for _, n := range notes {
			groups[fmt.Sprint(n[by])] = append(groups[fmt.Sprint(n[by])], n)
		}
		each := map[string]any{}
		for key, members := range groups {
			each[key] = summed(members, expression)
		}
		out[label] = each
	}
	return out, nil
}

func (t Task) checkExpression(label string, expression map[string]any) Envelope {
	for _, function := range slices.Sorted(maps.Keys(expression)) {
		place, value := "aggregate."+label+"."+function, expression[function]
		name, _ := value.(string)
		switch function {
		case "count":
			if value != true {
				return Misvalued(t.Operation, place, "true")
			}
		case "group_by":
			if !slices.Contains(Groupable, name) {
				return Misvalued(t.Operation, place, Groupable)
			}
		case "sum", "avg", "min", "max":
			if !slices.Contains(numeric, name) {
				return Misvalued(t.Operation, place, numeric)
			}
		default:
			return Misvalued(t.Operation, place, []string{"count", "group_by", "sum", "avg", "min", "max"})
		}
	}
	return nil
}

// summed is one summary of some notes; what nothing has a value for is left out.
func summed(notes []Note, expression map[string]any) map[string]any {
	out := map[string]any{}
	if expression["count"] == true {
		out["count"] = len(notes)
	}
	for function, fold := range map[string]func(values []float64) float64{
		"sum": sumOf, "avg": func(values []float64) float64 { return sumOf(values) / float64(len(values)) },
		"min": slices.Min[[]float64], "max": slices.Max[[]float64],
	} {
		name, asked := expression[function].(string)
		var values []float64
		for _, n := range notes {
			if number, ok := n[name].(json.Number); ok {
				value, _ := number.Float64()
				values = append(values, value)
			}
		}
		if asked && len(values) > 0 {
			out[function] = fold(values)
		}
	}
	return out
}

func sumOf(values []float64) (sum float64) {
	for _, v := range values {
		sum += v
	}
	return sum
}
