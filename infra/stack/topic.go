package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssns"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssnssubscriptions"
	"github.com/aws/jsii-runtime-go"
)

// alarmTopic creates the topic that mails the alarms, if an address is configured. A topic costs
// nothing at rest, and the first 1,000 mails of a month are free. It has no encryption key: it
// carries only names of alarms, and CloudWatch may not use the account's default key.
func (b *builder) alarmTopic() awssns.ITopic {
	if b.Config.Alarms.Email == "" {
		return nil
	}
	topic := awssns.NewTopic(b.scope, jsii.String("AlarmTopic"), &awssns.TopicProps{EnforceSSL: jsii.Bool(true)})
	fixID(topic, "AlarmTopic")
	topic.AddToResourcePolicy(b.mayPublish(topic))
	topic.AddSubscription(awssnssubscriptions.NewEmailSubscription(jsii.String(b.Config.Alarms.Email), nil))
	except(topic, anAlarmMail)
	b.output("AlarmTopicArn", topic.TopicArn(), "The topic of the alarms")
	return topic
}

// mayPublish lets the alarms of this account publish. EnforceSSL gives the topic its own policy,
// which replaces the default policy of SNS, so the default rights must be granted again.
func (b *builder) mayPublish(topic awssns.ITopic) awsiam.PolicyStatement {
	return awsiam.NewPolicyStatement(&awsiam.PolicyStatementProps{
		Sid:        jsii.String("AlarmsMayPublish"),
		Effect:     awsiam.Effect_ALLOW,
		Principals: &[]awsiam.IPrincipal{awsiam.NewServicePrincipal(jsii.String("cloudwatch.amazonaws.com"), nil)},
		Actions:    jsii.Strings("sns:Publish"),
		Resources:  &[]*string{topic.TopicArn()},
		Conditions: &map[string]any{"StringEquals": map[string]*string{"aws:SourceAccount": b.scope.Account()}},
	})
}
