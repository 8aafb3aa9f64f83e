package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/jsii-runtime-go"
	"github.com/google/go-cmp/cmp"

	"example.com/parley/infra/config"
	"example.com/parley/infra/stack"
	"example.com/parley/internal/docs"
)

// sample is the folder of the app of another team.
const sample = "../examples/cdk"

// The place of the sample's stacks.
const (
	sampleAccount = "123456789012"
	sampleRegion  = "eu-west-1"
)

// shared matches the outputs that the CDK adds for the values that another stack uses.
var shared = regexp.MustCompile(`^PublishOutput`)

// hash matches the part of a template that differs with every build of a function.
var hash = regexp.MustCompile(`[0-9a-f]{64}`)

func TestMain(m *testing.M) {
	code := m.Run()
	jsii.Close()
	os.Exit(code)
}

// TestSample_HasTheSameStack synthesizes the sample with the CDK's command line, as its team does, and
// compares Parley's stack with the stack that New adds to an app with this repository's context.
func TestSample_HasTheSameStack(t *testing.T) {
	out := t.TempDir()
	cdk, err := filepath.Abs("../node_modules/.bin/cdk")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), cdk, "synth", "--quiet", "--strict", "--output", out)
	cmd.Dir = sample
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("synthesize the sample: %v\n%s", err, text)
	}
	cfg := sampleConfig(t)
	got := readTemplate(t, filepath.Join(out, stack.Name(cfg)+".template.json"))
	outputs := got["Outputs"].(map[string]any)
	found := 0
	for name := range outputs {
		if shared.MatchString(name) {
			delete(outputs, name)
			found++
		}
	}
	if found != 2 {
		t.Errorf("the shop uses %d values of Parley's stack, want the addresses of the API and of live delivery", found)
	}
	if diff := cmp.Diff(synthesize(t, cfg), got); diff != "" {
		t.Errorf("the sample's stack differs:\n%s", diff)
	}
}

// sampleConfig has the sample's settings.
func sampleConfig(t *testing.T) config.Config {
	t.Helper()
	cfg, err := config.Settings{Suffix: "shop", Origins: []string{"https://shop.example.com"}}.Resolve(config.Dev)
	if err != nil {
		t.Fatal(err)
	}
	if cfg, err = cfg.In(sampleAccount, sampleRegion); err != nil {
		t.Fatal(err)
	}
	return cfg
}

// synthesize returns the template of a stack in an app like infra's.
func synthesize(t *testing.T, cfg config.Config) map[string]any {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", cdkJSON))
	if err != nil {
		t.Fatal(err)
	}
	context, err := config.ContextOf(text)
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	app := awscdk.NewApp(&awscdk.AppProps{Outdir: jsii.String(out), Context: &context})
	stack.New(app, stack.Props{
		Config: cfg, Env: &awscdk.Environment{Account: jsii.String(sampleAccount), Region: jsii.String(sampleRegion)},
		Bundle: func(b stack.Build) error {
			return os.WriteFile(filepath.Join(b.Output, "bootstrap"), []byte(b.Function), 0o600)
		},
	})
	app.Synth(nil)
	return readTemplate(t, filepath.Join(out, stack.Name(cfg)+".template.json"))
}

// readTemplate returns a template without the hashes of assets.
func readTemplate(t *testing.T, file string) map[string]any {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var template map[string]any
	if err := json.Unmarshal(hash.ReplaceAll(text, []byte("<asset hash>")), &template); err != nil {
		t.Fatal(err)
	}
	return template
}

// TestSample_IsWhatTheGuideShows compares the lines that docs/deploy.md prints.
func TestSample_IsWhatTheGuideShows(t *testing.T) {
	program, err := os.ReadFile(filepath.Join(sample, "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	blocks, err := docs.Read("..")
	if err != nil {
		t.Fatal(err)
	}
	shown := 0
	for _, b := range blocks {
		if !strings.Contains(b.Text, "stack.New(") {
			continue
		}
		shown++
		if !strings.Contains(string(program), b.Text) {
			t.Errorf("%s: the sample has other lines", b)
		}
	}
	if shown != 1 {
		t.Errorf("%d blocks show the sample, want 1", shown)
	}
}
