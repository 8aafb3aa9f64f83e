package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
)

// Undecided adds a stack that stands for no environment: it is empty, and its error makes the
// CDK's command line refuse to synthesize, compare or deploy it. `cdk bootstrap` looks only at
// which account and Region the stacks of the app are for, and so works without an environment.
func Undecided(scope constructs.Construct, reason string) awscdk.Stack {
	s := awscdk.NewStack(scope, jsii.String("Parley"), nil)
	awscdk.Annotations_Of(s).AddError(jsii.String(reason))
	return s
}
