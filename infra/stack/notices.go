package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssns"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssnssubscriptions"
	"github.com/aws/jsii-runtime-go"
)

// alarmTopic creates the topic that sends the alarms, if an address is configured. A topic costs
// nothing at rest, and the first 1,000 mails and 100,000 webhook calls of a month are free. It has
// no encryption key: it carries only names of alarms, and CloudWatch may not use the account's
// default key.
func (b *builder) alarmTopic() awssns.ITopic {
	if b.Config.Alarms.Recipient == "" {
		return nil
	}
	topic := awssns.NewTopic(b.scope, jsii.String("AlarmTopic"), &awssns.TopicProps{EnforceSSL: jsii.Bool(true)})
	fixID(topic, "AlarmTopic")
	topic.AddToResourcePolicy(b.mayPublish(topic, "AlarmsMayPublish", "cloudwatch.amazonaws.com"))
	if to := jsii.String(b.Config.Alarms.Recipient); b.Config.Alarms.Webhook() {
		topic.AddSubscription(awssnssubscriptions.NewUrlSubscription(to, nil))
	} else {
		topic.AddSubscription(awssnssubscriptions.NewEmailSubscription(to, nil))
	}
	except(topic, anAlarmMail)
	b.output("AlarmTopicArn", topic.TopicArn(), "The topic of the alarms")
	return topic
}

// mayPublish lets a service publish for this account. EnforceSSL gives the topic its own policy,
// which replaces the default policy of SNS, so the default rights must be granted again.
func (b *builder) mayPublish(topic awssns.ITopic, sid, service string) awsiam.PolicyStatement {
	return awsiam.NewPolicyStatement(&awsiam.PolicyStatementProps{
		Sid:        jsii.String(sid),
		Effect:     awsiam.Effect_ALLOW,
		Principals: &[]awsiam.IPrincipal{awsiam.NewServicePrincipal(jsii.String(service), nil)},
		Actions:    jsii.Strings("sns:Publish"),
		Resources:  &[]*string{topic.TopicArn()},
		Conditions: &map[string]any{"StringEquals": map[string]*string{"aws:SourceAccount": b.scope.Account()}},
	})
}
