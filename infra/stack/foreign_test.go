package stack_test

import (
	"maps"
	"path/filepath"
	"testing"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/jsii-runtime-go"
	"github.com/google/go-cmp/cmp"

	"example.com/parley/infra/stack"
)

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
