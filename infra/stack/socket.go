package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2authorizers"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2integrations"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/jsii-runtime-go"

	"example.com/parley/internal/socketapi"
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
