package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigateway"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/jsii-runtime-go"
)

// gatewayLogActions are the rights that API Gateway requires of the account's role for logs, as in
// AWS's managed policy AmazonAPIGatewayPushToCloudWatchLogs.
var gatewayLogActions = []string{
	"logs:CreateLogGroup", "logs:CreateLogStream", "logs:DescribeLogGroups", "logs:DescribeLogStreams",
	"logs:FilterLogEvents", "logs:GetLogEvents", "logs:PutLogEvents",
}

// gatewayLogs lets API Gateway write logs of WebSocket APIs, which it does with one role for the
// whole account and Region. Other APIs of the account use that role too. So it has the rights of
// AWS's own policy for it, and remains when the stack is removed.
//
// The trust has no condition on the source. AWS documents none for this role, and API Gateway
// states no account when it assumes the roles of integrations: such a condition would stop the
// logs of all APIs of the account. No other account can use the role, since a role is passed
// within its account.
func (b *builder) gatewayLogs() awsapigateway.CfnAccount {
	role := awsiam.NewRole(b.scope, jsii.String("GatewayLogsRole"), &awsiam.RoleProps{
		AssumedBy:   awsiam.NewServicePrincipal(jsii.String("apigateway.amazonaws.com"), nil),
		Description: jsii.String("Rights of API Gateway to write the logs of the account's APIs"),
		InlinePolicies: &map[string]awsiam.PolicyDocument{
			"logs": awsiam.NewPolicyDocument(&awsiam.PolicyDocumentProps{Statements: &[]awsiam.PolicyStatement{
				grant{sid: "WriteGatewayLogs", resource: jsii.String("*"), actions: gatewayLogActions}.statement(),
			}}),
		},
	})
	role.ApplyRemovalPolicy(awscdk.RemovalPolicy_RETAIN)
	fixID(role, "GatewayLogsRole")
	except(role, gatewaysRole)
	account := awsapigateway.NewCfnAccount(
		b.scope, jsii.String("GatewayAccount"), &awsapigateway.CfnAccountProps{CloudWatchRoleArn: role.RoleArn()},
	)
	account.ApplyRemovalPolicy(awscdk.RemovalPolicy_RETAIN, nil)
	account.OverrideLogicalId(jsii.String("GatewayAccount"))
	b.settle(account)
	return account
}

// socketLog creates the log of the WebSocket API's stage.
func (b *builder) socketLog() awsapigatewayv2.IAccessLogSettings {
	group := b.logGroup("SocketAccessLogs", b.accessLogName("live"))
	return &accessLog{destination: awsapigatewayv2.NewLogGroupLogDestination(group), fields: map[string]string{
		"requestId":          "$context.requestId",
		"time":               "$context.requestTime",
		"ip":                 "$context.identity.sourceIp",
		"connectionId":       "$context.connectionId",
		"eventType":          "$context.eventType",
		"routeKey":           "$context.routeKey",
		"status":             "$context.status",
		"integrationLatency": "$context.integrationLatency",
		"integrationStatus":  "$context.integrationStatus",
		"integrationError":   "$context.integrationErrorMessage",
		"authorizerStatus":   "$context.authorizer.status",
		"authorizerError":    "$context.authorizer.error",
		"error":              "$context.error.responseType",
	}}
}
