package bill

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"testing"

	"example.com/parley/internal/config"
	"example.com/parley/internal/test/templates"
)

type resource struct {
	Type       string
	Properties struct {
		MemorySize, RetentionInDays int
		UserPoolTier                string
		Environment                 struct{ Variables map[string]any }
		AccessLogSettings           struct{ Format string }
		Metrics                     []struct{ MetricStat map[string]any } // of an alarm on an expression
	}
}

// resources returns the resources of prod by logical id.
func resources(t *testing.T) map[string]resource {
	t.Helper()
	text, err := templates.Read("../..", "prod")
	if err != nil {
		t.Fatal(err)
	}
	var stack struct{ Resources map[string]json.RawMessage }
	if err := json.Unmarshal(text, &stack); err != nil {
		t.Fatal(err)
	}
	all := map[string]resource{}
	for id, raw := range stack.Resources {
		var r resource
		// Other resources have different properties under the same names.
		if err := json.Unmarshal(raw, &r); err == nil {
			all[id] = r
		}
	}
	return all
}

func TestUsage_MatchesTheStack(t *testing.T) {
	t.Parallel()
	all := resources(t)
	for id, want := range map[string]int{"WriteFunction": writeMemoryMB, "ReadFunction": readMemoryMB, "SearchFunction": searchMemoryMB, "FeedFunction": feedMemoryMB, "SocketFunction": socketMemoryMB, "AuthorizerFunction": authorizerMemoryMB} {
		if got := all[id].Properties.MemorySize; got != want {
			t.Errorf("%s has %d MB, but the bill states %d", id, got, want)
		}
	}
	counts, metrics, days := map[string]int{}, 0, 0
	for id, r := range all {
		counts[r.Type]++
		if r.Type == "AWS::CloudWatch::Alarm" {
			metrics += metricsOf(r)
		}
		if r.Type == "AWS::Logs::LogGroup" {
			if days = cmp.Or(days, r.Properties.RetentionInDays); r.Properties.RetentionInDays != days {
				t.Errorf("%s is retained for %d days, and others for %d", id, r.Properties.RetentionInDays, days)
			}
		}
	}
	states(t, guide,
		fmt.Sprintf("for the alarms: they read %d metrics", metrics),
		fmt.Sprintf("| Alarms, one per metric they read | %[1]d: $%.2[2]f | %[1]d: $%.2[2]f | %[1]d: $%.2[2]f |", metrics, float64(metrics-10)/10),
		fmt.Sprintf("%d metrics of logs cost", counts["AWS::Logs::MetricFilter"]),
		fmt.Sprintf("| Dashboards | %d: $0 |", counts["AWS::CloudWatch::Dashboard"]),
		fmt.Sprintf("logs are kept for %d days", days),
		fmt.Sprintf("feeds for %s days", all["FeedFunction"].Properties.Environment.Variables["PARLEY_FEED_DAYS"]),
		fmt.Sprintf("A write runs 15 ms at %d MB, a read 15 ms at %d MB, a batch of the feed function 25 ms at %d MB", writeMemoryMB, readMemoryMB, feedMemoryMB),
		fmt.Sprintf("runs 600 ms at %d MB", searchMemoryMB),
		fmt.Sprintf("A line of the access log has %d bytes, one of a function for one request in %d has %d, and one of the feed function %d",
			AccessLineBytes, config.SampleOf, RequestLineBytes, FeedLineBytes),
		fmt.Sprintf("on the plan %s.", all["UserPool"].Properties.UserPoolTier))
	states(t, "runbooks.md", fmt.Sprintf("The alarms read %d metrics", metrics))
}

// metricsOf returns the number of metrics that an alarm is billed for: one, or the metrics of its
// expression.
func metricsOf(alarm resource) int {
	if len(alarm.Properties.Metrics) == 0 {
		return 1
	}
	n := 0
	for _, m := range alarm.Properties.Metrics {
		if m.MetricStat != nil {
			n++
		}
	}
	return n
}

// samples has a typical value for each name in the access log's format.
var samples = map[string]string{
	"requestId": "JKJaXmPLvHcESHA=", "requestTime": "29/Aug/2018:12:00:00 +0000", "identity.sourceIp": "203.0.113.77",
	"routeKey": "GET /{proxy+}", "status": "200", "responseLength": "1056", "responseLatency": "18",
	"integrationLatency": "16", "integrationStatus": "200", "integrationErrorMessage": "-", "authorizer.error": "-",
	"error.responseType": "-", "connectionId": "L0SM9cOFvHcCIhw=", "eventType": "MESSAGE", "authorizer.status": "200",
}

// TestAccessLineBytes_MatchesTheStack fills in the formats of the stack's logs.
func TestAccessLineBytes_MatchesTheStack(t *testing.T) {
	t.Parallel()
	for stage, want := range map[string]float64{"Stage": AccessLineBytes, "SocketStage": SocketLineBytes} {
		checkLine(t, resources(t)[stage].Properties.AccessLogSettings.Format, want)
	}
}

// checkLine compares the length of a line with the length in the bill.
func checkLine(t *testing.T, format string, want float64) {
	t.Helper()
	if format == "" {
		t.Fatal("the stage has no access log")
	}
	line := regexp.MustCompile(`\$context\.([a-zA-Z.]+)`).ReplaceAllStringFunc(format, func(name string) string {
		value, ok := samples[name[len("$context."):]]
		if !ok {
			t.Errorf("there is no sample of %s", name)
		}
		return value
	})
	const cloudWatchAdds = 26
	if got := float64(len(line) + cloudWatchAdds); math.Abs(got-want) > 0.1*got {
		t.Errorf("a line has %.0f bytes, but the bill states %.0f:\n%s", got, want, line)
	}
}
