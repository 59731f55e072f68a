package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/habits"
	"github.com/aql-conform/aql-conform/reference-adapter/zoo"
)

// A look says which description is served.
type look struct {
	seed           uint64
	habits, file   string
	list, document bool // print it instead
}

func (l *look) declare(flags *flag.FlagSet) {
	flags.Uint64Var(&l.seed, "zoo", 0, "serve the stranger of that `seed`: other names and habits, all of them legal")
	flags.StringVar(&l.habits, "habits", "", "serve the adapter with these `habits` instead, as \"AXIS: HABIT; AXIS: HABIT\"; --zoo then gives the words alone")
	flags.StringVar(&l.file, "description", "", "serve the description of this `file`, as --document prints it")
	flags.BoolVar(&l.list, "list", false, "print the habits that --zoo or --habits mean, with the sections that permit them, and exit")
	flags.BoolVar(&l.document, "document", false, "print the description with the tables that an engine serves it from, as JSON, and exit")
}

// description is that of the file, the one with these habits, or that of the seed.
func (l look) description() (habits.Description, error) {
	switch {
	case l.file != "":
		return readDescription(l.file)
	case l.habits == "":
		return zoo.Stranger(l.seed), nil
	}
	chosen := map[string]string{}
	for part := range strings.SplitSeq(l.habits, ";") {
		axis, habit, found := strings.Cut(part, ":")
		if !found {
			return habits.Description{}, fmt.Errorf("--habits %q: want \"AXIS: HABIT; AXIS: HABIT\"", l.habits)
		}
		chosen[strings.TrimSpace(axis)] = strings.TrimSpace(habit)
	}
	return habits.Described(l.seed, chosen), nil
}

func readDescription(file string) (d habits.Description, err error) {
	raw, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(raw, &d)
	}
	if err != nil {
		return d, fmt.Errorf("--description: %w", err)
	}
	return d, nil
}

func (l look) print(out, problems io.Writer, d habits.Description) int {
	if l.list {
		return listHabits(out, d)
	}
	return printDocument(out, problems, d)
}

func printDocument(out, problems io.Writer, d habits.Description) int {
	document, err := zoo.DocumentOf(d)
	if err != nil {
		fmt.Fprintln(problems, "reference-adapter:", err)
		return 1
	}
	if err := json.NewEncoder(out).Encode(document); err != nil {
		return 1
	}
	return 0
}

// listHabits prints every axis with the habit that the description has.
func listHabits(out io.Writer, d habits.Description) int {
	for _, axis := range habits.Axes() {
		for i, habit := range axis.Habits {
			if habit.Name == d.Habits[axis.Name] || i == 0 && d.Habits[axis.Name] == "" {
				fmt.Fprintf(out, "%s: %s\t%s\n", axis.Name, habit.Name, habit.Section)
			}
		}
	}
	return 0
}
