package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
	"github.com/cdklabs/cdk-nag-go/cdknag/v2"
)

// nag fails the synth on every rule that is broken without a reason.
func (b *builder) nag() {
	props := &cdknag.NagPackProps{Verbose: jsii.Bool(true)}
	awscdk.Aspects_Of(b.scope).Add(cdknag.NewAwsSolutionsChecks(props), nil)
	awscdk.Aspects_Of(b.scope).Add(cdknag.NewServerlessChecks(props), nil)
}

// subject is what an exception is made for.
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
)

// exception is a rule that does not hold, and why.
type exception struct{ rule, reason string }

// exceptions lists every one there is. Each is applied where the construct is made.
func exceptions(s subject) []exception {
	return map[subject][]exception{
		aFunction: {
			{"Serverless-LambdaDLQ", "API Gateway calls the function and waits: the caller hears of a failure, nothing is queued"},
			{"Serverless-LambdaTracing", "tracing needs rights on every resource (*), and a call has one hop: request id and durations are in the log"},
		},
		aConsumer: {
			{"Serverless-LambdaDLQ", "the stream keeps what fails, and it comes again; what Lambda gives up goes to the failure queue of the mapping"},
			{"Serverless-LambdaTracing", "tracing needs rights on every resource (*), and a batch has one hop: its size, its rooms and its failures are in the log"},
		},
		aFailureQueue: {
			{"AwsSolutions-SQS3", "it is where failures end: people read it, and nothing behind it could do better"},
			{"Serverless-SQSRedrivePolicy", "it is where failures end: people read it, and nothing behind it could do better"},
		},
		aConsumersRole: {
			{"AwsSolutions-IAM5", "listing streams is granted on the streams of this one table, whose labels are not known before they are made"},
		},
		aPublicRoute: {
			{"AwsSolutions-APIG4", "the API's own documents are public and show no data; the catch-alls answer 404 to everything; all have a throttle of their own"},
		},
		aUserPool: {
			{"AwsSolutions-COG2", "users may turn one-time codes on; requiring them would shut out scripts that sign in with a password"},
			{"AwsSolutions-COG8", "the plus plan is billed for each user; admins make the users, and a team that wants it brings its own issuer"},
		},
		aCanary: {
			{"Serverless-LambdaDLQ", "a run that failed is counted and not repeated: the next one comes in minutes"},
			{"Serverless-LambdaTracing", "tracing needs rights on every resource (*): what each step took is in the log"},
			{"Serverless-LambdaAsyncFailureDestination", "a run that failed is counted, and an alarm is raised: there is nothing to keep of it"},
			{"Serverless-EventBusDLQ", "a run that was not started is missed by the alarm, and the next one comes in minutes"},
		},
		anAlarmMail: {
			{"Serverless-SNSRedrivePolicy", "an alarm whose mail is lost is still shown as an alarm, and SNS retries by itself"},
		},
	}[s]
}

func except(c constructs.IConstruct, s subject) {
	var list []*cdknag.NagPackSuppression
	for _, e := range exceptions(s) {
		list = append(list, &cdknag.NagPackSuppression{Id: jsii.String(e.rule), Reason: jsii.String(e.reason)})
	}
	cdknag.NagSuppressions_AddResourceSuppressions(c, &list, jsii.Bool(true))
}
