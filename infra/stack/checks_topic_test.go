package stack_test

const (
	typeTopic        = "AWS::SNS::Topic"
	typeTopicPolicy  = "AWS::SNS::TopicPolicy"
	typeSubscription = "AWS::SNS::Subscription"
)

// checkTopic checks that the configured address receives every alarm, and nothing from other
// senders.
func checkTopic(i *inspection) {
	if i.config.Alarms.Email == "" {
		i.sameSet("topic", i.ids(typeTopic), nil)
		for _, id := range i.ids(typeAlarm) {
			i.expect(i.Resources[id].get("AlarmActions") == nil, "%s has an action, but no address is configured", id)
		}
		return
	}
	i.sameSet("topic", i.ids(typeTopic), []string{"AlarmTopic"})
	i.expect(i.Resources["AlarmTopic"].get("KmsMasterKeyId") == nil, "the topic has a key, which CloudWatch may not use")
	for _, id := range i.ids(typeAlarm) {
		i.expect(ref(i.Resources[id].get("AlarmActions")) == "AlarmTopic", "%s does not go to the topic", id)
	}
	subscriptions := i.ids(typeSubscription)
	i.expect(len(subscriptions) == 1, "there are %d subscriptions", len(subscriptions))
	for _, id := range subscriptions {
		s := i.Resources[id]
		to := ref(s.get("TopicArn")) == "AlarmTopic" && s.text("Protocol") == "email" && s.text("Endpoint") == i.config.Alarms.Email
		i.expect(to && len(s.Properties) == 3, "%s is another subscription: %v", id, s.Properties)
	}
	policies := i.ids(typeTopicPolicy)
	i.expect(len(policies) == 1, "there are %d policies of topics", len(policies))
	for _, id := range policies {
		checkTopicPolicy(i, id)
	}
}

// checkTopicPolicy checks that CloudWatch may publish only for this account, and only with TLS.
// The policy replaces the default policy of SNS, so that anything else is refused.
func checkTopicPolicy(i *inspection, id string) {
	p := i.Resources[id]
	i.expect(ref(p.get("Topics")) == "AlarmTopic", "%s is of another topic", id)
	var allowed, refused int
	for _, s := range list(p.get("PolicyDocument", "Statement")) {
		onTopic := get(s, "Action") == "sns:Publish" && render(get(s, "Resource")) == "${AlarmTopic}"
		switch get(s, "Effect") {
		case "Allow":
			by := get(s, "Principal", "Service") == "cloudwatch.amazonaws.com"
			within := render(get(s, "Condition", "StringEquals", "aws:SourceAccount")) == "${AWS::AccountId}"
			i.expect(onTopic && by && within, "%s allows something else: %v", id, s)
			allowed++
		case "Deny":
			tls := get(s, "Condition", "Bool", "aws:SecureTransport") == "false"
			i.expect(onTopic && get(s, "Principal") == "*" && tls, "%s refuses something else: %v", id, s)
			refused++
		}
	}
	i.expect(allowed == 1, "%s: CloudWatch may not publish, so no alarm reaches anybody", id)
	i.expect(refused == 1, "%s takes messages without TLS", id)
}
