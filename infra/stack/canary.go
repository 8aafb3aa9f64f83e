package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsevents"
	"github.com/aws/aws-cdk-go/awscdk/v2/awseventstargets"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/jsii-runtime-go"

	shared "parley/internal/config"
)

const (
	// canaryMinutes is how long there is from one run to the next: some 8,600 runs a month.
	canaryMinutes = 5
	// canaryTimeout in seconds lets a run wait twice for what is late, the page and the feed, and
	// clean up.
	canaryTimeout = 120
)

// canary makes the function that signs in every few minutes and proves that the API works, if it is
// configured. It returns nil where it is not.
//
// Its password is in a parameter that an operator writes: a template cannot make a user with a
// password, and one that the stack made would be in the template.
func (b *builder) canary(u users, api awsapigatewayv2.HttpApi) awslambda.Function {
	if !b.Config.Alarms.Canary {
		return nil
	}
	fn := b.function(b.canaryFunction(u, api))
	// A run that failed is a result, and counts once.
	fn.ConfigureAsyncInvoke(&awslambda.EventInvokeConfigOptions{RetryAttempts: jsii.Number(0)})
	rule := awsevents.NewRule(b.scope, jsii.String("CanarySchedule"), &awsevents.RuleProps{
		Description: jsii.String("When the canary runs"),
		Schedule:    awsevents.Schedule_Rate(awscdk.Duration_Minutes(jsii.Number(canaryMinutes))),
		Targets: &[]awsevents.IRuleTarget{awseventstargets.NewLambdaFunction(fn, &awseventstargets.LambdaFunctionProps{
			// A run that comes late is of no use: the next one is near.
			RetryAttempts: jsii.Number(0), MaxEventAge: awscdk.Duration_Minutes(jsii.Number(canaryMinutes)),
		})},
	})
	fixID(rule, "CanarySchedule")
	except(rule, aCanary)
	except(fn, aCanary) // which has got its configuration of calls since it was made
	return fn
}

// canaryFunction may read its own password, and sign in with it. The right to sign in for somebody
// does not say for whom, but it needs that user's password.
func (b *builder) canaryFunction(u users, api awsapigatewayv2.HttpApi) function {
	return function{
		name: "canary", id: "Canary", description: "Posts a message as a user does, and waits for its change",
		size: b.Config.Canary, timeout: canaryTimeout,
		endpoints: []string{shared.EnvUsersEndpoint, shared.EnvSecretsEndpoint}, subject: aCanary,
		variables: map[string]*string{
			shared.EnvURL:             api.ApiEndpoint(),
			shared.EnvUserPool:        u.pool.UserPoolId(),
			shared.EnvClient:          u.client.UserPoolClientId(),
			shared.EnvCanaryParameter: jsii.String(canaryParameter()),
			shared.EnvLogLevel:        jsii.String(b.Config.Logs.Level),
		},
		grants: []grant{
			{sid: "ReadPassword", resource: b.parameterARN(canaryParameter()), actions: []string{"ssm:GetParameter"}},
			{sid: "SignIn", resource: u.pool.UserPoolArn(), actions: []string{"cognito-idp:AdminInitiateAuth"}},
		},
	}
}

// canaryParameter is the name under which an operator keeps the canary's password. A parameter of
// the standard tier is free, and the account's own key, under which it is encrypted, needs no grant.
func canaryParameter() string { return "/" + *awscdk.Aws_STACK_NAME() + "/canary" }

func (b *builder) parameterARN(name string) *string {
	return b.scope.FormatArn(&awscdk.ArnComponents{
		Service: jsii.String("ssm"), Resource: jsii.String("parameter" + name), ArnFormat: awscdk.ArnFormat_NO_RESOURCE_NAME,
	})
}
