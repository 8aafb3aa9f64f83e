package stack_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
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

// TestAlarms_PriceMatchesTheGuide computes the price of the alarms at rest.
func TestAlarms_PriceMatchesTheGuide(t *testing.T) {
	for _, name := range []string{"prod", "own", "adopted"} {
		metrics, verb := 0, "read"
		if deployments[name].config.Alarms.Canary {
			verb = "With a canary they read"
		}
		for _, id := range deployments[name].template.ids(typeAlarm) {
			metrics += metricCount(deployments[name].template.Resources[id])
		}
		want := fmt.Sprintf("%s %d metrics: %s a month, or %s in an account", verb, metrics,
			dollars(metrics*centsPerAlarmMetric), dollars((metrics-freeAlarmMetrics)*centsPerAlarmMetric))
		if !strings.Contains(strings.Join(strings.Fields(alarmGuide(t)), " "), want) {
			t.Errorf("%s: docs/runbooks.md does not contain %q", name, want)
		}
	}
}

func dollars(cents int) string { return fmt.Sprintf("$%d.%02d", cents/100, cents%100) }
