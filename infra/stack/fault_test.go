package stack_test

import (
	"maps"
	"slices"
	"testing"

	"example.com/parley/infra/config"
)

// TestNew_EveryFaultIsCaught makes mistakes that the CDK's offline rules are known to miss, and
// some that would open the API or widen a right.
func TestNew_EveryFaultIsCaught(t *testing.T) {
	n, err := readNeeds()
	if err != nil {
		t.Fatal(err)
	}
	each(t, func(t *testing.T, d deployment) {
		tryAll(t, d, n, append(faults(d), alarmFaults(d.template)...))
	})
}

// set sets a property of a resource.
func set(id, key string, value any) func(template) {
	return func(t template) { t.Resources[id].Properties[key] = value }
}

func faults(d deployment) []change {
	all := slices.Concat(apiFaults(), feedFaults(), liveTableFaults(), socketFaults(), searchFaults())
	if d.config.Table.AdoptStream == "" {
		all = append(all, tableFaults()...)
	} else {
		all = append(all, adoptFaults()...)
	}
	if d.config.Table.AdoptLog == "" {
		all = append(all, logTableFaults()...)
	}
	if d.config.Table.AdoptFiles == "" {
		all = append(all, filesFaults(d.template)...)
	}
	if d.config.API.Hooks != config.Off {
		all = append(all, deliverFaults()...)
	}
	return slices.Concat(all, poolFaults(d), domainFaults(d), pageFaults(d), identityFaults(d.template), orderFaults(d.template), accountFaults(d.template))
}

// apiFaults are in the API, and in the functions behind it.
func apiFaults() []change {
	first := func(kind, key string, value any) func(template) {
		return func(t template) { t.Resources[t.ids(kind)[0]].Properties[key] = value }
	}
	return []change{
		{"a timeout over Lambda's", set("WriteFunction", "Timeout", 901.0)},
		{"a timeout before the function gives up", set("WriteFunction", "Timeout", 15.0)},
		{"a timeout that API Gateway does not wait for", set("ReadFunction", "Timeout", 30.0)},
		{"an unknown payload version", first(typeIntegration, "PayloadFormatVersion", "2")},
		{"the old payload version", first(typeIntegration, "PayloadFormatVersion", "1.0")},
		{"an unknown authorization type", routeSet("PUT /{proxy+}", "AuthorizationType", "JTW")},
		{"a route that lost its token", routeSet("GET /{proxy+}", "AuthorizationType", "NONE")},
		{"a public route that needs a token", routeSet("GET /docs", "AuthorizationType", "JWT")},
		{"a post sent to the read function", reroute("POST /{proxy+}", "GET /{proxy+}")},
		{"a read sent to the write function", reroute("GET /{proxy+}", "PUT /{proxy+}")},
		{"a route that the code does not serve", routeSet("PUT /{proxy+}", "RouteKey", "ANY /{proxy+}")},
		{"a greedy route to everything else", addRoute("ANY /{proxy+}", "GET /docs")},
		{"a route that takes preflights", addRoute("OPTIONS /{proxy+}", "GET /docs")},
		{"documents for everyone at any rate", func(t template) {
			throttles(t)["GET /docs"].(map[string]any)["ThrottlingRateLimit"] = 100.0
		}},
		{"documents for no one", func(t template) { throttles(t)["GET /docs"].(map[string]any)["ThrottlingRateLimit"] = 0.0 }},
		{"a throttle on a route that needs a token", func(t template) {
			throttles(t)["GET /{proxy+}"] = map[string]any{"ThrottlingRateLimit": 1.0, "ThrottlingBurstLimit": 1.0}
		}},
		{"an activity log in the main table", func(t template) {
			variables(t, "ReadFunction")["PARLEY_LOG_TABLE"] = map[string]any{"Ref": "Table"}
		}},
		{"a right to write feeds for the write function", func(t template) {
			statements(t, "WriteRole")[2].(map[string]any)["Condition"] = map[string]any{"ForAllValues:StringNotLike": map[string]any{"dynamodb:LeadingKeys": []any{"feeds#*"}}}
		}},
		{"a feed function that writes every key beginning with feed", func(t template) {
			statements(t, "FeedRole")[2].(map[string]any)["Condition"] = map[string]any{"ForAllValues:StringLike": map[string]any{"dynamodb:LeadingKeys": []any{"feed*"}}}
		}},
		{"a misspelt action", allowed("WriteRole", "dynamodb:PutItems")},
		{"an additional action", allowed("WriteRole", "dynamodb:BatchWriteItem")},
		{"a write by the read function", allowed("ReadRole", "dynamodb:PutItem")},
		{"every action", allowed("ReadRole", "dynamodb:*")},
		{"a managed policy", set("ReadRole", "ManagedPolicyArns", []any{"arn:aws:iam::aws:policy/ReadOnlyAccess"})},
		{"every resource", func(t template) { statements(t, "ReadRole")[1].(map[string]any)["Resource"] = "*" }},
		{"the other function's log", func(t template) {
			statements(t, "ReadRole")[0].(map[string]any)["Resource"] = map[string]any{"Fn::GetAtt": []any{"WriteLogs", "Arn"}}
		}},
		{"a collector as by default", func(t template) { variables(t, "ReadFunction")["GOGC"] = "100" }},
		{"a heap that fills the memory", func(t template) { variables(t, "WriteFunction")["GOMEMLIMIT"] = "512MiB" }},
		{"a heap of the sandbox's pages", func(t template) { variables(t, "AuthorizerFunction")["GOMEMLIMIT"] = "250MiB" }},
		{"a heap much smaller than the memory", func(t template) { variables(t, "FeedFunction")["GOMEMLIMIT"] = "64MiB" }},
		{"a variable that no function reads", func(t template) { variables(t, "ReadFunction")["PARLEY_REGION"] = "eu-west-1" }},
		{"all concurrency for one function", set("WriteFunction", "ReservedConcurrentExecutions", 900.0)},
		{"a table by another name", func(t template) { variables(t, "ReadFunction")["PARLEY_TABLE"] = "parley" }},
		{"functions that everyone may call", first(typePermission, "Principal", "*")},
		{"a function that any API of the account may call", set("ReadPermission", "SourceArn", invocations("*/*/*"))},
		{"a function that another API may call", set("WritePermission", "SourceArn", invocations(map[string]any{"Ref": "SocketApi"}, "/*/*"))},
		{"a function that one stage may call", set("ReadPermission", "SourceArn", invocations(map[string]any{"Ref": "Api"}, "/dev/*"))},
		{"a function that any account may call", func(t template) { delete(t.Resources["WritePermission"].Properties, "SourceArn") }},
		{"a permission of a single route", func(t template) {
			single := t.Resources["ReadPermission"]
			single.Properties = maps.Clone(single.Properties)
			single.Properties["SourceArn"] = invocations(map[string]any{"Ref": "Api"}, "/*/*/docs")
			t.Resources["Added"] = single
		}},
		{"an access log with tokens", func(t template) {
			t.Resources["Stage"].Properties["AccessLogSettings"].(map[string]any)["Format"] =
				"$context.requestId $context.status $context.authorizer.claims.sub"
		}},
		{"an unlimited API", func(t template) { delete(t.Resources["Stage"].Properties, "DefaultRouteSettings") }},
		{"tokens of another issuer", first(typeAuthorizer, "JwtConfiguration", map[string]any{"Issuer": "https://other.example", "Audience": []any{"web"}})},
	}
}

// routeID returns the logical id of a route of the HTTP API, by its key.
func (t template) routeID(key string) string {
	for _, id := range t.of("Api", typeRoute) {
		if t.Resources[id].text("RouteKey") == key {
			return id
		}
	}
	return ""
}

func routeSet(key, property string, value any) func(template) {
	return func(t template) { t.Resources[t.routeID(key)].Properties[property] = value }
}

// addRoute adds a copy of a route, with its throttle.
func addRoute(key, like string) func(template) {
	return func(t template) {
		r := t.Resources[t.routeID(like)]
		r.Properties = maps.Clone(r.Properties)
		r.Properties["RouteKey"] = key
		t.Resources["Added"] = r
		throttles(t)[key] = throttles(t)[like]
	}
}

// reroute sends a route to the target of another.
func reroute(key, like string) func(template) {
	return func(t template) {
		t.Resources[t.routeID(key)].Properties["Target"] = t.Resources[t.routeID(like)].Properties["Target"]
	}
}

// invocations returns the ARN of requests of API Gateway, which ends with the parts.
func invocations(parts ...any) any {
	pseudo := func(name string) any { return map[string]any{"Ref": "AWS::" + name} }
	all := append([]any{"arn:", pseudo("Partition"), ":execute-api:", pseudo("Region"), ":", pseudo("AccountId"), ":"}, parts...)
	return map[string]any{"Fn::Join": []any{"", all}}
}

// allowed adds an action to the last statement of a role.
func allowed(role, action string) func(template) {
	return func(t template) {
		all := statements(t, role)
		s := all[len(all)-1].(map[string]any)
		s["Action"] = append(list(s["Action"]), action)
	}
}
