//go:build deploy

package deploytest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// goldenTemplate changes whenever the stack of dev does.
const goldenTemplate = "infra/stack/testdata/dev.golden.json"

// stateful are the logical ids of resources with data. Another physical id means that a resource
// was replaced.
var stateful = []string{"Table", "LogTable", "UserPool", "UserPoolClient"}

// TestDeploy_Rehearsal takes the way of an operator. It lets the doctor check the account, deploys
// the last commit whose template differs and writes data. It then deploys this commit, lets the
// doctor check the deployment, rolls back, upgrades again, and tears the stack down. No data may be
// lost and no user locked out on the way, and nothing but a shared role may be left at the end.
func TestDeploy_Rehearsal(t *testing.T) {
	t.Parallel()
	changed := gitLines(t, "log", "-1", "--format=%H", "--", goldenTemplate)
	if len(changed) != 1 {
		t.Fatal("git has no commit that changed the template: the test needs the whole history")
	}
	before := checkout(t, changed[0]+"^")
	d := &deployment{emulator: startEmulator(t), dir: root, stack: stackName}
	d.doctor(t, "", "Parley-dev does not exist yet")
	d.dir = before
	d.mustRun(t, bootstrap)
	d.mustRun(t, deployDev)
	d.readOutputs(t)
	ada := d.signUp(t, "ada")
	old := d.resources(t)
	const room = "upgrade"
	in := map[string]string{"room": room}
	if _, err := ada.do(t.Context(), call{route: "PUT /rooms/{room}", path: in, body: `{"name":"Upgrade"}`, status: 201}); err != nil {
		t.Fatal(err)
	}
	ada.saysOnce(t, room, "before the upgrade", 3)
	for n, step := range []struct{ dir, text string }{
		{root, "after the upgrade"}, {before, "after the roll-back"}, {root, "after the upgrade came again"},
	} {
		d.dir = step.dir
		d.mustRun(t, deployDev)
		now := d.resources(t)
		for _, id := range stateful {
			if now[id] != old[id] {
				t.Errorf("%s: %s was %s, and is now %s", step.text, id, old[id], now[id])
			}
		}
		ada.saysOnce(t, room, step.text, n+4)
		if step.dir == root {
			d.doctor(t, "", "Parley-dev is deployed (UPDATE_COMPLETE)")
		}
		if n == 0 {
			d.socketsReachable(t)
			d.doctor(t, "AFTER=yes TOKEN="+ada.token, "connect as a browser does", "none in the logs of the functions")
		}
	}
	answer, err := ada.do(t.Context(), call{route: "GET /rooms/{room}/messages", path: in, status: 200, holds: "before the upgrade"})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(answer["items"].([]any)); n != 4 {
		t.Errorf("the room has %d messages, want 4", n)
	}
	d.mustRun(t, "npx --no-install cdk destroy -c env=dev")
	if left := d.leftBehind(t); len(left) > 0 {
		t.Errorf("the teardown left %v", left)
	}
}

// saysOnce posts a message and waits until it is the last change of the room's feed.
func (c *caller) saysOnce(t *testing.T, room, text string, changes int) {
	t.Helper()
	body := fmt.Sprintf(`{"text":%q}`, text)
	in := map[string]string{"room": room}
	if _, err := c.do(t.Context(), call{route: "POST /rooms/{room}/messages", path: in, body: body, status: 201}); err != nil {
		t.Fatal(err)
	}
	if err := c.follow(t.Context(), room, changes); err != nil {
		t.Errorf("%s: %v", text, err)
	}
}

// leftBehind lists the account's resources after a teardown, except the role with which API Gateway
// writes logs. That must stay, because other APIs of the account use it.
func (d *deployment) leftBehind(t *testing.T) []string {
	t.Helper()
	all := d.inventory(t)
	left := slices.DeleteFunc(slices.Clone(all), func(name string) bool {
		return strings.HasPrefix(name, "iam ") && strings.Contains(name, "GatewayLogsRole")
	})
	if len(left) == len(all) {
		t.Error("the teardown deleted the role with which other APIs write logs")
	}
	return left
}

// inventory lists the account's resources by service, except the bootstrap's.
func (d *deployment) inventory(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, list := range [][]string{
		{"dynamodb", "list-tables", "--query", "TableNames"},
		{"lambda", "list-functions", "--query", "Functions[].FunctionName"},
		{"lambda", "list-event-source-mappings", "--query", "EventSourceMappings[].UUID"},
		{"apigatewayv2", "get-apis", "--query", "Items[].ApiId"},
		{"cognito-idp", "list-user-pools", "--max-results", "60", "--query", "UserPools[].Id"},
		{"iam", "list-roles", "--query", "Roles[].RoleName"},
		{"logs", "describe-log-groups", "--query", "logGroups[].logGroupName"},
		{"sqs", "list-queues", "--query", "QueueUrls || `[]`"},
		{"sns", "list-topics", "--query", "Topics[].TopicArn"},
		{"cloudwatch", "describe-alarms", "--query", "MetricAlarms[].AlarmName"},
		{"cloudwatch", "list-dashboards", "--query", "DashboardEntries[].DashboardName"},
		{"events", "list-rules", "--query", "Rules[].Name"},
		{"scheduler", "list-schedules", "--query", "Schedules[].Name"},
	} {
		var names []string
		d.aws(t, &names, list...)
		for _, name := range names {
			if !strings.Contains(name, "cdk-hnb659fds") { // the bootstrap's qualifier
				all = append(all, list[0]+" "+name)
			}
		}
	}
	slices.Sort(all)
	return all
}
