package session

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// leftovers tells what the run made and could not remove.
func (s *Session) leftovers(left []model.Leftover) {
	if len(left) > 0 && s.ledger != nil {
		s.remark("to remove the objects that are left: aql-conform cleanup %s %s", console.Quoted(s.ledger.path), console.Joined(s.Main.typed))
	}
	for _, l := range left {
		s.remark("%s", l)
	}
}

// named lists names, each once, with how often it comes.
func named(names []string) string {
	slices.Sort(names)
	var all []string
	for from, to := 0, 0; from < len(names); from = to {
		for to = from; to < len(names) && names[to] == names[from]; to++ {
		}
		name := names[from]
		if to-from > 1 {
			name = fmt.Sprintf("%s (%d)", name, to-from)
		}
		all = append(all, name)
	}
	return strings.Join(all, ", ")
}

// introduce fills the head of the report with what the adapter says it is.
func (s *Session) introduce(f *model.Adapter) {
	hello := s.engine.Hello("main")
	info, _ := probes.ParseValue(hello.Result())
	server := probes.ServerInfo(info)
	s.run.Implementation, s.run.Version = server.At("name").Text(), server.At("version").Text()
	s.run.Revision = hello.Revision
	s.run.Asked = s.engine.Record().Asked
	if hello.SDKError != "" {
		s.run.Remarks = append(s.run.Remarks, "the go-sdk client cannot read the handshake: "+s.withoutSecrets(hello.SDKError))
	}
	if hello.Unheard {
		s.run.Remarks = append(s.run.Remarks, "server/discover was not answered; MCP wants error -32601 for a method that is not known")
	}
	if f.SpeaksAQL() {
		s.note(f)
	}
}

// note adds one face to the head of the report.
func (s *Session) note(f *model.Adapter) {
	if mode := f.Mode(); f.Introspect != "" && !slices.Contains(s.run.Modes, mode) {
		s.run.Modes = append(s.run.Modes, mode)
	}
	if profile := f.Profile(); f.Introspect != "" && (s.run.Profile == "" || s.run.Profile == "unified") {
		s.run.Profile = profile
	}
	for _, departure := range f.Departures {
		s.run.Remarks = append(s.run.Remarks, "discovery: "+f.Label+departure)
	}
}

// remarkTime is how long a run may work on remarks, which nobody waits for.
const remarkTime = 20 * time.Second

// advise tells what the run showed beside verdicts.
func (s *Session) advise(ctx context.Context, p *plan.Plan) {
	ctx, cancel := context.WithTimeout(ctx, remarkTime)
	defer cancel()
	record := s.engine.Record()
	s.run.Asked = record.Asked
	s.run.Routing = p.Routing()
	if s.run.Interrupted {
		return
	}
	n, flaky := plan.Flaky(record)
	if s.run.Cured += n; n > 0 {
		s.remark("%s", flaky)
	}
	for _, f := range p.Adapters {
		s.measured(f.Label + plan.TokenCost(f, record))
	}
	s.measured(p.SelfRepair(ctx))
	s.measured(plan.SlowestCalls(p.Adapters[0], record))
	s.bounded(p)
	if unsent := p.Unsent(); unsent != "" {
		s.remark("%s", unsent)
	}
	if unrepeated := p.Unrepeated(); unrepeated != "" {
		s.remark("%s", unrepeated)
	}
}

// bounded tells what --max-requests left open. What is open of the level asked for narrows the run.
func (s *Session) bounded(p *plan.Plan) {
	levels, others, cut := p.Beyond(s.run.Level)
	if !cut {
		return
	}
	flag := fmt.Sprintf("--max-requests %d", s.effort.Requests)
	s.remark("%s left %s of the checks open, %d of them of level %d; generated input comes after the checks", flag, counted(levels+others, "case"), levels, s.run.Level)
	s.run.Ungenerated = true
	if levels > 0 {
		s.run.Narrowed = append(s.run.Narrowed, flag)
	}
}

func (s *Session) measured(text string) {
	if text != "" {
		s.run.Measured = append(s.run.Measured, s.withoutSecrets(text))
	}
}
