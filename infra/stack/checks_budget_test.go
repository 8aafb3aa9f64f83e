package stack_test

import (
	"fmt"
	"slices"
)

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
