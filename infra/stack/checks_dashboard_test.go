package stack_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"example.com/parley/internal/httpapi"
	"example.com/parley/internal/live"
	"example.com/parley/internal/stream"
)

const typeDashboard = "AWS::CloudWatch::Dashboard"

// freeDashboardMetrics is the number of metrics that a dashboard shows for free.
const freeDashboardMetrics = 50

// shown are the metrics of the dashboard, as namespace, name, dimensions and statistic.
func shown() []string {
	mapping := func(name string) string { return "AWS/Lambda " + name + " EventSourceMappingUUID ${FeedMapping} Sum" }
	all := []string{
		"AWS/ApiGateway Count ApiId ${Api} SampleCount", "AWS/ApiGateway 4xx ApiId ${Api} Sum", "AWS/ApiGateway 5xx ApiId ${Api} Sum",
		"AWS/ApiGateway Latency ApiId ${Api} p50", "AWS/ApiGateway Latency ApiId ${Api} p99",
		"AWS/Lambda IteratorAge FunctionName ${FeedFunction} Maximum",
		"AWS/SQS ApproximateNumberOfMessagesVisible QueueName ${FailureQueue.QueueName} Maximum",
		mapping("PolledEventCount"), mapping("FailedInvokeEventCount"), mapping("DroppedEventCount"),
		mapping("OnFailureDestinationDeliveredEventCount"),
	}
	for _, name := range []string{"ConnectCount", "MessageCount", "ExecutionError"} {
		all = append(all, "AWS/ApiGateway "+name+" ApiId ${SocketApi} Sum")
	}
	for _, name := range functions {
		if name == "Incoming" { // its alarms watch it, and more than fifty metrics cost something
			continue
		}
		of := " FunctionName ${" + name + "Function} "
		all = append(all, "AWS/Lambda Duration"+of+"p99", "AWS/Lambda Errors"+of+"Sum", "AWS/Lambda Throttles"+of+"Sum", "AWS/Lambda ConcurrentExecutions"+of+"Maximum")
	}
	for _, kind := range []string{"Read", "Write"} {
		all = append(all, "AWS/DynamoDB "+kind+"ThrottleEvents TableName ${LiveTable} Sum", "AWS/DynamoDB "+kind+"ThrottleEvents TableName ${LogTable} Sum")
		for _, name := range []string{"Consumed" + kind + "CapacityUnits", kind + "ThrottleEvents"} {
			all = append(all, "AWS/DynamoDB "+name+" TableName ${Table} Sum",
				"AWS/DynamoDB "+name+" GlobalSecondaryIndexName GSI1 TableName ${Table} Sum")
		}
	}
	return all
}

// board is the body of a dashboard.
type board struct {
	Widgets []struct {
		Type       string `json:"type"`
		Properties struct {
			Alarms  []string `json:"alarms"`
			Metrics [][]any  `json:"metrics"`
			Query   string   `json:"query"`
			Region  string   `json:"region"`
		} `json:"properties"`
	} `json:"widgets"`
}

func (t template) board() (b board, err error) {
	err = json.Unmarshal([]byte(render(t.Resources["Dashboard"].get("DashboardBody"))), &b)
	return b, err
}

// checkDashboard checks that the dashboard shows every alarm and the metrics that explain it, and
// nothing that costs money.
func checkDashboard(i *inspection) {
	if !i.config.Alarms.Enabled {
		i.sameSet("dashboard", i.ids(typeDashboard), nil)
		return
	}
	i.sameSet("dashboard", i.ids(typeDashboard), []string{"Dashboard"})
	i.expect(i.Resources["Dashboard"].text("DashboardName") == i.stackName(), "the dashboard has another name")
	b, err := i.board()
	i.expect(err == nil, "the dashboard's body: %v", err)
	var metrics, alarms, queries []string
	for _, w := range b.Widgets {
		alarms = append(alarms, w.Properties.Alarms...)
		for _, m := range w.Properties.Metrics {
			metrics = append(metrics, metricLine(m))
		}
		if w.Type == "log" {
			queries = append(queries, w.Properties.Query)
		}
		i.expect(w.Type == "alarm" || w.Properties.Region == "${AWS::Region}", "a widget looks at the region %q", w.Properties.Region)
	}
	var want []string
	for _, id := range i.ids(typeAlarm) {
		want = append(want, "${"+id+".Arn}")
	}
	i.sameSet("alarm on the dashboard", alarms, want)
	var expected []string
	for _, m := range shown() {
		expected = append(expected, i.at(m))
	}
	i.sameSet("metric on the dashboard", metrics, expected)
	i.expect(len(metrics) <= freeDashboardMetrics, "the dashboard shows %d metrics", len(metrics))
	i.expect(len(queries) == 3, "the dashboard has %d queries of logs", len(queries))
	for _, q := range queries {
		checkQuery(i, q)
	}
}

var (
	querySource = regexp.MustCompile(`^SOURCE '\$\{(\w+)\}' \| `)
	queryField  = regexp.MustCompile(`\b(?:filter|by|pct\(|sum\(|and) ?([A-Za-z]\w+)\b`)
)

// checkQuery checks that a log contains the fields that a query uses.
func checkQuery(i *inspection, q string) {
	var sources []string
	for source := querySource.FindStringSubmatch(q); source != nil; source = querySource.FindStringSubmatch(q) {
		sources = append(sources, source[1])
		q = strings.TrimPrefix(q, source[0])
	}
	i.expect(len(sources) > 0, "a question to no log of the stack: %s", q)
	known := map[string][]string{
		"FeedLogs": {"msg", "bin", stream.LogBusiest, stream.LogBusiestChanges,
			live.LogPosts, live.LogGone, live.LogDropped, live.LogCut},
	}
	for _, function := range []string{"ReadLogs", "WriteLogs", "SearchLogs", "IncomingLogs"} {
		known[function] = []string{"msg", httpapi.LogRoute, httpapi.LogTime, httpapi.LogSample}
	}
	fields := queryField.FindAllStringSubmatch(q, -1)
	i.expect(len(fields) >= 3, "the question names %d fields: %s", len(fields), q)
	for _, f := range fields {
		for _, source := range sources {
			i.expect(slices.Contains(known[source], f[1]), "the log %s has no field %s", source, f[1])
		}
	}
}

// metricLine formats a metric of a widget: namespace, name, dimensions in order, statistic.
func metricLine(m []any) string {
	var words []string
	for _, v := range m {
		switch v := v.(type) {
		case string:
			words = append(words, v)
		case map[string]any:
			words = append(words, fmt.Sprint(v["stat"]))
		}
	}
	return strings.Join(words, " ")
}

// dashboardFaults removes every widget and every metric, one at a time, and queries fields that the
// logs do not have.
func dashboardFaults(t template) []change {
	body := render(t.Resources["Dashboard"].get("DashboardBody"))
	set := func(text string) func(template) {
		return func(t template) { t.Resources["Dashboard"].Properties["DashboardBody"] = text }
	}
	all := []change{
		{"a dashboard that is not JSON", set(body + "}")},
		{"a dashboard of another region", set(strings.Replace(body, "${AWS::Region}", "us-east-1", 1))},
		{"a question for a room that the log does not name", set(strings.ReplaceAll(body, "busiest", "room"))},
		{"a question for a latency that the log does not have", set(strings.ReplaceAll(body, "pct("+httpapi.LogTime, "pct(latency"))},
		{"a question to the other log", set(strings.ReplaceAll(body, "${FeedLogs}", "${ReadLogs}"))},
	}
	var parsed map[string]any
	if err := json.Unmarshal([]byte(body), &parsed); err != nil {
		panic(err) // the check has failed before
	}
	widgets := list(parsed["widgets"])
	for n, w := range widgets {
		rest := map[string]any{"widgets": slices.Concat(widgets[:n], widgets[n+1:])}
		text, err := json.Marshal(rest)
		if err != nil {
			panic(err)
		}
		all = append(all, change{"a dashboard without " + render(get(w, "properties", "title")), set(string(text))})
	}
	return all
}
