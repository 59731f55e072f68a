package session

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// rehearse prints what the run would do, for a dry run.
func (s *Session) rehearse(w io.Writer) error {
	v := s.rehearsed.Preview()
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "DRY RUN  nothing that writes was sent to %s\n", s.run.Adapter)
	fmt.Fprintf(t, "         mode %s, %s asked\n", strings.Join(s.run.Modes, " and "), counted(s.engine.Record().Asked, "question"))
	s.list(t, "WILL BE CALLED", v.Operations, func(o plan.PlannedOperation) string { return map[bool]string{true: o.Why}[o.Called] })
	s.list(t, "WILL NOT BE CALLED, with the reason", v.Operations, func(o plan.PlannedOperation) string { return map[bool]string{false: o.Why}[o.Called] })
	s.list(t, "WOULD BE CALLED with this flag", v.Operations, func(o plan.PlannedOperation) string { return o.Flag })
	requirements, cases := 0, 0
	for _, a := range v.Areas {
		requirements, cases = requirements+a.Requirements, cases+a.Cases
	}
	fmt.Fprintf(t, "\nASKED  %s in %s, or more once the checker has objects of its own\n", counted(requirements, "requirement"), counted(cases, "case"))
	fmt.Fprintf(t, "  %s\n", s.rehearsed.Estimate(s.engine, true))
	for _, a := range v.Areas {
		fmt.Fprintf(t, "  %s\t%s\t%s\n", a.Area, counted(a.Requirements, "requirement"), counted(a.Cases, "case"))
	}
	fmt.Fprint(t, "\nGENERATED")
	if len(v.Phases) == 0 {
		fmt.Fprint(t, "  no input")
	}
	fmt.Fprintln(t)
	for _, ph := range v.Phases {
		fmt.Fprintf(t, "  %s\t%s or more\n", ph.Name, counted(ph.Scripts, "script"))
	}
	if err := t.Flush(); err != nil {
		return console.Failure{Code: console.ExitFault, Err: fmt.Errorf("writing to standard output: %w", err)}
	}
	return nil
}

// list prints the operations that there is something to say of.
func (s *Session) list(w io.Writer, heading string, operations []plan.PlannedOperation, said func(plan.PlannedOperation) string) {
	for _, o := range operations {
		text := said(o)
		if text == "" {
			continue
		}
		if heading != "" {
			fmt.Fprintf(w, "\n%s\n", heading)
			heading = ""
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\n", reports.Inert(s.withoutSecrets(o.Name)), reports.Inert(o.Category), reports.Inert(s.withoutSecrets(text)))
	}
}
