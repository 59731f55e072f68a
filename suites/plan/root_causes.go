package plan

import "github.com/aql-conform/aql-conform/reports"

// oneMend names, by a requirement, the requirement of the same subject whose mend mends it as well: they are
// two signs of one defect. A shared reply or a shared topic shows no such thing, because a record may lack two
// members for two reasons, and an adapter may count bytes and not levels.
var oneMend = map[string]string{
	"AQL-5.1-05":   "AQL-5.1-03",   // one serializer writes null for what is absent
	"AQL-6.2-06":   "AQL-6.2-04",   // a batch runs its entries as single calls run
	"AQL-4.6-06":   "AQL-4.6-01",   // an adapter that accepts any name accepts a near miss
	"MCP-SEC-04":   "AQL-3.2-01",   // an adapter that runs any name runs an inherited one
	"AQL-4.5.1-05": "AQL-4.5.1-03", // what is lost at the first level is lost at the next
	"AQL-4.5.1-07": "AQL-4.5.1-06", // arrays that are merged are not replaced
	"AQL-4.7.1-03": "AQL-4.7.1-02", // one check of the bytes finds all that is not UTF-8
	"AQL-4.7.1-04": "AQL-4.7.1-02",
	"AQL-4.7.1-05": "AQL-4.7.1-02",
	"AQL-4.7.1-06": "AQL-4.7.1-02",
	"AQL-8.7.2-09": "AQL-8.7.2-08", // one matcher serves both lists
}

// markRootCauses marks a failure that the mend of another failure of the same subject mends.
func markRootCauses(found []reports.Finding) []reports.Finding {
	type place struct{ requirement, subject string }
	failed := map[place]bool{}
	for _, f := range found {
		if f.Verdict == reports.Fail && f.RootCause == "" {
			failed[place{f.Requirement, f.Subject}] = true
		}
	}
	for i, f := range found {
		if root := oneMend[f.Requirement]; failed[place{f.Requirement, f.Subject}] && failed[place{root, f.Subject}] {
			found[i].RootCause = root
		}
	}
	return found
}
