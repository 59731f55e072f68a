// Package habits has the legal ways to do what the specification leaves free, each with the section
// that permits it, and the descriptions that are made of them.
package habits

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// A Description says what the adapter is called on the wire and how it does what the
// specification leaves free. The heart of the adapter, with its names, is the model of
// the roles: "create_note" is the creation of the main kind, "folder_id" the identifier
// of its parent. A fault is planted in a role, so it can be planted in any description.
// The zero Description is that of the notes.
type Description struct {
	Seed   uint64            `json:"seed,omitempty"`
	Title  string            `json:"title,omitempty"`
	Names  map[string]string `json:"names,omitempty"`  // operation, member, type, value or noun of the heart -> name on the wire
	Habits map[string]string `json:"habits,omitempty"` // axis -> habit, those that differ from the habits of the notes
}

// A Habit is one legal way to do what the specification leaves free.
type Habit struct {
	Name    string
	Section string // that leaves it free
	From    string // strangers whose authors had it, who had read the specification alone
	Unseen  bool   // withheld while the checks are worked on

	Announces []string // requirements of which a warning is due
	Conflicts []string // habits, as "axis: name", that cannot stand beside it
	Hides     []string // requirements whose faults the habit leaves no way to show

	adapter.Hooks
	manner func(s *shaped)
}

// An Axis is one freedom with its habits; the first is that of the notes.
type Axis struct {
	Name   string
	Habits []Habit
}

// Axes lists the freedoms.
func Axes() []Axis {
	return slices.Concat(vocabularyAxes(), keyAxes(), answerAxes(), validationAxes(), carrierAxes(), stateAxes(), ruleAxes(), strangerAxes(), noticeAxes())
}

// habit returns the habit of that axis.
func (d Description) habit(axis Axis) (Habit, error) {
	name := d.Habits[axis.Name]
	if name == "" {
		return axis.Habits[0], nil
	}
	at := slices.IndexFunc(axis.Habits, func(h Habit) bool { return h.Name == name })
	if at < 0 {
		return Habit{}, fmt.Errorf("unknown habit %q of %q", name, axis.Name)
	}
	return axis.Habits[at], nil
}

// chosen returns the habits, by the order of the axes.
func (d Description) chosen() ([]Habit, error) {
	var all []Habit
	known := map[string]bool{}
	for _, axis := range Axes() {
		known[axis.Name] = true
		h, err := d.habit(axis)
		if err != nil {
			return nil, err
		}
		all = append(all, h)
	}
	for _, name := range slices.Sorted(maps.Keys(d.Habits)) {
		if !known[name] {
			return nil, fmt.Errorf("unknown axis %q", name)
		}
	}
	return all, nil
}

// Announced returns the requirements of which the description announces a warning.
func (d Description) Announced() []string {
	var ids []string
	all, _ := d.chosen() // New reports what is unknown
	for _, h := range all {
		ids = append(ids, h.Announces...)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// Hidden returns the requirements whose faults cannot show beside these habits.
func (d Description) Hidden() []string {
	var ids []string
	all, _ := d.chosen()
	for _, h := range all {
		ids = append(ids, h.Hides...)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// shaped is what a description comes to: the hooks around the heart and its faults.
type shaped struct {
	adapter.Manner
	adapter.Hooks
	Mode, Profile, Features string
	camel                   bool // whether answers have camelCase members
	Words                   seam.Words
}

func (d Description) Shape() (shaped, error) {
	all, err := d.chosen()
	if err != nil {
		return shaped{}, err
	}
	var out shaped
	for _, h := range all {
		out.Hooks = seam.Both(out.Hooks, h.Hooks)
		if h.manner != nil {
			h.manner(&out)
		}
	}
	if len(d.Names) > 0 {
		v := NewVocabulary(d.Names)
		out.Words = v
		out.Hooks = seam.Both(adapter.Hooks{Call: v.speak}, out.Hooks)
		out.Called, out.About = "mcp-aql-"+v.nouns["note"], cmp.Or(d.Title, "Objects")+" behind MCP-AQL. Start with the operation introspect."
	}
	if out.camel {
		free := "metadata"
		if name := d.Names["member metadata"]; name != "" {
			free = name
		}
		out.Hooks = seam.Both(adapter.Hooks{Call: camelCased(free)}, out.Hooks)
	}
	return out, nil
}

// longest is how long a description may become: longer ones are no summary.
const longest = 140

// tell adds to the description of an operation where there is room for it.
func tell(op *adapter.Operation, more string) {
	if len(op.Description)+len(more)+2 <= longest {
		op.Description += "; " + more
	}
}

// Described is the description with these habits; its words are drawn by the seed.
func Described(seed uint64, habits map[string]string) Description {
	d := Description{Seed: seed, Habits: habits}
	if habits["language"]+habits["place of the verb"]+habits["name of the key"] != "" {
		d.Title, d.Names = namesFor(habits, rand.New(rand.NewPCG(seed, 0x776f7264))) //nolint:gosec // nothing here is a secret
	}
	return d
}

// String tells the habits that differ from those of the notes, in the order of the axes.
func (d Description) String() string {
	var out []string
	for _, axis := range Axes() {
		if name := d.Habits[axis.Name]; name != "" {
			out = append(out, fmt.Sprintf("%s: %s", axis.Name, name))
		}
	}
	return strings.Join(out, "\n")
}
