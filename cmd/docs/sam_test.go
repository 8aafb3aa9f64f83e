package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/docs"
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
		"itself.json": `{"F": {"TABLE": "http://127.0.0.1:8000"}}`, "local.json": `{"F": {"TABLE": "http://localhost:8000"}}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	invoke := func(template, function, event, env string) []string {
		return []string{"local", "invoke", "-t", filepath.Join(dir, template), function, "-e", filepath.Join(dir, event),
			"--env-vars", filepath.Join(dir, env), "--add-host", "host.docker.internal:host-gateway"}
	}
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"another command", []string{"deploy"}, `only "local invoke"`},
		{"an unknown option", append(invoke("t.json", "F", "e.json", "v.json"), "--evnt", "x"), "no option --evnt"},
		{"a long option with one hyphen", append(invoke("t.json", "F", "e.json", "v.json"), "-event", "x"), "no option -event"},
		{"the machine's network", append(invoke("t.json", "F", "e.json", "v.json"), "--docker-network", "host"), "ignores the network host"},
		{"an option without its argument", append(invoke("t.json", "F", "e.json", "v.json"), "--add-host"), "--add-host requires an argument"},
		{"a host without an address", append(invoke("t.json", "F", "e.json", "v.json"), "--add-host", "a"), "form hostname:IP"},
		{"two functions", append(invoke("t.json", "F", "e.json", "v.json"), "G"), "unexpected argument G"},
		{"no event", invoke("t.json", "F", "none.json", "v.json"), "none.json"},
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
	for file, want := range map[string]string{"other.json": "no variables for F", "unknown.json": "TABEL", "itself.json": "the container itself", "local.json": "the container itself"} {
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
	for file, text := range map[string]string{i.template: template, i.env: `{"F": {"TABLE": "http://host.docker.internal:8000"}}`} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f, err := i.find()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := i.environment(f); err == nil || !strings.Contains(err.Error(), "without --add-host") {
		t.Errorf("without --add-host: environment = %v, want an error", err)
	}
	i.hosts = []string{"host.docker.internal:host-gateway"}
	env, err := i.environment(f)
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join(env, "\n")
	for _, want := range []string{"TABLE=http://" + bridge + ":8000", "QUEUE=Queue", "LEVEL=info"} {
		if !strings.Contains(all, want) {
			t.Errorf("the environment %q has no %s", env, want)
		}
	}
}

func TestDocker_PrintsTheBridgeOnly(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if err := docker(bridgeArguments, &out); err != nil || out.String() != bridge+"\n" {
		t.Errorf("docker = %q, %v", out.String(), err)
	}
	if err := docker([]string{"run"}, &out); err == nil {
		t.Error("docker run is accepted")
	}
}

// TestOperations_InvokeEachFunction checks that the page shows a command for each function, with an
// event of that function.
func TestOperations_InvokeEachFunction(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	blocks, err := docs.Read(root)
	if err != nil {
		t.Fatal(err)
	}
	var commands strings.Builder
	for _, b := range blocks {
		if b.File == "docs/operations.md" && b.Kind == docs.SAM {
			commands.WriteString(b.Text)
		}
	}
	mains, err := filepath.Glob(filepath.Join(root, "functions", "*", "main.go"))
	if err != nil || len(mains) == 0 {
		t.Fatalf("functions: %q, %v", mains, err)
	}
	for _, main := range mains {
		folder := filepath.Base(filepath.Dir(main))
		want := fmt.Sprintf(" %sFunction -e events/%s/", strings.ToUpper(folder[:1])+folder[1:], folder)
		if !strings.Contains(commands.String(), want) {
			t.Errorf("docs/operations.md invokes no function by %q", want)
		}
	}
}
