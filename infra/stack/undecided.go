package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
)

// Undecided adds an empty stack that belongs to no environment. Its error keeps the CDK's command
// line from synthesizing, comparing or deploying it. `cdk bootstrap` only reads the accounts and
// Regions of the app's stacks, so it works without an environment.
func Undecided(scope constructs.Construct, reason string) awscdk.Stack {
	s := awscdk.NewStack(scope, jsii.String("Parley"), nil)
	awscdk.Annotations_Of(s).AddError(jsii.String(reason))
	return s
}
