package loop

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A sentence says that the loop is on without being started when it names what is on, says that it is on, and says that
// the configuration did it. Words about configured limits or about the start of an agent do not say so.
var (
	nameOfLoop  = regexp.MustCompile(`(?i)\bloop|\bmonitor|\benforc|\bevaluat|\bsafety\b`)
	wordOfOn    = regexp.MustCompile(`(?i)\benabl|\bactiv(e|at)|\b(switch|turn)[a-z]* on\b|\b(is|are|always|permanently) (on|monitored)\b|\b(always|permanently) enforc|\bconfigured to (monitor|enforc|evaluat)`)
	byConfig    = regexp.MustCompile(`(?i)(\b(by|in|through|via) ([a-z]+ ){0,3}|: )(config|settings?\b|default\b)|\bconfiguration\b[^,:]* (enabl|activ|switch|turn)|\bconfigured to\b|\b(always|permanently) (on|activ|enabl|enforc|monitored)`)
	saidToBeOff = regexp.MustCompile(`(?i)\b(not|never|cannot) ([a-z]+ )?(enabl|activ|switch|turn|on\b|monitored|configured)`)
	sentenceEnd = regexp.MustCompile(`[.!?;]\s+|\n`)
)

// onByConfiguration reports whether introspection says that the loop is on by configuration. The record of an operation
// of the loop speaks of the loop; any other text has to name it.
func onByConfiguration(f *model.Adapter) bool {
	ofLoop := func(text string) bool { return spokenOf.MatchString(text) }
	found := saysOn(f.Listed.Envelope(), ofLoop)
	for _, o := range f.Operations {
		about := ofLoop
		if slices.Contains(check.LoopOperations, o.Name) {
			about = nameOfLoop.MatchString
		}
		found = found || saysOn(o.Summary, about) || saysOn(o.Details, about)
	}
	for _, t := range f.Types {
		found = found || saysOn(t.Summary, ofLoop) || saysOn(t.Details, ofLoop)
	}
	return found
}

// saysOn reports whether a text within a value says so. The name of a member is read with its text.
func saysOn(v probes.Value, about func(text string) bool) (found bool) {
	check.Walk(v, func(name string, v, _ probes.Value) {
		for _, text := range append(v.Items(), v) {
			for _, sentence := range sentenceEnd.Split(strings.ReplaceAll(name, "_", " ")+": "+text.Text(), -1) {
				found = found || about(sentence) && wordOfOn.MatchString(sentence) && byConfig.MatchString(sentence) && !saidToBeOff.MatchString(sentence)
			}
		}
	})
	return found
}
