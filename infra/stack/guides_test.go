package stack_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/parley/infra/config"
)

// List prices of us-east-1, in cents of a dollar a month.
const (
	centsPerAlarmMetric = 10
	freeAlarmMetrics    = 10 // of an account
)

var alarmRow = regexp.MustCompile("(?m)^\\| `([A-Za-z]+)` \\| (.+?) \\| .+ \\| .+ \\|$")

func alarmGuide(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "docs", "runbooks.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestAlarms_MatchTheGuide compares the guide's table with the template.
func TestAlarms_MatchTheGuide(t *testing.T) {
	d := deployments["adopted"] // the one with a canary
	listed := map[string]string{}
	for _, row := range alarmRow.FindAllStringSubmatch(alarmGuide(t), -1) {
		listed[row[1]] = row[2]
	}
	for _, id := range d.template.ids(typeAlarm) {
		if got, want := listed[id], raisedWhen(d.template.Resources[id]); got != want {
			t.Errorf("%s is raised at %q, but the guide has %q", id, want, got)
		}
		delete(listed, id)
	}
	for id := range listed {
		t.Errorf("the guide lists %s, which the template does not have", id)
	}
}

// raisedWhen formats an alarm's condition as the guide does.
func raisedWhen(a resource) string {
	metric := "`" + a.text("MetricName") + "`"
	if percentile := a.text("ExtendedStatistic"); percentile != "" {
		metric = percentile + " of " + metric
	}
	for _, m := range list(a.get("Metrics")) {
		if get(m, "Expression") != nil {
			metric = "`" + render(get(m, "Expression")) + "`"
		}
	}
	if a.text("TreatMissingData") == "breaching" {
		silent := fmt.Sprintf("no %s for %v minutes", metric, a.number("Period")*a.number("EvaluationPeriods")/60)
		if a.text("ComparisonOperator") == "GreaterThanOrEqualToThreshold" {
			return fmt.Sprintf("%s ≥ %.0f, or %s", metric, a.number("Threshold"), silent)
		}
		return silent
	}
	return fmt.Sprintf("%s ≥ %.0f", metric, a.number("Threshold"))
}

// ofHooksAlarm matches the alarms that only deployments with hooks have.
var ofHooksAlarm = regexp.MustCompile("^(Outbox|Deliver(Errors|Throttles|Age)|HookDead)")

// TestAlarms_PriceMatchesTheGuide computes the price of the alarms at rest.
func TestAlarms_PriceMatchesTheGuide(t *testing.T) {
	for _, name := range []string{"prod", "own", "adopted"} {
		metrics, ofHooks, verb := 0, 0, "read"
		if deployments[name].config.Alarms.Canary {
			verb = "With a canary they read"
		}
		for _, id := range deployments[name].template.ids(typeAlarm) {
			n := metricCount(deployments[name].template.Resources[id])
			if ofHooksAlarm.MatchString(id) {
				ofHooks += n
				continue
			}
			metrics += n
		}
		if more := fmt.Sprintf("they read nine more, for %s", dollars(ofHooks*centsPerAlarmMetric)); deployments[name].config.API.Hooks != config.Off && (ofHooks != 9 || !strings.Contains(alarmGuide(t), more)) {
			t.Errorf("%s: docs/runbooks.md does not contain %q, of %d metrics", name, more, ofHooks)
		}
		want := fmt.Sprintf("%s %d metrics: %s a month, or %s in an account", verb, metrics,
			dollars(metrics*centsPerAlarmMetric), dollars((metrics-freeAlarmMetrics)*centsPerAlarmMetric))
		if !strings.Contains(strings.Join(strings.Fields(alarmGuide(t)), " "), want) {
			t.Errorf("%s: docs/runbooks.md does not contain %q", name, want)
		}
	}
}

func dollars(cents int) string { return fmt.Sprintf("$%d.%02d", cents/100, cents%100) }

var rightsRow = regexp.MustCompile("(?m)^\\| ([a-z]+) \\| `([A-Za-z]+)` \\| `([^`]+)` \\| ([^|]+) \\| ([^|]*)\\| (.+) \\|$")

// TestGrants_MatchTheRightsPage compares the page's table with the template: every statement of
// every role, with its actions, resource and keys.
func TestGrants_MatchTheRightsPage(t *testing.T) {
	var listed []string
	for _, row := range rightsRow.FindAllStringSubmatch(readText(t, filepath.Join(root, "docs", "security.md")), -1) {
		listed = append(listed, strings.Join([]string{row[1], row[2], row[3], strings.ReplaceAll(row[4], "`", ""), strings.TrimSpace(row[5])}, " | "))
	}
	own := deployments["dev"].template // the one with a canary and its own tables
	var want []string
	for _, id := range own.ids(typeRole) {
		function, _ := strings.CutSuffix(id, "Role")
		for _, s := range statements(own, id) {
			var actions []string
			for _, a := range texts(get(s, "Action")) {
				_, name, _ := strings.Cut(a, ":")
				actions = append(actions, name)
			}
			want = append(want, strings.Join([]string{
				strings.ToLower(function), get(s, "Sid").(string), shortResource(render(get(s, "Resource"))), strings.Join(actions, " "), keysOf(s),
			}, " | "))
		}
	}
	if len(want) == 0 {
		t.Fatal("the template has no statements")
	}
	slices.Sort(want)
	slices.Sort(listed)
	if got, want := strings.Join(listed, "\n"), strings.Join(want, "\n"); got != want {
		t.Errorf("docs/security.md lists\n%s\n\nand the template has\n%s", got, want)
	}
}

// shortResource formats a resource as the page does.
func shortResource(rendered string) string {
	r := strings.NewReplacer("${", "", ".Arn}", "", ".StreamArn}", "/stream", "}", "").Replace(rendered)
	if _, connections, ok := strings.Cut(r, ":SocketApi/"); ok {
		return "SocketApi/" + connections
	}
	if _, parameter, ok := strings.Cut(r, ":parameter/"); ok {
		return "parameter/" + parameter[strings.LastIndexByte(parameter, '/')+1:]
	}
	return r
}

// keysOf formats a statement's condition as the page does.
func keysOf(s any) string {
	if prefix := texts(get(s, "Condition", "StringLike", "s3:prefix")); len(prefix) > 0 {
		keys := "`" + strings.Join(prefix, "` `") + "`"
		if but := texts(get(s, "Condition", "StringNotLike", "s3:prefix")); len(but) > 0 {
			keys += ", not `" + strings.Join(but, "` `") + "`"
		}
		return keys
	}
	for operator, not := range map[string]string{"ForAllValues:StringLike": "", "ForAllValues:StringNotLike": "not "} {
		if keys := texts(get(s, "Condition", operator, "dynamodb:LeadingKeys")); len(keys) > 0 {
			only := ""
			if names := texts(get(s, "Condition", "ForAllValues:StringEquals", "dynamodb:Attributes")); len(names) > 0 {
				only = ", only `" + strings.Join(names, "` `") + "`"
			}
			return not + "`" + strings.Join(keys, "` `") + "`" + only
		}
	}
	return ""
}
