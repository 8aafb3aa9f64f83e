package stack_test

import (
	"maps"
	"slices"
	"strings"

	"example.com/parley/internal/test/rights"
)

// connections are the ways in which resources of one template use one another.
type connections struct {
	*inspection
	stack    *rights.Stack
	policies []rights.Statement // of queues, topics and functions
}

// link describes how resources of one type refer to resources of another. Functions of
// CloudFormation are not part of the property.
type link struct{ from, property, to string }

// use is the need of a link: a reason why it needs no right, or a check of the right. The check
// receives the logical ids of both ends.
type use struct {
	plain string
	check func(c *connections, from, to string)
}

// uses has a row for every possible link. A property that ends with a dot stands for all below it.
var uses = map[link]use{
	{typeAuthorizer, "ApiId", "AWS::ApiGatewayV2::Api"}:                        {plain: "a part of the API"},
	{typeAuthorizer, "JwtConfiguration.", "AWS::Cognito::UserPool"}:            {plain: "API Gateway reads the pool's public keys from its public address"},
	{typeAuthorizer, "JwtConfiguration.", "AWS::Cognito::UserPoolClient"}:      {plain: "a name to compare with"},
	{typeAuthorizer, "AuthorizerUri", typeFunction}:                            {check: authorizes},
	{"AWS::ApiGatewayV2::RouteResponse", "ApiId", "AWS::ApiGatewayV2::Api"}:    {plain: "a part of the API"},
	{"AWS::ApiGatewayV2::RouteResponse", "RouteId", typeRoute}:                 {plain: "a part of the API"},
	{"AWS::ApiGateway::Account", "CloudWatchRoleArn", typeRole}:                {check: trusts("apigateway.amazonaws.com")},
	{typeIntegration, "ApiId", "AWS::ApiGatewayV2::Api"}:                       {plain: "a part of the API"},
	{typeIntegration, "IntegrationUri", typeFunction}:                          {plain: "checked for each route that leads here"},
	{typeRoute, "ApiId", "AWS::ApiGatewayV2::Api"}:                             {plain: "a part of the API"},
	{typeRoute, "AuthorizerId", typeAuthorizer}:                                {plain: "a part of the API"},
	{typeRoute, "Target", typeIntegration}:                                     {check: routeInvokes},
	{typeStage, "ApiId", "AWS::ApiGatewayV2::Api"}:                             {plain: "a part of the API"},
	{typeStage, "AccessLogSettings.DestinationArn", "AWS::Logs::LogGroup"}:     {check: vendedLog},
	{typeAPIMapping, "ApiId", "AWS::ApiGatewayV2::Api"}:                        {plain: "a part of the API"},
	{typeAPIMapping, "DomainName", typeDomainName}:                             {plain: "a name for the API"},
	{typeMetricFilter, "LogGroupName", "AWS::Logs::LogGroup"}:                  {plain: "CloudWatch reads its own logs"},
	{typeAlarm, "AlarmActions", typeTopic}:                                     {check: publishes("cloudwatch.amazonaws.com")},
	{typeAlarm, "OKActions", typeTopic}:                                        {check: publishes("cloudwatch.amazonaws.com")},
	{typeAlarm, "Dimensions.", ""}:                                             {plain: "names the measured resource"},
	{typeAlarm, "Metrics.", ""}:                                                {plain: "names the measured resource"},
	{"AWS::CloudWatch::Dashboard", "DashboardBody", ""}:                        {plain: "names the resources that it shows"},
	{"AWS::Budgets::Budget", "NotificationsWithSubscribers.", typeTopic}:       {check: publishes("budgets.amazonaws.com")},
	{"AWS::Events::Rule", "Targets.Arn", typeFunction}:                         {check: invokes("events.amazonaws.com")},
	{"AWS::Events::Rule", "Targets.Arn", typeTopic}:                            {check: publishes("events.amazonaws.com")},
	{"AWS::Events::Rule", "Targets.Arn", typeQueue}:                            {check: sends("events.amazonaws.com")},
	{"AWS::Scheduler::Schedule", "Target.RoleArn", typeRole}:                   {check: trusts("scheduler.amazonaws.com")},
	{"AWS::Scheduler::Schedule", "Target.Arn", typeFunction}:                   {check: scheduled},
	{typeBucket, "CorsConfiguration.", typeDistribution}:                       {plain: "names the page that may call"},
	{typeInvoke, "FunctionName", typeFunction}:                                 {plain: "how Lambda calls its own function"},
	{typeFunction, "Role", typeRole}:                                           {check: trusts("lambda.amazonaws.com")},
	{typeFunction, "LoggingConfig.LogGroup", "AWS::Logs::LogGroup"}:            {check: logs},
	{typeFunction, "Environment.", ""}:                                         {plain: "a name; what the code does with it is recorded"},
	{typeMapping, "FunctionName", typeFunction}:                                {plain: "Lambda calls its own functions"},
	{typeMapping, "EventSourceArn", typeTable}:                                 {check: polls},
	{typeMapping, "EventSourceArn", typeQueue}:                                 {check: receives},
	{typeQueue, "RedrivePolicy.deadLetterTargetArn", typeQueue}:                {plain: "SQS moves messages between queues of one account"},
	{typeMapping, "DestinationConfig.OnFailure.Destination", typeQueue}:        {check: keepsDropped},
	{typePermission, "", ""}:                                                   {plain: "a right, not a use"},
	{typeRole, "", ""}:                                                         {plain: "a right, not a use"},
	{typeQueuePolicy, "", ""}:                                                  {plain: "a right, not a use"},
	{typeTopicPolicy, "", ""}:                                                  {plain: "a right, not a use"},
	{typeSubscription, "TopicArn", typeTopic}:                                  {plain: "by mail: the owner of the address confirms it"},
	{"AWS::Cognito::UserPoolClient", "UserPoolId", "AWS::Cognito::UserPool"}:   {plain: "a part of the pool"},
	{"AWS::Cognito::UserPoolDomain", "UserPoolId", "AWS::Cognito::UserPool"}:   {plain: "a part of the pool"},
	{typeResourceServer, "UserPoolId", "AWS::Cognito::UserPool"}:               {plain: "a part of the pool"},
	{"AWS::Cognito::UserPoolClient", "AllowedOAuthScopes", typeResourceServer}: {plain: "a name of a scope"},

	{typeDistribution, "DistributionConfig.Origins.DomainName", typeBucket}:                            {check: servesFiles},
	{typeDistribution, "DistributionConfig.Origins.OriginAccessControlId", typePageAccess}:             {plain: "how CloudFront signs its reads"},
	{typeDistribution, "DistributionConfig.DefaultCacheBehavior.ResponseHeadersPolicyId", typeHeaders}: {plain: "a part of the distribution"},
	{typeHeaders, "ResponseHeadersPolicyConfig.SecurityHeadersConfig.", "AWS::ApiGatewayV2::Api"}:      {plain: "a name that browsers may connect to"},
	{typeBucketPolicy, "", ""}:                                                     {plain: "a right, not a use"},
	{typePageFiles, "ServiceToken", typeFunction}:                                  {plain: "CloudFormation calls the function by the rights of who deploys"},
	{typeIssuerFiles, "ServiceToken", typeFunction}:                                {plain: "CloudFormation calls the function by the rights of who deploys"},
	{typeIssuerFiles, "Documents.", typeDistribution}:                              {plain: "the issuer's own name"},
	{typeIssuerFiles, "Address", typeDistribution}:                                 {plain: "the function reads its public address"},
	{typeAuthorizer, "JwtConfiguration.", typeDistribution}:                        {plain: "API Gateway reads the public keys from their public address"},
	{typePageFiles, "Config", ""}:                                                  {plain: "names for the web app"},
	{"AWS::ApiGatewayV2::Api", "CorsConfiguration.AllowOrigins", typeDistribution}: {plain: "a name to compare with"},
	{"AWS::Cognito::UserPoolClient", "CallbackURLs", typeDistribution}:             {plain: "a name to compare with"},
	{"AWS::Cognito::UserPoolClient", "LogoutURLs", typeDistribution}:               {plain: "a name to compare with"},
}

// isolated are the types that use no other resource.
var isolated = []string{typeBucket, typePageAccess, typeTable, typeTopic, "AWS::Logs::LogGroup", "AWS::ApiGatewayV2::Api", typeDomainName, "AWS::Cognito::UserPool", "AWS::CDK::Metadata"}

// checkConnections checks that each resource has the rights to use others. An unknown type or link
// fails: a developer must state the right that it needs.
func checkConnections(i *inspection) {
	s, err := i.stack()
	i.expect(err == nil, "%v", err)
	if err != nil {
		return
	}
	c := &connections{inspection: i, stack: s}
	c.policies, err = s.On()
	i.expect(err == nil, "%v", err)
	for _, from := range slices.Sorted(maps.Keys(i.Resources)) {
		r := i.Resources[from]
		known := slices.Contains(isolated, r.Type)
		for l := range uses {
			known = known || l.from == r.Type
		}
		i.expect(known, "%s is a %s: say in uses what it connects to", from, r.Type)
		eachReference(r.Properties, "", func(property, to string) {
			if _, isResource := i.Resources[to]; isResource {
				c.connect(from, property, to)
			}
		})
	}
}

func (c *connections) connect(from, property, to string) {
	for l, u := range uses {
		below := strings.HasSuffix(l.property, ".") && strings.HasPrefix(property, l.property)
		if l.from != c.Resources[from].Type || l.property != "" && l.property != property && !below ||
			l.to != "" && l.to != c.Resources[to].Type {
			continue
		}
		if u.check != nil {
			u.check(c, from, to)
		}
		return
	}
	c.expect(false, "%s refers to %s by %s: state in uses which right a %s needs for a %s",
		from, to, property, c.Resources[from].Type, c.Resources[to].Type)
}

// eachReference visits the references in a value, with the path of properties that leads to each.
func eachReference(v any, path string, visit func(property, to string)) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			eachReference(e, path, visit)
		}
	case map[string]any:
		for key, e := range v {
			switch {
			case key == "Ref":
				visit(path, e.(string))
			case key == "Fn::GetAtt":
				visit(path, list(e)[0].(string))
			case strings.HasPrefix(key, "Fn::"):
				eachReference(e, path, visit)
			default:
				eachReference(e, strings.TrimPrefix(path+"."+key, "."), visit)
			}
		}
	}
}

// may checks that a principal is allowed to act on a resource, by the statements of its role and
// the policies of resources.
func (c *connections) may(from string, role []rights.Statement, r rights.Request) {
	if r.Context == nil {
		r.Context = map[string][]string{}
	}
	r.Context["aws:SecureTransport"] = []string{"true"}
	decision, err := rights.Evaluate(slices.Concat(role, c.policies), r)
	c.expect(err == nil && decision == rights.Allowed, "%s uses %s, and nothing allows %s to %s: %v",
		from, r.Resource, r.Principal.Name, r.Action, err)
}

// arn returns the ARN of an existing resource.
func (c *connections) arn(id string) string {
	arn, err := c.stack.ARN(id)
	c.expect(err == nil, "%v", err)
	return arn
}

// service is a request of a service on behalf of one of our resources.
func (c *connections) service(principal, action, from, to string) rights.Request {
	return rights.Request{
		Principal: rights.Principal{Kind: "Service", Name: principal}, Action: action, Resource: c.arn(to),
		Context: map[string][]string{"aws:SourceArn": {c.arn(from)}, "aws:SourceAccount": {rights.Account}},
	}
}

func publishes(principal string) func(*connections, string, string) {
	return func(c *connections, from, to string) {
		c.may(from, nil, c.service(principal, "sns:Publish", from, to))
	}
}

func sends(principal string) func(*connections, string, string) {
	return func(c *connections, from, to string) {
		c.may(from, nil, c.service(principal, "sqs:SendMessage", from, to))
	}
}

func invokes(principal string) func(*connections, string, string) {
	return func(c *connections, from, to string) {
		c.may(from, nil, c.service(principal, "lambda:InvokeFunction", from, to))
	}
}
