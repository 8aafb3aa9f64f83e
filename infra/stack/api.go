package stack

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigateway"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2integrations"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscertificatemanager"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/jsii-runtime-go"

	shared "example.com/parley/internal/config"
	"example.com/parley/internal/httpapi"
)

// defaultStage serves the API at its address without a prefix.
const defaultStage = "$default"

// handlers are the functions that serve HTTP.
type handlers struct{ write, read, search, incoming awslambda.Function }

// api creates the API. It costs $1 for a million requests, and nothing at rest.
func (b *builder) api(u users, h handlers, origins []string) awsapigatewayv2.HttpApi {
	api := awsapigatewayv2.NewHttpApi(b.scope, jsii.String("Api"), &awsapigatewayv2.HttpApiProps{
		ApiName:            jsii.String(Name(b.Config)),
		CreateDefaultStage: jsii.Bool(false),
		CorsPreflight:      cors(origins),
		// Routes require a token by default.
		DefaultAuthorizer:         b.authorizer(u),
		DisableExecuteApiEndpoint: optional(b.Config.API.Domain.Only),
	})
	fixID(api, "Api")
	integrations := map[httpapi.Function]awsapigatewayv2.HttpRouteIntegration{
		httpapi.Write:  integration("Write", h.write),
		httpapi.Read:   integration("Read", h.read),
		httpapi.Search: integration("Search", h.search),

		httpapi.Incoming: integration("Incoming", h.incoming),
	}
	public := map[string]awsapigatewayv2.HttpRoute{}
	permissions := map[httpapi.Function]string{
		httpapi.Write: "WritePermission", httpapi.Read: "ReadPermission", httpapi.Search: "SearchPermission",
		httpapi.Incoming: "IncomingPermission",
	}
	for _, route := range httpapi.GatewayRoutes() {
		target, ok := integrations[route.Function]
		if !ok {
			panic(fmt.Sprintf(
				"route %s belongs to function %q, which the stack does not have", route.Key(), route.Function,
			))
		}
		r := addRoute(api, route, target)
		if id, first := permissions[route.Function]; first {
			b.permitAll(api, r, id)
			delete(permissions, route.Function)
		}
		if route.Public {
			public[route.Key()] = r
		}
	}
	authorizer := api.Node().FindChild(jsii.String(tokensAuthorizer)).Node().DefaultChild().(awscdk.CfnResource)
	b.settle(authorizer)
	if u.published != nil {
		authorizer.AddResourceDependency(u.published, nil)
	}
	stage := b.stage(api)
	b.throttlePublic(stage, public)
	b.domain(api, stage)
	return api
}

// optional returns true, or nil to leave a property out of the template.
func optional(yes bool) *bool {
	if !yes {
		return nil
	}
	return jsii.Bool(true)
}

// addRoute adds a route to the API.
func addRoute(
	api awsapigatewayv2.HttpApi, route httpapi.Route, target awsapigatewayv2.HttpRouteIntegration,
) awsapigatewayv2.HttpRoute {
	var authorizer awsapigatewayv2.IHttpRouteAuthorizer
	if route.Public {
		authorizer = awsapigatewayv2.NewHttpNoneAuthorizer()
	}
	r := (*api.AddRoutes(&awsapigatewayv2.AddRoutesOptions{
		Path:        jsii.String(route.Path),
		Methods:     &[]awsapigatewayv2.HttpMethod{awsapigatewayv2.HttpMethod(route.Method)},
		Integration: target,
		Authorizer:  authorizer,
	}))[0]
	if route.Public {
		except(r, aPublicRoute)
	}
	return r
}

// permitAll names the permission that the CDK adds with the first route of a function, which is for
// all routes of the API.
func (b *builder) permitAll(api awsapigatewayv2.HttpApi, first awsapigatewayv2.HttpRoute, id string) {
	for _, child := range *first.Node().Children() {
		if p, ok := child.(awslambda.CfnPermission); ok {
			p.OverrideLogicalId(jsii.String(id))
			p.SetSourceArn(b.scope.FormatArn(&awscdk.ArnComponents{
				Service: jsii.String("execute-api"), Resource: api.ApiId(), ResourceName: jsii.String("*/*"),
			}))
		}
	}
}

// integration sends requests to a function. The CDK adds one permission for all its routes.
func integration(id string, fn awslambda.Function) awsapigatewayv2.HttpRouteIntegration {
	return awsapigatewayv2integrations.NewHttpLambdaIntegration(jsii.String(id), fn,
		&awsapigatewayv2integrations.HttpLambdaIntegrationProps{
			PayloadFormatVersion:   awsapigatewayv2.PayloadFormatVersion_VERSION_2_0(),
			ScopePermissionToRoute: jsii.Bool(false),
		})
}

// stage publishes the API, with throttles and a log.
func (b *builder) stage(api awsapigatewayv2.HttpApi) awsapigatewayv2.HttpStage {
	stage := awsapigatewayv2.NewHttpStage(b.scope, jsii.String("Stage"), &awsapigatewayv2.HttpStageProps{
		HttpApi:    api,
		StageName:  jsii.String(defaultStage),
		AutoDeploy: jsii.Bool(true),
		Throttle: &awsapigatewayv2.ThrottleSettings{
			RateLimit:  jsii.Number(b.Config.API.Rate),
			BurstLimit: jsii.Number(b.Config.API.Burst),
		},
		AccessLogSettings: b.accessLog(),
	})
	fixID(stage, "Stage")
	return stage
}

// cors lets pages call the API, with the methods of the routes. Without pages there
// are no CORS responses.
func cors(origins []string) *awsapigatewayv2.CorsPreflightOptions {
	if len(origins) == 0 {
		return nil
	}
	var methods []awsapigatewayv2.CorsHttpMethod
	for _, route := range httpapi.GatewayRoutes() {
		if m := awsapigatewayv2.CorsHttpMethod(route.Method); !slices.Contains(methods, m) {
			methods = append(methods, m)
		}
	}
	slices.Sort(methods)
	return &awsapigatewayv2.CorsPreflightOptions{
		AllowOrigins:  jsii.Strings(origins...),
		AllowMethods:  &methods,
		AllowHeaders:  jsii.Strings(shared.AllowedHeaders()...),
		ExposeHeaders: jsii.Strings(shared.ExposedHeaders()...),
		MaxAge:        awscdk.Duration_Seconds(jsii.Number(shared.PreflightAge.Seconds())),
	}
}

// accessLog creates the stage's log, under the prefix that AWS reserves for logs of its services.
// Under any other prefix, each such group is added to one policy of the account, which is full
// after some dozens. The stack's id makes the name unique, so a former stack's log does not
// conflict.
func (b *builder) accessLog() *accessLog {
	group := b.logGroup("AccessLogs", b.accessLogName())
	return &accessLog{destination: awsapigatewayv2.NewLogGroupLogDestination(group), fields: map[string]string{
		"requestId":          "$context.requestId",
		"time":               "$context.requestTime",
		"ip":                 "$context.identity.sourceIp",
		"routeKey":           "$context.routeKey",
		"status":             "$context.status",
		"responseLength":     "$context.responseLength",
		"responseLatency":    "$context.responseLatency",
		"integrationLatency": "$context.integrationLatency",
		"integrationStatus":  "$context.integrationStatus",
		"integrationError":   "$context.integrationErrorMessage",
		"authorizerError":    "$context.authorizer.error",
		"error":              "$context.error.responseType",
	}}
}

// accessLogName returns the name of a stage's log, distinguished by further parts.
func (b *builder) accessLogName(parts ...string) *string {
	unique := awscdk.Fn_Select(jsii.Number(2), awscdk.Fn_Split(jsii.String("/"), b.scope.StackId(), nil))
	all := []*string{jsii.String("/aws/vendedlogs/parley"), b.scope.StackName(), unique}
	all = append(all, *jsii.Strings(parts...)...)
	return awscdk.Fn_Join(jsii.String("/"), &all)
}

// accessLog is a Go type because the CDK requires an object with methods here. Its fields contain
// no token and no path. A path names rooms and people; the route key does not.
type accessLog struct {
	destination awsapigatewayv2.IAccessLogDestination
	fields      map[string]string
}

// Destination returns the log group.
func (l *accessLog) Destination() awsapigatewayv2.IAccessLogDestination { return l.destination }

// Format returns the fields as one JSON object.
func (l *accessLog) Format() awsapigateway.AccessLogFormat {
	line, err := json.Marshal(l.fields)
	if err != nil {
		panic(fmt.Errorf("encode the access log's format: %w", err))
	}
	return awsapigateway.AccessLogFormat_Custom(jsii.String(string(line)))
}

// domain serves the API under the team's own name, if one is stated. It costs nothing. The DNS
// record is not part of the stack: it can be with any provider, and it outlives the stack.
func (b *builder) domain(api awsapigatewayv2.HttpApi, stage awsapigatewayv2.HttpStage) {
	d := b.Config.API.Domain
	if d.Name == "" {
		return
	}
	name := b.domainName("Domain", d.Name, d.Certificate)
	mapping := awsapigatewayv2.NewApiMapping(b.scope, jsii.String("DomainMapping"), &awsapigatewayv2.ApiMappingProps{
		Api: api, DomainName: name, Stage: stage,
	})
	fixID(mapping, "DomainMapping")
	b.domainOutputs("Domain", name)
}

// apiURL returns the address of the API: AWS's, or the team's own if AWS's is switched off.
func (b *builder) apiURL(api awsapigatewayv2.HttpApi) *string {
	if d := b.Config.API.Domain; d.Only {
		return jsii.String("https://" + d.Name)
	}
	return api.ApiEndpoint()
}

// domainName creates a name that API Gateway serves.
func (b *builder) domainName(id, host, certificate string) awsapigatewayv2.DomainName {
	name := awsapigatewayv2.NewDomainName(b.scope, jsii.String(id), &awsapigatewayv2.DomainNameProps{
		DomainName: jsii.String(host),
		Certificate: awscertificatemanager.Certificate_FromCertificateArn(
			b.scope, jsii.String(id+"Certificate"), jsii.String(certificate),
		),
		EndpointType:   awsapigatewayv2.EndpointType_REGIONAL,
		SecurityPolicy: awsapigatewayv2.SecurityPolicy_TLS_1_2,
	})
	fixID(name, id)
	return name
}

func (b *builder) domainOutputs(id string, name awsapigatewayv2.DomainName) {
	b.output(id+"Target", name.RegionalDomainName(), "The target of the domain: by a CNAME, or an alias in Route 53")
	b.output(id+"Zone", name.RegionalHostedZoneId(), "The hosted zone of "+id+"Target, for an alias in Route 53")
}

// socketDomain serves the WebSocket API under a name of its own, if one is stated, with the path
// that it has everywhere. API Gateway does not map one name to an HTTP API and to a WebSocket API.
func (b *builder) socketDomain(api awsapigatewayv2.WebSocketApi, stage awsapigatewayv2.WebSocketStage) {
	d := b.Config.API.Domain
	if d.Socket == "" {
		return
	}
	name := b.domainName("SocketDomain", d.Socket, d.Certificate)
	// API Gateway needs 30 seconds to create a name, and refuses others meanwhile.
	name.Node().AddDependency(b.scope.Node().FindChild(jsii.String("Domain")))
	mapping := awsapigatewayv2.NewApiMapping(b.scope, jsii.String("SocketDomainMapping"),
		&awsapigatewayv2.ApiMappingProps{
			Api: api, DomainName: name, Stage: stage, ApiMappingKey: jsii.String(socketStage),
		})
	fixID(mapping, "SocketDomainMapping")
	b.domainOutputs("SocketDomain", name)
}

// The public routes are open to everyone, so their throttles limit the cost that a stranger can
// cause. API Gateway answers a request above a throttle with 429, and does not bill it.
const (
	// publicRate is the limit of requests a second for one route: browsers cache a document, and
	// teams read it rarely, as they do an invitation. publicBurst lets a whole team open one
	// together.
	publicRate  = 1
	publicBurst = 20
	// incomingRate and incomingBurst limit the route of incoming webhooks, which programs call: an
	// alert for each of some hundred machines. They are the route's, so a stranger's flood makes
	// programs repeat their requests, as most do after a 429, and takes nothing from other routes.
	incomingRate  = 8
	incomingBurst = 200
	// maxPublicRate is the limit of the sum. The documents take ten: 36,000 requests an hour, some
	// $0.23 of API Gateway ($0.04), Lambda ($0.01), logs ($0.02), transfer ($0.16). Invitations
	// take two, for $0.02 an hour: a read unit if there is none. The other eight are for
	// routes to which programs send by a secret address: some $0.07 an hour, without transfer,
	// and with two read units ($0.01) and a KB of log. A flood of all of them takes 1 % of prod's
	// default Rate from others, and a fifth of dev's.
	maxPublicRate = 20
)

// throttle is the limit of one route.
type throttle struct{ rate, burst int }

// publicThrottles returns a throttle for every public route. It fails if all of them together allow
// more than maxPublicRate.
func publicThrottles(routes []httpapi.Route, apiRate int) (map[string]throttle, error) {
	throttles := map[string]throttle{}
	for _, r := range routes {
		if r.Public {
			throttles[r.Key()] = throttle{min(publicRate, apiRate), publicBurst}
			if r.Function == httpapi.Incoming {
				throttles[r.Key()] = throttle{min(incomingRate, apiRate), incomingBurst}
			}
		}
	}
	sum := 0
	for key, t := range throttles {
		if t.rate < 1 || t.burst < t.rate {
			return nil, fmt.Errorf("the public route %s has the throttle %+v, which allows no request", key, t)
		}
		sum += t.rate
	}
	if sum > maxPublicRate {
		return nil, fmt.Errorf("the public routes allow %d requests a second, more than %d", sum, maxPublicRate)
	}
	return throttles, nil
}

// throttlePublic sets the throttles on the stage. API Gateway refuses settings of a route that
// does not exist yet, so the stage depends on the routes.
func (b *builder) throttlePublic(stage awsapigatewayv2.HttpStage, public map[string]awsapigatewayv2.HttpRoute) {
	throttles, err := publicThrottles(httpapi.Routes(), b.Config.API.Rate)
	if err != nil {
		awscdk.Annotations_Of(stage).AddError(jsii.String(err.Error()))
		return
	}
	settings := map[string]any{}
	for key, t := range throttles {
		settings[key] = map[string]any{"ThrottlingRateLimit": t.rate, "ThrottlingBurstLimit": t.burst}
		stage.Node().AddDependency(public[key].Node().DefaultChild())
	}
	stage.Node().DefaultChild().(awsapigatewayv2.CfnStage).SetRouteSettings(settings)
}
