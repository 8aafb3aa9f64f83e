// Package stack is Parley in AWS: one stack, one file per concern. Nothing in it is billed by the
// hour; each file states the cost of its part at rest.
//
// Resources that people or tools refer to have fixed logical ids. A table or pool with a changed id
// would be replaced by an empty one, and `sam local invoke` finds functions by their id.
package stack

import (
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsbudgets"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssqs"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"

	"example.com/parley/infra/config"
	shared "example.com/parley/internal/config"
)

// Props configures a stack.
type Props struct {
	Config config.Config
	// Env is the account and the Region. If it is nil, they are known only at deployment.
	Env *awscdk.Environment
	// Bundle fills the folder that is uploaded for a function. If nil, GoBuild does.
	Bundle Bundler
}

// Deployment is a stack, and what other stacks of the same app may refer to.
type Deployment struct {
	Stack awscdk.Stack
	// APIURL and SocketURL are the values of the outputs ApiUrl and SocketUrl.
	APIURL, SocketURL *string
	// Table has everything but the activity log and live connections.
	Table awsdynamodb.ITableV2
}

// Name returns the stack's name, which is also its id in the app.
func Name(c config.Config) string { return c.StackName() }

// builder holds the state that the parts of one stack share.
type builder struct {
	scope awscdk.Stack
	Props
	// last is the resource that settle waits for.
	last awscdk.CfnResource
}

// partitionLiterals is the feature flag that writes "aws" for AWS::Partition. It is the only flag
// of a new app that changes the template.
const partitionLiterals = "@aws-cdk/core:enablePartitionLiterals"

// New adds the stack of an environment to an app. The nag rules check everything in it. Feature
// flags of the app do not change the template.
func New(scope constructs.Construct, props Props) Deployment {
	name := Name(props.Config)
	if props.Bundle == nil {
		props.Bundle = GoBuild
	}
	s := awscdk.NewStack(scope, jsii.String(name), &awscdk.StackProps{
		StackName:             jsii.String(name), // a Stage would add its own name
		Env:                   props.Env,
		AnalyticsReporting:    jsii.Bool(false), // adds a resource
		Description:           jsii.String("Parley, a serverless chat backend (" + string(props.Config.Env) + ")"),
		TerminationProtection: jsii.Bool(props.Config.Table.DeletionProtection),
		Tags:                  stackTags(props.Config.Account.Tags),
	})
	s.Node().SetContext(jsii.String(partitionLiterals), false)
	b := &builder{scope: s, Props: props}
	b.account()
	t := b.tables()
	sockets := b.sockets()
	site := b.site(sockets)
	page := b.page(site)
	origins := b.origins(page)
	files := b.files(origins)
	write := b.function(writeFunction(props.Config, t, files))
	read := b.function(readFunction(props.Config, t, files))
	search := b.search(t, files)
	incoming := b.function(incomingFunction(props.Config, t, files))
	except(write.Role(), aFilesRole)
	except(read.Role(), aFilesRole)
	failures := b.failureQueue()
	feed, mapping := b.feed(t, sockets, failures, files)
	wakes := b.wakeQueues()
	outbox, outboxMapping := b.outbox(t, failures, wakes)
	deliver := b.deliver(t, wakes)
	b.last = mapping
	readersFirst(write, feed, mapping)
	readersFirst(read, feed, mapping)
	readersFirst(incoming, feed, mapping)
	if deliver != nil {
		readersFirst(deliver, feed, mapping)
	}
	writer := b.writer(site)
	users := b.users(site, page, writer)
	b.userClaim()
	api := b.api(users, handlers{write: write, read: read, search: search, incoming: incoming}, origins)
	socket, authorizer := b.function(socketFunction(props.Config, t, sockets, users)), b.function(authorizerFunction(
		props.Config, users, origins,
	))
	except(socket.Role(), aSendersRole)
	b.socketRoutes(sockets, socket, authorizer)
	b.publish(writer, b.pageConfig(api, sockets, users, files))
	b.alarms(watched{
		tables: t, api: api, sockets: sockets.api,
		functions: []namedFunction{
			{"Write", write}, {"Read", read}, {"Search", search}, {"Feed", feed}, {"Socket", socket},
			{"Authorizer", authorizer}, {"Incoming", incoming},
		},
		outbox: outbox, outboxMapping: outboxMapping, deliver: deliver, wakes: wakes,
		feed: feed, mapping: mapping, failures: failures, canary: b.canary(users, api),
	})
	b.outputs(api, t, failures, files)
	b.nag()
	return Deployment{Stack: s, APIURL: b.apiURL(api), SocketURL: sockets.url(), Table: t.chat}
}

// outputs are the values that the deploy guide's commands need. The pool's outputs are with the
// pool.
func (b *builder) outputs(api awsapigatewayv2.HttpApi, t tables, failures awssqs.Queue, files awss3.IBucket) {
	b.output("Version", jsii.String(shared.Version), "The version of Parley, as chat version prints it")
	b.output("ApiUrl", b.apiURL(api), "The address of the API")
	b.output("TableName", t.chat.TableName(), "The table, for imports and repairs")
	b.output("LogTableName", t.log.TableName(), "The table of the activity log")
	b.output("LiveTableName", t.live.TableName(), "The table of live connections")
	b.output("FilesBucketName", files.BucketName(), "The bucket of the files of messages")
	b.output("FailureQueueUrl", failures.QueueUrl(), "The queue of changes that could not be appended to a feed")
}

func (b *builder) output(id string, value *string, description string) {
	awscdk.NewCfnOutput(
		b.scope, jsii.String(id), &awscdk.CfnOutputProps{Value: value, Description: jsii.String(description)},
	)
}

// removal returns the policy for data and logs when the stack is removed.
func (b *builder) removal() awscdk.RemovalPolicy {
	if b.Config.Table.Retain {
		return awscdk.RemovalPolicy_RETAIN
	}
	return awscdk.RemovalPolicy_DESTROY
}

// fixID sets the logical id of the resource behind a construct.
func fixID(c constructs.Construct, id string) {
	c.Node().DefaultChild().(awscdk.CfnResource).OverrideLogicalId(jsii.String(id))
}

// Undecided adds an empty stack that belongs to no environment. Its error keeps the CDK's command
// line from synthesizing, comparing or deploying it. `cdk bootstrap` only reads the accounts and
// Regions of the app's stacks, so it works without an environment.
func Undecided(scope constructs.Construct, reason string) awscdk.Stack {
	s := awscdk.NewStack(scope, jsii.String("Parley"), nil)
	awscdk.Annotations_Of(s).AddError(jsii.String(reason))
	return s
}

// account applies a company's rules to the whole stack: the boundary to each role, and the tags to
// each resource that accepts tags. Neither costs anything.
func (b *builder) account() {
	if policy := b.Config.Account.PermissionsBoundary; policy != "" {
		awsiam.PermissionsBoundary_Of(b.scope).Apply(b.boundary(policy))
	}
	tags := b.Config.Account.Tags
	for _, key := range slices.Sorted(maps.Keys(tags)) {
		awscdk.Tags_Of(b.scope).Add(jsii.String(key), jsii.String(tags[key]), nil)
	}
}

// boundary returns the policy with an ARN or a name.
func (b *builder) boundary(policy string) awsiam.IManagedPolicy {
	id := jsii.String("Boundary")
	if strings.HasPrefix(policy, "arn:") {
		return awsiam.ManagedPolicy_FromManagedPolicyArn(b.scope, id, jsii.String(policy))
	}
	return awsiam.ManagedPolicy_FromManagedPolicyName(b.scope, id, jsii.String(policy))
}

// stackTags returns the tags of the stack itself, which the CDK's command line passes to
// CloudFormation. In an app with the CDK's flag for explicit tags of stacks, Tags_Of omits them.
func stackTags(tags map[string]string) *map[string]*string {
	if len(tags) == 0 {
		return nil
	}
	all := map[string]*string{}
	for key, value := range tags {
		all[key] = jsii.String(value)
	}
	return &all
}

// tagBudget tags a budget, which Tags_Of omits.
func (b *builder) tagBudget(budget awsbudgets.CfnBudget) {
	tags := b.Config.Account.Tags
	if len(tags) == 0 {
		return
	}
	var all []any
	for _, key := range slices.Sorted(maps.Keys(tags)) {
		all = append(
			all, &awsbudgets.CfnBudget_ResourceTagProperty{Key: jsii.String(key), Value: jsii.String(tags[key])},
		)
	}
	budget.SetResourceTags(all)
}

// settle creates a resource after the feed's mapping. A new role, and the address of a new user
// pool, reach other services only some seconds after CloudFormation has created them, and
// CloudFormation does not wait or retry.
//
// The mapping exists in every environment. It follows a table, a role and a function, each of
// which takes 10 to 30 seconds. So it is complete about a minute after the role and the pool,
// which wait for nothing.
func (b *builder) settle(r awscdk.CfnResource) { r.AddResourceDependency(b.last, nil) }
