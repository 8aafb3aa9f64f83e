package stack_test

import (
	"fmt"
	"slices"
)

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

const typeBudget = "AWS::Budgets::Budget"

// checkBudget checks that the recipient of alarms is also warned of high costs. Mails go to the
// address directly, which needs no confirmation; a webhook is called through the topic. The whole
// account counts.
func checkBudget(i *inspection) {
	if i.config.Alarms.Recipient == "" || i.config.Alarms.MonthlyBudget == 0 {
		i.sameSet("budget", i.ids(typeBudget), nil)
		return
	}
	i.sameSet("budget", i.ids(typeBudget), []string{"Budget"})
	b := i.Resources["Budget"]
	limit := get(b.get("Budget"), "BudgetLimit")
	i.expect(get(limit, "Amount") == float64(i.config.Alarms.MonthlyBudget) && get(limit, "Unit") == "USD", "the budget is %v", limit)
	i.expect(b.text("Budget", "BudgetType") == "COST" && b.text("Budget", "TimeUnit") == "MONTHLY", "the budget is of another kind")
	i.expect(b.get("Budget", "CostFilters") == nil && b.get("Budget", "FilterExpression") == nil, "the budget leaves something out")
	// With a fixed name, a changed mail would be refused, because the replacement would have the
	// same name.
	i.expect(b.get("Budget", "BudgetName") == nil, "the budget has a name")
	kind, address := "EMAIL", i.config.Alarms.Recipient
	if i.config.Alarms.Webhook() {
		kind, address = "SNS", "${AlarmTopic}"
		policy := i.ids(typeTopicPolicy)
		i.expect(len(policy) == 1 && slices.Contains(list(b.DependsOn), any(policy[0])), "the budget may be created before it may publish")
	}
	var warnings []string
	for _, n := range list(b.get("NotificationsWithSubscribers")) {
		w := get(n, "Notification")
		warnings = append(warnings, fmt.Sprint(get(w, "NotificationType"), " ", get(w, "ComparisonOperator"), " ", get(w, "Threshold"), " ", get(w, "ThresholdType")))
		to := get(n, "Subscribers", "0")
		i.expect(get(to, "SubscriptionType") == kind && render(get(to, "Address")) == address, "a warning goes to %v", to)
	}
	i.sameSet("warning", warnings, []string{
		"ACTUAL GREATER_THAN 80 PERCENTAGE", "ACTUAL GREATER_THAN 100 PERCENTAGE", "FORECASTED GREATER_THAN 100 PERCENTAGE",
	})
}

func budgetFaults(t template) []change {
	data := func(key string, value any) func(template) {
		return func(t template) { t.Resources["Budget"].get("Budget").(map[string]any)[key] = value }
	}
	all := []change{
		{"a budget of another amount", data("BudgetLimit", map[string]any{"Amount": 1_000_000.0, "Unit": "USD"})},
		{"a budget of a tag that is not activated", data("CostFilters", map[string]any{"TagKeyValue": []any{"user:stack$Parley-prod"}})},
		{"a budget of a year", data("TimeUnit", "ANNUALLY")},
		{"a budget with a name", data("BudgetName", "Parley")},
		{"a budget without the forecast", func(t template) {
			p := t.Resources["Budget"].Properties
			p["NotificationsWithSubscribers"] = slices.Delete(list(p["NotificationsWithSubscribers"]), 2, 3)
		}},
	}
	to := func(kind string, address any) func(template) {
		return func(t template) {
			for _, n := range list(t.Resources["Budget"].get("NotificationsWithSubscribers")) {
				n.(map[string]any)["Subscribers"] = []any{map[string]any{"SubscriptionType": kind, "Address": address}}
			}
		}
	}
	first := get(t.Resources["Budget"].get("NotificationsWithSubscribers"), "0", "Subscribers", "0")
	if get(first, "SubscriptionType") == "EMAIL" {
		return append(all, change{"a budget that goes to the topic, on which it may not publish", to("SNS", map[string]any{"Ref": "AlarmTopic"})})
	}
	return append(all,
		change{"a budget that mails a webhook", to("EMAIL", "https://hooks.example.com/parley/1f0c")},
		change{"a budget before its right to publish", func(t template) {
			r := t.Resources["Budget"]
			r.DependsOn = nil
			t.Resources["Budget"] = r
		}})
}
