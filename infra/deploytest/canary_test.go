//go:build deploy

package deploytest

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// canaryTime covers a cold start, and a run that waits in vain for its change.
const canaryTime = 2 * time.Minute

// canaryEvent is the event of the canary's schedule.
const canaryEvent = "canary/scheduled.json"

func testCanary(t *testing.T, d *deployment) {
	function, err := d.physicalID(t.Context(), "CanaryFunction")
	if err != nil {
		t.Fatal(err)
	}
	d.reachable(t, function)
	if _, failure := d.invoke(t, function, canaryEvent); !strings.Contains(failure, "sign in: read the password") {
		t.Errorf("without a password the canary reports %q", failure)
	}
	pool := d.outputs["UserPoolId"]
	d.aws(t, nil, "cognito-idp", "admin-create-user", "--user-pool-id", pool, "--username", "canary", "--message-action", "SUPPRESS")
	d.aws(t, nil, "cognito-idp", "admin-set-user-password", "--user-pool-id", pool, "--username", "canary", "--password", password, "--permanent")
	d.aws(t, nil, "ssm", "put-parameter", "--name", "/"+prodStack+"/canary", "--type", "SecureString", "--value", password)
	if answer, failure := d.invoke(t, function, canaryEvent); failure != "" || answer != "null" {
		t.Log(strings.Join(d.logs(t, d.resources(t)["ReadLogs"]), "\n"))
		t.Fatalf("the canary answers %s, with the error %s", answer, failure)
	}
	mapping, err := d.physicalID(t.Context(), "FeedMapping")
	if err != nil {
		t.Fatal(err)
	}
	d.aws(t, nil, "lambda", "update-event-source-mapping", "--uuid", mapping, "--no-enabled")
	if _, failure := d.invoke(t, function, canaryEvent); !strings.Contains(failure, "change: after ") || !strings.Contains(failure, "the message's change is not in the feed") {
		t.Errorf("while the mapping is off the canary reports %q", failure)
	}
	d.aws(t, nil, "lambda", "update-event-source-mapping", "--uuid", mapping, "--enabled")
	if answer, failure := d.invoke(t, function, canaryEvent); failure != "" {
		t.Errorf("once the mapping is on again the canary answers %s, with the error %s", answer, failure)
	}
	var rules struct {
		Rules []struct{ Name, ScheduleExpression, State string }
	}
	d.aws(t, &rules, "events", "list-rules")
	var schedules []string
	for _, r := range rules.Rules {
		schedules = append(schedules, r.ScheduleExpression+" "+r.State)
	}
	slices.Sort(schedules)
	if !slices.Equal(schedules, []string{"rate(1 day) ENABLED", "rate(1 minute) ENABLED", "rate(5 minutes) ENABLED"}) {
		t.Errorf("the rules are %v", rules.Rules)
	}
}

// reachable lets a function call the API by the name that AWS gives it, which no resolver here
// knows.
func (d *deployment) reachable(t *testing.T, function string) {
	t.Helper()
	d.setVariables(t, function, nil)
}

// setVariables makes a function reachable, and sets further variables of it.
func (d *deployment) setVariables(t *testing.T, function string, more map[string]string) {
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
	maps.Copy(config.Environment.Variables, more)
	text, err := json.Marshal(config.Environment)
	if err != nil {
		t.Fatal(err)
	}
	d.aws(t, nil, "lambda", "update-function-configuration", "--function-name", function, "--environment", string(text))
}

// invoke calls a function with an event file, and returns its answer, or the message of its error.
func (d *deployment) invoke(t *testing.T, function, name string) (answer, failure string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "answer.json")
	event, err := filepath.Abs(filepath.Join(root, "events", filepath.FromSlash(name)))
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
