package stack

import (
	"maps"
	"strconv"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/jsii-runtime-go"

	"parley/infra/config"
	shared "parley/internal/config"
	"parley/internal/table"
)

// functionTimeout in seconds is above httpapi.RequestTimeout, at which a function gives a
// request up and says so, with room for a cold start; and below the 30 s
// after which API Gateway has given up.
const functionTimeout = 20

// function is what differs between the functions.
type function struct {
	name        string // of the folder below functions/
	id          string // the logical id's first word
	description string
	size        config.Function
	timeout     int // in seconds
	variables   map[string]*string
	endpoints   []string // variables that name one, in dev
	grants      []grant
	subject     subject
}

// grant is one statement of a function's rights: what it is for, on which resource, which actions,
// and where it matters, on which partition keys.
type grant struct {
	sid      string
	resource *string
	actions  []string
	keys     keyCondition
}

// keyCondition confines a grant to partition keys; the zero one does not. DynamoDB asks for ForAllValues, which
// also holds for a request without keys: only Scan and PartiQL are such, and nothing grants those.
type keyCondition struct {
	operator string // "StringLike" or "StringNotLike"
	patterns []string
}

// feedKeys are the partitions of all feeds, personKeys those of all people.
var (
	feedKeys   = table.FeedPK("*")
	personKeys = table.PersonPK("*")
)

func onlyKeys(patterns ...string) keyCondition { return keyCondition{"StringLike", patterns} }
func notKeys(patterns ...string) keyCondition  { return keyCondition{"StringNotLike", patterns} }

// writeFunction may read everything, write everything but feeds, and delete only what is a
// person's: memberships and facts that end. A transaction takes the rights of the actions in it.
func writeFunction(cfg config.Config, t tables) function {
	return function{
		name: "write", id: "Write", description: "Makes rooms and posts messages", size: cfg.Write,
		timeout: functionTimeout, variables: apiVariables(cfg, t), endpoints: []string{shared.EnvDynamoDBEndpoint}, subject: aFunction,
		grants: []grant{
			{sid: "ReadItems", resource: t.chat.TableArn(), actions: []string{"dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:Query"}},
			{sid: "WriteItems", resource: t.chat.TableArn(), keys: notKeys(feedKeys), actions: []string{"dynamodb:PutItem", "dynamodb:UpdateItem"}},
			{sid: "CheckStandings", resource: t.chat.TableArn(), keys: onlyKeys(personKeys), actions: []string{"dynamodb:ConditionCheckItem"}},
			{sid: "DeleteFacts", resource: t.chat.TableArn(), keys: onlyKeys(personKeys), actions: []string{"dynamodb:DeleteItem"}},
			{sid: "AppendActivity", resource: t.log.TableArn(), actions: []string{"dynamodb:PutItem", "dynamodb:Query"}},
		},
	}
}

// readFunction may only read.
func readFunction(cfg config.Config, t tables) function {
	return function{
		name: "read", id: "Read", description: "Reads rooms and messages; serves the documents", size: cfg.Read,
		timeout: functionTimeout, variables: apiVariables(cfg, t), endpoints: []string{shared.EnvDynamoDBEndpoint}, subject: aFunction,
		grants: []grant{
			{sid: "ReadItems", resource: t.chat.TableArn(), actions: []string{"dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:Query"}},
			{sid: "QueryIndex", resource: indexARN(t.chat), actions: []string{"dynamodb:Query"}},
			{sid: "ReadActivity", resource: t.log.TableArn(), actions: []string{"dynamodb:Query"}},
		},
	}
}

// apiVariables are what the functions behind the API read.
func apiVariables(cfg config.Config, t tables) map[string]*string {
	return map[string]*string{
		shared.EnvTable:      t.chat.TableName(),
		shared.EnvLogTable:   t.log.TableName(),
		shared.EnvLogDays:    jsii.String(strconv.Itoa(cfg.Table.LogDays)),
		shared.EnvLogLevel:   jsii.String(cfg.Logs.Level),
		shared.EnvSendRate:   jsii.String(strconv.Itoa(cfg.API.SendRate)),
		shared.EnvRoomMakers: jsii.String(roomMakers(cfg.API.RoomMakers)),
	}
}

// function makes a function with a role and a log of its own. Functions cost by
// the call and the millisecond, and nothing at rest.
func (b *builder) function(f function) awslambda.Function {
	logs := b.functionLog(f)
	fn := awslambda.NewFunction(b.scope, jsii.String(f.id+"Function"), &awslambda.FunctionProps{
		Description:                  jsii.String(f.description),
		Runtime:                      awslambda.Runtime_PROVIDED_AL2023(),
		Architecture:                 architecture(b.Config.Architecture),
		Handler:                      jsii.String(binary),
		Code:                         b.code(f.name),
		Role:                         b.role(f, logs),
		MemorySize:                   jsii.Number(f.size.MemoryMB),
		Timeout:                      awscdk.Duration_Seconds(jsii.Number(f.timeout)),
		Environment:                  b.variables(f),
		ReservedConcurrentExecutions: reserved(f.size.Reserved),
		LogGroup:                     logs,
		// Lambda's own lines become JSON as the functions' are. The function
		// filters its lines itself: Lambda takes every line that it cannot read for
		// INFO, and a higher level would drop our errors.
		LoggingFormat:         awslambda.LoggingFormat_JSON,
		ApplicationLogLevelV2: awslambda.ApplicationLogLevel_TRACE,
		SystemLogLevelV2:      systemLevel(b.Config.Logs.Requests),
	})
	fixID(fn, f.id+"Function")
	except(fn, f.subject)
	return fn
}

// variables are the environment of a function. In dev they name endpoints without
// giving one, which means the service's own: sam local invoke fills in only
// variables that the template has.
func (b *builder) variables(f function) *map[string]*string {
	v := maps.Clone(f.variables)
	if b.Config.Env == config.Dev {
		for _, name := range f.endpoints {
			v[name] = jsii.String("")
		}
	}
	return &v
}

// roomMakers is how the functions read who may make rooms.
func roomMakers(users []string) string {
	if len(users) == 0 {
		return shared.Everyone
	}
	return strings.Join(users, ",")
}

// role is explicit: one that the CDK makes would get a managed policy with
// rights on every log group. The log's own name for itself ends in :*, any
// stream of it: Lambda names the streams.
func (b *builder) role(f function, logs awslogs.LogGroup) awsiam.Role {
	grants := append([]grant{{sid: "WriteLogs", resource: logs.LogGroupArn(), actions: []string{"logs:CreateLogStream", "logs:PutLogEvents"}}}, f.grants...)
	var statements []awsiam.PolicyStatement
	for _, g := range grants {
		statements = append(statements, g.statement())
	}
	role := awsiam.NewRole(b.scope, jsii.String(f.id+"Role"), &awsiam.RoleProps{
		AssumedBy:   awsiam.NewServicePrincipal(jsii.String("lambda.amazonaws.com"), nil),
		Description: jsii.String("What the " + f.name + " function may do"),
		InlinePolicies: &map[string]awsiam.PolicyDocument{
			f.name: awsiam.NewPolicyDocument(&awsiam.PolicyDocumentProps{Statements: &statements}),
		},
	})
	fixID(role, f.id+"Role")
	return role
}

// statement is a grant as IAM reads it.
func (g grant) statement() awsiam.PolicyStatement {
	s := awsiam.NewPolicyStatement(&awsiam.PolicyStatementProps{
		Sid: jsii.String(g.sid), Effect: awsiam.Effect_ALLOW, Actions: jsii.Strings(g.actions...), Resources: &[]*string{g.resource},
	})
	if g.keys.operator != "" {
		s.AddCondition(jsii.String("ForAllValues:"+g.keys.operator), map[string][]string{"dynamodb:LeadingKeys": g.keys.patterns})
	}
	return s
}

// functionLog costs by what is written ($0.50 a GB) and kept.
func (b *builder) functionLog(f function) awslogs.LogGroup {
	return b.logGroup(f.id+"Logs", nil)
}

func (b *builder) logGroup(id string, name *string) awslogs.LogGroup {
	g := awslogs.NewLogGroup(b.scope, jsii.String(id), &awslogs.LogGroupProps{
		LogGroupName:  name,
		RemovalPolicy: b.removal(),
	})
	g.Node().DefaultChild().(awslogs.CfnLogGroup).SetRetentionInDays(jsii.Number(b.Config.Logs.Days))
	fixID(g, id)
	return g
}

func architecture(a config.Architecture) awslambda.Architecture {
	if a == config.X8664 {
		return awslambda.Architecture_X86_64()
	}
	return awslambda.Architecture_ARM_64()
}

func reserved(n int) *float64 {
	if n == 0 {
		return nil
	}
	return jsii.Number(n)
}

func systemLevel(requests bool) awslambda.SystemLogLevel {
	if requests {
		return awslambda.SystemLogLevel_INFO
	}
	return awslambda.SystemLogLevel_WARN
}
