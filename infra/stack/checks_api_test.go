package stack_test

import (
	"slices"
	"strings"

	"example.com/parley/infra/config"
	shared "example.com/parley/internal/config"
	"example.com/parley/internal/httpapi"
	"example.com/parley/internal/test/rights"
)

const (
	typeRoute       = "AWS::ApiGatewayV2::Route"
	typeIntegration = "AWS::ApiGatewayV2::Integration"
	typeAuthorizer  = "AWS::ApiGatewayV2::Authorizer"
	typeStage       = "AWS::ApiGatewayV2::Stage"
	typePermission  = "AWS::Lambda::Permission"
)

// executeAPI begins the ARNs of requests of API Gateway.
const executeAPI = "arn:${AWS::Partition}:execute-api:${AWS::Region}:${AWS::AccountId}:"

// maxPublicRate is the limit of requests a second that a stranger can make an account pay for: for the
// documents and for an invitation 12, and for incoming webhooks 8.
const maxPublicRate = 20

func functionID(r httpapi.Route) string { return functions[string(r.Function)] + "Function" }

// of returns the logical ids of the parts of an API that have a type.
func (t template) of(api, kind string) []string {
	return slices.DeleteFunc(t.ids(kind), func(id string) bool { return ref(t.Resources[id].get("ApiId")) != api })
}

// routeByKey returns the resource of a route; ok is false unless exactly one exists.
func (i *inspection) routeByKey(key string) (route resource, ok bool) {
	if i.routesByKey == nil {
		i.routesByKey = map[string][]string{}
		for _, id := range i.of("Api", typeRoute) {
			key := i.Resources[id].text("RouteKey")
			i.routesByKey[key] = append(i.routesByKey[key], id)
		}
	}
	ids := i.routesByKey[key]
	if len(ids) > 0 {
		route = i.Resources[ids[len(ids)-1]]
	}
	return route, len(ids) == 1
}

// checkRoutes checks that the stack has exactly the routes that the code serves, and that each goes
// to the function that serves it.
func checkRoutes(i *inspection) {
	var got, want []string
	for _, id := range i.of("Api", typeRoute) {
		got = append(got, i.Resources[id].text("RouteKey"))
	}
	for _, r := range i.needs.routes {
		want = append(want, r.Key())
	}
	i.sameSet("route", got, want)
	i.expect(len(i.ids(typeRoute)) == len(i.of("Api", typeRoute))+len(i.of("SocketApi", typeRoute)), "a route is of no API")
	for _, r := range i.needs.routes {
		route, ok := i.routeByKey(r.Key())
		i.expect(ok, "route %s is not there once", r.Key())
		id := ref(route.get("Target"))
		integration := i.Resources[id]
		i.expect(render(route.get("Target")) == "integrations/${"+id+"}" && integration.Type == typeIntegration, "route %s goes to no integration", r.Key())
		i.expect(ref(integration.get("IntegrationUri")) == functionID(r), "route %s goes to %q, not to %s", r.Key(), ref(integration.get("IntegrationUri")), functionID(r))
		i.expect(integration.text("IntegrationType") == "AWS_PROXY", "integration %s is of type %q", id, integration.text("IntegrationType"))
		i.expect(integration.text("PayloadFormatVersion") == "2.0", "integration %s has payload version %q", id, integration.text("PayloadFormatVersion"))
		i.expect(ref(route.get("ApiId")) == "Api" && ref(integration.get("ApiId")) == "Api", "route %s is of another API", r.Key())
	}
}

// checkTokens checks that public routes need no token, and that all others need one.
func checkTokens(i *inspection) {
	for _, r := range i.needs.routes {
		route, _ := i.routeByKey(r.Key())
		kind, authorizer := route.text("AuthorizationType"), ref(route.get("AuthorizerId"))
		if r.Public {
			i.expect(kind == "NONE" && authorizer == "", "public route %s needs a token", r.Key())
			continue
		}
		i.expect(kind == "JWT", "route %s has the authorization type %q", r.Key(), kind)
		i.expect(i.Resources[authorizer].Type == typeAuthorizer, "route %s has no authorizer", r.Key())
	}
	ids := i.of("Api", typeAuthorizer)
	i.expect(len(ids) == 1, "there are %d authorizers", len(ids))
	for _, id := range ids {
		a := i.Resources[id]
		i.expect(a.text("AuthorizerType") == "JWT", "authorizer type %q", a.text("AuthorizerType"))
		i.expect(render(a.get("IdentitySource", "0")) == "$request.header.Authorization", "the token is not read from the Authorization header")
		i.expect(render(a.get("JwtConfiguration", "Issuer")) == i.issuer(), "issuer %s", render(a.get("JwtConfiguration", "Issuer")))
		var got []string
		for _, v := range list(a.get("JwtConfiguration", "Audience")) {
			got = append(got, render(v))
		}
		i.sameSet("audience", got, i.audiences())
	}
}

// issuer returns the issuer whose tokens the deployment accepts.
func (i *inspection) issuer() string {
	if i.config.Tokens.OwnPool() {
		return "${UserPool.ProviderURL}"
	}
	if i.config.Tokens.OwnKeys() {
		return "https://${PageDistribution.DomainName}"
	}
	return i.config.Tokens.Issuer
}

// audiences returns the audiences that the deployment accepts.
func (i *inspection) audiences() []string {
	switch {
	case !i.config.Tokens.OwnPool():
		return i.config.Tokens.Audience
	case i.config.Pool.Pages.ServiceClient:
		return []string{"${UserPoolClient}", "${ServiceClient}"}
	}
	return []string{"${UserPoolClient}"}
}

// checkInvocation checks that API Gateway may call each function behind the HTTP API for the routes
// of this API, by one permission for all of them. It may call the functions of the WebSocket API for
// each route and for the authorizer. Schedules may call the canary, the search and the outbox function. Nothing
// else may call a function.
func checkInvocation(i *inspection) {
	var got, want []string
	for _, id := range i.ids(typePermission) {
		p := i.Resources[id]
		by := "apigateway.amazonaws.com"
		if schedule := render(p.get("SourceArn")); slices.Contains([]string{"${CanarySchedule.Arn}", "${SweepSchedule.Arn}", "${TimerSchedule.Arn}"}, schedule) {
			by = "events.amazonaws.com"
		}
		i.expect(p.text("Principal") == by && p.text("Action") == "lambda:InvokeFunction", "permission %s is for %q to %q", id, p.text("Principal"), p.text("Action"))
		got = append(got, ref(p.get("FunctionName"))+" from "+render(p.get("SourceArn")))
	}
	for _, r := range i.needs.routes {
		// A * also matches slashes, so that this pattern is for routes of any path.
		if source := functionID(r) + " from " + executeAPI + "${Api}/*/*"; !slices.Contains(want, source) {
			want = append(want, source)
		}
	}
	want = append(append(want, i.socketInvocations()...), "SearchFunction from ${SweepSchedule.Arn}")
	if i.config.Alarms.Canary {
		want = append(want, "CanaryFunction from ${CanarySchedule.Arn}")
	}
	if i.config.API.Hooks != config.Off {
		want = append(want, "OutboxFunction from ${TimerSchedule.Arn}")
	}
	i.sameSet("permission", got, want)
	i.expect(len(got) == len(want), "there are %d permissions, and %d are needed", len(got), len(want))
}

// checkStage checks that the API is published, throttled and logged, and that the log contains
// neither tokens nor paths.
func checkStage(i *inspection) {
	i.sameSet("stage", i.ids(typeStage), []string{"Stage", "SocketStage"})
	ids := i.of("Api", typeStage)
	i.expect(len(ids) == 1, "there are %d stages", len(ids))
	for _, id := range ids {
		s := i.Resources[id]
		i.expect(s.text("StageName") == "$default" && s.get("AutoDeploy") == true, "the stage is not published at the API's address")
		i.expect(s.number("DefaultRouteSettings", "ThrottlingRateLimit") == float64(i.config.API.Rate), "the rate is not limited as configured")
		i.expect(s.number("DefaultRouteSettings", "ThrottlingBurstLimit") == float64(i.config.API.Burst), "the burst is not limited as configured")
		i.expect(ref(s.get("AccessLogSettings", "DestinationArn")) == "AccessLogs", "calls are not logged")
		format := s.text("AccessLogSettings", "Format")
		i.expect(strings.Contains(format, "$context.requestId") && strings.Contains(format, "$context.status"), "the access log lacks the request id or the status")
		for _, secret := range []string{"authorization", "$context.path", "claims", "token", "$request"} {
			i.expect(!strings.Contains(strings.ToLower(format), secret), "the access log has %s", secret)
		}
	}
	i.checkCORS()
}

// checkThrottles checks that each public route has its own throttle, that all together allow few
// requests, and that the stage depends on the routes that it throttles.
func checkThrottles(i *inspection) {
	stage := i.Resources["Stage"]
	settings, _ := stage.get("RouteSettings").(map[string]any)
	var got, want []string
	for key := range settings {
		got = append(got, key)
	}
	sum := 0.0
	for _, r := range i.needs.routes {
		if !r.Public {
			continue
		}
		want = append(want, r.Key())
		rate, _ := get(settings[r.Key()], "ThrottlingRateLimit").(float64)
		burst, _ := get(settings[r.Key()], "ThrottlingBurstLimit").(float64)
		i.expect(rate >= 1 && burst >= rate, "%s lets %v a second through, with bursts of %v", r.Key(), rate, burst)
		i.expect(get(settings[r.Key()], "DetailedMetricsEnabled") == stage.get("DefaultRouteSettings", "DetailedMetricsEnabled"),
			"%s is not measured as the other routes are", r.Key())
		i.expect(slices.Contains(list(stage.DependsOn), any(i.routeID(r.Key()))), "the stage may be made before %s", r.Key())
		sum += rate
	}
	i.sameSet("throttle", got, want)
	i.expect(sum <= maxPublicRate, "anybody may have %v requests a second", sum)
}

// checkCORS checks that the configured origins may use every method of the API.
func (i *inspection) checkCORS() {
	cors := i.Resources["Api"].get("CorsConfiguration")
	if len(i.origins()) == 0 {
		i.expect(cors == nil, "pages of other origins are let in")
		return
	}
	for _, id := range i.of("Api", typeRoute) {
		method, _, _ := strings.Cut(i.Resources[id].text("RouteKey"), " ")
		i.expect(!slices.Contains([]string{"$default", "ANY", "OPTIONS"}, method), "%s takes preflights, which API Gateway then does not answer", method)
	}
	i.sameSet("origin", rendered(get(cors, "AllowOrigins")), i.origins())
	var methods []string
	for _, r := range i.needs.routes {
		if !slices.Contains(methods, r.Method) {
			methods = append(methods, r.Method)
		}
	}
	i.sameSet("method", texts(get(cors, "AllowMethods")), methods)
	i.sameSet("header", texts(get(cors, "AllowHeaders")), shared.AllowedHeaders())
	i.sameSet("exposed header", texts(get(cors, "ExposeHeaders")), shared.ExposedHeaders())
	i.expect(get(cors, "AllowCredentials") == nil, "cookies are let in")
}

func texts(v any) []string { return rights.Texts(v) }

const (
	typeDomainName = "AWS::ApiGatewayV2::DomainName"
	typeAPIMapping = "AWS::ApiGatewayV2::ApiMapping"
)

// apiURL returns the address of the API, which is AWS's unless that is switched off.
func (i *inspection) apiURL() string {
	if d := i.config.API.Domain; d.Only {
		return "https://" + d.Name
	}
	return "${Api.ApiEndpoint}"
}

// checkDomain checks that the API answers under the configured name, and under no other.
func checkDomain(i *inspection) {
	d := i.config.API.Domain
	i.expect(i.Resources["Api"].get("DisableExecuteApiEndpoint") == map[bool]any{true: true}[d.Only], "AWS's address of the API is on or off against the setting")
	i.expect(render(get(i.Outputs["ApiUrl"], "Value")) == i.apiURL(), "clients are sent to %s", render(i.Outputs["ApiUrl"]))
	if d.Name == "" {
		i.sameSet("name", append(i.ids(typeDomainName), i.ids(typeAPIMapping)...), nil)
		return
	}
	names, mappings := []string{"Domain"}, []string{"DomainMapping"}
	i.checkName("Domain", d.Name, d.Certificate)
	i.checkMapping("DomainMapping", "${Domain}", "${Api}", "$default", nil, "Stage")
	if d.Socket != "" {
		names, mappings = append(names, "SocketDomain"), append(mappings, "SocketDomainMapping")
		i.checkName("SocketDomain", d.Socket, d.Certificate)
		i.expect(i.before("SocketDomain")["Domain"], "both names may be created together, of which API Gateway refuses one")
		i.checkMapping("SocketDomainMapping", "${SocketDomain}", "${SocketApi}", "ws", "ws", "SocketStage")
	}
	i.sameSet("name", i.ids(typeDomainName), names)
	i.sameSet("mapping of a name", i.ids(typeAPIMapping), mappings)
}

// checkName checks that a name is served safely, and that its target has an output.
func (i *inspection) checkName(id, host, certificate string) {
	name := i.Resources[id]
	i.expect(name.text("DomainName") == host, "the name is %q", name.text("DomainName"))
	endpoint := name.get("DomainNameConfigurations", "0")
	i.expect(get(endpoint, "CertificateArn") == certificate, "the certificate is %v", get(endpoint, "CertificateArn"))
	i.expect(get(endpoint, "EndpointType") == "REGIONAL", "the name is %v", get(endpoint, "EndpointType"))
	i.expect(get(endpoint, "SecurityPolicy") == "TLS_1_2", "old versions of TLS are accepted")
	for _, output := range []string{id + "Target", id + "Zone"} {
		i.expect(i.Outputs[output] != nil, "the target of the name has no output %s", output)
	}
}

// checkMapping checks that a name leads to a stage of an API, below a path or, with nil, below none.
func (i *inspection) checkMapping(id, name, api, stage string, path any, after string) {
	mapping := i.Resources[id]
	i.expect(render(mapping.get("DomainName")) == name && render(mapping.get("ApiId")) == api && mapping.text("Stage") == stage,
		"the name leads to %q of %s", mapping.text("Stage"), render(mapping.get("ApiId")))
	i.expect(slices.Contains(list(mapping.DependsOn), any(after)), "the name leads to a stage that may not be there yet")
	i.expect(mapping.get("ApiMappingKey") == path, "the API is below %v of the name", mapping.get("ApiMappingKey"))
}

// domainFaults point the name elsewhere, or weaken it.
func domainFaults(d deployment) []change {
	if d.config.API.Domain.Name == "" {
		return []change{
			{"a name that is not configured", func(t template) { t.Resources["Domain"] = resource{Type: typeDomainName} }},
			{"an API without an address", set("Api", "DisableExecuteApiEndpoint", true)},
		}
	}
	endpoint := func(key string, value any) func(template) {
		return func(t template) {
			get(t.Resources["Domain"].get("DomainNameConfigurations"), "0").(map[string]any)[key] = value
		}
	}
	return []change{
		{"AWS's address in addition to the only name", func(t template) { delete(t.Resources["Api"].Properties, "DisableExecuteApiEndpoint") }},
		{"AWS's address in the output", func(t template) {
			t.Outputs["ApiUrl"].(map[string]any)["Value"] = map[string]any{"Fn::GetAtt": []any{"Api", "ApiEndpoint"}}
		}},
		{"two names together", independent("SocketDomain")},
		{"another name", set("Domain", "DomainName", "other.example.com")},
		{"another certificate", endpoint("CertificateArn", "arn:aws:acm:eu-west-1:123456789012:certificate/other")},
		{"an old TLS", endpoint("SecurityPolicy", "TLS_1_0")},
		{"a name at the edge", endpoint("EndpointType", "EDGE")},
		{"a name for another stage", set("DomainMapping", "Stage", "test")},
		{"a name for another API", set("DomainMapping", "ApiId", "other")},
		{"a name before its stage", func(t template) {
			r := t.Resources["DomainMapping"]
			r.DependsOn = nil
			t.Resources["DomainMapping"] = r
		}},
		{"an API below a path", set("DomainMapping", "ApiMappingKey", "v1")},
		{"a socket name for the API", set("SocketDomainMapping", "ApiId", map[string]any{"Ref": "Api"})},
		{"live delivery at the root of its name", set("SocketDomainMapping", "ApiMappingKey", nil)},
		{"another socket name", set("SocketDomain", "DomainName", "other.example.com")},
	}
}
