package stack_test

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/jsii-runtime-go"
	"github.com/google/go-cmp/cmp"

	"example.com/parley/infra/config"
	"example.com/parley/infra/settings"
	"example.com/parley/infra/stack"
)

// TestNew_FlagsChangeOnlyTheProcessor synthesizes with and without every flag. A flag that a
// deploy can forget must not change the authorizer, CORS or the alarm topic. Only the functions'
// processor may differ.
func TestNew_FlagsChangeOnlyTheProcessor(t *testing.T) {
	without := variant{env: config.Prod, settings: everything()}
	plain, err := synthesize(without)
	if err != nil {
		t.Fatal(err)
	}
	with := deployments["own"] // the same settings, with -c arch=x86_64
	for _, kind := range []string{typeAuthorizer, "AWS::ApiGatewayV2::Api", "AWS::SNS::Topic", "AWS::SNS::Subscription"} {
		if len(with.template.ids(kind)) == 0 {
			t.Errorf("the template has no %s to compare", kind)
		}
	}
	if diff := cmp.Diff(processorless(t, plain.template), processorless(t, with.template)); diff != "" {
		t.Errorf("a flag changes more than the processor:\n%s", diff)
	}
}

// processorless returns a template without the parts that depend on the functions' processor.
func processorless(t *testing.T, from template) string {
	t.Helper()
	tm := clone(t, from)
	for _, id := range tm.ids(typeFunction) {
		delete(tm.Resources[id].Properties, "Architectures")
	}
	text, err := json.MarshalIndent(tm, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return assetHash.ReplaceAllString(string(text), "<asset hash>")
}

// TestNew_CommittedSettingsPassEveryCheck warns a team before a deploy. No golden template has the
// committed settings.
func TestNew_CommittedSettingsPassEveryCheck(t *testing.T) {
	n, err := readNeeds()
	if err != nil {
		t.Fatal(err)
	}
	for env, s := range settings.All() {
		t.Run(string(env), func(t *testing.T) {
			cfg, err := s.Resolve(env)
			if err != nil {
				t.Fatal(err)
			}
			d, ok := deployments[string(env)]
			if !ok || !cmp.Equal(cfg, d.config) { // a team has changed a setting
				if d, err = synthesize(variant{env: env, settings: s}); err != nil {
					t.Fatal(err)
				}
			}
			for _, f := range inspect(d.template, n, d.config) {
				t.Errorf("%s: %s", f.check, f.complaint)
			}
			if len(d.broken) > 0 {
				t.Error(strings.Join(d.broken, "\n"))
			}
		})
	}
}

// TestUndecided_CannotBeDeployed is for `cdk bootstrap`, which needs a stack but no environment.
// This stack is empty, and its error names the missing flag.
func TestUndecided_CannotBeDeployed(t *testing.T) {
	out := t.TempDir()
	app := awscdk.NewApp(&awscdk.AppProps{Outdir: jsii.String(out), AnalyticsReporting: jsii.Bool(false)})
	stack.Undecided(app, config.ErrNoEnvironment.Error())
	app.Synth(nil)
	var empty template
	if err := readJSON(filepath.Join(out, "Parley.template.json"), &empty); err != nil {
		t.Fatal(err)
	}
	if len(empty.Resources) != 0 {
		t.Errorf("the stack without an environment has resources: %v", empty.Resources)
	}
	found, err := annotations(filepath.Join(out, "Parley.metadata.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 || !strings.Contains(found[0], "aws:cdk:error") || !strings.Contains(found[0], "-c env=dev") {
		t.Errorf("the errors that stop a deploy: %v", found)
	}
}

// newFeatures is the file of the feature flags that `cdk init` writes into a new app.
var newFeatures = filepath.Join(root, "node_modules/aws-cdk/lib/init-templates/.recommended-feature-flags.json")

// formerFeatures are flags of the stack's services that an old app may have switched off. They are on
// by default.
var formerFeatures = map[string]any{
	"@aws-cdk/core:aspectStabilization":                         false,
	"@aws-cdk/core:automaticL1Traits":                           false,
	"@aws-cdk/core:stackRelativeExports":                        false,
	"@aws-cdk/aws-lambda:recognizeVersionProps":                 false,
	"@aws-cdk/aws-cloudfront:defaultSecurityPolicyTLSv1.2_2021": false,
	"@aws-cdk/aws-apigateway:usagePlanKeyOrderInsensitiveId":    false,
}

// TestNew_FeaturesOfAnotherAppChangeNothing synthesizes the same settings for the same place in this
// repository's app and in an app with all other feature flags.
func TestNew_FeaturesOfAnotherAppChangeNothing(t *testing.T) {
	var features map[string]any
	if err := readJSON(newFeatures, &features); err != nil {
		t.Fatal(err)
	}
	maps.Copy(features, formerFeatures)
	for _, name := range []string{"dev", "own", "adopted"} {
		t.Run(name, func(t *testing.T) {
			v := variants[name]
			v.place = &awscdk.Environment{Account: jsii.String("123456789012"), Region: jsii.String("eu-west-1")}
			ours, err := synthesize(v)
			if err != nil {
				t.Fatal(err)
			}
			v.features = features
			theirs, err := synthesize(v)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(ours.golden(t), theirs.golden(t)); diff != "" {
				t.Errorf("a feature flag changes the template; pin it in New:\n%s", diff)
			}
			for _, complaint := range theirs.broken {
				t.Error(complaint)
			}
		})
	}
}

// TestNew_KeepsItsNameWithinAStage is for pipelines, whose stages name their stacks.
func TestNew_KeepsItsNameWithinAStage(t *testing.T) {
	cfg := deployments["dev"].config
	stage := awscdk.NewStage(awscdk.NewApp(&awscdk.AppProps{Outdir: jsii.String(t.TempDir())}), jsii.String("Beta"), nil)
	d := stack.New(stage, stack.Props{Config: cfg, Bundle: stub})
	if got, want := *d.Stack.StackName(), stack.Name(cfg); got != want {
		t.Errorf("the stack's name is %s, want %s", got, want)
	}
}
