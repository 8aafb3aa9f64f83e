package stack_test

import "example.com/parley/infra/config"

const typeRule = "AWS::Events::Rule"

// checkSchedules checks that the stack has no other schedules.
func checkSchedules(i *inspection) {
	want := []string{"SweepSchedule"}
	if i.config.Alarms.Canary {
		want = append(want, "CanarySchedule")
	}
	if i.config.API.Hooks != config.Off {
		want = append(want, "TimerSchedule")
	}
	i.sameSet("rule", i.ids(typeRule), want)
}

// checkSweep checks that the index of searches is swept daily. Texts of deleted messages must not
// stay in it for longer.
func checkSweep(i *inspection) {
	rule := i.Resources["SweepSchedule"]
	i.expect(rule.text("ScheduleExpression") == "rate(1 day)" && rule.text("State") == "ENABLED", "the sweep runs %q, %q", rule.text("ScheduleExpression"), rule.text("State"))
	i.expect(len(list(rule.get("Targets"))) == 1, "the schedule has %d targets", len(list(rule.get("Targets"))))
	target := rule.get("Targets", "0")
	i.expect(render(get(target, "Arn")) == "${SearchFunction.Arn}", "the schedule calls %q", render(get(target, "Arn")))
	i.expect(get(target, "Input") == `{"sweep":true}`, "the schedule's event is %v, which the function does not know", get(target, "Input"))
	i.expect(get(target, "RetryPolicy") == nil, "a sweep that did not start is not repeated")
	i.expect(rule.text("Description") != "", "the schedule has no description")
}

func searchFaults() []change {
	statement := func(sid string, change func(statement map[string]any)) func(template) {
		return func(t template) {
			for _, s := range statements(t, "SearchRole") {
				if get(s, "Sid") == sid {
					change(s.(map[string]any))
				}
			}
		}
	}
	target := func(key string, value any) func(template) {
		return func(t template) { t.Resources["SweepSchedule"].get("Targets", "0").(map[string]any)[key] = value }
	}
	bucket := map[string]any{"Fn::GetAtt": []any{"FilesBucket", "Arn"}}
	return []change{
		{"an index that is never swept", func(t template) { delete(t.Resources, "SweepSchedule") }},
		{"a sweep that is off", set("SweepSchedule", "State", "DISABLED")},
		{"a sweep once a week", set("SweepSchedule", "ScheduleExpression", "rate(7 days)")},
		{"a schedule without the event of a sweep", target("Input", `{}`)},
		{"a schedule that calls the read function", target("Arn", map[string]any{"Fn::GetAtt": []any{"ReadFunction", "Arn"}})},
		{"a sweep that is ended like a request", set("SearchFunction", "Timeout", 20.0)},
		{"a search sent to the read function", reroute("GET /search", "GET /{proxy+}")},
		{"searches that read every file", statement("UseIndex", func(s map[string]any) {
			s["Resource"] = map[string]any{"Fn::Join": []any{"", []any{bucket, "/*"}}}
		})},
		{"searches that write pictures", statement("UseIndex", func(s map[string]any) {
			s["Resource"] = []any{s["Resource"], map[string]any{"Fn::Join": []any{"", []any{bucket, "/_people/*"}}}}
		})},
		{"searches that list every file", statement("ListIndex", func(s map[string]any) { delete(s, "Condition") })},
		{"searches that list every file without a prefix", statement("ListIndex", func(s map[string]any) {
			s["Condition"] = map[string]any{"StringLikeIfExists": map[string]any{"s3:prefix": "_search/*"}}
		})},
		{"searches that do not list the index", statement("ListIndex", func(s map[string]any) {
			s["Condition"] = map[string]any{"StringLike": map[string]any{"s3:prefix": "search/*"}}
		})},
		{"searches that write messages", allowed("SearchRole", "dynamodb:PutItem")},
		{"searches that write whole people", statement("SpendReads", func(s map[string]any) { delete(s, "Condition") })},
	}
}

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
