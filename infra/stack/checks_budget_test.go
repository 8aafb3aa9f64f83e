package stack_test

import (
	"fmt"
	"slices"
)

const typeBudget = "AWS::Budgets::Budget"

// checkBudget checks that the recipient of alarms is also warned of high costs. The mails go to the
// address directly, which needs no confirmation, and the whole account counts.
func checkBudget(i *inspection) {
	if i.config.Alarms.Email == "" || i.config.Alarms.MonthlyBudget == 0 {
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
	var warnings []string
	for _, n := range list(b.get("NotificationsWithSubscribers")) {
		w := get(n, "Notification")
		warnings = append(warnings, fmt.Sprint(get(w, "NotificationType"), " ", get(w, "ComparisonOperator"), " ", get(w, "Threshold"), " ", get(w, "ThresholdType")))
		to := get(n, "Subscribers", "0")
		i.expect(get(to, "SubscriptionType") == "EMAIL" && get(to, "Address") == i.config.Alarms.Email, "a warning goes to %v", to)
	}
	i.sameSet("warning", warnings, []string{
		"ACTUAL GREATER_THAN 80 PERCENTAGE", "ACTUAL GREATER_THAN 100 PERCENTAGE", "FORECASTED GREATER_THAN 100 PERCENTAGE",
	})
}

func budgetFaults() []change {
	data := func(key string, value any) func(template) {
		return func(t template) { t.Resources["Budget"].get("Budget").(map[string]any)[key] = value }
	}
	return []change{
		{"a budget of another amount", data("BudgetLimit", map[string]any{"Amount": 1_000_000.0, "Unit": "USD"})},
		{"a budget of a tag that is not activated", data("CostFilters", map[string]any{"TagKeyValue": []any{"user:stack$Parley-prod"}})},
		{"a budget of a year", data("TimeUnit", "ANNUALLY")},
		{"a budget with a name", data("BudgetName", "Parley")},
		{"a budget without the forecast", func(t template) {
			p := t.Resources["Budget"].Properties
			p["NotificationsWithSubscribers"] = slices.Delete(list(p["NotificationsWithSubscribers"]), 2, 3)
		}},
		{"a budget that goes to the topic, on which it may not publish", func(t template) {
			for _, n := range list(t.Resources["Budget"].get("NotificationsWithSubscribers")) {
				n.(map[string]any)["Subscribers"] = []any{map[string]any{"SubscriptionType": "SNS", "Address": map[string]any{"Ref": "AlarmTopic"}}}
			}
		}},
	}
}
