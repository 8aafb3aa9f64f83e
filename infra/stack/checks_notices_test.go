package stack_test

const (
	typeTopic        = "AWS::SNS::Topic"
	typeTopicPolicy  = "AWS::SNS::TopicPolicy"
	typeSubscription = "AWS::SNS::Subscription"
)

// checkTopic checks that the configured address is notified of every alarm and of its end, and
// receives nothing from other senders.
func checkTopic(i *inspection) {
	if i.config.Alarms.Recipient == "" {
		i.sameSet("topic", i.ids(typeTopic), nil)
		for _, id := range i.ids(typeAlarm) {
			a := i.Resources[id]
			i.expect(a.get("AlarmActions") == nil && a.get("OKActions") == nil, "%s has an action, but no address is configured", id)
		}
		return
	}
	i.sameSet("topic", i.ids(typeTopic), []string{"AlarmTopic"})
	i.expect(i.Resources["AlarmTopic"].get("KmsMasterKeyId") == nil, "the topic has a key, which CloudWatch may not use")
	for _, id := range i.ids(typeAlarm) {
		for _, actions := range []string{"AlarmActions", "OKActions"} {
			all := list(i.Resources[id].get(actions))
			i.expect(len(all) == 1 && ref(all) == "AlarmTopic", "%s: the %s do not go to the topic", id, actions)
		}
		i.expect(i.Resources[id].get("InsufficientDataActions") == nil, "%s notifies of missing data", id)
	}
	protocol := map[bool]string{false: "email", true: "https"}[i.config.Alarms.Webhook()]
	subscriptions := i.ids(typeSubscription)
	i.expect(len(subscriptions) == 1, "there are %d subscriptions", len(subscriptions))
	for _, id := range subscriptions {
		s := i.Resources[id]
		to := ref(s.get("TopicArn")) == "AlarmTopic" && s.text("Protocol") == protocol && s.text("Endpoint") == i.config.Alarms.Recipient
		i.expect(to && len(s.Properties) == 3, "%s is another subscription: %v", id, s.Properties)
	}
	policies := i.ids(typeTopicPolicy)
	i.expect(len(policies) == 1, "there are %d policies of topics", len(policies))
	for _, id := range policies {
		checkTopicPolicy(i, id)
	}
}

// checkTopicPolicy checks that CloudWatch, and the budget of a webhook, may publish only for this
// account, and only with TLS. The policy replaces the default policy of SNS, so that anything else
// is refused.
func checkTopicPolicy(i *inspection, id string) {
	p := i.Resources[id]
	i.expect(ref(p.get("Topics")) == "AlarmTopic", "%s is of another topic", id)
	var allowed []string
	var refused int
	for _, s := range list(p.get("PolicyDocument", "Statement")) {
		onTopic := get(s, "Action") == "sns:Publish" && render(get(s, "Resource")) == "${AlarmTopic}"
		switch get(s, "Effect") {
		case "Allow":
			within := render(get(s, "Condition", "StringEquals", "aws:SourceAccount")) == "${AWS::AccountId}"
			i.expect(onTopic && within, "%s allows something else: %v", id, s)
			allowed = append(allowed, render(get(s, "Principal", "Service")))
		case "Deny":
			tls := get(s, "Condition", "Bool", "aws:SecureTransport") == "false"
			i.expect(onTopic && get(s, "Principal") == "*" && tls, "%s refuses something else: %v", id, s)
			refused++
		}
	}
	services := []string{"cloudwatch.amazonaws.com"}
	if i.config.Alarms.Webhook() && i.config.Alarms.MonthlyBudget != 0 {
		services = append(services, "budgets.amazonaws.com")
	}
	i.sameSet("service that may publish", allowed, services)
	i.expect(refused == 1, "%s takes messages without TLS", id)
}
