package stack_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/parley/infra/config"
	"example.com/parley/internal/socketapi"
)

const (
	typeRouteResponse  = "AWS::ApiGatewayV2::RouteResponse"
	typeGatewayAccount = "AWS::ApiGateway::Account"
)

// accountConnects is AWS's quota of new connections a second of an account.
const accountConnects = 500

// checkSocketRoutes checks that the WebSocket API has exactly the routes that the code serves, and
// that each goes to the socket function. The function's answer must reach the client where the code
// relies on it.
func checkSocketRoutes(i *inspection) {
	api := i.Resources["SocketApi"]
	i.expect(api.text("ProtocolType") == "WEBSOCKET" && api.text("RouteSelectionExpression") == socketapi.RouteSelection, "routes are selected by %q", api.text("RouteSelectionExpression"))
	i.expect(api.get("DisableExecuteApiEndpoint") == nil, "the address is switched off, at which functions send frames")
	var got, want, answering []string
	for _, id := range i.of("SocketApi", typeRoute) {
		r := i.Resources[id]
		got = append(got, r.text("RouteKey"))
		integration := i.Resources[ref(r.get("Target"))]
		i.expect(integration.Type == typeIntegration && ref(integration.get("ApiId")) == "SocketApi", "%s goes to no integration", r.text("RouteKey"))
		i.expect(i.invoked(integration.get("IntegrationUri")) == "SocketFunction", "%s goes to %q", r.text("RouteKey"), i.invoked(integration.get("IntegrationUri")))
		i.expect(strings.HasSuffix(render(integration.get("IntegrationUri")), ":lambda:path/2015-03-31/functions/${SocketFunction.Arn}/invocations"), "%s calls %s", r.text("RouteKey"), render(integration.get("IntegrationUri")))
		i.expect(integration.text("IntegrationType") == "AWS_PROXY", "%s has an integration of type %q", r.text("RouteKey"), integration.text("IntegrationType"))
		if r.text("RouteResponseSelectionExpression") == "$default" {
			answering = append(answering, id)
		}
	}
	var answered []string
	for _, id := range i.of("SocketApi", typeRouteResponse) {
		i.expect(i.Resources[id].text("RouteResponseKey") == "$default", "%s has the key %q", id, i.Resources[id].text("RouteResponseKey"))
		answered = append(answered, ref(i.Resources[id].get("RouteId")))
	}
	i.sameSet("answer", answered, answering)
	var keys, answers []string
	for _, r := range socketapi.Routes() {
		want = append(want, r.Key)
		if r.Answers {
			answers = append(answers, r.Key)
		}
	}
	for _, id := range answered {
		keys = append(keys, i.Resources[id].text("RouteKey"))
	}
	i.sameSet("socket route", got, want)
	i.expect(len(got) == len(want), "there are %d socket routes", len(got))
	i.sameSet("socket route with an answer", keys, answers)
}

// checkSocketTokens checks that the authorizer function decides about each connection, and that API
// Gateway refuses a connection that states no subprotocol.
func checkSocketTokens(i *inspection) {
	ids := i.of("SocketApi", typeAuthorizer)
	i.expect(len(ids) == 1, "there are %d authorizers of connections", len(ids))
	for _, r := range socketapi.Routes() {
		for _, id := range i.of("SocketApi", typeRoute) {
			route := i.Resources[id]
			if route.text("RouteKey") != r.Key {
				continue
			}
			kind, authorizer := route.text("AuthorizationType"), ref(route.get("AuthorizerId"))
			if r.Authorized {
				i.expect(kind == "CUSTOM" && slices.Contains(ids, authorizer), "%s has the authorization type %q", r.Key, kind)
			} else {
				i.expect(kind == "NONE" && authorizer == "", "%s has an authorizer, which API Gateway does not accept", r.Key)
			}
		}
	}
	for _, id := range ids {
		a := i.Resources[id]
		i.expect(a.text("AuthorizerType") == "REQUEST" && i.invoked(a.get("AuthorizerUri")) == "AuthorizerFunction", "connections are decided about by %q", i.invoked(a.get("AuthorizerUri")))
		i.expect(strings.HasSuffix(render(a.get("AuthorizerUri")), ":lambda:path/2015-03-31/functions/${AuthorizerFunction.Arn}/invocations"), "the authorizer is %s", render(a.get("AuthorizerUri")))
		i.sameSet("identity source", texts(a.get("IdentitySource")), []string{"route.request.header.Sec-WebSocket-Protocol"})
		i.expect(a.get("AuthorizerResultTtlInSeconds") == nil, "decisions about connections are cached")
	}
}

// socketInvocations returns the permissions that API Gateway needs for the WebSocket API.
func (i *inspection) socketInvocations() []string {
	const of = " from " + executeAPI + "${SocketApi}/"
	var all []string
	for _, r := range socketapi.Routes() {
		all = append(all, "SocketFunction"+of+"*"+r.Key)
	}
	for _, id := range i.of("SocketApi", typeAuthorizer) {
		all = append(all, "AuthorizerFunction"+of+"authorizers/${"+id+"}")
	}
	return all
}

// checkSocketStage checks that the WebSocket API is published at its path, throttled and logged, and
// that its log contains no token.
func checkSocketStage(i *inspection) {
	s := i.Resources["SocketStage"]
	i.expect(ref(s.get("ApiId")) == "SocketApi" && s.text("StageName") == "ws" && s.get("AutoDeploy") == true, "live delivery is not published at its path")
	i.expect(s.number("DefaultRouteSettings", "ThrottlingRateLimit") == float64(i.config.API.Rate), "the rate of messages is not limited as configured")
	i.expect(s.number("DefaultRouteSettings", "ThrottlingBurstLimit") == float64(i.config.API.Burst), "the burst of messages is not limited as configured")
	settings, _ := s.get("RouteSettings").(map[string]any)
	i.sameSet("throttle of a socket route", slices.Collect(maps.Keys(settings)), []string{"$connect"})
	rate, _ := get(settings["$connect"], "ThrottlingRateLimit").(float64)
	burst, _ := get(settings["$connect"], "ThrottlingBurstLimit").(float64)
	i.expect(rate >= 1 && rate <= accountConnects && burst == rate, "%v connections a second are let in, with bursts of %v", rate, burst)
	writes, _ := get(i.Resources["LiveTable"].get("WarmThroughput"), "WriteUnitsPerSecond").(float64)
	i.expect(rate*config.HelloWrites <= max(writes, 4_000), "%v hellos a second exceed the table of connections", rate)
	i.expect(get(settings["$connect"], "DetailedMetricsEnabled") == s.get("DefaultRouteSettings", "DetailedMetricsEnabled"), "connections are not measured as messages are")
	for _, id := range append(i.of("SocketApi", typeRoute), i.ids(typeGatewayAccount)...) {
		i.expect(slices.Contains(list(s.DependsOn), any(id)), "the stage may be made before %s", id)
	}
	i.expect(ref(s.get("AccessLogSettings", "DestinationArn")) == "SocketAccessLogs", "connections are not logged")
	format := s.text("AccessLogSettings", "Format")
	for _, field := range []string{"requestId", "connectionId", "eventType", "routeKey", "status", "authorizer.error", "identity.sourceIp"} {
		i.expect(strings.Contains(format, `"$context.`+field+`"`), "the access log lacks %s", field)
	}
	// A header or the query has the token; the context of the authorizer names the person.
	for _, secret := range []string{"header", "querystring", "$context.path", "claims", "token", "$request", "protocol", "authorizer.user", "authorizer.principalid"} {
		i.expect(!strings.Contains(strings.ToLower(format), secret), "the access log has %s", secret)
	}
	i.expect(render(get(i.Outputs["SocketUrl"], "Value")) == "wss://${SocketApi}.execute-api.${AWS::Region}.${AWS::URLSuffix}/ws", "clients are sent to %s", render(i.Outputs["SocketUrl"]))
}

// gatewayLogActions are the rights of AWS's policy AmazonAPIGatewayPushToCloudWatchLogs.
var gatewayLogActions = []string{
	"logs:CreateLogGroup", "logs:CreateLogStream", "logs:DescribeLogGroups", "logs:DescribeLogStreams",
	"logs:PutLogEvents", "logs:GetLogEvents", "logs:FilterLogEvents",
}

// checkGatewayLogs checks that API Gateway has its role for logs, which other APIs of the account use
// too: it has the trust and the rights that AWS documents, and outlives the stack. A stack that uses
// the account's role must not replace it.
func checkGatewayLogs(i *inspection) {
	if !i.config.Logs.OwnGatewayRole {
		i.sameSet("role of the account", i.ids(typeGatewayAccount), nil)
		return
	}
	account, role := i.Resources["GatewayAccount"], i.Resources["GatewayLogsRole"]
	i.expect(account.Type == typeGatewayAccount && render(account.get("CloudWatchRoleArn")) == "${GatewayLogsRole.Arn}", "API Gateway writes logs as %s", render(account.get("CloudWatchRoleArn")))
	trusted := list(role.get("AssumeRolePolicyDocument", "Statement"))
	i.expect(len(trusted) == 1, "the role for logs is trusted by %d statements", len(trusted))
	for _, s := range trusted {
		i.expect(get(s, "Effect") == "Allow" && get(s, "Action") == "sts:AssumeRole" && render(get(s, "Principal", "Service")) == "apigateway.amazonaws.com", "the role for logs is trusted by %v", s)
		i.expect(get(s, "Condition") == nil, "API Gateway may state no source when it assumes the role for logs: the condition ends the logs of all APIs")
	}
	all := statements(i.template, "GatewayLogsRole")
	i.expect(len(all) == 1, "the role for logs has %d statements", len(all))
	for _, s := range all {
		i.expect(get(s, "Effect") == "Allow" && get(s, "Resource") == "*" && get(s, "Condition") == nil && get(s, "Sid") == "WriteGatewayLogs", "the role for logs has %v", s)
		i.sameSet("right of the role for logs", texts(get(s, "Action")), gatewayLogActions)
	}
	for id, r := range map[string]resource{"GatewayAccount": account, "GatewayLogsRole": role} {
		i.expect(r.DeletionPolicy == "Retain" && r.UpdateReplacePolicy == "Retain", "%s goes with the stack, and the logs of other APIs with it", id)
	}
}

// socketRemovals remove the throttle of connections, and what the stage waits for.
func socketRemovals(t template) []change {
	settings := func(t template) map[string]any {
		return t.Resources["SocketStage"].get("RouteSettings").(map[string]any)
	}
	all := []change{
		{"the throttle of connections", func(t template) { delete(settings(t), "$connect") }},
		{"the rate of connections", func(t template) { delete(settings(t)["$connect"].(map[string]any), "ThrottlingRateLimit") }},
		{"the burst of connections", func(t template) { delete(settings(t)["$connect"].(map[string]any), "ThrottlingBurstLimit") }},
	}
	for _, id := range append(t.of("SocketApi", typeRoute), "GatewayAccount") {
		all = append(all, change{"the socket stage waiting for " + id, func(t template) {
			stage := t.Resources["SocketStage"]
			stage.DependsOn = slices.DeleteFunc(list(stage.DependsOn), func(on any) bool { return on == id })
			t.Resources["SocketStage"] = stage
		}})
	}
	for _, id := range slices.Concat([]string{"SocketApi", "SocketStage"}, t.of("SocketApi", typeAuthorizer), t.of("SocketApi", typeIntegration)) {
		for _, c := range propertyRemovals(t, id) {
			if !strings.HasPrefix(c.what, "Name of ") { // a name is for people
				all = append(all, c)
			}
		}
	}
	return all
}

// socketFaults would let strangers in, keep people out, or show tokens.
func socketFaults() []change {
	first := func(kind, key string, value any) func(template) {
		return func(t template) { t.Resources[t.of("SocketApi", kind)[0]].Properties[key] = value }
	}
	connect := func(key string, value any) func(template) {
		return func(t template) {
			for _, id := range t.of("SocketApi", typeRoute) {
				if t.Resources[id].text("RouteKey") == "$connect" {
					t.Resources[id].Properties[key] = value
				}
			}
		}
	}
	format := func(text string) func(template) {
		return func(t template) {
			settings := t.Resources["SocketStage"].Properties["AccessLogSettings"].(map[string]any)
			settings["Format"] = strings.Replace(fmt.Sprint(settings["Format"]), "{", "{"+text+",", 1)
		}
	}
	return []change{
		{"connections for everyone", connect("AuthorizationType", "NONE")},
		{"connections by the API's authorizer", connect("AuthorizerId", map[string]any{"Ref": "Tokens"})},
		{"tokens in the query", first(typeAuthorizer, "IdentitySource", []any{"route.request.querystring.token"})},
		{"another authorizer", first(typeAuthorizer, "AuthorizerUri", map[string]any{"Fn::GetAtt": []any{"SocketFunction", "Arn"}})},
		{"decisions that are cached", first(typeAuthorizer, "AuthorizerResultTtlInSeconds", 300.0)},
		{"messages to the write function", first(typeIntegration, "IntegrationUri", map[string]any{"Fn::GetAtt": []any{"WriteFunction", "Arn"}})},
		{"routes by another field", set("SocketApi", "RouteSelectionExpression", "$request.body.action")},
		{"a WebSocket API without its address", set("SocketApi", "DisableExecuteApiEndpoint", true)},
		{"another path", set("SocketStage", "StageName", "live")},
		{"connections at any rate", func(t template) {
			t.Resources["SocketStage"].get("RouteSettings", "$connect").(map[string]any)["ThrottlingRateLimit"] = 2_000.0
		}},
		{"no connections", func(t template) {
			t.Resources["SocketStage"].get("RouteSettings", "$connect").(map[string]any)["ThrottlingRateLimit"] = 0.0
		}},
		{"a log with the header of tokens", format(`"p":"$context.requestOverride.header.sec-websocket-protocol"`)},
		{"a log with people", format(`"u":"$context.authorizer.user"`)},
		{"a log that another API writes", func(t template) {
			t.Resources["SocketStage"].Properties["AccessLogSettings"].(map[string]any)["DestinationArn"] = map[string]any{"Fn::GetAtt": []any{"AccessLogs", "Arn"}}
		}},
		{"a role for logs with more rights", func(t template) {
			s := statements(t, "GatewayLogsRole")[0].(map[string]any)
			s["Action"] = append(list(s["Action"]), "logs:DeleteLogGroup")
		}},
		{"a role for logs that demands a source", func(t template) {
			trust := get(t.Resources["GatewayLogsRole"].get("AssumeRolePolicyDocument", "Statement"), "0").(map[string]any)
			trust["Condition"] = map[string]any{"StringEquals": map[string]any{"aws:SourceAccount": map[string]any{"Ref": "AWS::AccountId"}}}
		}},
		{"a role for logs that goes with the stack", func(t template) {
			r := t.Resources["GatewayLogsRole"]
			r.DeletionPolicy = "Delete"
			t.Resources["GatewayLogsRole"] = r
		}},
		{"an account that goes with the stack", func(t template) {
			r := t.Resources["GatewayAccount"]
			r.DeletionPolicy = "Delete"
			t.Resources["GatewayAccount"] = r
		}},
	}
}
