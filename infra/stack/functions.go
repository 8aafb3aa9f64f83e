package stack

import (
	"maps"
	"strconv"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3"
	"github.com/aws/jsii-runtime-go"

	"example.com/parley/infra/config"
	shared "example.com/parley/internal/config"
	"example.com/parley/internal/live"
	"example.com/parley/internal/picture"
	"example.com/parley/internal/table"
)

// functionTimeout, in seconds, exceeds httpapi.RequestTimeout, at which a function gives up a
// request and answers accordingly, by the time of a cold start. It is below the 30 s after which
// API Gateway gives up.
const functionTimeout = 20

// function describes one function of the stack.
type function struct {
	name        string // of the folder below functions/
	id          string // the logical id's first word
	description string
	size        config.Function
	timeout     int // in seconds
	variables   map[string]*string
	endpoints   []string // names of variables for endpoints, in dev
	grants      []grant
	subject     subject
}

// grant is one statement of a function's rights: its id, the resource, the actions, and the
// partition keys and attributes, or the prefix of a list, if limited.
type grant struct {
	sid      string
	resource *string
	actions  []string
	keys     keyCondition
	// attributes confines reads and updates to these attributes, if any: the request must name the
	// attributes that it reads, and return no others.
	attributes []string
	// prefix confines s3:ListBucket to prefixes that match this pattern and not the other, if any.
	// S3 also compares them with the key of an object that does not exist, to decide between 404
	// and 403.
	prefix, notPrefix string
}

// keyCondition limits a grant to partition keys; the zero value does not. DynamoDB requires
// ForAllValues, which also holds for a request without keys. Only Scan and PartiQL are such
// requests, and no grant allows those.
type keyCondition struct {
	operator string // "StringLike" or "StringNotLike"
	patterns []string
}

// feedKeys matches all feeds' partitions, personKeys all people's partitions, and memberKeys the
// index partitions of all rooms' members. closedKeys matches the index partitions of the members
// for whom an archived room does not count.
var (
	memberKeys = table.MemberSK("*")
	closedKeys = table.ClosedIndex("*")
	feedKeys   = table.FeedPK("*")
	personKeys = table.PersonPK("*")
	roomKeys   = table.RoomPK("*")
	// extraKeys matches the partitions of rooms' items other than their settings.
	extraKeys = table.RoomItemsPK("*")
	// rowKeys matches the partitions of messages' rows. separated matches all partitions except
	// messages' own, whose keys are the only ones without "#".
	rowKeys   = table.MessageRowsPK("*")
	separated = "*#*"
	// liveRoomKeys matches the partitions of all rooms' subscriptions, and liveUserKeys the
	// partitions of all people's connections.
	liveRoomKeys = live.RoomPK("*")
	liveUserKeys = live.UserPK("*")
)

func onlyKeys(patterns ...string) keyCondition { return keyCondition{"StringLike", patterns} }
func notKeys(patterns ...string) keyCondition  { return keyCondition{"StringNotLike", patterns} }

// writeFunction describes the write function. It may read everything and write everything except
// feeds, whose heads it closes when their rooms are deleted. It may delete only a person's items,
// such as ended memberships and facts, a message's rows, such as removed reactions, and hooks. A
// transaction needs the rights of its actions. People store files with its right to put them. It
// reads a file's size, for which S3 has no right of its own. It removes people's own pictures.
func writeFunction(cfg config.Config, t tables, files awss3.IBucket) function {
	pictures := grant{
		sid: "RemovePictures", resource: files.ArnForObjects(jsii.String(picture.Folder + "*")),
		actions: []string{"s3:DeleteObject"},
	}
	return storing(cfg, files, []string{"s3:GetObject", "s3:PutObject"}, function{
		name: "write", id: "Write", description: "Creates rooms and posts messages", size: cfg.Write,
		timeout: functionTimeout, variables: apiVariables(cfg, t), endpoints: []string{shared.EnvDynamoDBEndpoint},
		subject: aFunction,
		grants: []grant{
			pictures,
			{
				sid: "ReadItems", resource: t.chat.TableArn(),
				actions: []string{"dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:Query"},
			},
			{
				sid: "WriteItems", resource: t.chat.TableArn(), keys: notKeys(feedKeys),
				actions: []string{"dynamodb:PutItem", "dynamodb:UpdateItem"},
			},
			{
				sid: "CloseFeeds", resource: t.chat.TableArn(), keys: onlyKeys(feedKeys),
				actions: []string{"dynamodb:UpdateItem"},
			},
			{
				sid: "CheckStandings", resource: t.chat.TableArn(), keys: onlyKeys(personKeys),
				actions: []string{"dynamodb:ConditionCheckItem"},
			},
			{
				sid: "DeleteFacts", resource: t.chat.TableArn(), keys: onlyKeys(personKeys),
				actions: []string{"dynamodb:DeleteItem"},
			},
			{
				sid: "DeleteHooks", resource: t.chat.TableArn(), keys: onlyKeys(hooksKey, hookRowKeys),
				actions: []string{"dynamodb:DeleteItem"},
			},
			{
				sid: "DeleteReactions", resource: t.chat.TableArn(), keys: onlyKeys(rowKeys),
				actions: []string{"dynamodb:DeleteItem"},
			},
			{
				sid: "FindOwners", resource: indexARN(t.chat), keys: onlyKeys(memberKeys),
				actions: []string{"dynamodb:Query"},
			},
			{
				sid: "FindClosed", resource: indexARN(t.chat), keys: onlyKeys(closedKeys),
				actions: []string{"dynamodb:Query"},
			},
			{
				sid: "AppendActivity", resource: t.log.TableArn(),
				actions: []string{"dynamodb:PutItem", "dynamodb:Query"},
			},
			{
				sid: "EndSubscriptions", resource: t.live.TableArn(), keys: onlyKeys(liveRoomKeys),
				actions: []string{"dynamodb:DeleteItem", "dynamodb:Query", "dynamodb:UpdateItem"},
			},
			{
				sid: "FindConnections", resource: t.live.TableArn(), keys: onlyKeys(liveUserKeys),
				actions: []string{"dynamodb:Query"},
			},
		},
	})
}

// readFunction describes the read function. It may write how much a person has read, and how far
// the program of a hook has fetched. People read files with its right to get them.
func readFunction(cfg config.Config, t tables, files awss3.IBucket) function {
	return storing(cfg, files, []string{"s3:GetObject"}, function{
		name: "read", id: "Read", description: "Reads rooms and messages; serves the documents", size: cfg.Read,
		timeout: functionTimeout, variables: apiVariables(cfg, t), endpoints: []string{shared.EnvDynamoDBEndpoint},
		subject: aFunction,
		grants: []grant{
			{
				sid: "ReadItems", resource: t.chat.TableArn(),
				actions: []string{"dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:Query"},
			},
			{sid: "QueryIndex", resource: indexARN(t.chat), actions: []string{"dynamodb:Query"}},
			{sid: "ReadActivity", resource: t.log.TableArn(), actions: []string{"dynamodb:Query"}},
			spendReads(t),
			{
				sid: "MoveHooks", resource: t.chat.TableArn(), keys: onlyKeys(hookRowKeys),
				actions: []string{"dynamodb:DeleteItem", "dynamodb:PutItem", "dynamodb:UpdateItem"},
			},
			{
				sid: "ReadOnline", resource: t.live.TableArn(), keys: onlyKeys(liveRoomKeys),
				actions: []string{"dynamodb:Query"},
			},
		},
	})
}

// spendReads grants to write how much a person has read.
func spendReads(t tables) grant {
	return grant{
		sid: "SpendReads", resource: t.chat.TableArn(), keys: onlyKeys(personKeys),
		attributes: table.ReadBudgetAttributes(), actions: []string{"dynamodb:UpdateItem"},
	}
}

// apiVariables returns the variables of the functions behind the API.
func apiVariables(cfg config.Config, t tables) map[string]*string {
	return map[string]*string{
		shared.EnvTable:      t.chat.TableName(),
		shared.EnvLogTable:   t.log.TableName(),
		shared.EnvLiveTable:  t.live.TableName(),
		shared.EnvLogDays:    jsii.String(strconv.Itoa(cfg.Table.LogDays)),
		shared.EnvLogLevel:   jsii.String(cfg.Logs.Level),
		shared.EnvSendRate:   jsii.String(strconv.Itoa(cfg.API.SendRate)),
		shared.EnvRoomMakers: jsii.String(roomMakers(cfg.API.RoomMakers)),
		shared.EnvDirectory:  jsii.String(cfg.API.Directory),
		shared.EnvProfiles:   jsii.String(cfg.API.Profiles),
		shared.EnvHooks:      jsii.String(cfg.API.Hooks),
		shared.EnvNameClaim:  jsii.String(cfg.API.NameClaim),
		shared.EnvUserClaim:  jsii.String(cfg.Tokens.UserClaim),
		shared.EnvTokenLife:  tokenLife(cfg.Tokens),
	}
}

// function creates a function with its own role and log. Functions are billed by call and
// millisecond, and cost nothing at rest.
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
		// Lambda's own lines become JSON, as the functions' lines are. The function filters its
		// lines itself. Lambda treats each line that it cannot parse as INFO, so a higher level
		// would drop our errors.
		LoggingFormat:         awslambda.LoggingFormat_JSON,
		ApplicationLogLevelV2: awslambda.ApplicationLogLevel_TRACE,
		SystemLogLevelV2:      systemLevel(b.Config.Logs.Requests),
	})
	fixID(fn, f.id+"Function")
	except(fn, f.subject)
	return fn
}

// variables returns the environment of a function, with the settings of Go's collector. In dev it
// contains the endpoints with empty values, which mean the service's own, because sam local invoke
// sets only variables that the template has.
func (b *builder) variables(f function) *map[string]*string {
	v := maps.Clone(f.variables)
	v[shared.EnvGarbagePercent] = jsii.String(strconv.Itoa(shared.GarbagePercent))
	v[shared.EnvMemoryLimit] = jsii.String(shared.MemoryLimit(f.size.MemoryMB))
	if b.Config.Env == config.Dev {
		for _, name := range f.endpoints {
			v[name] = jsii.String("")
		}
	}
	return &v
}

// tokenLife returns the longest life of a token, or an empty text for no limit: a provider decides
// about its own tokens.
func tokenLife(t config.Tokens) *string {
	if t.OwnKeys() {
		return jsii.String(shared.OwnTokenLife.String())
	}
	return jsii.String("")
}

// roomMakers formats the list of room creators as the functions parse it.
func roomMakers(users []string) string {
	if len(users) == 0 {
		return shared.Everyone
	}
	return strings.Join(users, ",")
}

// role creates the role of a function. A role created by the CDK would have a managed policy with
// rights on every log group. The ARN of a log group ends in :*, which matches its streams, because
// Lambda names the streams.
func (b *builder) role(f function, logs awslogs.LogGroup) awsiam.Role {
	grants := append(
		[]grant{{
			sid: "WriteLogs", resource: logs.LogGroupArn(),
			actions: []string{"logs:CreateLogStream", "logs:PutLogEvents"},
		}},
		f.grants...,
	)
	var statements []awsiam.PolicyStatement
	for _, g := range grants {
		statements = append(statements, g.statement())
	}
	role := awsiam.NewRole(b.scope, jsii.String(f.id+"Role"), &awsiam.RoleProps{
		AssumedBy:   awsiam.NewServicePrincipal(jsii.String("lambda.amazonaws.com"), nil),
		Description: jsii.String("Rights of the " + f.name + " function"),
		InlinePolicies: &map[string]awsiam.PolicyDocument{
			f.name: awsiam.NewPolicyDocument(&awsiam.PolicyDocumentProps{Statements: &statements}),
		},
	})
	fixID(role, f.id+"Role")
	return role
}

// statement returns the grant as a statement of IAM.
func (g grant) statement() awsiam.PolicyStatement {
	s := awsiam.NewPolicyStatement(&awsiam.PolicyStatementProps{
		Sid: jsii.String(g.sid), Effect: awsiam.Effect_ALLOW, Actions: jsii.Strings(g.actions...),
		Resources: &[]*string{g.resource},
	})
	if g.keys.operator != "" {
		s.AddCondition(
			jsii.String("ForAllValues:"+g.keys.operator), map[string][]string{"dynamodb:LeadingKeys": g.keys.patterns},
		)
	}
	if len(g.attributes) > 0 {
		s.AddCondition(
			jsii.String("ForAllValues:StringEquals"), map[string][]string{"dynamodb:Attributes": g.attributes},
		)
		s.AddCondition(jsii.String("StringEqualsIfExists"), g.returned())
	}
	if g.prefix != "" {
		s.AddCondition(jsii.String("StringLike"), map[string]string{"s3:prefix": g.prefix})
	}
	if g.notPrefix != "" {
		s.AddCondition(jsii.String("StringNotLike"), map[string]string{"s3:prefix": g.notPrefix})
	}
	return s
}

// returned returns the condition that calls return no other attributes. Reads have a selection, and
// updates return values.
func (g grant) returned() map[string]string {
	condition := map[string]string{}
	for _, action := range g.actions {
		if action == "dynamodb:UpdateItem" {
			condition["dynamodb:ReturnValues"] = "NONE"
		} else {
			condition["dynamodb:Select"] = "SPECIFIC_ATTRIBUTES"
		}
	}
	return condition
}

// functionLog creates the log of a function. It is billed by the size written ($0.50 a GB) and
// stored.
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
