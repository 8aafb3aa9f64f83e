package stack_test

import (
	"slices"
	"strings"

	"example.com/parley/internal/test/rights"
)

// routeInvokes checks that API Gateway may call the function behind a route, for that method and
// path.
func routeInvokes(c *connections, from, to string) {
	function := c.invoked(c.Resources[to].get("IntegrationUri"))
	api := ref(c.Resources[from].get("ApiId"))
	if c.Resources[function].Type != typeFunction || c.Resources[api].Type == "" {
		c.expect(false, "route %s leads to no function", from)
		return
	}
	r := c.service("apigateway.amazonaws.com", "lambda:InvokeFunction", api, function)
	method, path, _ := strings.Cut(c.Resources[from].text("RouteKey"), " ")
	stage := "$default"
	if api == "SocketApi" {
		stage = "ws"
	}
	r.Context["aws:SourceArn"] = []string{c.arn(api) + "/" + stage + "/" + method + path}
	c.may(from, nil, r)
}

// invoked returns the one function to which the URI of an integration or an authorizer leads, or "".
func (t template) invoked(uri any) string {
	ids := slices.DeleteFunc(refs(uri), func(id string) bool { return t.Resources[id].Type != typeFunction })
	if len(ids) != 1 {
		return ""
	}
	return ids[0]
}

// authorizes checks that API Gateway may call the function behind an authorizer, for it.
func authorizes(c *connections, from, to string) {
	r := c.service("apigateway.amazonaws.com", "lambda:InvokeFunction", ref(c.Resources[from].get("ApiId")), to)
	r.Context["aws:SourceArn"] = []string{c.arn(ref(c.Resources[from].get("ApiId"))) + "/authorizers/" + from}
	c.may(from, nil, r)
}

// vendedLog checks that API Gateway may write a log with that prefix. Other names would need a
// change of the account's policy.
func vendedLog(c *connections, from, to string) {
	name, err := c.stack.Resolve(c.Resources[to].get("LogGroupName"))
	text, _ := name.(string)
	c.expect(err == nil && strings.HasPrefix(text, "/aws/vendedlogs/"), "%s logs to %s, whose name is %q", from, to, text)
}

// trusts checks that a service may assume a role.
func trusts(principal string) func(*connections, string, string) {
	return func(c *connections, from, to string) {
		trust, err := c.stack.Trust(to)
		c.expect(err == nil, "%v", err)
		r := c.service(principal, "sts:AssumeRole", from, to)
		decision, err := rights.Evaluate(trust, r)
		c.expect(err == nil && decision == rights.Allowed, "%s may not take role %s: %v", principal, to, err)
	}
}

// roleOf returns the logical id of a function's role, and its statements.
func (c *connections) roleOf(function string) (string, []rights.Statement) {
	id := ref(c.Resources[function].get("Role"))
	role, err := c.stack.Role(id)
	c.expect(err == nil, "%v", err)
	return id, role
}

// mayByRole checks that a function's role allows actions on a resource.
func (c *connections) mayByRole(from, function, arn string, actions ...string) {
	id, role := c.roleOf(function)
	if role == nil {
		return
	}
	for _, action := range actions {
		c.may(from, role, rights.Request{Principal: rights.Principal{Kind: "AWS", Name: c.arn(id)}, Action: action, Resource: arn})
	}
}

func logs(c *connections, from, to string) {
	stream := strings.TrimSuffix(c.arn(to), "*") + "log-stream:x"
	c.mayByRole(from, from, stream, "logs:CreateLogStream", "logs:PutLogEvents")
}

func polls(c *connections, from, _ string) {
	stream, err := c.stack.Resolve(c.Resources[from].get("EventSourceArn"))
	arn, _ := stream.(string)
	c.expect(err == nil, "%v", err)
	c.mayByRole(from, ref(c.Resources[from].get("FunctionName")), arn,
		"dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator", "dynamodb:ListStreams")
}

func keepsDropped(c *connections, from, to string) {
	c.mayByRole(from, ref(c.Resources[from].get("FunctionName")), c.arn(to), "sqs:SendMessage")
}

// servesFiles checks that CloudFront may read the files of a bucket for a distribution.
func servesFiles(c *connections, from, to string) {
	r := c.service("cloudfront.amazonaws.com", "s3:GetObject", from, to)
	r.Resource += "/x"
	c.may(from, nil, r)
}

// scheduled checks that a schedule may call its function, through a role of its own.
func scheduled(c *connections, from, to string) {
	id := ref(c.Resources[from].get("Target", "RoleArn"))
	role, err := c.stack.Role(id)
	c.expect(err == nil, "%v", err)
	if err == nil {
		c.may(from, role, rights.Request{Principal: rights.Principal{Kind: "AWS", Name: c.arn(id)}, Action: "lambda:InvokeFunction", Resource: c.arn(to)})
	}
}
