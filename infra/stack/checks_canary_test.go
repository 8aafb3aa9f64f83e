package stack_test

const typeInvoke = "AWS::Lambda::EventInvokeConfig"

// checkCanary checks that the canary runs by its schedule, and once for each time. Without a
// canary, none of its resources may exist.
func checkCanary(i *inspection) {
	if !i.config.Alarms.Canary {
		i.sameSet("configuration of calls", i.ids(typeInvoke), nil)
		return
	}
	rule := i.Resources["CanarySchedule"]
	i.expect(rule.text("ScheduleExpression") == "rate(5 minutes)" && rule.text("State") == "ENABLED", "the canary runs %q, %q", rule.text("ScheduleExpression"), rule.text("State"))
	target := rule.get("Targets", "0")
	i.expect(render(get(target, "Arn")) == "${CanaryFunction.Arn}", "the schedule calls %q", render(get(target, "Arn")))
	i.expect(get(target, "RetryPolicy", "MaximumRetryAttempts") == 0.0, "a run that was not started is started late")
	i.expect(rule.text("Description") != "", "the schedule has no description")
	configs := i.ids(typeInvoke)
	i.expect(len(configs) == 1, "there are %d configurations of calls", len(configs))
	for _, id := range configs {
		c := i.Resources[id]
		i.expect(ref(c.get("FunctionName")) == "CanaryFunction" && c.text("Qualifier") == "$LATEST", "%s is of another function", id)
		i.expect(c.get("MaximumRetryAttempts") == 0.0, "a failed run is repeated, and counted more than once")
	}
}

func canaryFaults() []change {
	return []change{
		{"a canary once a day", set("CanarySchedule", "ScheduleExpression", "rate(1 day)")},
		{"a canary that is off", set("CanarySchedule", "State", "DISABLED")},
		{"a schedule that calls another function", set("CanarySchedule", "Targets", []any{
			map[string]any{"Id": "Target0", "Arn": map[string]any{"Fn::GetAtt": []any{"FeedFunction", "Arn"}}, "RetryPolicy": map[string]any{"MaximumRetryAttempts": 0.0}}})},
		{"a canary that reads every parameter", func(t template) {
			for _, s := range statements(t, "CanaryRole") {
				if get(s, "Sid") == "ReadPassword" {
					s.(map[string]any)["Resource"] = "*"
				}
			}
		}},
		{"a canary that sets passwords", allowed("CanaryRole", "cognito-idp:AdminSetUserPassword")},
		{"a canary with another's address", func(t template) { variables(t, "CanaryFunction")["PARLEY_URL"] = "https://example.com" }},
	}
}
