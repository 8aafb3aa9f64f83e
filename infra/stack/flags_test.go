package stack_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/jsii-runtime-go"
	"github.com/google/go-cmp/cmp"

	"parley/infra/config"
	"parley/infra/settings"
	"parley/infra/stack"
)

// TestFlagsMoveNothing synthesizes with and without every flag that there is. A flag that an
// upgrade can forget must not be able to move the authorizer, CORS or the alarm topic; here
// nothing but the functions' processor may differ.
func TestFlagsMoveNothing(t *testing.T) {
	without := variant{env: config.Prod, settings: everything()}
	plain, err := synthesize(without)
	if err != nil {
		t.Fatal(err)
	}
	with := deployments["own"] // the same settings, with -c arch=x86_64
	for _, kind := range []string{typeAuthorizer, "AWS::ApiGatewayV2::Api", "AWS::SNS::Topic", "AWS::SNS::Subscription"} {
		if len(with.template.ids(kind)) == 0 {
			t.Errorf("there is no %s to compare", kind)
		}
	}
	if diff := cmp.Diff(processorless(t, plain.template), processorless(t, with.template)); diff != "" {
		t.Errorf("a flag changes more than the processor:\n%s", diff)
	}
}

// processorless writes a template without what the processor of the functions decides.
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

// TestTheCommittedSettingsPassEveryCheck is what tells a team before a deploy. There is no golden
// template of them.
func TestTheCommittedSettingsPassEveryCheck(t *testing.T) {
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
			if !ok || !cmp.Equal(cfg, d.config) { // a team has decided something
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

// TestUndecidedCannotBeDeployed is for `cdk bootstrap`, which needs no environment but a stack:
// this one holds nothing, and says what is missing.
func TestUndecidedCannotBeDeployed(t *testing.T) {
	out := t.TempDir()
	app := awscdk.NewApp(&awscdk.AppProps{Outdir: jsii.String(out), AnalyticsReporting: jsii.Bool(false)})
	stack.Undecided(app, config.ErrNoEnvironment.Error())
	app.Synth(nil)
	var empty template
	if err := readJSON(filepath.Join(out, "Parley.template.json"), &empty); err != nil {
		t.Fatal(err)
	}
	if len(empty.Resources) != 0 {
		t.Errorf("the stack of no environment has resources: %v", empty.Resources)
	}
	found, err := annotations(filepath.Join(out, "Parley.metadata.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 || !strings.Contains(found[0], "aws:cdk:error") || !strings.Contains(found[0], "-c env=dev") {
		t.Errorf("what stops a deploy: %v", found)
	}
}
