//go:build deploy

package deploytest

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const prodStack = "Parley-prod"

// byHand are the alarms that the emulator cannot raise by data: it evaluates no expression, and
// nothing for the lack of data. doc.go says what tests them instead.
var byHand = []string{"ApiErrors", "FeedStopped"}

// alarm is one of the deployed stack's, as CloudWatch describes it.
type alarm struct {
	AlarmName, StateValue, Namespace, MetricName, Statistic string
	Threshold                                               float64
	AlarmActions                                            []string
	Dimensions                                              []struct{ Name, Value string }
}

// TestAlarms deploys prod with an address and a canary, raises every alarm, and reads what arrives.
func TestAlarms(t *testing.T) {
	dir := checkout(t, "HEAD")
	settings := filepath.Join(dir, "infra", "settings", "prod.go")
	text, err := os.ReadFile(settings)
	if err != nil {
		t.Fatal(err)
	}
	watched := strings.Replace(string(text), `AlarmEmail:   "none",`, `AlarmEmail: "ops@example.com", Canary: true,`, 1)
	if watched == string(text) {
		t.Fatal("the settings of prod state no AlarmEmail")
	}
	if err := os.WriteFile(settings, []byte(watched), 0o600); err != nil {
		t.Fatal(err)
	}
	d := &deployment{emulator: startEmulator(t), dir: root}
	d.mustRun(t, bootstrap)
	d.dir = dir
	d.mustRun(t, "npx --no-install cdk deploy -c env=prod")
	t.Run("every alarm reaches whoever subscribes to the topic", func(t *testing.T) { testEveryAlarm(t, d) })
	t.Run("the budget warns the address", func(t *testing.T) { testBudget(t, d) })
	t.Run("the dashboard shows every alarm", func(t *testing.T) { testDashboard(t, d) })
	t.Run("the canary passes, and says what is broken", func(t *testing.T) { testCanary(t, d) })
}

func (d *deployment) alarms(t *testing.T) []alarm {
	t.Helper()
	var answer struct{ MetricAlarms []alarm }
	d.aws(t, &answer, "cloudwatch", "describe-alarms", "--alarm-name-prefix", prodStack+"-")
	return answer.MetricAlarms
}

func testEveryAlarm(t *testing.T, d *deployment) {
	mails := d.subscribe(t)
	all := d.alarms(t)
	if len(all) < 19 {
		t.Fatalf("there are %d alarms", len(all))
	}
	d.put(t, all, false)
	for _, a := range d.alarms(t) {
		if a.StateValue == "ALARM" {
			t.Errorf("%s is raised below its threshold", a.AlarmName)
		}
		if len(a.AlarmActions) != 1 || a.AlarmActions[0] != d.outputs["AlarmTopicArn"] {
			t.Errorf("%s tells %v", a.AlarmName, a.AlarmActions)
		}
	}
	d.put(t, all, true)
	for _, id := range byHand {
		d.aws(t, nil, "cloudwatch", "set-alarm-state", "--alarm-name", prodStack+"-"+id, "--state-value", "ALARM", "--state-reason", "a test")
	}
	for _, a := range d.alarms(t) {
		if a.StateValue != "ALARM" {
			t.Errorf("%s is %s at its threshold", a.AlarmName, a.StateValue)
		}
	}
	mails.expect(t, all)
	testSilentTopic(t, d, mails)
}

// datum is one value of a metric, as put-metric-data reads it.
type datum struct {
	MetricName string
	Dimensions []struct{ Name, Value string }
	Value      float64
}

// put sends what every alarm looks at: values below the thresholds, and then what is missing up to them.
// The emulator adds up all values of a metric, whatever the dimensions; so of alarms on the same
// metric only the first gets a value that is below.
func (d *deployment) put(t *testing.T, all []alarm, reached bool) {
	t.Helper()
	lowest := map[string]float64{}
	for _, a := range all {
		if least, known := lowest[a.MetricName]; !known || a.Threshold < least {
			lowest[a.MetricName] = a.Threshold
		}
	}
	data, seen := map[string][]datum{}, map[string]bool{}
	for _, a := range all {
		if slices.Contains(byHand, strings.TrimPrefix(a.AlarmName, prodStack+"-")) {
			continue
		}
		if a.MetricName == "" || a.Namespace == "" {
			t.Errorf("%s looks at no metric, and is not raised by hand", a.AlarmName)
			continue
		}
		below := 0.0
		if !seen[a.MetricName] {
			below = lowest[a.MetricName] - 1
		}
		seen[a.MetricName] = true
		value := below
		if reached {
			value = a.Threshold
		}
		if reached && a.Statistic == "Sum" {
			value -= below
		}
		data[a.Namespace] = append(data[a.Namespace], datum{a.MetricName, a.Dimensions, value})
	}
	for namespace, of := range data {
		text, err := json.Marshal(of)
		if err != nil {
			t.Fatal(err)
		}
		d.aws(t, nil, "cloudwatch", "put-metric-data", "--namespace", namespace, "--metric-data", string(text))
	}
}

// inbox is a queue that is subscribed beside the address.
type inbox struct {
	*deployment
	url string
}

func (d *deployment) subscribe(t *testing.T) inbox {
	t.Helper()
	var stacks struct {
		Stacks []struct {
			Outputs []struct{ OutputKey, OutputValue string }
		}
	}
	d.aws(t, &stacks, "cloudformation", "describe-stacks", "--stack-name", prodStack)
	d.outputs = map[string]string{}
	for _, o := range stacks.Stacks[0].Outputs {
		d.outputs[o.OutputKey] = o.OutputValue
	}
	var queue struct{ QueueUrl string } //nolint:revive // as SQS names it
	policy, err := json.Marshal(map[string]any{"Version": "2012-10-17", "Statement": []any{map[string]any{
		"Effect": "Allow", "Principal": map[string]any{"Service": "sns.amazonaws.com"}, "Action": "sqs:SendMessage", "Resource": "*",
	}}})
	if err != nil {
		t.Fatal(err)
	}
	attributes, err := json.Marshal(map[string]string{"Policy": string(policy)})
	if err != nil {
		t.Fatal(err)
	}
	d.aws(t, &queue, "sqs", "create-queue", "--queue-name", "mails", "--attributes", string(attributes))
	var of struct{ Attributes struct{ QueueArn string } }
	d.aws(t, &of, "sqs", "get-queue-attributes", "--queue-url", queue.QueueUrl, "--attribute-names", "QueueArn")
	d.aws(t, nil, "sns", "subscribe", "--topic-arn", d.outputs["AlarmTopicArn"], "--protocol", "sqs", "--notification-endpoint", of.Attributes.QueueArn)
	var all struct {
		Subscriptions []struct{ Protocol, Endpoint string }
	}
	d.aws(t, &all, "sns", "list-subscriptions-by-topic", "--topic-arn", d.outputs["AlarmTopicArn"])
	if !slices.ContainsFunc(all.Subscriptions, func(s struct{ Protocol, Endpoint string }) bool {
		return s.Protocol == "email" && s.Endpoint == "ops@example.com"
	}) {
		t.Errorf("the subscriptions are %v", all.Subscriptions)
	}
	return inbox{d, queue.QueueUrl}
}

// read returns the names of the alarms that somebody was told of since the last call.
func (in inbox) read(t *testing.T) []string {
	t.Helper()
	var batch struct{ Messages []struct{ Body string } }
	in.aws(t, &batch, "sqs", "receive-message", "--queue-url", in.url, "--max-number-of-messages", "10", "--visibility-timeout", "600",
		"--query", "{Messages: Messages || `[]`}")
	var names []string
	for _, m := range batch.Messages {
		var envelope struct{ Message string }
		var change struct{ AlarmName, NewStateValue, AlarmDescription string }
		if err := errors.Join(json.Unmarshal([]byte(m.Body), &envelope), json.Unmarshal([]byte(envelope.Message), &change)); err != nil {
			t.Fatalf("%v\n%s", err, m.Body)
		}
		if change.NewStateValue != "ALARM" || change.AlarmDescription == "" {
			t.Errorf("a mail says %+v", change)
		}
		names = append(names, change.AlarmName)
	}
	return names
}

// expect reads until every alarm has been told of.
func (in inbox) expect(t *testing.T, all []alarm) {
	t.Helper()
	var told []string
	err := try(t.Context(), time.Minute, func() error {
		told = append(told, in.read(t)...)
		for _, a := range all {
			if !slices.Contains(told, a.AlarmName) {
				return fmt.Errorf("nobody is told of %s", a.AlarmName)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// testSilentTopic puts the defect back that once kept every alarm from everybody: a policy of the topic that
// only refuses.
func testSilentTopic(t *testing.T, d *deployment, mails inbox) {
	topic := d.outputs["AlarmTopicArn"]
	var answer struct{ Attributes struct{ Policy string } }
	d.aws(t, &answer, "sns", "get-topic-attributes", "--topic-arn", topic)
	var policy map[string]any
	if err := json.Unmarshal([]byte(answer.Attributes.Policy), &policy); err != nil {
		t.Fatal(err)
	}
	statements := policy["Statement"].([]any)
	policy["Statement"] = slices.DeleteFunc(slices.Clone(statements), func(s any) bool { return at(s, "Effect") == "Allow" })
	if len(statements) != 2 || len(policy["Statement"].([]any)) != 1 {
		t.Fatalf("the topic's policy is %s", answer.Attributes.Policy)
	}
	text, err := json.Marshal(policy)
	if err != nil {
		t.Fatal(err)
	}
	raise := func() []string {
		for _, state := range []string{"OK", "ALARM"} {
			d.aws(t, nil, "cloudwatch", "set-alarm-state", "--alarm-name", prodStack+"-FeedStopped", "--state-value", state, "--state-reason", "a test")
		}
		return mails.read(t)
	}
	set := func(policy string) {
		d.aws(t, nil, "sns", "set-topic-attributes", "--topic-arn", topic, "--attribute-name", "Policy", "--attribute-value", policy)
	}
	set(string(text))
	if told := raise(); len(told) > 0 {
		t.Errorf("a policy that only refuses lets %v through", told)
	}
	set(answer.Attributes.Policy)
	if told := raise(); !slices.Equal(told, []string{prodStack + "-FeedStopped"}) {
		t.Errorf("with its policy back the topic tells of %v", told)
	}
}

func testBudget(t *testing.T, d *deployment) {
	var answer struct {
		Budgets []struct {
			BudgetName  string
			BudgetLimit struct{ Amount string }
		}
	}
	d.aws(t, &answer, "budgets", "describe-budgets", "--account-id", "000000000000")
	if len(answer.Budgets) != 1 || !strings.HasPrefix(answer.Budgets[0].BudgetLimit.Amount, "100") {
		t.Fatalf("the budgets are %v", answer.Budgets)
	}
	var notices struct {
		Notifications []struct{ NotificationType string }
	}
	d.aws(t, &notices, "budgets", "describe-notifications-for-budget", "--account-id", "000000000000", "--budget-name", answer.Budgets[0].BudgetName)
	if len(notices.Notifications) != 3 {
		t.Errorf("the budget's warnings are %v", notices.Notifications)
	}
}

func testDashboard(t *testing.T, d *deployment) {
	var answer struct{ DashboardBody string }
	d.aws(t, &answer, "cloudwatch", "get-dashboard", "--dashboard-name", prodStack)
	var body struct{ Widgets []any }
	if err := json.Unmarshal([]byte(answer.DashboardBody), &body); err != nil || len(body.Widgets) < 10 {
		t.Fatalf("the dashboard has %d widgets, %v", len(body.Widgets), err)
	}
	for _, a := range d.alarms(t) {
		if !strings.Contains(answer.DashboardBody, ":alarm:"+a.AlarmName+`"`) {
			t.Errorf("the dashboard does not show %s", a.AlarmName)
		}
	}
}

// canaryTime is how long a run takes that waits in vain for its change, and a cold start.
const canaryTime = 2 * time.Minute

func testCanary(t *testing.T, d *deployment) {
	function, err := d.physicalIDIn(t.Context(), prodStack, "CanaryFunction")
	if err != nil {
		t.Fatal(err)
	}
	d.reachable(t, function)
	if _, failure := d.invoke(t, function); !strings.Contains(failure, "sign in: read the password") {
		t.Errorf("without a password the canary says %q", failure)
	}
	pool := d.outputs["UserPoolId"]
	d.aws(t, nil, "cognito-idp", "admin-create-user", "--user-pool-id", pool, "--username", "canary", "--message-action", "SUPPRESS")
	d.aws(t, nil, "cognito-idp", "admin-set-user-password", "--user-pool-id", pool, "--username", "canary", "--password", password, "--permanent")
	d.aws(t, nil, "ssm", "put-parameter", "--name", "/"+prodStack+"/canary", "--type", "SecureString", "--value", password)
	if answer, failure := d.invoke(t, function); failure != "" || answer != "null" {
		t.Fatalf("the canary answers %s, and says %s", answer, failure)
	}
	mapping, err := d.physicalIDIn(t.Context(), prodStack, "FeedMapping")
	if err != nil {
		t.Fatal(err)
	}
	d.aws(t, nil, "lambda", "update-event-source-mapping", "--uuid", mapping, "--no-enabled")
	if _, failure := d.invoke(t, function); !strings.Contains(failure, "change: the message's change is not in the feed") {
		t.Errorf("while nobody reads the stream the canary says %q", failure)
	}
	d.aws(t, nil, "lambda", "update-event-source-mapping", "--uuid", mapping, "--enabled")
	if answer, failure := d.invoke(t, function); failure != "" {
		t.Errorf("once the stream is read again the canary answers %s, and says %s", answer, failure)
	}
	var rules struct {
		Rules []struct{ Name, ScheduleExpression, State string }
	}
	d.aws(t, &rules, "events", "list-rules")
	if len(rules.Rules) != 1 || rules.Rules[0].ScheduleExpression != "rate(5 minutes)" || rules.Rules[0].State != "ENABLED" {
		t.Errorf("the rules are %v", rules.Rules)
	}
}

// reachable lets a function call the API by the name that AWS gives it, which no resolver here knows.
func (d *deployment) reachable(t *testing.T, function string) {
	t.Helper()
	var config struct {
		Environment struct{ Variables map[string]string }
	}
	d.aws(t, &config, "lambda", "get-function-configuration", "--function-name", function)
	for _, entry := range d.env {
		name, value, _ := strings.Cut(entry, "=")
		if slices.Contains([]string{"HTTPS_PROXY", "NO_PROXY", "SSL_CERT_FILE"}, name) {
			config.Environment.Variables[name] = value
		}
	}
	text, err := json.Marshal(config.Environment)
	if err != nil {
		t.Fatal(err)
	}
	d.aws(t, nil, "lambda", "update-function-configuration", "--function-name", function, "--environment", string(text))
}

// invoke calls a function, and returns its answer or its error's message.
func (d *deployment) invoke(t *testing.T, function string) (answer, failure string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "answer.json")
	event, err := filepath.Abs(filepath.Join(root, "events", "canary", "scheduled.json"))
	if err != nil {
		t.Fatal(err)
	}
	var result struct{ FunctionError string }
	d.aws(t, &result, "lambda", "invoke", "--function-name", function, "--payload", "file://"+event, "--cli-read-timeout", fmt.Sprint(int(canaryTime.Seconds())), file)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if result.FunctionError == "" {
		return strings.TrimSpace(string(text)), ""
	}
	var problem struct{ ErrorMessage string }
	if err := json.Unmarshal(text, &problem); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return "", problem.ErrorMessage
}
