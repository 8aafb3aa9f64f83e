package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsevents"
	"github.com/aws/aws-cdk-go/awscdk/v2/awseventstargets"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3"
	"github.com/aws/jsii-runtime-go"

	"example.com/parley/infra/config"
	shared "example.com/parley/internal/config"
	"example.com/parley/internal/search"
)

// sweepTimeout, in seconds, is the longest that Lambda allows: a daily sweep reads all indexes. A
// request is answered within httpapi.RequestTimeout.
const sweepTimeout = 900

// search creates the search function, and the daily sweep of its index. A run of the sweep costs a
// list of the index, and the blocks that have changed.
func (b *builder) search(t tables, files awss3.IBucket) awslambda.Function {
	fn := b.function(searchFunction(b.Config, t, files))
	except(fn.Role(), aSearchRole)
	rule := awsevents.NewRule(b.scope, jsii.String("SweepSchedule"), &awsevents.RuleProps{
		Description: jsii.String("Schedule of the sweep of the index of searches"),
		Schedule:    awsevents.Schedule_Rate(awscdk.Duration_Days(jsii.Number(1))),
		Targets: &[]awsevents.IRuleTarget{awseventstargets.NewLambdaFunction(fn, &awseventstargets.LambdaFunctionProps{
			Event: awsevents.RuleTargetInput_FromObject(map[string]bool{"sweep": true}),
		})},
	})
	fixID(rule, "SweepSchedule")
	except(rule, aSweep)
	return fn
}

// searchFunction describes the search function. It reads what the read function reads of rooms and
// messages, and stores an index of it in the bucket. It reaches no file of people.
func searchFunction(cfg config.Config, t tables, files awss3.IBucket) function {
	return inBucket(files, limited(cfg, function{
		name: "search", id: "Search", description: "Searches messages; sweeps its index once a day", size: cfg.Search,
		timeout: sweepTimeout, variables: apiVariables(cfg, t), endpoints: []string{shared.EnvDynamoDBEndpoint},
		subject: aSearch,
		grants: []grant{
			{
				sid: "ReadItems", resource: t.chat.TableArn(),
				actions: []string{"dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:Query"},
			},
			{sid: "QueryIndex", resource: indexARN(t.chat), actions: []string{"dynamodb:Query"}},
			spendReads(t),
			{
				sid: "UseIndex", resource: files.ArnForObjects(jsii.String(search.Folder + "*")),
				actions: []string{"s3:DeleteObject", "s3:GetObject", "s3:PutObject"},
			},
			{
				sid: "ListIndex", resource: files.BucketArn(), prefix: search.Folder + "*",
				actions: []string{"s3:ListBucket"},
			},
		},
	}))
}
