package probes

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// keptAfter keeps an observation of a plain call as a long run does, after change.
func keptAfter(t *testing.T, change func(*Observation)) (k *Kept, before Observation) {
	t.Helper()
	p := Call("main", "read", "get_item", map[string]any{"id": "a"}).As("the step")
	p.Number = -3
	o := Classify(p, wire.Reply{
		Class: wire.Answered, Status: 200, Elapsed: 2,
		Sent:     wire.Frame{Seq: 11, At: 3, Dir: wire.Sent, Note: "POST", Size: 8, Data: []byte(`{"id":1}`)},
		Received: wire.Frame{Seq: 12, At: 5, Dir: wire.Received, Note: "200", Size: 9000, Data: []byte(`{"id":1,"result":{"structuredContent":{"success":true,"data":{"id":"a"}}}}`)},
	})
	payload := p.Payload()
	change(&o)
	e := NewEngine(wire.NewRecorder(), time.Second, 1)
	e.kept = maxHeld
	e.large.note(len(o.ReceivedData()), o, e.store)
	k = &Kept{whole: &whole{key: o.Probe.Key()}}
	k.keep(o)
	before = k.whole.Observation
	if e.shelve(k, payload) {
		k.pack(&e.forms)
	}
	return k, before
}

// A packed observation says what it said before.
func TestPackedObservationComesBack(t *testing.T) {
	k, before := keptAfter(t, func(*Observation) {})
	if k.whole != nil {
		t.Fatal("a plain call is not packed")
	}
	after := k.Observation()
	if after.Probe.Key() != before.Probe.Key() || after.Probe.Operation() != "get_item" || after.Probe.With("x", 1).Key() != before.Probe.With("x", 1).Key() {
		t.Errorf("the request %s comes back as %s", before.Probe, after.Probe)
	}
	if string(after.SentData()) != string(before.SentData()) || after.Data().At("id").Text() != "a" || after.Brief() != before.Brief() {
		t.Errorf("the exchange comes back as %s and %s", after.SentData(), after.ReceivedData())
	}
	if after.Probe.Step != "the step" || k.Key() != before.Probe.Key() || k.Seq() != 11 || Keep(after) != k {
		t.Errorf("step %s, key %s, place %d", after.Probe.Step, k.Key(), k.Seq())
	}
	after.Probe.args, before.Probe.args = nil, nil
	after.Probe.told, after.shelf, before.shelf = nil, nil, nil
	if !reflect.DeepEqual(after, before) {
		t.Errorf("packed %+v comes back as %+v", before, after)
	}
}

// An observation with a part that a Kept has no room for is not packed.
func TestNothingIsLostByPacking(t *testing.T) {
	for _, at := range []struct {
		what  string
		of    reflect.Type
		field func(*Observation) reflect.Value
	}{
		{"Observation", reflect.TypeFor[Observation](), func(o *Observation) reflect.Value { return reflect.ValueOf(o).Elem() }},
		{"Probe", reflect.TypeFor[Probe](), func(o *Observation) reflect.Value { return reflect.ValueOf(&o.Probe).Elem() }},
		{"Sent", reflect.TypeFor[Trace](), func(o *Observation) reflect.Value { return reflect.ValueOf(&o.Sent).Elem() }},
		{"Received", reflect.TypeFor[Trace](), func(o *Observation) reflect.Value { return reflect.ValueOf(&o.Received).Elem() }},
	} {
		for i := range at.of.NumField() {
			if !at.of.Field(i).IsExported() {
				continue
			}
			name := at.what + "." + at.of.Field(i).Name
			k, before := keptAfter(t, func(o *Observation) {
				switch f := at.field(o).Field(i); f.Kind() {
				case reflect.String:
					f.SetString("other")
				case reflect.Bool:
					f.SetBool(true)
				case reflect.Int, reflect.Int64:
					f.SetInt(1 << 33)
				case reflect.Slice:
					f.Set(reflect.ValueOf([]byte("{}")))
				}
			})
			got, want := at.field(new(k.Observation())).Field(i), at.field(&before).Field(i)
			if got.Kind() != reflect.Struct && !reflect.DeepEqual(got.Interface(), want.Interface()) {
				t.Errorf("%s was %v and comes back as %v", name, want, got)
			}
		}
	}
}

// A large answer leaves memory at once, and comes back with the request. What holds the request alone
// does not hold the answer.
func TestLargeAnswerComesBack(t *testing.T) {
	text := strings.Repeat("é", largeAnswer)
	var o Observation
	k, _ := keptAfter(t, func(changed *Observation) {
		*changed = Classify(changed.Probe, wire.Reply{Class: wire.Answered, Sent: wire.Frame{Seq: 11, Dir: wire.Sent, Data: []byte(`{"id":1}`)},
			Received: wire.Frame{Seq: 12, Dir: wire.Received, Data: []byte(`{"id":1,"result":{"content":[{"type":"text","text":"{\"success\":true,\"data\":{\"id\":\"` + text + `\"}}"}]}}`)}})
		o = *changed
	})
	after := k.Observation()
	if s := o.shelf.(*shelf); s.held != nil || s.kept != nil || k.whole != nil {
		t.Error("the answer is in memory")
	}
	if after.Probe.Operation() != "get_item" || after.Probe.Params()["id"] != "a" || string(after.SentData()) != `{"id":1}` || cap(after.SentData()) > 64 {
		t.Errorf("the request comes back as %s, %s in %d bytes", after.Probe, after.SentData(), cap(after.SentData()))
	}
	if after.Data().At("id").Text() != text || !after.Succeeded() {
		t.Errorf("the answer comes back as %.80s", after.ReceivedData())
	}
}

// So many requests are on their way as have room for their answers, one in any case.
func TestLargeAnswersAreAskedForOneByOne(t *testing.T) {
	var l large
	l.largest = 3 << 20
	first, second := l.enter(false), l.enter(false)
	l.enter(true)() // waits for none
	if !l.full() {
		t.Error("a third answer of 3 MB has room")
	}
	if first(); l.full() {
		t.Error("a second answer of 3 MB has no room")
	}
	second()
	if l.largest = 2 * largeAtOnce; l.full() {
		t.Error("a single answer has no room")
	}
}

// A word is found in an escape of any depth, and no answer is suspected for what encoders escape.
func TestMayContainReadsEscapes(t *testing.T) {
	for text, want := range map[string]bool{
		`{"code":"CONFIRMATION_REQUIRED"}`:                      true,
		`{"text":"{\"code\":\"\u0063onfirm\"}"}`:                true,
		`{"text":"\\u0063onfirm"}`:                              true,
		`{"text":"\u005cu0063onfirm"}`:                          true, // a text that holds the escape of a letter
		`{"text":"\\u\u0030063onfirm"}`:                         true, // the digit of an escape
		`{"text":"\u00`:                                         true, // cut off
		`{"text":"\\u"}`:                                        true,
		`{"text":"a \u003cb\u003e \u2028 \u0000 \ud83d\ude00"}`: false,
		`{"text":"nothing"}`:                                    false,
	} {
		if got := MayContain([]byte(text), "confirm") || MayContain([]byte(text), "CONFIRM"); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
