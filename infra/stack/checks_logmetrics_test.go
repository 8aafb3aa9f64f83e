package stack_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"

	"example.com/parley/internal/attachment"
	"example.com/parley/internal/bucket"
	"example.com/parley/internal/live"
	"example.com/parley/internal/pin"
	"example.com/parley/internal/search"
	"example.com/parley/internal/stream"
)

const typeMetricFilter = "AWS::Logs::MetricFilter"

// logMetric is what a metric filter counts: lines of a log that match a pattern, or the sum of a
// field of them.
type logMetric struct{ log, pattern, value string }

// logMetrics are the expected metrics of logs, by name.
var logMetrics = map[string]logMetric{
	"AuthorizerFailures": {"AuthorizerLogs", `{ $.level = "ERROR" || $.record.status = "timeout" || $.record.errorType = "Runtime.ExitError" }`, "1"},
	"Dropped":            {"FeedLogs", `{ $.msg = "delivery" && $.dropped > 0 }`, "$.dropped"},
	"Cut":                {"FeedLogs", `{ $.msg = "delivery" && $.cut > 0 }`, "$.cut"},
	"FileFailures":       {"FeedLogs", `{ $.msg = "projection failed" && $.projection = "*attachment.Projection" }`, "1"},
	"FileRefusals":       {"WriteLogs", `{ $.cause = "*a file: status 403" }`, "1"},
	"IndexFailures":      {"SearchLogs", `{ $.msg = "an index was not stored" }`, "1"},
	"Refusals":           {"AccessLogs", `{ $.status = "401" || $.status = "403" }`, "1"},
	"Throttled":          {"FeedLogs", `{ $.msg = "delivery" && $.throttled > 0 }`, "$.throttled"},
	"PacedMilliseconds":  {"FeedLogs", `{ $.msg = "delivery" && $.pacedMs > 0 }`, "$.pacedMs"},
}

// checkLogMetrics checks that the alarms on logs have their metrics, and that there are no others,
// because each costs money.
func checkLogMetrics(i *inspection) {
	var want []string
	for name, m := range logMetrics {
		if !i.config.Alarms.Enabled {
			break
		}
		want = append(want, name+"Filter")
		f := i.Resources[name+"Filter"]
		i.expect(ref(f.get("LogGroupName")) == m.log, "%s counts lines of %q", name, ref(f.get("LogGroupName")))
		i.expect(f.text("FilterPattern") == m.pattern, "%s counts %q", name, f.text("FilterPattern"))
		to := f.get("MetricTransformations", "0")
		i.expect(get(to, "MetricNamespace") == i.stackName() && get(to, "MetricName") == name, "%s is called %v", name, get(to, "MetricName"))
		i.expect(get(to, "MetricValue") == m.value && get(to, "DefaultValue") == nil && get(to, "Dimensions") == nil, "%s adds up %v", name, to)
	}
	i.sameSet("metric of a log", i.ids(typeMetricFilter), want)
}

// TestLogMetrics_MatchLines evaluates the patterns on lines of the logs.
func TestLogMetrics_MatchLines(t *testing.T) {
	for _, tt := range []struct {
		metric, line string
		want         float64
	}{
		{"AuthorizerFailures", `{"time":"…","level":"ERROR","msg":"internal error","cause":"the issuer's keys are unavailable"}`, 1},
		{"AuthorizerFailures", `{"time":"…","level":"INFO","msg":"unauthorized","check":"the token has expired"}`, 0},
		{"AuthorizerFailures", `{"time":"…","type":"platform.report","record":{"requestId":"1","status":"timeout"}}`, 1},
		{"AuthorizerFailures", `{"time":"…","type":"platform.report","record":{"requestId":"1","status":"error","errorType":"errorString"}}`, 0},
		{"AuthorizerFailures", `{"time":"…","type":"platform.initRuntimeDone","record":{"status":"error","errorType":"Runtime.ExitError"}}`, 1},
		{"Dropped", delivery(t, 3, 0, 0, 0), 3},
		{"Dropped", delivery(t, 0, 7, 2, 40), 0},
		{"Cut", delivery(t, 3, 7, 2, 40), 7},
		{"Throttled", delivery(t, 3, 7, 2, 40), 2},
		{"Throttled", delivery(t, 3, 0, 0, 40), 0},
		{"PacedMilliseconds", delivery(t, 3, 7, 2, 40), 40},
		{"PacedMilliseconds", `{"time":"…","level":"INFO","msg":"batch","records":1,"pacedMs":9}`, 0},
		{"FileFailures", projection(t, &attachment.Projection{}), 1},
		{"FileFailures", projection(t, &pin.Projection{}), 0},
		{"FileRefusals", `{"time":"…","level":"ERROR","msg":"internal error","cause":"` + refusal(t) + `"}`, 1},
		{"FileRefusals", `{"time":"…","level":"WARN","msg":"request failed","cause":"HEAD a file: there is no such file"}`, 0},
		{"IndexFailures", `{"time":"…","level":"WARN","msg":"` + search.NotStoredLine + `","room":"seattle","error":"PUT a file: status 403"}`, 1},
		{"IndexFailures", `{"time":"…","level":"INFO","msg":"request","status":200}`, 0},
		{"Refusals", accessLine("401"), 1},
		{"Refusals", accessLine("403"), 1},
		{"Refusals", accessLine("404"), 0},
		{"Refusals", accessLine("200"), 0},
		{"AuthorizerFailures", `authorizer: environment variable is not set`, 0},
	} {
		f := deployments["prod"].template.Resources[tt.metric+"Filter"]
		value, _ := get(f.get("MetricTransformations", "0"), "MetricValue").(string)
		if got := counted(t, f.text("FilterPattern"), value, tt.line); got != tt.want {
			t.Errorf("%s counts %v in %s, want %v", tt.metric, got, tt.line, tt.want)
		}
	}
}

// accessLine returns the line of a request in the format of the API's log.
func accessLine(status string) string {
	format := deployments["prod"].template.Resources["Stage"].text("AccessLogSettings", "Format")
	line := strings.ReplaceAll(format, "$context.status", status)
	return regexp.MustCompile(`\$context\.[a-zA-Z.]+`).ReplaceAllString(line, "-")
}

// refusal returns the error of a client whom S3 refuses a file.
func refusal(t *testing.T) string {
	t.Helper()
	c := bucket.New(bucket.Config{Base: "https://files.example", Region: "eu-central-1", HTTP: refusing{}, Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
		return aws.Credentials{AccessKeyID: "a", SecretAccessKey: "b"}, nil
	})})
	_, err := c.Head(t.Context(), "seattle/ada/1")
	if err == nil {
		t.Fatal("a refused call succeeds")
	}
	return err.Error()
}

type refusing struct{}

func (refusing) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusForbidden, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
}

// projection returns the line of a failed projection.
func projection(t *testing.T, failed stream.Projection) string {
	t.Helper()
	line, err := json.Marshal(map[string]any{"level": "ERROR", "msg": stream.ProjectionFailed, "projection": fmt.Sprintf("%T", failed)})
	if err != nil {
		t.Fatal(err)
	}
	return string(line)
}

// delivery returns the line of a delivery with the names that the code gives to its fields.
func delivery(t *testing.T, dropped, cut, throttled, paced int) string {
	t.Helper()
	line, err := json.Marshal(map[string]any{
		"level": "WARN", "msg": live.DeliveryLine, live.LogPosts: 9, live.LogGone: 0, live.LogDropped: dropped, live.LogRefused: dropped, live.LogCut: cut, live.LogThrottled: throttled, live.LogPaced: paced,
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(line)
}

// comparison matches one condition of a pattern.
var comparison = regexp.MustCompile(`^\$\.([\w.]+) (=|>) ("[^"]*"|\d+)$`)

// counted returns what a metric filter adds up for a line: a number, or a field of the line, if the
// line matches the pattern. It supports the subset of CloudWatch's patterns that the stack uses.
func counted(t *testing.T, pattern, value, line string) float64 {
	t.Helper()
	var fields map[string]any
	if json.Unmarshal([]byte(line), &fields) != nil || !matchesLine(t, pattern, fields) {
		return 0
	}
	if name, ok := strings.CutPrefix(value, "$."); ok {
		n, _ := field(fields, name).(float64)
		return n
	}
	n, err := strconv.ParseFloat(value, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// matchesLine evaluates a pattern whose conditions are joined by either || or &&.
func matchesLine(t *testing.T, pattern string, fields map[string]any) bool {
	t.Helper()
	inner, ok := strings.CutPrefix(pattern, "{ ")
	inner, closed := strings.CutSuffix(inner, " }")
	if !ok || !closed || strings.Contains(inner, "||") && strings.Contains(inner, "&&") {
		t.Fatalf("the pattern %q is not supported", pattern)
	}
	all := !strings.Contains(inner, "||")
	for _, condition := range regexp.MustCompile(` (?:\|\||&&) `).Split(inner, -1) {
		c := comparison.FindStringSubmatch(condition)
		if c == nil {
			t.Fatalf("the condition %q is not supported", condition)
		}
		text, like := fmt.Sprintf("%q", fmt.Sprint(field(fields, c[1]))), c[3]
		holds := text == like
		if end, ok := strings.CutPrefix(like, `"*`); ok {
			holds = strings.HasSuffix(text, end)
		}
		if c[2] == ">" {
			n, isNumber := field(fields, c[1]).(float64)
			least, err := strconv.ParseFloat(c[3], 64)
			holds = isNumber && err == nil && n > least
		}
		if holds != all {
			return holds
		}
	}
	return all
}

// field returns the value at a path of fields, or nil.
func field(v any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

// checkCollector checks that each function collects garbage less often than by default, and that it
// has memory beyond the limit of its heap, but not much.
func checkCollector(i *inspection) {
	for folder, name := range i.functions() {
		f := i.Resources[name+"Function"]
		percent, err := strconv.Atoi(f.text("Environment", "Variables", "GOGC"))
		i.expect(err == nil && percent > 100, "%s: GOGC is %q", folder, f.text("Environment", "Variables", "GOGC"))
		limit, inMiB := strings.CutSuffix(f.text("Environment", "Variables", "GOMEMLIMIT"), "MiB")
		heap, err := strconv.ParseFloat(limit, 64)
		memory := f.number("MemorySize")
		i.expect(err == nil && inMiB && heap >= memory*3/4 && heap <= min(memory*7/8, memory-32), "%s: GOMEMLIMIT is %q of %v MB", folder, limit, memory)
	}
}
