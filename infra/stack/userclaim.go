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
	awscdk.NewCfnRule(b.scope, jsii.String("SameUserClaim"), &awscdk.CfnRuleProps{Assertions: &[]*awscdk.CfnRuleAssertion{{
		Assert: awscdk.Fn_ConditionEquals(recorded.ValueAsString(), jsii.String(claim)),
		AssertDescription: jsii.String(fmt.Sprintf("UserClaim is now %s in the settings, and was another claim before: everybody would be another user, "+
			"without their rooms. If that is meant, deploy with --parameters UserClaim=%s (docs/sign-in.md)", claim, claim)),
	}}})
}
