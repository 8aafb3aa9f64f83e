package stack_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/jsii-runtime-go"

	"parley/infra/config"
	"parley/infra/stack"
)

var update = flag.Bool("update", false, "write the golden templates anew")

// root is the repository's folder.
const root = "../.."

// deployment is one synthesized stack.
type deployment struct {
	config   config.Config
	template template
	// broken are the nag rules that it breaks.
	broken []string
}

// deployments are synthesized once for all tests, by name: the CDK's process behind is slow and
// takes one caller at a time, so no test here is parallel. The CDK's own rules hold
// too, or the synth fails; CDK_VALIDATION=false leaves those to `make synth`, which saves 6 s.
var deployments = map[string]deployment{}

// contexts are the deployments under test: the environments, and one
// with everything that the context can change.
var contexts = map[string]map[string]any{
	"dev":  {"env": "dev"},
	"prod": {"env": "prod"},
	"own": {"env": "prod", "arch": "x86_64", "issuer": "https://id.example.com/", "audience": "web,phone",
		"origins": "https://chat.example.com", "alarmEmail": "ops@example.com"},
}

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	defer jsii.Close()
	settings, err := os.ReadFile(filepath.Join(root, "cdk.json"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	for name, context := range contexts {
		d, err := synthesize(settings, context)
		if err != nil {
			fmt.Fprintf(os.Stderr, "synthesize %s: %v\n", name, err)
			return 1
		}
		deployments[name] = d
	}
	return m.Run()
}

// synthesize does as the CDK's command line: the settings' context, and ours over it.
func synthesize(settings []byte, ours map[string]any) (deployment, error) {
	context, err := config.ContextOf(settings)
	if err != nil {
		return deployment{}, err
	}
	maps.Copy(context, ours)
	cfg, err := config.Load(context)
	if err != nil {
		return deployment{}, err
	}
	out, err := os.MkdirTemp("", "cdk")
	if err != nil {
		return deployment{}, err
	}
	defer func() { _ = os.RemoveAll(out) }()
	app := awscdk.NewApp(&awscdk.AppProps{Outdir: jsii.String(out), Context: &context, AnalyticsReporting: jsii.Bool(false)})
	stack.New(app, stack.Props{Config: cfg, Root: root, Bundle: stub})
	app.Synth(nil)
	d := deployment{config: cfg}
	file := filepath.Join(out, stack.Name(cfg.Env))
	if err := readJSON(file+".template.json", &d.template); err != nil {
		return deployment{}, err
	}
	d.broken, err = annotations(file + ".metadata.json")
	return d, err
}

// annotations lists the errors and warnings that a synth left; the CDK's
// command line fails on them.
func annotations(file string) ([]string, error) {
	var metadata map[string][]struct {
		Type string
		Data any
	}
	if err := readJSON(file, &metadata); err != nil {
		return nil, err
	}
	var found []string
	for path, entries := range metadata {
		for _, e := range entries {
			if e.Type == "aws:cdk:error" || e.Type == "aws:cdk:warning" {
				found = append(found, fmt.Sprintf("%s: %s: %v", e.Type, path, e.Data))
			}
		}
	}
	return found, nil
}

func readJSON(file string, v any) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, v)
}

// stub stands in for the Go build: nothing but the asset's hash depends on it.
func stub(b stack.Build) error {
	return os.WriteFile(filepath.Join(b.Output, "bootstrap"), []byte(b.Function+" for "+string(b.Architecture)), 0o700)
}

func each(t *testing.T, check func(t *testing.T, d deployment)) {
	t.Helper()
	for name, d := range deployments {
		t.Run(name, func(t *testing.T) { check(t, d) })
	}
}

func TestNagRulesHold(t *testing.T) {
	each(t, func(t *testing.T, d deployment) {
		for _, b := range d.broken {
			t.Error(b)
		}
	})
}
