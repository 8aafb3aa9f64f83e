package stack_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

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

// receives checks that Lambda may poll a queue by the function's role.
func receives(c *connections, from, to string) {
	c.mayByRole(from, ref(c.Resources[from].get("FunctionName")), c.arn(to),
		"sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes")
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

// TestNew_ConnectionsNeedTheirRights adds resources that the stack may have one day, with the right
// that they need and without it.
func TestNew_ConnectionsNeedTheirRights(t *testing.T) {
	const (
		rule     = `"Rule": {"Type": "AWS::Events::Rule", "Properties": {"Targets": [{"Id": "a", "Arn": %target}]}}`
		function = `{"Fn::GetAtt": ["WriteFunction", "Arn"]}`
		queue    = `{"Fn::GetAtt": ["FailureQueue", "Arn"]}`
		topic    = `"News": {"Type": "AWS::SNS::Topic", "Properties": {}}`
	)
	permission := func(principal, source string) string {
		return `"P": {"Type": "AWS::Lambda::Permission", "Properties": {"Action": "lambda:InvokeFunction", "FunctionName": ` + function +
			`, "Principal": "` + principal + `", "SourceArn": ` + source + `}}`
	}
	policy := func(kind, on, action, principal, source string) string {
		return `"P": {"Type": "` + kind + `", "Properties": {"PolicyDocument": {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "` +
			action + `", "Resource": ` + on + `, "Principal": {"Service": "` + principal + `"}, "Condition": {"ArnEquals": {"aws:SourceArn": ` + source + `}}}]}}}`
	}
	role := func(principal, on string) string {
		return `"R": {"Type": "AWS::IAM::Role", "Properties": {
			"AssumeRolePolicyDocument": {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": {"Service": "` + principal + `"}}]},
			"Policies": [{"PolicyDocument": {"Version": "2012-10-17", "Statement": [{"Sid": "Call", "Effect": "Allow", "Action": "lambda:InvokeFunction", "Resource": ` + on + `}]}}]}}`
	}
	to := func(target string) string { return strings.Replace(rule, "%target", target, 1) }
	ruleARN, budgetARN := `{"Fn::GetAtt": ["Rule", "Arn"]}`, `"arn:aws:budgets::123456789012:budget/*"`
	budget := topic + `, "Budget": {"Type": "AWS::Budgets::Budget", "Properties": {"NotificationsWithSubscribers": [{"Subscribers": [{"SubscriptionType": "SNS", "Address": {"Ref": "News"}}]}]}}`
	alarm := topic + `, "A": {"Type": "AWS::CloudWatch::Alarm", "Properties": {"OKActions": [{"Ref": "News"}]}}`
	schedule := `"S": {"Type": "AWS::Scheduler::Schedule", "Properties": {"Target": {"Arn": ` + function + `, "RoleArn": {"Fn::GetAtt": ["R", "Arn"]}}}}`
	for name, tt := range map[string]struct{ added, right, wrong string }{
		"a rule that calls a function": {to(function), permission("events.amazonaws.com", ruleARN), permission("s3.amazonaws.com", ruleARN)},
		"another rule's permission":    {to(function), permission("events.amazonaws.com", ruleARN), permission("events.amazonaws.com", `"arn:aws:events:us-east-1:123456789012:rule/other"`)},
		"a rule that sends to a queue": {to(queue),
			policy(typeQueuePolicy, queue, "sqs:SendMessage", "events.amazonaws.com", ruleARN), policy(typeQueuePolicy, queue, "sqs:ReceiveMessage", "events.amazonaws.com", ruleARN)},
		"a rule that publishes": {topic + ", " + to(`{"Ref": "News"}`),
			policy(typeTopicPolicy, `{"Ref": "News"}`, "sns:Publish", "events.amazonaws.com", ruleARN), policy(typeTopicPolicy, `{"Ref": "News"}`, "sns:Publish", "budgets.amazonaws.com", ruleARN)},
		"a budget": {budget,
			policy(typeTopicPolicy, `{"Ref": "News"}`, "sns:Publish", "budgets.amazonaws.com", budgetARN), policy(typeTopicPolicy, queue, "sns:Publish", "budgets.amazonaws.com", budgetARN)},
		"an alarm that is over": {alarm,
			policy(typeTopicPolicy, `{"Ref": "News"}`, "sns:Publish", "cloudwatch.amazonaws.com", `"arn:aws:cloudwatch:*:*:alarm:A"`),
			policy(typeTopicPolicy, `{"Ref": "News"}`, "sns:Publish", "cloudwatch.amazonaws.com", `"arn:aws:cloudwatch:*:*:alarm:B"`)},
		"a schedule":                     {schedule, role("scheduler.amazonaws.com", function), role("events.amazonaws.com", function)},
		"a schedule of another function": {schedule, role("scheduler.amazonaws.com", function), role("scheduler.amazonaws.com", queue)},
	} {
		t.Run(name, func(t *testing.T) {
			if got := connectionsWith(t, tt.added+", "+tt.right); len(got) > 0 {
				t.Errorf("with its right: %v", got)
			}
			for _, wrong := range []string{tt.wrong, topicAlone} {
				if got := connectionsWith(t, tt.added+", "+wrong); len(got) == 0 {
					t.Errorf("the check misses %s", wrong)
				}
			}
		})
	}
}

// topicAlone is a resource that grants no right.
const topicAlone = `"Alone": {"Type": "AWS::SNS::Topic", "Properties": {}}`

// connectionsWith returns the findings of checkConnections in dev with more resources.
func connectionsWith(t *testing.T, resources string) []finding {
	t.Helper()
	changed := clone(t, deployments["dev"].template)
	var more map[string]resource
	if err := json.Unmarshal([]byte("{"+resources+"}"), &more); err != nil {
		t.Fatal(err, resources)
	}
	maps.Copy(changed.Resources, more)
	i := &inspection{template: changed, config: deployments["dev"].config}
	checkConnections(i)
	return i.findings
}

func TestNew_UnknownConnectionsFail(t *testing.T) {
	for name, tt := range map[string]struct{ resources, complaint string }{
		"a type":     {`"F": {"Type": "AWS::Pipes::Pipe", "Properties": {}}`, "is a AWS::Pipes::Pipe"},
		"a link":     {`"A": {"Type": "AWS::CloudWatch::Alarm", "Properties": {"AlarmActions": [{"Fn::GetAtt": ["WriteFunction", "Arn"]}]}}`, "by AlarmActions"},
		"a property": {`"Q": {"Type": "AWS::Lambda::EventSourceMapping", "Properties": {"SelfManaged": {"Ref": "Table"}}}`, "by SelfManaged"},
	} {
		got := connectionsWith(t, tt.resources)
		if !slices.ContainsFunc(got, func(f finding) bool { return strings.Contains(f.complaint, tt.complaint) }) {
			t.Errorf("unknown %s: %v", name, got)
		}
	}
}

// TestNew_ConnectionsMissEachRight removes the rights that connections of the stack itself depend
// on.
func TestNew_ConnectionsMissEachRight(t *testing.T) {
	d := deployments["own"]
	var changes []change
	for _, id := range append(d.template.ids(typeTopicPolicy), d.template.ids(typeBucketPolicy)...) {
		if ref(d.template.Resources[id].get("Bucket")) == "FilesBucket" {
			continue // it only refuses
		}
		changes = append(changes, change{id, func(t template) { delete(t.Resources, id) }})
	}
	for _, function := range []string{"WriteFunction", "ReadFunction", "SocketFunction", "AuthorizerFunction"} {
		changes = append(changes, change{"the permissions of " + function, func(t template) {
			maps.DeleteFunc(t.Resources, func(_ string, r resource) bool {
				return r.Type == typePermission && ref(r.get("FunctionName")) == function
			})
		}})
	}
	for _, id := range d.template.ids(typeRole) {
		changes = append(changes, change{"trust of " + id, func(t template) {
			get(t.Resources[id].get("AssumeRolePolicyDocument", "Statement"), "0").(map[string]any)["Principal"] = map[string]any{"Service": "ec2.amazonaws.com"}
		}})
	}
	for _, sid := range []string{"WriteLogs", "PollStream", "ListStreams"} {
		changes = append(changes, change{"statement " + sid, func(t template) {
			policy := t.Resources["FeedRole"].get("Policies", "0", "PolicyDocument").(map[string]any)
			policy["Statement"] = slices.DeleteFunc(list(policy["Statement"]), func(s any) bool { return get(s, "Sid") == sid })
		}})
	}
	changes = append(changes, change{"the name of the access log", func(t template) { t.Resources["AccessLogs"].Properties["LogGroupName"] = "/parley" }})
	for _, c := range changes {
		i := &inspection{template: clone(t, d.template), config: d.config}
		c.apply(i.template)
		if checkConnections(i); len(i.findings) == 0 {
			t.Errorf("the check misses that %s is gone", c.what)
		}
	}
	if len(changes) < 10 {
		t.Errorf("the test tried only %d rights", len(changes))
	}
}
