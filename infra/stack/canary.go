package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsevents"
	"github.com/aws/aws-cdk-go/awscdk/v2/awseventstargets"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/jsii-runtime-go"

	shared "example.com/parley/internal/config"
)

const (
	// canaryMinutes is the interval between two runs: some 8,600 runs a month.
	canaryMinutes = 5
	// canaryTimeout, in seconds, covers two waits, for the page and for the feed, and the removal
	// of the message.
	canaryTimeout = 120
)

// canary creates the function that signs in every few minutes and checks that the API works. It
// returns nil if no canary is configured.
//
// An operator writes its password to a parameter. A template cannot create a user with a password,
// and a password that the stack created would be in the template.
func (b *builder) canary(u users, api awsapigatewayv2.HttpApi) awslambda.Function {
	if !b.Config.Alarms.Canary {
		return nil
	}
	fn := b.function(b.canaryFunction(u, api))
	// A failed run is a result, and is counted once.
	fn.ConfigureAsyncInvoke(&awslambda.EventInvokeConfigOptions{RetryAttempts: jsii.Number(0)})
	rule := awsevents.NewRule(b.scope, jsii.String("CanarySchedule"), &awsevents.RuleProps{
		Description: jsii.String("Schedule of the canary"),
		Schedule:    awsevents.Schedule_Rate(awscdk.Duration_Minutes(jsii.Number(canaryMinutes))),
		Targets: &[]awsevents.IRuleTarget{awseventstargets.NewLambdaFunction(fn, &awseventstargets.LambdaFunctionProps{
			// A late run is useless, because the next one is near.
			RetryAttempts: jsii.Number(0), MaxEventAge: awscdk.Duration_Minutes(jsii.Number(canaryMinutes)),
		})},
	})
	fixID(rule, "CanarySchedule")
	except(rule, aCanary)
	except(fn, aCanary) // again, because its invocation configuration is new
	return fn
}

// canaryFunction describes the canary. It may read its own password, and sign in with it. The right
// to sign in cannot be limited to one user, but it needs that user's password.
func (b *builder) canaryFunction(u users, api awsapigatewayv2.HttpApi) function {
	return function{
		name: "canary", id: "Canary", description: "Posts a message as a user does, and waits for its change",
		size: b.Config.Canary, timeout: canaryTimeout,
		endpoints: []string{shared.EnvUsersEndpoint, shared.EnvSecretsEndpoint}, subject: aCanary,
		variables: map[string]*string{
			shared.EnvURL:             b.apiURL(api),
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

// canaryParameter returns the name of the parameter that holds the canary's password. A parameter
// of the standard tier is free. It is encrypted with the account's own key, which needs no grant.
func canaryParameter() string { return "/" + *awscdk.Aws_STACK_NAME() + "/canary" }

func (b *builder) parameterARN(name string) *string {
	return b.scope.FormatArn(&awscdk.ArnComponents{
		Service: jsii.String("ssm"), Resource: jsii.String("parameter" + name),
		ArnFormat: awscdk.ArnFormat_NO_RESOURCE_NAME,
	})
}
