package plan

import (
	"cmp"
	"maps"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/gate"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A player finds the objects of one kind in the record and what was done with them.
type player struct {
	*model.Adapter
	life    *model.Life
	steps   []string // of the life
	calls   callsByOperation
	objects []*lifeObject
	at      map[string][]*lifeObject // by connection and identifier
}

// A lifeObject is an object that the run made, as far as a read shows it under the identifier.
type lifeObject struct {
	made    probes.Observation
	key     []probes.Value
	fields  map[string][]string // texts with the mark of the run
	events  []lifeEvent         // calls with the identifier, in the order in which they were sent
	played  map[string]bool     // by step
	removed int                 // position of the request that removed it; 0 for none

	view    probes.Value       // as the last read showed it
	shown   map[string]bool    // by page of a listing, "" for a read of one object: the last one showed it
	changes []pendingChange    // the last updates that succeeded, as the adapter says
	removal probes.Observation // one that succeeded, as the adapter says, until a read follows
	intact  bool               // nothing but that removal can have made it look removed
}

// A lifeEvent is a call that names an object.
type lifeEvent struct {
	step  string
	reply *probes.Kept
	page  string // of a listing: its parameters
}

// A pendingChange is an update that succeeded, with the object before it.
type pendingChange struct {
	reply  probes.Observation
	before probes.Value
}

// playLife returns the documented steps in the life of a kind that were not played with success on
// the object that got furthest; nil if one object played them all. A step counts by its effect: an
// object is read if the answer carries its identifier and its mark, or what it names where it has no mark, an update needs a read that
// shows a new value, a removal one that finds nothing.
func playLife(f *model.Adapter, l *model.Life, calls callsByOperation) (missing []string) {
	p := &player{Adapter: f, life: l, steps: l.Steps(), calls: calls, at: map[string][]*lifeObject{}}
	p.findObjects()
	p.findEvents()
	for _, o := range p.objects {
		p.play(o)
	}
	p.findListed()
	best := map[string]bool{}
	for _, o := range p.objects {
		if len(o.played) > len(best) {
			best = o.played
		}
	}
	return slices.DeleteFunc(slices.Clone(p.steps), func(step string) bool { return best[step] })
}

// findObjects finds what the run made with valid calls, under each identifier that the answers may
// tell.
func (p *player) findObjects() {
	for _, op := range p.life.Makes {
		for _, k := range p.calls[op.Name] {
			o := k.Observation()
			if !proves(p.Adapter, o) {
				continue
			}
			params := probes.ValueOf(o.Probe.Params())
			keys := gate.Told(p.life.Kind, o)
			if len(p.life.Key) == 0 {
				keys = [][]probes.Value{nil}
			}
			for _, key := range keys {
				made := &lifeObject{made: o, key: key, fields: p.told(params), played: map[string]bool{model.StepCreate: true}, shown: map[string]bool{}}
				p.objects = append(p.objects, made)
				at := place(o.Probe.Conn, key)
				p.at[at] = append(p.at[at], made)
			}
		}
	}
}

// told are the texts of a creation by which its object is known beside the identifier: those with the mark of the run, and
// without them the identifiers of the objects that it names, also of the one in which it lies.
func (p *player) told(params probes.Value) map[string][]string {
	if fields := gate.MarkedIn(params, p.Nonce); len(fields) > 0 {
		return fields
	}
	fields := map[string][]string{}
	for _, m := range params.Members() {
		_, names := p.Rules.Namesake(p.life.Kind, m.Name)
		within := len(p.life.Key) > 1 && slices.Contains(p.life.Key, m.Name)
		if (names || within) && m.Value.Is(probes.String) {
			fields[m.Name] = []string{m.Value.Text()}
		}
	}
	return fields
}

// place is the identity of an object. Two connections may lead to two stores.
func place(conn string, key []probes.Value) string {
	at := []byte(conn)
	for _, v := range key {
		at = append(append(at, 0), v.Canonical(nil)...)
	}
	return string(at)
}

// findEvents finds the calls that name the objects.
func (p *player) findEvents() {
	if len(p.objects) == 0 || len(p.life.Key) == 0 {
		return
	}
	lists := map[string][]lifeEvent{} // of children, by connection and parent, or of all
	for _, s := range []struct {
		step string
		by   []probes.Operation
	}{{model.StepRead, p.life.Views}, {model.StepUpdate, p.life.Updates}, {model.StepDelete, p.life.Removes}} {
		for _, op := range s.by {
			for _, k := range p.calls[op.Name] {
				probe := k.Observation().Probe
				if in, asked := p.life.Asked(probes.ValueOf(probe.Params())); s.step == model.StepRead && p.life.Listed() {
					if at := place(probe.Conn, in); asked || p.life.Plain() && pagesAlone(probe.Params()) {
						lists[at] = append(lists[at], lifeEvent{s.step, k, probes.ValueOf(probe.Params()).Canonical(nil)})
					}
					continue
				}
				key, named := p.life.KeyIn(probes.ValueOf(probe.Params()))
				if !named {
					continue
				}
				for _, o := range p.at[place(probe.Conn, key)] {
					o.events = append(o.events, lifeEvent{step: s.step, reply: k})
				}
			}
		}
	}
	inOrder := func(a, b lifeEvent) int { return cmp.Compare(a.reply.Seq(), b.reply.Seq()) }
	for _, in := range lists {
		slices.SortStableFunc(in, inOrder)
	}
	p.addLists(lists)
	for _, o := range p.objects {
		slices.SortStableFunc(o.events, inOrder)
	}
}

// play follows one object through the calls that name it.
func (p *player) play(o *lifeObject) {
	for _, e := range o.events {
		reply := e.reply.Observation()
		if reply.Sent.Seq < o.made.Received.Seq {
			continue
		}
		switch e.step {
		case model.StepRead:
			if !reply.Lost() {
				p.playRemoval(o, reply, e.page)
				p.playRead(o, reply, e.page)
			}
		case model.StepUpdate:
			o.intact = false
			gate.AddChanges(o.fields, probes.ValueOf(reply.Probe.Params()))
			if o.seen() && proves(p.Adapter, reply) {
				o.changes = append(o.changes[max(0, len(o.changes)-maxChanges+1):], pendingChange{reply, o.view})
			}
		case model.StepDelete:
			if o.seen() && proves(p.Adapter, reply) {
				o.removal, o.intact = reply, !gate.ShowsBurial(o.view)
			}
		}
	}
}

// seen reports whether the last reads show the object, or one of them.
func (o *lifeObject) seen() bool { return slices.Contains(slices.Collect(maps.Values(o.shown)), true) }

// maxChanges is how many updates may wait for a read that shows their values.
const maxChanges = 8

// playRemoval learns from the first read after a removal whether the object is gone. A later one
// proves nothing: the adapter may have started again without its objects. Nor does another page of a listing
// than the one that showed it.
func (p *player) playRemoval(o *lifeObject, read probes.Observation, page string) {
	if o.removal.Sent.Seq == 0 || read.Sent.Seq < o.removal.Received.Seq || !o.shown[page] {
		return
	}
	if p.life.Lacks(read, o.key) || o.intact && read.Succeeded() && gate.ShowsBurial(read.Data()) {
		o.played[model.StepDelete], o.removed = true, o.removal.Sent.Seq
	}
	o.removal = probes.Observation{}
}

// playRead learns from a read what the object is now.
func (p *player) playRead(o *lifeObject, read probes.Observation, page string) {
	view, shown := gate.Find(read, p.life.Kind, o.key, o.fields)
	if o.shown[page] = shown; !shown {
		return
	}
	o.view = view
	step := model.StepRead
	if p.life.Listed() {
		step = model.StepList
	}
	if !o.played[step] && proves(p.Adapter, read) {
		o.played[step] = true
	}
	if !o.played[model.StepUpdate] && slices.ContainsFunc(o.changes, func(c pendingChange) bool {
		return read.Sent.Seq > c.reply.Received.Seq && changed(c, view)
	}) {
		o.played[model.StepUpdate] = true
	}
}

// changed reports whether a field has the value that an update gave it, and had another before.
func changed(c pendingChange, after probes.Value) bool {
	params := probes.ValueOf(c.reply.Probe.Params())
	input := params.At("input")
	if !input.Is(probes.Object) {
		input = params
	}
	before, after := model.Named(c.before, input.Names()), model.Named(after, input.Names())
	return slices.ContainsFunc(input.Members(), func(m probes.Member) bool {
		return !m.Value.Is(probes.Null) && check.StoresValue(after.At(m.Name), m.Value) && !check.StoresValue(before.At(m.Name), m.Value)
	})
}
