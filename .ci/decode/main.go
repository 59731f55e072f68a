// Command decode reads the examples for fleets as their own programs do: a Kubernetes Job and an
// Argo Workflow by their Go types, where an unknown key is an error, and a workflow of GitHub by
// the rules of actionlint.
//
//	decode FILE...
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	argo "github.com/argoproj/argo-workflows/v4/pkg/apis/workflow/v1alpha1"
	"github.com/rhysd/actionlint"
	batch "k8s.io/api/batch/v1"
	"sigs.k8s.io/yaml"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "decode: want files")
		os.Exit(2)
	}
	code := 0
	for _, name := range os.Args[1:] {
		what, err := decode(name)
		if err != nil {
			code = 1
			what = err.Error()
		}
		fmt.Printf("%s: %s\n", filepath.Base(name), what)
	}
	os.Exit(code)
}

// decode returns what a file is.
func decode(name string) (string, error) {
	raw, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	var is struct {
		Kind string
		Jobs any
	}
	if err := yaml.Unmarshal(raw, &is); err != nil {
		return "", err
	}
	switch {
	case is.Kind == "Job":
		var job batch.Job
		if err := yaml.UnmarshalStrict(raw, &job); err != nil {
			return "", err
		}
		if s := job.Spec; s.CompletionMode == nil || *s.CompletionMode != batch.IndexedCompletion || s.Completions == nil {
			return "", fmt.Errorf("not an Indexed Job with completions")
		}
		return "Kubernetes Job", nil
	case is.Kind == "Workflow":
		var w argo.Workflow
		if err := yaml.UnmarshalStrict(raw, &w); err != nil {
			return "", err
		}
		if w.GetTemplateByName(w.Spec.Entrypoint) == nil {
			return "", fmt.Errorf("no template %q", w.Spec.Entrypoint)
		}
		return "Argo Workflow", nil
	case is.Jobs != nil:
		return linted(name, raw)
	}
	return "", fmt.Errorf("no Job, no Workflow and no workflow of GitHub")
}

// linted holds a workflow of GitHub against the rules of actionlint, without shellcheck, which
// may be missing.
func linted(name string, raw []byte) (string, error) {
	linter, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{})
	if err != nil {
		return "", err
	}
	wrong, err := linter.Lint(name, raw, nil)
	if err != nil {
		return "", err
	}
	if len(wrong) > 0 {
		return "", wrong[0]
	}
	return "workflow of GitHub", nil
}
