package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awsbudgets"
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

// budgetWarnings are the shares of the month's budget, in percent, that send a mail: two for money
// spent, one for the forecast. A forecast needs some five weeks of history.
var budgetWarnings = []struct {
	kind    string
	percent float64
}{{"ACTUAL", 80}, {"ACTUAL", 100}, {"FORECASTED", 100}}

// budget warns of the month's bill. A budget without actions is free.
//
// It counts the whole account. A filter by tag would count nothing until the tag is activated for
// billing, which takes a day and happens in the payer's account. The budget sends mails itself and
// not through the topic. Such a mail needs no confirmation, so it works from the first day. It
// cannot call a webhook, so that one is notified through the topic.
//
// It has no fixed name. A change of its mails replaces the budget, and CloudFormation creates the
// new one first.
func (b *builder) budget(topic awssns.ITopic) {
	if b.Config.Alarms.Recipient == "" || b.Config.Alarms.MonthlyBudget == 0 {
		return
	}
	to := &awsbudgets.CfnBudget_SubscriberProperty{
		SubscriptionType: jsii.String("EMAIL"), Address: jsii.String(b.Config.Alarms.Recipient),
	}
	if b.Config.Alarms.Webhook() {
		topic.AddToResourcePolicy(b.mayPublish(topic, "BudgetMayPublish", "budgets.amazonaws.com"))
		to = &awsbudgets.CfnBudget_SubscriberProperty{SubscriptionType: jsii.String("SNS"), Address: topic.TopicArn()}
	}
	var warnings []any
	for _, w := range budgetWarnings {
		warnings = append(warnings, &awsbudgets.CfnBudget_NotificationWithSubscribersProperty{
			Notification: &awsbudgets.CfnBudget_NotificationProperty{
				NotificationType: jsii.String(w.kind), ComparisonOperator: jsii.String("GREATER_THAN"),
				Threshold: jsii.Number(w.percent), ThresholdType: jsii.String("PERCENTAGE"),
			},
			Subscribers: []any{to},
		})
	}
	budget := awsbudgets.NewCfnBudget(b.scope, jsii.String("Budget"), &awsbudgets.CfnBudgetProps{
		Budget: &awsbudgets.CfnBudget_BudgetDataProperty{
			BudgetType: jsii.String("COST"), TimeUnit: jsii.String("MONTHLY"),
			BudgetLimit: &awsbudgets.CfnBudget_SpendProperty{
				Amount: jsii.Number(b.Config.Alarms.MonthlyBudget), Unit: jsii.String("USD"),
			},
		},
		NotificationsWithSubscribers: warnings,
	})
	budget.OverrideLogicalId(jsii.String("Budget"))
	b.tagBudget(budget)
	if b.Config.Alarms.Webhook() {
		// AWS refuses a budget that may not publish on its topic.
		budget.Node().AddDependency(topic)
	}
}
