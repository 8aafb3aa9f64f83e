package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const template = `{"Resources": {"F": {"Type": "AWS::Lambda::Function", "Metadata": {"aws:asset:path": "asset.1"},
	"Properties": {"Handler": "bootstrap", "Environment": {"Variables": {"TABLE": {"Ref": "Table"}, "QUEUE": {"Ref": "Queue"}, "LEVEL": "info"}}}},
	"T": {"Type": "AWS::DynamoDB::Table"}}}`

// TestParseInvoke_RefusesDefects gives the stand-in one defect each that sam refuses too.
func TestParseInvoke_RefusesDefects(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"t.json": template, "e.json": "{}", "v.json": `{"F": {"TABLE": "parley"}}`,
		"other.json": `{"G": {}}`, "unknown.json": `{"F": {"TABEL": "parley"}}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	invoke := func(template, function, event, env string) []string {
		return []string{"local", "invoke", "-t", filepath.Join(dir, template), function, "-e", filepath.Join(dir, event),
			"--env-vars", filepath.Join(dir, env), "--docker-network", "host"}
	}
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"another command", []string{"deploy"}, `only "local invoke"`},
		{"an unknown flag", append(invoke("t.json", "F", "e.json", "v.json"), "--evnt", "x"), "-evnt"},
		{"no function", []string{"local", "invoke", "-t", "t.json"}, "wants -t, a function"},
		{"no template", invoke("none.json", "F", "e.json", "v.json"), "none.json"},
		{"no such function", invoke("t.json", "G", "e.json", "v.json"), "no function G"},
		{"a resource that is no function", invoke("t.json", "T", "e.json", "v.json"), "no function T"},
		{"no binary", invoke("t.json", "F", "e.json", "v.json"), "asset.1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			err := sam(t.Context(), tt.args, t.Output())
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("sam = %v, want an error with %q", err, tt.want)
			}
		})
	}
	for file, want := range map[string]string{"other.json": "no variables for F", "unknown.json": "TABEL"} {
		i, err := parseInvoke(invoke("t.json", "F", "e.json", file))
		if err != nil {
			t.Fatal(err)
		}
		f, err := i.find()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := i.environment(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: environment = %v, want an error with %q", file, err, want)
		}
	}
}

func TestEnvironment_MergesVariablesAsSAMDoes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	i := invocation{template: filepath.Join(dir, "t.json"), env: filepath.Join(dir, "v.json"), function: "F"}
	for file, text := range map[string]string{i.template: template, i.env: `{"F": {"TABLE": "parley"}}`} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f, err := i.find()
	if err != nil {
		t.Fatal(err)
	}
	env, err := i.environment(f)
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join(env, "\n")
	for _, want := range []string{"TABLE=parley", "QUEUE=Queue", "LEVEL=info"} {
		if !strings.Contains(all, want) {
			t.Errorf("the environment %q has no %s", env, want)
		}
	}
}
