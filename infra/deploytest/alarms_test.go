//go:build deploy

package deploytest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// byHand are the alarms that data cannot raise in the emulator, which evaluates neither expressions
// nor missing data. doc.go names their other tests.
var byHand = []string{"ApiErrors", "ApiRefusals", "FeedStopped", "OutboxStopped"}

// alarm is an alarm of the deployed stack, as CloudWatch describes it.
type alarm struct {
	AlarmName, StateValue, Namespace, MetricName, Statistic string
	Threshold                                               float64
	AlarmActions, OKActions                                 []string
	Dimensions                                              []struct{ Name, Value string }
}

// TestAlarm_IsRaisedAndMailed deploys prod with an address, a canary, hooks and the page. It reads
// the page, raises every alarm, and reads the mails.
func TestAlarm_IsRaisedAndMailed(t *testing.T) {
	t.Parallel()
	dir := checkout(t, "HEAD")
	settings := filepath.Join(dir, "infra", "settings", "prod.go")
	text, err := os.ReadFile(settings)
	if err != nil {
		t.Fatal(err)
	}
	watched := strings.Replace(string(text), `AlarmEmail:   "none",`, `AlarmEmail: "ops@example.com", Canary: true, Hooks: "on", `+pageSettings, 1)
	if watched == string(text) {
		t.Fatal("the settings of prod state no AlarmEmail")
	}
	if err := os.WriteFile(settings, []byte(watched), 0o600); err != nil {
		t.Fatal(err)
	}
	d := deployStack(t, dir, prodStack, "npx --no-install cdk deploy -c env=prod")
	t.Run("the page is served, with the addresses of the stack", func(t *testing.T) { testPage(t, d) })
	t.Run("a wake-up that nobody can read is given up", func(t *testing.T) { testWakeIsGivenUp(t, d) })
	t.Run("every alarm reaches the topic's subscribers", func(t *testing.T) { testEveryAlarm(t, d) })
	t.Run("the budget warns the address", func(t *testing.T) { testBudget(t, d) })
	t.Run("the dashboard shows every alarm", func(t *testing.T) { testDashboard(t, d) })
	t.Run("the canary passes, and names defects", func(t *testing.T) { testCanary(t, d) })
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
	if len(all) < 21 {
		t.Fatalf("the stack has %d alarms", len(all))
	}
	d.put(t, all, false)
	for _, a := range d.alarms(t) {
		if a.StateValue == "ALARM" {
			t.Errorf("%s is raised below its threshold", a.AlarmName)
		}
		if topic := []string{d.outputs["AlarmTopicArn"]}; !slices.Equal(a.AlarmActions, topic) || !slices.Equal(a.OKActions, topic) {
			t.Errorf("%s goes to %v, and its end to %v", a.AlarmName, a.AlarmActions, a.OKActions)
		}
	}
	d.put(t, all, true)
	d.setState(t, "ALARM", slices.DeleteFunc(slices.Clone(all), func(a alarm) bool { return !a.isOneOf(byHand) }))
	for _, a := range d.alarms(t) {
		if a.StateValue != "ALARM" {
			t.Errorf("%s is %s at its threshold", a.AlarmName, a.StateValue)
		}
	}
	mails.expect(t, "ALARM", all)
	d.setState(t, "OK", all)
	mails.expect(t, "OK", all)
	d.setState(t, "ALARM", all)
	mails.expect(t, "ALARM", all)
	testSilentTopic(t, d, mails)
}

// isOneOf reports whether the alarm has one of the ids.
func (a alarm) isOneOf(ids []string) bool {
	return slices.Contains(ids, strings.TrimPrefix(a.AlarmName, prodStack+"-"))
}

// setState sets the state of some alarms by hand.
func (d *deployment) setState(t *testing.T, state string, of []alarm) {
	t.Helper()
	for _, a := range of {
		d.aws(t, nil, "cloudwatch", "set-alarm-state", "--alarm-name", a.AlarmName, "--state-value", state, "--state-reason", "a test")
	}
}

// datum is one value of a metric, as put-metric-data reads it, and how often it is counted.
type datum struct {
	MetricName     string
	Dimensions     []struct{ Name, Value string }
	Values, Counts []float64
}

// percentiles are the alarms on percentiles. The emulator names another statistic of theirs.
var percentiles = []string{"ApiLatency"}

// manyRequests is more than 20 times as many as the emulator measures by itself, so that a percentile
// is one of these.
const manyRequests = 10_000

// put sends the metric of every alarm: values below the threshold, then the rest up to it. The
// emulator adds up all values of a metric, whatever the dimensions. So of several alarms on one
// metric, only the first gets a value below its threshold.
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
		if a.isOneOf(byHand) {
			continue
		}
		if a.MetricName == "" || a.Namespace == "" {
			t.Errorf("%s has no metric, and is not raised by hand", a.AlarmName)
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
		times := 1.0
		if a.isOneOf(percentiles) {
			times = manyRequests
		}
		data[a.Namespace] = append(data[a.Namespace], datum{a.MetricName, a.Dimensions, []float64{value}, []float64{times}})
	}
	for namespace, of := range data {
		text, err := json.Marshal(of)
		if err != nil {
			t.Fatal(err)
		}
		d.aws(t, nil, "cloudwatch", "put-metric-data", "--namespace", namespace, "--metric-data", string(text))
	}
}

// testSilentTopic restores a former defect that kept every alarm from its subscribers: a policy of
// the topic that only refuses.
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
		return mails.read(t)["ALARM"]
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
		t.Errorf("with its policy restored the topic reports %v", told)
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
