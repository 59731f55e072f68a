package plan

import (
	"cmp"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/gate"
	"github.com/aql-conform/aql-conform/suites/model"
)

// pagesAlone reports whether nothing but a page is asked for, so that nothing else chooses what is listed.
func pagesAlone(params map[string]any) bool {
	for name := range params {
		if !slices.Contains(model.PageSizes, name) && !gate.ChoosesPage(name) {
			return false
		}
	}
	return true
}

// maxPagesAfter is how many answers of listings are looked at behind a call: a listing may have pages.
const maxPagesAfter = 8

// addLists adds to the events of each object the lists of what lies in its parent that follow its
// creation, and those that follow each call which names it.
func (p *player) addLists(lists map[string][]lifeEvent) {
	for _, o := range p.objects {
		in := lists[place(o.made.Probe.Conn, p.life.In(o.key))]
		added := 0 // those before are events already
		follow := func(reply probes.Observation) {
			i, _ := slices.BinarySearchFunc(in, reply.Received.Seq, func(e lifeEvent, seq int) int { return cmp.Compare(e.reply.Seq(), seq) })
			if end := min(i+maxPagesAfter, len(in)); end > added {
				o.events = append(o.events, in[max(i, added):end]...)
				added = end
			}
		}
		calls := o.events
		slices.SortStableFunc(calls, func(a, b lifeEvent) int { return cmp.Compare(a.reply.Seq(), b.reply.Seq()) })
		follow(o.made)
		for _, e := range calls {
			follow(e.reply.Observation())
		}
	}
}

// maxListings bounds how many answers of listings are searched, the last first: what is there
// shows in the last ones, and an answer may have thousands of rows.
const maxListings = 200

// findListed finds the objects in the listings that were asked for while they were there.
func (p *player) findListed() {
	for _, op := range p.life.Lists {
		calls := p.calls[op.Name]
		for _, k := range slices.Backward(calls[max(0, len(calls)-maxListings):]) {
			if len(p.objects) == 0 || p.complete() {
				return
			}
			if o := k.Observation(); proves(p.Adapter, o) {
				p.list(o)
			}
		}
	}
}

func (p *player) complete() bool {
	return slices.ContainsFunc(p.objects, func(o *lifeObject) bool { return len(o.played) == len(p.steps) })
}

// list notes which objects a listing shows.
func (p *player) list(reply probes.Observation) {
	params := probes.ValueOf(reply.Probe.Params())
	for _, row := range gate.Rows(reply.Data()) {
		for _, o := range p.named(reply.Probe.Conn, params, row) {
			if reply.Sent.Seq > o.made.Received.Seq && (o.removed == 0 || reply.Received.Seq < o.removed) {
				o.played[model.StepList] = true
			}
		}
	}
}

// named returns the objects that a row shows: those that reads have shown under its identifier, or
// of a kind without such reads, those whose mark it has.
func (p *player) named(conn string, params, row probes.Value) []*lifeObject {
	if key, identified := gate.ListedKey(p.life.Kind, params, row); identified {
		return slices.DeleteFunc(slices.Clone(p.at[place(conn, key)]), func(o *lifeObject) bool { return !o.played[model.StepRead] })
	}
	if len(p.life.Key) > 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(p.at[conn]), func(o *lifeObject) bool { return !gate.Marks(row, o.fields) })
}
