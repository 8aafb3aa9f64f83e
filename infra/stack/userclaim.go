package stack

import (
	"fmt"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/jsii-runtime-go"

	shared "example.com/parley/internal/config"
)

// userClaim refuses a deploy in which another claim becomes the user, unless the operator says so
// twice: in the settings, and for this deploy. With another claim, everybody is another user.
//
// CloudFormation remembers a parameter's value, and the CDK's command line passes it on. A rule
// compares it with the settings before anything changes.
func (b *builder) userClaim() {
	recorded := awscdk.NewCfnParameter(b.scope, jsii.String("UserClaim"), &awscdk.CfnParameterProps{
		Type: jsii.String("String"), Default: jsii.String(shared.UserClaim),
		Description: jsii.String("The claim that is the user. Its value stays from one deploy to the next"),
	})
	claim := b.Config.Tokens.UserClaim
	awscdk.NewCfnRule(b.scope, jsii.String("SameUserClaim"),
		&awscdk.CfnRuleProps{Assertions: &[]*awscdk.CfnRuleAssertion{{
			Assert: awscdk.Fn_ConditionEquals(recorded.ValueAsString(), jsii.String(claim)),
			AssertDescription: jsii.String(fmt.Sprintf(
				"UserClaim is %[1]s in the settings, but this stack has recorded another claim. With %[1]s, "+
					"everybody becomes another user, without their rooms. To confirm that, deploy with "+
					"--parameters UserClaim=%[1]s (docs/sign-in.md)", claim)),
		}}})
}
