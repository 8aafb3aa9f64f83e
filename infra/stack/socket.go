package stack

import (
	"strconv"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigateway"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2authorizers"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2integrations"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/jsii-runtime-go"

	"example.com/parley/infra/config"
	shared "example.com/parley/internal/config"
	"example.com/parley/internal/socketapi"
	"example.com/parley/internal/table"
)

const (
	// socketStage is the path of the WebSocket API, and also the local server's. A WebSocket API
	// has no stage without a path.
	socketStage = "ws"
	// protocolHeader carries the token. API Gateway refuses a connection without the header,
	// and then calls no function.
	protocolHeader = "route.request.header.Sec-WebSocket-Protocol"
	// connectRoute is the route of new connections, the only one with an authorizer. Its throttle
	// admits as many connections as the connection table can accept hellos.
	connectRoute = "$connect"
)

// sockets is the WebSocket API, before it has routes. Its functions need its address, and its
// routes need the functions.
type sockets struct {
	api awsapigatewayv2.WebSocketApi
	// address is the API's address without a scheme. Clients connect to it with wss, and
	// functions send frames and close connections below it with https.
	address string
	// posts and closes are the ARNs of requests that send a frame to any connection, or end it.
	posts, closes *string
}

// url returns the address for clients.
func (s sockets) url() *string { return jsii.String("wss://" + s.address) }

// endpoint returns the address at which functions send frames and close connections.
func (s sockets) endpoint() *string { return jsii.String("https://" + s.address) }

// sockets creates the API. It costs $1 for a million messages of up to 32 KB, $0.25 for a million
// minutes of connections, and nothing at rest.
func (b *builder) sockets() sockets {
	api := awsapigatewayv2.NewWebSocketApi(b.scope, jsii.String("SocketApi"), &awsapigatewayv2.WebSocketApiProps{
		ApiName:                  jsii.String(Name(b.Config) + "-live"),
		RouteSelectionExpression: jsii.String(socketapi.RouteSelection),
	})
	fixID(api, "SocketApi")
	connections := func(method string) *string {
		return b.scope.FormatArn(&awscdk.ArnComponents{
			Service: jsii.String("execute-api"), Resource: api.ApiId(),
			ResourceName: jsii.String(socketStage + "/" + method + "/@connections/*"),
		})
	}
	return sockets{
		api:     api,
		address: *api.ApiId() + ".execute-api." + *b.scope.Region() + "." + *b.scope.UrlSuffix() + "/" + socketStage,
		posts:   connections("POST"), closes: connections("DELETE"),
	}
}

// socketRoutes adds exactly the routes that the code serves, and publishes the API.
func (b *builder) socketRoutes(s sockets, socket, authorizer awslambda.Function) {
	tokens := awsapigatewayv2authorizers.NewWebSocketLambdaAuthorizer(jsii.String("SocketTokens"), authorizer,
		&awsapigatewayv2authorizers.WebSocketLambdaAuthorizerProps{
			AuthorizerName: jsii.String("SocketTokens"), IdentitySource: jsii.Strings(protocolHeader),
		})
	stage := b.socketStage(s.api)
	for _, route := range socketapi.Routes() {
		props := &awsapigatewayv2.WebSocketRouteProps{
			WebSocketApi: s.api, RouteKey: jsii.String(route.Key), ReturnResponse: jsii.Bool(route.Answers),
			Integration: awsapigatewayv2integrations.NewWebSocketLambdaIntegration(jsii.String("Socket"), socket, nil),
		}
		if route.Authorized {
			props.Authorizer = tokens
		}
		r := awsapigatewayv2.NewWebSocketRoute(s.api, jsii.String(route.Key), props)
		if !route.Authorized {
			except(r, aSocketRoute)
		}
		stage.Node().AddDependency(r)
	}
	b.socketDomain(s.api, stage)
	b.output("SocketUrl", s.url(), "The address of live delivery, for WebSocket clients")
}

// socketStage publishes the API, with throttles and a log. API Gateway refuses settings of a route
// that does not exist yet, so the stage depends on the routes.
func (b *builder) socketStage(api awsapigatewayv2.WebSocketApi) awsapigatewayv2.WebSocketStage {
	stage := awsapigatewayv2.NewWebSocketStage(b.scope, jsii.String("SocketStage"),
		&awsapigatewayv2.WebSocketStageProps{
			WebSocketApi: api,
			StageName:    jsii.String(socketStage),
			AutoDeploy:   jsii.Bool(true),
			Throttle: &awsapigatewayv2.ThrottleSettings{
				RateLimit:  jsii.Number(b.Config.API.Rate),
				BurstLimit: jsii.Number(b.Config.API.Burst),
			},
			AccessLogSettings: b.socketLog(),
		})
	fixID(stage, "SocketStage")
	connects := min(b.Config.Table.ConnectRate(), b.Config.API.Rate)
	stage.Node().DefaultChild().(awsapigatewayv2.CfnStage).SetRouteSettings(map[string]any{
		connectRoute: map[string]any{
			"ThrottlingRateLimit": connects, "ThrottlingBurstLimit": min(connects, b.Config.API.Burst),
		},
	})
	if b.Config.Logs.OwnGatewayRole {
		stage.Node().AddDependency(b.gatewayLogs())
	}
	return stage
}

// authorizerTimeout, in seconds, covers a cold start and a fetch of the issuer's keys.
const authorizerTimeout = 10

// socketFunction describes the function behind the routes of the WebSocket API. Of people it may
// read their rooms, whom they have blocked and whether they are suspended. It may not read
// profiles, moderators' reasons or saved messages.
func socketFunction(cfg config.Config, t tables, s sockets, u users) function {
	return function{
		name: "socket", id: "Socket", description: "Subscribes connections to rooms", size: cfg.Socket,
		timeout: functionTimeout, endpoints: []string{shared.EnvDynamoDBEndpoint}, subject: aFunction,
		variables: map[string]*string{
			shared.EnvTable:          t.chat.TableName(),
			shared.EnvLiveTable:      t.live.TableName(),
			shared.EnvSocketEndpoint: s.endpoint(),
			shared.EnvIssuer:         u.issuer,
			shared.EnvAudience:       jsii.String(join(*u.audience)),
			shared.EnvUserClaim:      jsii.String(cfg.Tokens.UserClaim),
			shared.EnvTokenLife:      tokenLife(cfg.Tokens),
			shared.EnvPostRate:       jsii.String(strconv.Itoa(cfg.API.PostRate)),
			shared.EnvSendRate:       jsii.String(strconv.Itoa(cfg.API.SendRate)),
			shared.EnvLogLevel:       jsii.String(cfg.Logs.Level),
		},
		grants: []grant{
			{
				sid: "ReadMemberships", resource: t.chat.TableArn(), keys: onlyKeys(personKeys),
				attributes: table.MembershipAttributes(), actions: []string{"dynamodb:GetItem", "dynamodb:Query"},
			},
			{
				sid: "ReadMarkers", resource: t.chat.TableArn(), keys: onlyKeys(personKeys),
				attributes: table.MarkerAttributes(), actions: []string{"dynamodb:Query"},
			},
			{
				sid: "ReadSuspensions", resource: t.chat.TableArn(), keys: onlyKeys(personKeys),
				attributes: table.SuspensionAttributes(), actions: []string{"dynamodb:GetItem"},
			},
			{
				sid: "ReadBlocks", resource: t.chat.TableArn(), keys: onlyKeys(personKeys),
				attributes: table.BlockAttributes(), actions: []string{"dynamodb:BatchGetItem", "dynamodb:GetItem"},
			},
			{
				sid: "ReadRooms", resource: t.chat.TableArn(), keys: onlyKeys(roomKeys),
				actions: []string{"dynamodb:Query"},
			},
			{
				sid: "ReadHeads", resource: t.chat.TableArn(), keys: onlyKeys(feedKeys),
				actions: []string{"dynamodb:BatchGetItem", "dynamodb:GetItem"},
			},
			{
				sid: "KeepConnections", resource: t.live.TableArn(),
				actions: []string{
					"dynamodb:BatchGetItem", "dynamodb:DeleteItem", "dynamodb:PutItem", "dynamodb:Query",
					"dynamodb:UpdateItem",
				},
			},
			{sid: "SendFrames", resource: s.posts, actions: []string{"execute-api:ManageConnections"}},
			{sid: "EndConnections", resource: s.closes, actions: []string{"execute-api:ManageConnections"}},
		},
	}
}

// authorizerFunction describes the function that verifies the tokens of new connections. It has no
// right on any table.
func authorizerFunction(cfg config.Config, u users, origins []string) function {
	return function{
		name: "authorizer", id: "Authorizer", description: "Verifies the tokens of new connections",
		size:    cfg.Authorizer,
		timeout: authorizerTimeout, subject: aFunction,
		variables: map[string]*string{
			shared.EnvIssuer:    u.issuer,
			shared.EnvAudience:  jsii.String(join(*u.audience)),
			shared.EnvUserClaim: jsii.String(cfg.Tokens.UserClaim),
			shared.EnvTokenLife: tokenLife(cfg.Tokens),
			shared.EnvOrigins:   jsii.String(strings.Join(origins, ",")),
			shared.EnvLogLevel:  jsii.String(cfg.Logs.Level),
		},
	}
}

// join returns texts separated by commas. They may contain references.
func join(texts []*string) string {
	all := make([]string, len(texts))
	for n, text := range texts {
		all[n] = *text
	}
	return strings.Join(all, ",")
}

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
