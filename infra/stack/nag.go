package stack

import (
	"slices"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
	"github.com/cdklabs/cdk-nag-go/cdknag/v2"
)

// nag fails the synth for every rule that is broken without a stated reason.
func (b *builder) nag() {
	props := &cdknag.NagPackProps{Verbose: jsii.Bool(true)}
	awscdk.Aspects_Of(b.scope).Add(cdknag.NewAwsSolutionsChecks(props), nil)
	awscdk.Aspects_Of(b.scope).Add(cdknag.NewServerlessChecks(props), nil)
}

// subject is a kind of construct that has exceptions.
type subject int

const (
	aFunction subject = iota
	aConsumer
	aConsumersRole
	aFailureQueue
	aPublicRoute
	aUserPool
	anAlarmMail
	aCanary
	aLiveTable
	gatewaysRole
	aSocketRoute
	aSendersRole
	aPageBucket
	aFilesBucket
	aFilesRole
	aSearch
	aSearchRole
	aSweep
	aPage
	aNamedPage
	aPageWriter
	aPageWritersRole
	aDeliverer
	aTimer
	aQueueMapping
)

// exception is a rule that does not apply, and the reason.
type exception struct{ rule, reason string }

// exceptions returns all exceptions of a subject. The code that creates the construct applies them.
func exceptions(s subject) []exception {
	for _, of := range []map[subject][]exception{
		functionExceptions(), edgeExceptions(), storeExceptions(), pageExceptions(), searchExceptions(),
	} {
		if list, ok := of[s]; ok {
			return list
		}
	}
	return nil
}

// functionExceptions are the exceptions of functions and of the feed's queue.
func functionExceptions() map[subject][]exception {
	return map[subject][]exception{
		aFunction: {
			{
				"Serverless-LambdaDLQ",
				"API Gateway calls the function and waits: the caller gets the failure, nothing is queued",
			},
			{
				"Serverless-LambdaTracing",
				"tracing needs rights on every resource (*), and a call has one hop: request id and durations are in " +
					"the log",
			},
		},
		aConsumer: {
			{
				"Serverless-LambdaDLQ",
				"Lambda retries failed records of the stream; records that it gives up go to the mapping's failure " +
					"queue",
			},
			{
				"Serverless-LambdaTracing",
				"tracing needs rights on every resource (*), and a batch has one hop: its size, its rooms and its " +
					"failures are in the log",
			},
		},
		aDeliverer: {
			{
				"Serverless-LambdaDLQ",
				"SQS keeps the wake-ups that fail; the queue's own dead-letter queue has those that it gives up",
			},
			{
				"Serverless-LambdaTracing",
				"tracing needs rights on every resource (*), and a call has one hop: the state of a hook has its " +
					"last failures",
			},
		},
		aTimer: {
			{"Serverless-EventBusDLQ", "a run that did not start is made up for by the next one, a minute later"},
		},
		aQueueMapping: {
			{
				"Serverless-LambdaEventSourceMappingDestination",
				"Lambda has destinations for streams only: a queue's own dead-letter queue has what fails",
			},
		},
		aFailureQueue: {
			{"AwsSolutions-SQS3", "failures end here: people read the queue, and a further queue would not help"},
			{
				"Serverless-SQSRedrivePolicy",
				"failures end here: people read the queue, and a further queue would not help",
			},
		},
		aConsumersRole: {
			{
				"AwsSolutions-IAM5",
				"listing streams is granted on the streams of this one table, whose labels are unknown before they " +
					"exist",
			},
		},
	}
}

// edgeExceptions are the exceptions of routes, sign-in and the canary.
func edgeExceptions() map[subject][]exception {
	return map[subject][]exception{
		aPublicRoute: {
			{
				"AwsSolutions-APIG4",
				"documents show no data, and an invitation is for whoever has its secret; each route has its own " +
					"throttle",
			},
		},
		aUserPool: {
			{
				"AwsSolutions-COG2",
				"users may turn one-time codes on; requiring them would shut out scripts that sign in with a password",
			},
			{
				"AwsSolutions-COG8",
				"the plus plan is billed for each user, and a team that wants more uses its own issuer",
			},
		},
		aCanary: {
			{"Serverless-LambdaDLQ", "a failed run is counted and not retried: the next one follows in minutes"},
			{
				"Serverless-LambdaTracing",
				"tracing needs rights on every resource (*): the time of each step is in the log",
			},
			{
				"Serverless-LambdaAsyncFailureDestination",
				"a failed run is counted and raises an alarm: its event carries no information",
			},
			{
				"Serverless-EventBusDLQ",
				"the alarm notices a run that did not start, and the next one follows in minutes",
			},
		},
	}
}

// storeExceptions are the exceptions of files, live connections and mails.
func storeExceptions() map[subject][]exception {
	return map[subject][]exception{
		aFilesBucket: {
			{"AwsSolutions-S1", "a log of reads costs storage and names who read what and when"},
		},
		aFilesRole: {
			{"AwsSolutions-IAM5", "the files of this one bucket, whose keys are unknown before people upload them"},
		},
		aLiveTable: {
			{
				"AwsSolutions-DDB3",
				"the rows of open connections hold no content, expire within hours, and are written again when " +
					"clients reconnect",
			},
		},
		gatewaysRole: {
			{
				"AwsSolutions-IAM5",
				"the role writes the logs of every API of the account, whose names are not known here",
			},
		},
		aSendersRole: {
			{
				"AwsSolutions-IAM5",
				"frames go to any connection of this one API, whose ids are unknown before they open",
			},
		},
		aSocketRoute: {
			{
				"AwsSolutions-APIG4",
				"API Gateway authorizes a connection when it opens, and accepts an authorizer on $connect alone",
			},
		},
		anAlarmMail: {
			{"Serverless-SNSRedrivePolicy", "an alarm whose mail is lost is still shown, and SNS retries by itself"},
		},
	}
}

// searchExceptions are the exceptions of the search function and its schedule.
func searchExceptions() map[subject][]exception {
	return map[subject][]exception{
		aSearch: {
			{
				"Serverless-LambdaDLQ",
				"API Gateway waits for a search; Lambda repeats a failed sweep, whose event carries no information, " +
					"and the next one follows in a day",
			},
			{
				"Serverless-LambdaTracing",
				"tracing needs rights on every resource (*), and a call has one hop: request id and durations are in " +
					"the log",
			},
		},
		aSearchRole: {
			{
				"AwsSolutions-IAM5",
				"the index of searches in this one bucket, whose keys are unknown before searches write them",
			},
		},
		aSweep: {
			{"Serverless-EventBusDLQ", "a sweep that did not start is made up for by the next one, a day later"},
		},
	}
}

// pageExceptions are the exceptions of the web app's parts.
func pageExceptions() map[subject][]exception {
	distribution := []exception{
		{
			"AwsSolutions-CFR1",
			"the web app is for people in every country; a team that must exclude some does so in its identity " +
				"provider",
		},
		{
			"AwsSolutions-CFR2",
			"a firewall is billed by the month, and the files are public and cached; the API behind them checks " +
				"tokens and throttles",
		},
		{"AwsSolutions-CFR3", "a log of reads costs storage and names the people who visit"},
	}
	return map[subject][]exception{
		aPageBucket: {
			{
				"AwsSolutions-S1",
				"only CloudFront reads the bucket, and it holds the public files of a build: a log of reads would " +
					"cost and tell nothing",
			},
		},
		aNamedPage: distribution,
		aPage: append(slices.Clone(distribution), exception{
			"AwsSolutions-CFR4",
			"CloudFront chooses the TLS of its own host names; a page with a name of its own needs TLS 1.2",
		}),
		aPageWriter: {
			{"Serverless-LambdaDLQ", "CloudFormation calls the function and waits: the deploy gets the failure"},
			{
				"Serverless-LambdaTracing",
				"tracing needs rights on every resource (*), and a call has one hop: the files are in the log",
			},
			{
				"Serverless-LambdaAsyncFailureDestination",
				"CloudFormation waits for the answer: the deploy gets the failure",
			},
		},
		aPageWritersRole: {
			{"AwsSolutions-IAM5", "the files of this one bucket, whose names change with their contents"},
		},
	}
}

func except(c constructs.IConstruct, s subject) {
	var list []*cdknag.NagPackSuppression
	for _, e := range exceptions(s) {
		list = append(list, &cdknag.NagPackSuppression{Id: jsii.String(e.rule), Reason: jsii.String(e.reason)})
	}
	cdknag.NagSuppressions_AddResourceSuppressions(c, &list, jsii.Bool(true))
}
